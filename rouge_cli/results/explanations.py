"""Explanations: what a prediction shares with each reference, and how its scores are
computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rouge_cli import metrics
from rouge_cli.core import Explanation, Match, Pair, Side, Token, number
from rouge_cli.results import base
from rouge_cli.results.base import (
    Cell,
    Layout,
    Paged,
    Piece,
    Record,
    Row,
    Table,
    visible,
)
from rouge_cli.results.scores import COUNTS, FIGURES

_MATCH = (
    "unit",
    "in_reference",
    "in_prediction",
    "counted",
    "worth",
    "prediction_unit",
)
# Labels such as rougeLsum and ROUGE-L+Stemming, too.
_ON_PATHS = re.compile(r"ROUGE-?L(?![a-rt-z])", re.IGNORECASE)
# Control characters could act on a terminal. No line feed is left inside a sentence.
_CONTROLS = dict.fromkeys([*range(32), *range(127, 160)], " ")


@dataclass(frozen=True, slots=True, repr=False)
class Explanations(Paged):
    """The explanations of one prediction, one for each metric."""

    kind = "explanation"

    metrics: Sequence[Explanation]
    signature: str = ""
    dialect: str = "rouge155"

    def prose(self, layout: Layout) -> Iterator[list[Piece]]:
        """Yield the texts with marked words, the matches and the arithmetic, metric
        by metric.
        """
        remarks = list(_remarks_on_texts(self, layout))
        if remarks:
            yield [Piece("Tokens", "head")]
            yield from ([Piece(f"  {remark}")] for remark in remarks)
        for index, explanation in enumerate(self.metrics):
            if index or remarks:
                yield []
            yield [Piece(explanation.label, "head")]
            for pair in explanation.pairs:
                names = (
                    f"reference {visible(pair.reference_id)}",
                    f"system {visible(explanation.system)}",
                )
                for name, side in zip(
                    names, (pair.reference, pair.prediction), strict=True
                ):
                    yield from _text(name.ljust(max(map(len, names))), side)
                matches = [_match(match, explanation.label) for match in _rank(pair)]
                units = [*matches[: layout.most], base.left_out(matches, layout)]
                yield from ([Piece(f"    {unit}")] for unit in filter(None, units))
                yield from (
                    [Piece(f"  {line}")] for line in pair.steps or [_sizes(pair)]
                )
            yield from ([Piece(f"  {line}")] for line in explanation.arithmetic)

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield the scores and counts of all metrics, then the matches of each."""
        scores = []
        for explanation in self.metrics:
            counts = [Cell(number(count)) for count in explanation.counts[:3]]
            score = [Cell(f"{value:.{layout.digits}f}") for value in explanation.score]
            scores.append(Row((explanation.label,), [*counts, *score]))
        yield Table(("metric",), (*COUNTS, "R", "P", "F"), scores)
        for explanation in self.metrics:
            rows = []
            for pair in explanation.pairs:
                for match in _rank(pair):
                    unit = visible(_unit_name(match, explanation.label))
                    in_prediction = (
                        base.NOTHING
                        if match.in_prediction is None
                        else match.in_prediction
                    )
                    values = (
                        match.in_reference,
                        in_prediction,
                        match.counted,
                        number(match.worth),
                    )
                    rows.append(
                        Row(
                            (visible(pair.reference_id), unit),
                            [Cell(str(value)) for value in values],
                        )
                    )
            heads = ("in reference", "in prediction", "counted", "worth")
            caption = f"{explanation.label}, system {visible(explanation.system)}"
            remark = base.left_out(rows, layout)
            yield Table(
                ("reference", "match"), heads, rows[: layout.most], caption, remark
            )

    def notes(self, layout: Layout) -> Iterator[str]:
        """Yield remarks on changed and dropped words, and the arithmetic."""
        yield from map(visible, _remarks_on_texts(self, layout))
        for explanation in self.metrics:
            yield from (
                f"{explanation.label}: {line}" for line in explanation.arithmetic
            )

    def document(self, _: Layout) -> Record:
        """Return every token, match and count; positions are offsets in bytes of the
        file.
        """
        metrics = [
            {
                "metric": explanation.label,
                **explanation.score._asdict(),
                "counts": dict(zip(COUNTS, explanation.counts[:3], strict=True)),
                "arithmetic": explanation.arithmetic,
                "references": [_pair(pair) for pair in explanation.pairs],
            }
            for explanation in self.metrics
        ]
        system = self.metrics[0].system if self.metrics else None
        return {"dialect": self.dialect, "system": system, "metrics": metrics}

    def page(self, layout: Layout) -> Record:
        """Return the contents of an HTML page: the texts with marked words, all
        matches, the arithmetic.
        """
        systems = dict.fromkeys(
            visible(explanation.system) for explanation in self.metrics
        )
        return {
            "title": " ".join(
                ["Explanation of", *(["system", *systems] if systems else ["nothing"])]
            ),
            "dialect": self.dialect,
            "remarks": [
                visible(remark)
                for remark in _remarks_on_texts(self, layout._replace(most=None))
            ],
            "metrics": self.metrics,
            "visible": visible,
            "lines": lambda side: [line[1:] for line in _text("", side)],
            "matches": lambda pair, label: [
                _match(match, label) for match in _rank(pair)
            ],
            "sizes": _sizes,
        }

    def rows(self, _: Layout) -> Iterator[Sequence[object]]:
        """Yield for each metric a row of counts and scores, then a row for each
        reference's matches.
        """
        yield ["metric", "reference_id", *_MATCH, *COUNTS, *FIGURES]
        for explanation in self.metrics:
            counts = map(base.number, explanation.counts[:3])
            label = explanation.label
            yield [label, *[""] * 7, *counts, *explanation.score]
            for pair in explanation.pairs:
                for match in pair.matches:
                    unit, synonym = (
                        _join(match.unit, label),
                        _join(match.prediction_unit, label),
                    )
                    yield [
                        label,
                        pair.reference_id,
                        unit,
                        *match[1:-1],
                        synonym,
                        *[""] * 6,
                    ]


