"""Counting: the units of a metric, their possible matches, and the number and the
positions of matches.

A unit is a tuple of forms: a word, an n-gram or a skip bigram. Two units match if their
forms match position by position. A form matches an equal form and, with synonyms, its
synonyms. Units match one to one (`matching`).
"""

import re
from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import partial
from itertools import chain, product
from math import prod
from operator import contains
from typing import TypeVar

from rouge_cli.core import Counts, Match, Source, Text, Token
from rouge_cli.dialects.rouge2.matching import best_matching
from rouge_cli.dialects.rouge2.preparation import (
    SU,
    TOPIC,
    ComparedWords,
    Form,
    L,
    Measure,
    N,
    Preprocessing,
    Word,
)
from rouge_cli.errors import RougeError
from rouge_cli.metrics import (
    Marks,
    Matches,
    Metric,
    _lcs,
    count_all,
    group,
    lcs,
    overlap,
)
from rouge_cli.metrics.ngram import DistinctNGram, NGram
from rouge_cli.text.normalization import folded, with_places
from rouge_cli.twins import twin

Unit = tuple[Form, ...]
Lines = Sequence[Sequence[Form]]
T = TypeVar("T")

# With more combinations of synonyms, search the reference's units instead.
MOST_WAYS = 16
_TAG = re.compile(r"_[^_\s]+(?!\S)")
# Limit of distances x words, reached by a line of about 3,000 words.
MOST_PAIRS = 10_000_000


class LineNGram(NGram):
    """ROUGE-N of n-grams that do not cross line ends."""

    bag = Metric.bag  # of `units`

    def units(self, text: Text) -> Iterator[tuple[tuple[Hashable, ...], Sequence[int]]]:
        """Yield the n-grams of each line."""
        first = 0
        for line in text.sentences:
            for start in range(len(line) - self.n + 1):
                end = start + self.n
                yield tuple(line[start:end]), range(first + start, first + end)
            first += len(line)


