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
from typing import TYPE_CHECKING, NamedTuple

# The original's own parser: what is well-formed to it is to us. Bombs are stopped by it, what comes from
# outside is refused below.
from xml.parsers import expat

from rouge_cli import files
from rouge_cli.core import EvalTask, Notice
from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from rouge_cli.core import Notify


def read(path: str, formats: Collection[str], notify: Notify) -> Sequence[EvalTask]:
    """The evals in document order.

    formats: the input formats that the caller can read, in lower case; others are an error.
    Raises RougeError with line (and column) for what is wrong in the file.
    """

    def remark(one: Remark) -> None:
        if one.always:
            notify(Notice(f"{one.where}: {one.what}"))

    problems: list[RougeError] = []
    settings = _Settings(path, formats, problems.append, remark)
    settings.parse()
    if problems:
        raise problems[0]
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
    settings.parse()
    places = {
        (one.eval_id, *key): f"{path}:{line}"
        for one in settings.evals.values()
        for key, line in one.places.items()
    }
    return Survey(settings.tasks(), places, settings.nameless, problems, remarks)


class _Eval:
    """One EVAL as it grows; a second one with the same ID goes on where the first one ended."""

    __slots__ = ("eval_id", "input_format", "line", "model_ids", "models", "peers", "places", "roots")

    def __init__(self, eval_id: str) -> None:
        self.eval_id = eval_id
        self.line = 0
        self.places: dict[tuple[str, str], int] = {}
        self.roots: dict[str, str | None] = {"PEER-ROOT": "", "MODEL-ROOT": ""}
        self.input_format = ""
        self.peers: dict[str, str | None] = {}
        self.models: dict[str, str | None] = {}
        self.model_ids: list[str] = []

    def task(self, path: str) -> EvalTask:
        """The finished eval; roots come last, since order inside an EVAL does not matter."""
        root = self.roots["PEER-ROOT"]
        peers = {one: None if name is None else _path(root, name) for one, name in self.peers.items()}
        root = self.roots["MODEL-ROOT"]
        models = [(one, _path(root, self.models[one])) for one in self.model_ids]
        return EvalTask(self.eval_id, peers, models, self.input_format, f"{path}:{self.line}")


class _Element:
    """An element that is open: its name as written and in capitals, its line, its EVAL, its text.

    into, key: where its text goes at its end, if anywhere; only then is it listened to.
    """

    __slots__ = ("current", "into", "key", "line", "name", "tag", "text")

    def __init__(self, name: str, tag: str, line: int, current: _Eval | None) -> None:
        self.name = name
        self.tag = tag
        self.line = line
        self.current = current
        self.into: dict[str, str | None] | None = None
        self.key = ""
        self.text: str | None = None

    def goes(self, into: dict[str, str | None], key: str) -> None:
        """Say where the text goes."""
        self.into = into
        self.key = key


