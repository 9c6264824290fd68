"""Texts of a job: read as a dialect counts them, and held in a few arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, overload

from rouge_cli.core import Document, EvalTask, Text
from rouge_cli.errors import RougeError
from rouge_cli.text.tokens import Forms

if TYPE_CHECKING:
    from rouge_cli.dialects._run import DialectRun
    from rouge_cli.metrics import Metric


class FlatTexts(Sequence[Text]):
    """Prepared texts, of four bytes for each word.

    Attributes:
        words: The numbers of the words of all texts.
        ends: The end of each sentence, as a place in `words`.
        last: The number of sentences up to the end of each text.
        forms: The word forms by number; texts that are compared share them.
    """

    def __init__(self, forms: list[bytes]) -> None:
        self.words = array("i")
        self.ends = array("q")
        self.last = array("q")
        self.forms = forms

    def append(self, sentences: Iterable[Iterable[int]]) -> None:
        """Add a text."""
        for sentence in sentences:
            self.words.extend(sentence)
            self.ends.append(len(self.words))
        self.last.append(len(self.ends))

    def __len__(self) -> int:
        return len(self.last)

    @overload
    def __getitem__(self, place: int) -> Text: ...

    @overload
    def __getitem__(self, place: slice) -> list[Text]: ...

    def __getitem__(self, place: int | slice) -> Text | list[Text]:
        """Return a text as the metrics count it."""
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        place %= len(self)
        first = self.last[place - 1] if place else 0
        start = self.ends[first - 1] if first else 0
        sentences = []
        for end in self.ends[first : self.last[place]]:
            sentences.append(self.words[start:end].tolist())
            start = end
        tokens = list(chain.from_iterable(sentences))
        return Text(tokens, sentences, forms=self.forms)


class TextReader:
    """Reads texts as a metric of a dialect counts them. All texts of a reader share
    their numbers of words.

    Args:
        run: The run of the dialect, which has one metric.
        metric: The metric.
        read_as: The format of the texts.
    """

    def __init__(self, run: DialectRun, metric: Metric, read_as: str) -> None:
        self._run = run
        self._metric = metric
        self._read_as = read_as
        self._forms = Forms()
        self._names = map(str, count(1))

    def read(self, documents: Iterable[Document]) -> FlatTexts:
        """Return the texts of documents; raise RougeError, as `sentences`."""
        texts = FlatTexts(self._forms.by_number)
        for document in documents:
            texts.append(self.sentences(document))
        return texts

    def sentences(self, document: Document) -> list[list[int]]:
        """Return the words of a document by sentence; in one sentence if the dialect
        finds other words in sentences, and the metric ignores these.

        Raises:
            RougeError: The metric counts the words of sentences as well as others.
        """
        task = EvalTask(
            next(self._names), {}, [("1", document)], self._read_as, document.where
        )
        (prepared,) = self._run.reader.references(task)
        # ROUGE-1.5.5 has several readings of a text.
        text: Text = prepared
        if not isinstance(prepared, Text):
            text = prepared[self._metric.reading]
        whole = list(chain.from_iterable(text.sentences))
        if whole == list(text.tokens):
            return [self._numbered(words, text.forms) for words in text.sentences]
        if not self._metric.needs_sentences:
            return [self._numbered(text.tokens, text.forms)]
        if not getattr(self._run, "reads_twice", False):
            raise RougeError(
                f"{self._metric.label} counts other words in the sentences than in the"
                " whole text",
                where=document.where,
                remedy="leave the limit out, or state it in words",
            )
        return [self._numbered(words, text.forms) for words in text.sentences]

    def _numbered(self, tokens: Iterable[int], forms: Sequence[bytes]) -> list[int]:
        """Return the numbers of words in the order in which the reader met them."""
        return [self._forms[forms[token]] for token in tokens]
