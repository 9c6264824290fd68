"""Counting: the units of a metric, their possible matches, and the number and the
positions of matches.

A unit is a tuple of forms: a word, an n-gram or a skip bigram. Two units match if their
forms match position by position. A form matches an equal form and, with synonyms, its
synonyms. Units match one to one, so the number of matches is a maximum matching in a
bipartite graph, whose nodes are distinct units with their counts. To match equal units
first is not always optimal (`screen door` against `screen display`, if `screen` is a
synonym of both `door` and `display`), so it is only the start: augmenting paths lead to
the maximum (Ford and Fulkerson 1956).
"""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from itertools import chain, pairwise, product
from math import prod
from operator import contains, or_
from typing import TypeVar

from rouge_cli import native
from rouge_cli.core import Counts, Match, Source, Text, Token
from rouge_cli.dialects.rouge2 import preparation
from rouge_cli.dialects.rouge2.preparation import (
    SU,
    TOPIC,
    Form,
    L,
    Measure,
    N,
    Preprocessing,
    Word,
)
from rouge_cli.errors import RougeError
from rouge_cli.metrics import Marks, Matches, Metric, _lcs, group, lcs, overlap
from rouge_cli.native import DISTINCT_NGRAM, LCS, LINE_NGRAM, KernelSpec
from rouge_cli.text.normalization import NONE, folded, with_places

Unit = tuple[Form, ...]
Lines = Sequence[Sequence[Form]]
T = TypeVar("T")
U = TypeVar("U", bound=Hashable)

MOST_WAYS = (
    16  # with more combinations of synonyms, search the reference's units instead
)
_TAG = re.compile(r"_[^_\s]+(?!\S)")
MOST_PAIRS = (
    10_000_000  # limit of distances x words, reached by a line of about 3,000 words
)


