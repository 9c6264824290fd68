"""Several models: their average, or the best of them (Lin 2004, section 2.1)."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from rouge_cli.core import Counts

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_MODELS = Counts(0, 0, 0)


def average(pairs: Sequence[Counts], start: float = 0.0) -> Counts:
    """Return the sums of the counts from `start` on; the peer's own is added once per model, too."""
    model = peer = match = matched = start
    for counts in pairs:
        model += counts.model
        peer += counts.peer
        match += counts.match
        matched += counts.matched
    return Counts(model, peer, match, peer_match=None if matched == match else matched)


def best(pairs: Sequence[Counts]) -> Counts:
    """Return the counts of the highest rank, the first on ties. An undefined rank is below all others."""
    defined = [counts for counts in pairs if not isnan(counts.rank)]
    return max(defined, key=lambda counts: counts.rank, default=NO_MODELS)
