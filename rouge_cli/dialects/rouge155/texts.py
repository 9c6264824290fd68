"""Texts: reading, truncating, tokenizing, stop words and stems; for explanations
with positions.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from rouge_cli import core, formats
from rouge_cli.core import (
    Document,
    Element,
    EvalTask,
    Notice,
    Separator,
    Source,
    Text,
    Token,
    number,
)
from rouge_cli.dialects.rouge155.setup import Setup, WordForms
from rouge_cli.errors import RougeError
from rouge_cli.explanation import places_of
from rouge_cli.io.files import UTF8, as_text
from rouge_cli.text import languages, reading, stemmers
from rouge_cli.text.normalization import NONE, find_tokens, folded
from rouge_cli.text.survey import PREDICTIONS, REFERENCES, SOURCES, Numbers
from rouge_cli.text.tokens import Limit, Vocabulary, both_readings, fields, tokens

# The rule of forms from the list of irregular forms.
IRREGULAR = "irregular form"

# What a file of another format than SPL has in it.
LOOKS = {b'<a name="': "SEE", b"<S SNTNO=": "ISI"}

# A file as the metrics read it, by `Metric.reading`.
Readings = Mapping[str, Text]
# Whether a reading of a model with `-M` stems the whole text, and its sentences:
# ROUGE-N ignores stems, and ROUGE-W clips stems (QUIRKS 21). Other texts have one
# reading.
READINGS = {"plain": (False, False), "stemmed": (True, True), "clipped": (True, False)}


class Preparation:
    """Prepares documents: truncates and tokenizes them, drops stop words, and stems.

    Args:
        trace: Receives a line for every text, for debugging; None for no trace.
        words: The word forms of the setup, if the caller has them.
    """

    def __init__(
        self,
        setup: Setup,
        notify: core.Notify,
        trace: Callable[[str], None] | None = None,
        words: WordForms | None = None,
    ) -> None:
        self._setup = setup
        self._notify = notify
        self._trace = trace
        self._forms = words = words or WordForms(setup, notify)
        self._plain = Vocabulary(words.plain)
        self._stemmed = Vocabulary(words.stemmed, self._plain.forms)
        self._remedies = languages.Remedies()

    def prepare(
        self, document: Document, task: EvalTask, side: str = PREDICTIONS
    ) -> tuple[Readings, Numbers]:
        """Return the readings of a document of this task, and its part of the tally.

        Raises:
            RougeError: If a metric cannot use the task's format.
        """
        self._check_format(task)
        reading.note_nuls(document, self._notify)
        if self._setup.tokenize is not tokens:
            document = Document(
                as_text(document.data, document.where, UTF8), document.where
            )
        units = reading.units(document, task.input_format)
        if self._setup.split and task.input_format != "simple":
            units = list(self._setup.split(b"\n".join(units)))
        self._warn_of_oddities(document, task.input_format, units)
        if task.input_format == "simple":
            size = sum(map(len, units))
            numbers = Numbers(texts=1, sentences=len(units), bytes=size)
            readings = self._elements(units, document.where, side)
        else:
            readings = self._words(units, document.where, side)
            numbers = self._setup.survey(units)
        if self._trace:
            words = b" ".join(readings["stemmed"].words)
            self._trace(f"{document.where}: {words.decode(errors='backslashreplace')}")
        return readings, numbers

    def _check_format(self, task: EvalTask) -> None:
        """Raise RougeError unless SIMPLE is used for basic elements and only for
        them (QUIRKS 22).
        """
        name = task.input_format
        if not name:
            raise RougeError(
                f"eval {task.eval_id} has no INPUT-FORMAT",
                where=task.where,
                remedy='add <INPUT-FORMAT TYPE="SPL"/> (or SEE, ISI, SIMPLE)',
            )
        if name == "isi":  # it may have basic elements or words
            return
        for metric in self._setup.metrics:
            if metric.counts_elements != (name == "simple"):
                raise RougeError(
                    f"eval {task.eval_id}: {metric.label} cannot be computed on format"
                    f" {name.upper()}",
                    where=task.where,
                    remedy=(
                        "use SIMPLE for basic elements (-3), and SEE, SPL or ISI for"
                        " all else"
                    ),
                )

    def _warn_of_oddities(
        self, document: Document, name: str, units: Sequence[bytes]
    ) -> None:
        """Warn of common causes of low scores."""
        path = document.where
        has_unread = reading.note_unread(document, name, self._notify)
        if not any(map(bytes.strip, units)):
            # The original warns of a text without a sentence if it cuts texts, or reads
            # basic elements.
            limit = self._setup.limit
            is_cut = limit is not None and bool(limit.most)
            original_warns = not units and (name == "simple" or is_cut)
            self._notify(
                Notice(f"{path}: no text in it", of_the_original=original_warns)
            )
            is_numbered = name in ("see", "isi")
            if is_numbered and document.data.strip() and not has_unread:
                what = f"not empty, but without sentences numbered as in {name.upper()}"
                self._notify(Notice(f"{path}: {what}"))
        elif name == "spl":
            for mark, other in LOOKS.items():
                if mark in document.data:
                    what = f"read as SPL, but it looks like {other}"
                    self._notify(Notice(f"{path}: {what}; its tags count as words"))

    def _words(self, units: Sequence[bytes], path: str, side: str) -> Readings:
        """Read the words twice: over the whole text, then sentence by sentence
        (QUIRKS 8).
        """
        first, second = both_readings(units, self._limit(side))
        tokenize = self._setup.tokenize
        stems = {reading: self.stems(reading, side) for reading in READINGS}
        prepared = {}
        for stemmed in dict.fromkeys(stems.values()):
            stems_whole, stems_sentences = stemmed
            whole = self._stemmed if stems_whole else self._plain
            by_sentence = self._stemmed if stems_sentences else self._plain
            sentences = [by_sentence.ids(tokenize(unit)) for unit in second]
            read = sentences
            if first is not second or whole is not by_sentence:
                read = [whole.ids(tokenize(unit)) for unit in first]
            ids = list(chain.from_iterable(read))
            prepared[stemmed] = Text(ids, sentences, forms=whole.forms.by_number)
        readings = {reading: prepared[stemmed] for reading, stemmed in stems.items()}

        has_text = any(map(bytes.strip, second))
        if readings["plain"].empty and has_text and not any(map(tokenize, second)):
            cause = languages.without_tokens(
                second, self._remedies, ascii_only=tokenize is tokens
            )
            self._notify(Notice(f"{path}: {cause}"))
        return readings

    def _limit(self, side: str) -> Limit | None:
        """Return the limit of texts of a side; sources are never cut."""
        return None if side == SOURCES else self._setup.limit

    def _elements(self, units: Sequence[bytes], path: str, side: str) -> Readings:
        """Read basic elements, without length limit and stop words."""
        stems, _ = self.stems("stemmed", side)
        elements = []
        for line_number, line in enumerate(units, 1):
            parts = line.lower().split(b"|")
            while parts and not parts[-1]:
                parts.pop()  # as Perl's split does
            if len(parts) != 3:
                shown = line.decode("utf-8", "backslashreplace")
                if len(shown) > 80:
                    shown = f"{shown[:77]}..."
                raise RougeError(
                    f"not a basic element: {shown!r}",
                    where=f"{path}:{line_number}",
                    remedy="write HEAD|MODIFIER|RELATION in each line",
                )
            head, modifier, relation = parts
            if stems:
                head = self._stem_words(head)
                modifier = self._stem_words(modifier)
            elements.append(Element(head, modifier, relation, parts[1]))
        return dict.fromkeys(READINGS, Text(elements=elements))

    def _stem_words(self, field: bytes) -> bytes:
        """Stem each word of a head or modifier, however short (QUIRKS 22)."""
        if len(field) <= 3:
            return field
        words = []
        for word in fields(field):
            words.append(self._forms.stem(word) if tokens(word) else word)
        return b" ".join(words)

    # Explanations: tokens with their positions.

    def stems(self, reading: str, side: str) -> tuple[bool, bool]:
        """Return whether this reading of a text stems the whole text, and its
        sentences.
        """
        if self._setup.stem_models and side == REFERENCES and not self._setup.stem:
            return READINGS[reading]
        return self._setup.stem, self._setup.stem

    def source(
        self, task: EvalTask, document: Document, side: str, stemmed: tuple[bool, bool]
    ) -> Source:
        """Return a document as a metric with this result of `stems` reads it."""
        setup = self._setup
        units = self._units(document.data, task.input_format)
        spans = [(start, start + len(unit)) for start, unit in units]
        if task.input_format == "simple":
            readings, _ = self.prepare(document, task, side)
            text = readings["plain"]
            elements = _element_tokens(units, text.elements)
            return Source(document.data, spans, elements, elements, text)

        stems_whole, stems_sentences = stemmed
        limit = self._limit(side)
        first, second = both_readings([unit for _, unit in units], limit)
        whole = list(self._tokens(units, first, stems=stems_whole))
        by_sentence = whole
        if second is not first or stems_whole != stems_sentences:
            by_sentence = list(self._tokens(units, second, stems=stems_sentences))
        separators = list(_separators(units)) if setup.tokenize is tokens else ()
        return Source(document.data, spans, whole, by_sentence, separators=separators)

    def _units(self, data: bytes, name: str) -> list[tuple[int, bytes]]:
        """Return the text's sentences as its format defines them, each with its
        position.
        """
        module = formats.named(name)
        split = self._setup.split
        pattern = getattr(module, "SENTENCE", None)
        if pattern and not split:
            return [(match.start(1), match[1]) for match in pattern.finditer(data)]

        units = module.read(data).units
        if split:
            units = split(b"\n".join(units))
        starts = [start for start, _ in places_of(data, units)]
        return list(zip(starts, units, strict=True))

    def _tokens(
        self,
        units: Sequence[tuple[int, bytes]],
        cut_sentences: Sequence[bytes],
        *,
        stems: bool,
    ) -> Iterator[Token]:
        """Yield all tokens of the units, including tokens beyond the limit, which
        cuts the sentences.
        """
        limit = self._setup.limit
        for sentence, (start, unit) in enumerate(units):
            cut = cut_sentences[sentence] if sentence < len(cut_sentences) else b""
            end = 0
            for word, (first, end) in self._words_of(unit, cut):
                normalized = self._form(word, stems=stems)
                yield _token(unit, start, (first, end), sentence, normalized)

            if cut != unit and limit:
                units_of_limit = "words" if limit.in_words else "bytes"
                why = f"beyond {number(limit.most)} {units_of_limit}"
                for _, (first, last) in self._words_of(unit[end:], unit[end:]):
                    span = end + first, end + last
                    yield _token(unit, start, span, sentence, (b"", "", why))

    def _words_of(
        self, unit: bytes, cut: bytes
    ) -> Iterator[tuple[bytes, tuple[int, int]]]:
        """Return the raw tokens of the beginning of a unit, each with its range in
        the unit.
        """
        raw = self._setup.tokenize(cut)
        words = [word.decode("utf-8", "surrogateescape") for word in raw]
        fold = self._setup.fold or partial(folded, "classic", NONE)
        return zip(raw, find_tokens(unit, fold, words), strict=True)

    def _form(self, raw: bytes, *, stems: bool) -> tuple[bytes, str, str]:
        """Return a raw token's form, its rule, and why it is dropped."""
        words = self._forms
        form_of = words.stemmed if stems else words.plain
        form = form_of(raw) if form_of else raw
        if form is None:
            return b"", "", "stop word"
        if stems and self._is_irregular(raw):
            return form, IRREGULAR, ""
        if form == raw:
            return form, "", ""
        return form, "stemmer" if self._setup.stemmer else "Porter", ""

    def _is_irregular(self, raw: bytes) -> bool:
        """Return True if a stem comes from the list of irregular forms."""
        stem = self._forms.stem
        is_listed = isinstance(stem, stemmers.RougeStemmer) and raw in stem.irregular
        return is_listed and len(raw) >= stemmers.SHORTEST_STEMMED