class Units(Metric):
    """The units of a measure after preprocessing; its texts are of the class
    `Reading`.
    """

    def __init__(self, measure: Measure, preprocessing: Preprocessing) -> None:
        self.label = measure.label
        self.measure = measure
        self.preprocessing = preprocessing
        # What the forms of texts depend on.
        is_apart = measure.kind == TOPIC or (
            measure.kind == L and preprocessing.program
        )
        of_forms = measure._replace(
            kind=measure.kind if is_apart else N, size=None, once=False
        )
        # False unless only equal units match, as in the metrics of other dialects.
        self._numbered = not (
            measure.synonyms or (measure.kind == L and preprocessing.program)
        )
        self._column = preprocessing.column(of_forms, numbered=self._numbered)
        # The compiled kernel with the same counts, if equal words match.
        self._equal = KernelSpec(LCS) if measure.kind == L else None
        if measure.kind in (N, TOPIC) and (
            measure.size in (None, 1) or not measure.once
        ):
            self._equal = KernelSpec(
                DISTINCT_NGRAM if measure.once else LINE_NGRAM, measure.size or 1
            )
        if not (measure.kind == TOPIC or measure.synonyms or preprocessing.program):
            self.kernel_spec = self._equal
        # The compiled twin of `_match` for single words.
        is_counted = measure.synonyms and self._equal == KernelSpec(LINE_NGRAM, 1)
        self._synonyms = preprocessing.compiled(measure.stem) if is_counted else None

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the units of the reference, the units of the prediction, and the
        matches.

        ROUGE-L is Lin's (2004), section 3.2: the words on the union of longest common
        subsequences of lines are matched one to one with words of the prediction.
        Without synonyms this is ROUGE-1.5.5's clipping (QUIRKS 16). The program's L
        counts the different words on any LCS (QUIRKS 51).
        """
        if self._numbered:
            how = _numbers, self._column, self.preprocessing
            texts = [text.once(*how) for text in (reference, prediction)]
            if self._equal and (compiled := native.extension()):
                sides = [(text.tokens, text.sentences) for text in texts]
                return Counts.of(
                    *compiled.count(sides[:1], sides[1:], [self._equal])[0]
                )
            if self.measure.kind == L:
                return lcs.Lcs().count(*texts)
            bags = [text.once(_equal_units, self) for text in texts]
            return Counts.of(bags[0].total(), bags[1].total(), overlap(*bags))
        if self._synonyms:
            return Counts.of(
                *self._synonyms.count(self.forms(reference), self.forms(prediction))
            )
        references, predictions, taken = self._match(reference, prediction)
        return Counts.of(
            references,
            predictions,
            sum(sum(times.values()) for times in taken.values()),
        )

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the matching units, merged if they are spelled alike, and the marks
        of their words.
        """
        occurrences = self._occurrences(reference, prediction)
        alike = [
            group(
                (spelling(unit), place)
                for unit, places in of_side.items()
                for place in places
            )
            for of_side in occurrences
        ]
        once = self.measure.once or (
            self.measure.kind == L and self.preprocessing.program
        )
        marks = Marks(set(), set()), Marks(set(), set())
        used: Counter[tuple[int, Unit]] = Counter()
        matches: dict[tuple[tuple[bytes, ...], ...], Match] = {}
        taken = self._match(reference, prediction)[2]
        pairs = [
            (unit, other, n)
            for unit, others in taken.items()
            for other, n in others.items()
            if n
        ]
        for unit, other, times in pairs:
            for side, member in enumerate((unit, other)):
                # Units that differ only in part of speech were merged; look them up by
                # spelling.
                positions = (
                    occurrences[side].get(member) or alike[side][spelling(member)]
                )
                start = used[side, member]
                used[side, member] += times
                marks[side].counted.update(*positions[start : start + times])
                marks[side].matching.update(*positions[start:])
            words = spelling(unit), spelling(other)
            sizes = [
                1 if once else len(side[word])
                for side, word in zip(alike, words, strict=True)
            ]
            counted = times + (matches[words].counted if words in matches else 0)
            matches[words] = Match(words[0], sizes[0], sizes[1], counted)
            if words[1] != words[0]:
                matches[words] = matches[words]._replace(prediction_unit=words[1])
        return Matches(
            sorted(matches.values(), key=lambda match: -match.counted), *marks
        )

    def units(self, text: Text) -> Iterator[tuple[Unit, Sequence[int]]]:
        """Yield the units with the positions of their words; they do not cross line
        ends.
        """
        start = 0
        for line in self.forms(text):
            for positions in sorted(self.units_of_line(range(len(line)))):
                unit = tuple(line[position] for position in positions)
                yield unit, tuple(start + position for position in positions)
            start += len(line)

    def forms(self, text: Text) -> Lines:
        """Return the forms that the metric compares, line by line; cached with the
        text.
        """
        return text.once(preparation.forms, self._column, self.preprocessing)

    def units_of_line(self, line: Sequence[T]) -> Iterable[tuple[T, ...]]:
        """Return the units of a line; the line may be words, or their positions."""
        kind, size = self.measure.kind, self.measure.size
        if kind in (N, TOPIC, L):
            return zip(
                *(line[start:] for start in range(min(size or 1, len(line) + 1))),
                strict=False,
            )
        far = len(line) if size is None else size + (not self.preprocessing.program)
        steps = range(1, min(far, len(line) - 1) + 1)
        if len(steps) * len(line) > MOST_PAIRS:
            raise RougeError(
                f"{self.label}: too many pairs of words in a line of {len(line)} words",
                remedy=(
                    "use a shorter distance, such as ROUGE-S4, or write one sentence"
                    " per line"
                ),
            )
        pairs = (zip(line, line[step:], strict=False) for step in steps)
        return chain(*pairs, zip(line) if kind == SU else ())

    def source(
        self, text: Text, data: bytes, spans: Sequence[tuple[int, int]]
    ) -> Source:
        """Return the tokens of a text, counted and dropped, given the ranges of its
        lines in its bytes.
        """
        why_dropped = preparation.dropping(self.measure, self.preprocessing)
        lines = preparation.lines(text, self.measure, self.preprocessing)
        tokens: list[Token] = []
        for sentence, (words, forms) in enumerate(
            zip(lines, self.forms(text), strict=True)
        ):
            start, end = spans[sentence]
            line = data[start:end]
            left = iter(forms)
            places = _spans(words, line, program=self.preprocessing.program)
            for word, (first, last) in zip(words, places, strict=True):
                surface = line[first:last].decode("utf-8", "replace")
                why = why_dropped(word)
                form = "" if why else next(left).form
                rule = (
                    ""
                    if why or form == surface.lower()
                    else "number"
                    if form == "@"
                    else "stemmer"
                )
                tokens.append(
                    Token(
                        surface, form, start + first, start + last, sentence, rule, why
                    )
                )
            # The program reads a line of stop words as one empty token (QUIRKS 47).
            tokens += [Token("", empty.form, end, end, sentence) for empty in left]
        return Source(data, spans, tokens, tokens, text)

    def _match(
        self, reference: Text, prediction: Text
    ) -> tuple[int, int, dict[Unit, dict[Unit, int]]]:
        """Return the numbers of units of both texts, and their matches as in
        `best_matching`.
        """
        references, predictions = (
            text.once(_bag, self) for text in (reference, prediction)
        )
        links = self._links(references, predictions)
        hits = references
        if self.measure.kind == L:
            program = self.preprocessing.program
            lines, others = map(
                self.forms,
                (prediction, reference) if program else (reference, prediction),
            )
            words: list[Unit] = [(form,) for form in chain.from_iterable(lines)]
            hits = Counter(words[index] for index in on_paths(lines, others, links))
            if program:
                return (
                    len(references),
                    len(predictions),
                    {unit: {unit: 1} for unit in hits},
                )
        return (
            references.total(),
            predictions.total(),
            best_matching(predictions, hits, links),
        )

    def _occurrences(
        self, reference: Text, prediction: Text
    ) -> list[dict[Unit, list[Sequence[int]]]]:
        """Return unit -> the positions of its words, for both texts; words on paths
        come first.
        """
        units, other_units = list(self.units(reference)), list(self.units(prediction))
        if self.measure.kind == L:
            lines, others = self.forms(reference), self.forms(prediction)
            links = self._links(dict(units), dict(other_units))
            back = group(
                (unit, other) for other, linked in links.items() for unit in linked
            )
            first = dict.fromkeys(
                [*on_paths(others, lines, back), *range(len(other_units))]
            )
            other_units = [other_units[index] for index in first]
            if not self.preprocessing.program:
                units = [units[index] for index in on_paths(lines, others, links)]
        return [group(units), group(other_units)]

    def _links(
        self, references: Collection[Unit], predictions: Collection[Unit]
    ) -> dict[Unit, list[Unit]]:
        """Return the units of the reference that each unit of the prediction matches by
        synonyms.

        Equal units, and units without a match, are left out.
        """
        if not self.measure.synonyms:
            return {}
        sides = (
            dict.fromkeys(chain.from_iterable(side))
            for side in (predictions, references)
        )
        near = self.preprocessing.near(*sides, stems=self.measure.stem)
        by_first: dict[Form, list[Unit]] = {}
        linked: dict[Unit, list[Unit]] = {}
        for unit in predictions:
            ways = [near[form] for form in unit if form in near]
            if len(ways) < len(unit):
                continue
            if prod(map(len, ways)) <= MOST_WAYS:
                others = [other for other in product(*ways) if other in references]
            else:  # long n-grams: fewer units than combinations of synonyms
                by_first = by_first or group((other[0], other) for other in references)
                others = [
                    other
                    for first in ways[0]
                    for other in by_first.get(first, ())
                    if len(other) == len(unit) and all(map(contains, ways, other))
                ]
            if others := [other for other in others if other != unit]:
                linked[unit] = others
        return linked


