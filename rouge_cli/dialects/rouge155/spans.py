"""The tokens of a text as ROUGE-1.5.5 reads it, with their positions, for explanations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from rouge_cli import explanation, formats
from rouge_cli.core import Document, EvalTask, Explanation, Separator, Source, Token, ignore_notice, number
from rouge_cli.dialects.rouge155.setup import FORMATS, Rounded, Setup, WordForms
from rouge_cli.dialects.rouge155.texts import Preparation
from rouge_cli.explanation import places_of
from rouge_cli.metrics import Metric
from rouge_cli.metrics.ngram import NGram
from rouge_cli.text.normalization import find_tokens, folding
from rouge_cli.text.stemmers import SHORTEST_STEMMED, RougeStemmer
from rouge_cli.text.survey import PREDICTIONS, REFERENCES
from rouge_cli.text.tokens import first_reading, second_reading, tokens

if TYPE_CHECKING:
    Normalized = tuple[bytes, str, str]  # a token's form, its rule, and why it is dropped

# The rule of forms from the list of irregular forms.
IRREGULAR = "irregular form"

# A sentence begins after the first > that follows these bytes in its line.
_HEADS: Mapping[str, bytes] = {"see": b" id=", "isi": b"<S SNTNO="}

_SEPARATORS = re.compile(rb"[\x80-\xff]+|(?<=[0-9A-Za-z])[!-/:-@\[-`{-~](?=[0-9A-Za-z])")


def explain(setup: Setup, task: EvalTask) -> dict[str, list[Explanation]]:
    """Explain the peers of a loaded task; scores are those of `-t 0`."""
    by_label = {metric.label: metric for metric in setup.metrics}

    def read(document: Document, side: str) -> Callable[[str], Source]:
        by_stems = cache(lambda stemmed: source(setup, task, document, stemmed, side))
        return lambda label: by_stems(stems(setup, by_label[label], side))

    measures = [(metric.label, metric, Rounded(setup, metric)) for metric in setup.metrics]
    return explanation.explain(task, measures, read)


def source(
    setup: Setup, task: EvalTask, document: Document, stemmed: tuple[bool, bool], side: str
) -> Source:
    """Return a document as a metric with this result of `stems` reads it."""
    if task.input_format == "simple":
        return _elements(setup, task, document, side)
    units = list(_units(setup, document.data, task.input_format))
    by_bytes = setup.limit is not None and not setup.limit.in_words
    sentences = [unit for _, unit in units]
    second = second_reading(sentences, setup.limit)
    first = first_reading(sentences, setup.limit) if by_bytes else second
    whole, by_sentence = (
        list(_tokens(setup, units, cut, stems=is_stemmed))
        for cut, is_stemmed in zip((first, second), stemmed, strict=True)
    )
    return Source(
        document.data,
        [(start, start + len(unit)) for start, unit in units],
        whole,
        by_sentence,
        separators=list(_separators(units)) if setup.tokenize is tokens else (),
    )


def stems(setup: Setup, metric: Metric, side: str) -> tuple[bool, bool]:
    """Return whether the first and the second reading of a text are stemmed."""
    if setup.stem_models and side == REFERENCES and not setup.stem:
        # -M affects only some metrics (QUIRKS 21).
        return metric.reading != "plain", metric.reading == "stemmed"
    return setup.stem, setup.stem


def _units(setup: Setup, data: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    """Yield the text's sentences as its format defines them, each with its position."""
    read = formats.named(name).read
    if setup.split or name not in FORMATS:
        units = read(data).units
        if setup.split:
            units = setup.split(b"\n".join(units))
        yield from ((start, unit) for (start, _), unit in zip(places_of(data, units), units, strict=True))
        return
    for line in re.finditer(rb"[^\n]*\n|[^\n]+", data):
        for unit in read(line[0]).units:
            head = line[0].index(b">", line[0].index(_HEADS[name])) + 1 if name in _HEADS else 0
            yield line.start() + head, unit


