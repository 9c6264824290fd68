"""Packing of the plainest evals while files are read, block by block; all others stay rows.

A block is whole lines, with the number of the first. Compiled code reads it without the interpreter;
if it was not built, nothing is packed.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli import native
from rouge_cli.tasks.columns import SENTENCES
from rouge_cli.tasks.kinds import _delimited, jsonl
from rouge_cli.tasks.streams import PackedTasks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rouge_cli.native._compiled import Extension
    from rouge_cli.tasks.columns import Columns
    from rouge_cli.tasks.kinds.jsonl import JsonLine
    from rouge_cli.tasks.rows import Row

    Block = tuple[int, bytes]

LONGEST_ROW = 1 << 20  # bytes of a row of a table that compiled code tries to read


def of_jsonl(
    blocks: Iterable[Block], place: str, columns: Columns, system: str
) -> Iterator[JsonLine | PackedTasks]:
    """Yield the lines of jsonl that are not blank."""
    compiled = _reader(columns)
    if not compiled or len(columns.models) != 1:
        yield from jsonl.lines(blocks, place)
        return
    (peer,), (model,) = columns.peers, columns.models
    are_models = columns.lists != SENTENCES
    plain = compiled.PlainRecords(peer, model, columns.id or "", reads_lists=are_models)
    for number, block in blocks:
        start = 0
        while start < len(block):
            texts, start, number = plain.read(block, start, number)  # noqa: PLW2901
            if texts:
                yield PackedTasks(texts, [system], [place])
            if start < len(block):  # at a line of another kind
                end = block.find(b"\n", start) + 1 or len(block)
                yield from jsonl.lines([(number, block[start:end])], place)
                start = end
                number += 1  # noqa: PLW2901


def of_table(  # noqa: PLR0913, PLR0917 - the parts of a table
    blocks: Iterator[Block], place: str, delimiter: str, names: Sequence[str], columns: Columns, system: str
) -> Iterator[Row | PackedTasks]:
    """Yield the rows of a table; they are packed up to the first that is not plain.

    names: those of the columns.
    """
    compiled = _reader(columns)
    if not compiled:
        yield from _delimited.rows(blocks, place, delimiter)
        return
    peer, *models = (names.index(name) for name in (*columns.peers, *columns.models))
    eval_id = names.index(columns.id) if columns.id else len(names)
    plain = compiled.PlainTable(delimiter, len(names), peer, models, eval_id)
    number, rest = 1, b""
    for _, block in blocks:
        rest += block
        texts, start, number = plain.read(rest, 0, number)
        if texts:
            yield PackedTasks(texts, [system], [place])
        rest = rest[start:]
        # The next block may end a row, but is not read before an error in one that is complete.
        if rest and (not plain.is_incomplete or len(rest) > LONGEST_ROW):
            break
    others = chain([(number, rest)], blocks)
    yield from _delimited.rows(others, place, delimiter, names if plain.has_names else ())


def of_lines(
    blocks: Sequence[bytes], number: int, systems: Sequence[str], places: Sequence[str]
) -> tuple[PackedTasks, list[bytes]] | None:
    """Return evals of lines that all blocks have, at least one and at most a batch, and the other lines.

    blocks: one of each file, those of systems first. number: the number of their first line. None without
    compiled code.
    """
    compiled = native.extension()
    if not compiled:
        return None
    texts, ends = compiled.plain_lines(blocks, number, len(systems))
    rests = [block[end:] for block, end in zip(blocks, ends, strict=True)]
    return PackedTasks(texts, systems, places), rests


def _reader(columns: Columns) -> Extension | None:
    """Return the compiled code, if it reads evals of these columns."""
    return None if columns.system or len(columns.peers) != 1 else native.extension()
