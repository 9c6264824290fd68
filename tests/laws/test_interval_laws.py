"""An interval lies within the possible, has the level that it names and agrees with its
p, or it is absent with a reason; in every format.
"""

import csv
import io
import json
import random
import re
from collections.abc import Iterator
from itertools import product
from math import isnan

import numpy as np
import pytest
from everyday import share
from hypothesis import given, settings
from hypothesis import strategies as st

import rouge_cli
from rouge_cli.core import Counts
from rouge_cli.options import AnyDialect
from rouge_cli.results.comparison import ComparedPair, Comparison, Plan, Standing
from rouge_cli.studies import intervals, matrix, paired
from rouge_cli.studies.draws import Array

ROUNDED = 1e-9  # the possible error of an end
INTERVAL = re.compile(r"\[([-+]?[0-9.]+), ([-+]?[0-9.]+)\]")


@st.composite
def tables(draw: st.DrawFn) -> list[dict[str, object]]:
    """Generate scores of two or three systems in few evals: any shares, mostly 0, few
    different values, or equal in all evals.
    """
    shares = st.floats(0, 1, allow_subnormal=False).map(lambda value: round(value, 5))
    scores = draw(
        st.sampled_from(
            [
                shares,
                st.one_of(st.just(0.0), st.just(0.0), shares),
                st.sampled_from([0.0, 0.5, 1.0]),
                st.just(0.25),
            ]
        )
    )
    evals, systems = draw(st.integers(1, 14)), draw(st.integers(2, 3))
    rows: list[dict[str, object]] = []
    for eval_id, system in product(range(evals), range(systems)):
        rows.append(
            {"eval": eval_id, "system": f"s{system}", "metric": "M", "f": draw(scores)}
        )
    return rows


def compared(table: object, **options: object) -> Comparison:
    """Return the comparison of a table of scores."""
    return rouge_cli.compare(table, notify=lambda _: None, **options)  # type: ignore[arg-type]


def bounds(
    comparison: Comparison,
) -> Iterator[tuple[Standing | ComparedPair, float, float | None, float | None]]:
    """Yield everything that may have an interval: with its value and its ends."""
    for standing in comparison.standings:
        yield standing, *standing.mean
    for pair in comparison.pairs:
        yield pair, *pair.difference


@settings(max_examples=share(400, 60), deadline=None)
@given(
    table=tables(),
    trials=st.sampled_from([5, 18, 19, 99, 100, 200]),
    confidence=st.sampled_from([50, 80, 95, 99, 99.9]),
)
def test_an_interval_is_possible_or_absent_with_a_reason(
    table: list[dict[str, object]], trials: int, confidence: float
) -> None:
    """Ends lie within 0 to 1, or -1 to 1 for differences, and around the value. The
    trials give the level. A difference is rejected by its p, p <= 1 - level, exactly if
    its interval excludes 0. Whatever fails this has a reason and no ends.
    """
    comparison = compared(table, trials=trials, confidence=confidence)
    most = 1 - confidence / 100

    for entry, value, low, high in bounds(comparison):
        if low is None or high is None:
            assert (low, high) == (None, None)
            assert entry.no_interval
            continue
        assert not entry.no_interval
        least = -1 if isinstance(entry, ComparedPair) else 0
        assert least - ROUNDED <= low < high <= 1 + ROUNDED
        assert low <= value <= high
        assert most * (trials + 1) >= 1 - ROUNDED
        assert entry.evals >= intervals.FEWEST
        if isinstance(entry, ComparedPair):
            is_rejected = entry.bootstrap <= most + ROUNDED
            assert is_rejected == (not low <= 0 <= high)
    for pair in comparison.pairs:
        if isnan(pair.bootstrap):
            assert not pair.deviation
            assert pair.no_interval


