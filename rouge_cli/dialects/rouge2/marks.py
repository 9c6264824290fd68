"""The matching units of two texts, with their positions, for explanations."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.dialects.rouge2 import counts
from rouge_cli.dialects.rouge2.counts import best_matching, spelling
from rouge_cli.dialects.rouge2.preparation import L, dropping, forms, lines
from rouge_cli.explanation import Match, Pair, Side, Source, Token
from rouge_cli.text.normalization import folding, with_places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import Document
    from rouge_cli.dialects.rouge2.counts import Unit
    from rouge_cli.dialects.rouge2.preparation import Form, Measure, Preprocessing, Reading, Word

    Spelling = tuple[str, ...]
    Occurrence = tuple[int, ...]  # indices of the words of a unit, in the whole text
    Occurrences = Mapping[Unit, Sequence[Occurrence]]

_TAG = re.compile(r"_[^_\s]+(?!\S)")


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
        tagged: True if the text contains tags.
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
    result = counts.count(measure, reference.reading, prediction.reading, preprocessing)
    if measure.kind == L:
        taken, *occurrences = _on_paths(preprocessing, measure, reference, prediction)
    else:
        references, predictions = (
            view.reading.once(counts.units, measure, preprocessing) for view in views
        )
        links = counts.links(measure, references, predictions, preprocessing)
        taken = best_matching(predictions, references, links)
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
        units = counts.units_of_line(range(start, start + len(line)), measure, preprocessing)
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
        on_prediction = counts.program_indices(reference.lines, prediction.lines)
        shared = dict.fromkeys(others[index] for index in on_prediction)
        taken: dict[Unit, dict[Unit, int]] = {(form,): {(form,): 1} for form in shared}
        on_reference: Sequence[int] = range(len(words))
    else:
        near = counts.near_words(measure, words, others, preprocessing)
        on_reference = counts.indices_on_paths(reference.lines, prediction.lines, near)
        hits = Counter(words[index] for index in on_reference)
        matching = best_matching(Counter(others), hits, counts.without_equals(near))
        taken = {
            (form,): {(other,): times for other, times in by_form.items()}
            for form, by_form in matching.items()
        }
        back: dict[Form, list[Form]] = defaultdict(list)
        for other, matched in near.items():
            for form in matched:
                back[form].append(other)
        on_prediction = counts.indices_on_paths(prediction.lines, reference.lines, back)
    first = dict.fromkeys([*on_prediction, *range(len(others))])
    return taken, _by_word(words, on_reference), _by_word(others, first)


def _by_word(words: Sequence[Form], indices: Iterable[int]) -> Occurrences:
    by_word: dict[Unit, list[Occurrence]] = defaultdict(list)
    for index in indices:
        by_word[words[index],].append((index,))
    return by_word
