"""Comparisons: the evals, the pairs and the correction."""

from math import nan, sqrt

import numpy as np
import pytest
from case_tables import tabled
from scipy import stats

import rouge_cli
from rouge_cli.core import Notice, ignore_notice
from rouge_cli.errors import RougeError
from rouge_cli.results import printed
from rouge_cli.results.comparison import Comparison, Plan
from rouge_cli.studies import significance
from rouge_cli.studies.matrix import Scores
from rouge_cli.studies.significance import compare

CHANCE = np.random.default_rng(0)
NAMES = ["a", "b", "c"]
VALUES = (
    CHANCE.uniform(0, 0.2, (3, 8))
    + CHANCE.uniform(0, 0.3, 8)
    + np.array([[0.04], [0.3], [0.0]])
)


def scores(
    values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], name: str = "ROUGE-2 F"
) -> Scores:
    """Return the scores of systems a, b, c in evals 1, 2, ..."""
    return Scores(
        name,
        NAMES[: len(values)],
        [str(place + 1) for place in range(values.shape[1])],
        values,
    )


def compared(plan: Plan, *matrices: Scores) -> tuple[Comparison, list[str]]:
    """Return the comparison, and its notices."""
    notices: list[Notice] = []
    comparison = compare(matrices, plan, notices.append)
    return comparison, [notice.message for notice in notices]


def test_all_pairs_in_the_order_of_the_ranking() -> None:
    """Without a baseline all systems are ranked, and each is tested against each
    worse one.
    """
    comparison, messages = compared(Plan(trials=300), scores(VALUES))

    assert [("b", 1), ("a", 2), ("c", 3)] == [
        (standing.system, standing.rank) for standing in comparison.standings
    ]
    assert [("b", "a"), ("b", "c"), ("a", "c")] == [
        (pair.system, pair.other) for pair in comparison.pairs
    ]
    assert VALUES.mean(axis=1)[1] == pytest.approx(comparison.standings[0].mean.value)
    assert (VALUES[1] - VALUES[0]).mean() == pytest.approx(
        comparison.pairs[0].difference.value
    )
    assert all(pair.evals == 8 and pair.exact for pair in comparison.pairs)
    assert [] == messages


def test_a_baseline() -> None:
    """Against a baseline only pairs with it are tested and counted, and there are no
    groups.
    """
    comparison, _ = compared(Plan("a", trials=300, correction="holm"), scores(VALUES))

    assert [("b", "a"), ("c", "a")] == [
        (pair.system, pair.other) for pair in comparison.pairs
    ]
    assert comparison.pairs[1].difference.value < 0
    assert [""] * 3 == [standing.letters for standing in comparison.standings]
    p = np.array([pair.randomization for pair in comparison.pairs])
    assert significance.holm(p).tolist() == [
        pair.randomization_corrected for pair in comparison.pairs
    ]


@pytest.mark.parametrize("correction", ["none", "holm", "bh"])
def test_the_correction_is_over_all_metrics(correction: str) -> None:
    """P-values are corrected over the pairs of all metrics at once, separately for
    each test.
    """
    second = scores(VALUES[::-1] * CHANCE.uniform(0.5, 1.5, VALUES.shape), "ROUGE-L F")
    comparison, _ = compared(
        Plan(trials=200, correction=correction), scores(VALUES), second
    )
    for name in ("randomization", "bootstrap"):
        p = np.array([getattr(pair, name) for pair in comparison.pairs])
        expected = {
            "none": p,
            "holm": significance.holm(p),
            "bh": stats.false_discovery_control(p),
        }
        corrected = [getattr(pair, f"{name}_corrected") for pair in comparison.pairs]
        assert pytest.approx(expected[correction]) == corrected
    assert 6 == len(comparison.pairs)


def test_letters_follow_the_corrected_p() -> None:
    """Systems share a letter exactly if the corrected p of randomization is not
    below the level.
    """
    comparison, _ = compared(Plan(trials=300, level=0.04), scores(VALUES))
    letters = {
        standing.system: set(standing.letters) for standing in comparison.standings
    }
    shared = [
        bool(letters[pair.system] & letters[pair.other]) for pair in comparison.pairs
    ]

    assert shared == [pair.randomization_corrected >= 0.04 for pair in comparison.pairs]
    assert {True, False} == set(shared)


