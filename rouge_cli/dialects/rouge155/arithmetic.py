"""How ROUGE-1.5.5 makes scores of counts, in words; numbers are QUIRKS numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.core import Counts, Score
from rouge_cli.dialects.rouge155.program import Rouge155, Setup
from rouge_cli.explanation import number, share, terms, weighted_f
from rouge_cli.metrics._weighted_lcs import power
from rouge_cli.scoring import formula
from rouge_cli.scoring.ratio import f_measure, five_places, ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.explanation import Pair
    from rouge_cli.metrics._metric import Metric


def combined(setup: Setup, metric: Metric, pairs: Sequence[Pair]) -> tuple[Counts, list[str]]:
    """The models together, by the best of them or by their sums (23, 24)."""
    counts = [one.counts for one in pairs]
    if setup.best_model:
        ranked = [Rouge155.ranked(metric, one) for one in counts]
        best = formula.best(ranked)
        if len(pairs) < 2:
            return best, []
        chosen = next(one.model_id for one, rank in zip(pairs, ranked, strict=True) if rank is best)
        ranks = ", ".join(
            f"{one.model_id} {rank.rank:.5f}" for one, rank in zip(pairs, ranked, strict=True)
        )
        compared = metric.rank_name + " rounded to five places" * metric.rounds_rank
        return best, [f"best model = {chosen}, the first of the highest {compared} ({ranks})"]
    total = formula.average(counts)
    if len(pairs) < 2:
        return total, []
    return total, [
        f"{name} = {terms([number(one) for one in values])} = {number(whole)}{note}"
        for name, values, whole, note in (
            ("model", [one.model for one in counts], total.model, ""),
            ("peer", [one.peer for one in counts], total.peer, " (once a model)"),
            ("match", [one.match for one in counts], total.match, ""),
        )
    ]


def score(setup: Setup, metric: Metric, counts: Counts) -> tuple[Score, list[str]]:
    """R and P are rounded to five places before F is made of them, and F again (25)."""
    recall, first = _share("recall", "model", counts.match, counts.model, metric)
    precision, second = _share("precision", "peer", counts.matched, counts.peer, metric)
    f = five_places(f_measure(recall, precision, setup.alpha))
    score = Score(recall, precision, f)
    return score, [first, second, weighted_f(score, setup.alpha)]


def _share(name: str, of: str, match: float, whole: float, metric: Metric) -> tuple[float, str]:
    """Recall or precision; ROUGE-W's is taken to the root of its weight."""
    value = five_places(power(ratio(match, whole), 1 / metric.root))
    return value, share(name, of, match, whole, value, metric.written_root)
