"""Counting: the units of a measure, which of them may match, and how many do.

A unit is a tuple of forms: one word, n of them, or two. It matches another whose forms match its own place
by place; a form matches its equal and, with synonyms, its synonyms. Units match one to one: that is maximum
matching in a bipartite graph whose nodes are distinct units with their counts. Equal units
first is not always optimal (`screen door` against `screen display`, where `screen` is linked with both
`door` and `display`), so it is only the start: augmenting paths lead to the maximum (Ford
and Fulkerson 1956).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache, reduce
from itertools import chain, pairwise, product
from math import prod
from operator import contains, or_
from typing import TYPE_CHECKING, TypeVar

from rouge_cli.core import Counts
from rouge_cli.dialects.rouge2.preparation import SU, TOPIC, Form, L, N, forms
from rouge_cli.errors import RougeError
from rouge_cli.metrics._lcs import GUARD, marked_bits, paths, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.dialects.rouge2.preparation import Measure, Preprocessing, Reading

    Unit = tuple[Form, ...]
    # A peer's form -> the model's forms that it matches, including its equal.
    Near = Mapping[Form, Collection[Form]]


T = TypeVar("T")
U = TypeVar("U", bound="Hashable")

# The synonyms of so many forms are cached.
MOST_FORMS = 500_000
# With more combinations of synonyms than this, the model's units are searched instead.
MOST_WAYS = 16
# All pairs of a line of about three thousand words.
MOST_PAIRS = 10_000_000


class Synonyms:
    """Finds the forms that match as synonyms.

    Args:
        expansions: Maps a word and its part of speech to its synonyms.
        of_stems: Maps a stem to stems of synonyms, for measures with stemming.
        stem: Returns stems. peer, model: True if its words are expanded.
    """

    def __init__(
        self,
        expansions: Callable[[str, str], Iterable[str]],
        of_stems: Mapping[str, frozenset[str]],
        stem: Callable[[str], str],
        *,
        prediction: bool,
        reference: bool,
    ) -> None:
        self._expansions = expansions
        self._of_stems = of_stems
        self._stem = stem
        self._sides = prediction, reference
        self._of = lru_cache(MOST_FORMS)(self._synonyms)

    def near(self, prediction: Iterable[Form], reference: Iterable[Form], *, stems: bool) -> Near:
        """Return the forms that match, for each of the peer's forms that has any, in one order always."""
        predictions, references = _by_form(prediction), _by_form(reference)
        matches: dict[Form, dict[Form, None]] = defaultdict(dict)  # the inner one is an ordered set
        for form, owns in predictions.items():
            for own in owns:
                synonyms = sorted(self._of(own, stems) & references.keys()) if self._sides[0] else []
                for spelling in (form, *synonyms):
                    matches[own].update(dict.fromkeys(references.get(spelling, ())))
        for other in chain.from_iterable(references.values()) if self._sides[1] else ():
            for form in sorted(self._of(other, stems) & predictions.keys()):
                for own in predictions[form]:
                    matches[own][other] = None
        return {own: others for own, others in matches.items() if others}

    def _synonyms(self, form: Form, stems: bool) -> frozenset[str]:  # noqa: FBT001 - a cache key
        synonyms = frozenset(chain.from_iterable(self._expansions(*sense) for sense in form.senses))
        if stems:
            return frozenset(map(self._stem, synonyms)) | self._of_stems.get(form.form, frozenset())
        return synonyms


def count(
    measure: Measure,
    reference: Reading,
    prediction: Reading,
    preprocessing: Preprocessing,
    synonyms: Synonyms,
) -> Counts:
    """Return the numbers of the model's units, of the peer's, and of matched ones."""
    if measure.kind == L:
        if preprocessing.program:
            return _program_lcs(
                forms(reference, measure, preprocessing), forms(prediction, measure, preprocessing)
            )
        return _lcs(measure, reference, prediction, preprocessing, synonyms)
    references, predictions = (text.once(units, measure, preprocessing) for text in (reference, prediction))
    match = most_matches(predictions, references, links(measure, references, predictions, synonyms))
    return Counts.of(references.total(), predictions.total(), match)


