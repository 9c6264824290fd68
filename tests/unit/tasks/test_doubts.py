"""Notices about texts that are probably not those that were meant: they come where
something is wrong, and on no ordinary input.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from case_tables import tabled

import rouge_cli
from rouge_cli import twins
from rouge_cli.core import Notice
from rouge_cli.errors import UsageError
from rouge_cli.tasks import doubts

TEXTS = ["the cat sat", "a dog ran off", "rain fell in hills"]


def notices(
    predictions: Any,  # noqa: ANN401 - any container
    references: Any,  # noqa: ANN401
    function: Callable[..., object] = rouge_cli.score,
) -> list[str]:
    """Return the messages of a call from Python."""
    heard: list[Notice] = []
    function(predictions, references, "R1", notify=heard.append)
    others = ("few evals", "no text in it")
    messages = [notice.message for notice in heard]
    return [text for text in messages if not any(part in text for part in others)]


@tabled
def test_arguments_are_doubted(
    predictions: object,
    references: object,
    messages: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each kind of doubtful texts has one notice, and texts like them have none, with
    and without compiled code.
    """
    for is_compiled in (True, False):
        if not is_compiled:
            monkeypatch.setattr(twins, "extension", lambda: None)
        found = notices(predictions, references)

        assert len(found) == len(messages), found
        for message, part in zip(found, messages, strict=True):
            assert part in message


def test_the_same_object_on_both_sides_is_named() -> None:
    """A list that is passed twice has one notice, in every function that scores."""
    (message,) = notices(TEXTS, TEXTS)
    systems = {"a": TEXTS, "b": TEXTS[::-1]}
    rows = notices(TEXTS, TEXTS, rouge_cli.score_rows)
    heard: list[Notice] = []
    batches = rouge_cli.Accumulator("R1", notify=heard.append)
    batches.add(TEXTS, TEXTS)

    assert "predictions of system and references are the same object" in message
    assert rows == [message]
    assert [notice.message for notice in heard] == [message]
    assert len(notices(systems, TEXTS)) == 1


def test_layouts_of_sacrebleu_are_named() -> None:
    """A list of references per stream is an error with the remedy, or a notice if there
    are as many streams as texts.
    """
    streams = [
        ["the cat sat down", "a dog ran"],
        ["the cat was sitting", "a dog ran on"],
    ]
    with pytest.raises(UsageError, match=r"as in sacrebleu; pass references=list\(zip"):
        rouge_cli.score(TEXTS[:2], [*streams, streams[0]])
    with pytest.raises(UsageError, match=r"pass references=list\(zip"):
        rouge_cli.score(TEXTS[:1], [["a"], ["b"]])
    by_text = list(zip(*streams, strict=True))

    assert "sacrebleu's layout" in notices(TEXTS[:2], streams)[0]
    assert notices(TEXTS[:2], by_text) == []
    assert notices({"a": TEXTS[:2], "b": TEXTS[1::-1]}, by_text) == []


def test_columns_of_pandas_with_other_indexes_are_named() -> None:
    """Two columns are paired by order, which is named if their indexes differ."""
    pandas = pytest.importorskip("pandas")
    predictions = pandas.Series(TEXTS, index=[3, 1, 2])
    references = pandas.Series(["a cat", "a dog", "the rain"], index=[3, 1, 2])
    others = references.set_axis([7, 8, 9])

    assert notices(predictions, references) == []
    assert notices(predictions, list(references)) == []
    for function in (rouge_cli.score, rouge_cli.score_rows):
        (order,) = notices(predictions, references.sort_index(), function)
        assert "hold the same labels in another order" in order
        assert "pass references.loc[predictions.index]" in order
    assert "hold other labels" in notices(predictions, others)[0]


def test_names_of_files_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts that are all names of existing files are scored with a notice, and paths
    are refused; both lead to `score_files`.
    """
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt"):
        Path(name).write_text("the cat sat\n")
    both = notices("a.txt", "b.txt")
    for refused in (Path("a.txt"), [Path("a.txt")]):
        with pytest.raises(UsageError, match=r"use rouge_cli\.score_files"):
            rouge_cli.score(refused, ["b"])  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"use rouge_cli\.score_files"):
        rouge_cli.score(Path("a.txt"), "b.txt")  # type: ignore[arg-type]

    assert len(both) == 2
    assert "predictions of system are names of files (a.txt)" in both[0]
    assert all("use rouge_cli.score_files" in message for message in both)
    assert len(notices(["a.txt", "b.txt"], ["c", "d"])) == 1
    assert len(notices(["c"], [["a.txt", "b.txt"]])) == 1
    assert notices(["a.txt", "c.txt"], ["c", "d"]) == []
    assert notices("c.txt", "d.txt") == []


@tabled
def test_shifted_numbers_are_named(
    predictions: list[str], references: list[str], message: str
) -> None:
    """Names that are numbered from 0 on one side and from 1 on the other are named; no
    other difference is.
    """
    assert doubts.shift(predictions, references).startswith(message)
    assert bool(doubts.shift(predictions, references)) == bool(message)


def test_ordinary_texts_are_hardly_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first difference ends the comparison of both sides, and references are
    compared in the first evals only.
    """
    compared: list[object] = []
    equal = vars(doubts)["_are_equal"]

    def count(first: object, second: object) -> bool:
        compared.append(first)
        result: bool = equal(first, second)
        return result

    monkeypatch.setattr(doubts, "_are_equal", count)
    size = 10 * doubts.MOST_COMPARED
    assert notices(["a b"] * size, [["a c", "d"]] * size) == []

    assert len(compared) == 2 + doubts.MOST_COMPARED
