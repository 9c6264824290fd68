"""Explain the timeline metrics: the days that are aligned, their words, and the arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Counts, ignore_notice
from rouge_cli.dialects.tilse import labels
from rouge_cli.dialects.tilse import options as tilse
from rouge_cli.dialects.tilse.counts import size
from rouge_cli.dialects.tilse.program import score_counts
from rouge_cli.explanation import (
    Explanation,
    Pair,
    Side,
    Source,
    Token,
    number,
    pair,
    places_of,
    share,
    weighted_f,
)
from rouge_cli.formats import timeline
from rouge_cli.metrics.ngram import NGram
from rouge_cli.pairwise.explanation import addition_steps
from rouge_cli.text.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from rouge_cli.core import Document, EvalTask
    from rouge_cli.dialects.tilse.counts import Aligned, Days, Engine, Link, TimelineCounts
    from rouge_cli.dialects.tilse.labels import TimelineMeasure
    from rouge_cli.explanation import Match
    from rouge_cli.options import Options


class _Timeline(NamedTuple):
    """A timeline as it is scored, and as a text: for each day its date, and a line for each sentence.

    places: for each day the range of its tokens, as (first, one past the last).
    """

    days: Days
    source: Source
    places: Mapping[date, tuple[int, int]]

    def day(self, day: date) -> Source:
        """Return the tokens of a day; none if there is no such day."""
        day_tokens = self.source.tokens[slice(*self.places.get(day, (0, 0)))]
        return self.source._replace(tokens=day_tokens, by_sentence=day_tokens)


def explainer(options: Options) -> Callable[[EvalTask], Mapping[str, list[Explanation]]]:
    """Return a function that explains every peer of a loaded eval."""
    engine = tilse.engine(options, ignore_notice)
    measures = [tilse.parse(label) for label in options["metrics"]]

    def explain(task: EvalTask) -> Mapping[str, list[Explanation]]:
        models = [(model_id, _read(engine, text, options)) for model_id, text in task.models]
        explained = {}
        for peer_id, text in task.peers.items():
            peer = _read(engine, text, options)
            metrics = list(dict.fromkeys(measure.metric for measure in measures))
            scores = engine.score(peer.days, [model.days for _, model in models], metrics)
            explained[peer_id] = [
                _explanation(options, measure, peer_id, peer, models, scores) for measure in measures
            ]
        return explained

    return explain


def forms(options: Options, document: Document, input_format: str) -> Sequence[tuple[str, str]]:  # noqa: ARG001 - a timeline is one whatever its input is called
    """Return each token as the text has it, and the form that is counted; empty if it is dropped."""
    tokens = _read(tilse.engine(options, ignore_notice), document, options).source.tokens
    return [(token.surface.lower(), token.form) for token in tokens]


# Texts.


def _read(engine: Engine, document: Any, options: Mapping[str, Any]) -> _Timeline:  # noqa: ANN401 - a Document
    days = timeline.only(document.data, document.where, ignore_notice, repeated=options["repeated"])
    data = b""
    spans: list[tuple[int, int]] = []
    tokens: list[Token] = []
    places: dict[date, tuple[int, int]] = {}
    for day, lines in sorted(days.items()):
        first = len(tokens)
        for place, line in enumerate([day.isoformat(), *lines]):
            text = line.encode("utf-8", "replace").replace(b"\n", b" ")
            if place:
                tokens += _tokens(engine, text, len(data), len(spans))
            spans.append((len(data), len(data) + len(text)))
            data += text + b"\n"
        places[day] = first, len(tokens)
    return _Timeline(engine.days(days), Source(data, spans, tokens, tokens), places)


def _tokens(engine: Engine, text: bytes, start: int, sentence: int) -> Iterator[Token]:
    raw = tokens(text)
    for word, (first, last) in zip(raw, places_of(text.lower(), raw), strict=True):
        form = engine.normalize(word) if engine.normalize else word
        surface = text[first:last].decode("utf-8", "replace")
        rule = "stemmer" if form is not None and form != word else ""
        why = "" if form is not None else "stop word"
        yield Token(surface, (form or b"").decode(), start + first, start + last, sentence, rule, why)


# Scores.


def _explanation(  # noqa: PLR0913, PLR0917 - a run, and what is explained
    options: Options,
    measure: TimelineMeasure,
    peer_id: str,
    peer: _Timeline,
    models: Sequence[tuple[str, _Timeline]],
    scores: TimelineCounts,
) -> Explanation:
    counts = scores.counts[measure.metric][measure.n - 1]
    score = score_counts(counts, options["alpha"])
    aligned = scores.alignments.get(measure.metric)
    pairs = [_pair(measure, model_id, model, peer, aligned) for model_id, model in models]
    steps = [
        *(_alignment(aligned, measure.n) if aligned else ()),
        *(addition_steps(pairs, counts) if len(pairs) > 1 else ()),
        share("recall", "model", counts.match, counts.model, score.recall),
        share("precision", "peer", counts.matched, counts.peer, score.precision),
        weighted_f(score, options["alpha"]),
    ]
    return Explanation(measure.label, peer_id, pairs, steps, counts, score)


def _alignment(aligned: Aligned, n: int) -> Iterator[str]:
    """Yield the days that are compared, and the weights of their matches."""
    if not aligned.recall and not aligned.precision:
        yield "no day is compared with another"
    if sorted(aligned.recall) == sorted(aligned.precision):
        yield from (_link(link, n) for link in aligned.recall)
        return
    for name, links in (("recall", aligned.recall), ("precision", aligned.precision)):
        yield from (f"for {name} {_link(link, n)}" for link in links)


def _link(link: Link, n: int) -> str:
    days = abs((link.prediction - link.reference).days)
    distance = f"{days} day{'' if days == 1 else 's'} apart" if days else "the same day"
    match = link.matches[n - 1]
    return (
        f"model {link.reference} with peer {link.prediction}: {distance}, cost {link.cost:.5f}, "
        f"match {number(match)} x 1/{days + 1} = {number(match * link.weight)}"
    )


def _pair(
    measure: TimelineMeasure, model_id: str, model: _Timeline, peer: _Timeline, aligned: Aligned | None
) -> Pair:
    """Return the matches of one model and the peer; without an alignment, of the whole texts (concat)."""
    metric = NGram(measure.n)
    if measure.metric == labels.CONCAT or aligned is None:
        return pair(metric, model_id, model.source, peer.source)
    matches, match, of_model = _shared(metric, model, peer, aligned.recall, lambda part: part.model)
    _, peer_match, of_peer = _shared(metric, model, peer, aligned.precision, lambda part: part.peer)
    in_model, in_peer = (
        size([day.text for day in text.days.values()], measure.n) for text in (model, peer)
    )
    counts = Counts(in_model, in_peer, match, peer_match=peer_match)
    steps = [f"model {number(counts.model)}, peer {number(counts.peer)}, match {number(match)}"]
    if peer_match != match:
        steps[0] += f", for precision {number(peer_match)}"
    return Pair(
        model_id,
        _mark_days(model, [(link.reference, side) for link, side in of_model]),
        _mark_days(peer, [(link.prediction, side) for link, side in of_peer]),
        sorted(matches, key=lambda shared: -shared.counted * shared.worth),
        counts,
        steps,
    )


def _shared(
    metric: NGram,
    model: _Timeline,
    peer: _Timeline,
    links: Iterable[Link],
    side: Callable[[Pair], Side],
) -> tuple[list[Match], float, list[tuple[Link, Side]]]:
    """Return the matches of days that are linked, their sum, and the marks on one side."""
    matches: list[Match] = []
    total = 0.0
    sides = []
    for link in links:
        part = pair(metric, "", model.day(link.reference), peer.day(link.prediction))
        matches += (match._replace(worth=link.weight) for match in part.matches)
        total += link.weight * part.counts.match
        sides.append((link, side(part)))
    return matches, total, sides


def _mark_days(text: _Timeline, days: Iterable[tuple[date, Side]]) -> Side:
    """Return the whole timeline with the marks of its days."""
    counted: set[int] = set()
    clipped: set[int] = set()
    for day, side in days:
        first = text.places.get(day, (0, 0))[0]
        counted.update(first + place for place in side.counted)
        clipped.update(first + place for place in side.clipped)
    return Side(text.source, text.source.tokens, frozenset(counted), frozenset(clipped - counted))
