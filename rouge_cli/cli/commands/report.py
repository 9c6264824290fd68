"""`rouge-cli report`: write an evaluation as one HTML file."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import click

from rouge_cli.cli import inputs, output, scoring, streams, study_scores
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    flag,
    named,
    option,
    several,
)
from rouge_cli.cli.scoring import RunOptions
from rouge_cli.cli.source_options import SourceOptions
from rouge_cli.cli.study_scores import HumanOptions, real, setting
from rouge_cli.core import Notice, Notify
from rouge_cli.errors import UnreadableFile, UsageError, require
from rouge_cli.io import browser, files
from rouge_cli.io.users_files import users_files
from rouge_cli.results.comparison import Plan
from rouge_cli.results.scores import Results
from rouge_cli.runs import assembly
from rouge_cli.studies import eval_texts, selection
from rouge_cli.studies.page_content import MOST_EVALS, Material, keeping
from rouge_cli.tasks import system_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Report

SECTION = "Score"


class PageOptions(OptionGroup):
    """The contents of the page besides scores, and its file."""

    conflicts: ClassVar = {
        Conflict.SAVED: "evals texts over jobs",
    }
    output: str | None = option(
        "-o --output FILE", "Write the page to FILE (- is stdout)."
    )
    title: str = option("--title TEXT", "Heading of the page.", default="ROUGE report")
    evals: int = option(
        "--evals N",
        f"Show the texts of at most N evals (default {MOST_EVALS}).",
        type=click.IntRange(0),
        default=MOST_EVALS,
    )
    texts: float = real(
        "--texts MB",
        "Show texts up to this size (default 10).",
        10.0,
        click.FloatRange(0),
    )
    scores: Words = several(
        "--scores FILE", "Saved scores of other metrics; repeatable."
    )
    human: str | None = option(
        "--human FILE", "Human scores (the HUMAN of `correlate`)."
    )
    baseline: str | None = study_scores.baseline_option()
    over: str = setting("--over WHAT", Plan, "over")
    trials: int = setting("--trials N", Plan, "trials")
    opens: bool = flag("--open", "Open the page in the browser.")
    jobs: int = scoring.jobs_option()


@named("report")
def command(
    options: PageOptions,
    human: HumanOptions,
    texts: InputOptions,
    sources: SourceOptions,
    scored: RunOptions,
) -> None:
    """\b
    Write scores, tests and texts as one HTML page.
    Example: rouge-cli report run.jsonl -m R1,R2,RL --stem -o report.html
    """  # noqa: D301, D415 - the help fits a screen; click's mark for lines to be kept
    _check(options)
    require("a page needs", "jinja2", "numpy", "scipy", extra="report")
    from rouge_cli.studies import page, page_html

    Conflict.check({Conflict.NO_HUMAN_SCORES: not options.human})
    named = (
        *texts.paths,
        *texts.predictions,
        *texts.references,
        *options.scores,
        str(options.human),
    )
    files.check_stdin(named)
    page_notices: list[Notice] = []
    with streams.Notices(quiet=scored.quiet) as printed:
        notify = keeping(page_notices, printed)
        are_saved = False
        with suppress(UnreadableFile):  # scoring also reports files that cannot be read
            are_saved = study_scores.are_saved(texts)
        if are_saved:
            material = _saved(options, texts, scored, notify)
        else:
            material = _scored(options, texts, sources, scored, notify)
        if options.scores:
            others = study_scores.read_saved(options.scores, (), (), notify)
            material = material._replace(
                report=selection.with_saved(material.report, others, notify),
                notes=[*material.notes, *_unchecked(others)],
            )
        people = []
        if options.human is not None:
            people = human.read(options.human, notify=notify)
        material = material._replace(
            judgements=people,
            evals=options.evals,
            size=options.texts * 1e6,
            plan=Plan(
                baseline=options.baseline,
                trials=options.trials,
                seed=scored.seed or 0,
                confidence=float(material.confidence),
                over=options.over,
            ),
        )
        content = page.gather(
            material, page_notices, notify, partial(scoring.watch, quiet=scored.quiet)
        )
        html = page_html.render(content, options.title)
        output.write([html], options.output)
    if not scored.quiet and options.output != files.STDIN:
        size = (
            f"{len(html.encode()) / 1e6:.1f} MB, texts of {content.texts.evals} of"
            f" {len(content.evals)} evals"
        )
        streams.say(f"{options.output}: {size}")
    if options.opens and not browser.open_page(str(options.output)):
        streams.say(f"{options.output}: no browser was found; open the page yourself")


def _scored(
    options: PageOptions,
    texts: InputOptions,
    sources: SourceOptions,
    scored: RunOptions,
    notify: Notify,
) -> Material:
    """Score texts, and return them and their scores."""
    request = scoring.request(scored)
    source = inputs.read(
        texts, notify, request.expected, apart=True, source=sources.source
    )
    run = scoring.run(request, source.systems)
    if sources.source is None:
        sources.check(run.averages)
    tasks = list(source.tasks)
    source = source._replace(tasks=tasks)
    read = [
        *source.paths(),
        *users_files(run.options),
        *options.scores,
        *filter(None, [options.human]),
    ]
    output.check_targets([options.output], read, texts.folders)
    run, collected = scoring.score_inputs(
        run, source, request, notify, options.jobs, None
    )
    evals = eval_texts.count_evals(tasks, notify)
    report = assembly.make_report(run, collected._replace(evals=evals), notify)
    columns = output.columns(report, request.columns, request.dialect, options.baseline)
    return Material(tasks, run, report, columns, confidence=request.confidence)


def _saved(
    options: PageOptions, texts: InputOptions, scored: RunOptions, notify: Notify
) -> Material:
    """Return saved scores, of the metrics that are named or of all."""
    Conflict.check({Conflict.SAVED: True})
    read = [*texts.paths, *options.scores, *filter(None, [options.human])]
    output.check_targets([options.output], read)
    report = study_scores.read_saved(texts.paths, texts.systems, texts.renames, notify)
    system_names.check([options.baseline], system_names.of_report(report))
    columns = selection.columns(report, study_scores.requested(scored.metrics), "f")
    labels = {label for label, _ in columns}
    results = [result for result in report.results if result.label in labels]
    report = Results(results, report.signature, report.details)
    return Material(
        [],
        None,
        report,
        columns,
        confidence=scored.confidence or "95",
        notes=_unchecked(report),
    )


def _unchecked(report: Report) -> Sequence[str]:
    """Return which saved scores could not be checked."""
    notes: Any = report.details["unchecked"]
    return list(notes)


def _check(options: PageOptions) -> None:
    """Raise UsageError for a file that is missing or has another suffix."""
    if not options.output:
        raise UsageError("a page needs a file", remedy="name it: -o report.html")
    if options.opens and options.output == files.STDIN:
        what = "--open with a page on stdout"
        raise UsageError(what, remedy="name its file with -o")
    output.check_suffix(
        options.output, "htm html", "a page is HTML: end the name in .html"
    )
