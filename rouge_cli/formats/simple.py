"""SIMPLE, one basic element per line: `head|modifier|relation` (ROUGE-BE only)."""

from __future__ import annotations

from rouge_cli.core import Summary


def read(data: bytes) -> Summary:
    """Return every line, empty ones too, so that a line's number is its place in the units."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()  # what follows the last LF is no line
    return Summary(lines)
