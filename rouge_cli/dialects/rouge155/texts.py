"""Preparation of texts: reading, truncating, tokenizing, dropping stop words, stemming."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rouge_cli import formats
from rouge_cli.core import Document, Element, EvalTask, Notice, Notify, Text
from rouge_cli.dialects.rouge155.setup import Setup, WordForms
from rouge_cli.errors import RougeError
from rouge_cli.io.files import UTF8, as_text
from rouge_cli.metrics import Metric
from rouge_cli.text import reading
from rouge_cli.text.survey import PREDICTIONS, REFERENCES, without_tokens
from rouge_cli.text.tokens import Vocabulary, fields, first_reading, second_reading, text, tokens


class Readings(NamedTuple):
    """A file as the metrics read it; the three texts differ only for models with `-M` (QUIRKS 21)."""

    plain: Text
    stemmed: Text
    clipped: Text

    def for_metric(self, metric: Metric) -> Text:
        """Return the reading for a metric: with `-M` ROUGE-N ignores stems, and ROUGE-W clips stems."""
        text: Text = getattr(self, metric.reading)
        return text


def load(path: str, role: str, notify: Notify) -> Document:
    """Read a file as a document; the original reads a folder as an empty text."""
    if os.path.isdir(path):
        notify(Notice(f"{path}: a folder, read as an empty text: {role}"))
        return Document(b"", path)
    return reading.load(path, role)


class Preparation:
    """Prepares documents: truncates and tokenizes them, drops stop words, and stems.

    Args:
        trace: Receives a line for every text, for debugging; None for no trace.
        words: The word forms of the setup, if the caller has them.
    """

    def __init__(
        self,
        setup: Setup,
        notify: Notify,
        trace: Callable[[str], None] | None = None,
        words: WordForms | None = None,
    ) -> None:
        self._setup = setup
        self._notify = notify
        self._trace = trace
        words = words or WordForms(setup, notify)
        self._stem = words.stem
        self._plain = Vocabulary(words.plain)
        self._stemmed = self._plain
        if words.stemmed is not words.plain:
            self._stemmed = Vocabulary(words.stemmed, self._plain.forms)

    def prepare(
        self, document: Document, task: EvalTask, side: str = PREDICTIONS
    ) -> tuple[Readings, Sequence[int]]:
        """Return the readings of a document of this task, and its part of the tally.

        Raises:
            RougeError: If a metric cannot use the task's format.
        """
        self._check_format(task)
        reading.note_nuls(document, self._notify)
        if self._setup.tokenize is not tokens:
            document = Document(as_text(document.data, document.where, UTF8), document.where)
        units = formats.summary(task.input_format, document).units
        if self._setup.split and task.input_format != "simple":
            units = list(self._setup.split(b"\n".join(units)))
        self._warn_of_oddities(document, task.input_format, units)
        if task.input_format == "simple":
            readings, numbers = self._elements(units, document.where, side), reading.tally(units)
        else:
            readings = self._words(units, document.where, side)
            numbers = reading.tally(units, self._setup.survey(units))
        if self._trace:
            words = b" ".join(readings.stemmed.words)
            self._trace(f"{document.where}: {words.decode(errors='backslashreplace')}")
        return readings, numbers

    def _check_format(self, task: EvalTask) -> None:
        """Raise RougeError unless SIMPLE is used for basic elements and only for them (QUIRKS 22)."""
        name = task.input_format
        if not name:
            remedy = 'add <INPUT-FORMAT TYPE="SPL"/> (or SEE, ISI, SIMPLE)'
            raise RougeError(f"eval {task.eval_id} has no INPUT-FORMAT", where=task.where, remedy=remedy)
        for metric in self._setup.metrics:
            is_usable = name in ("simple", "isi") if metric.counts_elements else name != "simple"
            if not is_usable:
                raise RougeError(
                    f"eval {task.eval_id}: {metric.label} cannot be computed on format {name.upper()}",
                    where=task.where,
                    remedy="use SIMPLE for basic elements (-3), and SEE, SPL or ISI for all else",
                )

    def _warn_of_oddities(self, document: Document, name: str, units: Sequence[bytes]) -> None:
        """Warn of common causes of low scores."""
        path = document.where
        if not any(map(bytes.strip, units)):
            # The original warns of a text without a sentence if it cuts texts, or reads basic elements.
            limit = self._setup.limit
            original_warns = not units and (name == "simple" or bool(limit and limit.most))
            self._notify(Notice(f"{path}: no text in it", of_the_original=original_warns))
            if name in ("see", "isi") and document.data.strip():
                what = f"not empty, but without sentences numbered as in {name.upper()}"
                self._notify(Notice(f"{path}: {what}"))
        elif name == "spl" and any(b'<a name="' in unit for unit in units):
            self._notify(Notice(f"{path}: read as SPL, but it looks like SEE; its tags count as words"))

    def _words(self, units: Sequence[bytes], path: str, side: str) -> Readings:
        """Read the words twice: over the whole text, then sentence by sentence (QUIRKS 8)."""
        limit = self._setup.limit
        second = second_reading(units, limit)
        first = None if limit is None or limit.in_words else first_reading(units, limit)
        plain, stemmed = self._plain, self._stemmed
        tokenize = self._setup.tokenize
        if self._setup.stem_models and side == REFERENCES and not self._setup.stem:
            readings = Readings(
                text(plain, first, plain, second, tokenize),
                text(stemmed, first, stemmed, second, tokenize),
                text(stemmed, first, plain, second, tokenize),
            )
        else:
            used = stemmed if self._setup.stem else plain
            prepared = text(used, first, used, second, tokenize)
            readings = Readings(prepared, prepared, prepared)
        if readings.plain.empty and not any(map(tokenize, second)) and any(map(bytes.strip, second)):
            self._notify(Notice(f"{path}: {without_tokens(ascii_only=tokenize is tokens)}"))
        return readings

    def _elements(self, units: Sequence[bytes], path: str, side: str) -> Readings:
        """Read basic elements, without length limit and stop words."""
        stems = self._setup.stem or (self._setup.stem_models and side == REFERENCES)
        lines = enumerate(units, 1)
        elements = [self._element(line, f"{path}:{number}", stems=stems) for number, line in lines]
        prepared = Text(elements=elements)
        return Readings(prepared, prepared, prepared)

    def _element(self, line: bytes, where: str, *, stems: bool) -> Element:
        fields = line.lower().split(b"|")
        while fields and not fields[-1]:
            fields.pop()  # as Perl's split does
        if len(fields) != 3:
            shown = line.decode("utf-8", "backslashreplace")
            shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
            remedy = "write HEAD|MODIFIER|RELATION in each line"
            raise RougeError(f"not a basic element: {shown!r}", where=where, remedy=remedy)
        head, modifier, relation = fields
        if stems:
            head, modifier = self._stem_words(head), self._stem_words(modifier)
        return Element(head, modifier, relation, fields[1])

    def _stem_words(self, field: bytes) -> bytes:
        """Stem each word of a head or modifier, however short (QUIRKS 22)."""
        if len(field) <= 3:
            return field
        return b" ".join(self._stem(word) if tokens(word) else word for word in fields(field))
