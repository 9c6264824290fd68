"""Metrics: their base class, the matches of two texts, and the families of this folder.

A family is a module with `parse(label)` and `LABELS`, some of its labels.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rouge_cli import plugins
from rouge_cli.core import Counts
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from types import ModuleType

    from rouge_cli.core import Text
    from rouge_cli.native import KernelSpec

    # A unit: the ids or the bytes of its words.
    Unit = tuple[Any, ...]

FIGURES = "RPF"


class Bag(NamedTuple):
    """A multiset, represented by sets so that Python's set intersection does most of the work."""

    units: set[Hashable]  # the distinct units
    counts: dict[Hashable, int]  # the frequency of units that occur more than once
    total: int  # the number of units, including repeated ones


class Match(NamedTuple):
    """A unit that model and peer share."""

    # Its words. in_model, in_peer: how often it occurs there; for ROUGE-L in_model is how often it is on a
    # longest common subsequence, and ROUGE-W finds runs in the model only (QUIRKS 17).
    unit: tuple[Any, ...]
    in_reference: int
    in_prediction: int | None
    counted: int  # how often it counts
    # What it counts for each time, 1 but for runs and days apart. peer_unit: the peer's words, if they are
    # others (synonyms).
    worth: float = 1.0
    prediction_unit: tuple[Any, ...] = ()


class Marks(NamedTuple):
    """Positions of a text's words: those that count, and those that match (clipped unless they count)."""

    counted: set[int]
    matching: set[int]


class Matches(NamedTuple):
    """The matches of a pair of texts, with units as ids or bytes, and the marks of model and peer."""

    matches: Sequence[Match]
    reference: Marks
    prediction: Marks


class Metric:
    """A metric: a value that uses no file, no option and no random number.

    A new metric needs a label and `units`: counts, matches and marks follow from them. It declares its
    other properties; the defaults here hold for most metrics. It is compared by its type and `fields`,
    the names of its parameters.
    """

    # Not a dataclass, whose import takes a third of the drop-in's start; nor a tuple: its `count` differs.
    __slots__ = ()
    fields: ClassVar[tuple[str, ...]] = ()
    needs_sentences: ClassVar[bool] = False  # it uses sentences, not the whole text
    counts_elements: ClassVar[bool] = False  # basic ones, from SIMPLE. Then ROUGE-1.5.5's treatment:
    # Which of the texts that differ under -M it counts, plain, stemmed or clipped (QUIRKS 21)
    reading: ClassVar[str] = "stemmed"
    rank_name: ClassVar[str] = "recall"  # what "best model" compares;
    # Rounded first (QUIRKS 24). divides_by_model: the original divides by zero for a model without words
    # (QUIRKS 3).
    rounds_rank: ClassVar[bool] = True
    divides_by_reference: ClassVar[bool] = False

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

    def units(self, text: Text) -> Iterable[tuple[Unit, Sequence[int]]]:  # noqa: ARG002 - a metric's own does
        """Yield each unit of a text with the positions of its words, in the order of the text.

        A unit is a tuple of ids or bytes. Positions are those in `text.tokens`; in the sentences, one after
        the other, if the metric needs sentences.

        Raises:
            UsageError: If the metric has no units.
        """
        raise UsageError(f"{self.label} cannot be explained")

    def bag(self, text: Text) -> Bag:
        """Return the units of a text as a multiset; computed once. A metric may have a faster way."""
        return text.once(_bag_of, self)

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the units in the model, in the peer, and in both."""
        references, predictions = self.bag(reference), self.bag(prediction)
        return self.counts(references.total, predictions.total, overlap(references, predictions))

    def counts(self, reference: float, prediction: float, match: float) -> Counts:
        """Return the counts, ranked by recall."""
        return Counts.of(reference, prediction, match)

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the units that both texts have, the most frequent first, and the marks of their words.

        A unit counts as often as both texts have it, from its first occurrences.
        """
        in_reference, in_prediction = _by_unit(self.units(reference)), _by_unit(self.units(prediction))
        shared, marks = [], (Marks(set(), set()), Marks(set(), set()))
        for unit, positions in in_reference.items():
            occurrences = positions, in_prediction.get(unit, ())
            counted = min(map(len, occurrences))
            if not counted:
                continue
            shared.append(Match(unit, len(occurrences[0]), len(occurrences[1]), counted))
            for side, of_side in zip(marks, occurrences, strict=True):
                side.counted.update(*of_side[:counted])
                side.matching.update(*of_side)
        shared.sort(key=lambda match: -match.counted)
        return Matches(shared, *marks)

    def steps(
        self, _reference: Text, _prediction: Text, _matches: Sequence[Match], _counts: Counts
    ) -> list[str]:
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


