"""Explain how ROUGE-1.5.5 reads a text, token by token, and its arithmetic."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from rouge_cli import formats
from rouge_cli.core import Document, EvalTask, ignore_notice
from rouge_cli.dialects.rouge155 import arithmetic
from rouge_cli.dialects.rouge155.options import setup as of_options
from rouge_cli.dialects.rouge155.program import FORMATS, Setup
from rouge_cli.dialects.rouge155.texts import Preparation, load  # noqa: F401 - how `explain` reads files
from rouge_cli.dialects.rouge155.words import WordForms
from rouge_cli.explanation import Explanation, Separator, Source, Token, number, pair, places_of
from rouge_cli.metrics.ngram import NGram
from rouge_cli.text.limit import first_reading, second_reading
from rouge_cli.text.places import find_tokens, folding
from rouge_cli.text.stemmers import SHORTEST_STEMMED, RougeStemmer
from rouge_cli.text.survey import MODELS, PEERS
from rouge_cli.text.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rouge_cli.metrics._metric import Metric
    from rouge_cli.options import Options

    # A token's form, the rule that produced it, and why it is dropped.
    Made = tuple[bytes, str, str]
    Normalize = Callable[[bytes], Made]

# The name of the rule for a form from the list of irregular forms.
IRREGULAR = "irregular form"

# The start of a line's sentence: after the first > that follows these bytes.
_HEADS: Mapping[str, bytes] = {"see": b" id=", "isi": b"<S SNTNO="}

_SEPARATORS = re.compile(
    rb"(?P<non_ascii>[\x80-\xff]+)|(?<=[0-9A-Za-z])(?:(?P<hyphen>-)|(?P<apostrophe>')|(?P<other>[!-/:-@\[-`{-~]))"
    rb"(?=[0-9A-Za-z])"
)
_KINDS = {"non_ascii": "non-ASCII", "hyphen": "hyphen", "apostrophe": "apostrophe", "other": "punctuation"}


def explainer(options: Options) -> Callable[[EvalTask], Mapping[str, list[Explanation]]]:
    """Return a function that explains every peer of a loaded eval."""
    return partial(explain, of_options(options))


def explain(setup: Setup, task: EvalTask) -> dict[str, list[Explanation]]:
    """Explain the peers of a loaded task, with scores as of `-t 0`.

    Metrics with the same view of a text share its source.
    """
    sources: dict[tuple[object, ...], Source] = {}

    def read(metric: Metric, place: object, document: str | Document | None) -> Source:
        assert isinstance(document, Document)  # noqa: S101 - `load_texts` made them
        is_model = isinstance(place, int)
        key = (place, _stems(setup, metric, is_model=is_model))
        if key not in sources:
            sources[key] = source(setup, task, document, metric, is_model=is_model)
        return sources[key]

    return {
        peer_id: [
            _explanation(setup, task, peer_id, metric, partial(read, metric)) for metric in setup.metrics
        ]
        for peer_id in task.peers
    }


def source(setup: Setup, task: EvalTask, document: Document, metric: Metric, *, is_model: bool) -> Source:
    """Return a document as the metric reads it: its tokens with their places, counted and dropped."""
    if task.input_format == "simple":
        return _elements(setup, task, document, is_model=is_model)
    units = list(_units(setup, document.data, task.input_format))
    stems_whole, stems_sentences = _stems(setup, metric, is_model=is_model)
    by_bytes = setup.limit is not None and not setup.limit.in_words
    sentences = [unit for _, unit in units]
    second = second_reading(sentences, setup.limit)
    first = first_reading(sentences, setup.limit) if by_bytes else second
    return Source(
        document.data,
        [(start, start + len(unit)) for start, unit in units],
        list(_tokens(setup, units, first, _normalizer(setup, stems=stems_whole))),
        list(_tokens(setup, units, second, _normalizer(setup, stems=stems_sentences))),
        separators=list(_separators(units)) if setup.tokenize is tokens else (),
    )


def _stems(setup: Setup, metric: Metric, *, is_model: bool) -> tuple[bool, bool]:
    """Return True if the text is stemmed, for its first and for its second reading."""
    if setup.stem_models and is_model and not setup.stem:  # -M affects only some metrics (QUIRKS 21)
        return metric.reading != "plain", metric.reading == "stemmed"
    return setup.stem, setup.stem


def _explanation(
    setup: Setup,
    task: EvalTask,
    peer_id: str,
    metric: Metric,
    read: Callable[[object, str | Document | None], Source],
) -> Explanation:
    peer = read(peer_id, task.peers[peer_id])
    pairs = [
        pair(metric, model_id, read(place, text), peer)
        for place, (model_id, text) in enumerate(task.models)
    ]
    counts, steps = arithmetic.combine_models(setup, metric, pairs)
    score, more = arithmetic.score(setup, metric, counts)
    return Explanation(metric.label, peer_id, pairs, [*steps, *more], counts, score)


# Tokens.


def _units(setup: Setup, data: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    """Yield the text's sentences as its format defines them, each with its place."""
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
    setup: Setup, units: Sequence[tuple[int, bytes]], cut_sentences: Sequence[bytes], normalize: Normalize
) -> Iterator[Token]:
    """Yield all tokens of the units, including those beyond the length limit; cut_sentences: within it."""
    for sentence, (start, unit) in enumerate(units):
        cut = cut_sentences[sentence] if sentence < len(cut_sentences) else b""
        raw = setup.tokenize(cut)
        places = _places(setup, unit, raw)
        end = places[-1][1] if places else 0
        for word, place in zip(raw, places, strict=True):
            yield _token(unit, start, place, sentence, normalize(word))
        if cut != unit and setup.limit:
            rest = unit[end:]
            why = f"beyond {number(setup.limit.most)} {'words' if setup.limit.in_words else 'bytes'}"
            for first, last in _places(setup, rest, setup.tokenize(rest)):
                yield _token(unit, start, (end + first, end + last), sentence, (b"", "", why))


