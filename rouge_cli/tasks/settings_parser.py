"""The parser of settings XML and the meaning of each element; for repeated ones see QUIRKS 12.

The parser is expat, as in the original, so that both accept the same documents. It stops entity bombs;
external entities are refused here. Errors state why a document is not well-formed, and how to correct it.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from rouge_cli.core import EvalTask
from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence


class Remark(NamedTuple):
    """An oddity at a place of the settings.

    always: True if it is reported when the settings are scored; else only when they are checked.
    """

    where: str
    what: str
    always: bool = False


class _Eval:
    """One EVAL while it is parsed; a second one with the same ID continues it."""

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
        """Return the finished eval; roots are added last, since order inside an EVAL does not matter."""
        root = self.roots["PEER-ROOT"]
        peers = {
            text_id: None if name is None else _path(root, name) for text_id, name in self.peers.items()
        }
        root = self.roots["MODEL-ROOT"]
        models = [(text_id, _path(root, self.models[text_id])) for text_id in self.model_ids]
        return EvalTask(self.eval_id, peers, models, self.input_format, f"{path}:{self.line}")


class _Slot:
    """The place of a text, `into[key]`; text: the last that is not blank, as far as it was read."""

    __slots__ = ("into", "key", "text")

    def __init__(self, into: dict[str, str | None], key: str) -> None:
        self.into = into
        self.key = key
        self.text: str | None = None


class Settings:
    """All evals, collected while the document is parsed.

    refuse: receives errors. remark: receives oddities.
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
        self._receive = remark
        self._parser = expat.ParserCreate()
        # The open elements: name as written and in capitals, line, EVAL, and the place of their text.
        self._open: list[tuple[str, str, int, _Eval | None, _Slot | None]] = [("", "", 0, None, None)]
        self._slot: _Slot | None = None
        self.evals: dict[str, _Eval] = {}
        self.nameless: set[str] = set()

    def tasks(self) -> Sequence[EvalTask]:
        """Return the finished evals in document order."""
        return [current.task(self._path) for current in self.evals.values()]

    def parse(self, data: bytes) -> None:
        """Parse the whole document."""
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        # Comments and instructions end a text; they have no other effect.
        parser.CommentHandler = parser.ProcessingInstructionHandler = _pass
        parser.ExternalEntityRefHandler = self._outside
        parser.SkippedEntityHandler = self._outside
        try:
            parser.Parse(data, True)  # noqa: FBT003 - the last piece
        except expat.ExpatError as error:
            raise syntax_error(error, data, self._path, (self._open[-1][0], self._open[-1][2])) from None
        except (LookupError, ValueError) as reason:  # from the codecs
            raise RougeError(
                f"unknown encoding ({reason})",
                where=f"{self._path}:1",
                remedy="save the file as UTF-8",
            ) from None

    def _outside(self, *_: object) -> int:
        place = f"{self._parser.CurrentLineNumber}:{self._parser.CurrentColumnNumber + 1}"
        raise RougeError(
            "an entity that the file itself does not define",
            where=f"{self._path}:{place}",
            remedy="entities from outside the file are refused; write what it stands for",
        )

    def _text(self, piece: str) -> None:
        """Add a piece of text; the last text of an element that is not blank counts (QUIRKS 13)."""
        slot = self._slot
        if slot is not None:
            slot.text = piece.strip() or slot.text or ""

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an element."""
        _, around, _, current, _ = self._open[-1]
        line = self._parser.CurrentLineNumber
        tag = name.upper()
        slot = None
        if tag == "EVAL":
            current = self._eval(name, line, attributes)
        elif current is not None:
            if tag == "P" and around == "PEERS":
                slot = self._peer(self._id(name, line, attributes), line, current)
            elif tag == "M" and around == "MODELS":
                slot = self._model(self._id(name, line, attributes), line, current)
            elif tag in current.roots:
                slot = _Slot(current.roots, tag)
            elif tag == "INPUT-FORMAT":
                current.input_format = self._format(line, attributes, current)
            elif tag not in ("PEERS", "MODELS"):
                why = {"P": "outside PEERS", "M": "outside MODELS"}.get(tag, "unknown here")
                self._remark(line, f"eval {current.eval_id}: {name} is {why}; ignored")
        elif tag in ("PEERS", "MODELS"):
            self._refuse(RougeError(f"{name} is outside an EVAL", where=self._where(line)))
        self._open.append((name, tag, line, current, slot))
        if slot is not self._slot:
            self._direct(slot)

    def _end(self, _: str) -> None:
        slot = self._open.pop()[4]
        if slot is not None and slot.text is not None:
            slot.into[slot.key] = slot.text
        if slot is not self._open[-1][4]:
            self._direct(self._open[-1][4])

    def _direct(self, slot: _Slot | None) -> None:
        """Direct the following texts to the slot."""
        self._parser.CharacterDataHandler = None if slot is None else self._text
        self._slot = slot

    def _eval(self, name: str, line: int, attributes: Mapping[str, str]) -> _Eval:
        eval_id = self._id(name, line, attributes)
        current = self.evals.get(eval_id)
        if current is not None:
            self._remark(line, f"duplicate eval ID {eval_id}; its EVALs are merged", always=True)
        else:
            current = self.evals[eval_id] = _Eval(eval_id)
        current.line = line
        return current

    def _peer(self, peer_id: str, line: int, current: _Eval) -> _Slot:
        if peer_id in current.peers:
            fault = f"has the peer ID {peer_id} twice; its last file counts"
            self._remark(line, f"eval {current.eval_id} {fault}", always=True)
        current.peers.setdefault(peer_id)
        current.places["peer", peer_id] = line
        return _Slot(current.peers, peer_id)

    def _model(self, model_id: str, line: int, current: _Eval) -> _Slot:
        if model_id in current.models:
            fault = (
                f"eval {current.eval_id} has the model ID {model_id} twice; its last file counts each time"
            )
            self._remark(line, fault, always=True)
        current.model_ids.append(model_id)
        current.models.setdefault(model_id, "")
        current.places["model", model_id] = line
        return _Slot(current.models, model_id)

    def _format(self, line: int, attributes: Mapping[str, str], current: _Eval) -> str:
        name = attributes.get("TYPE")
        if name is None or name.lower() not in self._formats:
            names = ", ".join(sorted(name.upper() for name in self._formats))
            self._refuse(
                RougeError(
                    f"eval {current.eval_id} has an INPUT-FORMAT without TYPE"
                    if name is None
                    else f"eval {current.eval_id} has the unknown input format {name!r}",
                    where=self._where(line),
                    remedy=f"use one of {names}",
                )
            )
        return name.lower() if name else "unknown"

    def _id(self, name: str, line: int, attributes: Mapping[str, str]) -> str:
        value = attributes.get("ID")
        if value is not None:
            return value
        self._refuse(
            RougeError(f"{name} has no ID", where=self._where(line), remedy=f'write <{name} ID="...">')
        )
        value = f"(in line {line})"
        self.nameless.add(value)
        return value

    def _remark(self, line: int, what: str, *, always: bool = False) -> None:
        self._receive(Remark(self._where(line), what, always))

    def _where(self, line: int) -> str:
        return f"{self._path}:{line}"


def _pass(*_: object) -> None:
    """Ignore an element."""


def _path(root: str | None, name: str | None) -> str:
    """Return the path whose bytes are the document's UTF-8, whatever the locale."""
    path = f"{root}/{name}"
    return path if path.isascii() else os.fsdecode(path.encode())


