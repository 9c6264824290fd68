"""Metrics: the base class, the matches of two texts, and the families of metrics.

A family is a module in this folder. It defines `parse(label)`, and `LABELS` with some
sample labels.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import plugins
from rouge_cli.core import Counts, Match, Text
from rouge_cli.errors import UsageError, similar, suggestion
from rouge_cli.twins import twin

if TYPE_CHECKING:
    from types import ModuleType
    from typing import ClassVar, TypeVar

    K = TypeVar("K")
    V = TypeVar("V")

Unit = tuple[Hashable, ...]  # the IDs or the bytes of its words
FIGURES = "RPF"
# What a metric counts a prediction against
REFERENCES, SOURCE, ITSELF = "references", "source", "itself"


class Marks(NamedTuple):
    """Positions of matching words in a text."""

    counted: set[int]  # words that count
    matching: set[int]  # all words that match; they are clipped unless they count


class Matches(NamedTuple):
    """The matches of a pair of texts, with units as IDs or bytes, and the marks of
    both texts.
    """

    matches: Sequence[Match]
    reference: Marks
    prediction: Marks
    # That compute the counts; empty if the counts are numbers of units
    steps: Sequence[str] = ()


class Metric:
    """A metric: a value that uses no file, no option and no random number.

    A new metric needs a label and `units`; counts, matches and marks follow from these.
    The class attributes are properties that a metric may declare; most metrics have the
    defaults. Two metrics are equal if they have the same type and the same attributes.
    """

    # Not a dataclass: importing dataclasses takes a third of the drop-in's start-up
    # time. Not a tuple either: a tuple's `count` is another method.
    # True if it uses sentences, not the whole text
    needs_sentences: ClassVar[bool] = False
    # True if it counts basic elements, from the format SIMPLE
    counts_elements: ClassVar[bool] = False
    # What a prediction is counted against: REFERENCES, the SOURCE of the eval (what was
    # summarized, `--source`), or ITSELF. `count` gets it in the place of a reference.
    against: ClassVar[str] = REFERENCES
    # True if R, P and F are one value, as in `_values`; dialects other than rouge155
    # have such metrics, too
    is_value: ClassVar[bool] = False
    # False if a score may exceed 1
    is_bounded: ClassVar[bool] = True
    label: str  # the printed name, such as `ROUGE-SU4`
    root: float = 1.0  # recall is (match / reference)^(1 / root), and precision alike
    written_root: str = ""  # the root as in the label; empty if it is 1
    # The other properties concern ROUGE-1.5.5 only.
    # The text counted under -M: plain, stemmed, clipped (QUIRKS 21)
    reading: ClassVar[str] = "stemmed"
    # The number that decides which reference is the best
    rank_name: ClassVar[str] = "recall"
    # True if that number is rounded first (QUIRKS 24)
    rounds_rank: ClassVar[bool] = True
    # True if a reference without words is an error (QUIRKS 3)
    divides_by_reference: ClassVar[bool] = False
    # The option that selects the metric, and its value
    command_words: tuple[str, ...] | None = None

    def units(self, text: Text) -> Iterable[tuple[Unit, Sequence[int]]]:  # noqa: ARG002 - overridden
        """Yield each unit of a text with the positions of its words, in the order of
        the text.

        A unit is a tuple of IDs or bytes. Positions are indices in `text.tokens`. If
        the metric needs sentences, they are indices in the concatenated sentences.

        Raises:
            UsageError: If the metric has no units.
        """
        raise UsageError(f"{self.label} cannot be explained")

    def bag(self, text: Text) -> Counter[Hashable]:
        """Count the units of a text; cached. Metrics may override this with a faster
        way.
        """
        return text.once(_bag, self)

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the units of the reference, of the prediction, and the shared units."""
        references = self.bag(reference)
        predictions = self.bag(prediction)
        match = overlap(references, predictions)
        return self.counts(references.total(), predictions.total(), match)

    def counts(self, reference: float, prediction: float, match: float) -> Counts:
        """Return the counts; their rank is recall."""
        return Counts.of(reference, prediction, match)

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the shared units, the most frequent first, and the marks of their
        words.

        A unit counts as often as both texts have it. Its first occurrences are marked
        as counted.
        """
        in_reference = group(self.units(reference))
        in_prediction = group(self.units(prediction))
        shared = []
        of_reference = Marks(set(), set())
        of_prediction = Marks(set(), set())
        for unit, first in in_reference.items():
            second = in_prediction.get(unit, [])
            counted = min(len(first), len(second))
            if not counted:
                continue
            shared.append(Match(unit, len(first), len(second), counted))
            of_reference.counted.update(*first[:counted])
            of_reference.matching.update(*first)
            of_prediction.counted.update(*second[:counted])
            of_prediction.matching.update(*second)
        shared.sort(key=lambda match: -match.counted)
        return Matches(shared, of_reference, of_prediction)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), self.label))

    def __repr__(self) -> str:
        settings = []
        for name, value in vars(self).items():
            if name not in Metric.__annotations__ and not name.startswith("_"):
                settings.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(settings)})"


def overlap(left: Counter[K], right: Counter[K]) -> int:
    """Return the size of the intersection: the sum over units of the smaller count."""
    shared = left.keys() & right.keys()
    return sum(map(min, map(left.__getitem__, shared), map(right.__getitem__, shared)))


def _bag(text: Text, metric: Metric) -> Counter[Hashable]:
    return Counter(unit for unit, _ in metric.units(text))


@twin
def count_all(
    metrics: Sequence[Metric], references: Sequence[Text], prediction: Text
) -> list[list[Counts]]:
    """Return for each metric the counts of a prediction against each reference."""
    counts: list[list[Counts]] = []
    for metric in metrics:
        of_metric = [metric.count(reference, prediction) for reference in references]
        counts.append(of_metric)
    return counts


def group(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the second members of the pairs by their first."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


# Families of other packages, loaded if no family here parses a label
_OTHERS: list[ModuleType] = []


def families() -> Iterator[ModuleType]:
    """Yield the families in this folder, each imported in turn, and those loaded of
    other packages.
    """
    yield from (plugins.module(__name__, name) for name in plugins.names(__name__))
    yield from _OTHERS


def labels() -> list[str]:
    """Return sample labels of all families; their numbers are examples."""
    return [label for family in families() for label in family.LABELS]


def _spellings(label: str) -> Iterator[str]:
    yield label
    short = re.fullmatch(r"(?:(?:ROUGE|R)-?)?(\w.*)", label, re.IGNORECASE)
    if short:
        upper = f"ROUGE-{short[1].upper()}"
        yield f"ROUGE-{short[1]}"
        yield upper
        yield re.sub(r"^(ROUGE-[A-Z]+?)([0-9.]+)$", r"\1-\2", upper)


@lru_cache(1000)
def parse(label: str) -> Metric:
    """Return the metric of a label, which may be spelled informally: `R2`, `rouge-l`,
    `SU4`, `W-1.2`.

    Raises:
        UsageError: If the metric is unknown; the message suggests similar labels.
        TypeError: If the label is not a string.
    """
    if not isinstance(label, str):
        raise TypeError(f"a label is a string, not {type(label).__name__}")
    for spelling in _spellings(label):
        for family in families():
            metric: Metric | None = family.parse(spelling)
            if metric is not None:
                return metric
    if not _OTHERS:
        _OTHERS.extend(
            plugins.module(__name__, name) for name in plugins.others(__name__)
        )
        if _OTHERS:
            return parse(label)
    known: list[str] = ["ROUGE-1", "ROUGE-2", "ROUGE-L"]
    values: list[str] = []
    for name in labels():
        (values if value(name) else known).append(name)
    if similar(label.lower(), values, 0.5):  # else a list of all would be too long
        known += values
    known = list(dict.fromkeys(known))
    raise UsageError(f"unknown metric {label!r}", remedy=suggestion(label, known))


@lru_cache(1000)
def value(label: str) -> Metric | None:
    """Return the metric of one value that has exactly this label; None if there is
    none.
    """
    for family in families():
        metric: Metric | None = family.parse(label)
        if metric is not None:
            return metric if metric.is_value else None
    return None


def declares(label: str, attribute: str) -> bool:
    """Return True if the metric of exactly this label has an attribute that is true.

    Modifiers, as in `ROUGE-L+Stemming`, are ignored. Return False for an unknown label.
    The attribute is a property of Metric, such as `needs_sentences`.
    """
    unmodified, _, _ = label.partition("+")
    for family in families():
        metric = family.parse(unmodified)
        if metric is not None:
            return bool(getattr(metric, attribute))
    return False


def figure(name: str) -> tuple[str, str]:
    """Split `ROUGE-2.F` into the label and the measure R, P or F, which is empty if
    missing.
    """
    label, _, letter = name.rpartition(".")
    if label and letter.upper() in tuple(FIGURES):
        return label, letter.upper()
    return name, ""
