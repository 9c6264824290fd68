"""From counts to scores: several models, quotients, F, and the original's rounding."""

import pytest
from case_tables import tabled

from rouge_cli.core import Counts
from rouge_cli.dialects.coco import HighestShares
from rouge_cli.dialects.rouge155.setup import Rounded, Setup
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.scoring.formula import average, f_measure, five_places, ratio

UNDEFINED = Counts(9, 9, 9, float("nan"))
LOW, HIGH = Counts(10, 5, 2, 0.2), Counts(4, 5, 3, 0.75)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], Counts(0, 0, 0)), ([LOW], Counts(10, 5, 2)), ([LOW, HIGH], Counts(14, 10, 5)),
        ([LOW, LOW, LOW], Counts(30, 15, 6)),
        # From left to right, without compensated summation: the weights of ROUGE-W.
        ([Counts(weight, weight, weight) for weight in (1.0, 2**-53, 2**-53)], Counts(1.0, 1.0, 1.0)),
    ],
)  # fmt: skip
def test_the_average_sums_all_three_counts(
    pairs: list[Counts], expected: Counts
) -> None:
    """The models make one big model, and the peer counts once per model (QUIRKS 23)."""
    assert expected == average(pairs)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], Counts(0, 0, 0)),
        ([LOW], LOW),
        ([UNDEFINED, LOW], LOW),
        ([UNDEFINED], Counts(0, 0, 0)),
        ([LOW, HIGH], HIGH),
        ([HIGH, LOW], HIGH),
        (
            [Counts(4, 9, 3, 0.75), HIGH],
            Counts(4, 9, 3, 0.75),
        ),  # a tie, whatever the precision
        ([HIGH, Counts(4, 3, 3, 0.75)], HIGH),
        ([Counts(0, 5, 0), Counts(3, 5, 0)], Counts(0, 5, 0)),
    ],
)
def test_the_best_reference_is_the_first_of_the_highest_rank(
    pairs: list[Counts], expected: Counts
) -> None:
    """The counts of a single model are used, chosen by rank alone (QUIRKS 24)."""
    counts, _ = Rounded(Setup(best_model=True), Lcs()).combine(pairs)

    assert expected == counts


def test_the_highest_shares_may_be_of_two_references() -> None:
    """COCO's recall and precision are the highest of any reference, not those of the
    best one.
    """
    counts, score = HighestShares(1.2).combine(
        [Counts(10, 2, 2, 0.2), Counts(4, 6, 3, 0.75)]
    )

    assert (3, 0.75, 1.0) == (counts.match, score.recall, score.precision)


@tabled
def test_nothing_to_divide_by_is_nought(
    part: float, whole: float, expected: float
) -> None:
    """A quotient is 0 if the denominator is 0, or NaN, which is not above 0 either."""
    assert expected == ratio(part, whole)


@tabled
def test_f_is_weighted_by_alpha(
    recall: float, precision: float, alpha: float, expected: float
) -> None:
    """F = PR / ((1 - alpha) P + alpha R), and 0 if that has no denominator."""
    assert f_measure(recall, precision, alpha) == pytest.approx(expected, rel=1e-15)


def test_f_is_computed_in_this_very_order() -> None:
    """F is computed as P * R / ((1 - alpha) * P + alpha * R), operation by
    operation.
    """
    p, r, alpha = 0.57143, 0.08163, 0.3

    assert (p * r) / ((1 - alpha) * p + alpha * r) == f_measure(r, p, alpha)


@tabled
def test_rounding_is_that_of_printing(value: float, expected: float) -> None:
    """A value is what C prints with five decimals, read back (QUIRKS 25)."""
    assert expected == five_places(value)
