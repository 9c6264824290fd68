"""Timelines as evals: predictions and references, in files or in folders of topics.

A file holds a timeline, or several if it is JSON. Folders have topics, as in the data
sets of timeline summarization:

    TOPIC/timelines/*      dated blocks of text, a reference a file (timeline17, crisis)
    TOPIC/timelines.jsonl  a reference a line (news-tls: T17, crisis, entities)
    TOPIC/*.txt            or .json, .jsonl
    TOPIC.txt              or .json, .jsonl

The texts of the evals are repaired documents in the format `timeline`.
"""

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import chain, pairwise
from typing import NamedTuple

from rouge_cli.core import Document, EvalTask, Notice, Notify
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.formats import timeline
from rouge_cli.formats.timeline import Timeline
from rouge_cli.io import files
from rouge_cli.tasks.directories import entries
from rouge_cli.tasks.lines import names
from rouge_cli.text.reading import note_nuls

SUFFIXES = (".txt", ".json", ".jsonl")
NONSENSE = " ".join(["zzyzx"] * 10)
SHIFTS = (1, 5)


class Named(NamedTuple):
    """A timeline with its name."""

    name: str
    text: Document


class TimelineReader(NamedTuple):
    """Reads evals with the arguments `kind`, `repeated` and `notify` of
    `formats.timeline.several`.
    """

    kind: str
    repeated: str
    notify: Notify

    def tasks(
        self, predictions: Sequence[str], references: Sequence[str], *, each: bool
    ) -> Iterator[EvalTask]:
        """Yield one eval per prediction, named after it; its system is the eval's only
        system.

        Args:
            each: Yield one eval per reference instead of pooling references; raise
                RougeError unless there is one prediction, or one per reference.
        """
        for system, ours, theirs in self._sides(predictions, references):
            if each and len(ours) not in (1, len(theirs)):
                what = f"{len(ours)} predictions for {len(theirs)} references"
                remedy = (
                    "for single references give one prediction for all, or one for each"
                )
                where = ours[0].text.where if ours else system
                raise RougeError(what, where=where, remedy=remedy)
            if not each:
                for prediction in ours:
                    yield _task(prediction, system, theirs)
                continue
            alike = ours * len(theirs) if len(ours) == 1 else ours
            for prediction, reference in zip(alike, theirs, strict=True):
                yield _task(prediction, system, [reference])

    def tests(self, folder: str, shifts: Sequence[int]) -> Iterator[EvalTask]:
        """Yield evals of changed copies against the original, for every timeline of a
        folder of topics.

        The system is named after the change, as in `copies`. Timelines of a single date
        are left out; raise RougeError if there is no other.
        """
        has_any = False
        for topic, paths in topics(folder).items():
            for name, original in self._of_topic(topic, paths, "timeline"):
                where = original.where
                days = timeline.only(original.data, where, self.notify)
                if len(days) < 2:
                    self.notify(
                        Notice(
                            f"{where}: {name} has fewer than two dates, and is left out"
                        )
                    )
                    continue
                has_any = True
                for test, copy in copies(days, shifts, where).items():
                    predictions = {test: Document(timeline.packed(copy), where)}
                    yield EvalTask(
                        eval_id=f"{name} ({test})",
                        predictions=predictions,
                        references=[(name, original)],
                        input_format="timeline",
                        where=where,
                    )
        if not has_any:
            raise RougeError("no timeline of two dates or more", where=folder)

    def _sides(
        self, predictions: Sequence[str], references: Sequence[str]
    ) -> Iterator[tuple[str, list[Named], list[Named]]]:
        """Yield each system with its predictions and their references, for folders
        topic by topic.

        Topics of one side only are left out, with a warning.
        """
        if not are_folders(predictions, references):
            ground = list(self._of_files(names(references), "reference"))
            for system, path in names(predictions).items():
                yield system, list(self._of_files({system: path}, "prediction")), ground
            return
        for system, folder in names(predictions).items():
            theirs = topics(references[0])
            ours = topics(folder)
            self._notify_missing(theirs, ours, folder)
            self._notify_missing(ours, theirs, references[0])
            common = [topic for topic in theirs if topic in ours]
            if not common:
                raise RougeError(
                    "no topic in common",
                    where=f"{folder}, {references[0]}",
                    remedy="use the same names of topics on both sides",
                )
            for topic in common:
                yield (
                    system,
                    list(self._of_topic(topic, ours[topic], "prediction")),
                    list(self._of_topic(topic, theirs[topic], "reference")),
                )

    def _notify_missing(
        self, expected: Iterable[str], present: Container[str], place: str
    ) -> None:
        """Notify of topics that are not present in a folder."""
        missing = [topic for topic in expected if topic not in present]
        if missing:
            what = f"no topic {', '.join(missing)}; averaged over the others"
            self.notify(Notice(f"{place}: {what}"))

    def _of_topic(self, topic: str, paths: Sequence[str], role: str) -> Iterator[Named]:
        """Yield the timelines of a topic, named TOPIC/FILE; TOPIC for a file alone,
        except references.
        """
        several = {f"{topic}/{name}": path for name, path in names(paths).items()}
        if len(paths) == 1 and role != "reference":
            several = {topic: paths[0]}
        yield from self._of_files(several, role)

    def _of_files(self, paths: Mapping[str, str], role: str) -> Iterator[Named]:
        """Yield the timelines of files by name; several timelines of one file are
        numbered.

        Empty ones among these are left out, as by news-tls, but not for predictions.
        """
        for name, path in paths.items():
            where = files.place(path)
            data = files.read_any(path, role)
            note_nuls(Document(data, where), self.notify)
            timelines = timeline.several(
                data, where, self.notify, self.kind, self.repeated
            )
            left_out = role != "prediction" and len(timelines) > 1
            if left_out and not any(timelines):
                what = (
                    f"all {len(timelines)} timelines in it are empty, and are left out"
                )
                self.notify(Notice(f"{where}: {what}"))
            for number, days in enumerate(timelines, 1):
                if days or not left_out:
                    own = f"{name}:{number}" if len(timelines) > 1 else name
                    yield Named(own, Document(timeline.packed(days), where))


