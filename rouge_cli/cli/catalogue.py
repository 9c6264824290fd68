"""The catalogue of names that commands accept; the docstring of a name's module is its help text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import dialects, formats, metrics, plugins, reports
from rouge_cli.signature import recipes
from rouge_cli.tasks import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


class Entry(NamedTuple):
    """A name in the catalogue, the kind of thing that it names, and its help text."""

    kind: str
    name: str
    text: str

    @property
    def summary(self) -> str:
        """Return the first paragraph of the text, which is one sentence, on one line."""
        return " ".join(self.text.partition("\n\n")[0].split())


def all_entries() -> Iterator[Entry]:
    """Yield all metrics, dialects, recipes, kinds of input, and formats of texts and reports."""
    for family in (*metrics.families(), *label_modules().values()):
        for label in family.LABELS:
            yield Entry("metric", label, label_text(label, family))
    named = {"dialect": dialects, "input kind": kinds, "text format": formats, "report format": reports}
    for kind, package in named.items():
        for name in reports.names() if package is reports else plugins.names(package.__name__):
            yield Entry(kind, name, plugins.module(package.__name__, name).__doc__ or "")
    yield from (Entry("recipe", recipe.name, recipe.text) for recipe in recipes.RECIPES)


def label_text(label: str, family: ModuleType) -> str:
    """Return the help text of a label: that of its family, after its own line in the table there."""
    text = family.__doc__ or ""
    row = re.search(rf"^ +{re.escape(label)} {{2,}}([a-z].*(?:\n {{12,}}.*)*)", text, re.MULTILINE)
    return f"{label}: {' '.join(row[1].split())}.\n\n{text}" if row else text


def label_modules() -> dict[str, ModuleType]:
    """Return the module `labels` of each dialect that has labels of its own, by dialect."""
    packages = {name: f"{dialects.__name__}.{name}" for name in plugins.names(dialects.__name__)}
    return {
        name: plugins.module(package, "labels")
        for name, package in packages.items()
        if "labels" in plugins.names(package)
    }
