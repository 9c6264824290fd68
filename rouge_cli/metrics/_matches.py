"""Matches of two texts under a metric, unit by unit and place by place: the data of explanations."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    # A unit as ids or as bytes, and the positions of its words among the counted tokens.
    Unit = tuple[Any, ...]
    Place = tuple[int, ...]
    # Each unit of a text with all its places, in the order of the text.
    Places = Mapping[Unit, Sequence[Place]]


class Match(NamedTuple):
    """A unit that model and peer share.

    unit: its words. in_model, in_peer: how often it occurs there; for ROUGE-L in_model is how often it is
    on a longest common subsequence, and a run of ROUGE-W is seen in the model only (QUIRKS 17).
    counted: how often it counts. worth: what it counts for each time, 1 but for runs and days apart.
    peer_unit: the peer's words, if they are others (synonyms).
    """

    unit: tuple[Any, ...]
    in_model: int
    in_peer: int | None
    counted: int
    worth: float = 1.0
    peer_unit: tuple[Any, ...] = ()


class Marks(NamedTuple):
    """Positions among the counted tokens of a text: of those that count, and of clipped matches."""

    counted: set[int]
    clipped: set[int]


class Matches(NamedTuple):
    """The matches of a pair of texts, with units as ids or bytes, and the marks of model and peer."""

    matches: list[Match]
    model: Marks
    peer: Marks


def places(tokens: Sequence[Hashable], positions: Iterable[Hashable]) -> Places:
    """Return the places of units.

    positions: the result of a metric's loop over the positions of the tokens instead of their ids.
    """
    by_unit: dict[Unit, list[Place]] = defaultdict(list)
    for place in sorted(unit if isinstance(unit, tuple) else (unit,) for unit in positions):
        by_unit[tuple(tokens[position] for position in place)].append(place)
    return by_unit


def shared_units(model: Places, peer: Places) -> Matches:
    """Match multisets of units: each counts as often as both have it, from its first occurrences.

    The most frequent is first.
    """
    shared = Matches([], Marks(set(), set()), Marks(set(), set()))
    for unit in model:
        occurrences = model[unit], peer.get(unit, ())
        times = list(map(len, occurrences))
        counted = min(times)
        if not counted:
            continue
        shared.matches.append(Match(unit, times[0], times[1], counted))
        for marks, of_side in zip((shared.model, shared.peer), occurrences, strict=True):
            marks.counted.update(*of_side[:counted])
            marks.clipped.update(*of_side[counted:])
    shared.matches.sort(key=lambda match: -match.counted)
    return shared


def number(value: float) -> str:
    """Return a count for display: whole, or with five decimals."""
    return str(int(value)) if float(value).is_integer() else f"{value:.5f}"


def terms(values: Sequence[str]) -> str:
    """Return a sum for display, with its middle left out if it is long."""
    return " + ".join(values if len(values) <= 8 else [*values[:4], "...", *values[-3:]]) or "0"