class _Settings:
    """All evals, as the parser meets them.

    refuse: takes what is wrong. remark: takes what is odd.
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
        self._parser = expat.ParserCreate()
        self._open = [_Element("", "", 0, None)]
        self.evals: dict[str, _Eval] = {}
        self.nameless: set[str] = set()

    def tasks(self) -> Sequence[EvalTask]:
        """The finished evals in document order."""
        return [one.task(self._path) for one in self.evals.values()]

    def parse(self) -> None:
        """Read the document to its end."""
        data = files.read_any(self._path, "settings file")
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        # Comments and instructions end a text; nothing else is made of them.
        parser.CommentHandler = parser.ProcessingInstructionHandler = _pass
        parser.ExternalEntityRefHandler = self._outside
        parser.SkippedEntityHandler = self._outside
        try:
            parser.Parse(data, True)  # noqa: FBT003 - the last piece
        except expat.ExpatError as error:
            raise self._malformed(error) from None
        except (LookupError, ValueError) as reason:  # from the codecs
            raise RougeError(
                f"an encoding that is not known here ({reason})",
                where=f"{self._path}:1",
                remedy="save the file as UTF-8",
            ) from None

    def _malformed(self, error: expat.ExpatError) -> RougeError:
        what = expat.ErrorString(error.code)
        what = "invalid token" if error.code == _codes(expat.errors.XML_ERROR_INVALID_TOKEN) else what
        about_entities = "entit" in what
        last = self._open[-1]
        if last.name and error.code in map(_codes, _UNCLOSED):
            what += f": {last.name} of line {last.line} is open"
        return RougeError(
            f"not well-formed XML ({what})",
            where=f"{self._path}:{error.lineno}:{error.offset + 1}",
            remedy="entities from outside the file, and bombs made of them, are refused"
            if about_entities
            else "use -z FORMAT if this is a file list",
        )

    def _outside(self, *_: object) -> int:
        place = f"{self._parser.CurrentLineNumber}:{self._parser.CurrentColumnNumber + 1}"
        raise RougeError(
            "an entity that the file itself does not define",
            where=f"{self._path}:{place}",
            remedy="entities from outside the file are refused; write what it stands for",
        )

    def _text(self, piece: str) -> None:
        """The last of an element's texts that is not blank counts, stripped (QUIRKS 13)."""
        one = self._open[-1]
        one.text = piece.strip() or one.text or ""

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Take what the element's name and attributes say."""
        tag = name.upper()
        parent = self._open[-1]
        current = parent.current
        one = _Element(name, tag, self._parser.CurrentLineNumber, current)
        if tag == "EVAL":
            one.current = self._eval(one, attributes)
        elif current is not None:
            self._take(one, attributes, parent.tag, current)
        elif tag in ("PEERS", "MODELS"):
            self._refuse(RougeError(f"{name} stands outside an EVAL", where=self._where(one)))
        self._open.append(one)
        if one.into is not parent.into:
            self._listen(one)

    def _end(self, _: str) -> None:
        one = self._open.pop()
        parent = self._open[-1]
        if one.into is not None and one.text is not None:
            one.into[one.key] = one.text
        if one.into is not parent.into:
            self._listen(parent)

    def _listen(self, one: _Element) -> None:
        self._parser.CharacterDataHandler = None if one.into is None else self._text

    def _eval(self, one: _Element, attributes: Mapping[str, str]) -> _Eval:
        eval_id = self._id(one, attributes)
        current = self.evals.get(eval_id)
        if current is not None:
            self._remark(one, f"the eval ID {eval_id} comes twice; its EVALs are taken as one")
        else:
            current = self.evals[eval_id] = _Eval(eval_id)
        current.line = one.line
        return current

    def _take(self, one: _Element, attributes: Mapping[str, str], parent: str, current: _Eval) -> None:
        """What an element inside an EVAL says; a P counts right in PEERS, an M in MODELS."""
        tag = one.tag
        if tag == "P" and parent == "PEERS":
            self._peer(one, attributes, current)
        elif tag == "M" and parent == "MODELS":
            self._model(one, attributes, current)
        elif tag in current.roots:
            one.goes(current.roots, tag)
        elif tag == "INPUT-FORMAT":
            current.input_format = self._format(one, attributes, current)
        elif tag not in ("PEERS", "MODELS"):
            why = {"P": "outside PEERS", "M": "outside MODELS"}.get(tag, "unknown here")
            self._remark(one, f"eval {current.eval_id}: {one.name} is {why} and passed over")

    def _peer(self, one: _Element, attributes: Mapping[str, str], current: _Eval) -> None:
        peer_id = self._id(one, attributes)
        if peer_id in current.peers:
            self._remark(
                one, f"eval {current.eval_id} has the peer ID {peer_id} twice; its last file counts"
            )
        current.peers.setdefault(peer_id)
        current.places["peer", peer_id] = one.line
        one.goes(current.peers, peer_id)

    def _model(self, one: _Element, attributes: Mapping[str, str], current: _Eval) -> None:
        model_id = self._id(one, attributes)
        if model_id in current.models:
            self._remark(
                one,
                f"eval {current.eval_id} has the model ID {model_id} twice; its last file counts each time",
                always=True,
            )
        current.model_ids.append(model_id)
        current.models.setdefault(model_id, "")
        current.places["model", model_id] = one.line
        one.goes(current.models, model_id)

    def _format(self, one: _Element, attributes: Mapping[str, str], current: _Eval) -> str:
        name = attributes.get("TYPE")
        if name is None or name.lower() not in self._formats:
            known = ", ".join(sorted(one.upper() for one in self._formats))
            self._refuse(
                RougeError(
                    f"eval {current.eval_id} has an INPUT-FORMAT without TYPE"
                    if name is None
                    else f"eval {current.eval_id} has the unknown input format {name!r}",
                    where=self._where(one),
                    remedy=f"use one of {known}",
                )
            )
        return name.lower() if name else "unknown"

    def _id(self, one: _Element, attributes: Mapping[str, str]) -> str:
        value = attributes.get("ID")
        if value is not None:
            return value
        self._refuse(
            RougeError(
                f"{one.name} has no ID", where=self._where(one), remedy=f'write <{one.name} ID="...">'
            )
        )
        value = f"(in line {one.line})"
        self.nameless.add(value)
        return value

    def _remark(self, one: _Element, what: str, *, always: bool = False) -> None:
        self._say(Remark(self._where(one), what, always))

    def _where(self, one: _Element) -> str:
        return f"{self._path}:{one.line}"


# Errors that an element explains which is still open.
_UNCLOSED = (
    expat.errors.XML_ERROR_TAG_MISMATCH,
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
)
_codes = expat.errors.codes.__getitem__


def _pass(*_: object) -> None:
    """Nothing to take."""


def _path(root: str | None, name: str | None) -> str:
    """The path whose bytes are the document's UTF-8, in whatever way the locale writes file names."""
    path = f"{root}/{name}"
    return path if path.isascii() else os.fsdecode(path.encode())
