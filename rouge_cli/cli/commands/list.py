"""`rouge-cli list`: print the names that commands accept."""

from itertools import chain
from typing import Any

import click

from rouge_cli.cli import streams
from rouge_cli.cli.entries import all_entries

SECTION = "Look up"

# KIND on the command line -> kinds of entries.
KINDS = {
    "metrics": ("metric",),
    "dialects": ("dialect",),
    "recipes": ("recipe",),
    "languages": ("language",),
    "tokenizers": ("tokenizer",),
    "formats": ("input kind", "text format", "report format"),
}


class _Kind(click.Choice[str]):
    """A kind of names, whose singular is understood, too."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as in click
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the kind; fail for another word."""
        plural = f"{value}s"
        return super().convert(plural if plural in KINDS else value, param, ctx)


@click.command("list")
@click.argument("kind", type=_Kind(list(KINDS)), required=False, metavar="[KIND]")
def command(kind: str | None) -> None:
    """List metrics, dialects, recipes, languages, tokenizers and formats.

    Formats are kinds of input (--input), formats of texts (--read-as) and of reports
    (--format). Numbers in the labels of metrics are examples. A dialect is a program
    whose scores are reproduced, a recipe the set-up of a campaign or script, a language
    the profile that --language selects.

    Example: rouge-cli list metrics && rouge-cli describe ROUGE-SU4
    """
    kinds = KINDS[kind] if kind else tuple(chain.from_iterable(KINDS.values()))
    entries = [entry for entry in all_entries() if entry.kind in kinds]
    width = max(len(entry.name) for entry in entries) + 2
    lines = []
    for shown in kinds:
        if len(kinds) > 1:
            lines.append(f"{shown}s:\n")
        for entry in entries:
            if entry.kind == shown:
                lines.append(f"{entry.name:<{width}}{entry.summary}\n")
    streams.emit("".join(lines))
