"""Scores of single evals for commands that compute with scores: saved ones, or those of texts.

Saved scores are never computed again.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, ClassVar

import click

from rouge_cli import metrics, signature
from rouge_cli.cli import inputs, output, scoring
from rouge_cli.cli.option_groups import Conflict, OptionGroup, check_conflicts, option, several
from rouge_cli.core import Notice, Report
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.options import percent, users_files
from rouge_cli.runs import assembly
from rouge_cli.signature import facts
from rouge_cli.studies import selection
from rouge_cli.tasks import system_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import Notify


def number(_: click.Context, parameter: click.Parameter, value: float) -> float:
    """Return the option's value; raise UsageError for nan, and for a confidence that is not in percent."""
    if isnan(value):
        raise UsageError(f"{parameter.opts[0]} nan", remedy="give a number")
    return percent(value) if parameter.name == "confidence" else value


class StudyOptions(OptionGroup):
    """Options that all studies of scores share."""

    conflicts: ClassVar = {
        Conflict.FIGURES_NAMED: "measure",
        Conflict.PEOPLE_NOT_MARKED: "humans",
        Conflict.NO_BOOTSTRAP: "seed confidence",
        Conflict.NO_INTERVALS: "confidence",
    }
    measure: str = option(
        "--measure NAME",
        "Figure if -m names none: f, recall, precision.",
        default="f",
        type=click.Choice(list(selection.MEASURES)),
    )
    humans: tuple[str, ...] = several("--human ID", "System that is a person; repeatable.")
    seed: int = option("--seed N", "Seed of all draws (default 0).", default=0, type=click.IntRange(0))
    confidence: float = option(
        "--confidence PERCENT",
        "Level of the intervals (default 95).",
        default=95.0,
        type=click.FloatRange(0, 100, min_open=True, max_open=True),
        callback=number,
    )
    output: str | None = option("-o --output FILE", "Write the report to FILE, whole or not at all.")


def report(
    source: inputs.InputOptions,
    scored: scoring.EvalOptions,
    options: StudyOptions,
    plots: Iterable[str | None],
    notices: Notify,
) -> tuple[Report, list[tuple[str, str]]]:
    """Return the report of a command line's inputs, and the requested (label, R, P or F).

    Args:
        plots: Further output files.

    Raises:
        UsageError: For options of scoring if scores are already saved.
    """
    check_measure(scored.metrics)
    targets = [options.output, *plots]
    if not source.kind and _are_saved(source.paths):
        check_conflicts({Conflict.SAVED: True})
        output.check_targets(targets, source.paths)
        scores = read_saved(source.paths, source.systems, source.renames, notices)
    else:
        scores = _score(source, scored, options.seed, targets, notices)
    return scores, columns(scores, scored.metrics, options)


def columns(report: Report, labels: Sequence[str], options: StudyOptions) -> list[tuple[str, str]]:
    """Return the (label, R, P or F) to study; raise UsageError for an unknown label or person."""
    system_names.check(options.humans, system_names.of_report(report))
    named = [metrics.figure(word) for word in scoring.split_labels(labels)]
    return selection.columns(report, named, options.measure)


def check_measure(labels: Sequence[str]) -> None:
    """Raise UsageError for --measure if there is no label that it could complete."""
    written = scoring.split_labels(labels)
    if written and all(metrics.figure(word)[1] for word in written):
        check_conflicts({Conflict.FIGURES_NAMED: True})


def _are_saved(paths: Sequence[str]) -> bool:
    """Return True for saved scores, False for texts; raise UsageError for a mixture."""
    from rouge_cli.results import saved

    others = [path for path in paths if not saved.kind(path)]
    if others and len(others) < len(paths):
        raise UsageError(
            f"{others[0]} does not contain saved scores, as other inputs do",
            remedy="score it first: --per-eval",
        )
    return bool(paths) and not others


def _score(
    options: inputs.InputOptions,
    scored: scoring.EvalOptions,
    seed: int,
    targets: Sequence[str | None],
    notices: Notify,
) -> Report:
    scoring.check_settings(scored, selection.UNUSED, "scores of single evals")
    request = scoring.request(scored)
    request = request._replace(options=selection.with_seed(request.dialect, request.options, seed))
    source = inputs.read(options, notices, request.expected)
    run = scoring.run(request, source.systems)
    output.check_targets(targets, [*source.files, *source.paths(), *users_files(run.options)])
    return assembly.make_report(*scoring.score_inputs(run, source, request, notices, 1, None), notices)


def read_saved(
    paths: Sequence[str], names: Sequence[str], renames: Sequence[str], notices: Notify
) -> Report:
    """Return the saved scores of the systems of these names, in their order, or of all.

    Args:
        renames: Words OLD=NEW.

    Raises:
        RougeError: For files without saved scores.
    """
    report = _merge({path: selection.read_saved(path) for path in paths}, notices)
    new_names = system_names.new_names(renames)
    system_names.check_new(new_names, system_names.of_report(report))
    results = [
        result._replace(system=new_names.get(result.system, result.system)) for result in report.results
    ]
    humans = [new_names.get(human, human) for human in selection.humans(report)]
    report = report._replace(results=results, details={"humans": humans})
    if not names:
        return report
    system_names.check(names, system_names.of_report(report))
    order = {system: place for place, system in enumerate(names)}
    results = [result for result in results if result.system in order]
    return report._replace(results=sorted(results, key=lambda result: order[result.system]))


def _merge(reports: Mapping[str, Report], notices: Notify) -> Report:
    """Merge the reports of several files, which should have been made in the same way."""
    owners: dict[tuple[str, str], str] = {}
    for path, saved in reports.items():
        for result in saved.results:
            before = owners.setdefault((result.system, result.label), path)
            if before != path:
                raise RougeError(
                    f"{result.system} has {result.label} in {before} too", where=path, remedy="rename one"
                )
    made = {path: _how(saved.signature) for path, saved in reports.items() if saved.signature}
    first = next(iter(made), "")
    for path, fields in made.items():
        differing = [
            name for name in {**made[first], **fields} if made[first].get(name) != fields.get(name)
        ]
        if differing:
            notices(Notice(f"{path} was scored differently from {first}: other {', '.join(differing)}"))
    humans = [human for saved in reports.values() for human in selection.humans(saved)]
    results = [result for saved in reports.values() for result in saved.results]
    signed = next((saved.signature for saved in reports.values() if saved.signature), "")
    return Report(results, signed, {"humans": humans})


def _how(signed: str) -> dict[str, str]:
    """Return the signature without what scoring found and without how scores were averaged."""
    skipped = {*facts.OF_DATA, "metrics", "samples", "confidence", "seed"}
    return {name: value for name, value in signature.fields(signed).items() if name not in skipped}
