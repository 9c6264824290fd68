"""Snowball stemmers by language."""

import pytest
from case_tables import tabled

from rouge_cli.errors import UsageError
from rouge_cli.text import stemmers


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("german", "Häusern", "haus"),
        ("russian", "собаками", "собак"),
        ("english", "running", "run"),
    ],
)
def test_snowball_stems_by_language(language: str, word: str, stem: str) -> None:
    """Words of a language get its Snowball stem, as UTF-8."""
    assert stem == stemmers.snowball(f"snowball:{language}")(word.encode()).decode()


@tabled
def test_unknown_stemmers_are_refused(name: str, message: str) -> None:
    """An unknown stemmer is refused with a list of the known ones."""
    with pytest.raises(UsageError) as error:
        stemmers.snowball(name)

    assert str(error.value).startswith(message)
