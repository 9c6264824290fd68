"""`rouge-cli timeline`: dated summaries, scored with their dates."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rouge_cli import __version__, signature
from rouge_cli.cli import output, scoring
from rouge_cli.core import Notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.options import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rouge_cli.cli.timeline_report import Line
    from rouge_cli.cli.timelines import Comparison, Reading
    from rouge_cli.core import Notify, Score
    from rouge_cli.dialects.tilse.scores import Days, Engine, Scored
    from rouge_cli.options import Options

    Command = Callable[..., None]

SEVERAL = {"-p": "-p", "--pred": "-p", "-r": "-r", "--ref": "-r"}
FORMATS = ("text", "json", "jsonl", "csv", "dict")
PRESETS = {"tilse": "rouge", "paper": "none"}
ALL = "all"


class _Timeline(click.Group):
    """Takes several values behind one -p or -r, as the toolkit's command does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give each value an option of its own."""
        return super().parse_args(ctx, _spread(args))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; UsageError where there is none, but in completions."""
        found = super().get_command(ctx, cmd_name)
        if found is None and not ctx.resilient_parsing:
            raise UsageError(
                f"nothing says what {cmd_name!r} is", remedy="files stand behind -p and -r, or: battery DIR"
            )
        return found


def _spread(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    option = ""
    for word in words:
        if option and (word == "-" or not word.startswith("-")):
            # The first value stands behind the option already.
            found += [word] if found[-1] == option else [option, word]
        else:
            option = SEVERAL.get(word, "")
            found.append(option or word)
    return found


# Those of both commands.
COUNTING: Sequence[tuple[tuple[str, ...], Mapping[str, Any]]] = (
    (("--stem/--no-stem",), {"default": None, "help": "Stem words, whatever the preset."}),
    (("--stop/--no-stop",), {"default": None, "help": "Drop stop words, whatever the preset."}),
    (("--beta",), {"type": click.FloatRange(0), "default": 1.0, "help": "F's beta."}),
    (("--input", "kind"), {"metavar": "KIND", "default": "", "help": "text, json, jsonl; or by content."}),
    (("--repeated",), {
        "metavar": "HOW", "default": "last", "help": "A date that comes again: last, merge, reject."}),
    (("--digits",), {"type": click.IntRange(0, 15), "default": 5, "help": "Decimals in tables."}),
    (("-o", "--output"), {"metavar": "FILE", "help": "Write the report there, all of it or nothing."}),
    (("--quiet",), {"is_flag": True, "help": "No notices on stderr."}),
)  # fmt: skip


def _options(preset: str, longest: int) -> Callable[[Command], Command]:
    """Give a command the options of counting, with this preset and n by default."""

    def decorate(command: Command) -> Command:
        for names, settings in reversed(COUNTING):
            command = click.option(*names, **settings)(command)
        command = click.option(
            "-n",
            "longest",
            type=click.IntRange(1, 9),
            default=longest,
            show_default=True,
            help="The longest n-grams.",
        )(command)
        return click.option(
            "--preset",
            type=click.Choice(list(PRESETS)),
            default=preset,
            show_default=True,
            help="tilse stems and drops stop words, paper does not.",
        )(command)

    return decorate


@click.group("timeline", cls=_Timeline, invoke_without_command=True)
@click.option("-p", "--pred", "predictions", multiple=True, metavar="PRED...", help="Predictions.")
@click.option("-r", "--ref", "references", multiple=True, metavar="REF...", help="References.")
@click.option("-m", "--metric", "metrics", multiple=True, metavar="METRIC|all", help="As above; repeat.")
@click.option("--pool/--per-reference", default=True, help="References as one, or one by one.")
@_options("tilse", 2)
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--alignments", is_flag=True, help="Say which date was matched with which.")
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:  # noqa: ANN401 - click's
    """Score timelines: concat, agreement, align, align+, align+ m:1.

    The toolkit's names, align_date_costs and so on, are METRICs too. PRED and REF are files, or folders of
    topics. Of equally good alignments the one counts that SciPy finds since 1.4; in align+ m:1 the earliest
    of equally near dates.

    Example: rouge-cli timeline -p mine.txt -r ap.txt bbc.txt -m all
    """
    if context.invoked_subcommand is not None:
        return
    from rouge_cli.cli import timelines

    asked = _asked(given)
    if given["alignments"] and given["form"] in ("csv", "dict"):
        raise UsageError(f"no alignments in {given['form']}", remedy="use text, json or jsonl")
    notices = scoring.Notices(quiet=given["quiet"])
    with scoring.told(notices):
        folders = timelines.of_folders(given["predictions"], given["references"])
        reading = timelines.Reading(given["kind"], given["repeated"], notices)
        found = list(
            timelines.comparisons(
                given["predictions"], given["references"], reading, each=not given["pool"]
            )
        )
        if not found:
            raise RougeError("nothing to score: there is no timeline to compare")
        output.write(_report(given, asked, found, notices, folders=folders), given["output"])


@command.command("battery")
@click.argument("folder", metavar="DIR")
@click.option(
    "--shift", "shifts", type=int, multiple=True, metavar="DAYS", help="By so many; repeat. [1, 5]"
)
@_options("paper", 1)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def battery(folder: str, shifts: tuple[int, ...], **given: Any) -> None:  # noqa: ANN401 - click's
    """Test the metrics on the timelines of DIR, as Martschat and Markert do.

    Each timeline is scored against itself with a date removed, one added, two merged, and all of them
    shifted. The numbers are differences to 1.

    Example: rouge-cli timeline battery data --shift 1 --shift -2
    """
    from rouge_cli.cli import timelines

    asked = _asked({**given, "metrics": (), "pool": False})
    notices = scoring.Notices(quiet=given["quiet"])
    with scoring.told(notices):
        reading = timelines.Reading(given["kind"], given["repeated"], notices)
        output.write(_tested(given, asked, folder, shifts, reading), given["output"])


class _Asked(NamedTuple):
    """The options as the dialect knows them, what scores, and metric -> what the user calls it."""

    options: Options
    engine: Engine
    names: Mapping[str, str]


def _asked(given: Mapping[str, Any]) -> _Asked:
    from rouge_cli.dialects.tilse import options

    written = scoring.divided(given["metrics"]) or [ALL]
    names: dict[str, str] = {}
    for name in written:
        if name.lower() == ALL:
            spelled = options.PAPER if given["form"] == "text" else options.TOOLKIT
            names |= {metric: spelled[metric] for metric in spelled if metric not in names}
        else:
            names[options.metric(name)] = name
    stem, stop = (
        PRESETS[given["preset"]] if given[name] is None else "rouge" if given[name] else "none"
        for name in ("stem", "stop")
    )
    asked = {
        "metrics": tuple(
            options.Measure(n, metric).label for metric in names for n in range(1, given["longest"] + 1)
        ),
        "stemmer": stem,
        "stop": stop,
        "alpha": 1 / (1 + given["beta"] ** 2),
        "protocol": options.POOLED if given["pool"] else options.PER_REFERENCE,
        "repeated": given["repeated"],
    }
    chosen = options.canonical(resolve("tilse", options.DEFAULTS, asked))
    return _Asked(chosen, options.engine(chosen, lambda _: None), names)


def _signature(asked: _Asked, evals: int) -> str:
    return signature.render({"dialect": "tilse", **asked.options, "evals": evals, "version": __version__})


def _report(
    given: Mapping[str, Any],
    asked: _Asked,
    comparisons: Sequence[Comparison],
    notify: Notify,
    *,
    folders: bool,
) -> str:
    from rouge_cli.cli import timeline_report as report

    lines: list[Line] = []
    systems = list(dict.fromkeys(one.system for one in comparisons))
    read: dict[int, Days] = {}
    for system in systems:
        own = [
            _line(one, asked, read, notify, alignments=given["alignments"])
            for one in comparisons
            if one.system == system
        ]
        if folders and len(systems) > 1:
            own = [line._replace(name=f"{system}/{line.name}") for line in own]
        lines += own
        if folders or len(own) > 1:
            lines.append(_average(system if len(systems) > 1 else "", own, asked.options["alpha"]))
    layout = report.Layout(
        asked.names, len(lines) == 1, given["digits"], _signature(asked, len(comparisons))
    )
    if given["form"] == "dict" and not layout.single:
        raise UsageError("a dict is of one prediction and its pooled references", remedy="use jsonl")
    shown: str = getattr(report, f"as_{given['form']}")(lines, layout)
    return shown


def _line(
    one: Comparison, asked: _Asked, read: dict[int, Days], notify: Notify, *, alignments: bool
) -> Line:
    """Score a comparison; read: days that were read already, by the identity of their timelines."""
    from rouge_cli.cli.timeline_report import Line
    from rouge_cli.dialects.tilse import scores

    def days(timeline: Any) -> Days:  # noqa: ANN401 - a timeline
        if id(timeline) not in read:
            read[id(timeline)] = asked.engine.days(timeline)
        return read[id(timeline)]

    prediction = days(one.prediction.timeline)
    references = [days(reference.timeline) for reference in one.references]
    found = asked.engine.score(prediction, references, list(asked.names))
    _remark(one, found, notify)
    alpha = asked.options["alpha"]
    return Line(
        one.name,
        one.reference,
        {
            metric: [scores.scored(counts, alpha) for counts in by_n]
            for metric, by_n in found.counts.items()
        },
        scores.scored(found.dates, alpha),
        found.alignments if alignments else {},
        (list(prediction), sorted(set().union(*references))),
    )


def _remark(one: Comparison, found: Scored, notify: Notify) -> None:
    """Say which side of a ratio has nothing in it; the toolkit stops there."""
    unigrams = next(iter(found.counts.values()))[0]
    whose = one.reference or "the references"
    for size, days, place, role in (
        (unigrams.peer, found.dates.peer, one.prediction.place, f"prediction {one.name}"),
        (unigrams.model, found.dates.model, one.references[0].place if one.references else "", whose),
    ):
        if not size:
            what = "no token that counts" if days else "no date"
            notify(Notice(f"{place}: {what} in {role}; scores are 0"))


def _average(system: str, lines: Sequence[Line], alpha: float) -> Line:
    from rouge_cli.cli.timeline_report import Line
    from rouge_cli.dialects.tilse import scores

    def mean(found: Sequence[Score]) -> Score:
        return scores.mean(found, alpha)

    by_metric = {
        metric: list(map(mean, zip(*(line.scores[metric] for line in lines), strict=True)))
        for metric in lines[0].scores
    }
    name = f"average of {system}" if system else "average"
    return Line(name, "", by_metric, mean([line.dates for line in lines]), {})


def _tested(
    given: Mapping[str, Any], asked: _Asked, folder: str, shifts: Sequence[int], reading: Reading
) -> str:
    """The table of the tests."""
    from rouge_cli.cli import timeline_report, timelines
    from rouge_cli.dialects.tilse import scores
    from rouge_cli.dialects.tilse.battery import SHIFTS, copies
    from rouge_cli.dialects.tilse.options import PAPER

    alpha = asked.options["alpha"]
    found: dict[tuple[str, str, int], list[Score]] = {}
    tested = 0
    for one in timelines.every(folder, reading):
        if len(one.timeline) < 2:
            reading.notify(Notice(f"{one.place}: {one.name} has fewer than two dates, and is left out"))
            continue
        tested += 1
        original = asked.engine.days(one.timeline)
        try:
            changed = copies(one.timeline, shifts or SHIFTS)
        except RougeError as error:
            raise RougeError(error.what, where=one.place) from None
        for test, copy in changed.items():
            by_metric = asked.engine.score(asked.engine.days(copy), [original]).counts
            for metric, counted in by_metric.items():
                for n, counts in enumerate(counted, 1):
                    found.setdefault((test, metric, n), []).append(scores.scored(counts, alpha))
    if not tested:
        raise RougeError("no timeline of two dates or more", where=folder)
    means = {key: scores.mean(each, alpha) for key, each in found.items()}
    signed = _signature(asked, tested)
    if given["form"] == "json":
        document: dict[str, Any] = {"timelines": tested, "signature": signed, "tests": {}}
        for (test, metric, n), score in means.items():
            by_n = document["tests"].setdefault(test, {}).setdefault(asked.names[metric], {})
            by_n[f"rouge_{n}"] = timeline_report.figures(score)
        return json.dumps(document, indent=2) + "\n"
    tables = [
        timeline_report.battery(
            [(test, PAPER[metric], score) for (test, metric, n), score in means.items() if n == wanted],
            [f"ROUGE-{wanted} {figure}" for figure in ("dP", "dR", "dF")],
            given["digits"],
        )
        for wanted in range(1, given["longest"] + 1)
    ]
    return "\n".join([*tables, f"differences to 1; timelines: {tested}\nsignature: {signed}\n"])