def links(
    measure: Measure, references: Counter[Unit], predictions: Counter[Unit], synonyms: Synonyms
) -> Mapping[Unit, Collection[Unit]]:
    """Return the model's units that each of the peer's may match by synonyms, other than its equal."""
    if not measure.synonyms:
        return {}
    sides = (dict.fromkeys(chain.from_iterable(side)) for side in (predictions, references))
    near = synonyms.near(*sides, stems=measure.stem)
    by_first: dict[Form, list[Unit]] = defaultdict(list)
    for unit in references:
        by_first[unit[0]].append(unit)
    linked: dict[Unit, list[Unit]] = {}
    for unit in predictions:
        ways = [near.get(form, ()) for form in unit]
        if prod(map(len, ways)) <= MOST_WAYS:
            others = [other for other in product(*ways) if other in references]
        else:  # long n-grams: there are fewer units than ways
            others = [
                other
                for first in ways[0]
                for other in by_first.get(first, ())
                if len(other) == len(unit) and all(map(contains, ways, other))
            ]
        if others := [other for other in others if other != unit]:
            linked[unit] = others
    return linked


def _by_form(forms: Iterable[Form]) -> dict[str, list[Form]]:
    by_form: dict[str, list[Form]] = {}
    for form in forms:
        by_form.setdefault(form.form, []).append(form)
    return by_form


def units(text: Reading, measure: Measure, preprocessing: Preprocessing) -> Counter[Unit]:
    """Return the units, none of which crosses the end of a line; each once if the measure is Uniq."""
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
    """Yield the units of a line, or of the places of its words."""
    if measure.kind in (N, TOPIC):
        n = measure.size or 1
        yield from zip(*(line[start:] for start in range(min(n, len(line) + 1))), strict=False)
        return
    far = len(line) if measure.size is None else measure.size + (not preprocessing.program)
    steps = range(1, min(far, len(line) - 1) + 1)
    if len(steps) * len(line) > MOST_PAIRS:
        raise RougeError(
            f"{measure.label}: too many pairs of words in a line of {len(line)} words",
            remedy="give a shorter distance, such as ROUGE-S4, or a line for each sentence",
        )
    for step in steps:
        yield from zip(line, line[step:], strict=False)
    if measure.kind == SU:
        yield from ((form,) for form in line)


def look(unit: Unit) -> tuple[str, ...]:
    """Return a unit as it is shown: its forms, whatever their senses."""
    return tuple(form.form for form in unit)


def _merge(units: Iterable[Unit]) -> Iterable[Unit]:
    """Merge units that look alike, with all their senses: `clear` is one word as any part of speech."""
    by_look: dict[tuple[str, ...], Unit] = {}
    for unit in units:
        merged = by_look.setdefault(look(unit), unit)
        if merged != unit:
            by_look[look(unit)] = tuple(
                Form(first.form, tuple(sorted({*first.senses, *second.senses})))
                for first, second in zip(merged, unit, strict=True)
            )
    return by_look.values()


def _lcs(
    measure: Measure,
    reference: Reading,
    prediction: Reading,
    preprocessing: Preprocessing,
    synonyms: Synonyms,
) -> Counts:
    """Return ROUGE-L of Lin (2004), section 3.2: the union of longest common subsequences of lines.

    A marked word counts once for each word of the peer that it can be matched with one to one, which
    without synonyms is ROUGE-1.5.5's clipping (QUIRKS 16).
    """
    references, predictions = (
        forms(reference, measure, preprocessing),
        forms(prediction, measure, preprocessing),
    )
    words, others = list(chain.from_iterable(references)), list(chain.from_iterable(predictions))
    near = near_words(measure, words, others, synonyms)
    hits = Counter(words[place] for place in places_on_paths(references, predictions, near))
    return Counts.of(len(words), len(others), most_matches(Counter(others), hits, without_equals(near)))


