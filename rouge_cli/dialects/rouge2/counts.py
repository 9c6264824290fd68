"""Counting: the units of a metric, their possible matches, and the number and the positions of matches.

A unit is a tuple of forms: a word, an n-gram or a skip bigram. Two units match if their forms match
position by position. A form matches an equal form and, with synonyms, its synonyms. Units match one to one,
so the number of matches is a maximum matching in a bipartite graph, whose nodes are distinct units with
their counts. To match equal units first is not always optimal (`screen door` against `screen display`, if
`screen` is a synonym of both `door` and `display`), so it is only the start: augmenting paths lead to the
maximum (Ford and Fulkerson 1956).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache, reduce
from itertools import accumulate, chain, pairwise, product
from math import prod
from operator import contains, or_
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from rouge_cli.core import Counts, Document, Match, Pair, Side, Source, Token
from rouge_cli.dialects.rouge2.preparation import SU, TOPIC, Form, L, N, dropping, forms, lines
from rouge_cli.errors import RougeError
from rouge_cli.metrics._lcs import marked_bits, paths, positions, rows, union
from rouge_cli.text.normalization import folding, with_places

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.dialects.rouge2.preparation import Measure, Near, Preprocessing, Reading, Word

    Unit = tuple[Form, ...]
    Spelling = tuple[str, ...]
    Occurrence = tuple[int, ...]  # indices of the words of a unit, in the whole text
    Occurrences = Mapping[Unit, Sequence[Occurrence]]

T = TypeVar("T")
U = TypeVar("U", bound="Hashable")

MOST_WAYS = 16  # with more combinations of synonyms, search the reference's units instead
_TAG = re.compile(r"_[^_\s]+(?!\S)")
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
    by_first: dict[Form, list[Unit]] = {}
    linked: dict[Unit, list[Unit]] = {}
    for unit in predictions:
        ways = [near[form] for form in unit if form in near]
        if len(ways) < len(unit):
            continue
        if prod(map(len, ways)) <= MOST_WAYS:
            others = [other for other in product(*ways) if other in references]
        else:  # long n-grams: fewer units than combinations of synonyms
            if not by_first:
                for other in references:
                    by_first.setdefault(other[0], []).append(other)
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
    """Return the forms of the reference (`words`) that each form of the prediction (`others`) matches."""
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
    """Return the indices of the words of all lines that are on a longest common subsequence with any other.

    Args:
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


# Explanations: the matching units of two texts, with their positions.


class View(NamedTuple):
    """A text prepared for a metric."""

    reading: Reading
    source: Source  # its bytes and lines, and all tokens
    counted: Sequence[int]  # the indices of the tokens that count
    lines: Sequence[Sequence[Form]]  # the forms of the tokens that count, line by line

    @property
    def forms(self) -> Sequence[Form]:
        """The forms of the whole text."""
        return list(chain.from_iterable(self.lines))


