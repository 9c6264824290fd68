"""Laws of all timelines: the table of the paper's tests, and alignments compared
with slower oracles.
"""

import random
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import permutations
from math import fsum
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from everyday import share
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rouge_cli
from rouge_cli import native, twins
from rouge_cli.cli.commands.timeline import command
from rouge_cli.core import Notice, Score
from rouge_cli.dialects.tilse import counts
from rouge_cli.dialects.tilse.counts import TimelineCounts
from rouge_cli.formats import timeline
from rouge_cli.scoring.formula import Weighted
from rouge_cli.tasks.timelines import copies

START = date(2010, 1, 1)
FORMULA = Weighted(0.5)
ENGINE = counts.Engine(stem=False, stop=False)
WORDS = st.sampled_from(
    ["spill", "Spill", "well", "oil", "--", ".", "()", "mud", "gulf", "top", "kill"]
)
SENTENCES = st.lists(st.lists(WORDS, max_size=5).map(" ".join), min_size=1, max_size=2)
DATES = st.integers(0, 14).map(lambda days: START + timedelta(days))
ANY = st.dictionaries(DATES, SENTENCES, min_size=1, max_size=7)
# Steps that give many equal costs.
COSTS = st.sampled_from([0.0, 1 / 2, 2 / 3, 3 / 4, 1.0])
# What notices say of texts whose scores may be usual.
NOT_OF_DENOMINATORS = ("outside ASCII", "the same reference occurs twice")


@st.composite
def different(draw: st.DrawFn) -> dict[date, list[str]]:
    """Generate a timeline whose days have different words."""
    days = draw(st.sets(st.integers(0, 40), min_size=2, max_size=8))
    return {
        START + timedelta(day): [
            " ".join([f"word{day}", "the", *draw(st.lists(WORDS, max_size=4))])
        ]
        for day in days
    }


def scored(
    prediction: dict[date, list[str]], *references: dict[date, list[str]]
) -> dict[str, list[Score]]:
    """Return metric -> the scores for n = 1 and 2."""
    scores = TimelineCounts(
        ENGINE.days(prediction), [ENGINE.days(reference) for reference in references]
    )
    return {
        metric: [FORMULA.score(counts) for counts in by_n]
        for metric, by_n in scores.counts.items()
    }


@given(ANY, st.lists(ANY, min_size=1, max_size=3))
def test_scores_are_shares(
    prediction: dict[date, list[str]], references: list[dict[date, list[str]]]
) -> None:
    """Every score is between 0 and 1."""
    scores = scored(prediction, *references)

    assert all(
        0 <= value <= 1 + 1e-12
        for by_n in scores.values()
        for score in by_n
        for value in score
    )


@given(ANY, st.lists(ANY, min_size=1, max_size=3))
def test_the_order_of_references_is_nothing(
    prediction: dict[date, list[str]], references: list[dict[date, list[str]]]
) -> None:
    """Scores do not depend on the order of the references, nor on all being listed
    twice.
    """
    ordered = scored(prediction, *references)

    assert ordered == scored(prediction, *references[::-1])
    for metric, by_n in scored(prediction, *references, *references).items():
        assert [pytest.approx(list(score)) for score in ordered[metric]] == list(
            map(list, by_n)
        )


@given(different())
def test_a_timeline_is_like_itself(original: dict[date, list[str]]) -> None:
    """Every metric gives a timeline 1 against itself."""
    assert {1.0} == {
        value
        for by_n in scored(original, original).values()
        for score in by_n
        for value in score
    }


@given(different(), st.integers(1, 12), st.booleans())
def test_a_shift_costs_its_length(
    original: dict[date, list[str]], k: int, future: bool
) -> None:
    """Shifted by k days, align+ gives 1 / (k + 1) on both sides, align+ m:1 on one,
    concat 1.
    """
    scores = scored(
        list(copies(original, [k if future else -k]).values())[-1], original
    )

    for n in (0, 1):
        share = pytest.approx(1 / (k + 1), abs=1e-12)
        many = scores[counts.MANY][n]
        assert [1, 1, 1] == list(scores[counts.CONCAT][n])
        assert [share] * 3 == list(scores[counts.CONTENT][n])
        assert share == (many.precision if future else many.recall)


