"""Totals and the Poisson bootstrap, on numbers worked out by hand or published."""

from __future__ import annotations

import random
from array import array
from itertools import pairwise
from math import exp, factorial, fsum

import pytest

from rouge_cli.core import Counts, EvalResult, Score
from rouge_cli.scoring import poisson
from rouge_cli.scoring.totals import MOST_KEPT, Drawing, Totals, exact_sum


def result(eval_id: str, value: float) -> dict[str, EvalResult]:
    """Return the result of an eval whose scores are all this value."""
    counts = Counts(4, 2, 1)
    return {"ROUGE-1": EvalResult(eval_id, counts, Score(value, value, value))}


def test_words_are_those_of_splitmix64_and_fnv() -> None:
    """The first words from state 0 are those that the authors publish; the hash of a
    letter is that of FNV's page.
    """
    assert 0xE220A8397B1DCDAF == poisson.mixed(poisson.STEP)
    assert 0x6E789E6AA1B965F4 == poisson.mixed(2 * poisson.STEP % poisson.WORD)
    of_letter = (poisson.FNV_START ^ ord("a")) * poisson.FNV_PRIME % poisson.WORD
    assert 0xAF63DC4C8601EC8C == of_letter


def test_an_eval_occurs_as_often_as_poisson_says() -> None:
    """The limits of draws are the chances of Poisson's distribution, rounded to 16
    bits.
    """
    chances = [exp(-1) / factorial(number) for number in range(9)]
    limits = [0, *poisson.LIMITS, poisson.DRAW]
    for chance, (before, limit) in zip(chances, pairwise(limits), strict=True):
        assert abs(chance - (limit - before) / poisson.DRAW) <= 1 / poisson.DRAW


def test_draws_of_evals_and_of_samples_are_unrelated() -> None:
    """Over 300 evals and 200 samples with neighbouring IDs, occurrences have mean 1 and
    variance 1, and no two evals or samples are alike.
    """
    rows = [poisson.occurrences(poisson.key_of(f"e{n}", 0), 200) for n in range(300)]
    for table in (rows, list(zip(*rows, strict=True))):
        means = [fsum(row) / len(row) for row in table]
        size = len(table[0])
        spread = fsum((mean - 1) ** 2 for mean in means) / len(means)
        assert abs(fsum(means) / len(means) - 1) < 0.02
        assert abs(spread * size - 1) < 0.3
        products = []
        for first, second in pairwise(table):
            pairs = zip(first, second, strict=True)
            products.append(fsum((a - 1) * (b - 1) for a, b in pairs) / size)
        assert abs(fsum(products) / len(products)) < 0.02


def test_samples_of_few_words_begin_like_those_of_many() -> None:
    """The first draws of an eval do not depend on the number of samples."""
    key = poisson.key_of("e1", 7)

    assert poisson.occurrences(key, 9) == poisson.occurrences(key, 100)[:9]
    assert poisson.occurrences(key, 9) != poisson.occurrences(
        poisson.key_of("e1", 8), 9
    )


def test_exact_sums_are_the_same_in_any_order() -> None:
    """Doubles whose sum loses digits have the same exact sum in any order and division,
    and it begins with fsum's.
    """
    chance = random.Random(1)
    values = [
        chance.uniform(-1, 1) * 10.0 ** chance.randrange(-30, 30) for _ in range(99)
    ]
    expected = exact_sum(values)
    for _ in range(20):
        chance.shuffle(values)
        cut = chance.randrange(99)
        assert expected == exact_sum(
            [*exact_sum(values[:cut]), *exact_sum(values[cut:])]
        )

    assert expected[0] == fsum(values)
    assert [] == exact_sum([1e300, 1.0, -1e300, -1.0])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_are_not_finite_are_refused(value: float) -> None:
    """Neither exact sums nor totals add them."""
    with pytest.raises(ValueError, match="not finite"):
        exact_sum([0.5, value])
    with pytest.raises(ValueError, match="not finite"):
        Totals(["ROUGE-1"], Drawing(9)).append(["e"], result("e", value))


def test_a_sum_beyond_64_bits_is_refused() -> None:
    """Sums of samples that do not fit are an error, in both kernels."""
    totals = Totals(["ROUGE-1"], Drawing(9))
    totals.append(["e"], result("e", 1.0))
    totals.drawn = array("q", [2**63 - 1]) * len(totals.drawn)

    with pytest.raises(ValueError, match="too large"):
        totals.append(["f"], result("f", 1.0))
    with pytest.raises(ValueError, match="too large"):
        totals.extend(totals)


def test_totals_of_equal_scores_have_intervals_without_width() -> None:
    """Every sample of evals with the score 2/3 has this mean to the last digits,
    although its units do not divide by 3.
    """
    totals = Totals(["ROUGE-1"], Drawing(50))
    for number in range(20):
        totals.append([f"e{number}"], result(f"e{number}", 2 / 3))
    for size, sums in totals.samples_of_metric(0):
        assert sums == pytest.approx([size * 2 / 3] * 3, rel=1e-14)


def test_some_ids_are_kept_whatever_their_order() -> None:
    """The kept IDs are those with the smallest keys, so that parts with shared evals
    keep the same of these; one that comes again is reported.
    """
    ids = [f"e{number}" for number in range(500)]
    smallest = sorted(ids, key=lambda name: poisson.key_of(name, 0))[:MOST_KEPT]
    chance = random.Random(1)
    for _ in range(3):
        totals = Totals(["ROUGE-1"], Drawing())
        for name in ids:
            totals.append([name], result(name, 0.5))
        assert sorted(smallest) == sorted(totals.kept.values())
        assert "" == totals.repeated
        chance.shuffle(ids)

    totals.append([smallest[3]], result(smallest[3], 0.5))
    assert smallest[3] == totals.repeated
