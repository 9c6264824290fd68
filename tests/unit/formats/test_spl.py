"""SPL: every non-empty line is a sentence."""

import pytest

from rouge_cli.formats import spl


@pytest.mark.parametrize(
    ("data", "units"),
    [
        (b"", []),
        (b"\n\n", []),
        (b"one\ntwo", [b"one", b"two"]),
        (b"one\n\n\ntwo\n", [b"one", b"two"]),
        (b"one\n  \ntwo\n", [b"one", b"  ", b"two"]),  # a line of blanks is a sentence
        (b"one\r\n\r\ntwo\r\n", [b"one\r", b"\r", b"two\r"]),
        (b"one\rtwo\vthree\fx\x85y\xe2\x80\xa8z", [b"one\rtwo\vthree\fx\x85y\xe2\x80\xa8z"]),
        (b'<a name="1">\xff\0\n', [b'<a name="1">\xff\0']),
    ],
)
def test_lines_end_at_line_feeds_only(data: bytes, units: list[bytes]) -> None:
    """Every non-empty line is a sentence without change, a CR included."""
    assert units == list(spl.read(data).units)