@given(different())
def test_removing_a_date_costs_recall(original: dict[date, list[str]]) -> None:
    """Without a date precision stays 1, and unigram recall is the same for all but
    align+ m:1.
    """
    scores = scored(copies(original)["Remove"], original)
    recalls = [by_n[0].recall for by_n in scores.values()]

    assert {1.0} == {by_n[0].precision for by_n in scores.values()}
    assert max(recalls) < 1
    assert [pytest.approx(recalls[0])] * 4 == recalls[:4]
    assert recalls[4] >= recalls[0] - 1e-12


@given(different())
def test_adding_a_date_costs_precision(original: dict[date, list[str]]) -> None:
    """With a date of unknown words recall stays 1, and unigram precision is the same
    for all metrics.
    """
    scores = scored(copies(original)["Add"], original)
    precisions = [by_n[0].precision for by_n in scores.values()]

    assert {1.0} == {by_n[0].recall for by_n in scores.values()}
    assert max(precisions) < 1
    assert [pytest.approx(precisions[0])] * 5 == precisions


@given(different())
def test_merging_dates_is_not_seen_by_concat(original: dict[date, list[str]]) -> None:
    """With two dates merged concat stays 1, the one-to-one metrics fall alike, m:1
    less in recall.
    """
    scores = {
        metric: by_n[0]
        for metric, by_n in scored(copies(original)["Merge"], original).items()
    }
    agreement = scores[counts.AGREEMENT]

    assert [1, 1, 1] == list(scores[counts.CONCAT])
    assert agreement.f < 1
    assert (
        pytest.approx(list(agreement))
        == list(scores[counts.ALIGN])
        == list(scores[counts.CONTENT])
    )
    assert pytest.approx(agreement.precision) == scores[counts.MANY].precision
    assert scores[counts.MANY].recall >= agreement.recall - 1e-12


@given(ANY, ANY)
def test_sides_are_alike(
    first: dict[date, list[str]], second: dict[date, list[str]]
) -> None:
    """Swapping two timelines swaps recall and precision, for one-to-one alignments
    if sizes differ.
    """
    forth, back = scored(first, second), scored(second, first)
    assume(len(first) != len(second))

    for metric in (counts.CONCAT, counts.AGREEMENT, counts.ALIGN, counts.CONTENT):
        for left, right in zip(forth[metric], back[metric], strict=True):
            assert pytest.approx((left.precision, left.recall)) == (
                right.recall,
                right.precision,
            )


@given(ANY, ANY)
def test_costs_are_the_papers(
    prediction: dict[date, list[str]], reference: dict[date, list[str]]
) -> None:
    """Costs are those of equation 10, with the F1 of words counted day by day."""
    counted = TimelineCounts(
        ENGINE.days(prediction), [ENGINE.days(reference)], [counts.MANY]
    )
    aligned = counted.alignments[counts.MANY]

    for link in (*aligned.precision, *aligned.recall):
        bags = [
            Counter(
                word
                for sentence in side
                for word in sentence.split()
                if word not in string.punctuation
            )
            for side in (prediction[link.prediction], reference[link.reference])
        ]
        shared, total = (bags[0] & bags[1]).total(), bags[0].total() + bags[1].total()
        similarity = 2 * shared / total if total else 0
        days = abs((link.prediction - link.reference).days)
        assert pytest.approx(1 / (days + 1)) == link.weight
        assert pytest.approx((1 - link.weight) * (1 - similarity)) == link.cost


@st.composite
def matrices(draw: st.DrawFn) -> list[list[float]]:
    """Generate costs, many of them equal."""
    columns = draw(st.integers(1, 5))
    return draw(
        st.lists(
            st.lists(COSTS, min_size=columns, max_size=columns), min_size=1, max_size=5
        )
    )


