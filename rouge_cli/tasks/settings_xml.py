"""The parser and the writer of settings XML, for `kinds.settings` and `convert`.

QUIRKS 12 describes repeated elements. The parser is expat, as in the original, so that
both accept the same documents. expat stops entity bombs; external entities are refused
here. Errors state why a document is not well-formed, and how to correct it.

Written settings can be read by ROUGE-1.5.5, also with the jackknifed evals of DUC.
Reading them returns the same evals, except that a path without a folder becomes
`./path`.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from xml.parsers import expat

from rouge_cli.core import Document, EvalTask, Notice, Notify
from rouge_cli.errors import RougeError, require

# An element, and the element around it -> the side of a text.
_SIDES = {("P", "PEERS"): "peer", ("M", "MODELS"): "model"}


class _Eval:
    """One EVAL while it is parsed; a second one with the same ID continues it."""

    def __init__(self, eval_id: str) -> None:
        self.eval_id = eval_id
        self.line = 0
        self.roots: dict[str, str | None] = {"PEER-ROOT": "", "MODEL-ROOT": ""}
        self.input_format = ""
        # `peer` or `model` -> ID -> path; None for a peer without a file
        self.paths: dict[str, dict[str, str | None]] = {"peer": {}, "model": {}}
        self.reference_ids: list[str] = []


class _Element:
    """An open element, and its last text that is not blank, which belongs in
    `into[key]`.
    """

    def __init__(self, name: str, line: int, inside: _Eval | None) -> None:
        self.name = name
        self.line = line
        self.inside = inside  # the EVAL that it is or is in
        self.into: dict[str, str | None] | None = None
        self.key = ""
        self.text: str | None = None


class Settings:
    """All evals, collected while the document is parsed, even if it has errors.

    An EVAL, P or M without ID is named by its line. Unknown input formats are
    unchanged. XML that is not well-formed raises RougeError.

    Args:
        notify: Receives the oddities that change scores; `remarks` has all.
    """

    def __init__(
        self, data: bytes, path: str, formats: Collection[str], notify: Notify
    ) -> None:
        self._path = path
        self._formats = formats
        self._notify = notify
        self._open = [_Element("", 0, None)]
        self._evals: dict[str, _Eval] = {}
        # (eval ID, `peer` or `model`, ID) -> where
        self.places: dict[tuple[str, str, str], str] = {}
        self.nameless: set[str] = set()  # the names that were made for missing IDs
        self.problems: list[RougeError] = []
        self.remarks: list[RougeError] = []
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        # Comments and instructions end a text; they have no other effect.
        parser.CommentHandler = lambda _: None
        parser.ProcessingInstructionHandler = lambda *_: None
        parser.ExternalEntityRefHandler = parser.SkippedEntityHandler = self._outside
        try:
            parser.Parse(data, True)  # noqa: FBT003 - the last piece
        except expat.ExpatError as error:
            raise syntax_error(error, data, path, self._open[-1]) from None
        except (LookupError, ValueError) as reason:  # from the codecs
            what = f"unknown encoding ({reason})"
            raise RougeError(
                what, where=f"{path}:1", remedy="save the file as UTF-8"
            ) from None

    @cached_property
    def tasks(self) -> Sequence[EvalTask]:
        """The finished evals in document order. Roots may follow the files, so all
        are known only now.
        """
        tasks = []
        for current in self._evals.values():
            peers = _paths(current.roots["PEER-ROOT"], current.paths["peer"])
            models = _paths(current.roots["MODEL-ROOT"], current.paths["model"])
            references = [
                (text_id, str(models[text_id])) for text_id in current.reference_ids
            ]
            task = EvalTask(
                eval_id=current.eval_id,
                predictions=peers,
                references=references,
                input_format=current.input_format,
                where=f"{self._path}:{current.line}",
            )
            tasks.append(task)
        return tasks

    def _outside(self, *_: object) -> int:
        place = (
            f"{self._parser.CurrentLineNumber}:{self._parser.CurrentColumnNumber + 1}"
        )
        what = "an entity that the file itself does not define"
        remedy = "entities from outside the file are refused; write what it stands for"
        raise RougeError(what, where=f"{self._path}:{place}", remedy=remedy)

    def _text(self, piece: str) -> None:
        """Add a piece of text; the last text of an element that is not blank counts
        (QUIRKS 13).
        """
        element = self._open[-1]
        element.text = piece.strip() or element.text or ""

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        around = self._open[-1]
        line = self._parser.CurrentLineNumber
        tag = name.upper()
        element = _Element(name, line, around.inside)
        if tag == "EVAL":
            eval_id = self._id(element, attributes)
            if eval_id in self._evals:
                self._remark(
                    line,
                    f"duplicate eval ID {eval_id}; its EVALs are merged",
                    always=True,
                )
            element.inside = self._evals.setdefault(eval_id, _Eval(eval_id))
            element.inside.line = line
        elif around.inside:
            self._start_inside(around.inside, element, tag, attributes)
        elif tag in ("PEERS", "MODELS"):
            self._refuse(line, f"{name} is outside an EVAL")
        self._open.append(element)

    def _start_inside(
        self,
        current: _Eval,
        element: _Element,
        tag: str,
        attributes: Mapping[str, str],
    ) -> None:
        """Start an element inside an EVAL."""
        line = element.line
        around = self._open[-1].name.upper()
        side = _SIDES.get((tag, around))
        if side:
            element.into = current.paths[side]
            element.key = self._id(element, attributes)
            self._file(side, element.key, line, current)
        elif tag in current.roots:
            element.into = current.roots
            element.key = tag
        elif tag == "INPUT-FORMAT":
            current.input_format = self._format(line, attributes, current.eval_id)
        elif tag not in ("PEERS", "MODELS"):
            outside = {"P": "outside PEERS", "M": "outside MODELS"}
            why = outside.get(tag, "unknown here")
            what = f"eval {current.eval_id}: {element.name} is {why}; ignored"
            self._remark(line, what)

    def _end(self, _: str) -> None:
        element = self._open.pop()
        if element.into is not None and element.text is not None:
            element.into[element.key] = element.text

    def _file(self, side: str, text_id: str, line: int, current: _Eval) -> None:
        eval_id, paths = current.eval_id, current.paths[side]
        if text_id in paths:
            counts = "counts each time" if side == "model" else "counts"
            fault = (
                f"eval {eval_id} has the {side} ID {text_id} twice; its last file"
                f" {counts}"
            )
            self._remark(line, fault, always=True)
        if side == "model":
            current.reference_ids.append(text_id)
        paths.setdefault(text_id, "" if side == "model" else None)
        self.places[eval_id, side, text_id] = f"{self._path}:{line}"

    def _format(self, line: int, attributes: Mapping[str, str], eval_id: str) -> str:
        name = attributes.get("TYPE")
        if name is None or name.lower() not in self._formats:
            has = "an INPUT-FORMAT without TYPE"
            if name is not None:
                has = f"the unknown input format {name!r}"
            names = ", ".join(sorted(name.upper() for name in self._formats))
            self._refuse(line, f"eval {eval_id} has {has}", f"use one of {names}")
        return name.lower() if name else "unknown"

    def _id(self, element: _Element, attributes: Mapping[str, str]) -> str:
        value = attributes.get("ID")
        if value is None:
            self._refuse(
                element.line,
                f"{element.name} has no ID",
                f'write <{element.name} ID="...">',
            )
            value = f"(in line {element.line})"
            self.nameless.add(value)
        return value

    def _refuse(self, line: int, what: str, remedy: str = "") -> None:
        self.problems.append(
            RougeError(what, where=f"{self._path}:{line}", remedy=remedy)
        )

    def _remark(self, line: int, what: str, *, always: bool = False) -> None:
        self.remarks.append(RougeError(what, where=f"{self._path}:{line}"))
        if always:
            self._notify(Notice(f"{self._path}:{line}: {what}"))


def _paths(root: str | None, names: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return the paths of texts by ID; None for a text without a name."""
    paths: dict[str, str | None] = {}
    for text_id, name in names.items():
        paths[text_id] = None
        if name is not None:
            # The bytes of a path are the document's UTF-8 in every locale.
            paths[text_id] = os.fsdecode(f"{root}/{name}".encode())
    return paths


