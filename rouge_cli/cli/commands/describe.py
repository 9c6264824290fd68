"""`rouge-cli describe`: print what is known of a name that commands accept."""

import inspect
import sys
from contextlib import suppress

import click

from rouge_cli import dialects, metrics, signature
from rouge_cli.cli import streams
from rouge_cli.cli.entries import Entry, all_entries, label_text, own_labels
from rouge_cli.errors import UsageError, suggestion

SECTION = "Look up"


@click.command("describe")
@click.argument("name")
def command(name: str) -> None:
    """Describe a metric, dialect, recipe, language or format.

    NAME is one that `rouge-cli list` prints, or a label such as ROUGE-7.

    Example: rouge-cli describe ROUGE-W-1.2
    """
    entries = list(all_entries())
    matching = [entry for entry in entries if entry.name.lower() == name.lower()]
    if not matching:
        matching = _metric(name)
    if not matching:
        names = sorted({entry.name for entry in entries})
        raise UsageError(f"unknown name {name!r}", remedy=suggestion(name, names))
    texts = []
    for entry in matching:
        origin = f", from {entry.origin}" if entry.origin else ""
        description = inspect.cleandoc(entry.text)
        text = f"{entry.name} ({entry.kind}{origin})\n\n{description}\n"
        if entry.kind == "dialect":
            text += "\nOptions, by default:\n"
            defaults = signature.render(dialects.named(entry.name).defaults)
            for option, value in signature.parse(defaults).items():
                text += f"  {option:<12} {value}\n"
        texts.append(text)
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
