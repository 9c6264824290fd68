"""SPL, one sentence per line. Empty lines are ignored, but a line of blanks is a
sentence.
"""

from rouge_cli.core import Summary
from rouge_cli.errors import RougeError


def read(data: bytes) -> Summary:
    """Read lines, which end only at LF; a CR before it is white space in the
    sentence.
    """
    return Summary([line for line in data.split(b"\n") if line])


def write(summary: Summary, _: str) -> bytes:
    """Write one sentence per line; raise RougeError if one is empty or contains a
    line feed.
    """
    if any(not unit or b"\n" in unit for unit in summary.units):
        raise RougeError(
            "an empty sentence, or one with a line feed, cannot be written as SPL"
        )
    return b"".join(unit + b"\n" for unit in summary.units)