@given(matrices())
def test_an_assignment_is_the_cheapest(costs: list[list[float]]) -> None:
    """The smaller side is aligned completely, each column once, and no other way
    costs less.
    """
    pairs = counts.one_to_one(costs)
    rows, columns = len(costs), len(costs[0])
    flat = costs if rows <= columns else counts.transpose(costs)
    cheapest = min(
        fsum(flat[row][column] for row, column in enumerate(chosen))
        for chosen in permutations(range(max(rows, columns)), min(rows, columns))
    )

    assert (
        min(rows, columns)
        == len(pairs)
        == len(dict(pairs))
        == len({column for _, column in pairs})
    )
    assert pairs == sorted(pairs)
    assert pytest.approx(cheapest) == fsum(costs[row][column] for row, column in pairs)


@given(matrices())
def test_ties_are_scipys(costs: list[list[float]]) -> None:
    """Of several best assignments the result is that of SciPy's
    linear_sum_assignment.
    """
    optimize = pytest.importorskip("scipy.optimize")
    rows, columns = optimize.linear_sum_assignment(costs)
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))

    assert pairs == counts.one_to_one(costs)
    if compiled := native.extension():
        assert pairs == compiled.one_to_one(costs)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "sizes", [(25, 25), (49, 40), (96, 97), (240, 240), (333, 400)]
)
@pytest.mark.parametrize(
    "days",
    [[1, *[2] * 80, *[3] * 160], range(1, 4), range(1, 40), range(1, 1 << 50)],
    ids=["rare", "3", "39", "any"],
)
def test_ties_of_large_matrices_are_scipys(
    sizes: tuple[int, int], days: Sequence[int]
) -> None:
    """Compiled code, which leaves out columns that cannot matter, still finds
    SciPy's assignment.
    """
    optimize = pytest.importorskip("scipy.optimize")
    chance = random.Random(3)
    costs = [
        [1 - 1 / chance.choice(days) for _ in range(sizes[1])] for _ in range(sizes[0])
    ]
    rows, columns = optimize.linear_sum_assignment(costs)
    compiled: Any = native.extension()

    assert list(
        zip(rows.tolist(), columns.tolist(), strict=True)
    ) == compiled.one_to_one(costs)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "sizes",
    [(0, 2), (1, 1), (23, 24), (24, 24), (25, 25), (49, 40), (96, 97), (120, 120)],
)
@pytest.mark.parametrize("spread", [2, 5])
def test_compiled_alignments_are_the_readable(
    sizes: tuple[int, int], spread: int
) -> None:
    """Compiled code counts and aligns days as the readable code, with the same
    costs, to the last bit.
    """
    chance = random.Random(sizes[0] + spread)
    prediction, *references = (
        ENGINE.days(
            {
                START + timedelta(day): [
                    " ".join(chance.choices(["oil", "spill", "mud", ".", "top"], k=5))
                ]
                for day in chance.sample(range(max(sizes) * spread), size)
            }
        )
        for size in (*sizes, sizes[1] // 2)
    )
    scores = TimelineCounts(prediction, references)
    with patch.object(twins, "extension", return_value=None):
        readable = TimelineCounts(prediction, references)
    assert (scores.counts, scores.alignments) == (readable.counts, readable.alignments)


@given(matrices())
def test_oblong_costs_have_one_assignment(costs: list[list[float]]) -> None:
    """If one side is larger both directions align the same pairs."""
    assume(len(costs) != len(costs[0]))
    back = counts.one_to_one(counts.transpose(costs))

    assert counts.one_to_one(costs) == sorted((row, column) for column, row in back)


@given(matrices())
def test_many_to_one_takes_the_first_of_the_nearest(costs: list[list[float]]) -> None:
    """Each row has the first of its cheapest columns."""
    for (row, column), own in zip(counts.many_to_one(costs), costs, strict=True):
        assert costs[row] is own
        assert all(own[column] <= cost for cost in own)
        assert all(own[column] < cost for cost in own[:column])


def test_empty_sides_have_no_pairs() -> None:
    """Without rows or without columns there are no pairs."""
    nothing: list[list[list[float]]] = [[], [[], []]]
    for costs in nothing:
        assert [] == counts.one_to_one(costs) == counts.many_to_one(costs)


BLOCKS = st.dictionaries(
    st.sampled_from(["2010-05-06", "2010-05-07", "2010-05-09"]),
    st.sampled_from(
        ["", "the of and", ".", "oil spill", "spill", "the oil", "über", "a"]
    ),
    max_size=3,
)


def blocks(days: Mapping[str, str]) -> str:
    """Return the timeline as in a file."""
    return "".join(f"{day}\n{text}\n{'-' * 32}\n" for day, text in sorted(days.items()))


@pytest.mark.parametrize("lists", ["rouge", "none"])
@pytest.mark.parametrize("metric", counts.METRICS)
@pytest.mark.parametrize("n", [1, 2, 3])
@given(prediction=BLOCKS, references=st.lists(BLOCKS, min_size=1, max_size=2))
@settings(max_examples=share(25))
def test_no_zero_denominator_is_silent(
    n: int,
    metric: str,
    lists: str,
    prediction: Mapping[str, str],
    references: Sequence[Mapping[str, str]],
) -> None:
    """A zero denominator causes a notice, and nothing else does (QUIRKS 71), but
    words that are cut up and references that are equal.
    """
    notices: list[Notice] = []
    label = f"ROUGE-{n}-{metric}"
    texts = [list(map(blocks, references))]
    report = rouge_cli.score(
        [blocks(prediction)], texts, label, dialect="tilse", stemmer=lists, stop=lists,
        notify=notices.append,
    )  # fmt: skip
    notices = [
        notice
        for notice in notices
        if not any(other in notice.message for other in NOT_OF_DENOMINATORS)
    ]
    counts = report.results[0].evals[0].counts
    empty = not all(
        any(text.split() for text in days.values())
        for days in (prediction, *references)
    )

    assert bool(notices) or (counts.reference and counts.prediction)
    assert (
        not notices
        or empty
        or not (counts.reference and counts.prediction)
        or "no token" in notices[0].message
    )


@pytest.mark.parametrize("preset", ["tilse", "paper"])
@pytest.mark.parametrize("protocol", ["--pool", "--per-reference"])
@given(
    prediction=BLOCKS,
    references=st.lists(BLOCKS, min_size=1, max_size=2),
    metric=st.sampled_from(counts.METRICS),
)
@settings(max_examples=share(25))
def test_the_command_is_not_silent_either(
    preset: str,
    protocol: str,
    metric: str,
    prediction: Mapping[str, str],
    references: Sequence[Mapping[str, str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """A ratio without a denominator is named under every metric and preset (QUIRKS
    71).
    """
    folder = tmp_path_factory.getbasetemp()
    files = [
        folder / "prediction",
        *(folder / f"reference{place}" for place in range(len(references))),
    ]
    for path, days in zip(files, [prediction, *references], strict=True):
        path.write_text(blocks(days))
    words = [
        "--preset",
        preset,
        protocol,
        "-m",
        metric,
        "-p",
        str(files[0]),
        "-r",
        *map(str, files[1:]),
    ]
    outcome = CliRunner().invoke(command, words, standalone_mode=False)
    reads = counts.Engine(stem=preset == "tilse", stop=preset == "tilse")
    read = [
        reads.days(timeline.only(path.read_bytes(), "", lambda _: None))
        for path in files
    ]
    grounds = (
        [read[1:]] if protocol == "--pool" else [[reference] for reference in read[1:]]
    )
    sizes = [
        size
        for ground in grounds
        for counts in TimelineCounts(read[0], ground, [metric]).counts[metric]
        for size in (counts.reference, counts.prediction)
    ]

    assert outcome.exception is None
    assert bool(outcome.stderr) or all(sizes)
    assert not outcome.stderr or not all(sizes) or "it still counts" in outcome.stderr
