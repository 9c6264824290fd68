"""`rouge-cli describe`: print what is known of a name that commands accept."""

import inspect
import sys
from contextlib import suppress

import click

from rouge_cli import dialects, metrics, plugins, signature
from rouge_cli.cli import streams
from rouge_cli.cli.entries import Entry, all_entries, label_text, own_labels
from rouge_cli.errors import UsageError, suggestion
from rouge_cli.results.printed import visible
from rouge_cli.studies import methods
from rouge_cli.text import languages

SECTION = "Look up"
_COLUMN = 32  # the place of the meaning of a field


@click.command("describe")
@click.argument("name")
def command(name: str) -> None:
    """Describe a metric, dialect, recipe, language or format.

    NAME is one that `rouge-cli list` prints, a label such as ROUGE-7, or the signature
    of a report, in quotes: its fields in words, a sentence for a paper, what to cite,
    and the command of ROUGE-1.5.5 that has the same numbers.

    Example: rouge-cli describe ROUGE-W-1.2
             rouge-cli describe 'dialect:rouge155|metrics:ROUGE-2|stemmer:rouge'
    """
    if methods.is_signature(name):
        streams.emit(_signature(methods.explain(name)))
        return
    entries = list(all_entries())
    matching = [entry for entry in entries if entry.name.lower() == name.lower()]
    if not matching:
        matching = _metric(name)
    if not matching:
        names = sorted({entry.name for entry in entries})
        others = {**plugins.other_names("tokenizer"), **plugins.other_names("dialect")}
        language = languages.our_code(name)
        if language:
            others[name.lower()] = language
        remedy = suggestion(name, names, others)
        raise UsageError(f"unknown name {name!r}", remedy=remedy)
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


def _signature(explained: methods.Methods) -> str:
    """Return the text on a signature."""
    lines = ["Fields:"]
    for name, value, meaning in explained.fields:
        field = f"  {name}: {visible(value)}"
        if len(field) >= _COLUMN:
            lines.append(field)
            field = ""
        lines.append(f"{field:<{_COLUMN}}{meaning}")
    lines += ["", "For the section on methods:", explained.sentence, ""]
    lines += ["To cite:", *explained.bibtex, ""]
    if explained.command:
        lines += ["The same on settings, by the original:", explained.command]
    else:
        lines.append(
            f"No command of ROUGE-1.5.5 has these numbers: {explained.why_not}."
        )
    return "".join(f"{line}\n" for line in lines)


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
