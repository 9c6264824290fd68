"""Settings XML, ROUGE-1.5.5's own input: evals with their peers, models and input format.

    <ROUGE-EVAL>
      <EVAL ID="1">
        <PEER-ROOT>systems</PEER-ROOT> <MODEL-ROOT>models</MODEL-ROOT>
        <INPUT-FORMAT TYPE="SPL"/>
        <PEERS><P ID="A">a.txt</P></PEERS> <MODELS><M ID="1">m.txt</M></MODELS>
      </EVAL>
    </ROUGE-EVAL>

Element names are taken in any case; elements of other names are passed through. What counts where
something stands twice is QUIRKS 12.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from rouge_cli import files
from rouge_cli.core import EvalTask, Notice
from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from lxml.etree import _Element as Element

    from rouge_cli.core import Notify


def read(path: str, formats: Collection[str], notify: Notify) -> Sequence[EvalTask]:
    """The evals in document order.

    formats: the input formats that the caller can read, in lower case; others are an error.
    Raises RougeError with line (and column) for what is wrong in the file.
    """

    def remark(one: Remark) -> None:
        if one.always:
            notify(Notice(f"{one.where}: {one.what}"))

    settings = _Settings(path, formats, _refuse, remark)
    settings.collect(_parse(path), "", None)
    return settings.tasks()


class Remark(NamedTuple):
    """Something odd at a place of the settings.

    always: whether it is said when the settings are scored, too; else only when they are looked over.
    """

    where: str
    what: str
    always: bool = False


class Survey(NamedTuple):
    """Settings that were read to their end, whatever is wrong with them.

    tasks: an EVAL, P or M without ID is there under a name made of its line, which is in `nameless`; an
    unknown input format is there as it was written. places: (eval ID, `peer` or `model`, ID) -> where.
    """

    tasks: Sequence[EvalTask]
    places: Mapping[tuple[str, str, str], str]
    nameless: Collection[str]
    problems: Sequence[RougeError]
    remarks: Sequence[Remark]


def survey(path: str, formats: Collection[str]) -> Survey:
    """The evals, with all that is wrong and odd in the document at once.

    Raises RougeError where it is not well-formed XML, UnreadableFile where there is no file.
    """
    problems: list[RougeError] = []
    remarks: list[Remark] = []
    settings = _Settings(path, formats, problems.append, remarks.append)
    settings.collect(_parse(path), "", None)
    places = {
        (one.eval_id, *key): where for one in settings.evals.values() for key, where in one.places.items()
    }
    return Survey(settings.tasks(), places, settings.nameless, problems, remarks)


def _refuse(error: RougeError) -> NoReturn:
    raise error


class _Eval:
    """One EVAL as it grows; a second one with the same ID goes on where the first one ended."""

    def __init__(self, eval_id: str) -> None:
        self.eval_id = eval_id
        self.where = ""
        self.places: dict[tuple[str, str], str] = {}
        self.roots = {"PEER-ROOT": "", "MODEL-ROOT": ""}
        self.input_format = ""
        self.peers: dict[str, str | None] = {}
        self.models: dict[str, str] = {}
        self.model_ids: list[str] = []

    def task(self) -> EvalTask:
        """The finished eval; roots come last, since order inside an EVAL does not matter."""
        root = self.roots["PEER-ROOT"]
        peers = {one: None if name is None else _path(root, name) for one, name in self.peers.items()}
        root = self.roots["MODEL-ROOT"]
        models = [(one, _path(root, self.models[one])) for one in self.model_ids]
        return EvalTask(self.eval_id, peers, models, self.input_format, self.where)


class _Settings:
    """All evals, as the walk over the document meets them.

    refuse: takes what is wrong; where it does not raise, the walk goes on. remark: takes what is odd.
    """

    def __init__(
        self,
        path: str,
        formats: Collection[str],
        refuse: Callable[[RougeError], None],
        remark: Callable[[Remark], None],
    ) -> None:
        self._path = path
        self._formats = formats
        self._refuse = refuse
        self._say = remark
        self.evals: dict[str, _Eval] = {}
        self.nameless: set[str] = set()

    def tasks(self) -> Sequence[EvalTask]:
        """The finished evals in document order."""
        return [one.task() for one in self.evals.values()]

    def collect(self, element: Element, parent: str, current: _Eval | None) -> None:
        """Take what the element says, then what its children say.

        parent: the name of the element around it; a P counts only right in PEERS, an M in MODELS.
        current: the EVAL around it.
        """
        tag = _name(element).upper()
        if tag == "EVAL":
            eval_id = self._id(element)
            if eval_id in self.evals:
                self._remark(element, f"the eval ID {eval_id} comes twice; its EVALs are taken as one")
            current = self.evals.setdefault(eval_id, _Eval(eval_id))
            current.where = self._where(element)
        elif current is not None:
            self._take(element, tag, parent, current)
        elif tag in ("PEERS", "MODELS"):
            self._refuse(RougeError(f"{_name(element)} stands outside an EVAL", where=self._where(element)))
        for child in element:
            self.collect(child, tag, current)

    def _take(self, element: Element, tag: str, parent: str, current: _Eval) -> None:
        text = _text(element)
        if tag in current.roots:
            current.roots[tag] = current.roots[tag] if text is None else text
        elif tag == "INPUT-FORMAT":
            current.input_format = self._format(element, current)
        elif (parent, tag) == ("PEERS", "P"):
            self._peer(element, text, current)
        elif (parent, tag) == ("MODELS", "M"):
            self._model(element, text, current)
        elif tag and tag not in ("PEERS", "MODELS"):
            why = {"P": "outside PEERS", "M": "outside MODELS"}.get(tag, "unknown here")
            self._remark(element, f"eval {current.eval_id}: {_name(element)} is {why} and passed over")

    def _peer(self, element: Element, text: str | None, current: _Eval) -> None:
        peer_id = self._id(element)
        if peer_id in current.peers:
            self._remark(
                element, f"eval {current.eval_id} has the peer ID {peer_id} twice; its last file counts"
            )
        current.peers[peer_id] = current.peers.get(peer_id) if text is None else text
        current.places["peer", peer_id] = self._where(element)

    def _model(self, element: Element, text: str | None, current: _Eval) -> None:
        model_id = self._id(element)
        if model_id in current.models:
            self._remark(
                element,
                f"eval {current.eval_id} has the model ID {model_id} twice; its last file counts each time",
                always=True,
            )
        current.model_ids.append(model_id)
        current.models[model_id] = current.models.get(model_id, "") if text is None else text
        current.places["model", model_id] = self._where(element)

    def _format(self, element: Element, current: _Eval) -> str:
        name = element.get("TYPE")
        if name is None or name.lower() not in self._formats:
            known = ", ".join(sorted(one.upper() for one in self._formats))
            self._refuse(
                RougeError(
                    f"eval {current.eval_id} has an INPUT-FORMAT without TYPE"
                    if name is None
                    else f"eval {current.eval_id} has the unknown input format {name!r}",
                    where=self._where(element),
                    remedy=f"use one of {known}",
                )
            )
        return name.lower() if name else "unknown"

    def _id(self, element: Element) -> str:
        value = element.get("ID")
        if value is not None:
            return value
        self._refuse(
            RougeError(
                f"{_name(element)} has no ID",
                where=self._where(element),
                remedy=f'write <{_name(element)} ID="...">',
            )
        )
        value = f"(in line {element.sourceline})"
        self.nameless.add(value)
        return value

    def _remark(self, element: Element, what: str, *, always: bool = False) -> None:
        self._say(Remark(self._where(element), what, always))

    def _where(self, element: Element) -> str:
        return f"{self._path}:{element.sourceline}"


def _path(root: str, name: str) -> str:
    """The path whose bytes are the document's UTF-8, in whatever way the locale writes file names."""
    path = f"{root}/{name}"
    return path if path.isascii() else os.fsdecode(path.encode())


