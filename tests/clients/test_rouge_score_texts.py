"""Texts, tokens and scores of any type have rouge_score's result or its error."""

from collections.abc import Callable
from enum import Enum
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest
from everyday import sampled
from outcomes import outcome

pytest.importorskip(
    "rouge_score", reason="rouge-score is not installed: pip install '.[clients]'"
)

PACKAGES = "rouge_score", "rouge_cli.dialects.google"


class Marked(str):
    """A subclass of str."""

    __slots__ = ()


class Word(str, Enum):
    """Words whose hash is that of their names."""

    CAT = "cat"
    DOG = "a"


class Printable:
    """An object that prints as a text."""

    def __str__(self) -> str:
        return "a b"


TEXTS: dict[str, Any] = {
    "words": "a b",
    "capitals": "The cats RAN\u2028far, naïve Öl",
    "letters that become ASCII": "A \u0130 \u212a",
    "lower case": "a i k",
    "nothing": "",
    "lines": "a\n\nb c\n",
    "bytes": b"a b",
    "bytes of letters that become ASCII": "A \u0130 \u212a".encode(),
    "no bytes": b"",
    "bytes of lines": b"a\nb\n",
    "not UTF-8": b"a \xff",
    "None": None,
    "a number": 5,
    "nan": float("nan"),
    "True": True,
    "words in a list": ["a", "b"],
    "bytes in a list": [b"a", b"b"],
    "a text in a list": ["a b"],
    "an empty list": [],
    "a tuple": ("a", "b"),
    "a dict": {"a": 1},
    "a bytearray": bytearray(b"a b"),
    "a memoryview": memoryview(b"a b"),
    "a subclass": Marked("a b"),
    "numpy's string": np.str_("a b"),
    "an object": Printable(),
    "half a surrogate pair": "\ud800 a",
    "NUL": "a\0b",
}
TOKENIZERS: dict[str, Callable[[Any], Any] | None] = {
    "default": None,
    "words": lambda text: text.split(),
    "a tuple": lambda text: tuple(text.split()),
    "items": list,
    "lengths": lambda text: [len(word) for word in text.split()],
    "equal numbers": lambda text: [1, 1.0, True, "1"][: len(text)],
    "lists": lambda text: [[word] for word in text.split()],
    "a generator": lambda text: (word for word in text.split()),
    "an array": lambda text: np.array([len(word) for word in text.split()]),
    "None": lambda _: None,
    "nothing": lambda _: [],
    "the text": lambda text: text,
    "an enum": lambda text: [Word.CAT, Word.DOG, "cat", "a"][: len(text)],
    "upper case": lambda text: text.upper().split(),
}
TYPES = [["rouge1"], ["rouge2", "rougeL"], ["rougeLsum"], ["rouge1", "rougeLsum"], []]


def scorer(package: str, tokenizer: str, **options: Any) -> Any:  # noqa: ANN401
    """Return a scorer of a package."""
    function = TOKENIZERS[tokenizer]
    own = function and type("Own", (), {"tokenize": staticmethod(function)})()
    scorers = import_module(f"{package}.rouge_scorer")
    return scorers.RougeScorer(tokenizer=own, **options)


@pytest.mark.filterwarnings("ignore:the tokenizer returns a string")
@pytest.mark.parametrize(
    ("tokenizer", "types", "stem"),
    sampled(product(TOKENIZERS, TYPES, [False, True]), 3),
)
def test_texts_of_any_type_are_read_as_there(
    tokenizer: str, types: list[str], *, stem: bool
) -> None:
    """A pair of any objects has rouge_score's scores, or the class of its error."""
    theirs, ours = (
        scorer(package, tokenizer, rouge_types=types, use_stemmer=stem)
        for package in PACKAGES
    )
    wrong = []
    for target, prediction in product(TEXTS, repeat=2):
        texts = TEXTS[target], TEXTS[prediction]
        expected, result = (
            repr(outcome(package.score, *texts)) for package in (theirs, ours)
        )
        if expected != result:
            wrong.append((target, prediction, expected, result))

    assert [] == wrong


@pytest.mark.usefixtures("splitter")
@pytest.mark.parametrize("text", TEXTS)
def test_split_texts_of_any_type_are_read_as_there(text: str) -> None:
    """With `split_summaries` nltk gets the text as it is, so that bytes are an error."""
    theirs, ours = (
        scorer(package, "default", rouge_types=["rougeLsum"], split_summaries=True)
        for package in PACKAGES
    )
    for pair in (("a b", TEXTS[text]), (TEXTS[text], "a b")):
        assert repr(outcome(theirs.score, *pair)) == repr(outcome(ours.score, *pair))


@pytest.mark.filterwarnings("ignore:targets is one string")
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("types", [["rouge1", "rougeL"], []])
def test_targets_of_any_type_are_read_as_there(text: str, types: list[str]) -> None:
    """Targets of any type, alone and in a list, have rouge_score's result."""
    theirs, ours = (
        scorer(package, "default", rouge_types=types) for package in PACKAGES
    )
    value = TEXTS[text]
    for pair in ((value, "a b"), ([value, "a"], "a b"), (["a", "b"], value)):
        expected = repr(outcome(theirs.score_multi, *pair))
        result = repr(outcome(ours.score_multi, *pair))

        assert expected == result


SCORES: dict[str, list[Any]] = {
    "none": [],
    "Score": [(1.0, 2.0, 3.0), (0.5, 1.0, 2.5)],
    "integers": [(1, 2, 3), (0, 1, 1)],
    "two numbers": [(1.0, 2.0)],
    "numbers": [0.5, 0.25, 0.75],
    "strings": ["a"],
    "None": [None],
    "lists": [[1.0, 2.0]],
    "of two widths": [(1.0, 2.0, 3.0), (1.0, 2.0)],
    "nan": [(float("nan"), 1.0, 1.0), (1.0, 1.0, 1.0)],
}


@pytest.mark.parametrize("scores", SCORES)
@pytest.mark.parametrize("samples", [1, 7, 1.5, 2.0, "3", None])
def test_scores_of_any_type_are_aggregated_as_there(
    scores: str,
    samples: Any,  # noqa: ANN401
) -> None:
    """Scores of any type, and odd numbers of samples, have rouge_score's aggregates."""
    results = []
    for package in PACKAGES:
        scoring = import_module(f"{package}.scoring")
        np.random.seed(2)  # noqa: NPY002 - rouge_score's generator

        def aggregate(scoring: Any = scoring) -> object:  # noqa: ANN401
            aggregator = scoring.BootstrapAggregator(0.9, samples)
            for score in SCORES[scores]:
                is_score = isinstance(score, tuple) and len(score) == 3
                made = scoring.Score(*score) if is_score else score
                aggregator.add_scores({"x": made})
            return aggregator.aggregate()

        results.append(repr(outcome(aggregate)))

    assert results[0] == results[1]
