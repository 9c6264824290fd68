"""SPL, one sentence per line: every line that is not empty (a line of blanks is a sentence)."""

from __future__ import annotations

from rouge_cli.core import Summary


def read(data: bytes) -> Summary:
    """Lines end at LF only; a CR before it is part of the sentence, as white space."""
    return Summary([line for line in data.split(b"\n") if line])
