"""What a signature means in words."""

from __future__ import annotations

import pytest

from rouge_cli import dialects, plugins, signature
from rouge_cli.studies import methods

NAMES = plugins.names(dialects.__name__)


@pytest.mark.parametrize("name", NAMES)
def test_every_dialect_is_explained(name: str) -> None:
    """Each option of each dialect has a meaning, and its program a name for papers."""
    dialect = dialects.named(name)
    signed = signature.render({"dialect": name, **dialect.defaults})
    explained = methods.explain(signed)

    assert name in methods.PROGRAMS
    assert {"dialect", *dialect.defaults} <= methods.MEANINGS.keys()
    assert methods.PROGRAMS[name] in explained.sentence
    assert bool(explained.command) == (not explained.why_not) == (name == "rouge155")


def test_facts_have_meanings() -> None:
    """Each field of a signature besides options has a meaning."""
    assert {*signature.FACTS} <= methods.MEANINGS.keys()


def test_defaults_are_not_in_the_sentence() -> None:
    """The sentence names options that are not the dialect's defaults, and no others."""
    usual = methods.explain("dialect:rouge155|alpha:0.5|formula:average").sentence
    other = methods.explain("dialect:rouge155|alpha:0.8|formula:best").sentence

    assert "alpha" not in usual
    assert "formula" not in usual
    assert "alpha was 0.8" in other
    assert "formula was best" in other
