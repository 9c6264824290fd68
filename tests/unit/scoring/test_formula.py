"""Several models: the sum of their counts, or the best of them."""

from __future__ import annotations

import pytest

from rouge_cli.core import Counts
from rouge_cli.scoring.formula import average, best

UNDEFINED = Counts(9, 9, 9, float("nan"))
LOW, HIGH = Counts(10, 5, 2, 0.2), Counts(4, 5, 3, 0.75)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], Counts(0, 0, 0)),
        ([LOW], Counts(10, 5, 2)),
        ([LOW, HIGH], Counts(14, 10, 5)),
        ([LOW, LOW, LOW], Counts(30, 15, 6)),
    ],
)
def test_the_average_sums_all_three_counts(pairs: list[Counts], expected: Counts) -> None:
    """The models make one big model, and the peer counts once per model (QUIRKS 23)."""
    assert expected == average(pairs)


def test_sums_go_from_left_to_right() -> None:
    """ROUGE-W's weights are added in the models' order, without compensated summation."""
    pairs = [Counts(weight, weight, weight) for weight in (1.0, 2**-53, 2**-53)]

    assert Counts(1.0, 1.0, 1.0) == average(pairs)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], Counts(0, 0, 0)),
        ([LOW], LOW),
        ([UNDEFINED, LOW], LOW),
        ([UNDEFINED], Counts(0, 0, 0)),
        ([LOW, HIGH], HIGH),
        ([HIGH, LOW], HIGH),
        ([Counts(4, 9, 3, 0.75), HIGH], Counts(4, 9, 3, 0.75)),  # a tie, whatever the precision
        ([HIGH, Counts(4, 3, 3, 0.75)], HIGH),
        ([Counts(0, 5, 0), Counts(3, 5, 0)], Counts(0, 5, 0)),
    ],
)
def test_the_best_model_is_the_first_of_the_highest_rank(pairs: list[Counts], expected: Counts) -> None:
    """The counts of a single model are used, chosen by rank alone (QUIRKS 24)."""
    assert expected == best(pairs)
