"""Which units of two texts match under a measure, and where they stand."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.dialects.rouge2 import counts
from rouge_cli.dialects.rouge2.counts import look
from rouge_cli.dialects.rouge2.labels import L
from rouge_cli.dialects.rouge2.matching import best_matching
from rouge_cli.explanation import Match, Pair, Side, Source, Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.dialects.rouge2 import texts
    from rouge_cli.dialects.rouge2.counts import Unit
    from rouge_cli.dialects.rouge2.forms import Form
    from rouge_cli.dialects.rouge2.labels import Measure
    from rouge_cli.dialects.rouge2.program import Rouge2

    Place = tuple[int, ...]
    Look = tuple[str, ...]
    Places = Mapping[Unit, Sequence[Place]]


class Text(NamedTuple):
    """A text as it was read, and as it is shown: in bytes, with (start, end) of each line in them."""

    reading: texts.Reading
    data: bytes
    lines: Sequence[tuple[int, int]]


class View(NamedTuple):
    """A text prepared for one measure.

    counted: the indices of the tokens that count. lines: their forms.
    """

    text: Text
    tokens: Sequence[Token]
    counted: Sequence[int]
    lines: Sequence[Sequence[Form]]

    @property
    def forms(self) -> Sequence[Form]:
        """The forms of the whole text."""
        return list(chain.from_iterable(self.lines))

    def side(self, marks: _Marks) -> Side:
        """Return the text with these marks."""
        first, second = (
            frozenset(self.counted[place] for place in places) for places in (marks.counted, marks.clipped)
        )
        source = Source(self.text.data, self.text.lines, self.tokens, self.tokens)
        return Side(source, self.tokens, first, second - first)


class _Marks:
    """The places of a text's units that count, taken one after the other, and of those that are clipped.

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
        # A unit of several parts of speech was merged, and is found by its look.
        places = self._places.get(unit) or self._by_look[look(unit)]
        start, self._used[unit] = self._used[unit], self._used[unit] + times
        self.counted.update(*places[start : start + times])
        self.clipped.update(*places[start + times :])

    def times(self, unit: Unit) -> int:
        """Return how often a unit that looks like this occurs."""
        return 1 if self._once else len(self._by_look[look(unit)])


def pair(program: Rouge2, measure: Measure, model_id: str, model: View, peer: View) -> Pair:
    """Return the matches of one model and the peer under a measure."""
    preprocessing, readings = program.preprocessing, (model.text.reading, peer.text.reading)
    result = counts.count(measure, *readings, preprocessing, program.synonyms)
    if measure.kind == L:
        taken, *places = _on_paths(program, measure, model, peer)
    else:
        models, peers = (reading.once(counts.units, measure, preprocessing) for reading in readings)
        taken = best_matching(peers, models, counts.links(measure, models, peers, program.synonyms))
        places = [_by_unit(view, measure, program) for view in (model, peer)]
    once = measure.once or (preprocessing.program and measure.kind == L)
    sides = [_Marks(of_side, once=once) for of_side in places]
    matches: dict[tuple[Look, Look], Match] = {}
    for unit, by_peer in taken.items():
        for other, times in by_peer.items():
            if not times:
                continue
            sides[0].count(unit, times)
            sides[1].count(other, times)
            words, peer_words = look(unit), look(other)
            earlier = matches.get((words, peer_words))
            matches[words, peer_words] = Match(
                words,
                sides[0].times(unit),
                sides[1].times(other),
                times + (earlier.counted if earlier else 0),
                peer_unit=peer_words if peer_words != words else (),
            )
    ranked = sorted(matches.values(), key=lambda match: -match.counted)
    return Pair(model_id, model.side(sides[0]), peer.side(sides[1]), ranked, result, [])


def _by_unit(view: View, measure: Measure, program: Rouge2) -> Places:
    """Return the places of each unit."""
    places: dict[Unit, list[Place]] = defaultdict(list)
    all_forms, start = view.forms, 0
    for line in view.lines:
        units = counts.units_of_line(range(start, start + len(line)), measure, program.preprocessing)
        for place in sorted(units):
            places[tuple(all_forms[at] for at in place)].append(place)
        start += len(line)
    return places


def _on_paths(
    program: Rouge2, measure: Measure, model: View, peer: View
) -> tuple[dict[Unit, dict[Unit, int]], Places, Places]:
    """Return which words on a longest common subsequence match, and the places of both sides' words.

    The peer's words on a path come first.
    """
    words, others = model.forms, peer.forms
    if program.preprocessing.program:
        on_peer = counts.program_places(model.lines, peer.lines)
        shared = dict.fromkeys(others[place] for place in on_peer)
        taken: dict[Unit, dict[Unit, int]] = {(form,): {(form,): 1} for form in shared}
        on_model: Sequence[int] = range(len(words))
    else:
        near = counts.near_words(measure, words, others, program.synonyms)
        on_model = counts.places_on_paths(model.lines, peer.lines, near)
        hits = Counter(words[place] for place in on_model)
        matching = best_matching(Counter(others), hits, counts.without_equals(near))
        taken = {
            (form,): {(other,): times for other, times in by_peer.items()}
            for form, by_peer in matching.items()
        }
        back: dict[Form, list[Form]] = defaultdict(list)
        for other, matched in near.items():
            for form in matched:
                back[form].append(other)
        on_peer = counts.places_on_paths(peer.lines, model.lines, back)
    first = dict.fromkeys([*on_peer, *range(len(others))])
    return taken, _by_word(words, on_model), _by_word(others, first)


def _by_word(words: Sequence[Form], places: Iterable[int]) -> Places:
    by_word: dict[Unit, list[Place]] = defaultdict(list)
    for place in places:
        by_word[words[place],].append((place,))
    return by_word
