"""Tokens and fields."""

from __future__ import annotations

import pytest

from rouge_cli.text.tokens import fields, tokens


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (b"", []),
        (b" \t\r\v\f ", []),
        (b"The CAT sat.", [b"the", b"cat", b"sat"]),
        (b"don't", [b"don", b"t"]),
        (b"U.S. $3.14", [b"u", b"s", b"3", b"14"]),
        (b"a_b", [b"a", b"b"]),
        (b"state-of--the-art - -", [b"state", b"of", b"the", b"art"]),
        (b"<b>x</b>&amp;", [b"b", b"x", b"b", b"amp"]),
        (b"caf\xe9 \xc0B \xd7", [b"caf", b"b"]),
        ("café naïve".encode(), [b"caf", b"na", b"ve"]),
        (b"a\0b\xa0c", [b"a", b"b", b"c"]),
    ],
)
def test_tokens_are_runs_of_ascii_letters_and_digits(sentence: bytes, expected: list[bytes]) -> None:
    """ASCII letters, lower-cased, and digits make tokens; every other byte separates (QUIRKS 7)."""
    assert expected == tokens(sentence)


def test_only_62_bytes_are_kept() -> None:
    """Of all 256 bytes the tokens contain 0-9 and a-z, the letters from both cases."""
    expected = [b"0123456789", b"abcdefghijklmnopqrstuvwxyz", b"abcdefghijklmnopqrstuvwxyz"]

    assert expected == tokens(bytes(range(256)))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"", []),
        (b"  ", []),
        (b"a b", [b"a", b"b"]),
        (b"  a\t\vb \r", [b"", b"a", b"b"]),
        (b"\xa0a\x85b\x1cc", [b"\xa0a\x85b\x1cc"]),
    ],
)
def test_fields_are_those_of_perls_split(line: bytes, expected: list[bytes]) -> None:
    """White space is six ASCII bytes; at the start it makes an empty field, at the end none."""
    assert expected == fields(line)