def bag(units: Sequence[Hashable]) -> Bag:
    """Return the multiset of a sequence."""
    counts = dict(Counter(units))
    repeated = counts.items() if len(counts) != len(units) else ()
    return Bag(set(counts), {unit: count for unit, count in repeated if count > 1}, len(units))


def overlap(*bags: Bag) -> int:
    """Return the sum over all units of the least count among the bags."""
    shared = set.intersection(*[bag.units for bag in bags])
    repeated = shared.intersection(*[bag.counts for bag in bags])
    counts = zip(*[map(bag.counts.__getitem__, repeated) for bag in bags], strict=True)
    least: Iterable[int] = map(min, counts)
    return len(shared) - len(repeated) + sum(least)


def _bag_of(text: Text, metric: Metric) -> Bag:
    return bag([unit for unit, _ in metric.units(text)])


def _by_unit(units: Iterable[tuple[Unit, Sequence[int]]]) -> dict[Unit, list[Sequence[int]]]:
    by_unit: dict[Unit, list[Sequence[int]]] = {}
    for unit, positions in units:
        by_unit.setdefault(unit, []).append(positions)
    return by_unit


_OTHERS: list[ModuleType] = []  # families of other packages, if a label was not one of ours


def families() -> list[ModuleType]:
    """Return the modules of this folder, and those of other packages that were needed before."""
    return [*(plugins.module(__name__, name) for name in plugins.names(__name__)), *_OTHERS]


def load_others() -> list[ModuleType]:
    """Return the families of other packages; later calls of `families` return them, too."""
    if not _OTHERS:
        _OTHERS.extend(plugins.module(__name__, name) for name in plugins.others(__name__))
    return _OTHERS


def labels() -> list[str]:
    """Return sample labels of all families; their numbers are examples."""
    return [label for family in families() for label in family.LABELS]


def parse(label: str) -> Metric:
    """Return the metric of a label, also in informal spellings: `R2`, `rouge-l`, `SU4`, `W-1.2`.

    Raises:
        UsageError: With the nearest labels.
    """
    short = re.fullmatch(r"(?:(?:ROUGE|R)-?)?(\w.*)", label, re.IGNORECASE)
    spellings = [label]
    if short:
        spellings += [f"ROUGE-{short[1]}", f"ROUGE-{short[1].upper()}"]
        spellings.append(re.sub(r"^(ROUGE-[A-Z]+?)([0-9.]+)$", r"\1-\2", spellings[-1]))
    for spelling in spellings:
        for family in families():
            metric: Metric | None = family.parse(spelling)
            if metric is not None:
                return metric
    if not _OTHERS and load_others():
        return parse(label)
    raise UsageError(f"unknown metric {label!r}", remedy=plugins.suggestion(label, labels()))


def declares(label: str, fact: str) -> bool:
    """Return a fact that the metric of exactly this label declares, such as `needs_sentences`.

    Modifiers, as in `ROUGE-L+Stemming`, are left out. False if the label is not one of these metrics.
    """
    parsed = (family.parse(label.partition("+")[0]) for family in families())
    return any(getattr(metric, fact) for metric in parsed if metric)


def figure(name: str) -> tuple[str, str]:
    """Split `ROUGE-2.F` into the label and R, P or F; the figure is empty if none is named."""
    label, dot, letter = name.rpartition(".")
    return (label, letter.upper()) if dot and letter.upper() in tuple(FIGURES) else (name, "")