class Units(Metric):
    """The units of a measure after preprocessing; its texts are of the class
    `TaggedText`.
    """

    def __init__(self, measure: Measure, preprocessing: Preprocessing) -> None:
        self.label = measure.label
        self.measure = measure
        self.preprocessing = preprocessing
        self._is_programs_l = measure.kind == L and preprocessing.program
        # What the forms of texts depend on.
        is_apart = measure.kind == TOPIC or self._is_programs_l
        kind = measure.kind if is_apart else N
        of_forms = measure._replace(kind=kind, size=None, once=False)
        self._compared = preprocessing.shared(ComparedWords, of_forms)
        # True if only equal units match, as in the metrics of other dialects: then
        # numbers of forms are counted.
        self._numbered = not (measure.synonyms or self._is_programs_l)
        # The metric with the same counts, if equal words match.
        self.equal = _equal_metric(measure)
        # True if all words of a text are counted, each as what it is.
        self.has_plain_words = not (
            measure.kind == TOPIC or measure.synonyms or preprocessing.program
        )
        self._single_words: SingleWords | None = None
        if measure.synonyms and self.equal == LineNGram(1):
            self._single_words = preprocessing.shared(_single_words_of, measure.stem)

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the units of the reference, the units of the prediction, and the
        matches.

        ROUGE-L is Lin's (2004), section 3.2: the words on the union of longest common
        subsequences of lines are matched one to one with words of the prediction.
        Without synonyms this is ROUGE-1.5.5's clipping (QUIRKS 16). The program's L
        counts the different words on any LCS (QUIRKS 51).
        """
        if self._numbered:
            return self._count_equal(reference, prediction)
        if self._single_words:
            counted = self._single_words.count(
                self.forms(reference), self.forms(prediction)
            )
            return Counts.of(*counted)
        references, predictions, taken = self._match(reference, prediction)
        match = sum(sum(times.values()) for times in taken.values())
        return Counts.of(references, predictions, match)

    def _count_equal(self, reference: Text, prediction: Text) -> Counts:
        """Count units that match only if they are equal, by numbers of forms."""
        of_reference = reference.once(_numbers, self._compared)
        of_prediction = prediction.once(_numbers, self._compared)
        if self.equal:
            ((counts,),) = count_all([self.equal], [of_reference], of_prediction)
            return Counts.of(counts.reference, counts.prediction, counts.match)
        references_bag = of_reference.once(_equal_units, self)
        predictions_bag = of_prediction.once(_equal_units, self)
        return Counts.of(
            references_bag.total(),
            predictions_bag.total(),
            overlap(references_bag, predictions_bag),
        )

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the matching units, merged if they are spelled alike, and the marks
        of their words.
        """
        occurrences = self._occurrences(reference, prediction)
        alike = [_by_spelling(of_side) for of_side in occurrences]
        marks = Marks(set(), set()), Marks(set(), set())
        used: Counter[tuple[int, Unit]] = Counter()
        matches: dict[tuple[tuple[bytes, ...], ...], Match] = {}
        _, _, taken = self._match(reference, prediction)
        for unit, other, times in _pairs(taken):
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
            words, other_words = spelling(unit), spelling(other)
            earlier = matches.get((words, other_words))
            if earlier:
                counted = earlier.counted + times
                matches[words, other_words] = earlier._replace(counted=counted)
                continue
            matches[words, other_words] = Match(
                unit=words,
                in_reference=len(alike[0][words]),
                in_prediction=len(alike[1][other_words]),
                counted=times,
                prediction_unit=() if other_words == words else other_words,
            )
        shared = list(matches.values())
        if self.measure.once or self._is_programs_l:
            shared = [
                match._replace(in_reference=1, in_prediction=1) for match in shared
            ]
        by_frequency = sorted(shared, key=lambda match: -match.counted)
        return Matches(by_frequency, *marks)

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
        return text.once(_forms, self._compared)

    def units_of_line(self, line: Sequence[T]) -> Iterable[tuple[T, ...]]:
        """Return the units of a line; the line may be words, or their positions."""
        kind, size = self.measure.kind, self.measure.size
        if kind in (N, TOPIC, L):
            length = min(size or 1, len(line) + 1)
            return zip(*[line[start:] for start in range(length)], strict=False)

        if size is None:
            far = len(line)
        elif self.preprocessing.program:
            far = size
        else:
            far = size + 1
        steps = range(1, min(far, len(line) - 1) + 1)
        if len(steps) * len(line) > MOST_PAIRS:
            raise RougeError(
                f"{self.label}: too many pairs of words in a line of {len(line)} words",
                remedy=(
                    "use a shorter distance, such as ROUGE-S4, or write one sentence"
                    " per line"
                ),
            )
        pairs = [zip(line, line[step:], strict=False) for step in steps]
        words = zip(line) if kind == SU else ()
        return chain(*pairs, words)

    def source(
        self, text: Text, data: bytes, spans: Sequence[tuple[int, int]]
    ) -> Source:
        """Return the tokens of a text, counted and dropped, given the ranges of its
        lines in its bytes.
        """
        tokens: list[Token] = []
        for sentence, words in enumerate(self._compared.words(text)):
            start, end = spans[sentence]
            line = data[start:end]
            forms = self.forms(text)[sentence]
            counted = 0
            places = _spans(words, line, self.preprocessing)
            for word, (first, last) in zip(words, places, strict=True):
                surface = line[first:last].decode("utf-8", "replace")
                why = self._compared.why_dropped(word)
                form = ""
                if not why:
                    form = forms[counted].form
                    counted += 1
                token = Token(
                    surface=surface,
                    form=form,
                    start=start + first,
                    end=start + last,
                    sentence=sentence,
                    rule="" if why else _rule(surface, form),
                    why_dropped=why,
                )
                tokens.append(token)
            # The program reads a line of stop words as one empty token (QUIRKS 47).
            for empty in forms[counted:]:
                tokens.append(Token("", empty.form, end, end, sentence))
        return Source(data, spans, tokens, tokens, text)

    def _match(
        self, reference: Text, prediction: Text
    ) -> tuple[int, int, dict[Unit, dict[Unit, int]]]:
        """Return the numbers of units of both texts, and their matches as in
        `best_matching`.
        """
        references = reference.once(_bag, self)
        predictions = prediction.once(_bag, self)
        links = self._links(references, predictions)
        if self._is_programs_l:
            hits = self._words_on_paths(prediction, reference, links)
            taken = {unit: {unit: 1} for unit in hits}
            return len(references), len(predictions), taken

        matching = references
        if self.measure.kind == L:
            matching = self._words_on_paths(reference, prediction, links)
        taken = best_matching(predictions, matching, links)
        return references.total(), predictions.total(), taken

    def _words_on_paths(
        self, text: Text, other: Text, links: Mapping[Unit, Collection[Unit]]
    ) -> Counter[Unit]:
        """Count the words of a text that are on a longest common subsequence with
        another text.
        """
        lines = self.forms(text)
        words: list[Unit] = [(form,) for form in chain.from_iterable(lines)]
        marked = on_paths(lines, self.forms(other), links)
        return Counter([words[index] for index in marked])

    def _occurrences(
        self, reference: Text, prediction: Text
    ) -> list[dict[Unit, list[Sequence[int]]]]:
        """Return unit -> the positions of its words, for both texts; words on paths
        come first.
        """
        units = list(self.units(reference))
        other_units = list(self.units(prediction))
        if self.measure.kind == L:
            lines = self.forms(reference)
            others = self.forms(prediction)
            links = self._links(dict(units), dict(other_units))
            back: dict[Unit, list[Unit]] = {}
            for other, linked in links.items():
                for unit in linked:
                    back.setdefault(unit, []).append(other)
            marked = on_paths(others, lines, back)
            order = dict.fromkeys([*marked, *range(len(other_units))])
            other_units = [other_units[index] for index in order]
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
        near = self.preprocessing.near(
            dict.fromkeys(chain.from_iterable(predictions)),
            dict.fromkeys(chain.from_iterable(references)),
            stems=self.measure.stem,
        )
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
                others = []
                for first in ways[0]:
                    for other in by_first.get(first, ()):
                        if len(other) == len(unit) and all(map(contains, ways, other)):
                            others.append(other)
            others = [other for other in others if other != unit]
            if others:
                linked[unit] = others
        return linked


