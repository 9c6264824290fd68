"""Studies of scores for Python programs: `rouge_cli.compare`, `correlate` and `explain`.

The numbers equal the commands', to the last digit, and come from the same code.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rouge_cli import api, metrics
from rouge_cli.core import Report
from rouge_cli.errors import UsageError, require
from rouge_cli.options import brief, inside, labels, percent, whole
from rouge_cli.results import comparison, correlation
from rouge_cli.signature import facts, recipes
from rouge_cli.studies import selection, setups
from rouge_cli.tasks import containers, judgements, systems

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from rouge_cli.api import Text
    from rouge_cli.core import Notify
    from rouge_cli.results.comparison import Comparison
    from rouge_cli.results.correlation import Correlations
    from rouge_cli.results.explanations import Explanations
    from rouge_cli.tasks.judgements import Judgements

    Metrics = Iterable[str] | str | None
    Saved = Report | str | os.PathLike[str]
    # System -> its score, or eval -> score.
    Human = Mapping[str, float | Mapping[str, float]]

_TRIALS, _SAMPLES = 1_000_000, 1_000_000  # maxima


def compare(
    peers: Saved | Mapping[str, Text | Iterable[Text]],
    models: Text | Iterable[Text] | Iterable[Iterable[Text]] | None = None,
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
    dialect: str | None = None,
    notify: Notify | None = None,
    **options: Any,  # noqa: ANN401 - any dialect's
) -> Comparison:
    """Compare systems by their scores of the same evals, with p-values.

    peers and models: the texts of several systems, as in `score`. Without models, peers is the result of
    `score`, or the path of saved scores. metrics: labels; add .R, .P or .F to compare by another figure
    than `measure` (recall, precision or f), as in "ROUGE-2.R". humans: the systems that are people.

    The other parameters are the options of `rouge-cli compare`, and of `score` if there are models.

        >>> scores = rouge_cli.score({"a": ["x y", "z"], "b": ["x", "u"]}, ["x y", "z"], samples=0)
        >>> rouge_cli.compare(scores, metrics="ROUGE-1").pairs[0].difference.value
        0.666665

    Raises RougeError (UsageError for invalid options).
    """
    plan = comparison.Plan(
        baseline=baseline,
        trials=whole("trials", trials, 1, _TRIALS),
        seed=whole("seed", seed, 0),
        confidence=percent(inside("confidence", confidence, 100)),
        correction=_one_of("correction", correction, comparison.METHODS),
        level=inside("level", level, 1, closed=True),
    )
    require("comparisons need", "numpy", "threadpoolctl", extra="stats")
    with api.NoticeHandler(notify) as handle:
        columns = _columns(metrics)
        if models is not None:
            _refuse([name for name in options if name in selection.UNUSED], "scores of single evals")
            labels_of = [label for label, _ in columns] or None
            like = recipes.signature_of(options.get("like"), options.get("recipe"))
            drawing = dialect or api.with_signed(like, options)[0]
            options = selection.with_seed(drawing, options, plan.seed)
            report: Report = api.score(peers, models, labels_of, dialect=dialect, notify=handle, **options)  # type: ignore[arg-type]
        else:
            named = [*options, *(["dialect"] if dialect else [])]
            _refuse(named, "saved scores, which are not scored again")
            report = _saved_report(peers)
        from rouge_cli.studies import matrix
        from rouge_cli.studies.significance import compare as compare_scores

        systems.check([baseline], systems.of_report(report))
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

    scores: the result of `score`, or the path of saved scores. human: the path of a table, as for
    `rouge-cli correlate`; a mapping from system to score; or a mapping from system to eval to score.
    human_scores, id_column, system_column, encoding: the columns and the encoding of the table.
    levels: system, summary or pooled; all three by default. metrics, measure, humans: as in `compare`.

    The other parameters are the options of `rouge-cli correlate`.

    Raises RougeError (UsageError for invalid options).
    """
    all_levels = correlation.LEVELS
    chosen = () if levels is None else containers.checked_items(levels, "levels")
    plan = correlation.CorrelationPlan(
        levels=tuple(_one_of("levels", level, all_levels) for level in chosen) or all_levels,
        over=_one_of("over", over, correlation.RESAMPLED),
        samples=whole("samples", samples, 0, _SAMPLES),
        seed=whole("seed", seed, 0),
        confidence=percent(inside("confidence", confidence, 100)),
    )
    require("correlations need", "numpy", "scipy", "threadpoolctl", extra="stats")
    with api.NoticeHandler(notify) as handle:
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
            columns_of = {"id_column": id_column, "system_column": system_column, "encoding": encoding}
            measures = judgements.read(os.fspath(human), names, **columns_of)  # type: ignore[arg-type]
        columns = selection.columns(
            report, _columns(metrics), _one_of("measure", measure, selection.MEASURES)
        )
        with _one_thread():
            result = correlate_scores(
                matrix.of_report(report, columns, people, handle), measures, plan, handle
            )
    return result._replace(signature=report.signature)


def explain(
    peer: Text,
    models: Text | Iterable[Text],
    metrics: Metrics = None,
    *,
    dialect: str | None = None,
    read_as: str | None = None,
    like: str | None = None,
    notify: Notify | None = None,
    **options: Any,  # noqa: ANN401 - any dialect's
) -> Explanations:
    """Explain the scores of a text: its matches with the models, and the arithmetic.

    peer, models, dialect, read_as, like and options: as in `score`, but for one eval; a list of models
    belongs to it. metrics: labels; by default those of `like`, or else ROUGE-1, ROUGE-2 and
    ROUGE-L (of another dialect: its defaults).

        >>> print(rouge_cli.explain("he swims", "he swam", "ROUGE-1", stemmer="rouge").to_text())

    Raises RougeError (UsageError for invalid options).
    """
    _refuse([name for name in options if name in setups.WITHOUT_EFFECT], "one pair")
    if metrics is not None:
        options = {**options, "metrics": [label for label, _ in _columns(metrics)]}
    signed_dialect, options = api.with_signed(like, options)
    read_as = api.text_format(read_as, {} if like is None else facts.stated_facts(like))
    (task,) = containers.tasks([peer], [models], None, read_as)
    (peer_id,) = task.peers
    with api.NoticeHandler(notify) as handle:
        return setups.explain(task, peer_id, dialect or signed_dialect, options, handle)


def _columns(words: Metrics) -> list[tuple[str, str]]:
    """Return each metric as its label and its figure, an empty text if it names none."""
    if words is None:
        return []
    named = labels(words) if isinstance(words, str) else containers.checked_items(words, "metrics")
    return [metrics.figure(name) for name in named]


def _saved_report(source: object) -> Report:
    """Return a report, or read saved scores."""
    if isinstance(source, Report):
        return source
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        report = selection.read_saved(path)
        return report._replace(details={"humans": selection.humans(report)})
    raise UsageError(
        f"no scores but {type(source).__name__}",
        remedy="pass the result of rouge_cli.score, or the path of saved scores; texts need models as well",
    )


def _people(humans: Iterable[str], report: Report) -> list[str]:
    named = containers.checked_items(humans, "humans")
    systems.check(named, systems.of_report(report))
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
