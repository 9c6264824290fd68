"""Explain how ROUGE 2.0 reads a text, token by token, its matches by synonyms, and its arithmetic."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from rouge_cli.core import ignore_notice
from rouge_cli.dialects.rouge2 import options as rouge2
from rouge_cli.dialects.rouge2 import texts
from rouge_cli.dialects.rouge2.forms import dropping, lines
from rouge_cli.dialects.rouge2.forms import forms as compared_forms
from rouge_cli.dialects.rouge2.matches import Text, View, pair
from rouge_cli.dialects.rouge2.program import TAGGED
from rouge_cli.explanation import NOTHING_TO_DIVIDE_BY, Explanation, Token, number, share, terms
from rouge_cli.pairwise.program import units_of
from rouge_cli.text.places import folding, with_places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import Document, EvalTask, Score
    from rouge_cli.dialects.rouge2.labels import Measure
    from rouge_cli.dialects.rouge2.program import Rouge2
    from rouge_cli.options import Options

_TAG = re.compile(r"_[^_\s]+(?!\S)")


def explainer(options: Options) -> Callable[[EvalTask], Mapping[str, list[Explanation]]]:
    """Return a function that explains every peer of a loaded eval."""
    program = rouge2.build(options, Counter(), ignore_notice)

    def explain(task: EvalTask) -> Mapping[str, list[Explanation]]:
        read = partial(_text, program, task)
        models = [(model_id, read(text)) for model_id, text in task.models]
        peers = {peer_id: read(text) for peer_id, text in task.peers.items()}
        views = {
            measure: [(model_id, _view(text, measure, program)) for model_id, text in models]
            for measure in program.measures
        }
        return {
            peer_id: [
                _explanation(program, measure, peer_id, _view(text, measure, program), view)
                for measure, view in views.items()
            ]
            for peer_id, text in peers.items()
        }

    return explain


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Return each token (`@` for a run of digits), and the form that is counted."""
    stem = rouge2.stemmer(options["stemmer"])
    tokenize = rouge2.tokenizer(options["tokenizer"])
    lines = texts.paper_lines(document, units_of(options, document, input_format), tokenize, tagged=False)
    return [(word, stem(word)) for line in lines for word, _ in line]


# Tokens.


def _text(program: Rouge2, task: EvalTask, document: Any) -> Text:  # noqa: ANN401 - a Document
    reading, _ = program.read(document, task, "")
    if program.preprocessing.program:
        ends = re.finditer(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", document.data)
        spans = [(end.start(), end.start() + len(end[0].rstrip(b"\r\n"))) for end in ends]
        if program.options["tagger"] == TAGGED:
            spans = [span for span in spans if document.data[slice(*span)].decode("latin-1").strip()]
        return Text(reading, document.data, spans)
    shown = [unit.replace(b"\n", b" ") for unit in units_of(program.options, document, task.input_format)]
    starts = [0]
    for line in shown:
        starts.append(starts[-1] + len(line) + 1)
    spans = [(start, start + len(line)) for start, line in zip(starts, shown, strict=False)]
    return Text(reading, b"\n".join(shown), spans)


def _view(text: Text, measure: Measure, program: Rouge2) -> View:
    """Return the tokens of a text, counted and dropped, and what the measure compares."""
    preprocessing = program.preprocessing
    why_dropped = dropping(measure, preprocessing)
    compared = compared_forms(text.reading, measure, preprocessing)
    tokens: list[Token] = []
    counted: list[int] = []
    for sentence, words in enumerate(lines(text.reading, measure, preprocessing)):
        start, end = text.lines[sentence]
        line = text.data[start:end]
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
    return View(text, tokens, counted, compared)


def _places(words: Iterable[texts.Word], line: bytes, program: bool) -> Iterator[tuple[int, int]]:  # noqa: FBT001
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


# Scores.


def _explanation(
    program: Rouge2, measure: Measure, peer_id: str, peer: View, models: Sequence[tuple[str, View]]
) -> Explanation:
    pairs = [pair(program, measure, model_id, model, peer) for model_id, model in models]
    counts = [one_model.counts for one_model in pairs]
    total, score = program.combined(measure, counts)
    steps = [
        _share("recall", "model", score.recall, [(part.match, part.model) for part in counts]),
        _share("precision", "peer", score.precision, [(part.match, part.peer) for part in counts]),
        _f(score, program.options["alpha"]),
    ]
    return Explanation(measure.label, peer_id, pairs, steps, total, score)


def _share(name: str, side: str, value: float, parts: Sequence[tuple[float, float]]) -> str:
    if len(parts) == 1:
        return share(name, side, *parts[0], value)
    ratios = [f"{number(match)} / {number(whole)}" for match, whole in parts]
    note = "" if all(whole for _, whole in parts) else NOTHING_TO_DIVIDE_BY
    return f"{name} = mean of match / {side} = ({terms(ratios)}) / {len(ratios)} = {value:.5f}{note}"


def _f(score: Score, alpha: float) -> str:
    r, p = f"{score.recall:.5f}", f"{score.precision:.5f}"
    if not (score.recall > 0 or score.precision > 0):
        return f"F = {score.f:.5f}{NOTHING_TO_DIVIDE_BY}"
    if not alpha:
        return f"F = R, since alpha is 0, = {score.f:.5f}"
    square = f"{(1 - alpha) / alpha:g}"
    return (
        f"F = (1 + b^2) R P / (b^2 P + R), b^2 = (1 - alpha) / alpha = {square}: "
        f"(1 + {square}) x {r} x {p} / ({square} x {p} + {r}) = {score.f:.5f}"
    )
