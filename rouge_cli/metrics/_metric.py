"""The base class of metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rouge_cli.core import Counts
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Text
    from rouge_cli.metrics._matches import Match, Matches, Places
    from rouge_cli.native.setup import KernelSpec


class Metric:
    """A metric: a value that uses no file, no option and no random number.

    A new metric needs a label and `count`, and `places` to be explained. It declares its other properties;
    the defaults here hold for most metrics. It is compared by its type and `fields`,
    the names of its parameters.

    needs_sentences: it uses sentences, not the whole text. counts_elements: basic ones, from SIMPLE. Then
    ROUGE-1.5.5's treatment: reading: which of the texts that differ under -M it counts, plain,
    stemmed or clipped (QUIRKS 21). rank_name: what "best model" compares; rounds_rank: rounded first
    (QUIRKS 24). divides_by_model: the original divides by zero for a model without words (QUIRKS 3).
    """

    # Not a dataclass, whose import takes a third of the drop-in's start; nor a tuple: its `count` differs.
    __slots__ = ()
    fields: ClassVar[tuple[str, ...]] = ()
    needs_sentences: ClassVar[bool] = False
    counts_elements: ClassVar[bool] = False
    reading: ClassVar[str] = "stemmed"
    rank_name: ClassVar[str] = "recall"
    rounds_rank: ClassVar[bool] = True
    divides_by_model: ClassVar[bool] = False

    @property
    def label(self) -> str:
        """The printed name, e.g. `ROUGE-SU4`."""
        raise NotImplementedError

    @property
    def kernel_spec(self) -> KernelSpec | None:
        """Return the spec of its compiled kernel; None if there is none."""
        return None

    @property
    def command_words(self) -> tuple[str, ...] | None:
        """Return the option of ROUGE-1.5.5.pl that selects it, with its value; None if there is none."""
        return None

    @property
    def root(self) -> float:
        """Recall is (match / model)^(1 / root), precision likewise; 1 for all but ROUGE-W."""
        return 1.0

    @property
    def written_root(self) -> str:
        """Return the root as in the label; empty if there is none."""
        return ""

    def count(self, model: Text, peer: Text) -> Counts:
        """Return the counts of one pair."""
        raise NotImplementedError

    def counts(self, model: float, peer: float, match: float) -> Counts:
        """Return the counts, ranked by recall."""
        return Counts.of(model, peer, match)

    def places(self, text: Text) -> Places:  # noqa: ARG002 - a metric's own does
        """Return the units of a text with their places; raise UsageError if the metric has none."""
        raise UsageError(f"{self.label} cannot be explained")

    def matches(self, model: Text, peer: Text) -> Matches:
        """Return the matches of a pair with their places; by default units, as multisets."""
        from rouge_cli.metrics._matches import shared_units  # scoring does without

        return shared_units(self.places(model), self.places(peer))

    def steps(self, model: Text, peer: Text, matches: Sequence[Match], counts: Counts) -> list[str]:  # noqa: ARG002 - as above
        """Return the steps that compute the counts, if these are not plain numbers of units."""
        return []

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.fields)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        settings = ", ".join(
            f"{name}={value!r}" for name, value in zip(self.fields, self._values(), strict=True)
        )
        return f"{type(self).__name__}({settings})"