def test_pairs_use_the_evals_of_both() -> None:
    """A system that lacks evals is tested on shared evals, and the missing ones are
    reported.
    """
    values = VALUES.copy()
    values[0, [1, 6]] = np.nan
    values[2, 0] = np.nan
    comparison, messages = compared(Plan(trials=300), scores(values))
    shared = {(pair.system, pair.other): pair for pair in comparison.pairs}
    both = [place for place in range(8) if place not in {0, 1, 6}]

    assert [6, 7, 5] == [
        shared[pair].evals for pair in (("b", "a"), ("b", "c"), ("a", "c"))
    ]
    assert shared["a", "c"].difference.value == pytest.approx(
        (VALUES[0] - VALUES[2])[both].mean()
    )
    exact = stats.permutation_test(
        (VALUES[0, both], VALUES[2, both]),
        lambda x, y: np.mean(x - y),
        permutation_type="samples",
    )
    assert shared["a", "c"].randomization == pytest.approx(exact.pvalue)
    assert [6, 8, 7] == [
        standing.evals
        for standing in sorted(
            comparison.standings, key=lambda standing: standing.system
        )
    ]
    assert (
        "a: no ROUGE-2 F in 2 of 8 evals (2, 7); each pair is compared on the evals of"
        " both" in messages
    )
    assert (
        "c: no ROUGE-2 F in 1 of 8 evals (1); each pair is compared on the evals of"
        " both" in messages
    )


def test_pairs_name_the_evals_of_the_widest_gaps() -> None:
    """A pair names the five shared evals in which they differ most, the greatest gap
    first.
    """
    values = np.zeros((2, 8))
    values[0] = [0.1, 0.5, np.nan, 0, 0.3, 0.3, 0.6, 0.7]
    values[1] = [0.1, 0.1, 0.9, 0.7, 0.2, 0.1, 0.6, 0.6]
    pairs, _ = compared(Plan("b", trials=300), scores(values))
    rest, _ = compared(
        Plan(trials=300), scores(values[:, 3:4]), scores(values[:, :1], "ROUGE-L F")
    )

    assert ["4", "2", "6", "5", "8"] == [gap.eval for gap in pairs.pairs[0].widest]
    assert pytest.approx([-0.7, 0.4, 0.2, 0.1, 0.1]) == [
        gap.difference for gap in pairs.pairs[0].widest
    ]
    assert [1, 0] == [len(pair.widest) for pair in rest.pairs]


def test_f_of_equal_means_is_their_mean() -> None:
    """If recall equals precision, differences of F of means are those of plain
    means, intervals too.
    """
    plan = Plan(trials=300, seed=3)
    plain, _ = compared(plan, scores(VALUES))
    of_means, _ = compared(plan, scores(VALUES)._replace(parts=(VALUES, VALUES, 0.3)))

    for pair, same in zip(plain.pairs, of_means.pairs, strict=True):
        assert pytest.approx(pair.difference, abs=1e-12) == same.difference


def test_few_evals_are_warned_of() -> None:
    """With fewer than five evals a notice gives the least possible p, and a clear
    case has that p.
    """
    comparison, (warning,) = compared(
        Plan(trials=300, correction="none"), scores(np.array([[4.0, 5, 6], [1, 2, 3]]))
    )

    assert warning.startswith("ROUGE-2 F: only 3 evals, too few")
    assert warning.endswith("cannot give p below 0.25")
    assert 0.25 == comparison.pairs[0].randomization


def test_too_few_trials_for_holm_are_warned_of() -> None:
    """If no corrected p can be below the level, a notice gives the required trials,
    which suffice.
    """
    values = np.vstack([CHANCE.uniform(0, 1, 20) + 10 * place for place in range(3)])
    _, (warning,) = compared(Plan(trials=50), scores(values))
    enough = int(warning.partition("--trials ")[2].partition(" ")[0])
    comparison, messages = compared(Plan(trials=enough), scores(values))

    assert (
        "corrected over 3 comparisons, 50 trials cannot give p below 0.059" in warning
    )
    assert [] == messages
    assert all(
        pair.randomization_corrected < 0.05 > pair.bootstrap_corrected
        for pair in comparison.pairs
    )


