"""Why a score is what it is: for one pair of texts the units that match, and where they stand.

A dialect hands over each text as a Source: its tokens with their places, the form that is counted, and why
what is not counted was dropped. `pair` finds what matches with the kernels that count. The arithmetic from
counts to scores is the dialect's own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Text
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.metrics._bags import ngrams, pairs_within, skip_bigrams
from rouge_cli.metrics._lcs_bits import GUARD, paths, rows
from rouge_cli.metrics._weighted_lcs import marked_rows, weights
from rouge_cli.metrics.basic_elements import BasicElements, part
from rouge_cli.metrics.lcs import Lcs, WeightedLcs, runs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.skip_bigram import SkipBigram

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from rouge_cli.core import Counts, Element, Metric, Score

    # A unit as ids (or, of a basic element, bytes), and the positions of its words among the kept tokens.
    Unit = tuple[Any, ...]
    Place = tuple[int, ...]

# All pairs of a text of some three thousand words; more would be found, and read by nobody.
MOST_PAIRS = 5_000_000


class Token(NamedTuple):
    """A token of a text, counted or not.

    surface: as it stands in the text. form: what is counted. start, end: its place, in bytes of the text.
    sentence: the number of its sentence, from 0. rule: what made another form of it, e.g. `Porter`; empty
    where nothing did. why_dropped: why it is not counted; empty where it is.
    """

    surface: str
    form: str
    start: int
    end: int
    sentence: int
    rule: str = ""
    why_dropped: str = ""


class Separator(NamedTuple):
    """What is no white space and yet separates: the bytes from `start` to `end`, and what they are."""

    surface: str
    start: int
    end: int
    kind: str


class Source(NamedTuple):
    """A text as a dialect reads it for one metric.

    sentences: (start, end) of each, in bytes of `data`. tokens: of the text read on, by_sentence: of the
    second reading, which ROUGE-L and ROUGE-W see; they differ where a dialect reads in two ways.
    elements: the basic elements, one a token.
    """

    data: bytes
    sentences: Sequence[tuple[int, int]]
    tokens: Sequence[Token]
    by_sentence: Sequence[Token]
    elements: Sequence[Element] = ()
    separators: Sequence[Separator] = ()


class Match(NamedTuple):
    """A unit that model and peer share.

    unit: its words. in_model, in_peer: how often it occurs there; for ROUGE-L in_model is how often it is
    on a longest common subsequence, and a run of ROUGE-W is seen in the model only (QUIRKS 17).
    counted: how often it counts. worth: what it counts for each time, 1 but for runs.
    """

    unit: tuple[str, ...]
    in_model: int
    in_peer: int | None
    counted: int
    worth: float = 1.0


class Side(NamedTuple):
    """The model or the peer of a pair, as the metric sees it.

    tokens: all of them, dropped ones too. counted: the indices of those that are part of what counts.
    clipped: of those that match, but once more than the other text has them, or in a lost run.
    For ROUGE-L and W the peer's words on a path are taken first, then others that are the same word: the
    counts ask no more of them.
    """

    source: Source
    tokens: Sequence[Token]
    counted: frozenset[int]
    clipped: frozenset[int]


class Pair(NamedTuple):
    """One model and the peer under one metric.

    matches: the most frequent first; runs of ROUGE-W in their order. steps: how the counts are made, where
    they are not plain numbers of units.
    """

    model_id: str
    model: Side
    peer: Side
    matches: Sequence[Match]
    counts: Counts
    steps: Sequence[str]


class Explanation(NamedTuple):
    """One metric: the peer with each model, and the arithmetic that leads from there to the score."""

    label: str
    peer_id: str
    pairs: Sequence[Pair]
    arithmetic: Sequence[str]
    counts: Counts
    score: Score


class _Marks(NamedTuple):
    """Positions among the kept tokens of a text."""

    counted: set[int]
    clipped: set[int]


class _Found(NamedTuple):
    """What matches, its units still as ids, and the marks of model and peer."""

    matches: list[Match]
    model: _Marks
    peer: _Marks


def pair(metric: Metric, model_id: str, model: Source, peer: Source) -> Pair:
    """What one model and the peer share under a metric.

    Raises UsageError for a metric that has no explanation, RougeError where it would be endless.
    """
    numbers: dict[str, int] = {}
    texts = _text(model, numbers), _text(peer, numbers)
    in_order = isinstance(metric, Lcs | WeightedLcs)
    found = _subsequences(metric, *texts) if in_order else _units(metric, *texts)
    forms = list(numbers)
    matches = [match._replace(unit=_words(match.unit, forms)) for match in found.matches]
    if not isinstance(metric, WeightedLcs):
        matches.sort(key=lambda match: -match.counted)
    counts = metric.count(*texts)
    steps = _powers(metric, *texts, matches, counts) if isinstance(metric, WeightedLcs) else []
    ours, theirs = (
        _side(source, source.by_sentence if in_order else source.tokens, marks)
        for source, marks in ((model, found.model), (peer, found.peer))
    )
    return Pair(model_id, ours, theirs, matches, counts, steps)


def number(value: float) -> str:
    """A count as it is shown: whole, or with five decimals."""
    return str(int(value)) if float(value).is_integer() else f"{value:.5f}"


def terms(values: Sequence[str]) -> str:
    """A sum as it is shown, its middle left out where it is long."""
    return " + ".join(values if len(values) <= 8 else [*values[:4], "...", *values[-3:]]) or "0"


def _text(source: Source, numbers: dict[str, int]) -> Text:
    """The text that is counted; `numbers` takes in its forms."""

    def ids(tokens: Iterable[Token]) -> list[int]:
        return [numbers.setdefault(one.form, len(numbers)) for one in tokens if not one.why_dropped]

    if source.elements:
        return Text(elements=source.elements)
    grouped = groupby(source.by_sentence, key=lambda token: token.sentence)
    return Text(ids(source.tokens), [ids(group) for _, group in grouped])


def _words(unit: Unit, forms: Sequence[str]) -> tuple[str, ...]:
    return tuple(one.decode("utf-8", "replace") if isinstance(one, bytes) else forms[one] for one in unit)


def _side(source: Source, tokens: Sequence[Token], marks: _Marks) -> Side:
    kept = [place for place, token in enumerate(tokens) if not token.why_dropped]
    counted, clipped = (frozenset(kept[place] for place in places) for places in marks)
    return Side(source, tokens, counted, clipped - counted)


def _units(metric: Metric, model: Text, peer: Text) -> _Found:
    """Multisets of units: each counts as often as both have it, its first occurrences on each side."""
    found = _Found([], _Marks(set(), set()), _Marks(set(), set()))
    places = _places(metric, model), _places(metric, peer)
    for unit in places[0]:
        occurrences = [side.get(unit, []) for side in places]
        times = [len(one) for one in occurrences]
        counted = min(times)
        if not counted:
            continue
        found.matches.append(Match(unit, times[0], times[1], counted))
        for marks, one in zip((found.model, found.peer), occurrences, strict=True):
            marks.counted.update(*one[:counted])
            marks.clipped.update(*one[counted:])
    return found


def _places(metric: Metric, text: Text) -> Mapping[Unit, Sequence[Place]]:
    """Each unit with all its places, in the order of the text.

    The kernel is handed the positions instead of the ids, so that its units are places.
    """
    places: dict[Unit, list[Place]] = defaultdict(list)
    if isinstance(metric, BasicElements):
        for position, element in enumerate(text.elements):
            unit = part(element, metric.mode)
            if unit is not None:
                places[unit].append((position,))
        return places
    tokens = text.tokens
    positions = range(len(tokens))
    found: Iterable[Hashable]
    if isinstance(metric, NGram):
        found = ngrams(positions, metric.n).units
    elif isinstance(metric, SkipBigram):
        distance = len(tokens) if metric.distance is None else metric.distance
        if pairs_within(distance, tokens) > MOST_PAIRS:
            raise RougeError(
                f"{metric.label}: more than {MOST_PAIRS} pairs of words in one text",
                remedy="limit the text's length or the metric's distance",
            )
        found = skip_bigrams(positions, distance, unigrams=metric.unigrams).units
    else:
        raise UsageError(f"{metric.label} cannot be explained")
    for place in sorted(one if isinstance(one, tuple) else (one,) for one in found):
        places[tuple(tokens[position] for position in place)].append(place)
    return places


def _subsequences(metric: Metric, model: Text, peer: Text) -> _Found:
    """ROUGE-L and ROUGE-W: the rows that the kernels mark, and which of them count."""
    layout = rows(model.sentences)
    ways = paths(layout, peer.sentences)
    if isinstance(metric, WeightedLcs):
        weight = weights(max(map(len, model.sentences), default=0) + 1, metric.weight)
        ways = [
            marked_rows(layout, [sentence], [way], weight)
            for sentence, way in zip(peer.sentences, ways, strict=True)
        ]
    union = 0
    for way in ways:
        union |= way
    marked = [row for row in range(len(layout.tokens)) if union >> row & 1]
    found = _Found([], _Marks(set(), set()), _Marks(set(), set()))
    if isinstance(metric, WeightedLcs):
        hits = []
        for run in runs(model, peer, union):
            hits.extend(run)
            run_of: Unit = tuple(layout.tokens[row] for row in run)
            found.matches.append(Match(run_of, 1, None, 1, weight[len(run)]))
    else:
        hits = _clipped(marked, layout.tokens, model, peer)
        on_path, counted = (Counter(layout.tokens[row] for row in some) for some in (marked, hits))
        in_peer = Counter(peer.tokens)
        for token, times in on_path.items():
            if counted[token]:
                unit: Unit = (token,)
                found.matches.append(Match(unit, times, in_peer[token], counted[token]))
    position = _positions(layout.tokens)
    found.model.counted.update(position[row] for row in hits)
    found.model.clipped.update(position[row] for row in marked)
    in_peer_path = _columns(layout.tokens, layout.fields, ways, peer)
    _take(Counter(layout.tokens[row] for row in hits), in_peer_path, peer, found.peer)
    return found


def _clipped(marked: Iterable[int], tokens: Sequence[int], model: Text, peer: Text) -> list[int]:
    """The marked rows that count: of each word the first ones, as many as both texts have (QUIRKS 16)."""
    left = Counter(model.tokens) & Counter(peer.tokens)
    hits = []
    for row in marked:
        if left[tokens[row]] > 0:
            left[tokens[row]] -= 1
            hits.append(row)
    return hits


def _positions(tokens: Sequence[int]) -> dict[int, int]:
    """Row -> position among the tokens, which have no guards between."""
    held = (row for row, token in enumerate(tokens) if token != GUARD)
    return {row: position for position, row in enumerate(held)}


def _columns(tokens: Sequence[int], fields: Iterable[int], ways: Iterable[int], peer: Text) -> list[int]:
    """The peer's positions on a path: in each sentence the last ones that hold the path's words."""
    found: set[int] = set()
    start = 0
    for way, sentence in zip(ways, peer.sentences, strict=True):
        for field in fields:
            on_it = way & field
            lowest = max((on_it & -on_it).bit_length() - 1, 0)
            words = [tokens[row] for row in range(lowest, on_it.bit_length()) if on_it >> row & 1]
            places = iter(range(len(sentence) - 1, -1, -1))
            for token in reversed(words):
                found.add(start + next(place for place in places if sentence[place] == token))
        start += len(sentence)
    return sorted(found)


def _take(wanted: Counter[int], on_path: Sequence[int], peer: Text, marks: _Marks) -> None:
    """Mark as many of the peer's words as count, those on a path before others."""
    tokens = list(chain.from_iterable(peer.sentences))
    for position in chain(on_path, range(len(tokens))):
        if position not in marks.counted and wanted[tokens[position]] > 0:
            wanted[tokens[position]] -= 1
            marks.counted.add(position)
    marks.clipped.update(on_path)


def _powers(
    metric: WeightedLcs, model: Text, peer: Text, matches: Sequence[Match], counts: Counts
) -> list[str]:
    """How ROUGE-W makes its counts (QUIRKS 19)."""
    exponent = metric.label.removeprefix("ROUGE-W-")
    lengths = terms([f"{len(sentence)}^{exponent}" for sentence in model.sentences if sentence])
    matched = terms([f"{len(match.unit)}^{exponent}" for match in matches])
    return [
        f"model = ({lengths})^{exponent} = {number(counts.model)}",
        f"peer = {len(peer.tokens)}^{exponent} = {number(counts.peer)}",
        f"match = {matched} = {number(counts.match)}",
    ]
