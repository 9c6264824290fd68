"""Formats by name: which lines are sentences, and which part of a line is text."""

import pytest
from case_tables import tabled

from rouge_cli import formats
from rouge_cli.core import Document, Notice, Summary
from rouge_cli.text import reading

ANCHOR = b'<a name="1">[1]</a> <a href="#1" id=1>'


def units(name: str, data: bytes) -> list[bytes]:
    """Return the units that a format reads."""
    return list(formats.named(name).read(data).units)


@pytest.mark.parametrize("name", ["isi", "see", "simple", "spl"])
def test_a_format_is_a_module_that_reads(name: str) -> None:
    """Each format is found by its name, and reads no units from empty input; others
    are import errors.
    """
    assert Summary([]) == formats.named(name).read(b"")
    with pytest.raises(ModuleNotFoundError):
        formats.named("nosuch")


@tabled
def test_every_line_is_a_unit(data: bytes, expected: list[bytes]) -> None:
    """A unit's index is its line number, so empty lines are kept."""
    assert expected == units("simple", data)


@tabled
def test_lines_end_at_line_feeds_only(data: bytes, expected: list[bytes]) -> None:
    """Every non-empty line is a sentence without change, a CR included."""
    assert expected == units("spl", data)


@tabled
def test_decoration_is_passed_over(name: str, data: bytes) -> None:
    """Of a whole file only the sentences' texts are kept, in order."""
    assert [b"One.", b"Two."] == units(name, data)


@tabled
def test_sentences(name: str, line: bytes, text: bytes) -> None:
    """A sentence's text is all between its tags in ISI, and from its anchors to the
    next tag in SEE.
    """
    assert [text] == units(name, b"x\n" + line + b"\nx\n")


def test_see_keeps_the_line_feed_of_what_nothing_closes() -> None:
    """Without a closing tag the text goes to the end of its line and includes the
    line feed (QUIRKS 10).
    """
    data = ANCHOR + b"open\n" + ANCHOR + b"\n" + ANCHOR + b"last"

    assert [b"open\n", b"\n", b"last"] == units("see", data)


@tabled
def test_other_lines_are_not_sentences(name: str, line: bytes) -> None:
    """A line that differs a little is ignored (QUIRKS 10)."""
    assert [] == units(name, line + b"\n")


@tabled
def test_the_cause_is_named(name: str, data: bytes, message: str) -> None:
    """The first sentence that is not read is named with its line and the cause."""
    notices: list[Notice] = []
    reading.note_unread(Document(data, "f"), name, notices.append)

    (notice,) = notices
    assert notice.message.startswith(message)
    assert notice.message.endswith(f", as {formats.named(name).SHAPE.example}")


@tabled
def test_decoration_is_not_reported(name: str, data: bytes) -> None:
    """Empty sentences, bookmarks, and what follows a sentence are not reported."""
    assert formats.named(name).unread(data) is None
