"""Plain text, whole: one unit, however many lines; `--sentences` says what a sentence is."""

from __future__ import annotations

from rouge_cli.core import Summary
from rouge_cli.errors import RougeError


def read(data: bytes) -> Summary:
    """The text as one unit, without the line feed at its end; none where it is empty."""
    data = data.removesuffix(b"\n")
    return Summary([data] if data else [])


def write(summary: Summary, _: str) -> bytes:
    """The one unit and a line feed; raises RougeError for an empty unit, or several."""
    if len(summary.units) > 1 or b"" in summary.units:
        raise RougeError("plain text is one text that is not empty")
    return b"".join(unit + b"\n" for unit in summary.units)
