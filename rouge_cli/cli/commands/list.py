"""`rouge-cli list`: the names that commands accept; the docstring of a name's module is its help text."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from rouge_cli import dialects, formats, metrics, plugins, reports
from rouge_cli.cli import streams
from rouge_cli.signature import recipes
from rouge_cli.tasks import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


class Entry(NamedTuple):
    """A name that commands accept, the kind of thing that it names, and its help text."""

    kind: str
    name: str
    text: str
    origin: str = ""  # the other package that it comes from; empty if it is ours

    @property
    def summary(self) -> str:
        """Return the first paragraph of the text, which is one sentence, on one line."""
        origin = f" (from {self.origin})" if self.origin else ""
        return " ".join(self.text.partition("\n\n")[0].split()) + origin


def all_entries() -> Iterator[Entry]:
    """Yield all metrics, dialects, recipes, kinds of input, and formats of texts and reports."""
    for name in plugins.all_names(metrics.__name__):
        family = plugins.module(metrics.__name__, name)
        origin = plugins.origin(metrics.__name__, name)
        for label in family.LABELS:
            yield Entry("metric", label, label_text(label, family.__doc__ or ""), origin)
    for dialect, (labels, text) in own_labels().items():
        origin = plugins.origin(dialects.__name__, dialect)
        yield from (Entry("metric", label, label_text(label, text), origin) for label in labels)
    named = {"dialect": dialects, "input kind": kinds, "text format": formats, "report format": reports}
    for kind, package in named.items():
        folder = package.__name__
        ours = reports.names() if package is reports else plugins.names(folder)
        for name in (*ours, *plugins.others(folder)):
            text = plugins.module(folder, name).__doc__ or ""
            yield Entry(kind, name, text, plugins.origin(folder, name))
    yield from (Entry("recipe", recipe.name, recipe.text) for recipe in recipes.RECIPES)


def label_text(label: str, text: str) -> str:
    """Return the help text of a label: its own line in the text of its family, before that text."""
    row = re.search(rf"^ +{re.escape(label)} {{2,}}([a-z].*(?:\n {{12,}}.*)*)", text, re.MULTILINE)
    return f"{label}: {' '.join(row[1].split())}.\n\n{text}" if row else text


def own_labels() -> dict[str, tuple[Sequence[str], str]]:
    """Return the labels that only one dialect has, and their help text, by dialect."""
    named = {name: dialects.named(name) for name in plugins.all_names(dialects.__name__)}
    return {name: (dialect.labels, dialect.help) for name, dialect in named.items() if dialect.labels}