def load(path: str, role: str, notify: core.Notify) -> Document:
    """Read a file as a document; the original reads a folder as an empty text."""
    if os.path.isdir(path):
        notify(Notice(f"{path}: a folder, read as an empty text: {role}"))
        return Document(b"", path)
    return reading.load(path, role)


def _element_tokens(
    units: Sequence[tuple[int, bytes]], elements: Sequence[Element]
) -> list[Token]:
    """Return each line of basic elements as a token, whose form is the element."""
    located = []
    for sentence, (start, unit) in enumerate(units):
        element = elements[sentence]
        form = b"|".join((element.head, element.modifier, element.relation))
        rule = "Porter" if form != unit.lower().rstrip(b"|") else ""
        span = 0, len(unit)
        located.append(_token(unit, start, span, sentence, (form, rule, "")))
    return located


def _token(
    unit: bytes,
    start: int,
    span: tuple[int, int],
    sentence: int,
    normalized: tuple[bytes, str, str],
) -> Token:
    """Return a token of a unit.

    Args:
        start: The position of the unit in the text; `span` is the token's in the unit.
        normalized: Its form, its rule, and why it is dropped.
    """
    form, rule, why = normalized
    first, last = span
    return Token(
        surface=unit[first:last].decode("utf-8", "replace"),
        # Forms are compared as text, so different bytes must not decode to the same
        # text.
        form=form.decode("utf-8", "backslashreplace"),
        start=start + first,
        end=start + last,
        sentence=sentence,
        rule=rule,
        why_dropped=why,
    )


def _separators(units: Sequence[tuple[int, bytes]]) -> Iterator[Separator]:
    """Yield the separators inside words (QUIRKS 7), except white space."""
    inside_words = re.compile(
        rb"[\x80-\xff]+|(?<=[0-9A-Za-z])[!-/:-@\[-`{-~](?=[0-9A-Za-z])"
    )
    kinds = {b"-": "hyphen", b"'": "apostrophe"}
    for start, unit in units:
        for match in inside_words.finditer(unit):
            other = "punctuation" if match[0].isascii() else "non-ASCII"
            kind = kinds.get(match[0], other)
            surface = match[0].decode("utf-8", "replace")
            yield Separator(surface, start + match.start(), start + match.end(), kind)