# Errors that are explained by an element that is still open.
_UNCLOSED = {
    expat.errors.XML_ERROR_TAG_MISMATCH,
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
}
# The end of what was read of a line, up to the invalid byte -> remedy.
_CAUSES = (
    (rb"&[\w.:#-]*[^;]?", "write &amp; for & in text and in IDs"),
    (rb"""=\s*[^"'\s]?""", "put the attribute's value in quotes"),
    (rb"<[^/]?", "write &lt; for < in text and in IDs, and close every quotation mark"),
    (
        rb"[\x80-\xff]",
        'save the file as UTF-8, or begin it with <?xml version="1.0" encoding="..."?>',
    ),
    (rb"[\x00-\x1f]", "remove the control character"),
)
_REMEDIES = {
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: (
        "write the character itself (or &amp; for an ampersand)"
    ),
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: (
        "put all EVALs into one ROUGE-EVAL, and nothing else"
    ),
    expat.errors.XML_ERROR_MISPLACED_XML_PI: "remove what is before <?xml",
}


def syntax_error(
    error: expat.ExpatError, data: bytes, path: str, opened: _Element
) -> RougeError:
    """Return the error with place and remedy; `opened` is the open element."""
    printed = what = expat.ErrorString(error.code)
    read = b"".join(data.split(b"\n")[error.lineno - 1 : error.lineno])[
        : error.offset + 1
    ]
    if what == expat.errors.XML_ERROR_INVALID_TOKEN:
        printed = "invalid token"
    if opened.name and what in _UNCLOSED:
        printed += f": {opened.name} of line {opened.line} is open"
        remedy = f"close it: </{opened.name}>"
    elif not data.strip():
        remedy = "the file is empty; settings hold <ROUGE-EVAL> and its EVALs"
    elif not data.lstrip(b"\xef\xbb\xbf\xfe\xff\0 \t\r\n").startswith(b"<"):
        remedy = "use -z FORMAT if this is a file list (rouge-cli: --input list)"
    elif what in _REMEDIES:
        remedy = _REMEDIES[what]
    elif "entit" in what or "amplification" in what:
        remedy = "entities from outside the file, and bombs made of them, are refused"
    else:
        remedy = _remedy_of_invalid_byte(read)
    place = f"{path}:{error.lineno}:{error.offset + 1}"
    return RougeError(f"not well-formed XML ({printed})", where=place, remedy=remedy)


