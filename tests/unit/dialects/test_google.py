"""Google's scorer as other programs use it: in threads, in other processes, for
long, and wrongly.
"""

import copy
import pickle
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any
from unittest.mock import Mock

import pytest
from everyday import sampled

import rouge_cli
from rouge_cli import twins
from rouge_cli.core import Notice
from rouge_cli.dialects.google import (
    RougeScorer,
    Score,
    compute,
    scoring,
    tokenizers,
    word_forms,
)
from rouge_cli.native import replacements
from rouge_cli.text import porter

ALL = Score(1.0, 1.0, 1.0)


def test_threads_share_a_scorer() -> None:
    """Texts of one thread never mix with those of another, even if every word is new
    to the vocabulary.
    """
    scorer = RougeScorer(["rouge1", "rougeLsum"], use_stemmer=True)
    texts = [
        " ".join(f"w{number}x{word}" for word in range(40)) for number in range(1500)
    ]
    batches = [texts[start::7] for start in range(7)]
    with ThreadPoolExecutor(4) as pool:
        batched = pool.map(scorer.score_batch, batches, batches)
        scores = [*pool.map(scorer.score, texts, texts), *chain.from_iterable(batched)]

    assert [{"rouge1": ALL, "rougeLsum": ALL}] * 2 * len(texts) == scores


@pytest.mark.parametrize("times", sampled([3_000, 10_000], 2))
def test_threads_share_counts_of_none(times: int) -> None:
    """Scores of 0, which Python makes, never come from another thread."""
    scorer = RougeScorer([*(f"rouge{n}" for n in range(1, 10)), "rougeL"])
    words = "a b c d e f g h i j"
    expected = {text: scorer.score(words, text) for text in (words, "x y")}
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            wrong = sum(
                pool.map(
                    lambda text: scorer.score(words, text) != expected[text],
                    [*expected] * times,
                )
            )
    finally:
        sys.setswitchinterval(interval)

    assert wrong == 0


@pytest.mark.parametrize("stem", [False, True])
def test_scorers_of_one_set_up_share_plan_and_stems(
    kernels: str, monkeypatch: pytest.MonkeyPatch, *, stem: bool
) -> None:
    """Scorers with the same options share their plan and their stems, in threads
    too.
    """
    plans: dict[tuple[object, ...], object] = {}
    stems = Mock(wraps=porter.nltk_stem)
    monkeypatch.setattr(porter, "nltk_stem", stems)
    monkeypatch.setattr(replacements, "SHARED", plans)
    monkeypatch.setattr(word_forms, "_WORDS", {})
    text = f"shared{kernels} words are learning nothing"

    def score(_: int) -> Score:
        return RougeScorer(("rouge1", "rougeL"), use_stemmer=stem).score(text, text)[
            "rougeL"
        ]

    first = score(0)
    learned = list(plans.values()), stems.call_count
    with ThreadPoolExecutor(4) as pool:
        scores = list(pool.map(score, range(200)))

    assert [first] * 200 == scores == [ALL] * 200
    asks = stem and kernels == "python"  # compiled code has the stemmer itself
    assert (asks, learned) == (stems.called, (list(plans.values()), stems.call_count))


def test_few_set_ups_are_remembered() -> None:
    """The cache of scorer set-ups is bounded, and a scorer in it keeps its own
    set-up.
    """
    scorers = [RougeScorer([f"rouge{n}", "rougeL"]) for n in range(1, 10)]
    for _ in range(2):
        assert all(scorer.score("a b", "a b")["rougeL"] == ALL for scorer in scorers)

    assert len(replacements.SHARED) <= replacements.MOST_SETUPS < len(scorers)


@pytest.mark.usefixtures("kernels")
def test_several_targets_are_scored_as_each() -> None:
    """With several targets, each type has the score of its own best target, the
    first on ties.
    """
    scorer = RougeScorer(["rouge1", "rouge2"])
    targets = ["b x a", "a b x y", "b a x", "a b"]
    scores = scorer.score_multi(iter(targets), "a b z")

    assert {kind: scorer.score("a b", "a b z")[kind] for kind in scores} == scores
    assert Score(0.5, 1.0, 2 / 3) == scores["rouge2"]


def test_a_tokenizer_may_be_replaced() -> None:
    """A scorer whose tokenizer or types are changed scores by the new ones."""
    scorer = RougeScorer(["rouge1"], use_stemmer=True)
    assert scorer.score("running dogs", "run dog")["rouge1"] == ALL
    assert scorer.score_multi(["running dogs"], "run dog")["rouge1"] == ALL
    scorer._tokenizer = tokenizers.DefaultTokenizer()  # noqa: SLF001 - as programs do
    scorer.rouge_types = ["rougeL"]
    assert scorer.score("running dogs", "run dogs")["rougeL"] == Score(0.5, 0.5, 0.5)
    scorer._tokenizer = type("Letters", (), {"tokenize": staticmethod(list)})()  # noqa: SLF001
    assert scorer.score("abc", "abd")["rougeL"].recall == 2 / 3


def test_a_tokenizer_may_reuse_its_list() -> None:
    """A tokenizer that fills the same list at each call has the scores of one that
    returns new lists.
    """
    found: list[str] = []

    def tokenize(text: str) -> list[str]:
        found[:] = text.split()
        return found

    reusing, plain = (
        type("Words", (), {"tokenize": staticmethod(way)})()
        for way in (tokenize, str.split)
    )
    scores = [
        RougeScorer(["rouge1", "rougeLsum"], tokenizer=words).score(
            "a b\nc d", "a b\nd c"
        )
        for words in (reusing, plain)
    ]

    assert scores[0] == scores[1]


