"""Bars: sentences separated by vertical bars."""

from __future__ import annotations

from rouge_cli.core import Summary


def read(data: bytes) -> Summary:
    """Return the strings between bars, without empty ones."""
    return Summary([unit for unit in data.strip().split(b"|") if unit])