def _remedy_of_invalid_byte(read: bytes) -> str:
    """Return the remedy for a line that was read up to an invalid byte."""
    for end, remedy in _CAUSES:
        if re.search(rb"(?s:%b)\Z" % end, read):
            return remedy
    return ""


def render(tasks: Sequence[EvalTask]) -> bytes:
    """Return the settings as UTF-8, in the order of the tasks; the roots are the paths'
    common folders.

    Raises:
        RougeError: For tasks that settings cannot express: two evals with one ID, a
            name with white space around it or with a character that XML lacks, a text
            without a file of its own.
    """
    require("writing settings XML needs", "lxml")
    from lxml import etree  # costs start-up time

    prediction_files: list[str | Document | None] = []
    reference_files: list[str | Document | None] = []
    for task in tasks:
        prediction_files += task.predictions.values()
        reference_files += [source for _, source in task.references]
    prediction_root = _Root(prediction_files)
    reference_root = _Root(reference_files)
    document = etree.Element("ROUGE-EVAL", version="1.5.5")
    seen: set[str] = set()
    for task in tasks:
        if task.eval_id in seen:
            raise RougeError(f"duplicate eval ID {task.eval_id}", where=task.where)
        seen.add(task.eval_id)
        if len(dict(task.references)) < len(task.references):
            raise RougeError(
                f"duplicate model ID in eval {task.eval_id}", where=task.where
            )
        try:
            element = etree.SubElement(document, "EVAL", ID=task.eval_id)
            etree.SubElement(element, "PEER-ROOT").text = prediction_root.path
            etree.SubElement(element, "MODEL-ROOT").text = reference_root.path
            etree.SubElement(element, "INPUT-FORMAT", TYPE=task.input_format.upper())
            predictions = etree.SubElement(element, "PEERS")
            for system, source in task.predictions.items():
                peer = etree.SubElement(predictions, "P", ID=system)
                peer.text = prediction_root.name(source)
            references = etree.SubElement(element, "MODELS")
            for reference_id, source in task.references:
                model = etree.SubElement(references, "M", ID=reference_id)
                model.text = reference_root.name(source)
        except ValueError:
            # Raised by lxml for a control character, or for bytes that are not UTF-8.
            what = f"eval {task.eval_id} has an ID or a path that XML cannot hold"
            remedy = "rename: UTF-8, and no control characters"
            raise RougeError(what, where=task.where, remedy=remedy) from None
    return etree.tostring(document, encoding="unicode", pretty_print=True).encode()