def _tokens(
    setup: Setup, units: Sequence[tuple[int, bytes]], cut_sentences: Sequence[bytes], *, stems: bool
) -> Iterator[Token]:
    """Yield all tokens of the units, including tokens beyond the limit, which cuts the sentences."""
    normalize = _normalizer(setup, stems=stems)
    for sentence, (start, unit) in enumerate(units):
        cut = cut_sentences[sentence] if sentence < len(cut_sentences) else b""
        end = 0
        for word, (first, end) in _words(setup, unit, cut):
            yield _token(unit, start, (first, end), sentence, normalize(word))
        if cut != unit and setup.limit:
            why = f"beyond {number(setup.limit.most)} {'words' if setup.limit.in_words else 'bytes'}"
            for _, (first, last) in _words(setup, unit[end:], unit[end:]):
                yield _token(unit, start, (end + first, end + last), sentence, (b"", "", why))


def _words(setup: Setup, unit: bytes, cut: bytes) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """Return the raw tokens of the beginning of a unit, each with its range in the unit."""
    raw = setup.tokenize(cut)
    words = [word.decode("utf-8", "surrogateescape") for word in raw]
    return zip(raw, find_tokens(unit, setup.fold or folding("classic"), words), strict=True)


def _token(unit: bytes, start: int, span: tuple[int, int], sentence: int, normalized: Normalized) -> Token:
    form, rule, why = normalized
    surface = unit[slice(*span)].decode("utf-8", "replace")
    # Forms are compared as text, so different bytes must not decode to the same text.
    text = form.decode("utf-8", "backslashreplace")
    return Token(surface, text, start + span[0], start + span[1], sentence, rule, why)


def _normalizer(setup: Setup, *, stems: bool) -> Callable[[bytes], Normalized]:
    """Return a function from a raw token to its form, its rule, and why it is dropped."""
    words = WordForms(setup, ignore_notice)
    form_of = words.stemmed if stems else words.plain
    irregular = words.stem.irregular if isinstance(words.stem, RougeStemmer) and stems else {}

    def normalize(raw: bytes) -> Normalized:
        form = form_of(raw) if form_of else raw
        if form is None:
            return b"", "", "stop word"
        if raw in irregular and len(raw) >= SHORTEST_STEMMED:
            return form, IRREGULAR, ""
        return form, ("stemmer" if setup.stemmer else "Porter") if form != raw else "", ""

    return normalize


def _separators(units: Sequence[tuple[int, bytes]]) -> Iterator[Separator]:
    """Yield the separators inside words (QUIRKS 7), except white space."""
    for start, unit in units:
        for match in _SEPARATORS.finditer(unit):
            kinds = {b"-": "hyphen", b"'": "apostrophe"}
            kind = kinds.get(match[0], "punctuation" if match[0].isascii() else "non-ASCII")
            surface = match[0].decode("utf-8", "replace")
            yield Separator(surface, start + match.start(), start + match.end(), kind)


def _elements(setup: Setup, task: EvalTask, document: Document, side: str) -> Source:
    """Return the source of basic elements: every line is a token, and its form is the element."""
    text = Preparation(setup, ignore_notice).prepare(document, task, side)[0].plain
    units = list(_units(setup, document.data, "simple"))
    tokens = []
    for sentence, ((start, unit), element) in enumerate(zip(units, text.elements, strict=True)):
        form = b"|".join(element[:3])
        rule = "Porter" if form != unit.lower().rstrip(b"|") else ""
        tokens.append(_token(unit, start, (0, len(unit)), sentence, (form, rule, "")))
    places = [(start, start + len(unit)) for start, unit in units]
    return Source(document.data, places, tokens, tokens, text)


def tokens_of(setup: Setup, document: Document, input_format: str) -> Sequence[Token]:
    """Return the tokens of a document as ROUGE-1 of a peer reads it."""
    setup = setup._replace(metrics=[NGram(1)])
    task = EvalTask("", {}, [], input_format, document.where)
    return source(setup, task, document, stems(setup, NGram(1), PREDICTIONS), PREDICTIONS).tokens
