"""Scores for the commands that study scores: read from saved scores, or computed
from texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import click

from rouge_cli import metrics, signature
from rouge_cli.cli import inputs, output, scoring
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    flag,
    option,
    several,
)
from rouge_cli.cli.source_options import SourceOptions
from rouge_cli.core import Notice, Notify, Report, Result, ignore_notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.io.users_files import users_files
from rouge_cli.options import percent
from rouge_cli.results import saved, study_settings
from rouge_cli.results.comparison import Plan
from rouge_cli.results.correlation import LEVELS
from rouge_cli.results.printed import pluralize
from rouge_cli.results.study_settings import SIGNIFICANCE
from rouge_cli.runs import assembly
from rouge_cli.scoring.columns import ids_of
from rouge_cli.studies import selection
from rouge_cli.tasks import judgements, lines, system_names

if TYPE_CHECKING:
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.tasks.judgements import Judgements


def finite(
    _: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    """Return the option's value; raise UsageError unless it is finite."""
    if value is not None and not isfinite(value):
        raise UsageError(f"{parameter.opts[0]} {value}", remedy="give a finite number")
    return value


def in_percent(
    context: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    """Return the option's value; raise UsageError unless it is a level in percent."""
    value = finite(context, parameter, value)
    return None if value is None else percent(value)


def real(
    declaration: str, text: str, default: float, kind: click.ParamType[float]
) -> Any:  # noqa: ANN401 - as `option`
    """Declare a field for a finite real number."""
    return option(declaration, text, default=default, type=kind, callback=finite)


def baseline_option() -> Any:  # noqa: ANN401 - as `option`
    """Declare a field for the system that all others are compared with."""
    return option("--baseline SYSTEM", "Compare only with this system, not all pairs.")


def setting(declaration: str, record: type[Any], name: str, **settings: object) -> Any:  # noqa: ANN401 - as `option`
    """Declare a field for a setting of a study, with its declared help, default and
    range.

    Args:
        declaration: The option's names and the value in help texts.
        record: The record of settings.
        name: The field of the record.
        settings: Settings of `click.option` that differ from the declared ones.
    """
    declared = study_settings.declarations(record)[name]
    settings = {"default": declared.default, **_range_of(declared.kind), **settings}
    return option(declaration, declared.help, **settings)


def _range_of(kind: study_settings.Kind) -> dict[str, object]:
    """Return the settings of `click.option` for the values of a declared setting."""
    if isinstance(kind, study_settings.Whole):
        return {"type": click.IntRange(kind.least, kind.most)}
    if isinstance(kind, study_settings.Percent):
        open_range = click.FloatRange(0, 100, min_open=True, max_open=True)
        return {"type": open_range, "callback": in_percent}
    if isinstance(kind, study_settings.Real):
        end = None if kind.end == study_settings.ENDLESS else kind.end
        numbers = click.FloatRange(
            0, end, min_open=not kind.has_zero, max_open=not kind.has_end
        )
        return {"type": numbers, "callback": finite}
    return {"type": click.Choice(list(kind.names))}


class Level(click.Choice[str]):
    """The level of a correlation, which is no number.

    Args:
        names: The levels.
        option: The option that takes the level of tests or of intervals.
    """

    def __init__(self, names: Iterable[str], option: str) -> None:
        super().__init__(list(names))
        self._option = option

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as in click
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the level; raise UsageError for a number, with the option for it."""
        if isinstance(value, str) and re.fullmatch(r"[0-9]*\.?[0-9]+%?", value):
            what = f"--level {value}, but correlations are of the level"
            raise UsageError(
                f"{what} {', '.join(self.choices)}",
                remedy=f"numbers are for {self._option}",
            )
        return super().convert(value, param, ctx)


def levels(record: type[Any], number: str) -> Any:  # noqa: ANN401 - as `option`
    """Declare a field for the levels of correlations, as a record declares them;
    `number` is the option of the command that takes a number.
    """
    declared = study_settings.declarations(record)["levels"]
    return several("--level NAME", declared.help, type=Level(LEVELS, number))


class SignificanceOptions(OptionGroup):
    """The level of significance.

    It has one name in all commands. `--level` is understood, too, in commands without
    correlations, whose levels have this name.
    """

    significance: float | None = setting(
        "--significance P", Plan, "level", default=None
    )
    level: float | None = setting("--level P", Plan, "level", default=None, hidden=True)

    @property
    def p(self) -> float:
        """The level: p below it is significant; raise UsageError if it is typed under
        both names.
        """
        if self.significance is not None and self.level is not None:
            raise UsageError(
                "--significance and --level together, which are the same",
                remedy="give one of them",
            )
        if self.level is not None:
            return self.level
        return SIGNIFICANCE if self.significance is None else self.significance


def check_alpha(
    scored: scoring.CountingOptions, level: str, *, has_power: bool = False
) -> None:
    """Raise UsageError for --alpha and --beta, which change F.

    In a command with tests or intervals most people mean errors of the first and of the
    second kind.

    Args:
        scored: The options of scoring.
        level: The option for errors of the first kind: --significance or --confidence.
        has_power: True if --power is the option for errors of the second kind.
    """
    if scored.alpha is not None:
        alpha = scored.alpha
        if level == "--confidence":
            percent_of_alpha = 100 * (1 - alpha)
            remedy = f"write {level} {percent_of_alpha:g} for the level of intervals"
        else:
            remedy = f"write {level} {alpha:g} (or --level) for the level of the tests"
        _refuse_weight("--alpha", alpha, remedy, alpha)
    if scored.beta is not None:
        beta = scored.beta
        remedy = f"write --power {1 - beta:g} for errors of the second kind"
        is_probability = has_power and 0 < beta < 1
        weight = 1 / (1 + beta * beta)
        if not is_probability:
            remedy = ""
        _refuse_weight("--beta", beta, remedy, weight)


def _refuse_weight(name: str, value: float, remedy: str, alpha: float) -> None:
    """Raise UsageError for an option that sets alpha, with what may have been meant."""
    of_f = f"--set alpha={alpha:.6g} for the weight of precision in F"
    remedies = f"{remedy}, or {of_f}" if remedy else f"write {of_f}"
    raise UsageError(f"{name} {value:g} changes F, and no test", remedy=remedies)


class DrawOptions(OptionGroup):
    """Options of all studies of scores: the measure, random draws, and the output."""

    conflicts: ClassVar = {
        Conflict.MEASURES_NAMED: "measure",
        Conflict.NO_BOOTSTRAP: "seed cluster",
        Conflict.NO_EVALS_DRAWN: "cluster",
        Conflict.NO_CLUSTER: "cluster_file",
    }
    measure: str = setting("--measure NAME", selection.Study, "measure")
    seed: int = setting("--seed N", Plan, "seed")
    humans: Words = ()  # in commands without --person, nobody
    cluster: str | None = option(
        "--cluster COLUMN", "Column of clusters, such as documents of evals."
    )
    cluster_file: str | None = option(
        "--cluster-file FILE", "Table with that column (default INPUT)."
    )
    output: str | None = option(
        "-o --output FILE", "Write the report to FILE, whole or not at all."
    )


class HumanOptions(OptionGroup):
    """How to read the file of human scores."""

    conflicts: ClassVar = {
        Conflict.NO_HUMAN_SCORES: (
            "measures human_mean human_id_column human_system_column human_encoding"
        )
    }
    measures: Words = several(
        "--human-score NAME", "Column of human scores; repeatable."
    )
    human_mean: bool = flag(
        "--human-mean", "Take the mean of these columns, as of several annotators."
    )
    human_id_column: str | None = option(
        "--human-id-column NAME", "Column of their eval IDs."
    )
    human_system_column: str | None = option(
        "--human-system-column NAME", "Column of their systems."
    )
    human_encoding: str | None = option(
        "--human-encoding NAME", "Their encoding (default UTF-8)."
    )

    def read(
        self,
        path: str,
        encoding: str | None = None,
        ids: str | None = None,
        systems: str | None = None,
        notify: Notify = ignore_notice,
    ) -> list[Judgements]:
        """Return the human scores in a file, with an encoding and columns that
        options may override.
        """
        measures = judgements.read(
            path,
            self.measures,
            id_column=self.human_id_column or ids,
            system_column=self.human_system_column or systems,
            encoding=self.human_encoding or encoding or files.UTF8,
        )
        return [judgements.mean(measures, notify)] if self.human_mean else measures


class StudyOptions(DrawOptions):
    """Options of studies with intervals."""

    conflicts: ClassVar = {
        Conflict.PEOPLE_NOT_MARKED: "humans",
        Conflict.NO_BOOTSTRAP: "confidence",
        Conflict.NO_INTERVALS: "confidence",
    }
    humans: Words = several("--person ID", "System that is a person; repeatable.")
    confidence: float = setting("--confidence PERCENT", Plan, "confidence")


def of_evals(  # noqa: PLR0913 - each is an option of the command
    source: InputOptions,
    scored: scoring.ReferenceOptions,
    options: DrawOptions,
    notices: Notify,
    summarized: SourceOptions,
    *,
    plot: str | None,
    lengths: bool = False,
    human: str | None = None,
    baseline: str | None = None,
) -> tuple[str, list[Scores]]:
    """Return the signature of a command line's inputs, and the scores of their evals by
    metric.

    Args:
        source: The inputs: texts, or saved scores, for which options of scoring are an
            error.
        scored: How texts are scored.
        options: What is studied.
        notices: Receives notices.
        summarized: The texts that were summarized.
        plot: The file of the plot, which must not be an input.
        lengths: Count the lengths of texts, too.
        human: The file of human scores to correlate with. With it, averages are not
            studied, and beside saved scores, options that describe records are about
            this file.
        baseline: The system that all others are compared with.
    """
    Conflict.check({Conflict.NO_CLUSTER: options.cluster is None})
    labels = requested(scored.metrics)
    targets = [options.output, plot]
    others = [human] if human else []
    if are_saved(source):
        of_human = {"id_column", "system_column", "encoding"} if human else ()
        Conflict.check({Conflict.SAVED: True}, of_human)
        output.check_targets(targets, [*source.paths, *others])
        report = read_saved(source.paths, source.systems, source.renames, notices)
        by_eval = clusters(options, source.paths, None, None)
    else:
        request = _request(scored, None if human else options.seed)
        if lengths:
            request = scoring.with_lengths(request)
            labels = list(request.columns)
        read = inputs.read(source, notices, request.expected, source=summarized.source)
        run = scoring.run(request, read.systems)
        summarized.check(run.averages)
        output.check_targets(
            targets,
            [*read.paths(), *users_files(run.options), *others],
            source.folders,
        )
        run, collected = scoring.score_inputs(run, read, request, notices, 1, None)
        # Averages of other measures would be drawn for nothing.
        studied = _measures(labels, options.measure)
        report = assembly.make_report(run, collected, notices, studied)
        by_eval = clusters(options, source.paths, source.id_column, source.encoding)
    study = selection.Study(
        columns=labels,
        measure=options.measure,
        humans=options.humans,
        clusters=by_eval,
        baseline=baseline,
    )
    return report.signature, selection.matrices(report, study, notices)


def _request(scored: scoring.ReferenceOptions, seed: int | None) -> scoring.Request:
    """Return the request to score texts, with the seed of averages; None if averages
    are not studied.
    """
    unused = [*selection.UNUSED]
    if seed is None:
        unused.append("samples")
    scoring.check_settings(scored, unused, "scores of single evals")
    request = scoring.request(scored)
    options = selection.with_seed(request.dialect, request.options, seed)
    return request._replace(options=options)


def _measures(labels: Sequence[tuple[str, str]], usual: str) -> set[str]:
    """Return R, P and F as far as they are studied; `usual` is the measure of labels
    that name none.
    """
    usual_letter = selection.MEASURES[usual]
    if not labels:
        return {usual_letter}
    return {letter or usual_letter for _, letter in labels}


def clusters(
    options: DrawOptions,
    paths: Sequence[str],
    id_column: str | None,
    encoding: str | None,
) -> dict[str, str] | None:
    """Return eval -> its cluster, from a column of the inputs or of a table; None
    without --cluster.

    Raises:
        UsageError: If no file has columns, or stdin would be read twice.
    """
    if options.cluster is None:
        return None
    paths = [options.cluster_file] if options.cluster_file else paths
    remedy = "name the table that has it: --cluster-file FILE"
    if not paths:
        raise UsageError("--cluster with texts that have no columns", remedy=remedy)
    if any(map(files.is_pipe, paths)):
        raise UsageError(
            "--cluster reads INPUT twice, and stdin can be read once",
            remedy="name a file",
        )
    if options.cluster_file is None:
        for path in paths:
            if saved.kind(path) in ("json", "classic"):
                what = "--cluster with saved scores that have no such column"
                raise UsageError(what, remedy=remedy)
    return judgements.read_clusters(
        paths, options.cluster, id_column, encoding or files.UTF8
    )


def requested(labels: Sequence[str]) -> list[tuple[str, str]]:
    """Return labels and their measures; raise UsageError for --measure if every
    label names its measure.
    """
    typed = [metrics.figure(label) for label in scoring.split_labels(labels)]
    Conflict.check(
        {Conflict.MEASURES_NAMED: typed and all(measure for _, measure in typed)}
    )
    return typed


def are_saved(source: InputOptions) -> bool:
    """Return True if all files are saved scores, False if none is; raise UsageError
    for a mixture.
    """
    if source.predictions or source.references:
        inputs.check_stray_words(source)
    inputs.check_paths(source)
    others = [path for path in source.paths if source.kind or not saved.kind(path)]
    if others and len(others) < len(source.paths):
        what = f"{others[0]} does not contain saved scores, unlike other inputs"
        raise UsageError(what, remedy="score it first, with --per-eval")
    return bool(source.paths) and not others


def read_saved(
    paths: Sequence[str], names: Sequence[str], renames: Sequence[str], notices: Notify
) -> Report:
    """Return the saved scores of several files as one report.

    Args:
        paths: The files; two of them may not score a system by the same metric.
        names: The systems, in this order; empty for all.
        renames: OLD=NEW names of systems.
    """
    lines.names(paths)  # raises an error for a file that is named twice
    reports = {path: selection.read_saved(path) for path in paths}
    _check_alike(reports, notices)
    new_names = system_names.new_names(renames)
    old_names = dict.fromkeys(
        result.system for report in reports.values() for result in report.results
    )
    system_names.check_new(new_names, list(old_names))

    results: list[Result] = []
    humans: list[str] = []
    signed = ""
    for report in reports.values():
        for result in report.results:
            system = new_names.get(result.system, result.system)
            results.append(result._replace(system=system))
        for human in system_names.humans(report):
            humans.append(new_names.get(human, human))
        signed = signed or report.signature
    unchecked = []
    for path, report in reports.items():
        if report.details["unchecked"]:
            unchecked.append(f"{files.place(path)}: {report.details['unchecked']}")
    merged = Report(results, signed, {"humans": humans, "unchecked": unchecked})
    if not names:
        return merged
    system_names.check(names, system_names.of_report(merged))
    order = {system: index for index, system in enumerate(names)}
    results = [result for result in results if result.system in order]
    results.sort(key=lambda result: order[result.system])
    return merged._replace(results=results)


def _check_alike(reports: Mapping[str, Report], notices: Notify) -> None:
    """Raise RougeError if two files have the same scores; warn if they were computed
    differently.
    """
    owners: dict[tuple[str, str], str] = {}
    for path, report in reports.items():
        for result in report.results:
            before = owners.setdefault((result.system, result.label), path)
            if before != path:
                what = (
                    f"system {result.system} has scores of {result.label} in"
                    f" {before} too"
                )
                raise RougeError(what, where=path, remedy="rename one of them")
    signed = {}
    for path, report in reports.items():
        if report.signature:
            signed[path] = signature.fields(report.signature)
            _check_number(path, report, signed[path].get("evals", ""), notices)
    # These have no effect on single evals.
    skipped = {*signature.OF_DATA, "metrics", "samples", "confidence", "seed"}
    first = next(iter(signed), "")
    for path, fields in signed.items():
        names = [name for name in {**signed[first], **fields} if name not in skipped]
        differing = [
            name for name in names if signed[first].get(name) != fields.get(name)
        ]
        if differing:
            notices(
                Notice(
                    f"{path} was scored differently from {first}: other"
                    f" {', '.join(differing)}"
                )
            )


def _check_number(path: str, report: Report, stated: str, notices: Notify) -> None:
    """Warn of a file with more or fewer evals than its signature states: it may have
    been cut off, or joined with another.
    """
    ids: set[str] = set()
    for result in report.results:
        ids.update(ids_of(result.evals))
    if stated.isdecimal() and stated != str(len(ids)):
        number = pluralize(len(ids), "eval")
        what = f"scores of {number}, but its signature states {stated:.20}"
        notices(Notice(f"{path}: {what}; the file may be cut off"))
