"""Scores for the commands that study scores: read from saved scores, or computed from texts."""

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
    """Return the option's value; raise UsageError for nan, and for a confidence that is a fraction."""
    if isnan(value):
        raise UsageError(f"{parameter.opts[0]} nan", remedy="give a number")
    return percent(value) if parameter.name == "confidence" else value


class StudyOptions(OptionGroup):
    """Options of all studies of scores."""

    conflicts: ClassVar = {
        Conflict.MEASURES_NAMED: "measure",
        Conflict.PEOPLE_NOT_MARKED: "humans",
        Conflict.NO_BOOTSTRAP: "seed confidence",
        Conflict.NO_INTERVALS: "confidence",
    }
    measure: str = option(
        "--measure NAME",
        "Measure if -m names none: f, recall, precision.",
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
    """Return the report of a command line's inputs, and the columns to study.

    Args:
        source: The inputs.
        scored: How to score texts.
        options: The study.
        plots: Output files besides the report.
        notices: Receives warnings.

    Raises:
        UsageError: The inputs are saved scores, and an option would score texts.
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
    """Return the columns to study, (label, measure); raise UsageError for an unknown label or person."""
    system_names.check(options.humans, system_names.of_report(report))
    requested = [metrics.figure(label) for label in scoring.split_labels(labels)]
    return selection.columns(report, requested, options.measure)


def check_measure(labels: Sequence[str]) -> None:
    """Raise UsageError for --measure if every label names its measure."""
    typed = scoring.split_labels(labels)
    if typed and all(metrics.figure(label)[1] for label in typed):
        check_conflicts({Conflict.MEASURES_NAMED: True})


def _are_saved(paths: Sequence[str]) -> bool:
    """Return True if all files are saved scores, False if none is; raise UsageError for a mixture."""
    from rouge_cli.results import saved

    others = [path for path in paths if not saved.kind(path)]
    if others and len(others) < len(paths):
        raise UsageError(
            f"{others[0]} does not contain saved scores, unlike other inputs",
            remedy="score it first, with --per-eval",
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
    """Return the saved scores of several files as one report.

    Args:
        paths: The files.
        names: The systems, in this order; empty for all.
        renames: OLD=NEW names of systems.
        notices: Receives warnings.

    Raises:
        RougeError: A file does not contain saved scores, or two files score a system by the same metric.
        UsageError: There is no system of a name.
    """
    report = _merge({path: selection.read_saved(path) for path in paths}, notices)
    new_names = system_names.new_names(renames)
    system_names.check_new(new_names, system_names.of_report(report))
    results = [
        result._replace(system=new_names.get(result.system, result.system)) for result in report.results
    ]
    humans = [new_names.get(human, human) for human in system_names.humans(report)]
    report = report._replace(results=results, details={"humans": humans})
    if not names:
        return report
    system_names.check(names, system_names.of_report(report))
    order = {system: index for index, system in enumerate(names)}
    results = [result for result in results if result.system in order]
    return report._replace(results=sorted(results, key=lambda result: order[result.system]))


def _merge(reports: Mapping[str, Report], notices: Notify) -> Report:
    """Merge the reports of several files; warn if their scores were computed differently."""
    owners: dict[tuple[str, str], str] = {}
    for path, saved in reports.items():
        for result in saved.results:
            before = owners.setdefault((result.system, result.label), path)
            if before != path:
                raise RougeError(
                    f"system {result.system} has scores of {result.label} in {before} too",
                    where=path,
                    remedy="rename one of them",
                )
    settings = {path: _settings(saved.signature) for path, saved in reports.items() if saved.signature}
    first = next(iter(settings), "")
    for path, fields in settings.items():
        differing = [
            name for name in {**settings[first], **fields} if settings[first].get(name) != fields.get(name)
        ]
        if differing:
            notices(Notice(f"{path} was scored differently from {first}: other {', '.join(differing)}"))
    humans = [human for saved in reports.values() for human in system_names.humans(saved)]
    results = [result for saved in reports.values() for result in saved.results]
    signed = next((saved.signature for saved in reports.values() if saved.signature), "")
    return Report(results, signed, {"humans": humans})


def _settings(signed: str) -> dict[str, str]:
    """Return the fields of a signature that affect the scores of single evals."""
    skipped = {*facts.OF_DATA, "metrics", "samples", "confidence", "seed"}
    return {name: value for name, value in signature.fields(signed).items() if name not in skipped}
