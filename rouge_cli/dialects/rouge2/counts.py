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
    # A form of the prediction -> all forms of the reference that it matches, equal forms included.
    Near = Mapping[Form, Collection[Form]]

T = TypeVar("T")
U = TypeVar("U", bound="Hashable")

MOST_FORMS = 500_000  # forms whose synonyms are cached
MOST_WAYS = 16  # with more combinations of synonyms, search the reference's units instead
MOST_PAIRS = 10_000_000  # limit of distances x words, reached by a line of about 3,000 words


class Synonyms:
    """Finds the forms that match as synonyms.

    Args:
        expansions: Returns the synonyms of a word, given its part of speech.
        of_stems: Stem -> stems of synonyms, for metrics with stemming.
        stem: Returns the stem of a word.
        prediction: Expand the words of the prediction.
        reference: Expand the words of the reference.
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
        """Return the matching forms of the reference for each form of the prediction, in a fixed order.

        Forms without a match are left out.
        """
        predictions, references = _by_form(prediction), _by_form(reference)
        matches: dict[Form, dict[Form, None]] = defaultdict(dict)  # the inner one is an ordered set
        for spelling, forms_ in predictions.items():
            for form in forms_:
                synonyms = sorted(self._of(form, stems) & references.keys()) if self._sides[0] else []
                for target in (spelling, *synonyms):
                    matches[form].update(dict.fromkeys(references.get(target, ())))
        for reference_form in chain.from_iterable(references.values()) if self._sides[1] else ():
            for spelling in sorted(self._of(reference_form, stems) & predictions.keys()):
                for form in predictions[spelling]:
                    matches[form][reference_form] = None
        return {form: others for form, others in matches.items() if others}

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
    """Count the units of the reference, the units of the prediction, and the matches."""
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
    """Return the units of the reference that each unit of the prediction matches by synonyms.

    Equal units, and units without a match, are left out.
    """
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


def _by_form(forms: Iterable[Form]) -> dict[str, list[Form]]:
    by_form: dict[str, list[Form]] = {}
    for form in forms:
        by_form.setdefault(form.form, []).append(form)
    return by_form


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


def _lcs(
    measure: Measure,
    reference: Reading,
    prediction: Reading,
    preprocessing: Preprocessing,
    synonyms: Synonyms,
) -> Counts:
    """Return ROUGE-L of Lin (2004), section 3.2: the union of longest common subsequences of lines.

    The words on these subsequences are matched one to one with words of the prediction. Without synonyms
    this is ROUGE-1.5.5's clipping (QUIRKS 16).
    """
    references, predictions = (
        forms(reference, measure, preprocessing),
        forms(prediction, measure, preprocessing),
    )
    words, others = list(chain.from_iterable(references)), list(chain.from_iterable(predictions))
    near = near_words(measure, words, others, synonyms)
    hits = Counter(words[index] for index in indices_on_paths(references, predictions, near))
    return Counts.of(len(words), len(others), most_matches(Counter(others), hits, without_equals(near)))


def near_words(measure: Measure, words: Iterable[Form], others: Iterable[Form], synonyms: Synonyms) -> Near:
    """Return the forms of the reference that each form of the prediction matches.

    Args:
        words: The forms of the reference.
        others: The forms of the prediction.
    """
    if measure.synonyms:
        return synonyms.near(dict.fromkeys(others), dict.fromkeys(words), stems=measure.stem)
    return {form: (form,) for form in set(others) & set(words)}


def without_equals(near: Near) -> Near:
    """Remove from the matches of each form the form itself."""
    return {form: [other for other in others if other != form] for form, others in near.items()}


def _program_lcs(references: Sequence[Sequence[Form]], predictions: Sequence[Sequence[Form]]) -> Counts:
    """Return the program's L: different words on any LCS, out of all different words (QUIRKS 51).

    Empty tokens match nothing. On ties the program chooses the paths that `indices_on_paths` finds with
    prediction and reference exchanged.
    """
    words, others = (set(chain.from_iterable(lines)) for lines in (references, predictions))
    prediction = list(chain.from_iterable(predictions))
    shared = {prediction[index] for index in program_indices(references, predictions)}
    return Counts.of(len(words), len(others), len(shared))


def program_indices(
    references: Sequence[Sequence[Form]], predictions: Sequence[Sequence[Form]]
) -> list[int]:
    """Return the indices of the prediction's words that are on the program's paths."""
    words, others = (set(chain.from_iterable(lines)) for lines in (references, predictions))
    return indices_on_paths(
        predictions, references, {form: (form,) for form in words & others if form.form}
    )


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
    marked = 0
    columns = [[ids[form] for form in line] for line in others]
    for path in paths(layout._replace(masks=masks), columns):
        marked |= path
    marked_rows = set(marked_bits(marked))
    words = [row for row, token in enumerate(layout.tokens) if token != GUARD]
    return [index for index, row in enumerate(words) if row in marked_rows]


# Matching.


def most_matches(
    prediction: Mapping[U, int], reference: Mapping[U, int], links: Mapping[U, Collection[U]]
) -> int:
    """Return the number of matches of `best_matching`."""
    return sum(
        times
        for by_unit in best_matching(prediction, reference, links).values()
        for times in by_unit.values()
    )


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
    """Add matches of a unit along a shortest path to a unit with room; return the number of added matches.

    Args:
        start: A unit of the prediction.
        spare: The number of its occurrences without a match.
        taken: The current matching; changed in place.
        room: Unit of the reference -> number of its occurrences without a match; changed in place.
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
    for index, other in enumerate(path):
        holder = reached[other]
        by_unit = taken.setdefault(other, {})
        by_unit[holder] = by_unit.get(holder, 0) + times
        if index + 1 < len(path):
            taken[path[index + 1]][holder] -= times
    room[end] -= times
    return times
