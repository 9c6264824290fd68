"""The catalogue of names that commands accept; the docstring of a name's module is its help text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import dialects, formats, metrics, plugins, reports
from rouge_cli.cli import streams
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
            yield Entry("metric", label, family.__doc__ or "")
    named = {"dialect": dialects, "input kind": kinds, "text format": formats, "report format": reports}
    for kind, package in named.items():
        for name in reports.names() if package is reports else plugins.names(package.__name__):
            yield Entry(kind, name, plugins.module(package.__name__, name).__doc__ or "")
    yield from (Entry("recipe", recipe.name, recipe.text) for recipe in recipes.RECIPES)


def label_modules() -> dict[str, ModuleType]:
    """Return the module `labels` of each dialect that has labels of its own, by dialect."""
    packages = {name: f"{dialects.__name__}.{name}" for name in plugins.names(dialects.__name__)}
    return {
        name: plugins.module(package, "labels")
        for name, package in packages.items()
        if "labels" in plugins.names(package)
    }


def print_entries(*kinds_listed: str) -> None:
    """Print the names and summaries of all entries of these kinds."""
    entries = [entry for entry in all_entries() if entry.kind in kinds_listed]
    width = max(len(entry.name) for entry in entries) + 2
    lines = []
    for kind in kinds_listed:
        if len(kinds_listed) > 1:
            lines.append(f"{kind}s:\n")
        lines += [f"{entry.name:<{width}}{entry.summary}\n" for entry in entries if entry.kind == kind]
    streams.emit("".join(lines))