@settings(max_examples=share(200, 40), deadline=None)
@given(
    table=tables(),
    trials=st.sampled_from([18, 99, 300]),
    confidence=st.sampled_from([50, 95, 99]),
    number=st.integers(1, 9),
)
def test_intervals_of_clusters_are_possible(
    table: list[dict[str, object]], trials: int, confidence: float, number: int
) -> None:
    """Intervals of clusters, of whatever sizes, lie within the possible, agree with p
    boot, or are absent with a reason.
    """
    clusters = {
        str(row["eval"]): str(int(str(row["eval"])) ** 2 % number) for row in table
    }
    comparison = compared(
        table, trials=trials, confidence=confidence, clusters=clusters
    )
    most = 1 - confidence / 100

    for entry, value, low, high in bounds(comparison):
        assert (low is None) == (high is None) == bool(entry.no_interval)
        if low is None or high is None:
            continue
        least = -1 if isinstance(entry, ComparedPair) else 0
        assert least - ROUNDED <= low < high <= 1 + ROUNDED
        assert low <= value <= high
        if isinstance(entry, ComparedPair):
            assert entry.units >= intervals.FEWEST
            is_rejected = entry.bootstrap <= most + ROUNDED
            assert is_rejected == (not low <= 0 <= high)


@settings(max_examples=share(200, 40), deadline=None)
@given(table=tables(), trials=st.sampled_from([18, 99]))
def test_every_format_has_the_same_intervals(
    table: list[dict[str, object]], trials: int
) -> None:
    """Text, latex and markdown print the intervals that json and csv have, `[-]` beside
    a number without one, and the reason; no brackets if no number has one.
    """
    comparison = compared(table, trials=trials)
    document = json.loads(comparison.to_json())
    records = [*document["systems"], *document["pairs"]]
    ends = [(record["low"], record["high"]) for record in records]
    reasons = {record["no_interval"] for record in records} - {""}
    of_csv = list(csv.DictReader(io.StringIO(comparison.to_csv())))
    text = comparison.to_text()
    number = sum(low is not None for low, _ in ends)

    for record, row in zip(document["pairs"], of_csv, strict=True):
        assert row["no_interval"] == record["no_interval"]
        for name in ("low", "high", "bootstrap"):
            assert row[name] == ("" if record[name] is None else repr(record[name]))
    for record in records:
        assert (record["low"] is None) == bool(record["no_interval"])
    rows, _, notes = text.partition("\np: ")
    printed = [float(end) for interval in INTERVAL.findall(rows) for end in interval]
    expected = [end for interval in ends for end in interval if end is not None]
    assert printed == pytest.approx(expected, abs=1e-5)
    assert rows.count("[-]") == (len(records) - number if number else 0)
    for reason in reasons:
        assert reason in notes
    of_systems = [record["low"] for record in document["systems"]]
    have = sum(low is not None for low in of_systems)
    for paper in (
        comparison.to_latex(intervals=True),
        comparison.to_markdown(intervals=True),
    ):
        found = INTERVAL.findall(paper)
        assert len(found) == have
        assert all(0 <= float(low) <= float(high) <= 100 for low, high in found)
        assert paper.count("[-]") == (len(of_systems) - have if have else 0)


@settings(max_examples=share(100, 20), deadline=None)
@given(table=tables(), chance=st.randoms(use_true_random=False), has=st.booleans())
def test_the_order_of_records_changes_no_p(
    table: list[dict[str, object]], chance: random.Random, *, has: bool
) -> None:
    """p-values and intervals are the same in whatever order the records come, also of
    clusters.
    """
    clusters = None
    if has:
        clusters = {str(row["eval"]): str(int(str(row["eval"])) % 8) for row in table}
    # Rows of a system stay together, and systems in their order, which orders ties.
    shuffled = sorted(
        chance.sample(table, len(table)), key=lambda row: str(row["system"])
    )
    table = sorted(table, key=lambda row: str(row["system"]))
    first, second = (
        compared(rows, trials=99, clusters=clusters) for rows in (table, shuffled)
    )

    for one, other in zip(first.pairs, second.pairs, strict=True):
        assert (one.system, one.other) == (other.system, other.other)
        for name in ("randomization", "bootstrap", "difference"):
            np.testing.assert_allclose(
                np.array(getattr(one, name), float),
                np.array(getattr(other, name), float),
                atol=1e-12,
            )


