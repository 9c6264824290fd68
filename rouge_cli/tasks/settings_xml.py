"""Settings XML, ROUGE-1.5.5's own input: evals with their peers, models and input format.

    <ROUGE-EVAL>
      <EVAL ID="1">
        <PEER-ROOT>systems</PEER-ROOT> <MODEL-ROOT>models</MODEL-ROOT>
        <INPUT-FORMAT TYPE="SPL"/>
        <PEERS><P ID="A">a.txt</P></PEERS> <MODELS><M ID="1">m.txt</M></MODELS>
      </EVAL>
    </ROUGE-EVAL>

Element names are taken in any case; elements of other names are passed through. What counts where
something stands twice is QUIRKS 20 and 21.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.core import EvalTask, Notice
from rouge_cli.errors import RougeError, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from lxml.etree import _Element as Element

    from rouge_cli.core import Notify


def read(path: str, formats: Collection[str], notify: Notify) -> Sequence[EvalTask]:
    """The evals in document order.

    formats: the input formats that the caller can read, in lower case; others are an error.
    Raises RougeError with line (and column) for what is wrong in the file.
    """
    evals: dict[str, _Eval] = {}
    _collect(_parse(path), None, evals, path)
    return [one.task(path, formats, notify) for one in evals.values()]


class _Eval:
    """One EVAL as it grows; a second one with the same ID goes on where the first one ended."""

    def __init__(self, eval_id: str) -> None:
        self.eval_id = eval_id
        self.line = 0
        self.roots = {"PEER-ROOT": "", "MODEL-ROOT": ""}
        self.input_format: str | None = None
        self.peers: dict[str, str] = {}
        self.models: dict[str, str] = {}
        self.model_ids: list[str] = []

    def task(self, path: str, formats: Collection[str], notify: Notify) -> EvalTask:
        """The finished eval; roots come last, since order inside an EVAL does not matter."""
        where = f"{path}:{self.line}"
        if self.input_format is None:
            raise RougeError(
                f"eval {self.eval_id} has no INPUT-FORMAT with a TYPE",
                where=where,
                remedy=f'add <INPUT-FORMAT TYPE="SPL"/>, or one of {_list(formats)}',
            )
        if self.input_format.lower() not in formats:
            raise RougeError(
                f"eval {self.eval_id} has the unknown input format {self.input_format!r}",
                where=where,
                remedy=f"use one of {_list(formats)}",
            )
        for twice in sorted({one for one in self.model_ids if self.model_ids.count(one) > 1}):
            notify(Notice(f"{where}: eval {self.eval_id} has the model ID {twice} more than once; "
                          "its last file counts each time"))  # fmt: skip
        peers = {one: f"{self.roots['PEER-ROOT']}/{name}" for one, name in self.peers.items()}
        root = self.roots["MODEL-ROOT"]
        models = [(one, f"{root}/{self.models[one]}") for one in self.model_ids]
        return EvalTask(self.eval_id, peers, models, self.input_format.lower())


def _parse(path: str) -> Element:
    from lxml import etree  # costs start-up time, and a file list needs none of it

    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib costs start-up time
            data = file.read()
    except OSError as reason:
        raise UnreadableFile(path, reason, role="settings file") from None
    parser = etree.XMLParser(
        resolve_entities="internal", no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        message = (error.msg or "no reason given").partition(", line ")[0]
        raise RougeError(
            f"not well-formed XML ({message})",
            where=f"{path}:{line}:{column}",
            remedy="use -z FORMAT if this is a file list",
        ) from None


def _collect(element: Element, current: _Eval | None, evals: dict[str, _Eval], path: str) -> None:
    """Take what the element says, then what its children say, within the eval it stands in."""
    tag = element.tag.upper() if isinstance(element.tag, str) else ""  # no str: a comment
    if tag == "EVAL":
        eval_id = _id(element, path)
        current = evals.setdefault(eval_id, _Eval(eval_id))
        current.line = element.sourceline or 0
    elif current is not None:
        _take(element, tag, current, path)
    for child in element:
        _collect(child, current, evals, path)


def _take(element: Element, tag: str, current: _Eval, path: str) -> None:
    if tag in current.roots:
        current.roots[tag] = _text(element)
    elif tag == "INPUT-FORMAT":
        current.input_format = element.get("TYPE")
    elif tag == "P":
        current.peers[_id(element, path)] = _text(element)
    elif tag == "M":
        model_id = _id(element, path)
        current.model_ids.append(model_id)
        current.models[model_id] = _text(element)


def _id(element: Element, path: str) -> str:
    value = element.get("ID")
    if value is None:
        raise RougeError(
            f"{element.tag} has no ID",
            where=f"{path}:{element.sourceline}",
            remedy=f'write <{element.tag} ID="...">',
        )
    return value


def _text(element: Element) -> str:
    """The element's last text that is not blank, without white space around it (QUIRKS 21)."""
    pieces = [element.text, *(child.tail for child in element)]
    for piece in reversed(pieces):
        if piece and piece.strip():
            return piece.strip()
    return ""


def _list(formats: Collection[str]) -> str:
    return ", ".join(sorted(name.upper() for name in formats))
