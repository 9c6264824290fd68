"""Explain how Google's rouge_score reads a text, token by token, and its arithmetic."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import partial
from typing import TYPE_CHECKING

from rouge_cli import formats
from rouge_cli.core import Score
from rouge_cli.dialects.google import rouge_scorer
from rouge_cli.dialects.google.program import join_sentences
from rouge_cli.dialects.google.scoring import LCS_TYPES, make_score
from rouge_cli.explanation import (
    NOTHING_TO_DIVIDE_BY,
    Explanation,
    Source,
    Token,
    pair,
    share,
)
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.pairwise.explanation import best_model, harmonic_f
from rouge_cli.reading import load_texts
from rouge_cli.text import normalization, sentences, tokenizers
from rouge_cli.text.places import find_tokens, folding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from rouge_cli.core import Counts, Document, EvalTask
    from rouge_cli.options import Options


def explainer(options: Options) -> Callable[[EvalTask], Mapping[str, list[Explanation]]]:
    """Return a function that explains every peer of an eval that was scored."""

    def explain(task: EvalTask) -> Mapping[str, list[Explanation]]:
        task = load_texts(task, [peer_id for peer_id, text in task.peers.items() if text])
        read = partial(_text, options, input_format=task.input_format)
        models = [(model_id, read(text)) for model_id, text in task.models]
        sources: dict[tuple[str, str], Source] = {}

        def source(text: str, label: str) -> Source:
            key = text, label if label in LCS_TYPES else ""
            if key not in sources:
                sources[key] = _source(options, text, label)
            return sources[key]

        return {
            peer_id: [
                _explanation(label, peer_id, read(text), models, source) for label in options["metrics"]
            ]
            for peer_id, text in task.peers.items()
        }

    return explain


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Return each token as in the text (but lower-cased), and the counted form."""
    tokens = _tokens(options, _text(options, document, input_format))
    return [(token.surface.lower(), token.form) for token in tokens]


def _text(options: Mapping[str, Any], document: Any, input_format: str) -> str:  # noqa: ANN401 - a Document
    """Return the string that rouge_score would be given, before normalization."""
    units = formats.summary(input_format or "spl", document).units
    split = sentences.named(options["sentences"])
    return join_sentences(split(b"\n".join(units)) if split else units, normalization.NONE)


def _explanation(
    label: str,
    peer_id: str,
    peer: str,
    models: Sequence[tuple[str, str]],
    source: Callable[[str, str], Source],
) -> Explanation:
    # The LCS of two texts is the union LCS of texts of one sentence each, which can be explained.
    metric = Lcs() if label in LCS_TYPES else rouge_scorer.metric(label)
    own = source(peer, label)
    pairs = [pair(metric, model_id, source(text, label), own) for model_id, text in models]
    scores = [_score(label, explained.counts) for explained in pairs]
    ranks = [score.f for score in scores]
    best = ranks.index(max(ranks))
    counts, score = pairs[best].counts, scores[best]
    steps = [
        *([best_model(pairs, ranks)] if len(pairs) > 1 else []),
        share("recall", "model", counts.match, counts.model, score.recall),
        share("precision", "peer", counts.match, counts.peer, score.precision),
        f"{harmonic_f(score)} = {score.f:.5f}{'' if counts.match else NOTHING_TO_DIVIDE_BY}",
    ]
    return Explanation(label, peer_id, pairs, steps, counts, score)


def _score(label: str, counts: Counts) -> Score:
    precision, recall, f = make_score(label, *counts[:3])
    return Score(recall, precision, f)


def _source(options: Options, text: str, label: str) -> Source:
    """Return the text as a type reads it: rougeL as one sentence, rougeLsum each line by itself."""
    data = text.encode()
    lines = [(line.start(), line.end()) for line in re.finditer(rb"[^\n]+", data)]
    if label == "rougeLsum":
        by_line = [
            token._replace(start=start + token.start, end=start + token.end, sentence=place)
            for place, (start, end) in enumerate(lines)
            for token in _tokens(options, data[start:end].decode())
        ]
        return Source(data, lines, by_line, by_line)
    tokens = list(_tokens(options, text))
    if label == "rougeL":
        return Source(data, [(0, len(data))] if data else [], tokens, tokens)
    starts = [start for start, _ in lines]
    tokens = [token._replace(sentence=max(0, bisect_right(starts, token.start) - 1)) for token in tokens]
    return Source(data, lines, tokens, tokens)


def _tokens(options: Mapping[str, Any], text: str) -> Iterator[Token]:
    """Yield the tokens of a text as one sentence, with their places in its UTF-8."""
    tokenizer, normalize = options["tokenizer"], options["normalize"]
    shown = normalization.normalize(normalize, text)
    if tokenizer == "google":
        words = re.findall("[a-z0-9]+", shown.lower())
    else:
        words = [token.decode("utf-8", "replace") for token in tokenizers.named(tokenizer)(shown.encode())]
    data = text.encode()
    places = find_tokens(data, folding(tokenizer, normalize), words)
    for word, (start, end) in zip(words, places, strict=True):
        form = rouge_scorer.stem(word) if options["stemmer"] != "none" else word
        yield Token(data[start:end].decode(), form, start, end, 0, "Porter" if form != word else "")
