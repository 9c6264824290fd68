"""Counting: the units of a metric, their possible matches, and the number of matches.

A unit is a tuple of forms: a word, an n-gram or a skip bigram. Two units match if their forms match
position by position. A form matches an equal form and, with synonyms, its synonyms. Units match one to one,
so the number of matches is a maximum matching in a bipartite graph, whose nodes are distinct units with
their counts. To match equal units first is not always optimal (`screen door` against `screen display`, if
`screen` is a synonym of both `door` and `display`), so it is only the start: augmenting paths lead to the
maximum (Ford and Fulkerson 1956).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import reduce
from itertools import chain, pairwise, product
from math import prod
from operator import contains, or_
from typing import TYPE_CHECKING, TypeVar

from rouge_cli.core import Counts
from rouge_cli.dialects.rouge2.preparation import SU, TOPIC, Form, L, N, forms
from rouge_cli.errors import RougeError
from rouge_cli.metrics._lcs import marked_bits, paths, positions, rows, union

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.dialects.rouge2.preparation import Measure, Near, Preprocessing, Reading

    Unit = tuple[Form, ...]

T = TypeVar("T")
U = TypeVar("U", bound="Hashable")

MOST_WAYS = 16  # with more combinations of synonyms, search the reference's units instead
MOST_PAIRS = 10_000_000  # limit of distances x words, reached by a line of about 3,000 words


def count(
    measure: Measure, reference: Reading, prediction: Reading, preprocessing: Preprocessing
) -> Counts:
    """Count the units of the reference, the units of the prediction, and the matches.

    ROUGE-L is Lin's (2004), section 3.2: the words on the union of longest common subsequences of lines are
    matched one to one with words of the prediction. Without synonyms this is ROUGE-1.5.5's clipping (QUIRKS
    16). The program's L counts different words on any LCS, out of all different words (QUIRKS 51).
    """
    texts = reference, prediction
    if measure.kind != L:
        references, predictions = (text.once(units, measure, preprocessing) for text in texts)
        linked = links(measure, references, predictions, preprocessing)
        match = most_matches(predictions, references, linked)
        return Counts.of(references.total(), predictions.total(), match)
    lines, other_lines = (forms(text, measure, preprocessing) for text in texts)
    words, others = list(chain.from_iterable(lines)), list(chain.from_iterable(other_lines))
    if preprocessing.program:
        shared = {others[index] for index in program_indices(lines, other_lines)}
        return Counts.of(len(set(words)), len(set(others)), len(shared))
    near = near_words(measure, words, others, preprocessing)
    hits = Counter(words[index] for index in indices_on_paths(lines, other_lines, near))
    return Counts.of(len(words), len(others), most_matches(Counter(others), hits, without_equals(near)))


def links(
    measure: Measure, references: Counter[Unit], predictions: Counter[Unit], preprocessing: Preprocessing
) -> Mapping[Unit, Collection[Unit]]:
    """Return the units of the reference that each unit of the prediction matches by synonyms.

    Equal units, and units without a match, are left out.
    """
    if not measure.synonyms:
        return {}
    sides = (dict.fromkeys(chain.from_iterable(side)) for side in (predictions, references))
    near = preprocessing.synonyms.near(*sides, stems=measure.stem)
    by_first: dict[Form, list[Unit]] = defaultdict(list)
    for unit in references:
        by_first[unit[0]].append(unit)
    linked: dict[Unit, list[Unit]] = {}
    for unit in predictions:
        ways = [near.get(form, ()) for form in unit]
        if prod(map(len, ways)) <= MOST_WAYS:
            others = [other for other in product(*ways) if other in references]
        else:  # long n-grams: fewer units than combinations of synonyms
            others = [
                other
                for first in ways[0]
                for other in by_first.get(first, ())
                if len(other) == len(unit) and all(map(contains, ways, other))
            ]
        if others := [other for other in others if other != unit]:
            linked[unit] = others
    return linked


def units(text: Reading, measure: Measure, preprocessing: Preprocessing) -> Counter[Unit]:
    """Count the units of a text, which do not cross line ends; for Uniq every count is 1."""
    all_units = [
        unit
        for line in forms(text, measure, preprocessing)
        for unit in units_of_line(line, measure, preprocessing)
    ]
    if not measure.once:
        return Counter(all_units)
    return Counter(dict.fromkeys(all_units if preprocessing.program else _merge(all_units), 1))


def units_of_line(
    line: Sequence[T], measure: Measure, preprocessing: Preprocessing
) -> Iterator[tuple[T, ...]]:
    """Yield the units of a line; the line may be words, or their indices."""
    if measure.kind in (N, TOPIC):
        n = measure.size or 1
        yield from zip(*(line[start:] for start in range(min(n, len(line) + 1))), strict=False)
        return
    far = len(line) if measure.size is None else measure.size + (not preprocessing.program)
    steps = range(1, min(far, len(line) - 1) + 1)
    if len(steps) * len(line) > MOST_PAIRS:
        raise RougeError(
            f"{measure.label}: too many pairs of words in a line of {len(line)} words",
            remedy="use a shorter distance, such as ROUGE-S4, or write one sentence per line",
        )
    for step in steps:
        yield from zip(line, line[step:], strict=False)
    if measure.kind == SU:
        yield from ((form,) for form in line)


def spelling(unit: Unit) -> tuple[str, ...]:
    """Return the spelling of a unit: its forms without their senses."""
    return tuple(form.form for form in unit)


def _merge(units: Iterable[Unit]) -> Iterable[Unit]:
    """Merge units with equal spelling and unite their senses: `clear` is one word as any part of speech."""
    by_spelling: dict[tuple[str, ...], Unit] = {}
    for unit in units:
        merged = by_spelling.setdefault(spelling(unit), unit)
        if merged != unit:
            by_spelling[spelling(unit)] = tuple(
                Form(first.form, tuple(sorted({*first.senses, *second.senses})))
                for first, second in zip(merged, unit, strict=True)
            )
    return by_spelling.values()


def near_words(
    measure: Measure, words: Iterable[Form], others: Iterable[Form], preprocessing: Preprocessing
) -> Near:
    """Return the forms of the reference that each form of the prediction matches.

    Args:
        words: The forms of the reference.
        others: The forms of the prediction.
    """
    if measure.synonyms:
        sides = dict.fromkeys(others), dict.fromkeys(words)
        return preprocessing.synonyms.near(*sides, stems=measure.stem)
    return {form: (form,) for form in set(others) & set(words)}


def without_equals(near: Near) -> Near:
    """Remove from the matches of each form the form itself."""
    return {form: [other for other in others if other != form] for form, others in near.items()}


def program_indices(
    references: Sequence[Sequence[Form]], predictions: Sequence[Sequence[Form]]
) -> list[int]:
    """Return the indices of the prediction's words that are on the program's paths.

    Empty tokens match nothing. On ties the program chooses the paths that `indices_on_paths` finds with
    prediction and reference exchanged.
    """
    words, others = (set(chain.from_iterable(lines)) for lines in (references, predictions))
    near = {form: (form,) for form in words & others if form.form}
    return indices_on_paths(predictions, references, near)


def indices_on_paths(
    lines: Sequence[Sequence[Form]], others: Sequence[Sequence[Form]], near: Near
) -> list[int]:
    """Return the indices of the words that are on a longest common subsequence with any other line.

    Args:
        lines: The lines whose words are indexed, all lines together.
        others: The lines of the other text.
        near: A form of `others` -> the forms of `lines` that it matches.
    """
    forms = list(dict.fromkeys(chain(*lines, *others)))
    ids = {form: number for number, form in enumerate(forms)}
    layout = rows([[ids[form] for form in line] for line in lines])
    masks = {
        ids[form]: reduce(or_, (layout.masks[ids[other]] for other in matches))
        for form, matches in near.items()
    }
    columns = [[ids[form] for form in line] for line in others]
    index = positions(layout)
    return [index[row] for row in marked_bits(union(paths(layout._replace(masks=masks), columns)))]


# Matching.


def most_matches(
    prediction: Mapping[U, int], reference: Mapping[U, int], links: Mapping[U, Collection[U]]
) -> int:
    """Return the number of matches of `best_matching`."""
    return sum(sum(by_unit.values()) for by_unit in best_matching(prediction, reference, links).values())


def best_matching(
    prediction: Mapping[U, int], reference: Mapping[U, int], links: Mapping[U, Collection[U]]
) -> dict[U, dict[U, int]]:
    """Return a maximum one-to-one matching.

    Args:
        prediction: Unit of the prediction -> its frequency.
        reference: Unit of the reference -> its frequency.
        links: Unit of the prediction -> the units of the reference that it matches besides its equal.

    Returns:
        Unit of the reference -> its units of the prediction -> number of matches.
    """
    taken: dict[U, dict[U, int]] = {
        unit: {unit: min(count, prediction[unit])}
        for unit, count in reference.items()
        if unit in prediction
    }
    if not links:
        return taken
    room = {unit: count - sum(taken.get(unit, {}).values()) for unit, count in reference.items()}
    # An augmenting path reassigns the matches on it, and only its first unit gains a match. So equal units
    # can be matched first.
    spares = {unit: prediction[unit] - taken.get(unit, {}).get(unit, 0) for unit in links}
    for start, spare in spares.items():
        left = spare
        while left and (path := _augmenting_path(start, links, taken, room)):
            end = path[0][0]
            returned = [taken[other][unit] for (_, unit), (other, _) in pairwise(path)]
            times = min(left, room[end], *returned)
            for other, unit in path:
                by_unit = taken.setdefault(other, {})
                by_unit[unit] = by_unit.get(unit, 0) + times
            for (_, unit), (other, _) in pairwise(path):
                taken[other][unit] -= times
            room[end] -= times
            left -= times
    return taken


def _augmenting_path(
    start: U, links: Mapping[U, Collection[U]], taken: Mapping[U, Mapping[U, int]], room: Mapping[U, int]
) -> list[tuple[U, U]]:
    """Return a shortest path from a unit of the prediction to a unit of the reference with room.

    Args:
        start: A unit of the prediction that has an occurrence without a match.
        taken: The current matching.
        room: Unit of the reference -> number of its occurrences without a match.

    Returns:
        The new matches from the end of the path: (unit of the reference, unit of the prediction). All
        except the first unit of the reference lose a match to make room; empty if there is no path.
    """
    reached: dict[U, U] = {}  # unit of the reference -> the unit of the prediction before it on the path
    came: dict[U, U] = {}  # unit of the prediction -> the unit of the reference before it on the path
    queue = [start]
    for unit in queue:
        for other in (unit, *links.get(unit, ())):
            if other in reached or other not in room:
                continue
            reached[other] = unit
            if room[other]:
                path = [(other, unit)]
                while path[-1][1] != start:
                    before = came[path[-1][1]]
                    path.append((before, reached[before]))
                return path
            for holder, times in taken.get(other, {}).items():
                if times and holder != start and holder not in came:
                    came[holder] = other
                    queue.append(holder)
    return []
