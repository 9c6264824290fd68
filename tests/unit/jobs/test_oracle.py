"""Oracle extracts, on cases worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING

import pytest

import rouge_cli
from rouge_cli.core import ignore_notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.jobs import certificates, presumm
from rouge_cli.jobs.extracts import Budget, Extracts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Notice


def selected(document: Sequence[str], reference: str, most: int = 3) -> tuple[int, ...]:
    """Return PreSumm's selection."""
    sentences = [text.encode() for text in document]
    choice = presumm.select(sentences, [[reference.encode()]], Budget(most))
    return choice.selection


def test_presumm_adds_both_f() -> None:
    """1-grams: 2 of 2 and 2 of 3, F .8; 2-grams: 1 of 1 and 1 of 2, F 2/3."""
    choice = presumm.select([b"the cat", b"a dog"], [[b"The cat sat."]], Budget(1))

    assert choice.selection == (0,)
    assert choice.value == pytest.approx(0.8 + 2 / 3, abs=1e-7)


def test_presumm_counts_a_repeated_word_once() -> None:
    """As sets, `cat cat cat` is `cat`: F with `cat sat` is 2/3, of ROUGE-1 it is .4;
    `cat on` has .5 in both.
    """
    document = ["cat on", "cat cat cat"]
    (ours,) = rouge_cli.oracle([document], ["cat sat"], metric="R1", most=1)

    assert selected(document, "cat sat", most=1) == (1,)
    assert ours.sentences == (0,)


def test_presumm_has_no_bigram_across_sentences() -> None:
    """The bigram `red mat` goes across both sentences of the extract, and counts in
    ROUGE-2 only.
    """
    document = ["very red", "mat lies"]
    (ours,) = rouge_cli.oracle([document], ["red mat"], method="exact")
    choice = presumm.select(
        [text.encode() for text in document], [[b"red mat"]], Budget(2)
    )

    assert ours.sentences == (0, 1)
    assert ours.score == 0.5  # 1 of 3 and of 1
    # 1-grams only: 2 of 4 and 2 of 2
    assert choice.value == pytest.approx(2 / 3, abs=1e-7)


def test_presumm_deletes_characters() -> None:
    """A hyphen and a letter with an accent are deleted, not separators."""
    assert selected(["well known", "well-known"], "wellknown", most=1) == (1,)
    assert selected(["caf", "café"], "café", most=2) == (0,)


def test_presumm_scores_are_those_of_the_metric() -> None:
    """The method selects; the metric scores the extract."""
    (best,) = rouge_cli.oracle([["a b", "c d"]], ["a b"], metric="R1", method="presumm")

    assert (best.sentences, best.score, best.gap) == ((0,), 1.0, None)


def test_a_gap_is_known_of_exact_only() -> None:
    """Greedy and beam have no gap, which is not 0."""
    for method in ("greedy", "beam"):
        (best,) = rouge_cli.oracle([["a b", "c"]], ["a b"], method=method)
        assert best.gap is None


def test_a_document_without_a_match_has_no_extract() -> None:
    """Nothing gains, so that nothing is selected: all labels are 0."""
    (best,) = rouge_cli.oracle([["a b", "c d"]], ["x y"], notify=ignore_notice)

    assert (best.sentences, best.labels, best.extract) == ((), [0, 0], [])
    assert best.scores == (0, 0, 0)


def test_a_budget_of_words_lifts_that_of_sentences() -> None:
    """Three sentences are the usual most; with words, any number that fits."""
    document = ["a b", "c d", "e f", "g h"]
    text = "a b c d e f g h"
    (usual,) = rouge_cli.oracle([document], [text], metric="R1")
    (eight,) = rouge_cli.oracle([document], [text], metric="R1", words=8)
    (two,) = rouge_cli.oracle([document], [text], metric="R1", words=8, most=2)

    assert [3, 4, 2] == [len(best.sentences) for best in (usual, eight, two)]


@pytest.mark.parametrize(
    ("document", "options"),
    [
        ("a b\nc d", {}),
        (["a b", "c d"], {}),
        ("a b<q>c d", {"sentences": "mark:<q>"}),
        ("a b<q>c d", {"sentences": "mark:<q>", "dialect": "google"}),
    ],
)
def test_a_document_is_divided_as_texts_are(
    document: str | list[str], options: dict[str, str]
) -> None:
    """Lines, items of a list and marks divide a document; marks divide references,
    too.
    """
    (best,) = rouge_cli.oracle([document], ["c d"], metric="R1", **options)  # type: ignore[arg-type]

    assert best.document == ["a b", "c d"]
    assert best.extract == ["c d"]


def test_positions_are_those_of_the_list() -> None:
    """Blank sentences and line ends within sentences of a list move no label."""
    document = ["", "a\nb", " ", "c d", "\n", "a b c d"]
    (best,) = rouge_cli.oracle([document], ["a b"], metric="R1", most=1)

    assert best.document == document
    assert best.labels == [0, 1, 0, 0, 0, 0]
    assert best.extract == ["a\nb"]