def near_words(measure: Measure, words: Iterable[Form], others: Iterable[Form], synonyms: Synonyms) -> Near:
    """Return the model's words that each of the peer's matches: its equal and, if asked for, synonyms."""
    if measure.synonyms:
        return synonyms.near(dict.fromkeys(others), dict.fromkeys(words), stems=measure.stem)
    return {form: (form,) for form in set(others) & set(words)}


def without_equals(near: Near) -> Near:
    """Return, for each form, the other forms that it matches."""
    return {form: [other for other in others if other != form] for form, others in near.items()}


def _program_lcs(references: Sequence[Sequence[Form]], predictions: Sequence[Sequence[Form]]) -> Counts:
    """Return the program's L: different words on any LCS, out of all different words (QUIRKS 51).

    Empty tokens match nothing here. The program's paths are traced back in the reference only if that is
    strictly longer, as ours are with the sides exchanged.
    """
    words, others = (set(chain.from_iterable(lines)) for lines in (references, predictions))
    prediction = list(chain.from_iterable(predictions))
    shared = {prediction[place] for place in program_places(references, predictions)}
    return Counts.of(len(words), len(others), len(shared))


def program_places(
    references: Sequence[Sequence[Form]], predictions: Sequence[Sequence[Form]]
) -> list[int]:
    """Return the places of the peer's words that are on the program's paths."""
    words, others = (set(chain.from_iterable(lines)) for lines in (references, predictions))
    return places_on_paths(predictions, references, {form: (form,) for form in words & others if form.form})


def places_on_paths(
    lines: Sequence[Sequence[Form]], others: Sequence[Sequence[Form]], near: Near
) -> list[int]:
    """Return the places of the words that are on a longest common subsequence with one of the other lines.

    Places are counted through all lines.

    Args:
        near: A form of the others -> those of the lines that it matches.
    """
    forms = list(dict.fromkeys(chain(*lines, *others)))
    ids = {form: number for number, form in enumerate(forms)}
    layout = rows([[ids[form] for form in line] for line in lines])
    masks = {
        ids[form]: reduce(or_, (layout.masks[ids[other]] for other in matches))
        for form, matches in near.items()
    }
    marked = 0
    columns = [[ids[form] for form in line] for line in others]
    for path in paths(layout._replace(masks=masks), columns):
        marked |= path
    marked_rows = set(marked_bits(marked))
    words = [row for row, token in enumerate(layout.tokens) if token != GUARD]
    return [place for place, row in enumerate(words) if row in marked_rows]


# Matching.


def most_matches(
    prediction: Mapping[U, int], reference: Mapping[U, int], links: Mapping[U, Collection[U]]
) -> int:
    """Return the size of a maximum one-to-one matching, as `best_matching` makes it."""
    return sum(
        times
        for by_system in best_matching(prediction, reference, links).values()
        for times in by_system.values()
    )


def best_matching(
    prediction: Mapping[U, int], reference: Mapping[U, int], links: Mapping[U, Collection[U]]
) -> dict[U, dict[U, int]]:
    """Return a maximum one-to-one matching: a unit of the model -> its units of the peer, and how often.

    peer, model: frequencies of units. A unit matches its equals.

    Args:
        links: A unit of the peer -> further units of the model that it matches.
    """
    taken: dict[U, dict[U, int]] = {
        unit: {unit: min(count, prediction[unit])}
        for unit, count in reference.items()
        if unit in prediction
    }
    if not links:
        return taken
    room = {unit: count - sum(taken.get(unit, {}).values()) for unit, count in reference.items()}
    # A path only reassigns matched units, so equal units are matched first; only its start gains a match.
    spares = {unit: prediction[unit] - taken.get(unit, {}).get(unit, 0) for unit in links}
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

    Args:
        taken: The model's unit -> the peer's units that it is matched with, and how often.
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
        by_system = taken.setdefault(other, {})
        by_system[holder] = by_system.get(holder, 0) + times
        if place + 1 < len(path):
            taken[path[place + 1]][holder] -= times
    room[end] -= times
    return times
