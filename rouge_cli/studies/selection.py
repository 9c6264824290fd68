"""Selection of the scores to study, from a file or from a run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import dialects, plugins, signature
from rouge_cli.core import Notice, Notify, Report
from rouge_cli.errors import RougeError, UsageError, suggestion
from rouge_cli.io import files
from rouge_cli.options import Options, choice
from rouge_cli.results import saved
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
_OF_AVERAGES = (
    "alpha",
    "samples",
    "confidence",
    "seed",
)  # options that averages depend on


class Study(NamedTuple):
    """The scores to study, as the user chose them."""

    columns: Sequence[
        tuple[str, str]
    ]  # a label in any spelling; R, P, F or an empty string
    measure: str  # of columns without R, P or F
    humans: Iterable[str] = ()  # systems that are people
    clusters: Mapping[str, str] | None = (
        None  # eval -> its cluster, if evals are not independent
    )
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
    columns = {
        result[:2]: (
            result.evals if isinstance(result.evals, Column) else Column(result.evals)
        )
        for result in report.results
        if are_scored(result.evals)
    }
    try:
        averages = assembly.set_up(dialect, requested, None).averages.average(columns)
    except UsageError as error:  # the error is in the file, not in the command line
        raise RougeError(
            error.what, where=files.place(path), remedy=error.remedy
        ) from None
    results = [
        row._replace(average=averages.get(row[:2], row.average))
        for row in report.results
    ]
    return report._replace(results=results)


def with_seed(dialect: str, options: Mapping[str, object], seed: int | None) -> Options:
    """Return the options with the seed of averages, unless it is 0 or the dialect has
    no random draws.

    None is for a study of scores alone: averages have no samples.
    """
    draws = {"samples": 0} if seed is None else {"seed": seed} if seed else {}
    return {
        **options,
        **{
            name: draws[name]
            for name in draws.keys() & dialects.named(dialect).defaults
        },
    }


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
    studied = []
    for name, letter in chosen or [(label, "") for label in labels]:
        label = name
        if (
            name not in labels
        ):  # try it in the spelling of the dialect that the scores were made with
            dialect = signature.fields(report.signature).get(
                "dialect", dialects.DEFAULT
            )
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
    labels, systems = ({result[place] for result in report.results} for place in (1, 0))
    evals = {eval_id for result in report.results for eval_id in ids_of(result.evals)}
    added, others = [], 0
    for result in other.results:
        if result.label in labels:
            raise RougeError(
                f"{result.label} is scored and saved",
                remedy="rename it in the saved scores",
            )
        kept = [
            entry
            for entry in result.evals
            if entry.eval_id in evals and result.system in systems
        ]
        others += len(result.evals) - len(kept)
        if kept:
            average = (
                result.average
                if len(kept) == len(result.evals)
                else saved.average_of(kept, ())
            )
            added.append(result._replace(evals=kept, average=average))
    if not added:
        remedy = "name systems and evals as the texts do"
        raise RougeError(
            "no saved score is of a system and an eval of the texts", remedy=remedy
        )
    if others:
        notify(
            Notice(
                f"{others} saved scores are of systems or evals without texts, and"
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
    elif (rows := containers.rows(source)) is not None:
        report = read_saved("scores", rows)
    else:
        remedy = (
            "pass the result of rouge_cli.score, or saved scores: a path, a data frame"
            " or records"
        )
        what = f"expected scores, got {type(source).__name__}"
        raise UsageError(what, remedy=f"{remedy}; texts need references")
    return report._replace(details={"humans": system_names.humans(report)})


def matrices(report: Report, study: Study, notify: Notify) -> list[Scores]:
    """Return the scores of single evals that are studied, by column."""
    from rouge_cli.studies import matrix

    people = containers.checked_items(study.humans, "humans")
    system_names.check([study.baseline, *people], system_names.of_report(report))
    chosen = columns(report, study.columns, choice("measure", study.measure, MEASURES))
    clusters = study.clusters
    by_eval = (
        None
        if clusters is None
        else {str(key): str(value) for key, value in clusters.items()}
    )
    return matrix.of_report(report, chosen, people, notify, by_eval)
