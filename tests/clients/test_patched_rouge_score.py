"""Whatever a program replaces in rouge_score has the same effect in its stand-in."""

# ruff: noqa: SLF001 - programs replace private names, too

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any
from unittest import mock

import numpy as np
import pytest
from typing_extensions import Self

from rouge_cli.dialects.google import patches

pytest.importorskip(
    "rouge_score", reason="rouge-score is not installed: pip install '.[clients]'"
)

THEIRS, OURS = "rouge_score", "rouge_cli.dialects.google"
MODULES = ("rouge_scorer", "scoring", "tokenize", "tokenizers")
KINDS = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
TARGETS = ["The cats\nwere running. It sat on Dr. A's mat.", "a dog"]
PREDICTION = "a cat was\nrunning far from Dr. A. The mat, The mat"
OF_LANGUAGE = {
    "__module__", "__dict__", "__weakref__", "__doc__", "__abstractmethods__",
    "_abc_impl", "__slots__", "__new__", "__match_args__", "__annotations__",
}  # fmt: skip
# absl's log, which a scorer writes a line to when it is made.
NOT_OF_SCORES = {("rouge_scorer", "logging")}


class UsedError(Exception):
    """Raised by any use of a Poison."""


class Poison:
    """An object that must not be used, whatever it replaces."""

    def __getattr__(self, name: str) -> object:
        raise UsedError

    def __call__(self, *_: object, **__: object) -> object:
        raise UsedError

    def __iter__(self) -> Iterator[object]:
        raise UsedError

    def __bool__(self) -> bool:
        raise UsedError


