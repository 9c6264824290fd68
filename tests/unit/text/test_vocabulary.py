"""One number per form of a word."""

from __future__ import annotations

from rouge_cli.text.tokens import DROPPED, Forms, Vocabulary


def test_numbers_count_up_from_nought() -> None:
    """Forms are numbered in the order of their first look-up, and keep their numbers."""
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
        plain.ids([b"a", b"bc"]),
        cut.ids([b"a", b"bc"]),
        plain.ids([b"a", b"b"]),
    )


def test_a_word_is_normalized_once() -> None:
    """The form of a word is computed at its first look-up only, also for dropped words."""
    words: list[bytes] = []

    def normalize(raw: bytes) -> bytes | None:
        words.append(raw)
        return None if raw == b"the" else raw

    Vocabulary(normalize).ids([b"the", b"a", b"the", b"a"])

    assert [b"the", b"a"] == words
