"""The options record: defaults, types, and nearest names for unknown ones."""

import re
import time
from fractions import Fraction
from math import inf, nan
from typing import Any

import pytest
from case_tables import tabled
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli import dialects
from rouge_cli.errors import UsageError
from rouge_cli.options import in_range, labels, number_with_unit, resolve

DEFAULTS = {
    "metrics": ("ROUGE-1",),
    "alpha": 0.5,
    "samples": 1000,
    "jackknife": False,
    "limit": "none",
}


def test_none_means_the_default() -> None:
    """None means the default, and texts from a signature become the types of the
    defaults.
    """
    values = {
        "metrics": "ROUGE-2+ROUGE-L",
        "alpha": "1",
        "jackknife": "yes",
        "samples": None,
    }

    assert {
        "metrics": ("ROUGE-2", "ROUGE-L"), "alpha": 1.0, "samples": 1000, "jackknife": True,
        "limit": "none",
    } == resolve("some", DEFAULTS, values)  # fmt: skip


@tabled
def test_invalid_options_are_refused(values: dict[str, Any], message: str) -> None:
    """An option that the dialect does not have, or a value of another type, is
    named.
    """
    with pytest.raises(UsageError) as error:
        resolve("some", DEFAULTS, values)

    assert message == str(error.value)


@pytest.mark.parametrize(
    "value",
    [
        nan,
        inf,
        0.5,
        -0.5,
        1.5,
        True,
        b"3",
        Fraction(3, 2),
        pytest.param(10**5000, id="huge"),
        "1.5",
        [3],
    ],
)
def test_a_whole_number_is_whole(value: object) -> None:
    """A number with a fraction, and a value that is not a number, are refused by
    name, not truncated.
    """
    with pytest.raises(UsageError, match=r"^samples (cannot be|is) "):
        in_range(resolve("some", DEFAULTS, {"samples": value}), "samples", 0, 10)


@pytest.mark.parametrize(
    "value",
    [
        nan,
        inf,
        -1,
        True,
        b"3",
        10**400,
        pytest.param(10**5000, id="huge"),
        "x",
        [3],
        1j,
    ],
)
def test_a_number_is_in_range(value: object) -> None:
    """A number out of range, however large, and a value that is not a number, are
    refused by name.
    """
    with pytest.raises(UsageError, match=r"^alpha (cannot be|is) "):
        in_range(resolve("some", DEFAULTS, {"alpha": value}), "alpha", 0, 1)


@pytest.mark.parametrize(
    ("text", "number"), [("100words", (100, "words")), ("665 bytes", (665, "bytes"))]
)
def test_limits_have_units(text: str, number: tuple[float, str]) -> None:
    """A limit is a number and its unit."""
    assert number == number_with_unit(text, ("words", "bytes"))


@pytest.mark.parametrize(
    "text", ["100", "words", "-1words", "0words", "1.5words", "100 chars"]
)
def test_other_limits_are_refused(text: str) -> None:
    """A limit without a unit, or with an unknown one, is refused with examples."""
    with pytest.raises(UsageError, match="write 100words or 100bytes"):
        number_with_unit(text, ("words", "bytes"))


def test_labels_with_a_plus_stay_whole() -> None:
    """Labels are split at commas and at `+`, but not before a modifier of ROUGE 2.0."""
    assert [
        "ROUGE-1+Stemming+Synonyms",
        "ROUGE-2",
        "R3+stopwordremoval",
        "ROUGE-Stemmingly",
    ] == labels(
        "ROUGE-1+Stemming+Synonyms+ROUGE-2,R3+stopwordremoval,,+ROUGE-Stemmingly"
    )
    assert [] == labels("")


@given(st.text(alphabet="R1LCSr+,{}|", max_size=25))
def test_labels_are_divided_outside_of_braces(text: str) -> None:
    """Commas split labels, and so does a + before a label, but not inside braces."""
    between = re.compile(r"(?:,|\+(?=R|LCS))(?![^{}]*\})", re.IGNORECASE)

    assert [label for label in between.split(text) if label] == labels(text)


def test_many_labels_are_divided_fast() -> None:
    """The time to split a hundred thousand labels is not quadratic, but a fraction
    of a second.
    """
    for end in ("", "}"):
        start = time.process_time()
        labels("R1," * 100_000 + end)

        assert time.process_time() - start < 5


@pytest.mark.parametrize("dialect", ["google", "rouge155", "rouge2", "tilse"])
def test_a_label_is_looked_up_once(dialect: str) -> None:
    """A metric named many times is looked up once, and is one metric."""
    named = dialects.named(dialect)
    looked_up: list[str] = []

    def heard(label: str) -> str:
        looked_up.append(label)
        return named.parse(label)

    label = named.defaults["metrics"][0]
    canonical = named._replace(parse=heard).canonical
    metrics = canonical({**named.defaults, "metrics": (label,) * 9})["metrics"]

    assert ([label], 1) == (looked_up, len(metrics))
