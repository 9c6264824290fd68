"""The names that commands accept, with their descriptions."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rouge_cli import dialects, formats, metrics, plugins, reports, signature
from rouge_cli.tasks import kinds
from rouge_cli.text import languages, tokenizers


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


def all_entries() -> Iterator[Entry]:
    """Yield all metrics, dialects, recipes, languages, tokenizers, kinds of input, and
    formats of texts and reports.
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
    yield Entry("language", languages.MULTI.code, languages.MULTI.text)
    for name, sentence in tokenizers.descriptions().items():
        yield Entry("tokenizer", name, sentence)


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
