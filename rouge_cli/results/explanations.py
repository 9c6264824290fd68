"""Explanations: what a prediction shares with each reference, and how its scores are
computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from rouge_cli import metrics
from rouge_cli.core import Explanation, Match, Pair, Side, Source, Token, number
from rouge_cli.results import base, printed
from rouge_cli.results.base import Layout, Paged, Record
from rouge_cli.results.printed import Cell, Piece, Row, Table, visible
from rouge_cli.results.single_evals import COUNTS, FIGURES

# Mark of a word -> its element and its look in a notebook, by light and by dark
_ELEMENTS = {
    "counted": ("mark", "background: #b7e4c7; color: #000; padding: 0 2px"),
    "clipped": ("u", "text-decoration: underline dotted"),
    "dropped": ("s", "opacity: 0.7"),
}
_NAMES_OF_MARKS = {
    "counted": "counted",
    "clipped": "more often than in the other text",
    "dropped": "dropped",
}
_LEGEND = "<p>{}</p>\n".format(
    " &nbsp; ".join(
        f'<{element} style="{style}">{_NAMES_OF_MARKS[mark]}</{element}>'
        for mark, (element, style) in _ELEMENTS.items()
    )
)
Lines = Sequence[Sequence[Piece]]

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
    heads = ("metric", "reference_id", *_MATCH, *COUNTS, *FIGURES)

    metrics: Sequence[Explanation]
    signature: str = ""
    dialect: str = "rouge155"
    eval_id: str = ""  # empty for texts that are of no eval

    def prose(self, layout: Layout) -> Iterator[list[Piece]]:
        """Yield the texts with marked words, the matches and the arithmetic, metric
        by metric.
        """
        remarks = list(_remarks_on_texts(self, layout))
        if remarks:
            yield [Piece("Tokens", "head")]
            for remark in remarks:
                yield [Piece(f"  {remark}")]
        for index, explanation in enumerate(self.metrics):
            if index or remarks:
                yield []
            yield [Piece(explanation.label, "head")]
            for pair in explanation.pairs:
                yield from _prose_of_pair(pair, explanation, layout)
            for line in explanation.arithmetic:
                yield [Piece(f"  {line}")]

    def marked_texts(self) -> Iterator[tuple[str, Sequence[tuple[str, Lines]]]]:
        """Yield the label of each metric with its texts: the name of a text, and its
        lines of marked pieces.
        """
        for explanation in self.metrics:
            texts = []
            for pair in explanation.pairs:
                reference = f"reference {visible(pair.reference_id)}"
                system = f"system {visible(explanation.system)}"
                texts.append((reference, _lines(pair.reference)))
                texts.append((system, _lines(pair.prediction)))
            yield explanation.label, texts

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield the scores and counts of all metrics, then the matches of each."""
        rows = []
        for explanation in self.metrics:
            cells = [Cell(number(count)) for count in _counts(explanation).values()]
            for value in explanation.score:
                cells.append(Cell(f"{value:.{layout.digits}f}"))
            rows.append(Row((explanation.label,), cells))
        yield Table(("metric",), (*COUNTS, "R", "P", "F"), rows)
        for explanation in self.metrics:
            yield _match_table(explanation, layout)

    def notes(self, layout: Layout) -> Iterator[str]:
        """Yield remarks on changed and dropped words, and the arithmetic."""
        yield from map(visible, _remarks_on_texts(self, layout))
        for explanation in self.metrics:
            for line in explanation.arithmetic:
                yield f"{explanation.label}: {line}"

    def document(self, _: Layout) -> Record:
        """Return every token, match and count; positions are offsets in bytes of the
        file.
        """
        metrics = []
        for explanation in self.metrics:
            record = {
                "metric": explanation.label,
                **explanation.score._asdict(),
                "counts": _counts(explanation),
                "arithmetic": explanation.arithmetic,
                "references": [_pair(pair) for pair in explanation.pairs],
            }
            metrics.append(record)
        system = self.metrics[0].system if self.metrics else None
        return {"dialect": self.dialect, "system": system, "metrics": metrics}

    def page(self, layout: Layout) -> Record:
        """Return the contents of an HTML page: the texts with marked words, all
        matches, the arithmetic.
        """
        title = "Explanation of nothing"
        systems = dict.fromkeys(
            visible(explanation.system) for explanation in self.metrics
        )
        if systems:
            of_eval = f"eval {visible(self.eval_id)}, " if self.eval_id else ""
            title = f"Explanation of {of_eval}system {' '.join(systems)}"
        remarks = _remarks_on_texts(self, layout._replace(most=None))
        return {
            "title": title,
            "dialect": self.dialect,
            "remarks": [visible(remark) for remark in remarks],
            "metrics": self.metrics,
            "visible": visible,
            "lines": _lines,
            "matches": _matches,
            "sizes": _sizes,
        }

    def _repr_html_(self) -> str:
        """Return the texts with marked words for notebooks, and the arithmetic."""
        parts = [_LEGEND]
        for explanation, (label, texts) in zip(
            self.metrics, self.marked_texts(), strict=True
        ):
            parts.append(f"<h4>{escape(visible(label))}</h4>\n<dl>\n")
            for name, lines in texts:
                marked = "<br>".join("".join(map(_marked, line)) for line in lines)
                parts.append(f"<dt>{escape(name)}</dt><dd>{marked}</dd>\n")
            steps = "<br>".join(escape(line) for line in explanation.arithmetic)
            parts.append(f"</dl>\n<p>{steps}</p>\n")
        return "".join(parts)

    def entries(self, _: Layout) -> Iterator[Record]:
        """Yield for each metric a record of counts and scores, then a record for each
        reference's matches.
        """
        for explanation in self.metrics:
            label = explanation.label
            entry: Record = {"metric": label}
            for name, count in _counts(explanation).items():
                entry[name] = base.number(count)
            yield {**entry, **explanation.score._asdict()}
            for pair in explanation.pairs:
                for match in pair.matches:
                    yield {
                        "metric": label,
                        "reference_id": pair.reference_id,
                        **match._asdict(),
                        "unit": _join(match.unit, label),
                        "prediction_unit": _join(match.prediction_unit, label),
                    }


