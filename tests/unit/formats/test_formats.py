"""Formats by name: which lines are sentences, and which part of a line is text."""

import pytest

from rouge_cli import formats
from rouge_cli.core import Summary

ANCHOR = b'<a name="1">[1]</a> <a href="#1" id=1>'


def units(name: str, data: bytes) -> list[bytes]:
    """Return the units that a format reads."""
    return list(formats.named(name).read(data).units)


@pytest.mark.parametrize("name", ["isi", "see", "simple", "spl"])
def test_a_format_is_a_module_that_reads(name: str) -> None:
    """Each format is found by its name, and reads no units from empty input; others are import errors."""
    assert Summary([]) == formats.named(name).read(b"")
    with pytest.raises(ModuleNotFoundError):
        formats.named("nosuch")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []), (b"\n", [b""]), (b"a|b|c", [b"a|b|c"]), (b"a|b|c\n", [b"a|b|c"]),
        (b"a|b|c\n\nd|e|f\n", [b"a|b|c", b"", b"d|e|f"]), (b"a|b|c\r\n\n", [b"a|b|c\r", b""]),
    ],
)  # fmt: skip
def test_every_line_is_a_unit(data: bytes, expected: list[bytes]) -> None:
    """A unit's index is its line number, so empty lines are kept."""
    assert expected == units("simple", data)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n\n", []),
        (b"one\ntwo", [b"one", b"two"]),
        (b"one\n\n\ntwo\n", [b"one", b"two"]),
        (b"one\n  \ntwo\n", [b"one", b"  ", b"two"]),  # a line of blanks is a sentence
        (b"one\r\n\r\ntwo\r\n", [b"one\r", b"\r", b"two\r"]),
        (b"one\rtwo\vthree\fx\x85y\xe2\x80\xa8z", [b"one\rtwo\vthree\fx\x85y\xe2\x80\xa8z"]),
        (b'<a name="1">\xff\0\n', [b'<a name="1">\xff\0']),
    ],
)
def test_lines_end_at_line_feeds_only(data: bytes, expected: list[bytes]) -> None:
    """Every non-empty line is a sentence without change, a CR included."""
    assert expected == units("spl", data)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("isi", b'<DOC>\n<S SNTNO="1">One.</S>\n\n<S SNTNO="2">Two.</S>\n</DOC>\n'),
        ("see", b"<html>\n<body>\n%bOne.</a>\n%bTwo.</a>\n</body>\n</html>\n" % (ANCHOR, ANCHOR)),
    ],
)
def test_decoration_is_passed_over(name: str, data: bytes) -> None:
    """Of a whole file only the sentences' texts are kept, in order."""
    assert [b"One.", b"Two."] == units(name, data)


@pytest.mark.parametrize(
    ("name", "line", "text"),
    [
        ("isi", b'<S SNTNO="1">Some words.</S>', b"Some words."),
        ("isi", b'<S SNTNO="1a,22">letters and commas</S>', b"letters and commas"),
        ("isi", b'<S SNTNO="1"> > \r</S> and more', b" > \r"),
        ("see", ANCHOR + b"Some words.</a>", b"Some words."),
        ("see", ANCHOR + b"up to the <b>first</b> tag</a>", b"up to the "),
        ("see", ANCHOR + b" blanks > stay \r</a>", b" blanks > stay \r"),
        ("see", ANCHOR + b" </a>", b" "),
        ("see", b'<a name="1">[2]</a> <a href="#30" id=444>four numbers</a>', b"four numbers"),
        ("see", b'<a name="1">[1]</a>\t \v\f\r<a href="#1" id=1>white space</a>', b"white space"),
        ("see", b'<a size="10" name="1">[1]</a> <a href="#1" id=1>size</a>', b"size"),
    ],
)
def test_sentences(name: str, line: bytes, text: bytes) -> None:
    """A sentence's text is all between its tags in ISI, and from its anchors to the next tag in SEE."""
    assert [text] == units(name, b"x\n" + line + b"\nx\n")


def test_see_keeps_the_line_feed_of_what_nothing_closes() -> None:
    """Without a closing tag the text goes to the end of its line and includes the line feed (QUIRKS 10)."""
    data = ANCHOR + b"open\n" + ANCHOR + b"\n" + ANCHOR + b"last"

    assert [b"open\n", b"\n", b"last"] == units("see", data)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("isi", b' <S SNTNO="1">indented</S>'),
        ("isi", b'<s sntno="1">lower case</s>'),
        ("isi", b'<S SNTNO="A">upper-case number</S>'),
        ("isi", b'<S SNTNO="">no number</S>'),
        ("isi", b"<S SNTNO=1>no quotes</S>"),
        ("isi", b'<S SNTNO="1" X="2">another attribute</S>'),
        ("isi", b'<S SNTNO="1">a <B>tag</B> in it</S>'),
        ("isi", b'<S SNTNO="1">no end'),
        ("isi", b'<S SNTNO="1">on two\nlines</S>'),
        ("isi", b'<S SNTNO="1"></S>'),
        ("see", ANCHOR + b"</a>"),  # empty text
        ("see", b" " + ANCHOR + b"indented</a>"),
        ("see", b'x<a name="1">[1]</a> <a href="#1" id=1>not at the start</a>'),
        ("see", b'<A NAME="1">[1]</A> <A HREF="#1" ID=1>upper case</A>'),
        ("see", b"<a name=1>[1]</a> <a href=#1 id=1>no quotes</a>"),
        ("see", b'<a name="1">[1]</a> <a href="#1" id="1">quoted id</a>'),
        ("see", b'<a name="1">[1]</a><a href="#1" id=1>no white space</a>'),
        ("see", b'<a name="1">[1]</a>\n<a href="#1" id=1>on two lines</a>'),
        ("see", b'<a name="1">1</a> <a href="#1" id=1>no brackets</a>'),
        ("see", b'<a name="a">[1]</a> <a href="#1" id=1>a letter</a>'),
        ("see", b'<a  name="1">[1]</a> <a href="#1" id=1>two blanks</a>'),
        ("see", b'<a name="1" size="10">[1]</a> <a href="#1" id=1>size behind name</a>'),
        ("see", b'<a name="1">[1]</a> <a href="#1" id=1 >blank in the tag</a>'),
    ],
)
def test_other_lines_are_not_sentences(name: str, line: bytes) -> None:
    """A line that differs a little is ignored (QUIRKS 10)."""
    assert [] == units(name, line + b"\n")
