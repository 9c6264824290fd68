"""Evals from the files that a Python caller names: what `rouge_cli.score_files` reads.

A caller names predictions and references (folders, files with a text on each line,
records), or files that have both: records, settings, lists of files.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from rouge_cli import formats, plugins
from rouge_cli.core import EvalTask, Notify
from rouge_cli.errors import UsageError
from rouge_cli.io import files
from rouge_cli.tasks import (
    contents,
    directories,
    doubts,
    joining,
    kinds,
    lines,
    records,
    source_texts,
)
from rouge_cli.tasks.columns import ColumnNames
from rouge_cli.tasks.kinds import Texts
from rouge_cli.tasks.streams import SPL, Stream
from rouge_cli.text.reading import decoded

File = str | os.PathLike[str]
Files = File | Iterable[File] | Mapping[str, File]  # system -> its file


class Reading(NamedTuple):
    """How files are read; the options of `rouge-cli score`."""

    kind: str | None = None  # --input
    read_as: str = SPL
    encoding: str = files.UTF8
    columns: ColumnNames = ColumnNames()
    prediction_pattern: str | None = None
    reference_pattern: str | None = None
    source: str | None = None  # --source


def read(
    predictions: Files,
    references: File | Iterable[File] | None,
    reading: Reading,
    notify: Notify,
) -> Iterable[EvalTask]:
    """Return the evals of predictions and references; without references, those of
    files that have both.

    Raises:
        UsageError: If the files cannot be read together.
        RougeError: If a file cannot be read, or texts cannot be paired.
    """
    files.is_utf8(reading.encoding)  # raises an error for an unknown encoding
    if references is None:
        tasks = _of_inputs(by_system(predictions), reading, notify)
        return doubts.watched(tasks, notify)
    systems, others = by_system(predictions), list(by_system(references).values())
    if not systems or not others:
        raise UsageError("no file named", remedy="name files of both sides")
    is_same = doubts.warn_of_same_sources(systems.values(), others, notify)
    tasks = _of_sides(systems, others, reading, notify)
    return doubts.watched(tasks, notify, is_same=is_same)


def by_system(named: Files) -> dict[str, str]:
    """Return paths by system; a system that is not named has the name of its file."""
    if isinstance(named, Mapping):
        return {str(system): _path(file) for system, file in named.items()}
    is_list = isinstance(named, Iterable) and not isinstance(named, (str, bytes))
    listed: Iterable[object] = named if is_list else [named]  # type: ignore[assignment]
    return lines.names([_path(file) for file in listed])


def _path(file: object) -> str:
    if not isinstance(file, (str, os.PathLike)):
        remedy = "pass a string or a pathlib.Path; rouge_cli.score takes texts"
        raise UsageError(f"not the path of a file: {file!r:.60}", remedy=remedy)
    return str(os.fspath(file))


def _of_sides(
    systems: Mapping[str, str],
    references: Sequence[str],
    reading: Reading,
    notify: Notify,
) -> Iterable[EvalTask]:
    """Return the evals of two folders of texts, of files with a text on each line, or
    of records of both sides.
    """
    predicted = [
        contents.operand_of(contents.PRED, system, path, reading.kind)
        for system, path in systems.items()
    ]
    referenced = [
        contents.operand_of(contents.REF, "", path, reading.kind) for path in references
    ]
    sides = [*predicted, *referenced]
    if not all(side.files for side in sides):
        return _of_folders(sides, reading, notify)
    read_kinds = set(chain.from_iterable(side.files.values() for side in sides))
    if read_kinds == {kinds.LINES}:
        if reading.source is not None:
            return source_texts.of_lines(
                systems, references, reading.source, reading.encoding
            )
        return lines.read(systems, references, encoding=reading.encoding)
    beside, column = source_texts.of_records(reading.source, referenced, reading.kind)
    columns = reading.columns._replace(source=column)
    how = records.RecordReading(columns, kinds.AS_USUAL, reading.encoding, notify)
    return joining.read(predicted, referenced, how, beside)


def _of_folders(
    sides: Sequence[contents.Operand], reading: Reading, notify: Notify
) -> Sequence[EvalTask]:
    """Return the evals of a folder of predictions and a folder of references."""
    if len(sides) > 2:
        remedy = "pass one folder of each side; sub-folders are systems"
        raise UsageError("several folders", remedy=remedy)
    predictions, references = sides
    tasks = directories.read(
        predictions.path,
        references.path,
        reading.read_as,
        prediction_pattern=reading.prediction_pattern,
        reference_pattern=reading.reference_pattern,
        notify=notify,
        encoding=reading.encoding,
    )
    if reading.source is None:
        return tasks
    return source_texts.of_folders(
        tasks,
        predictions.path,
        reading.source,
        reading.read_as,
        prediction_pattern=reading.prediction_pattern,
        notify=notify,
        encoding=reading.encoding,
    )


def _of_inputs(
    systems: Mapping[str, str], reading: Reading, notify: Notify
) -> Iterable[EvalTask]:
    """Return the evals of files of records, or of one settings file or list."""
    if reading.kind:
        kinds.check(reading.kind)
    by_kind = {
        system: reading.kind or kinds.detect(path) for system, path in systems.items()
    }
    if not by_kind:
        raise UsageError("no file named", remedy="name a file")
    if all(map(kinds.is_records, by_kind.values())):
        columns = reading.columns._replace(source=reading.source)
        how = records.RecordReading(columns, encoding=reading.encoding, notify=notify)
        return records.read(systems, by_kind, how)
    if len(systems) > 1:
        remedy = "score settings and lists one by one, or pass references, too"
        raise UsageError("settings or a list among several files", remedy=remedy)
    ((system, path),) = systems.items()
    kind = by_kind[system]
    if reading.source is not None:
        remedy = "pass records, or files of both sides"
        raise UsageError("source with settings or a list of files", remedy=remedy)
    if not reading.kind and kind == kinds.LIST and not kinds.by_suffix(path):
        remedy = "pass the file of references, too, or kind='list'"
        raise UsageError("neither settings nor records", where=path, remedy=remedy)
    texts = Texts(
        reading.read_as, plugins.names(formats.__name__), reading.encoding, notify
    )
    tasks: Sequence[EvalTask] = kinds.named(kind).tasks(path, system, texts)
    if files.is_utf8(reading.encoding):
        return tasks
    return Stream(decoded(tasks, reading.encoding))
