"""The places of the words that ROUGE-L and ROUGE-W count, in the model and in the peer."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli.metrics._lcs_bits import GUARD
from rouge_cli.metrics._matches import Marks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from rouge_cli.core import Text
    from rouge_cli.metrics._lcs_bits import Rows


def union(layout: Rows, paths: Iterable[int]) -> list[int]:
    """Return the rows that any of the paths marks."""
    marked = 0
    for path in paths:
        marked |= path
    return [row for row in range(len(layout.tokens)) if marked >> row & 1]


def hits(layout: Rows, marked: Iterable[int], model: Text, peer: Text) -> list[int]:
    """Return the marked rows that count: the first of each word, as many as both texts have (QUIRKS 16)."""
    left = Counter(model.tokens) & Counter(peer.tokens)
    counted = []
    for row in marked:
        token = layout.tokens[row]
        if left[token] > 0:
            left[token] -= 1
            counted.append(row)
    return counted


def marks(
    layout: Rows, paths: Sequence[int], marked: Iterable[int], counted: Collection[int], peer: Text
) -> tuple[Marks, Marks]:
    """Return the marks of model and peer.

    paths: the path of each peer sentence. marked: the rows on any path. counted: the rows that count.
    """
    held = (row for row, token in enumerate(layout.tokens) if token != GUARD)
    position = {row: place for place, row in enumerate(held)}
    of_model = Marks({position[row] for row in counted}, {position[row] for row in marked})
    remaining = Counter(layout.tokens[row] for row in counted)
    return of_model, _peer_marks(remaining, _columns(layout, paths, peer), peer)


def _columns(layout: Rows, paths: Iterable[int], peer: Text) -> list[int]:
    """Return the peer's positions on a path: in each sentence the last ones with the path's words."""
    on_path: set[int] = set()
    start = 0
    for path, sentence in zip(paths, peer.sentences, strict=True):
        for field in layout.fields:
            marked = path & field
            lowest = max((marked & -marked).bit_length() - 1, 0)
            words = [layout.tokens[row] for row in range(lowest, marked.bit_length()) if marked >> row & 1]
            places = iter(range(len(sentence) - 1, -1, -1))
            for token in reversed(words):
                on_path.add(start + next(place for place in places if sentence[place] == token))
        start += len(sentence)
    return sorted(on_path)


def _peer_marks(remaining: Counter[int], on_path: Sequence[int], peer: Text) -> Marks:
    """Mark as many of the peer's words as are counted, those on a path first."""
    tokens = list(chain.from_iterable(peer.sentences))
    of_peer = Marks(set(), set())
    for position in chain(on_path, range(len(tokens))):
        if position not in of_peer.counted and remaining[tokens[position]] > 0:
            remaining[tokens[position]] -= 1
            of_peer.counted.add(position)
    of_peer.clipped.update(on_path)
    return of_peer