def _equal_metric(measure: Measure) -> Metric | None:
    """Return the metric with the counts of a measure, if equal words match."""
    if measure.kind == L:
        return lcs.Lcs()
    if measure.kind not in (N, TOPIC):
        return None
    if not measure.once:
        return LineNGram(measure.size or 1)
    if measure.size in (None, 1):
        return DistinctNGram(1)
    return None


class SingleWords:
    """Counts single words that match equal words and synonyms, one to one.

    Args:
        stems: Whether stems are compared.
    """

    def __init__(self, preprocessing: Preprocessing, *, stems: bool) -> None:
        self._preprocessing = preprocessing
        self._stems = stems

    def count(self, reference: Lines, prediction: Lines) -> tuple[int, int, int]:
        """Return the numbers of words of both texts, and of matches."""
        references = Counter(chain.from_iterable(reference))
        predictions = Counter(chain.from_iterable(prediction))
        near = self._preprocessing.near(predictions, references, stems=self._stems)
        links = {}
        for word, others in near.items():
            linked = [other for other in others if other != word]
            if linked:
                links[word] = linked
        taken = best_matching(predictions, references, links)
        matches = sum(sum(times.values()) for times in taken.values())
        return references.total(), predictions.total(), matches


@twin
def single_words(preprocessing: Preprocessing, *, stems: bool) -> SingleWords:
    """Return what counts single words that match equal words and synonyms."""
    return SingleWords(preprocessing, stems=stems)


