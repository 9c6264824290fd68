"""`rouge-cli list`: the names that commands accept."""

from __future__ import annotations

from functools import partial

import click

from rouge_cli.cli import streams
from rouge_cli.cli.catalogue import all_entries

# KIND -> the kinds of entries that it has.
KINDS = {
    "metrics": ("metric",),
    "dialects": ("dialect",),
    "recipes": ("recipe",),
    "formats": ("input kind", "text format", "report format"),
}


@click.command("list")
@click.argument("kind", type=click.Choice(list(KINDS)), required=False, metavar="[KIND]")
def command(kind: str | None) -> None:
    """List metrics, dialects, recipes or formats, or all of them.

    The formats are kinds of input (--input), formats of texts (--read-as) and of reports (--format).
    Numbers in the labels of metrics are examples.

    Example: rouge-cli list metrics && rouge-cli describe ROUGE-SU4
    """
    print_entries(KINDS[kind] if kind else [name for names in KINDS.values() for name in names])


def alias(kind: str) -> click.Command:
    """Return the hidden command `rouge-cli KIND`, which lists this kind."""
    return click.Command(
        kind,
        callback=partial(print_entries, KINDS[kind]),
        help=f"The same as `list {kind}`.\n\nExample: rouge-cli list {kind}",
        hidden=True,
    )


def print_entries(kinds: list[str] | tuple[str, ...]) -> None:
    """Print the names and summaries of all entries of these kinds."""
    entries = [entry for entry in all_entries() if entry.kind in kinds]
    width = max(len(entry.name) for entry in entries) + 2
    lines = []
    for kind in kinds:
        if len(kinds) > 1:
            lines.append(f"{kind}s:\n")
        lines += [f"{entry.name:<{width}}{entry.summary}\n" for entry in entries if entry.kind == kind]
    streams.emit("".join(lines))
