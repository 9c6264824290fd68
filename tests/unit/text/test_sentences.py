"""Each way to split sentences."""

import sys

import pytest
from case_tables import tabled

from rouge_cli.errors import RougeError, UsageError
from rouge_cli.text import sentences

TEXT = "Dr. Smith went home. <q> He slept.\nIt was late. "


@tabled
def test_each_way_to_find_sentences(name: str, expected: list[str]) -> None:
    """A sentence is the whole text, the text between marks, or what a splitter finds
    in each line.
    """
    split = sentences.named(name)

    assert split is not None
    assert expected == [sentence.decode() for sentence in split(TEXT.encode())]


def test_other_alphabets_are_split() -> None:
    """The splitter finds the ends of sentences in other alphabets."""
    split = sentences.named("split:zh")

    assert split is not None
    assert ["今天很好。", "我们走吧！"] == [
        sentence.decode() for sentence in split("今天很好。我们走吧！".encode())
    ]


def test_newline_is_left_to_the_input_format() -> None:
    """By default the units of the input format are not changed."""
    assert sentences.named("newline") is None


@pytest.mark.parametrize("name", ["mark:", "mark", "lines", ""])
def test_unknown_ways_are_refused(name: str) -> None:
    """An unknown way to split sentences is refused with a list of the known ones."""
    with pytest.raises(UsageError, match="unknown sentence boundary"):
        sentences.named(name)


@pytest.mark.parametrize(
    ("name", "module"), [("split", "sentencex"), ("punkt", "punkt")]
)
def test_a_library_that_is_missing(
    name: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the library of a splitter is missing, the message has the command that
    installs it.
    """
    monkeypatch.setitem(sys.modules, module, None)
    sentences.load_punkt.cache_clear()
    split = sentences.named(name)

    assert split is not None
    with pytest.raises(RougeError, match=r"pip install 'rouge-cli\["):
        split(b"One. Two.")
