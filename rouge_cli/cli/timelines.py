"""The inputs of `rouge-cli timeline`: predictions and references, as files or as folders of topics."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.formats import timeline
from rouge_cli.io import files
from rouge_cli.tasks import topics
from rouge_cli.tasks.lines import names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import Notify
    from rouge_cli.formats.timeline import Timeline


class Reading(NamedTuple):
    """How to read files: their kind, the treatment of repeated dates, and the receiver of notices."""

    kind: str
    repeated: str
    notify: Notify


class Named(NamedTuple):
    """A timeline, its name in reports, and its file."""

    name: str
    timeline: Timeline
    place: str


class Comparison(NamedTuple):
    """One prediction against one ground truth: a line of the report.

    system: whose average it belongs to. name: the name of the line. reference: the single reference's name
    if references are evaluated one by one, else empty.
    """

    system: str
    name: str
    reference: str
    prediction: Named
    references: Sequence[Named]


def of_folders(predictions: Sequence[str], references: Sequence[str]) -> bool:
    """Return True if these are folders of topics.

    Raises UsageError for a missing side, folders mixed with files, and several folders of references.
    """
    if not (predictions and references):
        what = f"-{'p' if predictions else 'r'} alone" if predictions or references else "nothing to score"
        raise UsageError(what, remedy="give -p PREDICTION and -r REFERENCE, or battery DIR")
    files.check_stdin([*predictions, *references])
    # A missing path is neither, and is reported when it is read.
    named = [path for path in (*predictions, *references) if path == files.STDIN or os.path.exists(path)]
    are_folders = set(map(os.path.isdir, named))
    if len(are_folders) > 1 or (True in are_folders and len(references) > 1):
        raise UsageError(
            "folders and files, or several folders of references",
            remedy="name files on both sides, or folders of predictions and one of references",
        )
    return True in are_folders


def comparisons(
    predictions: Sequence[str], references: Sequence[str], reading: Reading, *, each: bool
) -> Iterator[Comparison]:
    """Yield each prediction with the references that it is compared with.

    each: True to evaluate each reference separately; several predictions must then be
    as many. Raises RougeError if they are not, and for files that cannot be read.
    """
    if of_folders(predictions, references):
        for system, folder in names(predictions).items():
            yield from _of_folder(system, folder, references[0], reading, each=each)
        return
    ground = list(_of_files(names(references), "reference", reading))
    for system, path in names(predictions).items():
        of_system = list(_of_files({system: path}, "prediction", reading))
        yield from _compare(system, of_system, ground, each=each)


def every(folder: str, reading: Reading) -> Iterator[Named]:
    """Yield all timelines of a folder of topics, named by topic and file."""
    for topic, paths in topics.read(folder).items():
        yield from _of_topic(topic, paths, "timeline", reading)


def _of_folder(
    system: str, folder: str, references: str, reading: Reading, *, each: bool
) -> Iterator[Comparison]:
    """Yield the comparisons of common topics; other topics are left out, with a notice."""
    theirs, ours = topics.read(references), topics.read(folder)
    for expected, present, place in ((theirs, ours, folder), (ours, theirs, references)):
        if missing := [topic for topic in expected if topic not in present]:
            reading.notify(Notice(f"{place}: no topic {', '.join(missing)}; averaged over the others"))
    common = [topic for topic in theirs if topic in ours]
    if not common:
        raise RougeError(
            "no topic in common",
            where=f"{folder}, {references}",
            remedy="use the same names of topics on both sides",
        )
    for topic in common:
        predictions = list(_of_topic(topic, ours[topic], "prediction", reading))
        ground = list(_of_topic(topic, theirs[topic], "reference", reading))
        yield from _compare(system, predictions, ground, each=each)


def _of_topic(topic: str, paths: Sequence[str], role: str, reading: Reading) -> Iterator[Named]:
    """Yield the timelines of a topic, named by topic and file; one alone, unless a reference, by topic."""
    several = {f"{topic}/{name}": path for name, path in names(paths).items()}
    if len(paths) == 1 and role != "reference":
        several = {topic: paths[0]}
    yield from _of_files(several, role, reading)


def _of_files(paths: Mapping[str, str], role: str, reading: Reading) -> Iterator[Named]:
    """Yield the timelines of files; several timelines of one file are numbered.

    Empty ones among these are left out, as by news-tls, but not for predictions.
    """
    for name, path in paths.items():
        place = files.place(path)
        data = files.read_any(path, role)
        timelines = timeline.several(data, place, reading.notify, reading.kind, reading.repeated)
        left_out = role != "prediction" and len(timelines) > 1
        if left_out and not any(timelines):
            reading.notify(
                Notice(f"{place}: all {len(timelines)} timelines in it are empty, and are left out")
            )
        for number, dated in enumerate(timelines, 1):
            if dated or not left_out:
                yield Named(f"{name}:{number}" if len(timelines) > 1 else name, dated, place)


def _compare(
    system: str, predictions: Sequence[Named], references: Sequence[Named], *, each: bool
) -> Iterator[Comparison]:
    if not each:
        for prediction in predictions:
            yield Comparison(system, prediction.name, "", prediction, references)
        return
    if len(predictions) not in (1, len(references)):
        raise RougeError(
            f"{len(predictions)} predictions for {len(references)} references",
            where=predictions[0].place if predictions else system,
            remedy="for single references give one prediction for all, or one for each",
        )
    own = list(predictions) * (len(references) if len(predictions) == 1 else 1)
    for prediction, reference in zip(own, references, strict=True):
        yield Comparison(system, prediction.name, reference.name, prediction, [reference])
