"""One-to-one matching of the units of two texts, when a unit may match others than its equals.

That is maximum matching in a bipartite graph whose nodes are distinct units with their counts. Equal units
first is not always optimal (`screen door` against `screen display`, where `screen` is linked with both
`door` and `display`), so it is only the start: augmenting paths lead to the maximum (Ford
and Fulkerson 1956).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping

U = TypeVar("U", bound="Hashable")


def most_matches(peer: Mapping[U, int], model: Mapping[U, int], links: Mapping[U, Collection[U]]) -> int:
    """Return the size of a maximum one-to-one matching, as `best_matching` makes it."""
    return sum(
        times for by_peer in best_matching(peer, model, links).values() for times in by_peer.values()
    )


def best_matching(
    peer: Mapping[U, int], model: Mapping[U, int], links: Mapping[U, Collection[U]]
) -> dict[U, dict[U, int]]:
    """Return a maximum one-to-one matching: a unit of the model -> its units of the peer, and how often.

    peer, model: frequencies of units. A unit matches its equals. links: a unit of the peer -> further units
    of the model that it matches.
    """
    taken: dict[U, dict[U, int]] = {
        unit: {unit: min(count, peer[unit])} for unit, count in model.items() if unit in peer
    }
    if not links:
        return taken
    room = {unit: count - sum(taken.get(unit, {}).values()) for unit, count in model.items()}
    # A path only reassigns matched units, so equal units are matched first; only its start gains a match.
    spares = {unit: peer[unit] - taken.get(unit, {}).get(unit, 0) for unit in links}
    for unit, unmatched in spares.items():
        spare = unmatched
        while spare:
            added = _augment(unit, spare, links, taken, room)
            if not added:
                break
            spare -= added
    return taken


def _augment(
    start: U, spare: int, links: Mapping[U, Collection[U]], taken: dict[U, dict[U, int]], room: dict[U, int]
) -> int:
    """Match more of a unit along a shortest path to a unit with room; return how many were added.

    taken: the model's unit -> the peer's units that it is matched with, and how often.
    """
    reached: dict[U, U] = {}  # the model's unit <- the peer's that leads to it
    came: dict[U, U] = {}  # the peer's unit <- the model's that it can give up
    queue = [start]
    for unit in queue:
        for other in (unit, *links.get(unit, ())):
            if other in reached or other not in room:
                continue
            reached[other] = unit
            if room[other]:
                return _push(start, other, spare, reached, came, taken, room)
            for holder, times in taken.get(other, {}).items():
                if times and holder != start and holder not in came:
                    came[holder] = other
                    queue.append(holder)
    return 0


def _push(  # noqa: PLR0913, PLR0917 - the state of the search
    start: U,
    end: U,
    spare: int,
    reached: Mapping[U, U],
    came: Mapping[U, U],
    taken: dict[U, dict[U, int]],
    room: dict[U, int],
) -> int:
    """Move as many matches as possible along the path."""
    path = [end]
    while reached[path[-1]] != start:
        path.append(came[reached[path[-1]]])
    returned = [taken[other][reached[before]] for before, other in pairwise(path)]
    times = min(spare, room[end], *returned)
    for place, other in enumerate(path):
        holder = reached[other]
        by_peer = taken.setdefault(other, {})
        by_peer[holder] = by_peer.get(holder, 0) + times
        if place + 1 < len(path):
            taken[path[place + 1]][holder] -= times
    room[end] -= times
    return times
