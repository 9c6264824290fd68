"""Signatures parse back to the values that they were made from."""

import pytest
from case_tables import tabled
from hypothesis import given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli import plugins, signature
from rouge_cli.api import DialectName
from rouge_cli.errors import UsageError

NAMES = st.text("abcdefgh_", min_size=1)


@given(
    st.dictionaries(
        NAMES, st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=1
    )
)
def test_any_text_comes_back(fields: dict[str, str]) -> None:
    """A value with any characters reads back unchanged."""
    stripped = {name: value.strip() for name, value in fields.items()}

    assert stripped == signature.parse(signature.render(stripped))


def test_values_are_plain() -> None:
    """Numbers are short, booleans are yes or no, an empty value is none, and lists
    are joined.
    """
    fields = {
        "a": 0.5,
        "b": 95.0,
        "c": True,
        "d": None,
        "e": ("ROUGE-1", "ROUGE-S*"),
        "f": "mark:|%",
    }

    assert (
        "a:0.5|b:95|c:yes|d:none|e:ROUGE-1+ROUGE-S*|f:mark:%7C%25"
        == signature.render(fields)
    )


@pytest.mark.parametrize("text", ["", "hello", "a:1|b", "a:1||b:2", ":x"])
def test_other_lines_are_not_signatures(text: str) -> None:
    """A line with a field that lacks a name or a value is refused."""
    with pytest.raises(UsageError, match="not a signature"):
        signature.parse(text)


@tabled
def test_the_line_of_a_report_is_a_signature(line: str) -> None:
    """The line of any report is a signature and can be used unchanged."""
    text = "dialect:rouge155|sentences:mark:`|version:0.1.0"

    assert signature.parse(text) == signature.parse(line.format(text))


@pytest.mark.parametrize(
    "dialect", sorted({*plugins.names("rouge_cli.dialects")} - {"tilse"})
)  # no dates
def test_the_short_signature_repeats_a_run(dialect: str) -> None:
    """The short signature has no defaults, and repeats a run as the long one does,
    to the last digit.
    """
    texts = ["a b c", "c d"], ["a b d", "c"]
    first = rouge_cli.score(*texts, dialect=DialectName(dialect), sentences="none")
    again = rouge_cli.score(*texts, like=first.short_signature)

    assert first.to_json() == again.to_json()
    assert "sentences:none" in first.short_signature
    assert len(signature.parse(first.short_signature)) < len(
        signature.parse(first.signature)
    )


def test_a_run_without_results_draws_in_the_usual_order() -> None:
    """Without columns the order of draws is the usual one, which a signature leaves
    out.
    """
    assert signature.USUAL["draws"] == signature.order_of_draws({}, by_id=True)
