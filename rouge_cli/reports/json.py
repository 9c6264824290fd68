"""The report as one JSON document, unrounded; docs/reference/report-json.md describes
it.

Numbers are the exact doubles times the scale. null stands for infinite and undefined
numbers.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from rouge_cli.results.base import Layout, Presentable, dump

NEEDS = "document"
EVALS_BESIDE = True
BLOCK = 100  # items of an iterator that are written at once


def render(result: Presentable, layout: Layout) -> Iterator[str]:
    """Yield the document, indented, in ASCII, in parts; scores of evals are never in
    memory together.
    """
    lists = list(result.eval_records(layout))
    if lists:
        document: Any = result.document(layout._replace(per_eval=False))
        for record, evals in zip(document["results"], lists, strict=True):
            record["evals"] = evals
    else:
        document = result.document(layout)
    yield from _write(document, result.indent)
    yield "\n"


def _write(value: object, indent: int, level: int = 0) -> Iterator[str]:
    """Yield a value as `dump` writes it, in parts.

    An iterator is written as a list, block by block; its items have no iterators.

    Args:
        indent: The blanks of a level.
        level: The level at which the value stands.
    """
    line = "\n" + " " * (indent * level)
    if not _has_iterator(value):
        yield dump(value, indent).replace("\n", line)
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    before = opening
    if isinstance(value, Iterator):
        for block in _blocks(value):
            items = dump(block, indent).removeprefix("[").removesuffix("\n]")
            yield before + items.replace("\n", line)
            before = ","
    else:
        for name, item in _items(value):
            yield before + line + " " * indent + name
            yield from _write(item, indent, level + 1)
            before = ","
    if before == opening:
        yield opening + closing
    else:
        yield line + closing


def _blocks(items: Iterator[object]) -> Iterator[list[object]]:
    """Yield the items in lists of BLOCK items; the last may be shorter."""
    block = list(islice(items, BLOCK))
    while block:
        yield block
        block = list(islice(items, BLOCK))


def _items(value: Any) -> Iterator[tuple[str, object]]:  # noqa: ANN401 - an object or a list
    """Yield the items of an object or a list, each with what stands before it."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield f"{dump(name)}: ", item
    else:
        for item in value:
            yield "", item


def _has_iterator(value: object) -> bool:
    """Return True if a value is an iterator, or has one in it."""
    if isinstance(value, dict):
        return any(map(_has_iterator, value.values()))
    if isinstance(value, list):
        return any(map(_has_iterator, value))
    return isinstance(value, Iterator)
