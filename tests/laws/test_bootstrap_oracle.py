"""The bootstrap compared with a scalar generator, three nested loops, and the spec's
formulas.
"""

import math
import random
from collections.abc import Iterator, Sequence
from itertools import islice, product

import pytest
from everyday import share
from hypothesis import given, settings
from hypothesis import strategies as st

from rouge_cli import twins
from rouge_cli.core import Estimate
from rouge_cli.scoring import bootstrap

Columns = Sequence[Sequence[float]]

PATHS = pytest.mark.parametrize("path", ["compiled", "vector", "plain"])


def choose(path: str, patch: pytest.MonkeyPatch) -> None:
    """Let the bootstrap run compiled if that was built, in vectors of numpy, or in
    plain Python.
    """
    patch.setattr(
        bootstrap, "_ADDITIONS_WORTH_NUMPY", 0 if path == "vector" else math.inf
    )
    if path != "compiled":
        patch.setattr(twins, "extension", lambda: None)


# The oracle.


def drand48(seed: int) -> Iterator[float]:
    """The C library's generator, one number at a time."""
    x = seed * 2**16 + 0x330E
    while True:
        x = (x * 0x5DEECE66D + 0xB) % 2**48
        yield x / 2**48


def resampled(columns: Columns, samples: float) -> list[list[float]]:
    """For each column and sample: draw, look up, add."""
    size = len(columns[0])
    sums = []
    for column in columns:
        row = []
        for seed in range(math.ceil(samples)):
            total = 0.0
            for u in islice(drand48(seed), size):
                total += column[math.floor(u * size)]
            row.append(total)
        sums.append(row)
    return sums


def estimated(values: Sequence[float], samples: float, confidence: float) -> Estimate:
    """The spec's formulas, literally."""
    s = sorted(values)
    mean = 0.0
    for value in s:
        mean += value
    mean /= len(s)
    delta = samples * ((100 - confidence) / 2) / 100
    ua = math.trunc(samples - delta - 1)
    la = math.trunc(delta)
    g = samples - delta - 1 - ua

    def at(index: int) -> float:
        return s[index] if index < len(s) else 0

    upper = at(ua) + (at(ua + 1) - at(ua)) * g
    lower = at(la) + (at(la + 1) - at(la)) * g
    return Estimate(mean, lower, upper)


# Values of very different sizes, so that the order of additions matters; above 1e15:
# test_perl_numbers.
VALUES = (
    st.floats(0, 1)
    | st.floats(0, 1e9)
    | st.sampled_from([0.0, 0.1, 1 / 3, 1e-17, 1e14])
)  # beyond 1e15: test_perl_numbers


def columns(size: int) -> st.SearchStrategy[Columns]:
    """Generate one to four columns of one length."""
    return st.lists(
        st.lists(VALUES, min_size=size, max_size=size), min_size=1, max_size=4
    )


def samples_and_values(samples: float) -> st.SearchStrategy[tuple[float, list[float]]]:
    """Generate a number of samples, and as many values as are drawn for it."""
    drawn = math.ceil(samples)
    return st.tuples(st.just(samples), st.lists(VALUES, min_size=drawn, max_size=drawn))


# The laws.


@pytest.mark.parametrize(
    ("seed", "expected"),
    [  # Perl 5.36: perl -e 'srand(SEED); printf "%.17g ", rand for 1 .. 3'
        (0, [0.17082803610628972, 0.74990198048496381, 0.09637165562356742]),
        (1, [0.041630344771878214, 0.45449244472862915, 0.8348172181669149]),
        (999, [0.10233439302919933, 0.63577575990663604, 0.80348863642769786]),
    ],
)
def test_the_oracles_generator_is_perls(seed: int, expected: list[float]) -> None:
    """The oracle's generator gives the numbers that Perl gives."""
    assert expected == list(islice(drand48(seed), 3))


