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
from typing import TYPE_CHECKING

from rouge_cli import files
from rouge_cli.core import EvalTask, Notice
from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from lxml.etree import _Element as Element

    from rouge_cli.core import Notify


def read(path: str, formats: Collection[str], notify: Notify) -> Sequence[EvalTask]:
    """The evals in document order.

    formats: the input formats that the caller can read, in lower case; others are an error.
    Raises RougeError with line (and column) for what is wrong in the file.
    """
    settings = _Settings(path, formats, notify)
    settings.collect(_parse(path), "", None)
    return [one.task() for one in settings.evals.values()]


class _Eval:
    """One EVAL as it grows; a second one with the same ID goes on where the first one ended."""

    def __init__(self, eval_id: str) -> None:
        self.eval_id = eval_id
        self.where = ""
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
    """All evals, as the walk over the document meets them."""

    def __init__(self, path: str, formats: Collection[str], notify: Notify) -> None:
        self._path = path
        self._formats = formats
        self._notify = notify
        self.evals: dict[str, _Eval] = {}

    def collect(self, element: Element, parent: str, current: _Eval | None) -> None:
        """Take what the element says, then what its children say.

        parent: the name of the element around it; a P counts only right in PEERS, an M in MODELS.
        current: the EVAL around it.
        """
        tag = _name(element).upper()
        if tag == "EVAL":
            eval_id = self._id(element)
            current = self.evals.setdefault(eval_id, _Eval(eval_id))
            current.where = self._where(element)
        elif current is not None:
            self._take(element, tag, parent, current)
        elif tag in ("PEERS", "MODELS"):
            raise RougeError(f"{_name(element)} stands outside an EVAL", where=self._where(element))
        for child in element:
            self.collect(child, tag, current)

    def _take(self, element: Element, tag: str, parent: str, current: _Eval) -> None:
        text = _text(element)
        if tag in current.roots:
            current.roots[tag] = current.roots[tag] if text is None else text
        elif tag == "INPUT-FORMAT":
            current.input_format = self._format(element, current)
        elif (parent, tag) == ("PEERS", "P"):
            peer_id = self._id(element)
            current.peers[peer_id] = current.peers.get(peer_id) if text is None else text
        elif (parent, tag) == ("MODELS", "M"):
            self._model(element, text, current)

    def _model(self, element: Element, text: str | None, current: _Eval) -> None:
        model_id = self._id(element)
        if model_id in current.models:
            self._notify(
                Notice(
                    f"{self._where(element)}: eval {current.eval_id} has the model ID {model_id} "
                    "twice; its last file counts each time"
                )
            )
        current.model_ids.append(model_id)
        current.models[model_id] = current.models.get(model_id, "") if text is None else text

    def _format(self, element: Element, current: _Eval) -> str:
        name = element.get("TYPE")
        if name is None or name.lower() not in self._formats:
            known = ", ".join(sorted(one.upper() for one in self._formats))
            raise RougeError(
                f"eval {current.eval_id} has an INPUT-FORMAT without TYPE"
                if name is None
                else f"eval {current.eval_id} has the unknown input format {name!r}",
                where=self._where(element),
                remedy=f"use one of {known}",
            )
        return name.lower()

    def _id(self, element: Element) -> str:
        value = element.get("ID")
        if value is None:
            raise RougeError(
                f"{_name(element)} has no ID",
                where=self._where(element),
                remedy=f'write <{_name(element)} ID="...">',
            )
        return value

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
    data = files.read(path, "settings file")
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