def spelling(unit: Unit) -> tuple[bytes, ...]:
    """Return the spelling of a unit: its forms without their senses."""
    return tuple(form.form.encode() for form in unit)


def _numbers(
    text: preparation.Reading, column: int, preprocessing: Preprocessing
) -> Text:
    """Return the text of the ids of its forms."""
    numbered = preparation.left(text, column, preprocessing)
    return Text(list(chain.from_iterable(numbered)), numbered)


def _equal_units(text: Text, metric: Units) -> Counter[Hashable]:
    units = chain.from_iterable(map(metric.units_of_line, text.sentences))
    return Counter(set(units) if metric.measure.once else units)


def _bag(text: Text, metric: Units) -> Counter[Unit]:
    """Count the units of a text; for Uniq every count is 1."""
    units = list(chain.from_iterable(map(metric.units_of_line, metric.forms(text))))
    if not metric.measure.once:
        return Counter(units)
    if metric.preprocessing.program or not metric.measure.synonyms:
        return Counter(dict.fromkeys(units, 1))
    # Units with equal spelling are one, with the senses of all: `clear` is one word as
    # any part of speech.
    merged: dict[tuple[bytes, ...], Unit] = {}
    for unit in units:
        first = merged.setdefault(spelling(unit), unit)
        if first != unit:
            merged[spelling(unit)] = tuple(
                Form(form.form, tuple(sorted({*form.senses, *other.senses})))
                for form, other in zip(first, unit, strict=True)
            )
    return Counter(dict.fromkeys(merged.values(), 1))


