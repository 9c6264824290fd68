"""`rouge-cli list` and `describe`: print the names that commands accept;
`completion`: complete them.
"""

import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import click
from click.shell_completion import get_completion_class

from rouge_cli import dialects, formats, metrics, plugins, reports, signature
from rouge_cli.cli import streams
from rouge_cli.errors import UsageError, suggestion
from rouge_cli.tasks import kinds
from rouge_cli.text import languages

# KIND on the command line -> kinds of entries.
KINDS = {
    "metrics": ("metric",),
    "dialects": ("dialect",),
    "recipes": ("recipe",),
    "languages": ("language",),
    "formats": ("input kind", "text format", "report format"),
}


class Entry(NamedTuple):
    """A name that commands accept."""

    kind: str
    name: str
    text: str  # its description
    origin: str = ""  # the package that it comes from; empty for this package

    @property
    def summary(self) -> str:
        """The first paragraph of the text, a single sentence, on one line."""
        origin = f" (from {self.origin})" if self.origin else ""
        return " ".join(self.text.partition("\n\n")[0].split()) + origin


@click.command("list")
@click.argument(
    "kind", type=click.Choice(list(KINDS)), required=False, metavar="[KIND]"
)
def command(kind: str | None) -> None:
    """List metrics, dialects, recipes, languages and formats.

    Formats are kinds of input (--input), formats of texts (--read-as) and of reports
    (--format). Numbers in the labels of metrics are examples. A dialect is a program
    whose scores are reproduced, a recipe the set-up of a campaign or script, a language
    the profile that --language selects.

    Example: rouge-cli list metrics && rouge-cli describe ROUGE-SU4
    """
    kinds = (
        KINDS[kind] if kind else [name for names in KINDS.values() for name in names]
    )
    entries = [entry for entry in all_entries() if entry.kind in kinds]
    width = max(len(entry.name) for entry in entries) + 2
    lines = []
    for shown in kinds:
        if len(kinds) > 1:
            lines.append(f"{shown}s:\n")
        lines += [
            f"{entry.name:<{width}}{entry.summary}\n"
            for entry in entries
            if entry.kind == shown
        ]
    streams.emit("".join(lines))


@click.command("describe")
@click.argument("name")
def describe(name: str) -> None:
    """Describe a metric, dialect, recipe, language or format.

    NAME is one that `rouge-cli list` prints, or a label such as ROUGE-7.

    Example: rouge-cli describe ROUGE-W-1.2
    """
    entries = list(all_entries())
    matching = [
        entry for entry in entries if entry.name.lower() == name.lower()
    ] or _metric(name)
    if not matching:
        names = sorted({entry.name for entry in entries})
        raise UsageError(f"unknown name {name!r}", remedy=suggestion(name, names))
    texts = []
    for entry in matching:
        origin = entry.origin and f", from {entry.origin}"
        texts.append(
            f"{entry.name} ({entry.kind}{origin})\n\n{inspect.cleandoc(entry.text)}\n"
        )
        if entry.kind == "dialect":
            texts[-1] += "\nOptions, by default:\n"
            defaults = signature.parse(
                signature.render(dialects.named(entry.name).defaults)
            )
            texts[-1] += "".join(
                f"  {option:<12} {value}\n" for option, value in defaults.items()
            )
    streams.emit("\n".join(texts))


def _metric(name: str) -> list[Entry]:
    """Return an entry for a label that is not listed, such as `ROUGE-7`, with the
    text of its family.
    """
    with suppress(UsageError):
        metric = metrics.parse(name)
        return [
            Entry(
                "metric",
                metric.label,
                sys.modules[type(metric).__module__].__doc__ or "",
            )
        ]
    for dialect, (_, text) in own_labels().items():
        with suppress(UsageError):
            label = dialects.named(dialect).parse(name)
            return [Entry("metric", label, label_text(label, text))]
    return []


@click.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands in a shell.

    It completes commands, options and their values.

    Example: eval "$(rouge-cli completion bash)"
    """
    if shells := get_completion_class(shell):
        script = shells(
            context.find_root().command, {}, "rouge-cli", "_ROUGE_CLI_COMPLETE"
        ).source()
        streams.emit(f"{script}\n")


def all_entries() -> Iterator[Entry]:
    """Yield all metrics, dialects, recipes, languages, kinds of input, and formats
    of texts and reports.
    """
    for name in plugins.all_names(metrics.__name__):
        family = plugins.module(metrics.__name__, name)
        origin = plugins.origin(metrics.__name__, name)
        for label in family.LABELS:
            yield Entry(
                "metric", label, label_text(label, family.__doc__ or ""), origin
            )
    for dialect, (labels, text) in own_labels().items():
        origin = plugins.origin(dialects.__name__, dialect)
        yield from (
            Entry("metric", label, label_text(label, text), origin) for label in labels
        )
    named = {
        "dialect": dialects,
        "input kind": kinds,
        "text format": formats,
        "report format": reports,
    }
    for kind, package in named.items():
        folder = package.__name__
        ours = reports.names() if package is reports else plugins.names(folder)
        for name in (*ours, *plugins.others(folder)):
            text = plugins.module(folder, name).__doc__ or ""
            yield Entry(kind, name, text, plugins.origin(folder, name))
    yield from (
        Entry("recipe", recipe.name, recipe.text)
        for recipe in signature.recipes().values()
    )
    for code, profile in languages.profiles().items():
        yield Entry("language", code, profile.text)


def label_text(label: str, text: str) -> str:
    """Return the description of a label: its row in the text of its family as a
    sentence, then the text.
    """
    row = re.search(
        rf"^ +{re.escape(label)} {{2,}}([a-z].*(?:\n {{12,}}.*)*)", text, re.MULTILINE
    )
    return f"{label}: {' '.join(row[1].split())}.\n\n{text}" if row else text


def own_labels() -> dict[str, tuple[Sequence[str], str]]:
    """Return dialect -> (its own labels, their description), for labels that no
    other dialect has.
    """
    named = {
        name: dialects.named(name) for name in plugins.all_names(dialects.__name__)
    }
    return {
        name: (dialect.labels, dialect.help)
        for name, dialect in named.items()
        if dialect.labels
    }