@tabled
def test_too_few_evals_for_any_trials_are_warned_of(
    systems: int, evals: int, correction: str, message: str
) -> None:
    """If all exchanges were tried and no corrected p can be below the level, a
    notice is printed.
    """
    values = CHANCE.uniform(0, 1, (systems, evals)) + 10 * np.arange(systems)[:, None]
    comparison, messages = compared(Plan(correction=correction), scores(values))
    messages = [message for message in messages if "few evals or ties" not in message]

    assert bool(message) == all(
        pair.randomization_corrected >= 0.05 for pair in comparison.pairs
    )
    assert not any("--baseline" in warning for warning in messages if systems == 2)
    assert [message] * bool(message) == [
        warning[: len(message)] for warning in messages
    ]


def test_nothing_in_common() -> None:
    """Systems without a common eval, a baseline without scores and a single system
    are refused.
    """
    values = np.array([[0.1, np.nan], [np.nan, 0.2]])
    with pytest.raises(
        RougeError, match="b and a have no eval in common; leave one out"
    ):
        compared(Plan(), scores(values))
    with pytest.raises(
        RougeError,
        match="the baseline z has no ROUGE-2 F; choose a metric with -m LABEL",
    ):
        compared(Plan("z"), scores(VALUES))
    with pytest.raises(RougeError, match="one system alone cannot be compared"):
        compared(Plan(), scores(VALUES[:1]))
    with pytest.raises(RougeError, match="a has no finite ROUGE-2 F"):
        compared(Plan(), scores(np.array([[np.nan], [0.2]])))


def test_references_are_drawn_again() -> None:
    """A pair changes order in the share of draws of references whose scores,
    computed again, change it.
    """
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "dogs", "ran", "by"]
    chance = np.random.default_rng(6)
    texts = {
        name: [" ".join(chance.permutation(words)[:5]) for _ in range(9)]
        for name in "abc"
    }
    references = [
        [" ".join(chance.permutation(words)[:6]) for _ in range(3)] for _ in range(9)
    ]
    compared = rouge_cli.compare(
        texts, references, "R1,R2", over="references", draws=12, seed=3
    )
    random, changed = (
        np.random.default_rng(3),
        dict.fromkeys(range(len(compared.pairs)), 0.0),
    )
    for _ in range(12):
        drawn = [
            [some[place] for place in random.integers(0, 3, 3)] for some in references
        ]
        means = rouge_cli.score(
            texts, drawn, "R1,R2", samples=0, notify=ignore_notice
        ).to_dict()
        for place, pair in enumerate(compared.pairs):
            label = pair.name.removesuffix(" F")
            gap = means[pair.system][label]["f"] - means[pair.other][label]["f"]
            changed[place] += (
                0.5 if gap == 0 else float((gap > 0) != (pair.difference.value > 0))
            )

    assert pytest.approx([count / 12 for count in changed.values()]) == [
        pair.reordered for pair in compared.pairs
    ]
    assert len({pair.reordered for pair in compared.pairs}) > 2
    both = rouge_cli.compare(
        texts, references, "R1,R2", over="evals,references", draws=12, seed=3
    )
    assert [pair.reordered for pair in both.pairs] != [
        pair.reordered for pair in compared.pairs
    ]
    assert [None] * 6 == [
        pair.reordered for pair in rouge_cli.compare(texts, references, "R1,R2").pairs
    ]


def test_one_reference_cannot_be_drawn_again() -> None:
    """Without a second reference in any eval, the order cannot depend on the draws."""
    with pytest.raises(RougeError, match="no eval has several references to draw from"):
        rouge_cli.compare(
            {"a": ["x y"], "b": ["x"]},
            ["x y z"],
            over="references",
            notify=lambda _: None,
        )


@pytest.mark.parametrize(
    ("p", "trials", "shown"),
    [
        (0.25, 0, "0.2500"),
        (0.3314, 10_000, "0.331"),
        (0.0165, 10_000, "0.017"),
        (0.0004, 10_000, "0.0004"),
        (0.5, 100, "0.50"),
        (0.3315, 1_000_000, "0.3315"),
        (0.00005, 0, "<0.0001"),
        (1.0, 10_000, "1.0000"),
        (nan, 10_000, "-"),
    ],
)
def test_a_p_has_the_digits_that_its_trials_allow(
    p: float, trials: int, shown: str
) -> None:
    """The last digit of a p is at least a fifth of the standard error of its trials;
    an exact p has four digits.
    """
    error = sqrt(p * (1 - p) / trials) if trials else 0.0

    assert printed.p_value(p, error) == shown
