"""SIMPLE: every line is a unit, empty lines too."""

import pytest

from rouge_cli.formats import simple


@pytest.mark.parametrize(
    ("data", "units"),
    [
        (b"", []), (b"\n", [b""]), (b"a|b|c", [b"a|b|c"]), (b"a|b|c\n", [b"a|b|c"]),
        (b"a|b|c\n\nd|e|f\n", [b"a|b|c", b"", b"d|e|f"]), (b"a|b|c\r\n\n", [b"a|b|c\r", b""]),
    ],
)  # fmt: skip
def test_every_line_is_a_unit(data: bytes, units: list[bytes]) -> None:
    """A unit's index is its line number, so empty lines are kept."""
    assert units == list(simple.read(data).units)