def jackknife(tasks: Sequence[EvalTask], notify: Notify) -> Iterator[EvalTask]:
    """Replace every eval with M > 1 models by M evals, in which one of the models is a
    peer instead.

    This scores people and systems on equal terms, against M - 1 models (Lin 2004,
    section 2.1). If all evals have the same M, a system's average over the new evals is
    the average of its means over the M. The eval without model A is called
    `ID.without-A`. Its human peer has the model's ID, as in DUC's settings; if a system
    has the ID of any model, all human peers are called `human A`. Evals with fewer
    models stay unchanged, with a warning.
    """
    systems: set[str] = set()
    people: set[str] = set()
    for task in tasks:
        systems.update(task.predictions)
        people.update(dict(task.references))
    is_ambiguous = not systems.isdisjoint(people)
    for task in tasks:
        if len(task.references) < 2:
            notify(
                Notice(
                    f"eval {task.eval_id} has {len(task.references)} model, and is"
                    " unchanged"
                )
            )
            yield task
            continue
        for left_out, source in task.references:
            human = f"human {left_out}" if is_ambiguous else left_out
            yield task._replace(
                eval_id=f"{task.eval_id}.without-{left_out}",
                predictions={**task.predictions, human: source},
                references=[
                    (reference_id, text)
                    for reference_id, text in task.references
                    if reference_id != left_out
                ],
            )


class _Root:
    """The common folder of some paths, and their names below it: a path is exactly
    `root/name`.
    """

    def __init__(self, sources: Iterable[str | Document | None]) -> None:
        paths = [source for source in sources if isinstance(source, str)]
        # Paths outside the current folder share at least the root of the file system.
        is_mixed = len(set(map(os.path.isabs, paths))) > 1
        full = {path: path for path in paths}
        if is_mixed:
            full = {path: os.path.abspath(path) for path in paths}
        shared = os.path.commonprefix(list(full.values()))  # noqa: RUF071 - cut to folders
        length = shared.rfind("/") + 1
        self._names = {path: whole[length:] for path, whole in full.items()}
        folder = shared[: max(length - 1, 0)]
        try:
            self.path = _name(folder) if length else "."
        except ValueError:
            what = "a folder whose name XML cannot hold"
            raise RougeError(what, where=folder, remedy="rename it in UTF-8") from None

    def name(self, source: str | Document | None) -> str | None:
        """Return the name of this path in a P or M element."""
        if source is None:
            return None
        if not isinstance(source, str):
            what = "settings name files, but this text is not in a file of its own"
            raise RougeError(what, where=source.where)
        name = _name(self._names[source])
        if not name:
            raise RougeError("a folder; settings need a file", where=source)
        return name


def _name(path: str) -> str:
    """Return the path as characters, whatever the locale; raise ValueError if its
    bytes are not UTF-8.
    """
    name = os.fsencode(path).decode()
    if name != name.strip():
        remedy = "rename: no white space at either end"
        raise RougeError(f"{name!r} cannot be named in settings", remedy=remedy)
    return name
