"""Signatures: lines that state how scores were computed, and can be parsed.

    dialect:rouge155|metrics:ROUGE-1+ROUGE-2|stemmer:rouge|...|evals:50|version:0.1.0

Fields are separated by `|`, and name and value by the first `:`. In values, `%`, `|`
and line ends are written as `%25`, `%7C` and `%0A`. The style is sacrebleu's (Post
2018).

A recipe is a signature with a name: the set-up by which a campaign, benchmark or script
computes ROUGE. `data/recipes.txt` has them, and tests/golden/test_recipes.py compares
each with the program that it names.
"""

import re
from codecs import lookup
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from rouge_cli import data
from rouge_cli.core import Notice
from rouge_cli.errors import UsageError, suggestion
from rouge_cli.io import digests
from rouge_cli.scoring.columns import Columns

NONE = "none"
READING = ("read_as", "encoding")
LIBRARIES = "libraries"  # that divide words and stem, with their versions
OF_DATA = ("draws", "references", "evals", "version")
# The profiles of the evals' languages, and what an option is that differs by language
LANGUAGES, BY_LANGUAGE = "languages", "by-language"
FACTS = (*READING, LIBRARIES, LANGUAGES, *OF_DATA)
# Evals are drawn in the order of their numbers, compared as strings
NUMBERS = "numbers"
# Every eval draws for itself: see `scoring/poisson.py`
POISSON = "poisson"
# Defaults that a signature omits.
USUAL = {"read_as": "spl", "encoding": "utf-8", "draws": NUMBERS}
_SPL = {"", "plain", "spl"}  # the names of SPL
PROOFS = "tests/golden/test_recipes.py"
_LINE = r"\W*signature\W*:\s*([`\"]?)(.*)\1\W*"


def render(fields: Mapping[str, object]) -> str:
    """Return the signature of fields: None is `none`, booleans `yes` or `no`, lists
    are joined by `+`.
    """
    return "|".join(f"{name}:{_text(value)}" for name, value in fields.items())


def parse(signature: str) -> dict[str, str]:
    """Parse a signature into its fields, name -> value as a string; raise UsageError
    for another text.

    The whole line of a report is accepted too, with `signature:` and quotes.
    """
    fields: dict[str, str] = {}
    if not isinstance(signature, str):
        raise UsageError(
            f"not a signature: {signature!r}",
            remedy="give a report's signature, a string",
        )
    line = "signature" in signature and re.fullmatch(
        _LINE, signature.strip(), re.DOTALL
    )
    for field in (line[2] if line else signature).strip().split("|"):
        name, colon, value = field.partition(":")
        if not colon or not name:
            what = f"not a signature: {field!r} is not NAME:VALUE"
            raise UsageError(what, remedy="copy the whole signature line of a report")
        unescaped = value.replace("%7C", "|").replace("%0A", "\n").replace("%25", "%")
        fields[name.strip()] = unescaped
    return fields


def fields(text: str) -> dict[str, str]:
    """Return the fields of a signature; an empty mapping if the text is not a
    signature.
    """
    try:
        return parse(text)
    except UsageError:
        return {}


def _text(value: object) -> str:
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    text = "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text.replace("%", "%25").replace("|", "%7C").replace("\n", "%0A")


def reading(
    formats: Iterable[str], encoding: str = USUAL["encoding"]
) -> dict[str, str]:
    """Return the fields for format and encoding of the texts, unless they are the
    defaults.
    """
    if _SPL.issuperset(formats) and encoding == USUAL["encoding"]:
        return {}
    names = set(formats)
    if names & _SPL:
        names = (names - _SPL) | {"spl"}
    read_as = "+".join(sorted(names))
    fields = {"read_as": read_as or USUAL["read_as"], "encoding": lookup(encoding).name}
    return {name: value for name, value in fields.items() if value != USUAL[name]}


def order_of_draws(systems: Mapping[str, Columns], *, by_id: bool) -> str:
    """Return the field `draws`: NUMBERS, or a checksum of an order in which the
    bootstrap draws evals.

    Args:
        by_id: True for ROUGE-1.5.5, which draws in the order of `EVAL.SYSTEM` as
            strings (QUIRKS 28), whatever the order of the input. Other dialects draw in
            the order of the input; it is NUMBERS if the IDs ascend.
    """
    orders: dict[object, None] = {}  # all different orders, in the order of the systems
    for system, columns in systems.items():
        if by_id:
            orders[_order_by_name(columns.ids, system)] = None
        else:
            orders[_order_of_input(columns.ids)] = None
    others = [order for order in orders if order != NUMBERS]
    if not others:
        return NUMBERS
    text = "\n".join(map(str, orders)) if by_id else repr(others)
    return digests.checksum(text.encode())


