"""Recipes: the set-ups by which campaigns, benchmarks and scripts compute ROUGE.

`data/recipes.txt` has them, and tests/golden/test_recipes.py compares each with the program that it names.
"""

from __future__ import annotations

from functools import cache

from rouge_cli import data
from rouge_cli.core import TYPE_CHECKING, NamedTuple
from rouge_cli.errors import UsageError, suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping

PROOFS = "tests/golden/test_recipes.py"


class Recipe(NamedTuple):
    """A set-up with a name; the table explains its fields."""

    name: str
    summary: str
    notes: str
    source: str
    date: str
    signature: str

    @property
    def text(self) -> str:
        """The description in paragraphs."""
        from textwrap import wrap  # costs start-up time

        proof = f"Read on {self.date}; {PROOFS} compares it with the program itself."
        paragraphs = (self.summary, self.notes, f"Source: {self.source} {proof}")
        lines = ("\n".join(wrap(paragraph, 100, break_on_hyphens=False)) for paragraph in paragraphs)
        return "\n\n".join((*lines, self.signature))


@cache
def named() -> Mapping[str, Recipe]:
    """Return the recipes in alphabetical order: name -> recipe."""
    _, *blocks = data.read("recipes.txt").decode().rstrip("\n").split("\n\n")
    rows = ([line.partition(": ")[2] or line for line in block.split("\n")] for block in blocks)
    return {row[0]: Recipe(*row) for row in rows}


def signature_of(like: str | None, name: str | None) -> str | None:
    """Return the signature to repeat: `like`, or the signature of the recipe; None without both.

    Raises:
        UsageError: Both are passed, or there is no such recipe.
    """
    if name is None:
        return like
    if like is not None:
        raise UsageError("recipe and like together", remedy="give one of them")
    if name not in named():
        raise UsageError(f"unknown recipe {name!r}", remedy=suggestion(name, list(named())))
    return named()[name].signature
