"""torchmetrics' function and class compared with the replacements, which do not need
torch.
"""

import inspect
import pickle
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import nltk
import pytest

from rouge_cli.dialects import torchmetrics as ours
from rouge_cli.text import sentences

WORDS = (
    "The", "cats", "sat", "running", "Dr. Who", "ran. It", "etc. The", "3.5", "naïve", "a", "\n", "<n>",
    "<q>",
)  # fmt: skip


@pytest.fixture
def theirs() -> Any:  # noqa: ANN401 - a module
    """Return the package, if torch is installed."""
    package = pytest.importorskip(
        "torchmetrics", reason="torchmetrics with torch is not installed"
    )
    from torchmetrics.functional.text import rouge_score

    return SimpleNamespace(rouge_score=rouge_score, ROUGEScore=package.text.ROUGEScore)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide torch and torchmetrics."""
    for name in ("torch", "torchmetrics"):
        monkeypatch.setitem(sys.modules, name, None)
    ours._torch.cache_clear()  # noqa: SLF001 - what is installed does not change in a program
    yield
    ours._torch.cache_clear()  # noqa: SLF001 - as above


def figures(call: Callable[..., Any], *arguments: Any, **options: Any) -> object:  # noqa: ANN401
    """Return the result of a call as numbers, or its error's name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # ours names targets that are characters
            scores = call(*arguments, **options)
        return {
            name: pytest.approx(float(value), abs=1e-7, nan_ok=True)
            for name, value in scores.items()
        }
    except Exception as error:  # noqa: BLE001 - compared
        return type(error).__name__


def normalize(string: str) -> str:
    """Lower-case the text, and replace everything but a-z and 0-9 by a blank."""
    return re.sub("[^a-z0-9]+", " ", string.lower())


def text(chance: random.Random) -> str:
    """Return a random text of a few sentences."""
    return " ".join(chance.choices(WORDS, k=chance.randint(0, 14)))


@pytest.mark.parametrize("use_stemmer", [False, True])
def test_documented_defaults_change_nothing(*, use_stemmer: bool) -> None:
    """A normalizer and a tokenizer that do what the defaults are documented to do
    give the same figures.
    """
    chance, keys = random.Random(24), ("rouge1", "rougeL")
    for _ in range(25):
        pair = (text(chance), text(chance))
        plain = ours.rouge_score(*pair, rouge_keys=keys, use_stemmer=use_stemmer)
        explicit = ours.rouge_score(
            *pair,
            rouge_keys=keys,
            use_stemmer=use_stemmer,
            normalizer=normalize,
            tokenizer=str.split,
        )
        assert plain == explicit, pair


@pytest.mark.usefixtures("splitter")
@pytest.mark.parametrize(
    "options",
    [
        {}, {"use_stemmer": True}, {"accumulate": "avg"}, {"tokenizer": str.split},
        {"tokenizer": list, "use_stemmer": True}, {"normalizer": str.upper, "use_stemmer": True},
        {"normalizer": str.lower, "tokenizer": str.split}, {"rouge_keys": "rougeLsum"},
        {"rouge_keys": ("rouge9", "rougeL")},
    ],
)  # fmt: skip
def test_scores_are_torchmetrics(theirs: Any, options: dict[str, Any]) -> None:  # noqa: ANN401
    """Function and class have torchmetrics' figures, of single pairs, lists and
    several targets.
    """
    chance = random.Random(16)
    both = [module.ROUGEScore(**options) for module in (theirs, ours)]
    for _ in range(25):
        several = [
            [text(chance) for _ in range(chance.randint(1, 3))] for _ in range(2)
        ]
        for pair in (
            (text(chance), text(chance)),
            (text(chance), several[0]),
            ([text(chance), text(chance)], several),
        ):
            assert figures(theirs.rouge_score, *pair, **options) == figures(
                ours.rouge_score, *pair, **options
            ), pair
        assert figures(both[0], *pair) == figures(both[1], *pair)
    assert figures(both[0].compute) == figures(both[1].compute)


def test_odd_arguments_are_taken_alike(theirs: Any) -> None:  # noqa: ANN401
    """Lists of other lengths or types, unknown keys and empty input have the same
    outcome.
    """
    for preds, target in (
        (["a b"], ["a c", "b"]), (["a b", "c"], ["a c"]), ([], []), (["a"], [[]]), (["a"], [[], ["b"]]),
        (("ab a",), ("ab a",)), ("ab a", ("ab", "a")), (["ab"], ("ab",)), (5, 5), ("a", "a"),
    ):  # fmt: skip
        expected = figures(theirs.rouge_score, preds, target, rouge_keys="rouge1")
        assert expected == figures(
            ours.rouge_score, preds, target, rouge_keys="rouge1"
        ), (preds, target)
    for wrong in (
        {"rouge_keys": "rouge10"},
        {"rouge_keys": ("rouge1", "x")},
        {"accumulate": "k"},
    ):
        with pytest.raises(ValueError, match="Got unknown"):
            theirs.ROUGEScore(**wrong)
        with pytest.raises(ValueError, match="Got unknown"):
            ours.ROUGEScore(**wrong)
    assert list(inspect.signature(theirs.rouge_score).parameters) == list(
        inspect.signature(ours.rouge_score).parameters
    )


def test_torchmetrics_scores_unknown_ways_and_takes_its_options(
    theirs: Any,  # noqa: ANN401
) -> None:
    """`torchmetrics` gives NaN for an unknown `accumulate`; its class takes options
    of distributed runs.
    """
    scores = figures(theirs.rouge_score, "a", "a", accumulate="k", rouge_keys="rouge1")
    assert isinstance(scores, dict)
    assert ["nan"] * 3 == [str(value.expected) for value in scores.values()]
    theirs.ROUGEScore(dist_sync_on_step=True)


