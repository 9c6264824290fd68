"""ROUGE-1.5.5's arithmetic from counts to scores, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.core import Counts, Score
from rouge_cli.dialects.rouge155.counting import rank
from rouge_cli.explanation import number, share, terms, weighted_f
from rouge_cli.metrics._weighted_lcs import power
from rouge_cli.scoring import formula
from rouge_cli.scoring.ratio import f_measure, five_places, ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.dialects.rouge155.program import Setup
    from rouge_cli.explanation import Pair
    from rouge_cli.metrics._metric import Metric


def combine_models(setup: Setup, metric: Metric, pairs: Sequence[Pair]) -> tuple[Counts, list[str]]:
    """Return the counts combined, as those of the best model or as sums, and the steps (QUIRKS 23, 24)."""
    counts = [pair.counts for pair in pairs]
    if setup.best_model:
        ranks = [rank(metric, pair_counts) for pair_counts in counts]
        best = formula.best(ranks)
        if len(pairs) < 2:
            return best, []
        chosen = next(pair.model_id for pair, rank in zip(pairs, ranks, strict=True) if rank is best)
        written = ", ".join(
            f"{pair.model_id} {rank.rank:.5f}" for pair, rank in zip(pairs, ranks, strict=True)
        )
        compared = metric.rank_name + " rounded to five places" * metric.rounds_rank
        return best, [f"best model = {chosen}, the first of the highest {compared} ({written})"]
    total = formula.average(counts)
    if len(pairs) < 2:
        return total, []
    return total, [
        f"{name} = {terms([number(value) for value in values])} = {number(whole)}{note}"
        for name, values, whole, note in (
            ("model", [pair.counts.model for pair in pairs], total.model, ""),
            ("peer", [pair.counts.peer for pair in pairs], total.peer, " (once a model)"),
            ("match", [pair.counts.match for pair in pairs], total.match, ""),
        )
    ]


def score(setup: Setup, metric: Metric, counts: Counts) -> tuple[Score, list[str]]:
    """Compute F from R and P rounded to five places, then round F as well (QUIRKS 25)."""
    recall, first = _share("recall", "model", counts.match, counts.model, metric)
    precision, second = _share("precision", "peer", counts.matched, counts.peer, metric)
    f = five_places(f_measure(recall, precision, setup.alpha))
    score = Score(recall, precision, f)
    return score, [first, second, weighted_f(score, setup.alpha)]


def _share(name: str, of: str, match: float, whole: float, metric: Metric) -> tuple[float, str]:
    """Return recall or precision, and its computation; ROUGE-W's is raised to the inverse of its weight."""
    value = five_places(power(ratio(match, whole), 1 / metric.root))
    return value, share(name, of, match, whole, value, metric.written_root)
