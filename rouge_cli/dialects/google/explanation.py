"""Explain how Google's rouge_score reads a text, token by token, and its arithmetic."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, partial
from typing import TYPE_CHECKING

from rouge_cli.dialects.google import rouge_scorer
from rouge_cli.dialects.google.options import build
from rouge_cli.dialects.google.program import join_sentences
from rouge_cli.dialects.google.scoring import LCS_TYPES
from rouge_cli.explanation import Source, Token
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.pairwise import explanation
from rouge_cli.pairwise.program import units_of
from rouge_cli.text import normalization, tokenizers
from rouge_cli.text.places import find_tokens, folding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from rouge_cli.core import Document
    from rouge_cli.options import Options


def specification(options: Options) -> explanation.Specification:
    """Return the parts of an explanation that only this dialect has."""
    return explanation.Specification(
        build,
        # The LCS of two texts is the union LCS of texts of one sentence each, which can be explained.
        lambda label: Lcs() if label in LCS_TYPES else rouge_scorer.metric(label),
        explanation.BEST,
        explanation.harmonic_f,
        read=partial(_read, options),
    )


explainer = partial(explanation.explainer, specification)


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Return each token as in the text (but lower-cased), and the counted form."""
    tokens = _tokens(options, join_sentences(units_of(options, document, input_format)))
    return [(token.surface.lower(), token.form) for token in tokens]


def _read(options: Options, document: Document, input_format: str) -> explanation.Read:
    text = join_sentences(units_of(options, document, input_format))
    sources = cache(partial(_source, options, text))
    return text, lambda label: sources(label if label in LCS_TYPES else "")


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
