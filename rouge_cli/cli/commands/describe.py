"""`rouge-cli describe`: the whole text on one metric, dialect or format."""

from __future__ import annotations

import inspect

import click

from rouge_cli import api, dialects, folders, metrics
from rouge_cli.cli import streams
from rouge_cli.cli.describing import Entry, every
from rouge_cli.errors import UsageError


@click.command("describe")
@click.argument("name")
def command(name: str) -> None:
    """Say what NAME is: a metric by its label, a dialect, or a format.

    Example: rouge-cli describe ROUGE-W-1.2
    """
    known = list(every())
    found = [entry for entry in known if entry.name.lower() == name.lower()] or _metric(name)
    if not found:
        names = sorted({entry.name for entry in known})
        raise UsageError(f"nothing is called {name!r}", remedy=folders.suggestion(name, names))
    lines: list[str] = []
    for entry in found:
        lines += ["\n" * bool(lines) + f"{entry.name} ({entry.kind})\n\n{inspect.cleandoc(entry.text)}\n"]
        if entry.kind == "dialect":
            lines.append("\nOptions, by default:\n")
            for option, value in api.chosen(entry.name).DEFAULTS.items():
                shown = "+".join(value) if isinstance(value, tuple) else value
                lines.append(f"  {option:<12}{shown}\n")
    streams.emit("".join(lines))


def _metric(name: str) -> list[Entry]:
    """The family of a label that no list shows: `ROUGE-7`, or a dialect's own."""
    for parse in (metrics.parse, *(api.chosen(one).parse for one in folders.names(dialects.__name__))):
        try:
            metric = parse(name)
        except UsageError:
            continue
        module = folders.module(*type(metric).__module__.rsplit(".", 1))
        return [Entry("metric", metric.label, module.__doc__ or "")]
    return []