def _ascending(ids: Sequence[str]) -> list[str]:
    """Return the IDs in ascending order: 1, 2, ... as numbers, others as strings."""
    numbers = [str(number) for number in range(1, len(ids) + 1)]
    return numbers if {*ids} == {*numbers} else sorted(ids)


def _order_of_input(ids: Sequence[str]) -> object:
    """Return NUMBERS if the IDs ascend, else the IDs."""
    return NUMBERS if list(ids) == _ascending(ids) else tuple(ids)


def _order_by_name(ids: Sequence[str], system: str) -> str:
    """Return the places of the evals, which are counted in ascending order of their
    IDs, in the order in which ROUGE-1.5.5 draws them; NUMBERS if evals with the numbers
    of these places would be drawn in the same order.

    The order of the input has no part in it.
    """
    ascending = _ascending(ids)
    names = [f"{eval_id}.{system}" for eval_id in ascending]
    order = sorted(range(len(names)), key=names.__getitem__)
    numbered = [f"{place + 1}.{system}" for place in order]
    if numbered == sorted(numbered):
        return NUMBERS
    return ",".join(map(str, order))


def split_options(
    options: Mapping[str, object],
) -> tuple[dict[str, object], dict[str, str]]:
    """Return the options of the dialect, and the fields about reading texts."""
    of_dialect = {name: value for name, value in options.items() if name not in READING}
    return of_dialect, {name: str(options[name]) for name in READING if name in options}


def of_pairs(text: str | None) -> str | None:
    """Return a signature without what it states of the data: for single pairs, which
    have no draws and no numbers of evals and references.
    """
    if text is None:
        return None
    fields = parse(text)
    for name in OF_DATA:
        if name != "version":
            fields.pop(name, None)
    return render(fields)


def stated_facts(text: str | None) -> dict[str, str]:
    """Return the fields besides options; a complete signature has the defaults for
    omitted fields.
    """
    if text is None:
        return {}
    fields = parse(text)
    usual = USUAL if "evals" in fields else {}
    stated = {name: fields[name] for name in FACTS if name in fields}
    return {
        **stated,
        **{name: value for name, value in usual.items() if name not in stated},
    }


def differences(expected: Mapping[str, str], signed: str) -> Iterator[Notice]:
    """Yield a notice if the signature of a run differs from the facts of the signature
    that it repeats.

    The order of draws is not compared if nothing is resampled.
    """
    fields = {**USUAL, **parse(signed)} if expected else {}
    differing = [
        f"{name} {fields.get(name, NONE)}, not {value}"
        for name, value in expected.items()
        if fields.get(name, NONE) != value
        and not (name == "draws" and fields.get("samples", "0") == "0")
    ]
    if differing:
        yield Notice(
            f"this run differs from the signature: {'; '.join(differing)}; its numbers"
            " may differ"
        )


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
        lines = (
            "\n".join(wrap(paragraph, 100, break_on_hyphens=False))
            for paragraph in paragraphs
        )
        return "\n\n".join((*lines, self.signature))


@cache
def recipes() -> Mapping[str, Recipe]:
    """Return the recipes in alphabetical order: name -> recipe."""
    _, *blocks = data.read("recipes.txt").decode().rstrip("\n").split("\n\n")
    by_name = {}
    for block in blocks:
        values = []
        for line in block.split("\n"):
            _, _, value = line.partition(": ")
            values.append(value or line)
        recipe = Recipe(*values)
        by_name[recipe.name] = recipe
    return by_name


def signature_of(like: str | None, name: str | None) -> str | None:
    """Return the signature to repeat, `like` or a recipe's; raise UsageError for
    both or no such recipe.
    """
    if name is None:
        return like
    if like is not None:
        raise UsageError("recipe and like together", remedy="give one of them")
    if name not in recipes():
        raise UsageError(
            f"unknown recipe {name!r}", remedy=suggestion(name, list(recipes()))
        )
    return recipes()[name].signature
