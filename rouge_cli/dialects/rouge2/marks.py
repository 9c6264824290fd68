"""The matching units of two texts with their places, for explanations."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.dialects.rouge2 import counts
from rouge_cli.dialects.rouge2.counts import best_matching, look
from rouge_cli.dialects.rouge2.preparation import L, dropping, forms, lines
from rouge_cli.explanation import Match, Pair, Side, Source, Token
from rouge_cli.text.normalization import folding, with_places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import Document
    from rouge_cli.dialects.rouge2.counts import Synonyms, Unit
    from rouge_cli.dialects.rouge2.preparation import Form, Measure, Preprocessing, Reading, Word

    Place = tuple[int, ...]
    Look = tuple[str, ...]
    Places = Mapping[Unit, Sequence[Place]]

_TAG = re.compile(r"_[^_\s]+(?!\S)")


class View(NamedTuple):
    """A text prepared for a measure."""

    reading: Reading
    source: Source  # its bytes and lines, and all tokens
    counted: Sequence[int]  # the indices of the tokens that count
    lines: Sequence[Sequence[Form]]  # the forms of these

    @property
    def forms(self) -> Sequence[Form]:
        """The forms of the whole text."""
        return list(chain.from_iterable(self.lines))

    def side(self, marks: _Marks) -> Side:
        """Return the text with these marks."""
        first, second = (
            frozenset(self.counted[place] for place in places) for places in (marks.counted, marks.clipped)
        )
        return Side(self.source, self.source.tokens, first, second - first)


def read(
    reading: Reading,
    document: Document,
    shown: Sequence[bytes] | None,
    preprocessing: Preprocessing,
    *,
    tagged: bool,
) -> Callable[[Measure], View]:
    """Return a function from a measure to the text as it is prepared for it.

    Args:
        shown: The sentences of the text; None for the lines that the Java program reads.
        tagged: True if the text comes with tags.
    """
    if shown is None:
        data = document.data
        ends = re.finditer(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", data)
        spans = [(end.start(), end.start() + len(end[0].rstrip(b"\r\n"))) for end in ends]
        if tagged:
            spans = [span for span in spans if data[slice(*span)].decode("latin-1").strip()]
    else:
        lines = [unit.replace(b"\n", b" ") for unit in shown]
        data, starts = b"\n".join(lines), list(accumulate((len(line) + 1 for line in lines), initial=0))
        spans = [(at, at + len(line)) for at, line in zip(starts, lines, strict=False)]
    return cache(lambda measure: _view(reading, data, spans, measure, preprocessing))


def _view(
    reading: Reading,
    data: bytes,
    spans: Sequence[tuple[int, int]],
    measure: Measure,
    preprocessing: Preprocessing,
) -> View:
    """Return the tokens of a text, counted and dropped, and what the measure compares."""
    why_dropped = dropping(measure, preprocessing)
    compared = forms(reading, measure, preprocessing)
    tokens: list[Token] = []
    counted: list[int] = []
    for sentence, words in enumerate(lines(reading, measure, preprocessing)):
        start, end = spans[sentence]
        line = data[start:end]
        left = iter(compared[sentence])
        for word, (first, last) in zip(words, _places(words, line, preprocessing.program), strict=True):
            surface = line[first:last].decode("utf-8", "replace")
            why = why_dropped(word)
            form = "" if why else next(left).form
            rule = "" if why or form == surface.lower() else "number" if form == "@" else "stemmer"
            if not why:
                counted.append(len(tokens))
            tokens.append(Token(surface, form, start + first, start + last, sentence, rule, why))
        for empty in left:  # of a line of stop words the program has one empty token (QUIRKS 47)
            counted.append(len(tokens))
            tokens.append(Token("", empty.form, end, end, sentence))
    return View(reading, Source(data, spans, tokens, tokens), counted, compared)


def _places(words: Iterable[Word], line: bytes, program: bool) -> Iterator[tuple[int, int]]:  # noqa: FBT001
    """Yield the place of each word in its line; of no length if it is not there verbatim."""
    shown = line.decode("latin-1" if program else "utf-8")
    fold = str.lower if program else folding("rouge2")
    if program:
        lower, starts, ends = shown.lower(), list(range(len(shown))), list(range(1, len(shown) + 1))
    else:
        lower, starts, ends = with_places(shown, fold)
    if any(word.tag for word in words):
        lower = _TAG.sub(lambda tag: " " * len(tag[0]), lower)
    at = 0
    for word, _ in words:
        hit = re.compile(r"\d+|@" if word == "@" else re.escape(fold(word))).search(lower, at)
        if word and hit:
            at = hit.end()
            yield starts[hit.start()], ends[at - 1]
        else:
            place = ends[at - 1] if at else 0
            yield place, place


class _Marks:
    """The places of a text's units that count, taken one after the other, and of those that are clipped.

    Args:
        once: True if each unit counts once, however often it occurs.
    """

    def __init__(self, places: Places, *, once: bool) -> None:
        self._places = places
        self._once = once
        self._by_look: dict[Look, list[Place]] = defaultdict(list)
        for unit, of_unit in places.items():
            self._by_look[look(unit)] += of_unit
        self._used: Counter[Unit] = Counter()
        self.counted: set[int] = set()
        self.clipped: set[int] = set()

    def count(self, unit: Unit, times: int) -> None:
        """Mark so many more occurrences as counted, and what is left of the unit as clipped."""
        # Units that differ only in part of speech were merged; look them up by spelling.
        places = self._places.get(unit) or self._by_look[look(unit)]
        start, self._used[unit] = self._used[unit], self._used[unit] + times
        self.counted.update(*places[start : start + times])
        self.clipped.update(*places[start + times :])

    def times(self, unit: Unit) -> int:
        """Return how often a unit that looks like this occurs."""
        return 1 if self._once else len(self._by_look[look(unit)])


def pair(  # noqa: PLR0913, PLR0917 - what `counts.count` takes, and the sides
    preprocessing: Preprocessing,
    synonyms: Synonyms,
    measure: Measure,
    reference_id: str,
    reference: View,
    prediction: View,
) -> Pair:
    """Return the matches of one model and the peer under a measure."""
    readings = reference.reading, prediction.reading
    result = counts.count(measure, *readings, preprocessing, synonyms)
    if measure.kind == L:
        taken, *places = _on_paths(preprocessing, synonyms, measure, reference, prediction)
    else:
        references, predictions = (
            reading.once(counts.units, measure, preprocessing) for reading in readings
        )
        taken = best_matching(
            predictions, references, counts.links(measure, references, predictions, synonyms)
        )
        places = [_by_unit(view, measure, preprocessing) for view in (reference, prediction)]
    once = measure.once or (preprocessing.program and measure.kind == L)
    sides = [_Marks(of_side, once=once) for of_side in places]
    matches: dict[tuple[Look, Look], Match] = {}
    for unit, by_system in taken.items():
        for other, times in by_system.items():
            if not times:
                continue
            sides[0].count(unit, times)
            sides[1].count(other, times)
            words, prediction_words = look(unit), look(other)
            earlier = matches.get((words, prediction_words))
            matches[words, prediction_words] = Match(
                words,
                sides[0].times(unit),
                sides[1].times(other),
                times + (earlier.counted if earlier else 0),
                prediction_unit=prediction_words if prediction_words != words else (),
            )
    ranked = sorted(matches.values(), key=lambda match: -match.counted)
    return Pair(reference_id, reference.side(sides[0]), prediction.side(sides[1]), ranked, result, [])


def _by_unit(view: View, measure: Measure, preprocessing: Preprocessing) -> Places:
    """Return the places of each unit."""
    places: dict[Unit, list[Place]] = defaultdict(list)
    all_forms, start = view.forms, 0
    for line in view.lines:
        units = counts.units_of_line(range(start, start + len(line)), measure, preprocessing)
        for place in sorted(units):
            places[tuple(all_forms[at] for at in place)].append(place)
        start += len(line)
    return places


def _on_paths(
    preprocessing: Preprocessing, synonyms: Synonyms, measure: Measure, reference: View, prediction: View
) -> tuple[dict[Unit, dict[Unit, int]], Places, Places]:
    """Return which words on a longest common subsequence match, and the places of both sides' words.

    The peer's words on a path come first.
    """
    words, others = reference.forms, prediction.forms
    if preprocessing.program:
        on_prediction = counts.program_places(reference.lines, prediction.lines)
        shared = dict.fromkeys(others[place] for place in on_prediction)
        taken: dict[Unit, dict[Unit, int]] = {(form,): {(form,): 1} for form in shared}
        on_reference: Sequence[int] = range(len(words))
    else:
        near = counts.near_words(measure, words, others, synonyms)
        on_reference = counts.places_on_paths(reference.lines, prediction.lines, near)
        hits = Counter(words[place] for place in on_reference)
        matching = best_matching(Counter(others), hits, counts.without_equals(near))
        taken = {
            (form,): {(other,): times for other, times in by_system.items()}
            for form, by_system in matching.items()
        }
        back: dict[Form, list[Form]] = defaultdict(list)
        for other, matched in near.items():
            for form in matched:
                back[form].append(other)
        on_prediction = counts.places_on_paths(prediction.lines, reference.lines, back)
    first = dict.fromkeys([*on_prediction, *range(len(others))])
    return taken, _by_word(words, on_reference), _by_word(others, first)


def _by_word(words: Sequence[Form], places: Iterable[int]) -> Places:
    by_word: dict[Unit, list[Place]] = defaultdict(list)
    for place in places:
        by_word[words[place],].append((place,))
    return by_word
