"""What most metrics have in common: values compared by their fields, ranked by recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rouge_cli.core import Counts, Metric
from rouge_cli.errors import UsageError
from rouge_cli.metrics._matches import shared_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Text
    from rouge_cli.metrics._matches import Match, Matches, Places
    from rouge_cli.native.setup import KernelSpec


class Measure(Metric):
    """A metric, to be told apart from others by its type and `fields`, the names of what it is made of.

    Not a dataclass, whose import takes a third of the drop-in's start; nor a tuple, whose `count` differs.
    """

    __slots__ = ()
    fields: ClassVar[tuple[str, ...]] = ()

    @property
    def root(self) -> float:
        """Recall and precision are what the ratios are."""
        return 1.0

    @property
    def written_root(self) -> str:
        """Nothing."""
        return ""

    @property
    def kernel_spec(self) -> KernelSpec | None:
        """Nothing that compiled programs count."""
        return None

    @property
    def command_words(self) -> tuple[str, ...] | None:
        """Nothing that ROUGE-1.5.5.pl can be asked for."""
        return None

    def counts(self, model: float, peer: float, match: float) -> Counts:
        """Ranked by recall."""
        return Counts.of(model, peer, match)

    def places(self, text: Text) -> Places:  # noqa: ARG002 - a metric's own does
        """Return the units of a text with their places; raises UsageError if none are declared."""
        raise UsageError(f"{self.label} cannot be explained")

    def matches(self, model: Text, peer: Text) -> Matches:
        """Return the units that both have, as multisets."""
        return shared_units(self.places(model), self.places(peer))

    def steps(self, model: Text, peer: Text, matches: Sequence[Match], counts: Counts) -> list[str]:  # noqa: ARG002 - as above
        """Return nothing: the counts are numbers of units."""
        return []

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.fields)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        said = ", ".join(
            f"{name}={value!r}" for name, value in zip(self.fields, self._values(), strict=True)
        )
        return f"{type(self).__name__}({said})"
