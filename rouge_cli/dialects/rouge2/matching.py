"""The best matching of units, one to one.

The number of matches is a maximum matching in a bipartite graph, whose nodes are
distinct units with their counts. To match equal units first is not always optimal
(`screen door` against `screen display`, if `screen` is a synonym of both `door` and
`display`), so it is only the start: augmenting paths lead to the maximum (Ford and
Fulkerson 1956).
"""

from collections.abc import Collection, Hashable, Mapping
from itertools import pairwise
from typing import TypeVar

U = TypeVar("U", bound=Hashable)


def best_matching(
    prediction: Mapping[U, int],
    reference: Mapping[U, int],
    links: Mapping[U, Collection[U]],
) -> dict[U, dict[U, int]]:
    """Return a maximum one-to-one matching.

    Args:
        prediction: Unit of the prediction -> its frequency.
        reference: Unit of the reference -> its frequency.
        links: Unit of the prediction -> the units of the reference that it matches
            besides its equal.

    Returns:
        Unit of the reference -> its units of the prediction -> number of matches.
    """
    taken = {}
    for unit, count in reference.items():
        if unit in prediction:
            taken[unit] = {unit: min(count, prediction[unit])}
    if not links:
        return taken

    # An augmenting path reassigns the matches on it, and only its first unit gains a
    # match. So equal units can be matched first.
    room = {}
    for unit, count in reference.items():
        room[unit] = max(count - prediction.get(unit, 0), 0)
    for start in links:
        left = max(prediction[start] - reference.get(start, 0), 0)
        while left:
            path = _augmenting_path(start, links, taken, room)
            if not path:
                break
            end, _ = path[0]
            returned = [(other, unit) for (_, unit), (other, _) in pairwise(path)]
            held = [taken[other][unit] for other, unit in returned]
            times = min(left, room[end], *held)
            for other, unit in path:
                group = taken.setdefault(other, {})
                group[unit] = group.get(unit, 0) + times
            for other, unit in returned:
                taken[other][unit] -= times
            room[end] -= times
            left -= times
    return taken


def _augmenting_path(
    start: U,
    links: Mapping[U, Collection[U]],
    taken: Mapping[U, Mapping[U, int]],
    room: Mapping[U, int],
) -> list[tuple[U, U]]:
    """Return a shortest path from a unit of the prediction to a unit of the reference
    with room.

    Args:
        taken: The current matching.
        room: Unit of the reference -> number of its occurrences without a match.

    Returns:
        The new matches from the end of the path: (unit of the reference, unit of the
        prediction). All except the first unit of the reference lose a match to make
        room; empty if there is no path.
    """
    reached: set[U] = set()
    seen = {start}
    # Units of the prediction, each with the path to it.
    queue: list[tuple[U, list[tuple[U, U]]]] = [(start, [])]
    for unit, before in queue:
        for other in (unit, *links.get(unit, ())):
            if other not in room or other in reached:
                continue
            reached.add(other)
            path = [(other, unit), *before]
            if room[other]:
                return path
            for holder, times in taken.get(other, {}).items():
                if times and holder not in seen:
                    seen.add(holder)
                    queue.append((holder, path))
    return []
