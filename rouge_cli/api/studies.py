"""The Python API of studies: compare systems, correlate metrics with people, plan,
explain, and write a page.

Modules that need numpy are imported when their study is called, after its settings
were checked and the libraries found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import signature
from rouge_cli.api import score
from rouge_cli.core import EvalTask, Notice, Notify, Report
from rouge_cli.errors import NoticeHandler, UsageError, require
from rouge_cli.metrics import figure
from rouge_cli.options import (
    AnyDialect,
    Metrics,
    TextsOptions,
    whole,
)
from rouge_cli.results import comparison, correlation
from rouge_cli.results.planning import Goal, Planning
from rouge_cli.results.study_settings import LEVEL, SIGNIFICANCE, checked
from rouge_cli.runs import assembly
from rouge_cli.runs.parallel import MOST_JOBS
from rouge_cli.studies import explainers, page_content, selection, setups
from rouge_cli.tasks import containers, judgements, system_names
from rouge_cli.tasks.containers import Table, Text
from rouge_cli.tasks.judgements import Human

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rouge_cli.options import EvalsOptions, PairOptions
    from rouge_cli.results.explanations import Explanations
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.studies.page_html import Html

Saved = Report | Table


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
    significance: float = 0.05,
    level: float | None = None,
    equivalence: float = 0.0,
    over: str = "evals",
    draws: int = 100,
    measure: str = "f",
    humans: Iterable[str] = (),
    clusters: Mapping[str, str] | None = None,
    dialect: AnyDialect | None = None,
    notify: Notify | None = None,
    **options: Unpack[EvalsOptions],
) -> comparison.Comparison:
    """Compare systems by their scores of the same evals, with p-values.

    The other parameters are the options of `rouge-cli compare`, and those of `score` if
    texts are passed.

        >>> systems = {"a": ["x y", "z"], "b": ["x", "u"]}
        >>> scores = rouge_cli.score(systems, ["x y", "z"], samples=0)
        >>> rouge_cli.compare(scores, metrics="ROUGE-1").pairs[0].difference.value
        0.666665

    Args:
        predictions: The texts of several systems, as in `score`; or, without
            `references`, the result of `score`, or saved scores: their path, a data
            frame or records (dicts) with the columns of csv.
        references: The references of these texts, as in `score`.
        metrics: Labels. Add .R, .P or .F to compare by that measure, as in "ROUGE-2.R".
        significance: The level of significance: systems differ if a corrected p is
            below it.
        level: Another name of it.
        equivalence: Also test if systems differ by fewer points (0.01 of a score); 0
            for no such test.
        over: "evals", "references" or "evals,references": what is drawn again to see if
            pairs change order.
        measure: The measure for labels without .R, .P or .F: "recall", "precision" or
            "f".
        humans: The systems that are people.
        clusters: Eval -> its cluster, if evals are not independent. Clusters are
            exchanged and drawn as a whole.

    Raises:
        UsageError: An option is invalid.
        RougeError: The input cannot be scored or compared.
    """
    _refuse_alpha(options, "significance={:g} for the level of the tests")
    plan = checked(
        comparison.Plan(
            baseline=baseline,
            trials=trials,
            seed=seed,
            confidence=confidence,
            correction=correction,
            level=_level(significance, level),
            equivalence=equivalence,
            over=over,
            draws=draws,
        )
    )
    require("comparisons need", "numpy", "threadpoolctl", extra="stats")
    from rouge_cli.studies import significance as tests

    if over != "evals" and references is None:
        _refuse(["over"], "saved scores, which are not scored again")
    source = _Source(predictions, references, dialect, options)
    with NoticeHandler(notify) as handle, selection.one_thread():
        study = selection.Study(
            _columns(metrics), measure, humans, clusters=clusters, baseline=baseline
        )
        signed, scores = _studied(source, study, plan.seed, handle)
        result = tests.compare(scores, plan, handle)._replace(signature=signed)
        if "references" in over:
            result = tests.over_references(result, source.tasks(signed))
        return result


def plan(
    predictions: Saved | Mapping[str, Text | Iterable[Text]],
    references: Text | Iterable[Text] | Iterable[Iterable[Text]] | None = None,
    metrics: Metrics = None,
    *,
    detect: float = 1.0,
    power: float = 0.8,
    significance: float = 0.05,
    level: float | None = None,
    baseline: str | None = None,
    trials: int = 1000,
    seed: int = 0,
    measure: str = "f",
    clusters: Mapping[str, str] | None = None,
    dialect: AnyDialect | None = None,
    notify: Notify | None = None,
    **options: Unpack[EvalsOptions],
) -> Planning:
    """Return how many evals show a difference, and how stable the ranking is.

    The other parameters, and the errors, are those of `compare`.

    Args:
        detect: The difference to find, in points (0.01 of a score).
        power: The probability of finding it.
        significance: The level of significance.
        level: Another name of it.
        trials: The number of subsets of each size, in which the ranking is compared.
    """
    _refuse_alpha(options, "significance={:g} for the level of the tests")
    goal = checked(
        Goal(
            detect=detect,
            power=power,
            level=_level(significance, level),
            baseline=baseline,
            trials=trials,
            seed=seed,
        )
    )
    require("plans need", "numpy", "threadpoolctl", extra="stats")
    from rouge_cli.studies import planning

    source = _Source(predictions, references, dialect, options)
    with NoticeHandler(notify) as handle, selection.one_thread():
        study = selection.Study(
            _columns(metrics), measure, clusters=clusters, baseline=baseline
        )
        signed, scores = _studied(source, study, goal.seed, handle)
        return planning.plan_comparison(scores, goal, handle)._replace(signature=signed)


def correlate(
    scores: Saved | Mapping[str, Text | Iterable[Text]],
    human: Human,
    metrics: Metrics = None,
    *,
    references: Text | Iterable[Text] | Iterable[Iterable[Text]] | None = None,
    human_scores: Iterable[str] = (),
    human_mean: bool = False,
    levels: Iterable[str] | None = None,
    coefficients: Iterable[str] | None = None,
    over: str = "both",
    samples: int = 1000,
    seed: int = 0,
    confidence: float = 95.0,
    measure: str = "f",
    humans: Iterable[str] = (),
    clusters: Mapping[str, str] | None = None,
    id_column: str | None = None,
    system_column: str | None = None,
    encoding: str = "utf-8",
    dialect: AnyDialect | None = None,
    notify: Notify | None = None,
    **options: Unpack[TextsOptions],
) -> correlation.Correlations:
    """Correlate metrics with human scores: Pearson, Spearman, Kendall, or accuracies.

    The other parameters are the options of `rouge-cli correlate`, and those of `score`
    if texts are passed. The errors are those of `compare`.

    Args:
        scores: As in `compare`: texts of several systems, with `references`; or,
            without them, scores.
        human: The human scores: a mapping from system to score; a mapping from system
            to a mapping from eval to score; or a table as for `rouge-cli correlate`:
            its path, a data frame or records.
        metrics, measure, humans, clusters: As in `compare`.
        references: The references of the texts, as in `score`.
        human_scores, id_column, system_column: The columns of the table.
        human_mean: Take the mean of these columns, as of several annotators.
        encoding: Its encoding.
        levels: Of "system", "summary" and "pooled"; all three by default.
        coefficients: Of "pearson", "spearman" and "kendall", all three by default; and
            "accuracy" (of pairs, with tie calibration) and "soft-accuracy".
    """
    _refuse_alpha(options, "confidence=95 for the level of the intervals")
    names = () if levels is None else containers.checked_items(levels, "levels")
    chosen: Sequence[str] = correlation.COEFFICIENTS
    if coefficients is not None:
        chosen = containers.checked_items(coefficients, "coefficients")
    plan = checked(
        correlation.CorrelationPlan(
            levels=names or correlation.LEVELS,
            coefficients=chosen or correlation.COEFFICIENTS,
            over=over,
            samples=samples,
            seed=seed,
            confidence=confidence,
        )
    )
    require("correlations need", "numpy", "scipy", "threadpoolctl", extra="stats")
    from rouge_cli.studies import correlation as correlations

    source = _Source(scores, references, dialect, options)
    with NoticeHandler(notify) as handle, selection.one_thread():
        measures = judgements.of_human(
            human,
            containers.checked_items(human_scores, "human_scores"),
            id_column=id_column,
            system_column=system_column,
            encoding=encoding,
        )
        if human_mean:
            measures = [judgements.mean(measures, handle)]
        study = selection.Study(_columns(metrics), measure, humans, clusters)
        signed, scored = _studied(source, study, None, handle)
        result = correlations.correlate(scored, measures, plan, handle)
        return result._replace(signature=signed)


def report(
    predictions: Text | Iterable[Text] | Mapping[str, Text | Iterable[Text]],
    references: Text | Iterable[Text] | Iterable[Iterable[Text]],
    metrics: Metrics = None,
    *,
    human: Human | None = None,
    scores: Saved | None = None,
    title: str = "ROUGE report",
    baseline: str | None = None,
    over: str = "evals",
    trials: int = 10_000,
    dialect: AnyDialect | None = None,
    notify: Notify | None = None,
    **options: Unpack[EvalsOptions],
) -> Html:
    """Return the page of `rouge-cli report`: a string of HTML with `save(path)`, which
    notebooks show.

    The other parameters are those of `compare`.

    Args:
        human: Human scores, as in `correlate`.
        scores: Scores of other metrics, by eval: a report, or the path of saved scores.
        options: Also `sources`, the texts that were summarized, one per eval.
    """
    require("a page needs", "jinja2", "numpy", "scipy", "threadpoolctl", extra="report")
    from rouge_cli.studies import page, page_html

    columns = _columns(metrics)
    like = signature.signature_of(
        options.pop("like", None), options.pop("recipe", None)
    )
    read_as = assembly.text_format(
        options.pop("read_as", None), signature.stated_facts(like)
    )
    ids = options.pop("ids", None)
    sources = options.pop("sources", None)
    jobs = whole("jobs", options.pop("jobs", 1), 0, MOST_JOBS)
    name, requested = assembly.requested(like, dialect, options)
    if columns:
        requested["metrics"] = [label for label, _ in columns]

    notices: list[Notice] = []
    with NoticeHandler(notify) as handle, selection.one_thread():
        warn = page_content.keeping(notices, handle)
        tasks = containers.tasks(predictions, references, ids, read_as, warn, sources)
        run = assembly.prepared(name, requested, jobs=jobs)
        scored_run, collected = assembly.scored(tasks, run, warn)
        scored = assembly.make_report(scored_run, collected, warn)
        system_names.check([baseline], system_names.of_report(scored))
        shown = scored
        if scores is not None:
            shown = selection.with_saved(scored, selection.of_source(scores), warn)
        content = page_content.Material(
            tasks=tasks,
            run=run,
            report=shown,
            columns=selection.columns(scored, columns, "f"),
            judgements=[] if human is None else judgements.of_human(human),
            plan=checked(comparison.Plan(baseline=baseline, trials=trials, over=over)),
        )
        return page_html.render(page.gather(content, notices, warn), title)


def explain(
    prediction: Text,
    references: Text | Iterable[Text],
    metrics: Metrics = None,
    *,
    source: Text | None = None,
    dialect: AnyDialect | None = None,
    read_as: str | None = None,
    like: str | None = None,
    notify: Notify | None = None,
    **options: Unpack[PairOptions],
) -> Explanations:
    """Explain the scores of one prediction: its matches with the references, and the
    arithmetic.

    The other parameters, and the errors, are those of `score`.

        >>> results = rouge_cli.explain("he swims", "he swam", "R1", stemmer="rouge")
        >>> print(results.to_text())

    Args:
        prediction: One text.
        references: A text, or a list of texts.
        metrics: Labels. By default those of `like`; without it, ROUGE-1, ROUGE-2 and
            ROUGE-L, or the defaults of a dialect other than rouge155.
        source: The text that was summarized, for metrics such as `coverage`.
    """
    _refuse([name for name in options if name in setups.WITHOUT_EFFECT], "one pair")
    name, requested = assembly.requested(like, dialect, options)
    if metrics is not None:
        requested["metrics"] = [label for label, _ in _columns(metrics)]
    read_as = assembly.text_format(read_as, signature.stated_facts(like))
    with NoticeHandler(notify) as handle:
        sources = None if source is None else [source]
        (task,) = containers.tasks(
            [prediction], [references], None, read_as, handle, sources
        )
        (system,) = task.predictions
        return explainers.explain(task, system, name, requested, handle)


class _Source(NamedTuple):
    """What the caller of a study passed: texts, or scores without references."""

    predictions: Any
    references: Any
    dialect: AnyDialect | None
    options: TextsOptions

    def tasks(self, signed: str) -> Sequence[EvalTask]:
        """Return the evals of the texts once more, which were scored with this
        signature.
        """
        stated = signature.stated_facts(signed)
        read_as = assembly.text_format(self.options.get("read_as"), stated)
        ids = self.options.get("ids")
        return containers.tasks(
            self.predictions,
            self.references,
            ids,
            read_as,
            sources=self.options.get("sources"),
        )


def _studied(
    source: _Source, study: selection.Study, seed: int | None, notify: Notify
) -> tuple[str, list[Scores]]:
    """Return the signature and the scores by eval to study.

    Args:
        source: Texts, which are scored, or scores.
        study: What is studied of these scores.
        seed: The seed of averages; None if they are not needed.
    """
    options = source.options
    if source.references is None:
        unused = [*options]
        if source.dialect:
            unused.append("dialect")
        _refuse(unused, "saved scores, which are not scored again")
        report = selection.of_source(source.predictions)
        return report.signature, selection.matrices(report, study, notify)

    unused = [name for name in options if name in selection.UNUSED]
    _refuse(unused, "scores of single evals")
    like = signature.signature_of(options.get("like"), options.get("recipe"))
    name, _ = assembly.requested(like, source.dialect, options)
    report = score(
        source.predictions,
        source.references,
        [label for label, _ in study.columns] or None,
        dialect=source.dialect,
        notify=notify,
        **selection.with_seed(name, options, seed),
    )
    return report.signature, selection.matrices(report, study, notify)


def _columns(metrics: Metrics) -> list[tuple[str, str]]:
    """Return labels as they are passed, each with R, P, F or an empty string."""
    return [figure(name) for name in assembly.metric_labels(metrics)]


def _level(significance: float, level: float | None) -> float:
    """Return the level of significance; raise UsageError if it has two values."""
    if level is None:
        return LEVEL.check("significance", significance)
    if significance not in (SIGNIFICANCE, level):
        raise UsageError(
            "significance and level together, which are the same",
            remedy="pass one of them",
        )
    return LEVEL.check("level", level)


def _refuse_alpha(options: Mapping[str, Any], meant: str) -> None:
    """Raise UsageError for alpha, which changes F, in a function with tests or
    intervals; `meant` is what most people mean, with a place for the value.
    """
    alpha = options.get("alpha")
    if alpha is None:
        return
    number = alpha if isinstance(alpha, int | float) else 0.05
    of_f = "pass the result of rouge_cli.score(..., alpha=...) instead of texts"
    remedy = f"pass {meant.format(number)}; for the weight of precision in F, {of_f}"
    raise UsageError(f"alpha={alpha} changes F, and no test", remedy=remedy)


def _refuse(names: Sequence[str], what: str) -> None:
    if names:
        raise UsageError(f"{names[0]} has no effect on {what}", remedy="leave it out")
