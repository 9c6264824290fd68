"""Sweep over variants of ROUGE: which correlates best with people, and which are as
good.

Lin (2004, "Looking for a few good metrics") and Graham (2015, "Re-evaluating automatic
summarization with BLEU and 192 shades of ROUGE") score the same texts in every
combination of metric, measure, stemming, stop words and references. Texts are scored
once for each combination that changes counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import isnan, nan
from typing import NamedTuple

from rouge_cli import dialects
from rouge_cli.core import EvalTask, Notify, Report, once
from rouge_cli.errors import NoticeHandler, UsageError, require, suggestion
from rouge_cli.options import Options
from rouge_cli.results.correlation import (
    Points,
    Sweep,
    SweepPlan,
    Variant,
)
from rouge_cli.results.study_settings import checked
from rouge_cli.runs import assembly
from rouge_cli.scoring.columns import scores_of
from rouge_cli.studies import eval_texts, selection, setups
from rouge_cli.studies.setups import Alternative, Combination, combinations
from rouge_cli.tasks import containers, judgements
from rouge_cli.tasks.judgements import Judgements
from rouge_cli.text import tokenizers

Grid = Mapping[str, Sequence[str]]  # what a sweep varies -> its values
# Values of the grid, and the scores of all metrics.
Scored = tuple[Mapping[str, str], Report]
Texts = Iterable[str | Iterable[str]]
Tokenizer = Callable[[str], Iterable[str]]  # returns the tokens of a string

# What a sweep varies besides options of the dialect.
METRIC = "metric"
MEASURE = "measure"
STEM = "stem"
STOP = "stop"
REFERENCES = "references"
ALL = "all"
_YES_NO = ("yes", "no")
# The metrics of Graham (2015).
_ALL_METRICS = (
    "ROUGE-1",
    "ROUGE-2",
    "ROUGE-3",
    "ROUGE-4",
    "ROUGE-L",
    "ROUGE-W-1.2",
    "ROUGE-S4",
    "ROUGE-SU4",
)


class Tried(NamedTuple):
    """The scores of a variant, by the metric and by people."""

    settings: Mapping[str, str]  # what the grid varies -> the variant's value
    signature: str
    points: Points


def sweep(  # noqa: PLR0913 - each is an option of the command
    predictions: Mapping[str, Texts] | Report | containers.Table,
    references: Texts | Iterable[Iterable[str | Iterable[str]]] | None = None,
    *,
    human: judgements.Human,
    grid: str | Mapping[str, Iterable[str | Tokenizer]] = "",
    dialect: str = dialects.DEFAULT,
    ids: Iterable[str | int] | None = None,
    human_scores: Iterable[str] = (),
    human_mean: bool = False,
    levels: Iterable[str] = ("system",),
    coefficient: str = "pearson",
    permute: str = "both",
    trials: int = 1000,
    seed: int = 0,
    significance: float = 0.05,
    notify: Notify | None = None,
) -> Sweep:
    """Score texts in every variant of a grid, and rank the variants by their
    correlation with people.

    The other parameters are the options of `rouge-cli sweep`.

        >>> grid = "metric=all,stem=yes|no"
        >>> rouge_cli.sweep(predictions, references, human="human.csv", grid=grid)

    Args:
        predictions: The texts of several systems, as in `score`; or, without
            `references`, the result of `score`, or saved scores: their path, a data
            frame or records.
        references: The references of these texts, as in `score`.
        human: The human scores, as in `correlate`.
        grid: What varies, and its values: as on the command line, or a mapping, in
            which a tokenizer may be a function.
        human_mean: Take the mean of the columns of human scores, as of several
            annotators.
        ids: The IDs of the evals in the human scores, by default 1, 2, ...

    Raises:
        UsageError: An option is invalid.
        RougeError: The input cannot be scored or correlated.
    """
    axes = parse_grid(grid)
    names = containers.checked_items(levels, "levels")
    empty = [f"grid {axis}" for axis, values in axes.items() if not values]
    if not names:
        empty.append("levels")
    if empty:
        raise UsageError(
            f"{empty[0]} without a value", remedy="name one or more, or leave it out"
        )
    plan = checked(
        SweepPlan(
            levels=names,
            coefficient=coefficient,
            permute=permute,
            trials=trials,
            seed=seed,
            significance=significance,
        )
    )
    require("sweeps need", "numpy", "scipy", extra="stats")
    measures = judgements.of_human(
        human, containers.checked_items(human_scores, "human_scores")
    )
    with NoticeHandler(notify) as handle:
        if human_mean:
            measures = [judgements.mean(measures, handle)]
        source: Report | tuple[Sequence[EvalTask], str]
        if references is None:
            source = selection.of_source(predictions)
        else:
            tasks = containers.tasks(predictions, references, ids, notify=handle)
            source = (tasks, dialect)
        scored, varied = score(source, axes, handle)
        return rank(scored, varied, measures, plan, handle)


def parse_grid(text: str | Mapping[str, Iterable[str | Tokenizer]]) -> Grid:
    """Parse `metric=all,stem=yes|no`, or check a mapping; raise UsageError for
    another form.
    """
    grid: dict[str, Sequence[str]] = {}
    if isinstance(text, Mapping):
        for name, items in text.items():
            listed = containers.checked_items(items, f"grid {name}")
            if name == "tokenizer":
                listed = [tokenizers.of_caller(value) for value in listed]
            grid[name] = listed
        return grid

    if not isinstance(text, str):
        raise UsageError(
            f"grid is {text!r}", remedy="give a string or a mapping, as in stem=yes|no"
        )
    if not text:
        return grid
    for axis in text.split(","):
        name, _, values = axis.partition("=")
        if not name or not all(values.split("|")) or name in grid:
            remedy = (
                "write NAME=VALUE|VALUE, as in stem=yes|no,measure=r|f, each name once"
            )
            raise UsageError(f"grid {axis!r}", remedy=remedy)
        grid[name] = list(dict.fromkeys(values.split("|")))
    return grid


def usual_grid(name: str) -> Grid:
    """Return the grid of Graham (2015), as far as the dialect has its options."""
    dialect = dialects.named(name)
    grid: dict[str, Sequence[str]] = {}
    if dialect.stemmer:
        grid[STEM] = _YES_NO
    if dialect.stop_list:
        grid[STOP] = _YES_NO
    grid[MEASURE] = "rpf"
    return grid


def of_grid(grid: Grid, name: str) -> Iterator[Combination]:
    """Yield every set-up of a grid for a dialect.

    Raises:
        UsageError: If the dialect does not have an option, or if an option has no
            effect on single evals.
    """
    axes = {}
    for axis, values in grid.items():
        if axis not in (METRIC, MEASURE):
            axes[axis] = _alternatives_of(axis, values, name)
    usual = _usual_options(grid, name)
    for combination in combinations(axes):
        yield combination._replace(options={**usual, **combination.options})


def _usual_options(grid: Grid, name: str) -> Options:
    """Return the options of all set-ups of a grid: the metrics, without resampling."""
    declared = dialects.named(name).defaults
    all_labels = declared["metrics"]
    if name == dialects.DEFAULT:
        all_labels = _ALL_METRICS
    labels: list[str] = []
    for metric in grid.get(METRIC, [ALL]):
        if metric == ALL:
            labels += all_labels
        else:
            labels.append(metric)

    options: Options = {}
    if "metrics" in declared:
        options["metrics"] = list(dict.fromkeys(labels))
    if "samples" in declared:
        options["samples"] = 0
    return options


def _alternatives_of(
    axis: str, values: Sequence[str], dialect: str
) -> list[Alternative]:
    """Return the values of an axis with their options.

    Raises:
        UsageError: If the dialect does not have what the axis varies, or if a value is
            unknown.
    """
    # Axes with words of their own.
    own: dict[str, Sequence[Alternative]] = {
        STEM: setups.stem_alternatives(dialect),
        STOP: setups.stop_alternatives(dialect),
        REFERENCES: [Alternative("1", {}), Alternative(ALL, {})],
    }
    if axis in own:
        return _own_alternatives(axis, values, own[axis], dialect)

    unused = (*setups.WITHOUT_EFFECT, "metrics")
    known = list(own)
    for option in dialects.named(dialect).defaults:
        if option not in unused:
            known.append(option)
    if axis not in known:
        remedy = suggestion(axis, [METRIC, MEASURE, *known])
        raise UsageError(f"unknown {axis!r} in the grid", remedy=remedy)
    return [Alternative(value, {axis: value}) for value in values]


def _own_alternatives(
    axis: str, values: Sequence[str], alternatives: Sequence[Alternative], dialect: str
) -> list[Alternative]:
    """Return the alternatives with these names; raise UsageError if one is unknown, or
    if the dialect does not have what the axis varies.
    """
    by_name = {alternative.name: alternative for alternative in alternatives}
    for value in values:
        if value not in by_name:
            raise UsageError(
                f"grid {axis}={value}", remedy=f"use {' or '.join(by_name)}"
            )
    for alternative in alternatives:
        if not all(alternative.options.values()):
            raise UsageError(
                f"grid {axis}, which dialect {dialect} does not have",
                remedy="leave it out",
            )
    return [by_name[value] for value in values]


def score(
    source: Report | tuple[Sequence[EvalTask], str],
    grid: Grid,
    notify: Notify,
    watch: Callable[[Iterable[Scored]], Iterable[Scored]] = iter,
) -> tuple[list[Scored], Grid]:
    """Score texts in every set-up of a grid; return the scores, and what varies.

    Args:
        source: Saved scores, or tasks, which must be in memory, and their dialect.
        grid: What varies; empty for the usual grid of texts, and for all measures of
            saved scores.
        watch: Yields the scores of each way to count as they are done, to show
            progress.

    Raises:
        UsageError: If an option or a metric is not of the dialect, or if the grid
            varies how saved scores are counted.
    """
    if not isinstance(source, Report):
        tasks, dialect = source
        grid = grid or usual_grid(dialect)
        scored = watch(_scored(tasks, dialect, grid, once(notify)))
        return list(scored), grid

    if not grid:
        grid = {MEASURE: _scored_measures(source)}
    others = [name for name in grid if name not in (METRIC, MEASURE)]
    if others:
        what = f"grid {others[0]} with saved scores, which are not scored again"
        raise UsageError(what, remedy="leave it out, or name the texts")
    return [({}, source)], grid


def _scored_measures(report: Report) -> list[str]:
    """Return the measures by which a result has a score."""
    measures = []
    for index, measure in enumerate(selection.MEASURES):
        for result in report.results:
            if not all(map(isnan, scores_of(result.evals, index))):
                measures.append(measure)
                break
    return measures


def _scored(
    tasks: Sequence[EvalTask], dialect: str, grid: Grid, notify: Notify
) -> Iterator[Scored]:
    """Yield the scores of texts in every set-up of a grid."""
    evals = eval_texts.count_evals(tasks, notify)
    for setup in of_grid(grid, dialect):
        counted = tasks
        if setup.values.get(REFERENCES) == "1":
            counted = [task._replace(references=task.references[:1]) for task in tasks]
        run = assembly.prepared(dialect, setup.options)
        run, results = assembly.scored(counted, run, notify)
        report = assembly.make_report(run, results._replace(evals=evals), notify)
        yield setup.values, report


def rank(
    scored: Sequence[Scored],
    grid: Grid,
    human: Sequence[Judgements],
    plan: SweepPlan,
    notify: Notify,
) -> Sweep:
    """Correlate every metric and measure with every human measure, and test the
    variants.

    See `points_of` and `levels_of` for errors.
    """
    from rouge_cli.studies import correlation, matrix

    notify = once(notify)
    matrices = []
    for values, report in scored:
        columns = _columns(grid, report)
        by_column = matrix.of_report(report, columns, (), notify)
        for (label, letter), scores in zip(columns, by_column, strict=True):
            settings = {METRIC: label, **values, MEASURE: letter}
            matrices.append((settings, report.signature, scores))

    variants: list[Variant] = []
    for measure in human:
        tried = []
        for settings, signed, scores in matrices:
            points = correlation.points_of(scores, measure, notify)
            tried.append(Tried(settings, signed, points))
        for level in correlation.levels_of(tried[0].points, plan.levels):
            variants += _rank(tried, level, plan)
    return Sweep(plan, variants)


def _columns(grid: Grid, report: Report) -> list[tuple[str, str]]:
    """Return the columns of the report that a grid names: label, and R, P or F."""
    labels = [label for label in grid.get(METRIC, ()) if label != ALL]
    if not labels or ALL in grid[METRIC]:
        labels = list(dict.fromkeys(result.label for result in report.results))

    letters = []
    for name in grid.get(MEASURE, "f"):
        measures = [
            measure
            for measure in selection.MEASURES
            if name.lower() in (measure, measure[0])
        ]
        if not measures:
            raise UsageError(f"grid {MEASURE}={name}", remedy="use r, p or f")
        letters += [selection.MEASURES[measure] for measure in measures]
    return selection.columns(report, list(product(labels, letters)), "f")


def _rank(tried: Sequence[Tried], level: str, plan: SweepPlan) -> Iterator[Variant]:
    """Yield the variants, the best first, with tests against the best."""
    from rouge_cli.studies import accuracies, coefficients, correlation

    agreements = []
    for variant in tried:
        by_coefficient = {}
        for name in plan.shown:
            by_coefficient[name] = accuracies.agreement(
                variant.points, level, name, plan.seed
            )
        agreements.append((variant, by_coefficient))

    def rank(row: tuple[Tried, Mapping[str, coefficients.Agreement]]) -> float:
        _, by_coefficient = row
        value = by_coefficient[plan.coefficient].value
        return -2 if isnan(value) else value

    agreements.sort(key=rank, reverse=True)
    best = agreements[0][0].points
    for variant, by_coefficient in agreements:
        points = variant.points
        agreement = by_coefficient[plan.coefficient]
        p = nan
        williams = nan
        if points is not best and level == "system":
            williams = correlation.williams_of(best, points).p
        if points is not best and plan.is_tested and not isnan(agreement.value):
            scores = correlation.scores_of_both(best, points)
            p = correlation.p_value(scores, level, plan)
        yield Variant(
            human=points.human,
            level=level,
            settings=variant.settings,
            values={name: result.value for name, result in by_coefficient.items()},
            points=agreement.points,
            p=p,
            williams=williams,
            signature=variant.signature,
        )
