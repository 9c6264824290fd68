"""Fields of a signature besides the options: how texts were read, the order of draws, and the data."""

from codecs import lookup
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rouge_cli import signature
from rouge_cli.core import Notice
from rouge_cli.scoring.columns import Column

READING = ("read_as", "encoding")
LIBRARIES = "libraries"  # that divide words and stem, with their versions
OF_DATA = ("draws", "references", "evals", "version")
FACTS = (*READING, LIBRARIES, *OF_DATA)
NUMBERS = "numbers"  # evals are drawn in the order of their numbers, compared as strings
# Defaults that a signature omits.
USUAL = {"read_as": "spl", "encoding": "utf-8", "draws": NUMBERS}
_SPL = {"", "plain", "spl"}  # the names of SPL


def reading(formats: Iterable[str], encoding: str = USUAL["encoding"]) -> dict[str, str]:
    """Return the fields for format and encoding of the texts, unless they are the defaults."""
    read_as = "+".join(sorted({"spl" if name in _SPL else name for name in formats}))
    fields = {"read_as": read_as or USUAL["read_as"]}
    if encoding != USUAL["encoding"]:
        fields["encoding"] = lookup(encoding).name
    return {name: value for name, value in fields.items() if value != USUAL[name]}


def drawing_order(columns: Mapping[tuple[str, str], Column]) -> str:
    """Return the field `draws` for ROUGE-1.5.5, which draws evals in the order of `EVAL.SYSTEM` as strings.

    It is NUMBERS, or a checksum of the order in which the evals of a system are drawn (QUIRKS 28).
    """
    orders: dict[str, None] = {}
    for system, ids in {system: column.ids for (system, _), column in columns.items()}.items():
        numbers, drawn = list(map(str, range(1, len(ids) + 1))), NUMBERS
        if list(ids) != numbers and (order := _order(ids, system)) != _order(numbers, system):
            drawn = ",".join(map(str, order))
        orders[drawn] = None
    return _checksum("\n".join(orders)) if orders.keys() - {NUMBERS} else NUMBERS


def input_order(columns: Mapping[tuple[str, str], Column]) -> str:
    """Return the field `draws` for other dialects, which draw evals in the order of the input.

    It is NUMBERS if the IDs ascend, or else a checksum of the IDs in their order. The IDs 1, 2, ...
    ascend as numbers, other IDs as strings.
    """
    orders: dict[tuple[str, ...], None] = {}
    for column in columns.values():
        ids = tuple(column.ids)
        numbers = tuple(map(str, range(1, len(ids) + 1)))
        if ids != (numbers if {*ids} == {*numbers} else tuple(sorted(ids))):
            orders[ids] = None
    return _checksum(repr([*orders])) if orders else NUMBERS


def _checksum(text: str) -> str:
    from hashlib import sha256  # loads OpenSSL

    return sha256(text.encode()).hexdigest()[:8]


def _order(ids: Sequence[str], system: str) -> list[int]:
    names = [f"{eval_id}.{system}" for eval_id in ids]
    return sorted(range(len(names)), key=names.__getitem__)


def split_options(options: Mapping[str, object]) -> tuple[dict[str, object], dict[str, str]]:
    """Return the options of the dialect, and the fields about reading texts."""
    of_dialect = {name: value for name, value in options.items() if name not in READING}
    return of_dialect, {name: str(options[name]) for name in READING if name in options}


def of_pairs(text: str) -> str:
    """Return the signature for single pairs of texts: no draws, no numbers of evals or references."""
    fields = signature.parse(text)
    return signature.render({name: fields[name] for name in fields if name not in OF_DATA[:-1]})


def stated_facts(text: str | None) -> dict[str, str]:
    """Return the fields besides options; a complete signature has the defaults for omitted fields."""
    if text is None:
        return {}
    fields = signature.parse(text)
    usual = USUAL if "evals" in fields else {}
    stated = {name: fields[name] for name in FACTS if name in fields}
    return {**stated, **{name: value for name, value in usual.items() if name not in stated}}


def differences(expected: Mapping[str, str], signed: str) -> Iterator[Notice]:
    """Yield a notice if the signature of a run differs from the facts of the signature that it repeats.

    The order of draws is not compared if nothing is resampled.
    """
    fields = {**USUAL, **signature.parse(signed)} if expected else {}
    differing = [
        f"{name} {fields.get(name, signature.NONE)}, not {value}"
        for name, value in expected.items()
        if fields.get(name, signature.NONE) != value
        and not (name == "draws" and fields.get("samples", "0") == "0")
    ]
    if differing:
        yield Notice(f"this run differs from the signature: {'; '.join(differing)}; its numbers may differ")
