"""SEE: which lines are sentences, and which part of a line is text."""

import pytest

from rouge_cli.formats import see

ANCHOR = b'<a name="1">[1]</a> <a href="#1" id=1>'


def test_decoration_is_passed_over() -> None:
    """Of a whole file only the sentences' texts are kept, in order."""
    data = b"<html>\n<body>\n%bOne.</a>\n%bTwo.</a>\n</body>\n</html>\n" % (ANCHOR, ANCHOR)

    assert [b"One.", b"Two."] == list(see.read(data).units)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (ANCHOR + b"Some words.</a>", b"Some words."),
        (ANCHOR + b"up to the <b>first</b> tag</a>", b"up to the "),
        (ANCHOR + b" blanks > stay \r</a>", b" blanks > stay \r"),
        (ANCHOR + b" </a>", b" "),
        (b'<a name="1">[2]</a> <a href="#30" id=444>four numbers</a>', b"four numbers"),
        (b'<a name="1">[1]</a>\t \v\f\r<a href="#1" id=1>white space</a>', b"white space"),
        (b'<a size="10" name="1">[1]</a> <a href="#1" id=1>size</a>', b"size"),
    ],
)
def test_sentences(line: bytes, text: bytes) -> None:
    """A sentence's text goes from its anchors to the next tag."""
    assert [text] == list(see.read(b"x\n" + line + b"\nx\n").units)


def test_see_keeps_the_line_feed_of_what_nothing_closes() -> None:
    """Without a closing tag the text goes to the end of its line and includes the line feed (QUIRKS 10)."""
    data = ANCHOR + b"open\n" + ANCHOR + b"\n" + ANCHOR + b"last"

    assert [b"open\n", b"\n", b"last"] == list(see.read(data).units)


@pytest.mark.parametrize(
    "line",
    [
        ANCHOR + b"</a>",  # empty text
        b" " + ANCHOR + b"indented</a>",
        b'x<a name="1">[1]</a> <a href="#1" id=1>not at the start</a>',
        b'<A NAME="1">[1]</A> <A HREF="#1" ID=1>upper case</A>',
        b"<a name=1>[1]</a> <a href=#1 id=1>no quotes</a>",
        b'<a name="1">[1]</a> <a href="#1" id="1">quoted id</a>',
        b'<a name="1">[1]</a><a href="#1" id=1>no white space</a>',
        b'<a name="1">[1]</a>\n<a href="#1" id=1>on two lines</a>',
        b'<a name="1">1</a> <a href="#1" id=1>no brackets</a>',
        b'<a name="a">[1]</a> <a href="#1" id=1>a letter</a>',
        b'<a  name="1">[1]</a> <a href="#1" id=1>two blanks</a>',
        b'<a name="1" size="10">[1]</a> <a href="#1" id=1>size behind name</a>',
        b'<a name="1">[1]</a> <a href="#1" id=1 >blank in the tag</a>',
    ],
)
def test_other_lines_are_not_sentences(line: bytes) -> None:
    """A line that differs a little is ignored (QUIRKS 10)."""
    assert [] == list(see.read(line + b"\n").units)
