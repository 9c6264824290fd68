"""ROUGE-BE: overlap of basic elements, head|modifier|relation triples from a parser.

Basic elements (Hovy, Lin, Zhou and Fukumoto 2006) are minimal syntactic units, so word
order matters less. The parser that makes them is not part of any ROUGE, and its errors
affect the scores. The mode selects the part of a triple that is matched:

- H: the head, if the modifier is `nil`;
- HM: head and modifier, if the modifier is not `nil`;
- HM1: head and modifier, always;
- HMR: head, modifier and relation, if the relation is not `nil`;
- HMR1: head, modifier and relation, if the modifier is not `nil`;
- HMR2: head, modifier and relation, always.
"""

from collections.abc import Iterator, Sequence

from rouge_cli.core import Counts, Element, Text
from rouge_cli.metrics import Metric, Unit, overlap

MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")
LABELS = tuple(f"ROUGE-BE-{mode}" for mode in MODES)
# The original stores the number of elements under this key. Only a lone head can equal
# it (QUIRKS 58).
_TOTAL = (b"_cn_",)


class BasicElements(Metric):
    """ROUGE-BE in one mode; an unknown mode matches nothing, as in the original."""

    counts_elements = True

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.label = f"ROUGE-BE-{mode}"
        self.command_words = "-3", mode

    def units(self, text: Text) -> Iterator[tuple[Unit, Sequence[int]]]:
        """Yield the part of each element that the mode matches; each element has one
        position.
        """
        for position, element in enumerate(text.elements):
            unit = part(element, self.mode)
            if unit is not None:
                yield unit, (position,)

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the parts; a lone head `_cn_` counts twice in its text, and never
        matches (QUIRKS 58).
        """
        references = self.bag(reference)
        predictions = self.bag(prediction)
        match = overlap(references, predictions)
        match -= min(references[_TOTAL], predictions[_TOTAL])
        return self.counts(
            references.total() + references[_TOTAL],
            predictions.total() + predictions[_TOTAL],
            match,
        )


def parse(label: str) -> BasicElements | None:
    """Return the metric of a label; None if the label is not of this family."""
    mode = label.removeprefix("ROUGE-BE-")
    return BasicElements(mode) if mode in MODES and mode != label else None


def part(element: Element, mode: str) -> tuple[bytes, ...] | None:
    """Return the part of an element that a mode matches; None if the mode does not
    count it.

    Stemming comes before the test for a `nil` modifier (`nils` becomes `nil`), except
    in HMR1.
    """
    head, modifier, relation, raw_modifier = element
    whole = head, modifier, relation
    if mode == "H":
        return (head,) if modifier == b"nil" else None
    if mode == "HM":
        return (head, modifier) if modifier != b"nil" else None
    if mode == "HM1":
        return (head, modifier)
    if mode == "HMR":
        return whole if relation != b"nil" else None
    if mode == "HMR1":
        return whole if raw_modifier != b"nil" else None
    return whole if mode == "HMR2" else None
