"""SIMPLE: every line, empty ones too."""

from __future__ import annotations

import pytest

from rouge_cli.formats import simple


@pytest.mark.parametrize(
    ("data", "units"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"a|b|c", [b"a|b|c"]),
        (b"a|b|c\n", [b"a|b|c"]),
        (b"a|b|c\n\nd|e|f\n", [b"a|b|c", b"", b"d|e|f"]),
        (b"a|b|c\r\n\n", [b"a|b|c\r", b""]),
    ],
)
def test_every_line_is_a_unit(data: bytes, units: list[bytes]) -> None:
    """A line's number is its place among the units, so empty lines are kept."""
    assert units == list(simple.read(data).units)
