"""Tokens and fields, the length limit, and the numbers of forms."""

import pytest
from case_tables import tabled

from rouge_cli.text.tokens import (
    DROPPED,
    Forms,
    Limit,
    Vocabulary,
    both_readings,
    fields,
    tokens,
)


@tabled
def test_tokens_are_runs_of_ascii_letters_and_digits(
    sentence: bytes, expected: list[bytes]
) -> None:
    """ASCII letters, lower-cased, and digits make tokens; every other byte separates
    (QUIRKS 7).
    """
    assert expected == tokens(sentence)


def test_only_62_bytes_are_kept() -> None:
    """Of all 256 bytes the tokens contain 0-9 and a-z, the letters from both cases."""
    expected = [
        b"0123456789",
        b"abcdefghijklmnopqrstuvwxyz",
        b"abcdefghijklmnopqrstuvwxyz",
    ]

    assert expected == tokens(bytes(range(256)))


@tabled
def test_fields_are_those_of_perls_split(line: bytes, expected: list[bytes]) -> None:
    """White space is six ASCII bytes; at the start it makes an empty field, at the
    end none.
    """
    assert expected == fields(line)


# The two readings of a file under a length limit.
NINE_NINE_ONE = [b"aaaa bbbb", b"cccc dddd", b"e"]


@pytest.mark.parametrize(
    "limit", [None, Limit(0, in_words=True), Limit(0, in_words=False)]
)
def test_no_limit_keeps_all(limit: Limit | None) -> None:
    """Without a limit, or with a limit of 0, both readings have every sentence
    unchanged.
    """
    sentences = [b"a  b", b"", b" ", b"c"]

    assert (sentences, sentences) == both_readings(sentences, limit)


@tabled
def test_words(limit: float, sentences: list[bytes], expected: list[bytes]) -> None:
    """A limit in words counts fields at white space and means the same in both
    readings.
    """
    words = Limit(limit, in_words=True)

    assert (expected, expected) == both_readings(sentences, words)


@tabled
def test_bytes(limit: float, first: list[bytes], second: list[bytes]) -> None:
    """Sentences use up a byte limit in the first reading, but not in the second
    (QUIRKS 8).
    """
    in_bytes = Limit(limit, in_words=False)

    assert (first, second) == both_readings(NINE_NINE_ONE, in_bytes)


def test_second_reading_ends_at_a_long_sentence() -> None:
    """The first sentence that is not shorter than the limit is cut to the limit, and
    is the last.
    """
    sentences = both_readings([b"abc", b"abcdefgh", b"i"], Limit(5, in_words=False))[1]

    assert [b"abc", b"abcde"] == sentences


def test_bytes_are_raw() -> None:
    """A byte limit counts every byte before cleaning, including white space and
    parts of characters.
    """
    sentences = ["é - ü".encode(), b"a"]

    assert [b"\xc3\xa9 - \xc3"] == both_readings(sentences, Limit(6, in_words=False))[0]


# One number per form of a word.


def test_numbers_count_up_from_nought() -> None:
    """Forms are numbered in the order of their first look-up, and keep their
    numbers.
    """
    assert [0, 1, 0, 2] == Vocabulary(None).ids([b"b", b"a", b"b", b"c"])


def test_words_of_one_form_have_one_number() -> None:
    """Words that are normalized to the same form count as the same."""
    vocabulary = Vocabulary(lambda raw: raw[:1])

    assert [0, 0, 1] == vocabulary.ids([b"ab", b"ac", b"bc"])


def test_dropped_words_leave_no_gap() -> None:
    """A word without a form is left out of the ids and takes no number."""
    vocabulary = Vocabulary(lambda raw: None if raw == b"the" else raw)

    assert [0, 1] == vocabulary.ids([b"a", b"the", b"b", b"the"])
    assert vocabulary[b"the"] == DROPPED
    assert DROPPED < 0


def test_shared_forms_agree() -> None:
    """Vocabularies that share their forms give the same form the same number."""
    forms = Forms()
    plain, cut = Vocabulary(None, forms), Vocabulary(lambda raw: raw[:1], forms)

    assert ([0, 1], [0, 2], [0, 2]) == (
        plain.ids([b"a", b"bc"]), cut.ids([b"a", b"bc"]), plain.ids([b"a", b"b"]),
    )  # fmt: skip


def test_a_word_is_normalized_once() -> None:
    """The form of a word is computed at its first look-up only, also for dropped
    words.
    """
    words: list[bytes] = []

    def normalize(raw: bytes) -> bytes | None:
        words.append(raw)
        return None if raw == b"the" else raw

    Vocabulary(normalize).ids([b"the", b"a", b"the", b"a"])

    assert [b"the", b"a"] == words
