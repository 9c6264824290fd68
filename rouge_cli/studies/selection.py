"""Selection of the scores to study, from a file or from a run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

from rouge_cli import dialects, plugins, signature
from rouge_cli._version import __version__
from rouge_cli.core import EvalResult, Notice, Notify, Report, Result, Score
from rouge_cli.errors import RougeError, UsageError, shown, suggestion
from rouge_cli.io import files
from rouge_cli.options import Options
from rouge_cli.results import saved
from rouge_cli.results.study_settings import OneOf, checked
from rouge_cli.runs import assembly, consistency
from rouge_cli.scoring.columns import Column, are_scored, ids_of
from rouge_cli.tasks import containers, system_names

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rouge_cli.dialects import DialectRun
    from rouge_cli.results.scores import Results
    from rouge_cli.scoring.columns import Averages
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.tasks.columns import InputRow

MEASURES = {"recall": "R", "precision": "P", "f": "F"}
# Options of dialects that have no effect on scores of single evals.
UNUSED = ("average", "confidence", "seed")
# Options that scores depend on, given counts, and averages, given scores. Setting up a
# run with them opens no file and runs no code that a file names.
_OF_NUMBERS = (
    "metrics",
    "formula",
    "alpha",
    "beta",
    "weight_factor",
    "exclusive",
    "accumulate",
    "average",
    "samples",
    "confidence",
    "seed",
)
_SCORE = "save them: rouge-cli score INPUT --per-eval --format json -o FILE"
_SAVE_AGAIN = "save the scores again: the file was changed since it was written"


_MEASURE = OneOf("Measure if -m names none: f, recall, precision.", MEASURES)


class Study(NamedTuple):
    """The scores to study, as the user chose them."""

    # a label in any spelling; R, P, F or an empty string
    columns: Sequence[tuple[str, str]]
    measure: Annotated[str, _MEASURE] = "f"  # of columns without R, P or F
    humans: Iterable[str] = ()  # systems that are people
    # eval -> its cluster, if evals are not independent
    clusters: Mapping[str, str] | None = None
    baseline: str | None = None


def read_saved(path: str, rows: Sequence[InputRow] | None = None) -> Results:
    """Read saved scores; averages that are not in the file are computed as its
    signature states.

    Args:
        path: The file, or the name of the rows in messages.
        rows: Rows as of csv, which are read instead of a file.

    Raises:
        RougeError: If the file does not contain scores of single evals, or if its
            signature is invalid.

    Returns:
        The report. Its detail `unchecked` says which scores may have been edited; it is
        empty if counts prove all.
    """
    kind = saved.kind(path) if rows is None else "csv"
    if not kind:
        raise RougeError(
            "does not contain saved scores", where=files.place(path), remedy=_SCORE
        )

    report = saved.read(path, kind, rows)
    fields = signature.fields(report.signature)
    dialect = fields.get("dialect", "")
    place = files.place(path)
    if not report.results:
        raise RougeError("no scores in it", where=place, remedy=_SCORE)
    if not plugins.is_known(dialects.__name__, dialect):
        is_original = kind == "classic"  # its F is the mean of F
        means = Score._fields if is_original else Score._fields[:2]
        _check(report, place, partial(consistency.wrong_mean, measures=means))
        return _with_unchecked(
            report, "scores not checked against counts: no signature of a known dialect"
        )
    program = dialects.named(dialect)
    requested = {
        name: fields[name]
        for name in _OF_NUMBERS
        if name in program.defaults and name in fields
    }
    try:
        run = assembly.set_up(dialect, requested, None).averages
        # Tables lack the matches of the prediction, if these are others.
        measures = ("recall",) if kind in {"csv", "tsv"} else Score._fields
        _check_results(report, place, run, measures)
        averages = _averages(report, run, fields)
        scored = [(result.label, result.evals) for result in report.results]
        labels = consistency.undetermined(scored, run, fields)
    except UsageError as error:
        # The error is in the file, not in the command line.
        raise RougeError(error.what, where=place, remedy=error.remedy) from None

    report = _with_unchecked(report, _unchecked(labels, measures))
    if kind == "json":
        _check_averages(report, place, run, averages)
        return report
    results = []
    for result in report.results:
        average = averages.get((result.system, result.label), result.average)
        results.append(result._replace(average=average))
    return report._replace(results=results)


def _unchecked(labels: Sequence[str], measures: Sequence[str]) -> str:
    """Return which scores were not compared with counts; empty if all were.

    Args:
        labels: The metrics whose counts do not determine scores.
        measures: The measures that were compared under the other metrics.
    """
    if labels:
        what = f"scores of {shown(labels)} not checked against counts"
        return f"{what}, which do not determine them"
    if len(measures) < len(Score._fields):
        return "precision and F of a table not checked against counts"
    return ""


def _with_unchecked(report: Results, unchecked: str) -> Results:
    return report._replace(details={**report.details, "unchecked": unchecked})


def _averages(report: Results, run: DialectRun, fields: Mapping[str, str]) -> Averages:
    """Return the averages that the run computes from the scores of evals, or from their
    counts.

    Args:
        fields: The fields of the report's signature.
    """
    is_micro = fields.get("average") == "micro"
    columns = {}
    for result in report.results:
        is_of_run = not _needs_labels(fields) or result.label in run.labels
        is_averaged = is_micro or not result.evals or are_scored(result.evals)
        if is_of_run and is_averaged:
            evals = result.evals
            column = evals if isinstance(evals, Column) else Column(evals)
            columns[result.system, result.label] = column
    return run.average(columns) if columns else {}


def _needs_labels(fields: Mapping[str, str]) -> bool:
    """Return True if the dialect of a signature computes an average F by the formula of
    a label, which it must know.
    """
    return dialects.named(fields["dialect"]).averages_f_of_means


def _check_results(
    report: Results, place: str, run: DialectRun, measures: Sequence[str]
) -> None:
    """Raise RougeError for counts of an eval that contradict themselves or one of
    these measures.
    """
    fields = signature.fields(report.signature)
    for result in report.results:
        for entry in result.evals:
            wrong = consistency.wrong_result(entry, result.label, run, fields, measures)
            if wrong:
                what = f"eval {entry.eval_id} of system {result.system} under"
                raise RougeError(
                    f"{what} {result.label}: {wrong}", where=place, remedy=_SAVE_AGAIN
                )


def _check_averages(
    report: Results, place: str, run: DialectRun, averages: Averages
) -> None:
    """Raise RougeError for an average that is not what its evals give.

    Another version of the program, and a part of the metrics, may have had other draws
    of evals; then the average must be between the scores.
    """
    fields = signature.fields(report.signature)
    by_system: dict[str, list[str]] = {}
    for result in report.results:
        by_system.setdefault(result.system, []).append(result.label)
    is_same_version = fields.get("version") == __version__

    def wrong(result: Result) -> str:
        expected = averages.get((result.system, result.label))
        is_whole = by_system[result.system] == list(run.labels)
        if is_same_version and is_whole and expected is not None:
            return consistency.wrong_average(result.average, expected)
        if fields.get("average") == "micro":
            return ""
        return consistency.wrong_mean(result, ("recall", "precision"))

    _check(report, place, wrong)


def _check(report: Results, place: str, wrong: Callable[[Result], str]) -> None:
    """Raise RougeError for a result with something wrong, or with totals that are not
    sums.
    """
    for result in report.results:
        what = wrong(result) or consistency.wrong_total(result)
        if what:
            raise RougeError(
                f"system {result.system}, {result.label}: {what}",
                where=place,
                remedy=_SAVE_AGAIN,
            )


def with_seed(dialect: str, options: Mapping[str, object], seed: int | None) -> Options:
    """Return the options with the seed of averages, unless it is 0 or the dialect has
    no random draws.

    None is for a study of scores alone: averages have no samples.
    """
    draws: Options = {}
    if seed is None:
        draws = {"samples": 0}
    elif seed:
        draws = {"seed": seed}
    declared = dialects.named(dialect).defaults
    applicable = {name: value for name, value in draws.items() if name in declared}
    return {**options, **applicable}


def columns(
    report: Report, chosen: Sequence[tuple[str, str]], measure: str
) -> list[tuple[str, str]]:
    """Return the columns to study, pairs of a label and R, P or F; all labels if none
    is chosen.

    Args:
        chosen: Pairs of a label, in any spelling, and R, P, F or an empty string for
            the default measure.

    Raises:
        UsageError: If the report does not have a label.
        RougeError: If the report has no labels.
    """
    labels = list(dict.fromkeys(result.label for result in report.results))
    if not labels:
        raise RougeError("no scores in the input")
    if not chosen:
        chosen = [(label, "") for label in labels]

    studied = []
    for name, letter in chosen:
        label = name
        if name not in labels:
            # Try it in the spelling of the dialect that the scores were made with.
            fields = signature.fields(report.signature)
            dialect = fields.get("dialect", dialects.DEFAULT)
            label = dialects.named(dialect).parse(name)
        if label not in labels:
            raise UsageError(
                f"no {name} among the scores", remedy=suggestion(name, labels)
            )
        studied.append((label, letter or MEASURES[measure]))
    return list(dict.fromkeys(studied))


def with_saved(report: Results, other: Report, notify: Notify) -> Results:
    """Return the report with saved scores of other metrics, for the systems and evals
    that it has.

    Raises:
        RougeError: If a metric has scores in both, or if no saved score is of one of
            these evals.
    """
    labels = {result.label for result in report.results}
    systems = {result.system for result in report.results}
    evals: set[str] = set()
    for result in report.results:
        evals.update(ids_of(result.evals))

    added = []
    left_out = 0
    for result in other.results:
        if result.label in labels:
            raise RougeError(
                f"{result.label} is scored and saved",
                remedy="rename it in the saved scores",
            )
        shared: list[EvalResult] = []
        if result.system in systems:
            shared = [entry for entry in result.evals if entry.eval_id in evals]
        left_out += len(result.evals) - len(shared)
        if shared:
            average = result.average
            if len(shared) < len(result.evals):
                average = saved.average_of(shared, ())
            added.append(result._replace(evals=shared, average=average))

    if not added:
        remedy = "name systems and evals as the texts do"
        raise RougeError(
            "no saved score is of a system and an eval of the texts", remedy=remedy
        )
    if left_out:
        notify(
            Notice(
                f"{left_out} saved scores are of systems or evals without texts, and"
                " left out"
            )
        )
    return report._replace(results=[*report.results, *added])


def one_thread() -> AbstractContextManager[object]:
    """Run numpy on one thread in this context, since the last digits depend on the
    number of threads.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1, "blas")
    return limits


def of_source(source: object) -> Report:
    """Return a report unchanged, or read it from saved scores: a path, a data frame
    or records.
    """
    if isinstance(source, Report):
        return source
    if isinstance(source, str | os.PathLike):
        report = read_saved(os.fspath(source))
    else:
        rows = containers.rows(source)
        if rows is None:
            remedy = (
                "pass the result of rouge_cli.score, or saved scores: a path, a data"
                " frame or records"
            )
            what = f"expected scores, got {type(source).__name__}"
            raise UsageError(what, remedy=f"{remedy}; texts need references")
        report = read_saved("scores", rows)
    return report._replace(details={"humans": system_names.humans(report)})


def matrices(report: Report, study: Study, notify: Notify) -> list[Scores]:
    """Return the scores of single evals that are studied, by column."""
    from rouge_cli.studies import matrix

    people = containers.checked_items(study.humans, "humans")
    system_names.check([study.baseline, *people], system_names.of_report(report))
    study = checked(study)
    chosen = columns(report, study.columns, study.measure)
    by_eval = None
    if study.clusters is not None:
        by_eval = {
            str(eval_id): str(cluster) for eval_id, cluster in study.clusters.items()
        }
    return matrix.of_report(report, chosen, people, notify, by_eval)