def _marked(piece: Piece) -> str:
    """Return a piece of a text in HTML."""
    text = escape(visible(piece.text)) if piece.text else ""
    if piece.mark not in _ELEMENTS:
        return text
    element, style = _ELEMENTS[piece.mark]
    return f'<{element} style="{style}">{text}</{element}>'


def _counts(counted: Explanation | Pair) -> dict[str, float]:
    """Return the three counts of a metric, or of a pair of texts, by name."""
    return {name: getattr(counted.counts, name) for name in COUNTS}


def _prose_of_pair(
    pair: Pair, explanation: Explanation, layout: Layout
) -> Iterator[list[Piece]]:
    """Yield the two texts of a pair, their matches, and the steps to their score."""
    reference = f"reference {visible(pair.reference_id)}"
    system = f"system {visible(explanation.system)}"
    width = max(len(reference), len(system))
    yield from _text(reference.ljust(width), pair.reference)
    yield from _text(system.ljust(width), pair.prediction)

    matches = _matches(pair, explanation.label)
    for match in matches[: layout.most]:
        yield [Piece(f"    {match}")]
    more = base.left_out(matches, layout)
    if more:
        yield [Piece(f"    {more}")]

    for step in pair.steps or [_sizes(pair)]:
        yield [Piece(f"  {step}")]


def _match_table(explanation: Explanation, layout: Layout) -> Table:
    """Return the table of the matches under one metric."""
    rows = []
    for pair in explanation.pairs:
        for match in _rank(pair):
            unit = visible(_unit_name(match, explanation.label))
            in_prediction = printed.NOTHING
            if match.in_prediction is not None:
                in_prediction = str(match.in_prediction)
            cells = [
                Cell(str(match.in_reference)),
                Cell(in_prediction),
                Cell(str(match.counted)),
                Cell(number(match.worth)),
            ]
            rows.append(Row((visible(pair.reference_id), unit), cells))
    return Table(
        names=("reference", "match"),
        numbers=("in reference", "in prediction", "counted", "worth"),
        rows=rows[: layout.most],
        caption=f"{explanation.label}, system {visible(explanation.system)}",
        remark=base.left_out(rows, layout),
    )


