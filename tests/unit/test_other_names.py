"""Other packages' names of parameters in Python, and other codes of languages."""

from __future__ import annotations

from typing import Any

import pytest

import rouge_cli
from rouge_cli import plugins
from rouge_cli.errors import UsageError
from rouge_cli.text import languages

TEXTS = (["Die Katzen"], ["die Katze"])


def test_rouge_types_are_the_metrics() -> None:
    """`rouge_types` of rouge_score names the metrics; beside `metrics` it is an error."""
    same = rouge_cli.score(*TEXTS, "R1", samples=0)

    assert rouge_cli.score(*TEXTS, rouge_types=["rouge1"], samples=0) == same
    assert rouge_cli.explain("a", ["a"], rouge_types="R2").metrics[0].label == "ROUGE-2"
    with pytest.raises(UsageError, match="together"):
        rouge_cli.score(*TEXTS, "R1", rouge_types="R1")


def test_lang_is_the_language() -> None:
    """`lang` is `language`, as in the command, but in a dialect that has an option of
    this name.
    """
    same = rouge_cli.score(*TEXTS, "R1", language="de", stem=True, samples=0)

    assert rouge_cli.score(*TEXTS, "R1", lang="de", stem=True, samples=0) == same
    with pytest.raises(UsageError, match="together"):
        rouge_cli.score(*TEXTS, "R1", lang="de", language="de")
    signed = rouge_cli.score(*TEXTS, dialect="xlsum", lang="german").signature
    assert "lang:german" in signed


@pytest.mark.parametrize("name", plugins.other_names("keyword"))
def test_a_keyword_of_another_package_is_answered(name: str) -> None:
    """The error names ours."""
    typed: dict[str, Any] = {name: True}

    with pytest.raises(UsageError, match=f"no option '{name}'; use "):
        rouge_cli.score(*TEXTS, **typed)


@pytest.mark.parametrize("code", languages.profiles())
def test_every_language_is_found_by_its_other_codes(code: str) -> None:
    """A profile is answered for its name, its locales and its code of ISO 639-2, but a
    code is never that of another profile.
    """
    others = [
        name for name, ours in plugins.other_names("language").items() if ours == code
    ]
    start = code.partition("-")[0]

    assert languages.our_code(languages.profiles()[code].name) == code
    assert languages.our_code(f"{start.upper()}_XX.UTF-8") == start
    assert others or "-" in code
    for name in others:
        assert name not in languages.profiles()
        assert languages.our_code(name) == code
