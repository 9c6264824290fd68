"""The two readings of a file under a length limit."""

from __future__ import annotations

import pytest

from rouge_cli.text.tokens import Limit, first_reading, second_reading

NINE_NINE_ONE = [b"aaaa bbbb", b"cccc dddd", b"e"]


@pytest.mark.parametrize("limit", [None, Limit(0, in_words=True), Limit(0, in_words=False)])
def test_no_limit_keeps_all(limit: Limit | None) -> None:
    """Without a limit, or with a limit of 0, both readings have every sentence unchanged."""
    sentences = [b"a  b", b"", b" ", b"c"]

    assert sentences == list(first_reading(sentences, limit)) == list(second_reading(sentences, limit))


@pytest.mark.parametrize(
    ("limit", "sentences", "expected"),
    [
        (100, [b"a  b ", b" c"], [b"a  b ", b" c"]),  # below the limit nothing is changed
        (4, [b"a b c", b"d e", b"f"], [b"a b c", b"d"]),
        (3, [b"a b c", b"d"], [b"a b c"]),  # reached, not exceeded: reading stops anyway
        (3, [b"a\t b  c", b"d"], [b"a b c"]),  # and the fields are joined by single blanks
        (2, [b" a b c"], [b" a"]),  # white space at the start makes an empty field
        (2, [b"a  ", b"b c"], [b"a  ", b"b"]),  # white space at the end makes none
        (1, [b" ", b"", b"a b"], [b" ", b"", b"a"]),  # blanks alone are not a field
        (2.5, [b"a b", b"c d"], [b"a b", b"c"]),  # half a word left is one word (QUIRKS 9)
    ],
)
def test_words(limit: float, sentences: list[bytes], expected: list[bytes]) -> None:
    """A limit in words counts fields at white space and means the same in both readings."""
    words = Limit(limit, in_words=True)

    assert expected == list(first_reading(sentences, words)) == list(second_reading(sentences, words))


@pytest.mark.parametrize(
    ("limit", "first", "second"),
    [
        (9, [b"aaaa bbbb"], [b"aaaa bbbb"]),  # reached by the first sentence in both
        (8, [b"aaaa bbb"], [b"aaaa bbb"]),
        (10, [b"aaaa bbbb", b"c"], NINE_NINE_ONE),
        (18, [b"aaaa bbbb", b"cccc dddd"], NINE_NINE_ONE),
        (19, [b"aaaa bbbb", b"cccc dddd", b"e"], NINE_NINE_ONE),
        (20, NINE_NINE_ONE, NINE_NINE_ONE),
        (10.5, [b"aaaa bbbb", b"c"], NINE_NINE_ONE),
        (9.5, [b"aaaa bbbb", b""], NINE_NINE_ONE),
    ],
)
def test_bytes(limit: float, first: list[bytes], second: list[bytes]) -> None:
    """Sentences use up a byte limit in the first reading, but not in the second (QUIRKS 8)."""
    in_bytes = Limit(limit, in_words=False)

    assert first == list(first_reading(NINE_NINE_ONE, in_bytes))
    assert second == list(second_reading(NINE_NINE_ONE, in_bytes))


def test_second_reading_ends_at_a_long_sentence() -> None:
    """The first sentence that is not shorter than the limit is cut to the limit, and is the last."""
    sentences = second_reading([b"abc", b"abcdefgh", b"i"], Limit(5, in_words=False))

    assert [b"abc", b"abcde"] == list(sentences)


def test_bytes_are_raw() -> None:
    """A byte limit counts every byte before cleaning, including white space and parts of characters."""
    sentences = ["é - ü".encode(), b"a"]

    assert [b"\xc3\xa9 - \xc3"] == list(first_reading(sentences, Limit(6, in_words=False)))