def test_the_class_is_a_metric(theirs: Any) -> None:  # noqa: ANN401
    """In collections, copies, checkpoints, processes and on devices, the class is
    torchmetrics' own.
    """
    import torch
    from torchmetrics import Metric, MetricCollection

    options: dict[str, Any] = {"rouge_keys": ("rouge1", "rougeL"), "use_stemmer": True}
    batches = (
        (["the cat sat", "a dog"], [["cats sat", "the cat"], "dogs"]),
        (["it rained"], ["it rains"]),
    )
    both = [
        MetricCollection({"a": module.ROUGEScore(**options)}, prefix="rouge_")
        for module in (theirs, ours)
    ]
    for batch in batches:
        assert figures(both[0], *batch) == figures(both[1], *batch)
    assert figures(both[0].compute) == figures(both[1].compute)
    metric = both[1].to("cpu").clone()["a"]
    assert isinstance(metric, Metric)
    assert isinstance(metric, torch.nn.Module)
    assert metric.higher_is_better
    assert 1.0 == metric("a", "a")["rouge1_recall"].item()
    assert figures(metric.compute) == figures(
        pickle.loads(pickle.dumps(metric)).compute  # noqa: S301 - our own
    )

    states = []
    for collection in both:
        collection["a"].persistent(mode=True)
        states.append(collection["a"].state_dict())
    fresh: Any = ours.ROUGEScore(**options)
    fresh.persistent(mode=True)
    fresh.load_state_dict(states[0])
    fresh.update("a", "b")  # torchmetrics does not count what it loads as an update
    both[0]["a"].update("a", "b")
    assert states[0].keys() == states[1].keys()
    assert figures(both[0]["a"].compute) == figures(fresh.compute)

    twice = {
        "dist_sync_fn": lambda value, **_: [value, value],
        "distributed_available": lambda: True,
    }
    for metric in [module.ROUGEScore(**options) for module in (theirs, ours)]:
        metric.update("a b", ["a", "b c"])
        metric.update("a", "a")
        metric.sync(**twice)
        assert 4 == len(metric.rouge1_recall)
    for metric in (theirs.ROUGEScore(**options), ours.ROUGEScore(**options)):
        with pytest.warns(UserWarning, match="was called before the ``update`` method"):
            assert metric.compute()["rouge1_recall"].isnan()


def test_torch_alone_makes_a_module(
    theirs: Any,  # noqa: ANN401, ARG001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without torchmetrics, the class is a Module whose scores are tensors."""
    import torch

    monkeypatch.setitem(sys.modules, "torchmetrics", None)
    ours._torch.cache_clear()  # noqa: SLF001 - what is installed does not change in a program
    metric: Any = ours.ROUGEScore(rouge_keys="rouge1")
    metric = metric.to("cpu")
    assert isinstance(metric, torch.nn.Module)
    assert 0.5 == metric("a b", "a")["rouge1_precision"].item()
    assert (
        1.0 == ours.rouge_score("a", "a", rouge_keys="rouge1")["rouge1_recall"].item()
    )
    ours._torch.cache_clear()  # noqa: SLF001 - as above


@pytest.mark.usefixtures("alone")
def test_what_would_score_nothing_is_refused() -> None:
    """The replacement refuses an unknown `accumulate`, and the options of
    distributed runs.
    """
    with pytest.raises(ValueError, match="Got unknown accumulate value k"):
        ours.rouge_score("a", "a", accumulate="k")
    options: dict[str, Any] = {"dist_sync_on_step": True}
    with pytest.raises(TypeError, match="dist_sync_on_step"):
        ours.ROUGEScore(**options)


@pytest.mark.usefixtures("alone")
def test_punkt_is_the_extras_without_nltks_data(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without nltk's data rougeLsum uses those of the extra; without both the error
    has the remedy.
    """
    monkeypatch.setattr(nltk.data, "path", [])
    nltk.tokenize._get_punkt_tokenizer.cache_clear()  # noqa: SLF001 - a splitter from elsewhere
    pytest.importorskip("punkt")
    texts = "Dr. Who ran. It sat.", "It sat. Dr. Who ran."
    scores = ours.rouge_score(*texts, rouge_keys=("rougeL", "rougeLsum"))
    assert 1.0 == scores["rougeLsum_recall"] > scores["rougeL_recall"]

    monkeypatch.setitem(sys.modules, "punkt", None)
    sentences.load_punkt.cache_clear()
    with pytest.raises(
        OSError, match=r"pip install 'rouge-cli\[punkt\]'.*or use other rouge_keys"
    ):
        ours.rouge_score(*texts)
    assert ours.rouge_score(*texts, rouge_keys="rouge1")
    sentences.load_punkt.cache_clear()


@pytest.mark.usefixtures("alone")
def test_resetting_forgets() -> None:
    """Scores are collected by calls and updates, and gone after a reset."""
    metric: Any = ours.ROUGEScore(rouge_keys="rouge1")
    assert {
        "rouge1_fmeasure": 1.0,
        "rouge1_precision": 1.0,
        "rouge1_recall": 1.0,
    } == metric("a", "a")
    metric.update(["a", "b c"], ["b", "b"])
    assert 0.5 == metric.compute()["rouge1_precision"]
    metric.reset()
    assert "nan" == str(metric.compute()["rouge1_recall"])
