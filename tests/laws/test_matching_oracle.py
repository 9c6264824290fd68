"""One-to-one matching compared with exhaustive search, and laws of ROUGE 2.0's
measures on any texts.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest
from everyday import share
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rouge_cli
from rouge_cli.core import Counts, Text
from rouge_cli.dialects.rouge2 import preparation
from rouge_cli.dialects.rouge2.counts import Units
from rouge_cli.dialects.rouge2.matching import best_matching
from rouge_cli.metrics.lcs import Lcs

WORDS = "abcdef"
UNITS = st.lists(st.sampled_from(WORDS), max_size=6)
LINKS = st.dictionaries(
    st.sampled_from(WORDS), st.sets(st.sampled_from(WORDS), max_size=4)
)
LINES = st.lists(st.lists(st.sampled_from(WORDS), max_size=4), min_size=1, max_size=3)
KINDS = ("1", "2", "L", "S1", "SU4", "S*", "1Uniq", "SU2Uniq")


# The oracles.


def tried(
    prediction: Sequence[str], reference: Sequence[str], links: dict[str, set[str]]
) -> int:
    """Return the most matches, by trying every unit of the model, or none, for each
    unit of the peer.
    """

    @cache
    def rest(place: int, free: tuple[int, ...]) -> int:
        if place == len(prediction):
            return 0
        ways = (
            1
            + rest(
                place + 1, tuple(other for other in free if other != place_in_reference)
            )
            for place_in_reference in free
            if reference[place_in_reference] == prediction[place]
            or reference[place_in_reference] in links.get(prediction[place], ())
        )
        return max([rest(place + 1, free), *ways])

    return rest(0, tuple(range(len(reference))))


def units(lines: Sequence[Sequence[str]], kind: str) -> list[tuple[str, ...]]:
    """Return the n-grams or pairs of words, and single words, by their positions in
    each line.
    """
    result = []
    for line in lines:
        if kind.isdigit():
            result += [
                tuple(line[i : i + int(kind)]) for i in range(len(line) - int(kind) + 1)
            ]
            continue
        far = 99 if kind.endswith("*") else int(kind.strip("SU"))
        for i in range(len(line)):
            result += [
                (line[i], line[j]) for j in range(i + 1, len(line)) if j <= i + far + 1
            ]
        result += [(word,) for word in line if "U" in kind]
    return result


def like(
    first: tuple[str, ...], second: tuple[str, ...], links: dict[str, set[str]]
) -> bool:
    """Return True if two units match, word by word."""
    return len(first) == len(second) and all(
        a == b or b in links.get(a, ()) or a in links.get(b, ())
        for a, b in zip(first, second, strict=True)
    )


def walked_back(reference: Sequence[str], prediction: Sequence[str]) -> set[str]:
    """Return the words on the path that the Java program takes through a whole
    table.
    """
    table = [[0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    for i, word in enumerate(reference):
        for j, other in enumerate(prediction):
            longest = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if word == other else longest
    i, j, words = len(reference), len(prediction), set()
    while i and j:
        if reference[i - 1] == prediction[j - 1]:
            i, j = i - 1, j - 1
            words.add(reference[i])
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return words


def counted(
    label: str,
    reference: Sequence[Sequence[str]],
    prediction: Sequence[Sequence[str]],
    links: dict[str, set[str]],
    *,
    program: bool = False,
) -> Counts:
    """Return the dialect's counts, with both sides expanded by the links."""
    dictionary = {word: frozenset(others) for word, others in links.items()}
    preprocessing = preparation.Preprocessing(dictionary=dictionary, program=program)
    sides = (reference, prediction)
    read = [
        preparation.TaggedText([[(word, "") for word in line] for line in side])
        for side in sides
    ]
    metric = Units(preparation.parse(label), preprocessing)
    if metric.measure.synonyms:  # compiled code has the readable program's matches
        *sizes, taken = metric._match(read[0], read[1])  # noqa: SLF001
        assert metric.count(*read)[:3] == (
            *sizes,
            sum(sum(times.values()) for times in taken.values()),
        )
    return metric.count(read[0], read[1])


# The laws.