def _task(prediction: Named, system: str, references: Sequence[Named]) -> EvalTask:
    return EvalTask(
        eval_id=prediction.name,
        predictions={system: prediction.text},
        references=references,
        input_format="timeline",
        where=prediction.text.where,
    )


def are_folders(predictions: Sequence[str], references: Sequence[str]) -> bool:
    """Return True for folders of topics; raise UsageError for a missing side, or
    mixed inputs.
    """
    if not (predictions and references):
        what = "nothing to score"
        if predictions:
            what = "-p alone"
        elif references:
            what = "-r alone"
        raise UsageError(
            what, remedy="give -p PREDICTION and -r REFERENCE, or battery DIR"
        )
    files.check_stdin([*predictions, *references])
    # A missing path is neither, and is reported when it is read.
    named = [
        path
        for path in (*predictions, *references)
        if path == files.STDIN or os.path.exists(path)
    ]
    kinds = set(map(os.path.isdir, named))
    if len(kinds) > 1 or (True in kinds and len(references) > 1):
        remedy = (
            "name files on both sides, or folders of predictions and one of references"
        )
        raise UsageError(
            "folders and files, or several folders of references", remedy=remedy
        )
    return True in kinds


def topics(folder: str) -> dict[str, Sequence[str]]:
    """Return the paths of timelines by topic, both in the order of their names; raise
    RougeError for none.

    Folders without timelines are skipped.
    """
    by_topic: dict[str, Sequence[str]] = {}
    for name in sorted(chain(*entries(folder, "topics"))):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            paths = _timelines_in(path)
            if paths:
                by_topic[name] = paths
        elif files.uncompressed(name).endswith(SUFFIXES):
            topic = files.stem(name)
            if topic in by_topic:
                what = f"two topics are called {topic}"
                raise RougeError(what, where=folder, remedy="rename one of them")
            by_topic[topic] = [path]
    if not by_topic:
        remedy = (
            "a topic is a folder with timelines/ or timelines.jsonl in it, or a file"
            " TOPIC.txt"
        )
        raise RougeError("no timelines in this folder", where=folder, remedy=remedy)
    return by_topic


def _timelines_in(folder: str) -> list[str]:
    inner = os.path.join(folder, "timelines")
    if os.path.isdir(inner):
        names_inside = sorted(chain(*entries(inner, "topics")))
        return [os.path.join(inner, name) for name in names_inside]
    records = f"{inner}.jsonl"
    if os.path.isfile(records):
        return [records]
    _, file_names = entries(folder, "topics")
    paths = []
    for name in sorted(file_names):
        path = os.path.join(folder, name)
        if files.uncompressed(path).endswith(SUFFIXES) and os.path.isfile(path):
            paths.append(path)
    return paths


def copies(
    days: Timeline, shifts: Sequence[int] = SHIFTS, where: str = ""
) -> Mapping[str, Timeline]:
    """Return changed copies of a timeline by the name of the change, as the paper
    prints it.

    They test whether a metric is sensible (Martschat and Markert 2017, section 5):
    without the middle date (the later of two); with a sentence of unused words on the
    first day after a date that is not in the timeline; with the closest two
    neighbouring days (the first on ties) merged on the earlier date; with all dates
    shifted. Two of the paper's changes are fixed here to be reproducible: the paper
    removes a random date, and adds the first sentence of an article (QUIRKS 43).

    Args:
        days: A timeline of two dates or more.
        shifts: Numbers of days, negative into the past.
        where: The source of the timeline, for messages.

    Raises:
        RougeError: At the ends of the calendar.
    """
    dates = sorted(days)
    removed = dict(days)
    del removed[dates[len(dates) // 2]]

    merged = dict(days)
    earlier, later = min(pairwise(dates), key=lambda pair: pair[1] - pair[0])
    merged[earlier] = [*days[earlier], *merged.pop(later)]

    try:
        added = dict(days)
        added[_first_day_without_date(dates)] = [NONSENSE]
        changed = {"Remove": removed, "Add": added, "Merge": merged}
        for shift in shifts:
            unit = "day" if abs(shift) == 1 else "days"
            moved = {day + timedelta(shift): days[day] for day in days}
            changed[f"Shift {shift} {unit}"] = moved
    except OverflowError:
        raise RougeError(
            "dates cannot be moved beyond the years 1 to 9999", where=where
        ) from None
    return changed


def _first_day_without_date(dates: Sequence[date]) -> date:
    """Return the first day after a date that is not itself a date of the timeline."""
    day = dates[0]
    while day in dates:
        day += timedelta(1)
    return day
