"""What most metrics have in common: values compared by their fields, ranked by recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rouge_cli.core import Counts

if TYPE_CHECKING:
    from rouge_cli.native.setup import KernelSpec


class Measure:
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
    def kernel_spec(self) -> KernelSpec | None:
        """Nothing that compiled programs count."""
        return None

    def counts(self, model: float, peer: float, match: float) -> Counts:
        """Ranked by recall."""
        return Counts.of(model, peer, match)

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