@settings(max_examples=share(400))
@given(UNITS, UNITS, LINKS)
@example(
    ["s", "d"], ["s", "y"], {"s": {"y"}, "d": {"s"}}
)  # matching equal words first would give one
@example(
    ["b", "f"], ["a", "a", "f"], {"b": {"f"}, "f": {"a"}}
)  # f makes room for b, and is still matched
@example(["a", "a", "b"], ["b", "a", "c"], {"a": {"b", "c"}, "b": {"c"}})
def test_matching_is_maximum(
    prediction: list[str], reference: list[str], links: dict[str, set[str]]
) -> None:
    """No one-to-one matching has more matches than the computed one."""
    given_links = {
        word: others - {word} for word, others in links.items() if word in prediction
    }

    taken = best_matching(Counter(prediction), Counter(reference), given_links)

    assert tried(prediction, reference, links) == sum(
        sum(times.values()) for times in taken.values()
    )


@given(LINES, LINES, LINKS, st.sampled_from(["1", "2", "3", "S0", "S1", "SU2", "S*"]))
def test_units_match_word_by_word(
    prediction: list[list[str]],
    reference: list[list[str]],
    links: dict[str, set[str]],
    kind: str,
) -> None:
    """N-grams and pairs with synonyms match as many as exhaustive search does."""
    ours, theirs = units(prediction, kind), units(reference, kind)
    assume(max(len(ours), len(theirs)) <= 7)  # more are too many to try
    named = [f"peer {place}" for place in range(len(ours))]
    ways = {
        name: {
            f"model {index}"
            for index, other in enumerate(theirs)
            if like(unit, other, links)
        }
        for name, unit in zip(named, ours, strict=True)
    }
    most = tried(named, [f"model {place}" for place in range(len(theirs))], ways)

    label = f"ROUGE-{kind}+Synonyms"
    assert (len(theirs), len(ours), most) == counted(
        label, reference, prediction, links
    )[:3]


@given(LINES, LINES, LINKS)
def test_synonyms_only_add(
    prediction: list[list[str]], reference: list[list[str]], links: dict[str, set[str]]
) -> None:
    """No measure exceeds 1, synonyms never cost a match, and without any they do not
    change results.
    """
    for kind, program in product(KINDS, (False, True)):
        plain = counted(f"ROUGE-{kind}", reference, prediction, links, program=program)
        more = counted(
            f"ROUGE-{kind}+Synonyms", reference, prediction, links, program=program
        )

        none = counted(
            f"ROUGE-{kind}+Synonyms", reference, prediction, {}, program=program
        )
        assert (plain[:3], plain[:2]) == (none[:3], more[:2])
        assert more.match <= min(more.reference, more.prediction)
        # Another path may be as long and share fewer words with the other lines
        if kind != "L":
            assert plain.match <= more.match


@given(LINES, LINES)
def test_l_is_lins(prediction: list[list[str]], reference: list[list[str]]) -> None:
    """ROUGE-L without synonyms has the counts of ROUGE-1.5.5's metric."""
    ids = [
        [[WORDS.index(word) for word in line] for line in lines]
        for lines in (reference, prediction)
    ]
    wanted = Lcs().count(
        *(Text([word for line in lines for word in line], lines) for lines in ids)
    )

    assert wanted[:3] == counted("ROUGE-L", reference, prediction, {})[:3]


@given(LINES, LINES)
def test_the_programs_l_is_on_its_paths(
    prediction: list[list[str]], reference: list[list[str]]
) -> None:
    """By the program's definition L counts the different words on the paths of its
    table.
    """
    on_paths: set[str] = set().union(
        *(
            walked_back(reference_line, prediction_line)
            for reference_line, prediction_line in product(reference, prediction)
        )
    )
    distinct = [
        len({word for line in lines for word in line})
        for lines in (reference, prediction)
    ]

    assert (*distinct, len(on_paths)) == counted(
        "ROUGE-L", reference, prediction, {}, program=True
    )[:3]


@pytest.mark.parametrize(
    "metric", ["ROUGE-1+Synonyms", "ROUGE-Topic{NN|JJ|VB}+Synonyms", "ROUGE-L+Synonyms"]
)
def test_the_order_of_sides_is_recall_and_precision(metric: str) -> None:
    """With both sides expanded, swapping the texts only swaps recall and precision."""
    first, second = (
        "the bright screen shows a dog",
        "a canine on the display is shown clearly",
    )
    there, back = (
        rouge_cli.score(
            [prediction], [reference], [metric], dialect="rouge2"
        ).to_dict()["system"][metric]
        for prediction, reference in ((first, second), (second, first))
    )

    assert there["recall"] == back["precision"] > 0
    assert there["precision"] == back["recall"]