def test_a_page_without_a_p_is_read() -> None:
    """The data of the page are JSON, also if evals that do not vary give no p."""
    predictions = {"a": ["x y"] * 9, "b": ["x z"] * 9, "c": ["u z"] * 9}
    page = rouge_cli.report(predictions, ["x y"] * 9, "R1", notify=lambda _: None)
    found = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    assert found
    data = json.loads(found[1], parse_constant=refuse)
    assert None in {p for _, p in data["alone"]["ROUGE-1 F"]}


def shares(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return shares as of ROUGE-1."""
    return random.beta(2, 4, shape)


def mostly_zero(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return shares as of ROUGE-2: 60% are 0."""
    return np.where(random.random(shape) < 0.6, 0, random.beta(2, 6, shape))


def mostly_one(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return shares near the end of the possible."""
    return random.beta(8, 1, shape)


@pytest.mark.parametrize("evals", [6, 9, 14])
@pytest.mark.parametrize(
    ("population", "truth"), [(shares, 1 / 3), (mostly_zero, 0.1), (mostly_one, 8 / 9)]
)
def test_intervals_have_their_level(
    population: object, truth: float, evals: int
) -> None:
    """Of the intervals that are printed, at least 93% contain the mean of the
    population, or the difference of two systems, which is 0; also of scores that are
    mostly 0.
    """
    pairs, plan = 600, Plan(trials=499)
    scores = population(np.random.default_rng(evals), (2 * pairs, evals))  # type: ignore[operator]
    neighbours = [(row, row + 1) for row in range(0, 2 * pairs, 2)]
    (result,) = paired.differences([matrix.Sample(scores, scores, neighbours)], plan)
    drawn = intervals.Drawn(evals, "eval", plan.trials, plan.confidence)
    means = scores.mean(axis=1)
    of_means = [
        intervals.of_mean(mean, low, high, intervals.SCORES, drawn).estimate
        for mean, low, high in zip(means, *result.means, strict=True)
    ]
    of_differences = [
        intervals.of_difference(*ends, intervals.SCORES, drawn).estimate
        for ends in zip(result.value, result.low, result.high, strict=True)
    ]

    for estimates, parameter in ((of_means, truth), (of_differences, 0.0)):
        printed = [estimate for estimate in estimates if estimate.low is not None]
        covered = [low <= parameter <= high for _, low, high in printed]  # type: ignore[operator]
        assert len(printed) > pairs / 4
        assert np.mean(covered) >= 0.93


@pytest.mark.parametrize("dialect", ["rouge155", "google", "rouge2"])
@pytest.mark.parametrize("evals", [1, 2, 3, 8])
def test_intervals_of_score_are_possible(dialect: AnyDialect, evals: int) -> None:
    """Intervals of `score` are percentiles of resampled means: within the least and the
    largest score of an eval, however few there are.
    """
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    predictions = [" ".join(words[: 1 + number % 5]) for number in range(evals)]
    references = [" ".join(words[number % 3 : 6]) for number in range(evals)]
    report = rouge_cli.score(
        predictions, references, dialect=dialect, samples=200, notify=lambda _: None
    )

    for result in report.results:
        scores = [entry.score for entry in result.evals if entry.score]
        assert not isinstance(result.average, Counts)
        for estimate, values in zip(
            result.average, zip(*scores, strict=True), strict=True
        ):
            value, low, high = estimate
            assert low is not None
            assert high is not None
            assert low - 1e-5 <= value <= high + 1e-5
            assert min(values) - 1e-5 <= low
            assert high <= max(values) + 1e-5