def _single_words_of(
    preprocessing: Preprocessing,
    stems: bool,  # noqa: FBT001 - by position, as `shared` takes it
) -> SingleWords:
    """Return `single_words`."""
    return single_words(preprocessing, stems=stems)


def _pairs(
    taken: Mapping[Unit, Mapping[Unit, int]],
) -> Iterator[tuple[Unit, Unit, int]]:
    """Yield the units that match, with the number of matches."""
    for unit, others in taken.items():
        for other, times in others.items():
            if times:
                yield unit, other, times


def _by_spelling(
    occurrences: Mapping[Unit, Sequence[Sequence[int]]],
) -> dict[tuple[bytes, ...], list[Sequence[int]]]:
    """Return spelling -> the occurrences of all units that are spelled so."""
    alike: dict[tuple[bytes, ...], list[Sequence[int]]] = {}
    for unit, places in occurrences.items():
        alike.setdefault(spelling(unit), []).extend(places)
    return alike


def _rule(surface: str, form: str) -> str:
    """Return the rule that changed the form of a word; empty if it is unchanged."""
    if form == surface.lower():
        return ""
    return "number" if form == "@" else "stemmer"


def spelling(unit: Unit) -> tuple[bytes, ...]:
    """Return the spelling of a unit: its forms without their senses."""
    return tuple(form.form.encode() for form in unit)


def _forms(text: Text, compared: ComparedWords) -> Lines:
    """Return the forms of a text line by line."""
    return compared.forms(text)


def _numbers(text: Text, compared: ComparedWords) -> Text:
    """Return the text of the numbers of its forms."""
    numbers = compared.numbers(text)
    return Text(list(chain.from_iterable(numbers)), numbers)


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
            forms = []
            for form, other in zip(first, unit, strict=True):
                senses = sorted({*form.senses, *other.senses})
                forms.append(Form(form.form, tuple(senses)))
            merged[spelling(unit)] = tuple(forms)
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
    distinct = dict.fromkeys(chain(*lines, *others))
    ids = {form: number for number, form in enumerate(distinct)}
    rows = [list(map(ids.__getitem__, line)) for line in lines]
    columns = [list(map(ids.__getitem__, line)) for line in others]
    layout = _lcs.rows(rows)
    masks = {}
    for form in dict.fromkeys(chain(*others)):
        mask = layout.masks.get(ids[form], 0) if form.form else 0
        for (other,) in links.get((form,), ()):
            mask |= layout.masks[ids[other]]
        masks[ids[form]] = mask
    marked = _lcs.union(_lcs.paths(layout._replace(masks=masks), columns))
    index = _lcs.positions(layout)
    return [index[row] for row in _lcs.marked_bits(marked)]


def _spans(
    words: Iterable[Word], line: bytes, preprocessing: Preprocessing
) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each word in its line; equal if the line does not
    contain the word.
    """
    fold: Callable[[str], str]
    starts: Sequence[int]
    ends: Sequence[int]
    if preprocessing.program:
        text = line.decode("latin-1")
        fold = str.lower
        lower = text.lower()
        starts = range(len(text))
        ends = range(1, len(text) + 1)
    else:
        fold = partial(folded, "rouge2", preprocessing.normalize)
        lower, starts, ends = with_places(line.decode(), fold)
    if any(tag for _, tag in words):
        lower = _TAG.sub(lambda tag: " " * len(tag[0]), lower)
    at = 0
    for word, _ in words:
        pattern = r"\d+|@" if word == "@" else re.escape(fold(word))
        hit = re.compile(pattern).search(lower, at)
        if word and hit:
            at = hit.end()
            yield starts[hit.start()], ends[at - 1]
        else:
            end = ends[at - 1] if at else 0
            yield end, end
