"""Faults of words, and sentences in a line, on texts written for this test."""

import pytest

from rouge_cli.text import segmentation


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("the cat sat", 1), ("The cat sat.", 1), ("The cat sat. It slept.", 2),
        ("Mr. Smith met Prof. Jones of the U.S. Army in Sept. He left.", 1),
        ("J. Smith slept! Then he woke? Yes.", 3), ("It cost $3.5 and no. 7 won.", 1),
        ("he slept. it woke.", 1), ("he slept . it woke .", 2),
        ('He said "no." Then he left. "Why?" she asked.', 3),
        ("国道发生车祸。三人受伤！警方到场。", 3), ("वह सोया। वह जागा।", 2),
        ("Ж. Петров спал. Потом он ушёл.", 2), ("", 1),
    ],
)  # fmt: skip
def test_sentences_in_a_line_are_counted(line: str, number: int) -> None:
    """Abbreviations, initials, decimals and small letters end no sentence; other
    alphabets have marks of their own.
    """
    assert number == segmentation.number_of_sentences(line)


@pytest.mark.parametrize(
    ("text", "is_separated"),
    [
        ("我 来自 火星", True), ("我来自火星", False), ("我来自火星 iPhone 3", False),
        ("私 は 火星 から 来 まし た", True), ("ฉัน มา จาก ดาว อังคาร", True),
        ("the cat sat", False), ("고양이가 잔다", False), ("", False),
    ],
)  # fmt: skip
def test_words_that_somebody_separated_are_recognized(
    text: str, is_separated: bool
) -> None:
    """Blanks between words count in scripts without blanks, and in no other."""
    assert is_separated == segmentation.are_words_separated(text)


@pytest.mark.parametrize(
    ("tokens", "fault"),
    [
        (["国道发生车祸"], segmentation.UNSPACED), (["国道", "发生", "车祸"], ""),
        (["北京大学"], ""), (["コンピューターネットワーク"], ""),
        (["ह", "िन", "्द", "ी"], segmentation.CUT), (["हिन्दी"], ""), ([], ""),
        (["the", "cat"], ""), (["Donaudampfschifffahrtsgesellschaft"], ""),
    ],
)  # fmt: skip
def test_faults_of_tokens(tokens: list[str], fault: str) -> None:
    """Whole clauses and pieces of words are faults; short names, katakana and long
    words of other scripts are none.
    """
    assert fault == segmentation.fault(tokens)
