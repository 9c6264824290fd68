"""The package's Porter stemmer in NLTK's mode compared with NLTK's."""

import pytest
from everyday import share
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from rouge_cli.text import porter

ENDINGS = (
    *(
        "",
        "s",
        "sses",
        "ies",
        "eed",
        "ied",
        "ed",
        "ing",
        "y",
        "ational",
        "alli",
        "bli",
        "logi",
        "icate",
    ),
    *(
        "ness",
        "ement",
        "ment",
        "ent",
        "sion",
        "tion",
        "ion",
        "ize",
        "e",
        "ll",
        "ance",
        "fulli",
        "fulness",
    ),
)
WORDS = st.tuples(
    st.text("yaeioubcstlzwx1éß漢", max_size=6),
    st.sampled_from(ENDINGS),
    st.sampled_from(["", "s", "ed", "ly", "e"]),
).map("".join)


@pytest.fixture(scope="module")
def theirs() -> PorterStemmer:
    """Return NLTK's stemmer in the mode that Google's rouge_score uses."""
    return PorterStemmer()


@settings(max_examples=share(2000))
@given(word=WORDS)
def test_stems_are_nltks(word: str, theirs: PorterStemmer) -> None:
    """Any word of lower-case letters and digits of any alphabet has NLTK's stem."""
    assert theirs.stem(word) == porter.nltk_stem(word)


def test_a_long_row_of_y_has_a_stem() -> None:
    """Whether y is a vowel depends on the letter before it, in rows of any length."""
    assert "y" * 9 + "i" == porter.nltk_stem("y" * 10 + "ed")
    assert "y" * 99_999 + "i" == porter.nltk_stem("y" * 100_000 + "ed")