def _lines(side: Side) -> list[list[Piece]]:
    """Return the lines of a text without the column of its name."""
    return [pieces for _, *pieces in _text("", side)]


def _text(name: str, side: Side) -> Iterator[list[Piece]]:
    """Yield the name and the sentences of a text, one sentence per line."""
    by_sentence: dict[int, list[tuple[int, Token]]] = {}
    for index, token in enumerate(side.tokens):
        by_sentence.setdefault(token.sentence, []).append((index, token))
    head = f"  {name}  "
    for sentence, (start, end) in enumerate(side.source.sentences):
        line = [Piece(head)]
        position = start
        for index, token in by_sentence.get(sentence, ()):
            line.append(Piece(_decode(side.source.data[position : token.start])))
            surface = token.surface.translate(_CONTROLS)
            line.append(Piece(surface, mark(side, index, token)))
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
    """Return the counts of a pair in words."""
    counts = [f"{name} {number(count)}" for name, count in _counts(pair).items()]
    return ", ".join(counts)


def _matches(pair: Pair, label: str) -> list[str]:
    """Return the matches of a pair in words, those that count most first."""
    return [_match(match, label) for match in _rank(pair)]


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
    name = _join(match.unit, label)
    if match.prediction_unit:
        name += f" = {_join(match.prediction_unit, label)} in the prediction"
    return name


def _join(unit: Sequence[str], label: str) -> str:
    separator = "|" if metrics.declares(label, "counts_elements") else " "
    return separator.join(unit)


def _remarks_on_texts(explanations: Explanations, layout: Layout) -> Iterator[str]:
    """Yield a line for each text that lists its changed and dropped words by reason."""
    if not explanations.metrics:
        return
    first = explanations.metrics[0]
    sources = []
    for pair in first.pairs:
        name = f"reference {visible(pair.reference_id)}"
        sources.append((name, pair.reference.source))
    if first.pairs:
        name = f"system {visible(first.system)}"
        sources.append((name, first.pairs[0].prediction.source))
    for name, source in sources:
        remarks = list(_remarks_on_text(source, layout))
        if remarks:
            yield f"{name}: {'; '.join(remarks)}"


def _remarks_on_text(source: Source, layout: Layout) -> Iterator[str]:
    """Yield a remark for each reason for which words were changed or dropped."""
    changes: dict[str, list[str]] = {}
    for token in source.tokens:
        if token.why_dropped:
            reason = f"dropped ({token.why_dropped})"
            changes.setdefault(reason, []).append(token.surface)
        elif token.rule:
            change = f"{token.surface} -> {token.form}"
            changes.setdefault(token.rule, []).append(change)
    for separator in source.separators:
        reason = f"separates ({separator.kind})"
        changes.setdefault(reason, []).append(separator.surface)

    for reason, texts in changes.items():
        different = list(dict.fromkeys(text.translate(_CONTROLS) for text in texts))
        shown = [text for text in different[: layout.most] if text]
        more = base.left_out(different, layout)
        if more:
            shown.append(more)
        yield f"{reason}: {', '.join(shown)}"


def _pair(pair: Pair) -> Record:
    return {
        "reference_id": pair.reference_id,
        "counts": _counts(pair),
        "steps": pair.steps,
        "matches": [match._asdict() for match in pair.matches],
        "reference": _side(pair.reference),
        "prediction": _side(pair.prediction),
    }


def _side(side: Side) -> Record:
    tokens = []
    for index, token in enumerate(side.tokens):
        tokens.append({**token._asdict(), "mark": mark(side, index, token)})
    return {
        "sentences": side.source.sentences,
        "tokens": tokens,
        "separators": [separator._asdict() for separator in side.source.separators],
    }
