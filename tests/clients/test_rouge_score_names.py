"""Every name that programs import from Google's rouge_score exists, and does the
same.
"""

import inspect
import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from outcomes import outcome

from rouge_cli.dialects.google import rouge_scorer

pytest.importorskip(
    "rouge_score", reason="rouge-score is not installed: pip install '.[clients]'"
)

MODULES = ("rouge_scorer", "scoring", "tokenize", "tokenizers")
# The aggregator takes a seed here, and resamples in compiled code.
MORE = {"BootstrapAggregator"}


def modules(name: str) -> tuple[Any, Any]:
    """Return rouge_score's module and its replacement."""
    return import_module(f"rouge_score.{name}"), import_module(
        f"rouge_cli.dialects.google.{name}"
    )


def printed(call: Callable[..., Any], *arguments: object) -> object:
    """Return the printed result of a call, or the error that it raises."""
    return outcome(lambda: repr(call(*arguments)))


@pytest.mark.parametrize("module", MODULES)
def test_every_name_is_there(module: str) -> None:
    """Functions, classes, methods and constants have rouge_score's names and
    parameters.
    """
    theirs, ours = modules(module)
    for name, value in vars(theirs).items():
        if isinstance(value, str) and not name.startswith("_"):
            assert value == getattr(ours, name)
        if not (getattr(value, "__module__", "") or "").startswith("rouge_score"):
            continue
        own = getattr(ours, name)
        if name not in MORE:
            assert list(inspect.signature(value).parameters) == list(
                inspect.signature(own).parameters
            )
        if inspect.isclass(value):
            methods = [method for method in vars(value) if not method.startswith("_")]
            assert [] == [method for method in methods if not hasattr(own, method)], (
                name
            )
            assert inspect.isabstract(value) == inspect.isabstract(own)


def test_private_steps_do_the_same() -> None:
    """Each private function has rouge_score's result, or its error, for random
    tokens and sentences.
    """
    theirs, _ = modules("rouge_scorer")
    chance = random.Random(16)

    def tokens() -> list[str]:
        return chance.choices("abcde", k=chance.choice((0, 1, 2, 3, 5, 8, 13)))

    for _ in range(400):
        first, second, several, more = (
            tokens(),
            tokens(),
            [tokens()],
            [tokens(), tokens()],
        )
        both = [
            theirs._create_ngrams(each, chance.randint(1, 3))  # noqa: SLF001
            for each in (first, second)
        ]
        table = theirs._lcs_table(first, second)  # noqa: SLF001
        places = [chance.choices(range(9), k=3), [], [4]]
        for name, *arguments in (
            ("_create_ngrams", first, chance.randint(0, 4)),
            ("_score_ngrams", *both),
            ("_score_lcs", first, second),
            ("_lcs_table", first, second),
            ("_backtrack_norec", table, first, second),
            ("lcs_ind", first, second),
            ("_find_union", places[: chance.randint(0, 3)]),
            ("_union_lcs", first, more),
            ("_summary_level_lcs", several, more),
            ("_summary_level_lcs", more, chance.choice((several, more, [], [[]]))),
            ("_summary_level_lcs", "ab", first),
        ):
            expected = printed(getattr(theirs, name), *arguments)
            assert expected == printed(getattr(rouge_scorer, name), *arguments), (
                name,
                arguments,
            )


class Marking:
    """A stemmer that returns some stems that are not tokens."""

    def stem(self, token: str) -> str:
        """Return the token, sometimes with a mark."""
        return token + "!" * (len(token) == 5)


@pytest.mark.parametrize(
    "text",
    [
        "", "Hello, it's THE end_of 12345 running İI Öl K", "a\nb", "...", b"A b\xc3\x96", b"\xff", None,
        5, ["a"],
    ],
)  # fmt: skip
def test_tokens_are_the_same(text: object) -> None:
    """`tokenize` and `DefaultTokenizer` have rouge_score's tokens or errors, with
    any stemmer.
    """
    theirs, ours = modules("tokenize")
    for stemmer in (None, Marking()):
        assert printed(theirs.tokenize, text, stemmer) == printed(
            ours.tokenize, text, stemmer
        )
    theirs, ours = modules("tokenizers")
    for stem in (False, True):
        expected = printed(theirs.DefaultTokenizer(stem).tokenize, text)
        assert expected == printed(ours.DefaultTokenizer(stem).tokenize, text)


def test_a_default_tokenizer_is_the_default() -> None:
    """A scorer that is passed rouge_score's default tokenizer scores as without one."""
    _, ours = modules("tokenizers")
    texts = "The running dogs\nran İI far", "a dog runs\nfar I"
    for stem in (False, True):
        expected = rouge_scorer.RougeScorer(["rouge1", "rougeLsum"], stem).score(*texts)
        scorer = rouge_scorer.RougeScorer(
            ["rouge1", "rougeLsum"], tokenizer=ours.DefaultTokenizer(stem)
        )

        assert expected == scorer.score(*texts)
