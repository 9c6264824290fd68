"""Tests and intervals of means over clusters of unequal sizes, by exchanges of signs.

A bootstrap that draws clusters fails if few of them hold most evals: between equal
systems, of 20 clusters of which one holds half of all evals, it found p < 0.05 in 13%
of cases, since a draw without the large cluster has another standard error (Cameron and
Miller 2015, section VI). What keeps its level there is the wild cluster bootstrap with
the null hypothesis imposed (Cameron, Gelbach and Miller 2008): under the hypothesis
that the mean is m, the sum of a cluster minus m times its size is as likely to have the
opposite sign. That is exact for symmetric differences, whatever the sizes.

Nothing is searched for the interval. For a choice of signs, the hypotheses that it does
not speak against lie between the mean over the clusters with one sign and the mean over
those with the other (Hartigan 1969, "Using subsample values as typical values"). So an
end of the interval is an order statistic of means over subsets of the clusters, and
never leaves the possible.
"""

from math import inf

import numpy as np

from rouge_cli.results.comparison import Plan
from rouge_cli.studies import intervals
from rouge_cli.studies.draws import Array, Exchanges
from rouge_cli.studies.studentized import Tested

_NONE = 1e-9  # of a unit: smaller sums of sizes are those of no cluster
_ROUNDING = 1e-12  # of a p


class Signs:
    """The signs of clusters of unequal sizes, exchanged in each trial."""

    def __init__(self, sizes: Array, exchanges: Exchanges, plan: Plan) -> None:
        """Exchange the signs.

        Args:
            sizes: The clusters' numbers of evals, divided by their mean.
            exchanges: The signs of each trial.
            plan: The level and the margin of equivalence.
        """
        self._exchanges = exchanges
        self._plan = plan
        ((self._signed_sizes,),) = exchanges.sums(sizes[None])

    def tested(self, values: Array, signed: Array, slack: Array) -> Tested:
        """Return the tests and intervals of means over clusters.

        Args:
            values: Rows x clusters, deviations linearized: the mean of a row is the
                mean over evals.
            signed: The sums of the clusters' scores with the signs of each trial, rows
                x trials.
            slack: The possible rounding error of each row's sum.
        """
        units = self._exchanges.units
        plan = self._plan
        value = values.mean(axis=1)
        totals = value * units
        variance = values.var(axis=1)
        variance[variance <= (slack / units) ** 2] = 0
        is_constant = variance == 0

        p = self._p(signed, totals, slack, 0.0)
        low, high = self._ends(signed, totals)
        # An interval excludes 0 exactly if its p is at most 1 minus the level.
        is_rejected = p <= 1 - plan.confidence / 100 + _ROUNDING
        low = np.where(is_rejected, low, np.minimum(low, 0))
        high = np.where(is_rejected, high, np.maximum(high, 0))
        low = np.where(is_constant, value, low)
        high = np.where(is_constant, value, high)

        equivalence = np.full(len(values), np.nan)
        if plan.equivalence:
            margin = plan.equivalence / 100
            of_margin = self._p(signed, totals, slack, margin) / 2
            of_other = self._p(signed, totals, slack, -margin) / 2
            above = np.where(value < margin, of_margin, 0.5)
            below = np.where(value > -margin, of_other, 0.5)
            equivalence = np.maximum(above, below)
            if units < intervals.FEWEST:
                equivalence[is_constant] = np.nan

        deviation = np.full(len(value), np.nan)
        if units > 1:
            deviation = np.sqrt(variance * units / (units - 1))
            p = np.where(is_constant & (np.abs(totals) > slack), np.nan, p)
        return Tested(
            p=p,
            deviation=deviation,
            equivalence=equivalence,
            value=value,
            low=low,
            high=high,
        )

    def _p(self, signed: Array, totals: Array, slack: Array, mean: float) -> Array:
        """Return the two-sided p of the hypothesis that the means are that mean."""
        errors = np.abs(signed - mean * self._signed_sizes)
        least = np.abs(totals - mean * self._exchanges.units) - slack
        extreme = (errors >= least[:, None]).sum(axis=1)
        if self._exchanges.exact:
            p: Array = extreme / self._exchanges.trials
        else:
            p = (extreme + 1) / (self._exchanges.trials + 1)
        return p

    def _ends(self, signed: Array, totals: Array) -> tuple[Array, Array]:
        """Return the ends of the intervals: -inf and inf if the clusters or the trials
        are too few for the level.
        """
        units = self._exchanges.units
        if self._exchanges.exact:
            others = self._exchanges.trials - 1
            rank = 1 + intervals.rank_of_end(self._plan.confidence, others)
        else:
            rank = intervals.rank_of_end(self._plan.confidence, self._exchanges.trials)
        if rank < 1:
            unbounded = np.full(len(signed), inf)
            return -unbounded, unbounded

        # Means over the clusters with one sign, and over those with the other.
        with np.errstate(divide="ignore", invalid="ignore"):
            kept = (totals[:, None] + signed) / (units + self._signed_sizes)
            changed = (totals[:, None] - signed) / (units - self._signed_sizes)
        lows = np.minimum(kept, changed)
        highs = np.maximum(kept, changed)
        # If all have the same sign, there is no other mean: nothing is excluded.
        have_one_sign = np.abs(self._signed_sizes) >= units - _NONE
        lows[:, have_one_sign] = -inf
        highs[:, have_one_sign] = inf
        low = np.partition(lows, rank - 1, axis=1)[:, rank - 1]
        high = np.partition(highs, -rank, axis=1)[:, -rank]
        return low, high