def read(
    reading: Reading,
    document: Document,
    sentences: Sequence[bytes] | None,
    preprocessing: Preprocessing,
    *,
    tagged: bool,
) -> Callable[[Measure], View]:
    """Return a function from a metric to the text prepared for it.

    Args:
        sentences: The sentences of the text; None for the lines that the Java program reads.
    """
    if sentences is None:
        data = document.data
        ends = re.finditer(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", data)
        spans = [(end.start(), end.start() + len(end[0].rstrip(b"\r\n"))) for end in ends]
        if tagged:
            spans = [span for span in spans if data[slice(*span)].decode("latin-1").strip()]
    else:
        data = b"\n".join(sentence.replace(b"\n", b" ") for sentence in sentences)
        starts = accumulate((len(sentence) + 1 for sentence in sentences), initial=0)
        spans = [(start, start + len(sentence)) for start, sentence in zip(starts, sentences, strict=False)]
    return cache(lambda measure: _view(reading, data, spans, measure, preprocessing))


def _view(
    reading: Reading,
    data: bytes,
    spans: Sequence[tuple[int, int]],
    measure: Measure,
    preprocessing: Preprocessing,
) -> View:
    """Return the counted and dropped tokens of a text, and the forms that the metric compares."""
    why_dropped = dropping(measure, preprocessing)
    compared = forms(reading, measure, preprocessing)
    tokens: list[Token] = []
    counted: list[int] = []
    for sentence, words in enumerate(lines(reading, measure, preprocessing)):
        start, end = spans[sentence]
        line = data[start:end]
        left = iter(compared[sentence])
        for word, (first, last) in zip(words, _spans(words, line, preprocessing.program), strict=True):
            surface = line[first:last].decode("utf-8", "replace")
            why = why_dropped(word)
            form = "" if why else next(left).form
            rule = "" if why or form == surface.lower() else "number" if form == "@" else "stemmer"
            if not why:
                counted.append(len(tokens))
            tokens.append(Token(surface, form, start + first, start + last, sentence, rule, why))
        for empty in left:  # the program reads a line of stop words as one empty token (QUIRKS 47)
            counted.append(len(tokens))
            tokens.append(Token("", empty.form, end, end, sentence))
    return View(reading, Source(data, spans, tokens, tokens), counted, compared)


def _spans(words: Iterable[Word], line: bytes, program: bool) -> Iterator[tuple[int, int]]:  # noqa: FBT001
    """Yield the start and end of each word in its line; equal if the line does not contain the word."""
    text = line.decode("latin-1" if program else "utf-8")
    fold = str.lower if program else folding("rouge2")
    if program:
        lower, starts, ends = text.lower(), list(range(len(text))), list(range(1, len(text) + 1))
    else:
        lower, starts, ends = with_places(text, fold)
    if any(word.tag for word in words):
        lower = _TAG.sub(lambda tag: " " * len(tag[0]), lower)
    at = 0
    for word, _ in words:
        hit = re.compile(r"\d+|@" if word == "@" else re.escape(fold(word))).search(lower, at)
        if word and hit:
            at = hit.end()
            yield starts[hit.start()], ends[at - 1]
        else:
            end = ends[at - 1] if at else 0
            yield end, end


class _Marks:
    """The words of a text whose matches count, and the words whose matches are clipped.

    Args:
        once: True if repeated units count once.
    """

    def __init__(self, occurrences: Occurrences, *, once: bool) -> None:
        self._occurrences = occurrences
        self._once = once
        self._by_spelling: dict[Spelling, list[Occurrence]] = defaultdict(list)
        for unit, of_unit in occurrences.items():
            self._by_spelling[spelling(unit)] += of_unit
        self._used: Counter[Unit] = Counter()
        self._counted: set[int] = set()
        self._clipped: set[int] = set()

    def count(self, unit: Unit, times: int) -> None:
        """Mark the next occurrences of a unit as counted, and the remaining occurrences as clipped."""
        # Units that differ only in part of speech were merged; look them up by spelling.
        occurrences = self._occurrences.get(unit) or self._by_spelling[spelling(unit)]
        start, self._used[unit] = self._used[unit], self._used[unit] + times
        self._counted.update(*occurrences[start : start + times])
        self._clipped.update(*occurrences[start + times :])

    def times(self, unit: Unit) -> int:
        """Return the number of occurrences of units with this spelling."""
        return 1 if self._once else len(self._by_spelling[spelling(unit)])

    def side(self, view: View) -> Side:
        """Return the text with these marks."""
        counted, clipped = (
            frozenset(view.counted[index] for index in marked) for marked in (self._counted, self._clipped)
        )
        return Side(view.source, view.source.tokens, counted, clipped - counted)


def pair(
    preprocessing: Preprocessing, measure: Measure, reference_id: str, reference: View, prediction: View
) -> Pair:
    """Return the matches of the prediction with one reference."""
    views = reference, prediction
    result = count(measure, reference.reading, prediction.reading, preprocessing)
    if measure.kind == L:
        taken, *occurrences = _on_paths(preprocessing, measure, reference, prediction)
    else:
        references, predictions = (view.reading.once(units, measure, preprocessing) for view in views)
        linked = links(measure, references, predictions, preprocessing)
        taken = best_matching(predictions, references, linked)
        occurrences = [_by_unit(view, measure, preprocessing) for view in views]
    once = measure.once or (preprocessing.program and measure.kind == L)
    sides = [_Marks(of_side, once=once) for of_side in occurrences]
    matches: dict[tuple[Spelling, Spelling], Match] = {}
    for unit, by_unit in taken.items():
        for other, times in by_unit.items():
            if not times:
                continue
            sides[0].count(unit, times)
            sides[1].count(other, times)
            words = spelling(unit), spelling(other)
            earlier = matches.get(words)
            matches[words] = Match(
                words[0],
                sides[0].times(unit),
                sides[1].times(other),
                times + (earlier.counted if earlier else 0),
                prediction_unit=words[1] if words[1] != words[0] else (),
            )
    ranked = sorted(matches.values(), key=lambda match: -match.counted)
    return Pair(reference_id, sides[0].side(reference), sides[1].side(prediction), ranked, result, [])


def _by_unit(view: View, measure: Measure, preprocessing: Preprocessing) -> Occurrences:
    """Return the occurrences of all units."""
    occurrences: dict[Unit, list[Occurrence]] = defaultdict(list)
    all_forms, start = view.forms, 0
    for line in view.lines:
        units = units_of_line(range(start, start + len(line)), measure, preprocessing)
        for occurrence in sorted(units):
            occurrences[tuple(all_forms[index] for index in occurrence)].append(occurrence)
        start += len(line)
    return occurrences


def _on_paths(
    preprocessing: Preprocessing, measure: Measure, reference: View, prediction: View
) -> tuple[dict[Unit, dict[Unit, int]], Occurrences, Occurrences]:
    """Return the matches of words on longest common subsequences, and the occurrences in both texts.

    Among the prediction's occurrences of a word, those on a path come first.
    """
    words, others = reference.forms, prediction.forms
    if preprocessing.program:
        on_prediction = program_indices(reference.lines, prediction.lines)
        shared = dict.fromkeys(others[index] for index in on_prediction)
        taken: dict[Unit, dict[Unit, int]] = {(form,): {(form,): 1} for form in shared}
        on_reference: Sequence[int] = range(len(words))
    else:
        near = near_words(measure, words, others, preprocessing)
        on_reference = indices_on_paths(reference.lines, prediction.lines, near)
        hits = Counter(words[index] for index in on_reference)
        matching = best_matching(Counter(others), hits, without_equals(near))
        taken = {
            (form,): {(other,): times for other, times in by_form.items()}
            for form, by_form in matching.items()
        }
        back: dict[Form, list[Form]] = defaultdict(list)
        for other, matched in near.items():
            for form in matched:
                back[form].append(other)
        on_prediction = indices_on_paths(prediction.lines, reference.lines, back)
    first = dict.fromkeys([*on_prediction, *range(len(others))])
    return taken, _by_word(words, on_reference), _by_word(others, first)


def _by_word(words: Sequence[Form], indices: Iterable[int]) -> Occurrences:
    by_word: dict[Unit, list[Occurrence]] = defaultdict(list)
    for index in indices:
        by_word[words[index],].append((index,))
    return by_word