def test_a_list_is_not_divided_again() -> None:
    """With a list of sentences, another way to find them is refused."""
    with pytest.raises(UsageError, match="lists of sentences"):
        rouge_cli.oracle([["a. b.", "c"]], ["c"], sentences="split")


def test_several_references_of_a_list_are_references() -> None:
    """A document in sentences says nothing about references: there is no warning."""
    notices: list[Notice] = []
    rouge_cli.oracle([["a b", "c"]], [["a b", "x"]], notify=notices.append)

    assert not notices


@pytest.mark.parametrize(
    "options", [{"average": "micro"}, {"jackknife": "yes"}, {"metrics": "ROUGE-BE-HM"}]
)
def test_what_has_no_score_of_an_extract_is_refused(options: dict[str, str]) -> None:
    """A signature may have options by which single extracts have no scores."""
    facts = {"dialect": "rouge155", "metrics": "ROUGE-2", **options}
    like = "|".join(f"{name}:{value}" for name, value in facts.items())
    with pytest.raises(UsageError):
        rouge_cli.oracle([["a"]], ["a"], metric=facts["metrics"], like=like)


def test_unread_sentences_are_reported() -> None:
    """A document in SEE with a sentence that is not read is reported, as in `score`."""
    notices: list[Notice] = []
    see = '<a name="{0}">[{0}]</a> <a href="#{0}" id={0}>{1}</a>'
    lost = see.format(3, "Lost.").replace('"', "'")
    lines = [see.format(1, "The cat."), see.format(2, "A dog."), lost]
    document = "<html>\n" + "\n".join(lines) + "\n</html>"
    (best,) = rouge_cli.oracle(
        [document], [document], metric="R1", read_as="see", notify=notices.append
    )

    assert best.document == ["The cat.", "A dog."]
    assert "1 of 3 sentences is not read" in notices[0].message


def test_one_sentence_is_reported() -> None:
    """A document that was not divided is labelled 1 without a choice."""
    notices: list[Notice] = []
    rouge_cli.oracle(["It sat. It ran."], ["it ran"], notify=notices.append)

    assert [
        "eval 1: the document has one sentence; if it has more, add --sentences split, or give a list"
    ] == [notice.message for notice in notices if "sentence" in notice.message]


def test_the_signature_is_of_the_users_options() -> None:
    """Documents are divided once, and scored as lines; the signature has the option."""
    oracles = rouge_cli.oracle(["a b<q>c d"], ["c d"], sentences="mark:<q>")

    assert "|sentences:mark:<q>|" in oracles.signature
    assert "|samples:0|" in oracles.signature


def test_out_of_time_there_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver ends with 4 N - 1 D <= 2, where D is 4 words: N <= 1.5, recall
    <= .375; the first sentence has 1 of 4.
    """
    words = Counter[Hashable]({1: 1, 2: 1, 3: 2})
    problem = certificates.Problem(
        n=1,
        sentences={0: [1], 1: [2, 3]},
        references=[[words]],
        measure="recall",
        slack=0.0,
        is_rounded=False,
    )
    monkeypatch.setattr(certificates.Program, "maximize", lambda *_: (2.0, ()))
    proof = certificates.solve(problem, Budget(1), [1, 2], (0,), seconds=1)

    assert proof == ((0,), 0.375)


def test_what_cannot_be_proven_is_refused() -> None:
    """ROUGE-L of a long document: there are too many extracts, and no program."""
    document = [f"w{number} x y" for number in range(200)]
    with pytest.raises(RougeError, match="ROUGE-L is not ROUGE-N") as caught:
        rouge_cli.oracle([document], ["x y"], metric="RL", method="exact")

    assert len(str(caught.value)) <= 300


def test_numbers_of_extracts() -> None:
    """Of four sentences, three at most: 4 + 6 + 4; with 3 words at most two of these
    fit.
    """

    def values(texts: Sequence[Sequence[bytes]]) -> list[float]:
        return [0.0 for _ in texts]

    sentences = [b"a", b"b b", b"c c", b"d d d"]
    extracts = Extracts(sentences, Budget(3), values)
    short = Extracts(sentences, Budget(None, 3), values)

    assert extracts.number() == 14 == len(list(extracts.all()))
    assert short.number() == 10  # a bound: of at most two sentences
    assert list(short.all()) == [(0,), (1,), (2,), (3,), (0, 1), (0, 2)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "best"}, "method is 'best'"),
        ({"most": 0}, "most is 0"),
        ({"words": 1.5}, "words is 1.5"),
        ({"beam": 0}, "beam is 0"),
        ({"seconds": 0}, "seconds is 0"),
        ({"metric": "R2,R1"}, "metric"),
        ({"metric": "R9x"}, "unknown metric 'R9x'"),
    ],
)
def test_wrong_settings_are_refused(options: dict[str, object], message: str) -> None:
    """A setting out of its range is an error before anything is scored."""
    with pytest.raises(UsageError, match=message):
        rouge_cli.oracle([["a"]], ["a"], **options)  # type: ignore[arg-type]