# Errors that are explained by an element that is still open.
_UNCLOSED = (
    expat.errors.XML_ERROR_TAG_MISMATCH,
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
)
# The end of what was read of a line, up to the invalid byte -> remedy.
_CAUSES = (
    (rb"&[\w.:#-]*[^;]?", "write &amp; for & in text and in IDs"),
    (rb"""=\s*[^"'\s]?""", "put the attribute's value in quotes"),
    (rb"<[^/]?", "write &lt; for < in text and in IDs, and close every quotation mark"),
    (rb"[\x80-\xff]", 'save the file as UTF-8, or begin it with <?xml version="1.0" encoding="..."?>'),
    (rb"[\x00-\x1f]", "remove the control character"),
)
_REMEDIES = {
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: "write the character itself (or &amp; for an ampersand)",
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "put all EVALs into one ROUGE-EVAL, and nothing else",
    expat.errors.XML_ERROR_MISPLACED_XML_PI: "remove what is before <?xml",
}
_codes = expat.errors.codes.__getitem__


def syntax_error(error: expat.ExpatError, data: bytes, path: str, opened: tuple[str, int]) -> RougeError:
    """Return the parser's error as a RougeError with its place and remedy.

    opened: name and line of the open element; an empty name if there is none.
    """
    what = expat.ErrorString(error.code)
    name, line = opened
    is_unclosed = bool(name) and error.code in map(_codes, _UNCLOSED)
    if error.code == _codes(expat.errors.XML_ERROR_INVALID_TOKEN):
        what = "invalid token"
    elif is_unclosed:
        what += f": {name} of line {line} is open"
    return RougeError(
        f"not well-formed XML ({what})",
        where=f"{path}:{error.lineno}:{error.offset + 1}",
        remedy=f"close it: </{name}>" if is_unclosed else _remedy(error, data),
    )


def _remedy(error: expat.ExpatError, data: bytes) -> str:
    what = expat.ErrorString(error.code)
    if not data.strip():
        return "the file is empty; settings hold <ROUGE-EVAL> and its EVALs"
    if not data.lstrip(b"\xef\xbb\xbf\xfe\xff\0 \t\r\n").startswith(b"<"):
        return "use -z FORMAT if this is a file list (rouge-cli: --input list)"
    if what in _REMEDIES:
        return _REMEDIES[what]
    if "entit" in what or "amplification" in what:
        return "entities from outside the file, and bombs made of them, are refused"
    read = b"".join(data.split(b"\n")[error.lineno - 1 : error.lineno])[: error.offset + 1]
    return next((remedy for end, remedy in _CAUSES if re.search(rb"(?s:%b)\Z" % end, read)), "")
