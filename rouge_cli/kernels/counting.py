"""All counts of one eval in one call: by the compiled twin where it can, else metric by metric.

The readable kernels are what documentation points to and what `ROUGE_CLI_KERNELS=python` runs; the compiled
twin gives the same numbers to the last bit, and is used wherever it was built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rouge_cli.kernels import choice
from rouge_cli.kernels.wlcs import may_be_large

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.core import Counts, Text

NGRAM, SKIP_BIGRAM, LCS, WEIGHTED_LCS = range(4)


class Unit(NamedTuple):
    """What the compiled twin counts for a metric.

    number: n for NGRAM; the distance for SKIP_BIGRAM, negative for any. weight: for WEIGHTED_LCS.
    """

    kind: int
    number: int = 0
    unigrams: bool = False
    weight: float = 1.0


class Countable(Protocol):
    """A metric that says what to count, what its counts are made of, and can count by itself."""

    @property
    def unit(self) -> Unit | None:
        """None where only the metric itself can count."""

    def counts(self, model: float, peer: float, match: float) -> Counts:
        """The metric's counts, from what the kernel counted in model, peer and both."""

    def count(self, model: Text, peer: Text) -> Counts:
        """One pair, by the readable kernels."""


def count(
    metrics: Sequence[Countable], models: Sequence[Text], peers: Sequence[Text]
) -> list[list[list[Counts]]]:
    """The counts of every peer against every model under every metric: [peer][model][metric]."""
    compiled = choice.compiled()
    if not compiled:
        return [[[metric.count(model, peer) for metric in metrics] for model in models] for peer in peers]
    units = [metric.unit for metric in metrics]
    known = [unit for unit in units if unit is not None]
    found: Iterator[tuple[float, float, float]] = iter(())
    if known:
        handles = [[handle(text) for text in texts] for texts in (models, peers)]
        found = iter(compiled.count(*handles, known))

    def counts(metric: Countable, unit: Unit | None, model: Text, peer: Text) -> Counts:
        if unit is None:
            return metric.count(model, peer)
        lengths, words, match = next(found)
        if unit.kind == WEIGHTED_LCS and may_be_large(lengths, match, unit.weight):
            return metric.count(model, peer)
        return metric.counts(lengths, words, match)

    pairs = list(zip(metrics, units, strict=True))
    return [[[counts(*pair, model, peer) for pair in pairs] for model in models] for peer in peers]


def handle(text: Text) -> Any:  # noqa: ANN401 - the compiled kernels' own
    """The text as the compiled twin holds it."""
    return text.once(_made) if text.handle is None else text.handle


def _made(text: Text) -> object:
    made: object = choice.compiled().Handle(text.tokens, text.sentences)
    return made
