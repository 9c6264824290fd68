"""ISI: which lines are sentences, and which part of a line is text."""

import pytest

from rouge_cli.formats import isi


def test_decoration_is_passed_over() -> None:
    """Of a whole file only the sentences' texts are kept, in order."""
    data = b'<DOC>\n<S SNTNO="1">One.</S>\n\n<S SNTNO="2">Two.</S>\n</DOC>\n'

    assert [b"One.", b"Two."] == list(isi.read(data).units)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b'<S SNTNO="1">Some words.</S>', b"Some words."),
        (b'<S SNTNO="1a,22">letters and commas</S>', b"letters and commas"),
        (b'<S SNTNO="1"> > \r</S> and more', b" > \r"),
    ],
)
def test_sentences(line: bytes, text: bytes) -> None:
    """A sentence's text is everything between its tags."""
    assert [text] == list(isi.read(b"x\n" + line + b"\nx").units)


@pytest.mark.parametrize(
    "line",
    [
        b' <S SNTNO="1">indented</S>', b'<s sntno="1">lower case</s>',
        b'<S SNTNO="A">upper-case number</S>', b'<S SNTNO="">no number</S>', b"<S SNTNO=1>no quotes</S>",
        b'<S SNTNO="1" X="2">another attribute</S>', b'<S SNTNO="1">a <B>tag</B> in it</S>',
        b'<S SNTNO="1">no end', b'<S SNTNO="1">on two\nlines</S>', b'<S SNTNO="1"></S>',
    ],
)  # fmt: skip
def test_other_lines_are_not_sentences(line: bytes) -> None:
    """A line that differs a little is ignored (QUIRKS 10)."""
    assert [] == list(isi.read(line + b"\n").units)
