"""Reading the texts of tasks: each file once, cached until its last use, with a
tally of all texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from rouge_cli import formats
from rouge_cli.core import Document, EvalTask, Notice, Notify, Summary
from rouge_cli.errors import RougeError
from rouge_cli.io import compression, files
from rouge_cli.text import languages, survey

if TYPE_CHECKING:
    from rouge_cli.formats._numbered import Unread
    from rouge_cli.text.tokens import Split

T = TypeVar("T")


def load(path: str, role: str) -> Document:
    """Read a file as a document; raise UnreadableFile."""
    return Document(files.read(path, role), path)


def document(source: str | Document) -> Document:
    """Return a document unchanged; read a path's file as a document, or raise
    UnreadableFile.
    """
    if isinstance(source, Document):
        return source
    return load(source, "text")


def units(
    source: str | Document, input_format: str, divide: Split | None = None
) -> Sequence[bytes]:
    """Return the sentences of a text in this format; raise UnreadableFile or
    RougeError.

    Args:
        divide: Returns the sentences of a text in place of those of the format.
    """
    text = document(source)
    try:
        summary: Summary = formats.named(input_format or "spl").read(text.data)
    except RougeError as error:
        raise RougeError(
            error.what, where=f"{text.where}{error.where}", remedy=error.remedy
        ) from None
    if divide:
        return divide(b"\n".join(summary.units))
    return summary.units


def decoded(tasks: Iterable[EvalTask], encoding: str) -> Iterator[EvalTask]:
    """Return the tasks with documents in place of files that are not plain UTF-8."""
    is_utf8 = files.is_utf8(encoding)

    def text(source: str | Document, _: str) -> str | Document:
        is_plain = is_utf8 and source != files.STDIN
        if isinstance(source, Document) or (
            is_plain and not compression.compression(source)
        ):
            return source
        data = files.text(source, "text", encoding, is_local=True)
        return Document(data, files.place(source))

    return (task.with_texts(text) for task in tasks)


def load_texts(
    task: EvalTask, systems: Iterable[str], load: Callable[[str, str], Document]
) -> EvalTask:
    """Return the task with documents instead of paths, and only with these systems.

    Args:
        load: Reads a document, given path and role; may raise UnreadableFile.
    """

    def read(text: str | Document, name: str) -> str | Document:
        role = f"{name} of eval {task.eval_id} ({task.where})"
        return load(text, role) if isinstance(text, str) else text

    present = {system: task.predictions[system] for system in systems}
    return task._replace(predictions=present).with_texts(read)


def note_nuls(document: Document, notify: Notify) -> None:
    """Warn if a text contains NUL bytes, since it is probably in another encoding."""
    if b"\0" in document.data:
        notify(Notice(f"{document.where}: {survey.NULS}"))


def note_unread(document: Document, input_format: str, notify: Notify) -> bool:
    """Warn of sentences that are not read, since they are not written exactly as the
    format requires. Return True if there are any.
    """
    find_unread = getattr(formats.named(input_format or "spl"), "unread", None)
    unread: Unread | None = find_unread(document.data) if find_unread else None
    if unread is None:
        return False
    lost = []
    for number, how in ((unread.unread, "not read"), (unread.cut, "read in part")):
        if number:
            verb = "is" if number == 1 else "are"
            lost.append(f"{number} of {unread.sentences} sentences {verb} {how}")
    where = f"{document.where}:{unread.line}"
    what = f"{' and '.join(lost)} (the first: {unread.cause})"
    remedy = f"write each sentence on its own line, as {unread.example}"
    notify(Notice(f"{where}: {what}; {remedy}"))
    return True


class Reader(Generic[T]):
    """Reads the texts of a run.

    Args:
        prepare: Returns a text as the dialect counts it, and what it adds to the tally,
            given its document, its task and one of SIDES.
        uses: How often each path will be read.
        load: Reads a document, given path and role.
        roles: What messages call the writer of a prediction, and a reference.
        sides_differ: True if predictions and references are prepared differently.
    """

    def __init__(
        self,
        prepare: Callable[[Document, EvalTask, str], tuple[T, survey.Numbers]],
        uses: Counter[str],
        load: Callable[[str, str], Document] = load,
        *,
        roles: tuple[str, str] = survey.ROLES,
        sides_differ: bool = False,
    ) -> None:
        self._prepare = prepare
        self._uses = uses
        self._load = load
        self._roles = roles
        self._sides_differ = sides_differ
        self.cache: dict[tuple[str, str, str], tuple[T, survey.Numbers]] = {}
        self._tallies = dict.fromkeys(survey.SIDES, survey.Numbers())
        self._first_cut = dict.fromkeys(survey.SIDES, survey.NO_TEXT)

    def tally(self) -> Mapping[str, survey.Tally]:
        """Return the tally of each side since the last call; it counts every use of
        a text.
        """
        tallies = self._tallies
        self._tallies = dict.fromkeys(survey.SIDES, survey.Numbers())
        return {
            side: survey.record(tallies[side], self._first_cut[side])
            for side in survey.SIDES
        }

    def references(self, task: EvalTask) -> list[T]:
        """Return the task's prepared references; raise UnreadableFile."""
        _, role = self._roles
        texts = []
        for name, source in task.references:
            text = self._read(source, task, f"{role} {name}", survey.REFERENCES)
            texts.append(text)
        return texts

    def predictions(
        self, task: EvalTask, present: Mapping[str, str | Document]
    ) -> Iterator[T]:
        """Yield the prepared predictions; read a prediction only when it is
        consumed.
        """
        role, _ = self._roles
        for name, source in present.items():
            yield self._read(source, task, f"{role} {name}", survey.PREDICTIONS)

    def source(self, task: EvalTask) -> T:
        """Return the task's prepared source, which no tally counts; raise
        UnreadableFile.
        """
        source = task.source
        if source is None:
            raise ValueError(f"eval {task.eval_id} has no source")
        if isinstance(source, Document):
            text, _ = self._prepare(source, task, survey.SOURCES)
        else:
            text, _ = self._read_file(source, task, "source", survey.SOURCES)
        return text

    def _read_file(
        self, path: str, task: EvalTask, role: str, side: str
    ) -> tuple[T, survey.Numbers]:
        """Return the prepared text of a file, which is cached until its last use."""
        key = path, task.input_format, side if self._sides_differ else ""
        prepared = self.cache.pop(key, None)
        if prepared is None:
            place = f"{role} of eval {task.eval_id} ({task.where})"
            prepared = self._prepare(self._load(path, place), task, side)
        self._uses[path] -= 1
        if self._uses[path] > 0:
            self.cache[key] = prepared
        return prepared

    def _read(self, source: str | Document, task: EvalTask, role: str, side: str) -> T:
        """Return the prepared text of a document or of a file, and count it."""
        if isinstance(source, Document):
            text, numbers = self._prepare(source, task, side)
        else:
            text, numbers = self._read_file(source, task, role, side)
        # At each use, so that the sum does not depend on how a run is divided.
        self._tallies[side] = self._tallies[side].plus(numbers)
        if numbers.cut_up and self._first_cut[side] == survey.NO_TEXT:
            self._first_cut[side] = languages.cut_text(source)
        return text