def test_forgetting_words_changes_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary that has grown too large is reset between pairs, never within
    one.
    """
    monkeypatch.setattr(word_forms, "MOST_FORMS", 5)
    scorer = RougeScorer(["rouge1"])
    chance = random.Random(1)
    texts = [" ".join(f"w{chance.randrange(100)}" for _ in range(9)) for _ in range(50)]
    notices: list[Notice] = []
    report = rouge_cli.score(
        texts,
        [[text, "x"] for text in texts],
        "rouge1",
        dialect="google",
        notify=notices.append,
    )

    assert all(scorer.score(text, text)["rouge1"] == ALL for text in texts)
    assert all(scorer.score_multi(["x", text], text)["rouge1"] == ALL for text in texts)
    assert 1.0 == report.to_dict()["system"]["rouge1"]["f"]


class _Named(RougeScorer):
    """A scorer of a user's own, with a constructor of its own."""

    def __init__(self, name: str) -> None:
        super().__init__(["rougeL"], use_stemmer=True)
        self.name = name


def test_scorers_are_copied_and_pickled() -> None:
    """A scorer is copied and pickled with its options and attributes, without a call
    of its constructor.
    """
    scorer = _Named("mine")
    scorer.score("the cats", "a cat")
    for twin in (
        copy.copy(scorer),
        copy.deepcopy(scorer),
        pickle.loads(pickle.dumps(scorer)),  # noqa: S301 - our own
    ):
        assert "mine" == twin.name
        assert scorer.score("running cats", "runs, cat") == twin.score(
            "running cats", "runs, cat"
        )


def test_bare_strings_are_not_taken_for_lists() -> None:
    """A string in place of a list is refused, or warned of if rouge_score reads its
    characters.
    """
    with pytest.raises(ValueError, match="lists of strings, not one string"):
        RougeScorer(["rouge1"]).score_batch("abc", ["abc"])
    with pytest.raises(ValueError, match="lists of strings, not one string"):
        compute("abc", "abc")
    with pytest.warns(UserWarning, match="each of its characters is a target"):
        RougeScorer(["rouge1"]).score_multi("a b", "a")


class Marked(str):
    """A subclass of str, as numpy's strings are."""

    __slots__ = ()


@pytest.mark.usefixtures("kernels")
def test_every_score_is_a_score() -> None:
    """Scores have Google's class and hash, and are integer zeros only if an LCS has
    an empty text.
    """
    scorer = RougeScorer(["rouge2", "rougeL", "rougeLsum"])
    scores = scorer.score(Marked("a b c"), "A b\nd")
    third = Score(2 / 3, 2 / 3, 2 / 3)

    assert isinstance(scorer, scoring.BaseScorer)
    assert (0.0, 0.5) == (scoring.fmeasure(0, 0), scoring.fmeasure(0.5, 0.5))
    assert scores == {
        "rouge2": Score(0.5, 0.5, 0.5),
        "rougeL": third,
        "rougeLsum": third,
    }
    assert {type(score) for score in scores.values()} == {Score}
    assert hash(third) == hash(scores["rougeL"])
    assert (
        "[Score(precision=0.0, recall=0.0, fmeasure=0.0), Score(precision=0, recall=0,"
        " fmeasure=0)]" == (str(list(scorer.score("a", "").values())[:2]))
    )


@pytest.mark.parametrize("wrong", [None, 1, bytearray(b"a"), ["a b"]])
def test_both_kernels_refuse_other_types_alike(
    wrong: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both kernels refuse a non-string with the same message, on either side and in
    batches.
    """
    messages = []
    for kernels in ("default", "python"):
        if kernels == "python":
            monkeypatch.setattr(twins, "extension", lambda: None)
        scorer = RougeScorer(["rouge1", "rougeLsum"])
        for pair in ((wrong, "a"), ("a", wrong)):
            with pytest.raises((AttributeError, TypeError)) as single:
                scorer.score(*pair)
            messages.append(str(single.value))
        with pytest.raises((AttributeError, TypeError)) as several:
            scorer.score_batch(["a", "b"], ["a", wrong])
        messages.append(str(several.value))

    assert messages[:3] == messages[3:]


def test_batches_are_pairs() -> None:
    """A batch returns what its pairs return one by one, with one target or several."""
    scorer = RougeScorer(["rouge1", "rougeL"])
    scores = scorer.score_batch(["a b", ["x", "c d"]], ["a", "c"])

    assert [scorer.score("a b", "a"), scorer.score_multi(["x", "c d"], "c")] == scores
    with pytest.raises(ValueError, match="1 targets for 2 predictions"):
        scorer.score_batch(["a"], ["a", "b"])


@pytest.mark.filterwarnings(
    "ignore::rouge_cli.errors.RougeWarning"
)  # of the letters that `classic` drops
@pytest.mark.parametrize("tokenizer", ["unicode", "whitespace", "classic"])
def test_the_stemmer_stems_the_words_of_any_tokenizer(tokenizer: str) -> None:
    """With `stemmer` and `tokenizer`, words of any alphabet have NLTK's stems, from
    four letters on.
    """
    texts = "naïvely running cats, Zürichs кошки", "naïve run cat Zürich кошки"
    f = {
        stemmer: (
            rouge_cli.score(
                *texts, "rouge1", dialect="google", tokenizer=tokenizer, stemmer=stemmer
            ).to_dict()["system"]["rouge1"]["f"]
        )
        for stemmer in ("none", "nltk")
    }
    # Of five words naïv, run, cat (not `cats,`), zürich, кошки; of six in ASCII na, z,
    # run, cat, rich.
    assert {
        "unicode": {"none": 1 / 5, "nltk": 5 / 5},
        "whitespace": {"none": 1 / 5, "nltk": 4 / 5},
        "classic": {"none": 2 / 6, "nltk": 5 / 6},
    }[tokenizer] == pytest.approx(f)
