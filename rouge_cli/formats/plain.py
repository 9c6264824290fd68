"""Plain text, whole: one unit, however many lines; `--sentences` says what a sentence is."""

from __future__ import annotations

from rouge_cli.core import Summary


def read(data: bytes) -> Summary:
    """The text as one unit, without the line feed at its end; none where it is empty."""
    data = data.removesuffix(b"\n")
    return Summary([data] if data else [])