def _places(setup: Setup, unit: bytes, raw: Sequence[bytes]) -> list[tuple[int, int]]:
    words = [word.decode("utf-8", "surrogateescape") for word in raw]
    return find_tokens(unit, setup.fold or folding("classic"), words)


def _token(unit: bytes, start: int, place: tuple[int, int], sentence: int, made: Made) -> Token:
    first, last = place
    form, rule, why = made
    surface = unit[first:last].decode("utf-8", "replace")
    # Forms are compared, so two of them must not decode to the same text.
    text = form.decode("utf-8", "backslashreplace")
    return Token(surface, text, start + first, start + last, sentence, rule, why)


def _normalizer(setup: Setup, *, stems: bool) -> Normalize:
    """Return the function that normalizes a raw token."""
    words = WordForms(setup, ignore_notice)
    form_of = words.stemmed if stems else words.plain
    irregular = words.stem.irregular if isinstance(words.stem, RougeStemmer) and stems else {}

    def normalize(raw: bytes) -> Made:
        form = form_of(raw) if form_of else raw
        if form is None:
            return b"", "", "stop word"
        if raw in irregular and len(raw) >= SHORTEST_STEMMED:
            return form, IRREGULAR, ""
        return form, ("stemmer" if setup.stemmer else "Porter") if form != raw else "", ""

    return normalize


def _separators(units: Sequence[tuple[int, bytes]]) -> Iterator[Separator]:
    """Yield separators inside words (QUIRKS 7), other than white space."""
    for start, unit in units:
        for match in _SEPARATORS.finditer(unit):
            surface = match[0].decode("utf-8", "replace")
            kind = _KINDS[match.lastgroup or ""]
            yield Separator(surface, start + match.start(), start + match.end(), kind)


def _elements(setup: Setup, task: EvalTask, document: Document, *, is_model: bool) -> Source:
    """Return the source of basic elements: each line is a token, whose form is its element."""
    side = MODELS if is_model else PEERS
    elements = Preparation(setup, ignore_notice).prepare(document, task, side)[0].plain.elements
    units = list(_units(setup, document.data, "simple"))
    tokens = []
    for sentence, ((start, unit), element) in enumerate(zip(units, elements, strict=True)):
        form = b"|".join(element[:3])
        rule = "Porter" if form != unit.lower().rstrip(b"|") else ""
        tokens.append(_token(unit, start, (0, len(unit)), sentence, (form, rule, "")))
    places = [(start, start + len(unit)) for start, unit in units]
    return Source(document.data, places, tokens, tokens, elements)


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Return each token as in the text, and the counted form, which is empty if it is dropped."""
    tokens = _tokens_by(options, document, input_format)
    return [(token.surface.lower(), "" if token.why_dropped else token.form) for token in tokens]


def irregular_words(options: Mapping[str, Any], document: Document, input_format: str) -> Mapping[str, str]:
    """Return the base forms of the counted words that are in the list of irregular forms."""
    tokens = _tokens_by(options, document, input_format)
    return {token.surface.lower(): token.form for token in tokens if token.rule == IRREGULAR}


def _tokens_by(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[Token]:
    setup = of_options({**options, "metrics": ("ROUGE-1",)})
    task = EvalTask("", {}, [], input_format, document.where)
    return source(setup, task, document, NGram(1), is_model=False).tokens
