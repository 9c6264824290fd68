"""What `rouge-cli timeline` computes: the lines of its report, and the tests of metrics."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import __version__, signature
from rouge_cli.cli import timeline_report, timelines
from rouge_cli.cli.timeline_report import Layout, Line
from rouge_cli.core import Notice
from rouge_cli.dialects.tilse import battery, labels, options, program
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.options import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.cli.timelines import Comparison, Reading
    from rouge_cli.core import Notify, Score
    from rouge_cli.dialects.tilse.counts import Engine, Scored
    from rouge_cli.dialects.tilse.texts import Days
    from rouge_cli.formats.timeline import Timeline
    from rouge_cli.options import Options

PRESETS = {"tilse": "rouge", "paper": "none"}  # stemmer and stop list
ALL = "all"


class Asked(NamedTuple):
    """The options as the dialect knows them, what scores, and metric -> what the user calls it."""

    options: Options
    engine: Engine
    names: Mapping[str, str]

    @property
    def alpha(self) -> float:
        """The weight of precision in F."""
        alpha: float = self.options["alpha"]
        return alpha

    def signature(self, evals: int) -> str:
        """How the scores were made."""
        fields = {"dialect": "tilse", **self.options, "evals": evals, "version": __version__}
        return signature.render(fields)


def asked(given: Mapping[str, Any], written: Sequence[str], *, pool: bool) -> Asked:
    """The options of a command line, understood.

    written: the metrics as they were asked for; none for all. Raises UsageError for unknown ones, and for
    values that make no sense.
    """
    names: dict[str, str] = {}
    for name in written or [ALL]:
        if name.lower() == ALL:
            spelled = labels.PAPER if given["form"] == "text" else labels.TOOLKIT
            names |= {metric: spelled[metric] for metric in spelled if metric not in names}
        else:
            names[labels.metric(name)] = name
    lists = {
        name: PRESETS[given["preset"]] if given[name] is None else "rouge" if given[name] else "none"
        for name in ("stem", "stop")
    }
    measures = [labels.Measure(n, metric) for metric in names for n in range(1, given["longest"] + 1)]
    wanted = {
        "metrics": [one.label for one in measures],
        "stemmer": lists["stem"],
        "stop": lists["stop"],
        "alpha": 1 / (1 + given["beta"] * given["beta"]),
        "protocol": options.POOLED if pool else options.PER_REFERENCE,
        "repeated": given["repeated"],
    }
    chosen = options.canonical(resolve("tilse", options.DEFAULTS, wanted))
    return Asked(chosen, options.engine(chosen, _unheard), names)


def report(
    given: Mapping[str, Any],
    words: Asked,
    comparisons: Sequence[Comparison],
    notify: Notify,
    *,
    folders: bool,
) -> str:
    """The scores of all comparisons and their averages, in the format that was asked for.

    folders: whether they are of folders of topics, which are averaged whatever their number.
    """
    lines: list[Line] = []
    systems = list(dict.fromkeys(one.system for one in comparisons))
    read: dict[int, Days] = {}
    for system in systems:
        own = [_line(one, words, read, notify) for one in comparisons if one.system == system]
        if folders and len(systems) > 1:
            own = [line._replace(name=f"{system}/{line.name}") for line in own]
        lines += own
        if folders or len(own) > 1:
            lines.append(_average(system if len(systems) > 1 else "", own, words.alpha))
    layout = Layout(
        words.names,
        single=len(lines) == 1,
        alignments=given["alignments"],
        digits=given["digits"],
        signature=words.signature(len(comparisons)),
    )
    if given["form"] == "dict" and not layout.single:
        raise UsageError("a dict is of one prediction and its pooled references", remedy="use jsonl")
    shown: str = getattr(timeline_report, f"as_{given['form']}")(lines, layout)
    return shown


def _line(one: Comparison, words: Asked, read: dict[int, Days], notify: Notify) -> Line:
    """Score a comparison; read: days that were read already, by the identity of their timelines."""

    def days(timeline: Timeline) -> Days:
        if id(timeline) not in read:
            read[id(timeline)] = words.engine.days(timeline)
        return read[id(timeline)]

    prediction = days(one.prediction.timeline)
    references = [days(reference.timeline) for reference in one.references]
    found = words.engine.score(prediction, references, list(words.names))
    _remark(one, found, notify)
    if found.dates.model:
        for reference, its_days in zip(one.references, references, strict=True):
            if len(references) > 1 and not any(day.text.tokens for day in its_days.values()):
                what = "token that counts" if its_days else "date"
                notify(Notice(f"{reference.place}: no {what} in {reference.name}; it counts all the same"))
    return Line(
        one.name,
        one.reference,
        {
            metric: [program.scored(counts, words.alpha) for counts in by_n]
            for metric, by_n in found.counts.items()
        },
        program.scored(found.dates, words.alpha),
        found.alignments,
        (list(prediction), sorted(set().union(*references))),
    )


def _remark(one: Comparison, found: Scored, notify: Notify) -> None:
    """Say which side of a ratio has nothing in it; the toolkit stops there."""
    if not one.references:
        notify(Notice(f"{one.prediction.place}: no reference for prediction {one.name}; scores are 0"))
        return
    sizes = (pair for by_n in found.counts.values() for pair in enumerate(by_n, 1))
    for lack in program.lacks(found.dates, sizes):
        place = one.references[0].place if lack.is_model else one.prediction.place
        role = (one.reference or "the references") if lack.is_model else f"prediction {one.name}"
        notify(Notice(f"{place}: {lack.message(role)}"))


def _average(system: str, lines: Sequence[Line], alpha: float) -> Line:
    """The averages of a system; its name is empty where there is no other."""

    def mean(found: Sequence[Score]) -> Score:
        return program.mean(found, alpha)

    by_metric = {
        metric: list(map(mean, zip(*(line.scores[metric] for line in lines), strict=True)))
        for metric in lines[0].scores
    }
    name = f"average of {system}" if system else "average"
    return Line(name, "", by_metric, mean([line.dates for line in lines]))


def tests(given: Mapping[str, Any], words: Asked, folder: str, reading: Reading) -> str:
    """The tests of metrics on all timelines of a folder: a table, or JSON."""
    found: dict[tuple[str, str, int], list[Score]] = {}
    tested = 0
    for original in _testable(folder, reading):
        tested += 1
        for test, copy in _copies(original, given["shifts"] or battery.SHIFTS).items():
            changed = original._replace(name=f"{original.name} ({test})", timeline=copy)
            comparison = timelines.Comparison("", changed.name, original.name, changed, [original])
            outcome = words.engine.score(
                words.engine.days(copy), [words.engine.days(original.timeline)], list(words.names)
            )
            _remark(comparison, outcome, reading.notify)
            for metric, by_n in outcome.counts.items():
                for n, one in enumerate(by_n, 1):
                    found.setdefault((test, metric, n), []).append(program.scored(one, words.alpha))
    if not tested:
        raise RougeError("no timeline of two dates or more", where=folder)
    means = {key: program.mean(each, words.alpha) for key, each in found.items()}
    signed = words.signature(tested)
    if given["form"] == "json":
        document: dict[str, Any] = {"timelines": tested, "signature": signed, "tests": {}}
        for (test, metric, n), score in means.items():
            by_metric = document["tests"].setdefault(test, {}).setdefault(words.names[metric], {})
            by_metric[f"rouge_{n}"] = timeline_report.figures(score)
        return json.dumps(document, indent=2) + "\n"
    tables = [
        timeline_report.battery(
            [
                (test, words.names[metric], score)
                for (test, metric, n), score in means.items()
                if n == wanted
            ],
            [f"ROUGE-{wanted} {figure}" for figure in ("dP", "dR", "dF")],
            given["digits"],
        )
        for wanted in range(1, given["longest"] + 1)
    ]
    return "\n".join([*tables, f"differences to 1; timelines: {tested}\nsignature: {signed}\n"])


def _testable(folder: str, reading: Reading) -> Iterator[timelines.Named]:
    """The timelines of a folder that have two dates."""
    for one in timelines.every(folder, reading):
        if len(one.timeline) < 2:
            reading.notify(Notice(f"{one.place}: {one.name} has fewer than two dates, and is left out"))
        else:
            yield one


def _copies(original: timelines.Named, shifts: Sequence[int]) -> Mapping[str, Timeline]:
    try:
        return battery.copies(original.timeline, shifts)
    except RougeError as error:
        raise RougeError(error.what, where=original.place) from None


def _unheard(_: Notice) -> None:
    """The package's own word lists give no notices."""