def changed(value: Any) -> Any:  # noqa: ANN401
    """Return another value of the same type."""
    if isinstance(value, Counter):
        return Counter(dict(list(value.items())[1:]))
    if isinstance(value, tuple):
        return type(value)(*reversed(value))
    if isinstance(value, dict):
        return {name: changed(inner) for name, inner in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], list):
        return [[number // 2 for number in row] for row in value]
    if isinstance(value, list):
        return value[1:]
    return value if value is None else value / 2


class Replacement:
    """A function with another result, which counts its calls."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.calls = function, 0

    def replace(self) -> Callable[..., Any]:
        """Return the function."""

        def replacement(*arguments: object, **options: object) -> Any:  # noqa: ANN401
            self.calls += 1
            return changed(self.function(*arguments, **options))

        return replacement


def names() -> Iterator[tuple[str, str, str]]:
    """Yield module, class (empty for none) and name of all that rouge_score has."""
    for module in MODULES:
        theirs = import_module(f"{THEIRS}.{module}")
        for name, value in vars(theirs).items():
            if name.startswith("__") or (module, name) in NOT_OF_SCORES:
                continue
            yield module, "", name
            if inspect.isclass(value) and value.__module__.startswith(THEIRS):
                for member in sorted(set(vars(value)) - OF_LANGUAGE):
                    if callable(vars(value)[member]):
                        yield module, name, member


NAMES = list(names())


def owner(package: str, module: str, of: str) -> Any:  # noqa: ANN401
    """Return a module, or a class in it."""
    loaded = import_module(f"{package}.{module}")
    return getattr(loaded, of) if of else loaded


def tables(package: str) -> dict[str, Callable[[], object]]:
    """Return calls of a package by name, with scorers that are made at once."""
    scorers = import_module(f"{package}.rouge_scorer")
    scoring = import_module(f"{package}.scoring")
    plain, stemming = (scorers.RougeScorer(KINDS, stem) for stem in (False, True))
    splitting = scorers.RougeScorer(["rougeLsum"], split_summaries=True)
    aggregator = scoring.BootstrapAggregator(0.8, 7)

    def aggregate() -> object:
        np.random.seed(3)  # noqa: NPY002 - rouge_score's generator
        for number in (0.1, 0.25, 0.9):
            aggregator.add_scores({"a": Three(number, 0.5, number / 3), "b": number})
        return aggregator.aggregate()

    return {
        "score": lambda: plain.score(TARGETS[0], PREDICTION),
        "stem": lambda: stemming.score(TARGETS[0], PREDICTION),
        "several": lambda: stemming.score_multi(TARGETS, PREDICTION),
        "split": lambda: splitting.score(TARGETS[0], PREDICTION),
        "aggregate": aggregate,
    }


class Three(tuple[float, ...]):
    """A score of a program's own."""

    __slots__ = ()

    def __new__(cls, *values: float) -> Self:
        """Return the values as a tuple."""
        return super().__new__(cls, values)


def outcome(call: Callable[..., object], *arguments: object) -> str:
    """Return the printed result of a call, rounded, or the name of its error."""
    try:
        text = repr(call(*arguments))
    except Exception as error:  # noqa: BLE001 - compared
        return type(error).__name__
    return re.sub(r"\d\.\d+", lambda number: f"{float(number[0]):.9f}", text)


def outcomes(
    package: str, where: tuple[str, str, str], make: Callable[[Any], Any]
) -> list[dict[str, str]]:
    """Return the outcomes of all calls while an attribute is replaced: of scorers that
    were made before, and of new ones.
    """
    module, of, name = where
    target = owner(package, module, of)
    before = tables(package)
    with mock.patch.object(target, name, make(getattr(target, name))):
        old = {title: outcome(call) for title, call in before.items()}
        try:
            new = {title: outcome(call) for title, call in tables(package).items()}
        except Exception as error:  # noqa: BLE001 - compared
            new = {"made": type(error).__name__}
    after = {title: outcome(call) for title, call in tables(package).items()}
    return [old, new, after]


@pytest.mark.usefixtures("splitter")
@pytest.mark.parametrize("where", NAMES, ids=".".join)
def test_every_name_is_looked_up_if_it_is_there(where: tuple[str, str, str]) -> None:
    """The stand-in uses every name that rouge_score uses, at the same time: an object
    in its place that must not be used is used by both or by neither. A name that is
    used by neither may be missing.
    """
    expected = outcomes(THEIRS, where, lambda _: Poison())

    assert any("Score(" in text for text in expected[-1].values())
    if not hasattr(owner(OURS, *where[:2]), where[2]):
        assert expected[0] == expected[1] == expected[2]
        return
    assert expected == outcomes(OURS, where, lambda _: Poison())


FUNCTIONS = [
    where
    for where in NAMES
    if inspect.isfunction(getattr(owner(THEIRS, *where[:2]), where[2]))
    and where[2] != "__init__"
]


@pytest.mark.usefixtures("splitter")
@pytest.mark.parametrize("where", FUNCTIONS, ids=".".join)
def test_a_function_in_its_place_has_the_same_effect(
    where: tuple[str, str, str],
) -> None:
    """A function with another result changes the scores as in rouge_score, and is
    called as often.
    """
    results = []
    for package in (THEIRS, OURS):
        calls: list[Replacement] = []

        def make(
            function: Callable[..., Any],
            calls: list[Replacement] = calls,
        ) -> Callable[..., Any]:
            calls.append(Replacement(function))
            return calls[-1].replace()

        results.append((outcomes(package, where, make), calls[0].calls))

    assert results[0] == results[1]


@pytest.mark.usefixtures("splitter")
@pytest.mark.parametrize("name", ["NON_ALPHANUM_RE", "SPACES_RE", "VALID_TOKEN_RE"])
@pytest.mark.parametrize("pattern", ["[^a-m]+", "[aeiou]", "t", ""])
def test_a_pattern_in_its_place_has_the_same_effect(name: str, pattern: str) -> None:
    """Another pattern finds the same tokens as in rouge_score."""
    where = "tokenize", "", name
    expected, result = (
        outcomes(package, where, lambda _: re.compile(pattern))
        for package in (THEIRS, OURS)
    )

    assert expected == result


class Upper:
    """A tokenizer and stemmer of a program's own."""

    def tokenize(self, text: str) -> list[str]:
        """Return words in upper case."""
        return text.upper().split()

    def stem(self, word: str) -> str:
        """Return the beginning of a word."""
        return word[:2]


class Slotted:
    """A stemmer without a dictionary of attributes."""

    __slots__ = ()

    def stem(self, word: str) -> str:
        """Return the beginning of a word."""
        return word[:3]


ATTRIBUTES: dict[str, Callable[[Any], object]] = {
    "_tokenizer": lambda scorer: setattr(scorer, "_tokenizer", Upper()),
    "_tokenizer.tokenize": lambda scorer: setattr(
        scorer._tokenizer,
        "tokenize",
        Upper().tokenize,
    ),
    "_tokenizer.tokenize of lists": lambda scorer: setattr(
        scorer._tokenizer,
        "tokenize",
        list,
    ),
    "_tokenizer._stemmer": lambda scorer: setattr(
        scorer._tokenizer,
        "_stemmer",
        Upper(),
    ),
    "_tokenizer._stemmer with slots": lambda scorer: setattr(
        scorer._tokenizer, "_stemmer", Slotted()
    ),
    "no _stemmer": lambda scorer: setattr(scorer._tokenizer, "_stemmer", None),
    "_tokenizer._stemmer.stem": lambda scorer: setattr(
        scorer._tokenizer._stemmer,
        "stem",
        Upper().stem,
    ),
    "no _tokenizer": lambda scorer: delattr(scorer, "_tokenizer"),
    "rouge_types": lambda scorer: setattr(scorer, "rouge_types", ["rougeL", "rouge3"]),
    "rouge_types in place": lambda scorer: scorer.rouge_types.append("rouge3"),
    "_split_summaries": lambda scorer: setattr(scorer, "_split_summaries", True),
    "score": lambda scorer: setattr(
        scorer, "score", lambda target, _: {"rouge1": Named(len(target))}
    ),
}


class Named:
    """A score with an F only."""

    def __init__(self, number: float) -> None:
        self.fmeasure = number

    def __repr__(self) -> str:
        return str(self.fmeasure)


@pytest.mark.usefixtures("splitter")
@pytest.mark.parametrize("change", ATTRIBUTES)
@pytest.mark.parametrize("stem", [False, True])
def test_attributes_of_a_scorer_have_the_same_effect(
    change: str, *, stem: bool
) -> None:
    """A scorer whose attributes are set scores as rouge_score's, and other scorers are
    as before.
    """
    results = []
    for package in (THEIRS, OURS):
        scorers = import_module(f"{package}.rouge_scorer")
        scorer, other = (scorers.RougeScorer([*KINDS], stem) for _ in range(2))
        assert set(vars(scorer)) == {"rouge_types", "_tokenizer", "_split_summaries"}
        texts = TARGETS[0], PREDICTION
        is_list = change.endswith("lists")
        scorer.score(*texts)
        lists = [["a", "b"], ["c"]], [["a", "b"], ["d"]]
        try:
            ATTRIBUTES[change](scorer)
        except Exception as error:  # noqa: BLE001 - compared
            results.append([type(error).__name__])
            continue
        if is_list:
            scorer.rouge_types = KINDS[:3]
            texts = ["a", "b", "c"], ["a", "x"]  # type: ignore[assignment]
        results.append(
            [
                outcome(scorer.score, *texts),
                outcome(scorer.score_multi, [texts[0], texts[1]], texts[1]),
                outcome(other.score, TARGETS[0], PREDICTION),
                outcome(scorer.score, *lists),
            ]
        )

    assert results[0] == results[1]


def test_the_attributes_of_an_aggregator_are_the_same() -> None:
    """An aggregator has rouge_score's attributes, and what a program sets counts."""
    results = []
    for package in (THEIRS, OURS):
        scoring = import_module(f"{package}.scoring")
        aggregator = scoring.BootstrapAggregator(0.9, 5)
        for number in range(9):
            aggregator.add_scores({"x": scoring.Score(number, 1, 2)})
        attributes = {name for name in vars(aggregator) if name != "_seed"}
        values = []
        for name, value in (("_n_samples", 9), ("_confidence_interval", 0.5)):
            setattr(aggregator, name, value)
            np.random.seed(1)  # noqa: NPY002 - rouge_score's generator
            values.append(outcome(aggregator.aggregate))
        results.append((attributes, values))

    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("module", "name", "counts"),
    [
        ("rouge_scorer", "_score_lcs", True),
        ("rouge_scorer", "np", True),
        ("rouge_scorer", "MOST_FORMS", False),
        ("scoring", "fmeasure", True),
        ("scoring", "unheard_of", False),
    ],
)
def test_a_name_that_is_put_back_is_the_original(
    module: str, name: str, *, counts: bool
) -> None:
    """After a replacement has ended, compiled code scores again; names of our own do
    not count.
    """
    loaded: Any = import_module(f"{OURS}.{module}")
    with mock.patch.object(loaded, name, None, create=True):
        assert counts == ((loaded.__name__, name) in patches.REPLACED)

    assert set() == patches.REPLACED


@pytest.mark.usefixtures("splitter")
def test_a_splitter_of_nltk_that_is_replaced_is_used() -> None:
    """`nltk.sent_tokenize`, which programs replace for other languages, splits
    summaries.
    """
    results = []
    for package in (THEIRS, OURS):
        scorers = import_module(f"{package}.rouge_scorer")
        scorer = scorers.RougeScorer(["rougeLsum"], split_summaries=True)
        target = f"{package}.rouge_scorer.nltk.sent_tokenize"
        with mock.patch(target, lambda text: text.split("|")):
            results.append(scorer.score("a b|c d", "d c|b a"))

    assert results[0] == results[1]