def _text(name: str, side: Side) -> Iterator[list[Piece]]:
    """Yield the name and the sentences of a text, one sentence per line."""
    by_sentence: dict[int, list[tuple[int, Token]]] = {}
    for index, token in enumerate(side.tokens):
        by_sentence.setdefault(token.sentence, []).append((index, token))
    head = f"  {name}  "
    for sentence, (start, end) in enumerate(side.source.sentences):
        line, position = [Piece(head)], start
        for index, token in by_sentence.get(sentence, ()):
            line.append(Piece(_decode(side.source.data[position : token.start])))
            line.append(
                Piece(token.surface.translate(_CONTROLS), mark(side, index, token))
            )
            position = token.end
        yield [*line, Piece(_decode(side.source.data[position:end]).rstrip())]
        head = " " * len(head)
    if not side.source.sentences:
        yield [Piece(head), Piece("(empty)")]


def mark(side: Side, index: int, token: Token) -> str:
    """Return the mark of a token: `counted`, `clipped`, `dropped`, or an empty
    string if unmatched.
    """
    if token.why_dropped:
        return "dropped"
    if index in side.counted:
        return "counted"
    return "clipped" if index in side.clipped else ""


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace").translate(_CONTROLS)


def _sizes(pair: Pair) -> str:
    reference, prediction, match = map(number, pair.counts[:3])
    return f"reference {reference}, prediction {prediction}, match {match}"


def _match(match: Match, label: str) -> str:
    unit = _unit_name(match, label).translate(_CONTROLS)
    if match.in_prediction is None:
        return f"{number(match.worth)} for {unit}"
    if match.in_reference != match.in_prediction:
        where = "on an LCS" if _ON_PATHS.match(label) else "reference"
        unit += f" ({where} {match.in_reference}, prediction {match.in_prediction})"
    worth = f", worth {number(match.worth)} each" if match.worth != 1 else ""
    return f"{match.counted} x {unit}{worth}"


def _rank(pair: Pair) -> Sequence[Match]:
    return sorted(pair.matches, key=lambda match: -match.counted * match.worth)


def _unit_name(match: Match, label: str) -> str:
    """Return the words of the unit, and the prediction's words if they are synonyms."""
    synonym = (
        f" = {_join(match.prediction_unit, label)} in the prediction"
        if match.prediction_unit
        else ""
    )
    return _join(match.unit, label) + synonym


def _join(unit: Sequence[str], label: str) -> str:
    return ("|" if metrics.declares(label, "counts_elements") else " ").join(unit)


def _remarks_on_texts(explanations: Explanations, layout: Layout) -> Iterator[str]:
    """Yield a line for each text that lists its changed and dropped words by reason."""
    if not explanations.metrics:
        return
    first = explanations.metrics[0]
    sources = [
        (f"reference {visible(pair.reference_id)}", pair.reference.source)
        for pair in first.pairs
    ]
    sources += [
        (f"system {visible(first.system)}", pair.prediction.source)
        for pair in first.pairs[:1]
    ]
    for name, source in sources:
        remarks = []
        for token in source.tokens:
            if token.why_dropped:
                remarks.append((f"dropped ({token.why_dropped})", token.surface))
            elif token.rule:
                remarks.append((token.rule, f"{token.surface} -> {token.form}"))
        remarks += [
            (f"separates ({separator.kind})", separator.surface)
            for separator in source.separators
        ]
        listed = []
        for reason, changes in metrics.group(remarks).items():
            texts = list(
                dict.fromkeys(change.translate(_CONTROLS) for change in changes)
            )
            shown = filter(None, [*texts[: layout.most], base.left_out(texts, layout)])
            listed.append(f"{reason}: {', '.join(shown)}")
        if listed:
            yield f"{name}: {'; '.join(listed)}"


def _pair(pair: Pair) -> Record:
    return {
        "reference_id": pair.reference_id,
        "counts": dict(zip(COUNTS, pair.counts[:3], strict=True)),
        "steps": pair.steps,
        "matches": [match._asdict() for match in pair.matches],
        "reference": _side(pair.reference),
        "prediction": _side(pair.prediction),
    }


def _side(side: Side) -> Record:
    return {
        "sentences": side.source.sentences,
        "tokens": [
            {**token._asdict(), "mark": mark(side, index, token)}
            for index, token in enumerate(side.tokens)
        ],
        "separators": [separator._asdict() for separator in side.source.separators],
    }