def on_paths(
    lines: Lines, others: Lines, links: Mapping[Unit, Collection[Unit]]
) -> list[int]:
    """Return the indices of the words of all lines that are on a longest common
    subsequence with any other.

    Empty tokens match nothing. On ties the Java program chooses the paths that are
    found with prediction and reference exchanged.

    Args:
        links: Word of `others` -> the words of `lines` that it matches besides its
            equal.
    """
    ids = {
        form: number
        for number, form in enumerate(dict.fromkeys(chain(*lines, *others)))
    }
    layout = _lcs.rows([[ids[form] for form in line] for line in lines])
    masks = {}
    for form in dict.fromkeys(chain(*others)):
        equal = layout.masks.get(ids[form], 0) if form.form else 0
        linked = (layout.masks[ids[other]] for (other,) in links.get((form,), ()))
        masks[ids[form]] = reduce(or_, linked, equal)
    columns = [[ids[form] for form in line] for line in others]
    marked = _lcs.union(_lcs.paths(layout._replace(masks=masks), columns))
    index = _lcs.positions(layout)
    return [index[row] for row in _lcs.marked_bits(marked)]


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
    taken = {
        unit: {unit: min(n, prediction[unit])}
        for unit, n in reference.items()
        if unit in prediction
    }
    if not links:
        return taken
    # An augmenting path reassigns the matches on it, and only its first unit gains a
    # match. So equal units can be matched first.
    room = {
        unit: max(count - prediction.get(unit, 0), 0)
        for unit, count in reference.items()
    }
    for start in links:
        left = max(prediction[start] - reference.get(start, 0), 0)
        while left and (path := _augmenting_path(start, links, taken, room)):
            returned = [(other, unit) for (_, unit), (other, _) in pairwise(path)]
            times = min(
                left,
                room[path[0][0]],
                *(taken[other][unit] for other, unit in returned),
            )
            for other, unit in path:
                group = taken.setdefault(other, {})
                group[unit] = group.get(unit, 0) + times
            for other, unit in returned:
                taken[other][unit] -= times
            room[path[0][0]] -= times
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
    queue: list[tuple[U, list[tuple[U, U]]]] = [
        (start, [])
    ]  # with the path to each unit
    for unit, before in queue:
        for other in (unit, *links.get(unit, ())):
            if other in room and other not in reached:
                reached.add(other)
                path = [(other, unit), *before]
                if room[other]:
                    return path
                holders = [
                    holder
                    for holder, n in taken.get(other, {}).items()
                    if n and holder not in seen
                ]
                seen.update(holders)
                queue += [(holder, path) for holder in holders]
    return []


def _spans(
    words: Iterable[Word], line: bytes, *, program: bool
) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each word in its line; equal if the line does not
    contain the word.
    """
    text = line.decode("latin-1" if program else "utf-8")
    fold = str.lower if program else partial(folded, "rouge2", NONE)
    in_bytes = text.lower(), range(len(text)), range(1, len(text) + 1)
    lower, starts, ends = in_bytes if program else with_places(text, fold)
    if any(tag for _, tag in words):
        lower = _TAG.sub(lambda tag: " " * len(tag[0]), lower)
    at = 0
    for word, _ in words:
        hit = re.compile(r"\d+|@" if word == "@" else re.escape(fold(word))).search(
            lower, at
        )
        if word and hit:
            at = hit.end()
            yield starts[hit.start()], ends[at - 1]
        else:
            end = ends[at - 1] if at else 0
            yield end, end