def _parse(path: str) -> Element:
    try:
        from lxml import etree  # costs start-up time, and a file list needs none of it
    except ImportError:
        raise RougeError(
            "reading settings XML needs the library lxml", where=path, remedy="pip install lxml"
        ) from None
    data = files.read_any(path, "settings file")
    # The stubs do not know "internal" yet: entities of the file itself only, none from other files.
    parser = etree.XMLParser(resolve_entities="internal", no_network=True)  # type: ignore[arg-type]
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        message = (error.msg or "no reason given").partition(", line ")[0]
        about_entities = "entit" in message.lower()
        raise RougeError(
            f"not well-formed XML ({message})",
            where=f"{path}:{line}:{column}",
            remedy="entities from outside the file, and bombs made of them, are refused"
            if about_entities
            else "use -z FORMAT if this is a file list",
        ) from None


def _name(element: Element) -> str:
    """The element's name as it is written; a default namespace makes no difference to the original."""
    tag: object = element.tag
    if not isinstance(tag, str):
        return ""  # a comment or a processing instruction
    local = tag.rpartition("}")[2]
    return f"{element.prefix}:{local}" if element.prefix else local


def _text(element: Element) -> str | None:
    """The last of the element's texts that is not blank, stripped; None if it has none (QUIRKS 13)."""
    pieces = [piece for piece in (element.text, *(child.tail for child in element)) if piece]
    if not pieces:
        return None
    return next((piece.strip() for piece in reversed(pieces) if piece.strip()), "")
