"""Selection of the scores to study, from a file or from a run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

from rouge_cli import dialects, plugins, signature
from rouge_cli.core import EvalResult, Notice, Notify, Report
from rouge_cli.errors import RougeError, UsageError, suggestion
from rouge_cli.io import files
from rouge_cli.options import Options
from rouge_cli.results import saved
from rouge_cli.results.study_settings import OneOf, checked
from rouge_cli.runs import assembly
from rouge_cli.scoring.columns import Column, are_scored, ids_of
from rouge_cli.tasks import containers, system_names

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rouge_cli.results.scores import Results
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.tasks.columns import InputRow

MEASURES = {"recall": "R", "precision": "P", "f": "F"}
# Options of dialects that have no effect on scores of single evals.
UNUSED = ("average", "confidence", "seed")
# Options that averages depend on.
_OF_AVERAGES = ("alpha", "samples", "confidence", "seed")


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
    """
    kind = saved.kind(path) if rows is None else "csv"
    if not kind:
        remedy = "save them: rouge-cli score INPUT --per-eval --format json -o FILE"
        raise RougeError(
            "does not contain saved scores", where=files.place(path), remedy=remedy
        )

    report = saved.read(path, kind, rows)
    fields = signature.fields(report.signature)
    dialect = fields.get("dialect", "")
    if kind not in {"jsonl", "csv", "tsv"} or not plugins.is_known(
        dialects.__name__, dialect
    ):
        return report
    program = dialects.named(dialect)
    requested = {
        name: fields[name]
        for name in _OF_AVERAGES
        if name in program.defaults and name in fields
    }
    columns = {}
    for result in report.results:
        if are_scored(result.evals):
            evals = result.evals
            column = evals if isinstance(evals, Column) else Column(evals)
            columns[result.system, result.label] = column
    try:
        averages = assembly.set_up(dialect, requested, None).averages.average(columns)
    except UsageError as error:
        # The error is in the file, not in the command line.
        raise RougeError(
            error.what, where=files.place(path), remedy=error.remedy
        ) from None

    results = []
    for result in report.results:
        average = averages.get((result.system, result.label), result.average)
        results.append(result._replace(average=average))
    return report._replace(results=results)


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
