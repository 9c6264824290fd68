"""Averages of totals: the dialect's means, with intervals of the Poisson bootstrap.

A dialect's own interval is made of draws from all evals, which totals do not have. Its
value may be a mean of samples; of totals it is always the plain mean, as with
`--samples 0`.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from rouge_cli.core import Average, Estimate, Notice, Report, Result
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.runs.evaluation import completed
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.totals import Drawing, Totals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Notify
    from rouge_cli.dialects._run import DialectRun
    from rouge_cli.options import Options
    from rouge_cli.runs.evaluation import Collected

MOST_SAMPLES = 100_000
OTHER_INTERVALS = (
    "intervals are by the Poisson bootstrap, which totals allow, and averages are plain"
    " means: the dialect's own intervals differ a little, and need single evals"
)


def drawing_of(options: Options) -> Drawing:
    """Return how a run with these options resamples totals; raise UsageError for more
    samples than are kept.
    """
    samples = ceil(options.get("samples", 0))
    if not 0 <= samples <= MOST_SAMPLES:
        raise UsageError(
            f"{samples} samples with --totals, which keeps their sums",
            remedy=f"draw 0 to {MOST_SAMPLES}",
        )
    return Drawing(samples, int(options.get("seed", 0)))


def finish(
    collected: Collected,
    systems: Sequence[str] | None,
    run: DialectRun,
    options: Options,
    notify: Notify,
) -> Report:
    """Return the report of totals, which has no results of evals; notify of intervals,
    which are not the dialect's own.
    """
    whole, details = completed(collected, systems, run.labels, notify)
    if options.get("samples"):
        notify(Notice(OTHER_INTERVALS))
    check_distinct(collected)
    confidence = float(options.get("confidence", 95))
    results = []
    for system, totals in whole.added.items():
        for place, label in enumerate(totals.labels):
            average = _average(totals, place, run, confidence)
            results.append(Result(system, label, average, ()))
    return Report(results, details=details)


def check_distinct(collected: Collected) -> None:
    """Raise RougeError if one of the evals whose IDs are kept was scored twice."""
    for system, totals in collected.added.items():
        if totals.repeated:
            what = f"eval {totals.repeated} of system {system} occurs twice"
            raise RougeError(what, remedy="give each eval an ID of its own")


def _average(totals: Totals, place: int, run: DialectRun, confidence: float) -> Average:
    """Return the average of the metric at a place."""
    label = totals.labels[place]
    score = run.score_of_sums(label, totals.of_metric(place), totals.size)
    samples = []
    for size, sums in totals.samples_of_metric(place):
        if size:  # else no eval was drawn: there is no mean
            samples.append(run.score_of_sums(label, sums, size))
    if not samples:
        return Average(*map(Estimate, score))

    estimates = []
    for value, values in zip(score, zip(*samples, strict=True), strict=True):
        interval = bootstrap.estimate(values, len(values), confidence)
        estimates.append(interval._replace(value=value))
    return Average(*estimates)
