"""SIMPLE, one basic element per line: `head|modifier|relation` (ROUGE-BE only)."""

from rouge_cli.core import Summary


def read(data: bytes) -> Summary:
    """Read all lines, with empty lines, so that unit n is line n."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()  # the empty string after the last LF is not a line
    return Summary(lines)
