"""Inputs whose parts other processes and machines read by themselves: line-aligned
files, a file of jsonl, csv or tsv, and tables of parquet.

A `DividedSource` can be sent to another process. Its parts are lines of files
(`io.spans`) or groups of rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import ignore_notice
from rouge_cli.errors import RougeError
from rouge_cli.io import files, spans, urls
from rouge_cli.io.compression import PIECE, compression
from rouge_cli.io.spans import LineSpan
from rouge_cli.tasks import kinds, lines, records
from rouge_cli.tasks.cells import MissingCells
from rouge_cli.tasks.kinds import _tables, parquet
from rouge_cli.tasks.kinds.parquet import Groups
from rouge_cli.tasks.records import KnownPart, RecordFile, RecordReading
from rouge_cli.tasks.streams import Origin, Stream

if TYPE_CHECKING:
    from typing import Protocol

    from rouge_cli.core import Notify

    class Everywhere(Protocol):
        """Calls a function with each of the arguments, in any process."""

        def __call__(
            self, function: Callable[..., Any], *arguments: Iterable[Any]
        ) -> list[Any]:
            """Return the results in order."""


# Bytes of a part: more than a message is worth, and many parts for each process
SMALLEST, LARGEST = 1 << 20, 1 << 26
PARTS_PER_WORKER = 8
WORTH_DIVIDING = 1 << 22  # bytes; of fewer the first process reads most in any case


class Indivisible(Exception):
    """The reason why an input is read by one process; empty if it is small, or if
    reading it raises an error.
    """


Part = Sequence[LineSpan] | Groups


class DividedSource(NamedTuple):
    """An input of which another process reads parts.

    Attributes:
        paths: The files, as they are called in messages.
        locations: Their absolute paths, or URLs.
        systems: The systems of line-aligned files, in order; the system of records.
        kind: The kind of records; LINES for line-aligned files.
        reading: How records are read, and their columns.
        delimiter: What is between the cells of a table of text; else empty.
    """

    paths: Sequence[str]
    locations: Sequence[str]
    systems: Sequence[str]
    kind: str
    reading: RecordReading
    delimiter: str = ""

    @property
    def has_ids(self) -> bool:
        """True if the IDs of evals are in the input, and may occur twice."""
        part = self.reading.part
        return part is not None and part.columns.id is not None

    def missing_cells(self, notify: Notify) -> MissingCells:
        """Return what sums up the missing texts of all parts."""
        return MissingCells(files.place(self.paths[0]), notify)

    def stream(self, part: Part) -> tuple[Stream, MissingCells | None]:
        """Return the evals of a part, and what counts its missing texts."""
        if self.kind == kinds.LINES:
            of_files = [span for span in part if isinstance(span, LineSpan)]
            encoding = self.reading.encoding
            read = lines.read_spans(self.systems, self.paths, of_files, encoding)
            return read, None
        known = self.reading.part
        assert known  # noqa: S101 - the first process has found the columns
        path, before = self.paths[0], 0
        if isinstance(part, Groups):
            path, before = self.paths[part.file], part.before
            known = known._replace(rows=part)
        else:
            known = known._replace(lines=part[0])
        reading = self.reading._replace(part=known)
        file = RecordFile(path, self.kind, self.systems[0], reading, before=before)
        return Stream(file.parts()), file.missing

    def parts(self, workers: int, everywhere: Everywhere) -> Sequence[Part]:
        """Divide the input; raise Indivisible."""
        if self.kind == "parquet":
            return self._groups(workers)
        sizes = []
        for path, location in zip(self.paths, self.locations, strict=True):
            identity = spans.identity(location)
            if identity is None:
                raise Indivisible(f"{path} cannot be read in parts")
            sizes.append(identity.size)
        if sum(sizes) < WORTH_DIVIDING:
            raise Indivisible
        ends = self._line_ends(sizes, everywhere)
        size = _size_of_part(max(sizes), workers)
        return spans.divided(self.locations, ends, size)

    def _line_ends(
        self, sizes: Sequence[int], everywhere: Everywhere
    ) -> list[list[int]]:
        size_of = dict(zip(self.locations, sizes, strict=True))
        ranges = []
        for location, size in size_of.items():
            for start in range(0, max(size, 1), LARGEST):
                ranges.append((location, start, min(start + LARGEST, size)))
        if self.delimiter:
            check = partial(_are_rows, self.delimiter)
            if not all(everywhere(check, *zip(*ranges, strict=True))):
                raise Indivisible(f"quoted cells of {self.paths[0]} may span lines")
        counted = iter(everywhere(spans.line_ends, *zip(*ranges, strict=True)))
        ends: dict[str, list[int]] = {location: [] for location in self.locations}
        for (location, _, _), numbers in zip(ranges, counted, strict=True):
            ends[location] += numbers
        totals = set()
        for location, size in size_of.items():
            totals.add(sum(ends[location]) + (not _ends_line(location, size)))
        if len(totals) > 1:
            raise Indivisible  # they are of different lengths
        return [ends[location] for location in self.locations]

    def _groups(self, workers: int) -> list[Groups]:
        shapes: list[parquet.Shape] = []
        for location in self.locations:
            shape = parquet.shape(location)
            if shape is None:
                raise Indivisible("it has other tables than parquet")
            if shapes and not shape.schema.equals(shapes[0].schema):
                raise Indivisible("its files have different columns")
            shapes.append(shape)
        total = sum(size for shape in shapes for _, size in shape.groups)
        if total < WORTH_DIVIDING:
            raise Indivisible
        most = _size_of_part(total, workers)
        parts = []
        before = 0
        for number, shape in enumerate(shapes):
            location = self.locations[number]
            begun: list[int] = []
            row = first = 1
            held = 0
            for index, (rows, size) in enumerate(shape.groups):
                begun.append(index)
                row += rows
                held += size
                if held >= most or index == len(shape.groups) - 1:
                    parts.append(Groups(number, location, begun, first, before))
                    begun, first, held = [], row, 0
            before += row - 1
        return parts


def _size_of_part(size: int, workers: int) -> int:
    return min(max(size // (workers * PARTS_PER_WORKER), SMALLEST), LARGEST)


def _ends_line(location: str, size: int) -> bool:
    """Return True if a file is empty, or ends in a line end."""
    if not size:
        return True
    with urls.opened(location) as file:
        file.seek(size - 1)
        return file.read(1) == b"\n"


def _are_rows(delimiter: str, location: str, start: int, stop: int) -> bool:
    """Return True if each line of a table that begins in a part of it is a row: no
    quoted cell spans lines.
    """
    import csv  # imported late: other inputs need none

    with urls.opened(location) as file:
        file.seek(max(start - 1, 0))
        if start:
            file.readline()
        while file.tell() < stop:
            block = file.read(PIECE) + file.readline()
            if b'"' not in block:
                continue
            of_block = block.decode("latin-1").removesuffix("\n").split("\n")
            try:
                reader = csv.reader(of_block, delimiter=delimiter, strict=True)
                rows = sum(1 for _ in reader)
            except csv.Error:
                return False
            if rows < len(of_block):
                return False
    return True


def of_lines(
    systems: Mapping[str, str], references: Sequence[str], encoding: str
) -> Stream:
    """Return the evals of line-aligned files (`lines.read`), with their origin."""
    paths = [*systems.values(), *references]

    def source() -> DividedSource:
        locations = [_location(path, encoding) for path in paths]
        reading = RecordReading(encoding=encoding)
        return DividedSource(paths, locations, list(systems), kinds.LINES, reading)

    def again() -> Stream:
        return lines.read(systems, references, encoding=encoding)

    return Origin(again, source).beginning()


def of_records(
    paths: Mapping[str, str],
    by_system: Mapping[str, str],
    reading: RecordReading,
    *,
    apart: bool,
) -> Stream:
    """Return the evals of files of records (`records.read`), with their origin."""

    def again() -> Stream:
        return records.read(paths, by_system, reading, apart=apart)

    return Origin(again, partial(_of_file, paths, by_system, reading)).beginning()


def _of_file(
    paths: Mapping[str, str], by_system: Mapping[str, str], reading: RecordReading
) -> DividedSource:
    """Return the source of one file of records, or of a table of parquet; raise
    Indivisible.
    """
    if len(paths) > 1:
        raise Indivisible("records of several files belong together")
    ((system, path),) = paths.items()
    kind = by_system[system]
    named = _tables.files_of(path) or [path]
    if kind not in {"jsonl", "csv", "tsv", "parquet"}:
        raise Indivisible(f"{kind} is read as a whole")
    if len(named) > 1 and kind != "parquet":
        raise Indivisible(f"the files of {path} are numbered through all of them")
    locations = [_location(file, reading.encoding) for file in named]
    quiet = reading._replace(notify=ignore_notice)
    try:
        file = RecordFile(named[0], kind, system, quiet)
    except RougeError:
        raise Indivisible from None
    if file.columns.system:
        raise Indivisible("the records have a column of systems")
    part = KnownPart(file.columns, list(file.names), None, None)
    delimiter = file.delimiter if file.is_table else ""
    known = quiet._replace(part=part)
    return DividedSource(named, locations, [system], kind, known, delimiter)


def _location(path: str, encoding: str) -> str:
    """Return the absolute path of a file that can be read in parts, or its URL; raise
    Indivisible.
    """
    if compression(path):
        raise Indivisible(f"{path} is compressed")
    if not files.is_utf8(encoding):
        raise Indivisible(f"the encoding is {encoding}")
    if urls.is_url(path):
        return path
    if not os.path.isfile(path):
        raise Indivisible(f"{files.place(path)} is no file")
    return os.path.abspath(path)


class PartToRead:
    """A part of the input, for the machine that reads and scores it."""

    def __init__(self, source: DividedSource, part: Part) -> None:
        self.source = source
        self.part = part