@PATHS
@pytest.mark.parametrize("size", [1, 2, 7, 50])
def test_draws_are_the_generators(
    size: int, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sample i draws floor(u * n) for the first n numbers u of the generator seeded
    with i.
    """
    choose(path, monkeypatch)
    drawn = [
        [math.floor(u * size) for u in islice(drand48(seed), size)]
        for seed in range(40)
    ]
    expected = [[sample.count(index) for sample in drawn] for index in range(size)]
    one_hot = [
        [float(index == place) for place in range(size)] for index in range(size)
    ]

    assert expected == bootstrap.resampled_sums(one_hot, 40)


@PATHS
def test_a_seed_goes_on_where_the_one_before_ended(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed k draws the samples from number k * samples on, so that no two seeds
    share one.
    """
    choose(path, monkeypatch)
    columns = [[0.1, 0.2, 0.4, 0.8, 0.16]]
    (twenty,) = bootstrap.resampled_sums(columns, 20)

    assert [twenty[:10], twenty[10:]] == [
        bootstrap.resampled_sums(columns, 10, seed)[0] for seed in (0, 1)
    ]


@PATHS
@given(
    st.integers(1, 9).flatmap(columns),
    st.integers(1, 12) | st.floats(1, 12, allow_nan=False),
)
def test_sums_are_added_in_the_order_of_drawing(
    path: str, columns: Columns, samples: float
) -> None:
    """Each way to sum gives what three nested loops give, to the last bit."""
    with pytest.MonkeyPatch.context() as patch:
        choose(path, patch)

        assert resampled(columns, samples) == bootstrap.resampled_sums(columns, samples)


@pytest.mark.parametrize(
    ("samples", "drawn"), [(1, 1), (10, 10), (10.5, 11), (10.999, 11)]
)
def test_a_fraction_draws_one_sample_more(samples: float, drawn: int) -> None:
    """A number of samples with a fraction draws one more than its integer part
    (QUIRKS 27).
    """
    assert [[0.5] * drawn] == bootstrap.resampled_sums([[0.5]], samples)


@settings(max_examples=share(100))
@given(
    (st.integers(1, 45) | st.floats(1, 45)).flatmap(samples_and_values),
    st.sampled_from([0.0, 33.3, 50.0, 90.0, 95.0, 99.9, 100.0]) | st.floats(0, 100),
)
def test_estimates_are_the_specs(
    drawn: tuple[float, list[float]], confidence: float
) -> None:
    """Mean and interval are the spec's to the last bit, for samples with a fraction
    too.
    """
    samples, values = drawn

    assert estimated(values, samples, confidence) == bootstrap.estimate(
        values, samples, confidence
    )


def test_intervals_are_computed_in_this_very_order() -> None:
    """For many numbers of samples and levels each double of an interval is the
    spec's.
    """
    chance = random.Random(155)
    values = [chance.random() for _ in range(60)]
    cases = list(product(range(1, 61), (33.3, 68.27, 90, 95, 99.9)))

    assert [
        estimated(values[:samples], samples, level) for samples, level in cases
    ] == [
        bootstrap.estimate(values[:samples], samples, level) for samples, level in cases
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        # Ten tenths: 0.9999999999999999 one by one, 1.0 with fsum and with sum() since
        # Python 3.12.
        ([0.1] * 10, 0.9999999999999999 / 10),
        # Smallest first: 2^-53 twice is 2^-52, which 1 can hold; from 1 on, each 2^-53
        # alone is lost.
        ([1.0, 2**-53, 2**-53], (1 + 2**-52) / 3),
        ([2**-53, 1.0, 2**-53], (1 + 2**-52) / 3),
    ],
)
def test_means_are_summed_plainly_from_the_smallest(
    values: list[float], expected: float
) -> None:
    """The mean adds one by one in ascending order, without compensated summation."""
    assert expected == bootstrap.estimate(values, len(values), 95).value


@pytest.mark.parametrize(
    ("values", "confidence", "low", "high"),
    [
        ([1.0, 2.0, 3.0, 4.0, 5.0], 100, 1.0, 5.0),  # delta 0: la 0, ua 4, g 0
        ([5.0, 3.0, 1.0, 2.0, 4.0], 60, 2.0, 4.0),  # delta 1: la 1, ua 3, g 0
        ([1.0, 2.0, 3.0, 4.0], 75, 1.5, 3.5),  # delta 0.5: la 0, ua 2, g 0.5
        ([1.0], 50, 1.25, 1.25),  # delta 0.25: la 0, ua 0, g -0.25; s[1] reads as 0
    ],
)
def test_intervals_by_hand(
    values: list[float], confidence: float, low: float, high: float
) -> None:
    """Bounds lie between two samples by the spec's g, and after the last sample
    there is 0.
    """
    assert (low, high) == bootstrap.estimate(values, len(values), confidence)[1:]


@settings(max_examples=share(50))
@given(
    st.integers(1, 20),
    st.integers(1, 6),
    st.integers(1, 40),
    st.randoms(use_true_random=False),
)
def test_many_columns_are_estimated_as_each_alone(
    width: int, size: int, samples: int, chance: random.Random
) -> None:
    """Drawing samples two at a time and columns eight at a time changes no bit of an
    estimate.
    """
    figures = [0.0, 0.1, 1 / 3, 0.5, 1e-17, 1e9]
    columns = [[chance.choice(figures) for _ in range(size)] for _ in range(width)]
    means = [[total / size for total in sums] for sums in resampled(columns, samples)]

    assert [
        estimated(values, samples, 95) for values in means
    ] == bootstrap.estimates_of_means(columns, samples, 95)
