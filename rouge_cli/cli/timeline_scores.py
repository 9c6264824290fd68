"""The lines of the report of `rouge-cli timeline`, and its tests of metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import __version__, reports, signature
from rouge_cli.cli import timelines
from rouge_cli.core import Notice, ignore_notice
from rouge_cli.dialects.tilse import battery, labels, options, program
from rouge_cli.errors import RougeError
from rouge_cli.options import resolve
from rouge_cli.results.battery import Battery
from rouge_cli.results.timeline import Line, Timelines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.cli.commands.timeline import FolderOptions, TimelineOptions
    from rouge_cli.cli.timelines import Comparison, Reading
    from rouge_cli.core import Notify, Score
    from rouge_cli.dialects.tilse.counts import Engine, TimelineCounts
    from rouge_cli.dialects.tilse.texts import Days
    from rouge_cli.formats.timeline import Timeline
    from rouge_cli.options import Options

PRESETS = {"tilse": "rouge", "paper": "none"}  # stemmer and stop list
ALL = "all"


class Request(NamedTuple):
    """The dialect's options, its engine, and metric -> the user's name for it."""

    options: Options
    engine: Engine
    names: Mapping[str, str]

    @property
    def alpha(self) -> float:
        """The weight of precision in F."""
        alpha: float = self.options["alpha"]
        return alpha

    def signature(self, evals: int) -> str:
        """Return how the scores were made."""
        fields = {"dialect": "tilse", **self.options, "evals": evals, "version": __version__}
        return signature.render(fields)


def request(shown: TimelineOptions, form: str, written: Sequence[str], *, pool: bool) -> Request:
    """Resolve the options of a command line.

    form: the report's format. written: the metrics as typed; none for all.
    Raises UsageError for unknown ones, and for values that make no sense.
    """
    names: dict[str, str] = {}
    for name in written or [ALL]:
        if name.lower() == ALL:
            spelled = labels.PAPER if reports.is_table(form) else labels.TOOLKIT
            names |= {metric: spelled[metric] for metric in spelled if metric not in names}
        else:
            names[labels.metric(name)] = name
    lists = {
        name: PRESETS[shown.preset] if flag is None else "rouge" if flag else "none"
        for name, flag in (("stem", shown.stem), ("stop", shown.stop))
    }
    measures = [labels.TimelineMeasure(n, metric) for metric in names for n in range(1, shown.longest + 1)]
    requested = {
        "metrics": [measure.label for measure in measures],
        "stemmer": lists["stem"],
        "stop": lists["stop"],
        "alpha": 1 / (1 + shown.beta * shown.beta),
        "protocol": options.POOLED if pool else options.PER_REFERENCE,
        "repeated": shown.repeated,
    }
    chosen = options.DIALECT.canonical(resolve("tilse", options.DEFAULTS, requested))
    return Request(chosen, options.engine(chosen, ignore_notice), names)


def report(
    request: Request,
    comparisons: Sequence[Comparison],
    notify: Notify,
    *,
    folders: bool,
    alignments: bool,
) -> Timelines:
    """Return the scores of all comparisons and their averages.

    folders: True if they are of folders of topics, which are averaged whatever their number.
    alignments: True to show the dates that were matched.
    """
    lines: list[Line] = []
    systems = list(dict.fromkeys(comparison.system for comparison in comparisons))
    read: dict[int, Days] = {}
    for system in systems:
        own = [
            _line(comparison, request, read, notify)
            for comparison in comparisons
            if comparison.system == system
        ]
        if folders and len(systems) > 1:
            own = [line._replace(name=f"{system}/{line.name}") for line in own]
        lines += own
        if folders or len(own) > 1:
            lines.append(_average(system if len(systems) > 1 else "", own, request.alpha))
    return Timelines(lines, request.names, alignments, request.signature(len(comparisons)))


def _line(comparison: Comparison, request: Request, read: dict[int, Days], notify: Notify) -> Line:
    """Score a comparison; read: prepared days, by the identity of their timelines."""

    def days(timeline: Timeline) -> Days:
        if id(timeline) not in read:
            read[id(timeline)] = request.engine.days(timeline)
        return read[id(timeline)]

    prediction = days(comparison.prediction.timeline)
    references = [days(reference.timeline) for reference in comparison.references]
    scored = request.engine.score(prediction, references, list(request.names))
    _remark(comparison, scored, notify)
    if scored.dates.model:
        for reference, its_days in zip(comparison.references, references, strict=True):
            if len(references) > 1 and not any(day.text.tokens for day in its_days.values()):
                what = "token that counts" if its_days else "date"
                notify(Notice(f"{reference.place}: no {what} in {reference.name}; it still counts"))
    return Line(
        comparison.name,
        comparison.reference,
        {
            metric: [program.score_counts(counts, request.alpha) for counts in by_n]
            for metric, by_n in scored.counts.items()
        },
        program.score_counts(scored.dates, request.alpha),
        scored.alignments,
        (list(prediction), sorted(set().union(*references))),
    )


def _remark(comparison: Comparison, scored: TimelineCounts, notify: Notify) -> None:
    """Report which side of a ratio is empty; the toolkit stops there."""
    if not comparison.references:
        place = comparison.prediction.place
        notify(Notice(f"{place}: no reference for prediction {comparison.name}; scores are 0"))
        return
    sizes = (pair for by_n in scored.counts.values() for pair in enumerate(by_n, 1))
    for lack in program.lacks(scored.dates, sizes):
        place = comparison.references[0].place if lack.is_model else comparison.prediction.place
        role = (
            (comparison.reference or "the references") if lack.is_model else f"prediction {comparison.name}"
        )
        notify(Notice(f"{place}: {lack.message(role)}"))


def _average(system: str, lines: Sequence[Line], alpha: float) -> Line:
    """Return the averages of a system; its name is empty if there is only one."""

    def mean(scores: Sequence[Score]) -> Score:
        return program.mean(scores, alpha)

    by_metric = {
        metric: list(map(mean, zip(*(line.scores[metric] for line in lines), strict=True)))
        for metric in lines[0].scores
    }
    name = f"average of {system}" if system else "average"
    return Line(name, "", by_metric, mean([line.dates for line in lines]))


def tests(request: Request, tested: FolderOptions, reading: Reading) -> Battery:
    """Return the tests of metrics on all timelines of a folder."""
    scores_by_key: dict[tuple[str, str, int], list[Score]] = {}
    number = 0
    for original in _testable(tested.folder, reading):
        number += 1
        for test, copy in _copies(original, tested.shifts or battery.SHIFTS).items():
            changed = original._replace(name=f"{original.name} ({test})", timeline=copy)
            comparison = timelines.Comparison("", changed.name, original.name, changed, [original])
            outcome = request.engine.score(
                request.engine.days(copy), [request.engine.days(original.timeline)], list(request.names)
            )
            _remark(comparison, outcome, reading.notify)
            for metric, by_n in outcome.counts.items():
                for n, counts in enumerate(by_n, 1):
                    scores_by_key.setdefault((test, metric, n), []).append(
                        program.score_counts(counts, request.alpha)
                    )
    if not number:
        raise RougeError("no timeline of two dates or more", where=tested.folder)
    means = {
        (test, request.names[metric], n): program.mean(each, request.alpha)
        for (test, metric, n), each in scores_by_key.items()
    }
    return Battery(means, number, request.signature(number))


def _testable(folder: str, reading: Reading) -> Iterator[timelines.Named]:
    """Yield the timelines of a folder that have at least two dates."""
    for named in timelines.every(folder, reading):
        if len(named.timeline) < 2:
            reading.notify(Notice(f"{named.place}: {named.name} has fewer than two dates, and is left out"))
        else:
            yield named


def _copies(original: timelines.Named, shifts: Sequence[int]) -> Mapping[str, Timeline]:
    try:
        return battery.copies(original.timeline, shifts)
    except RougeError as error:
        raise RougeError(error.what, where=original.place) from None
