"""The record of a dialect, and the base of the runs of dialects that score plain
strings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, partial, reduce
from itertools import chain, count, pairwise
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import metrics
from rouge_cli.core import Notice, Source, Text, Token
from rouge_cli.dialects._run import DialectRun, MetricAndFormula
from rouge_cli.errors import UsageError, all_of, suggestion
from rouge_cli.explanation import ByLabel, places_of
from rouge_cli.metrics import Metric, count_all
from rouge_cli.options import Options
from rouge_cli.scoring.formula import BEST, Formula, OneValue, Scored
from rouge_cli.text import languages, reading, sentences, survey, tokenizers
from rouge_cli.text.normalization import find_tokens, folded
from rouge_cli.text.tokens import Forms

if TYPE_CHECKING:
    from rouge_cli.core import Document, EvalTask, Notify
    from rouge_cli.text.languages import Remedies


class Dialect(NamedTuple):
    """A program that rouge-cli reproduces, as commands and the Python API see it."""

    # Option name -> default value, in the order of the signature. A value is a string,
    # a number or a boolean; `metrics` is a tuple of labels.
    defaults: Mapping[str, Any]
    # Returns the canonical spelling of a label; raises UsageError for an unknown label.
    parse: Callable[[str], str]
    # Builds a run from canonical options, the number of times that each path will be
    # read, and a function that receives warnings; raises UsageError for invalid values.
    build: Callable[[Options, Counter[str], Notify], DialectRun]
    # Completes options with canonical labels for the signature; raises UsageError for
    # invalid values.
    complete: Callable[[Options], Options] = dict
    # The labels that only this dialect has, and their help text.
    labels: Sequence[str] = ()
    help: str = ""
    # The values that `--stem` and `--stop` select; empty if the program has neither.
    stemmer: str = ""
    stop_list: str = ""
    # Returns the packages that words and stems depend on, whose versions the signature
    # has.
    packages: Callable[[Options], Sequence[str]] = tokenizers.packages
    # True if the average F is computed from the mean R and the mean P.
    averages_f_of_means: bool = False
    # True if the bootstrap draws evals in the order of their IDs.
    draws_by_id: bool = False
    # Returns the original's command that prints the same numbers, or None if there is
    # none.
    command_line: Callable[[Options], str | None] = lambda _: None

    def canonical(self, options: Options) -> Options:
        """Return the options as in the signature: labels in canonical spelling,
        without repeats.
        """
        labels = all_of(
            partial(self.parse, label) for label in dict.fromkeys(options["metrics"])
        )
        return self.complete({**options, "metrics": tuple(dict.fromkeys(labels))})


class StringRun(DialectRun):
    """A run of a dialect that scores strings: it has `measure`, and either `words`
    or `counted`.
    """

    resamples = False  # True if the subclass has a bootstrap
    lowers = False  # True if the dialect lower-cases words
    rule = "stemmer"  # what changes the form of a word
    ascii_only = False  # True if the tokenizer drops all letters outside ASCII
    # True if `counted` returns the words of the whole text before those of sentences
    reads_twice = False

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        if not self.resamples:
            refuse_samples(options)
        # What `set_up` and `measure` may use
        self.labels = options["metrics"]
        self.options = options
        self.notify = notify
        self.set_up()
        measures = {}
        for label in self.labels:
            value = metrics.value(label)
            if value:
                measures[label] = MetricAndFormula(value, OneValue())
            else:
                measures[label] = MetricAndFormula(*self.measure(label))
        # Returns the sentences of a text; None for those of the input.
        self.divide = sentences.lines_of(options.get("sentences", "newline"))
        self._forms = Forms()
        super().__init__(measures, reading.Reader(self.read, uses), notify)

    def set_up(self) -> None:
        """Check the options, and make what the methods below need; raise UsageError
        for invalid values.
        """

    def measure(self, label: str) -> tuple[Metric, Formula]:
        """Return the metric and the formulas of a label."""
        raise NotImplementedError

    def read(
        self, document: Document, task: EvalTask, _: str
    ) -> tuple[Text, survey.Numbers]:
        """Return the prepared text of a document and its part of the tally."""
        reading.note_nuls(document, self.notify)
        reading.note_unread(document, task.input_format, self.notify)
        units = self.units(document, task.input_format)
        normalize = self.options.get("normalize", "none")
        surveyed = survey.survey(units, ascii_only=self.ascii_only, normalize=normalize)
        return self._prepare(document, units), surveyed

    def units(self, document: Document, input_format: str) -> Sequence[bytes]:
        """Return the sentences of a document, split as the options require."""
        return reading.units(document, input_format, self.divide)

    def join(self, units: Sequence[bytes]) -> str:
        """Join sentences to the string that the dialect scores."""
        return b"\n".join(units).decode("utf-8", "replace")

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the words of each sentence of a string, each with its counted form;
        made of `counted`.
        """
        sentences = []
        for forms in self.counted(string):
            sentences.append([(form, form) for form in forms])
        return sentences

    def counted(self, string: str) -> Sequence[Sequence[str]]:
        """Return the counted forms of each sentence; made of `words`. Faster if no
        word changes.
        """
        sentences = []
        for words in self.words(string):
            sentences.append([form for _, form in words])
        return sentences

    def prepare(self, string: str) -> Text:
        """Convert a string to the text that the metrics count."""
        numbered = []
        for words in self.words(string):
            numbered.append([self._forms[form] for _, form in words])
        whole = list(chain.from_iterable(numbered))
        return Text(whole, numbered, forms=self._forms.by_number)

    def scores(
        self,
        task: EvalTask,  # noqa: ARG002 - of all runs
        system: str,  # noqa: ARG002
        references: Sequence[Text],
        prediction: Text,
    ) -> Mapping[str, Scored]:
        """Return label -> counts and score of a prediction against all its references;
        empty to leave the prediction out.
        """
        if self.ignores_empty:
            references = [reference for reference in references if not reference.empty]
            if prediction.empty or not references:
                return {}
        return combine(self.measures, references, prediction)

    def is_empty(self, text: Text) -> bool:
        """Return True if no word of the text has a character."""
        return not any(text.forms[token] for token in text.tokens)

    def by_label(self, task: EvalTask, document: Document, side: str) -> ByLabel:  # noqa: ARG002 - both sides are alike
        """Return a function from a label to the words of a document, with their
        positions.
        """
        string = self.join(self.units(document, task.input_format))
        data = string.encode("utf-8", "replace")
        sentences = self.words(string)
        words = list(chain.from_iterable(sentences))
        numbers = []
        for number, sentence in enumerate(sentences):
            numbers += [number] * len(sentence)
        tokens = self.locate(data, words, numbers)

        # A sentence begins with its first token, the first with the text.
        starts = []
        first = 0
        for sentence in sentences:
            if first == 0:
                starts.append(0)
            elif sentence:
                starts.append(tokens[first].start)
            else:
                starts.append(len(data))
            first += len(sentence)
        spans = list(pairwise([*starts, len(data)]))
        source = Source(data, spans, tokens, tokens)
        return lambda _: source

    def locate(
        self,
        data: bytes,
        words: Sequence[tuple[str, str]],
        sentences: Iterable[int],
        first: int = 0,
    ) -> list[Token]:
        """Return the words of a part of a text as tokens.

        Args:
            words: The words, each with its counted form.
            sentences: The number of each word's sentence.
            first: The position of the part in the text.
        """
        spans = self.spans(data, [word for word, _ in words])
        located = zip(words, spans, sentences, strict=False)
        tokens = []
        for (word, form), (start, end), sentence in located:
            token = Token(
                surface=data[start:end].decode("utf-8", "replace"),
                form=form,
                start=first + start,
                end=first + end,
                sentence=sentence,
                rule=self.rule if form != word else "",
            )
            tokens.append(token)
        return tokens

    def spans(self, data: bytes, words: Sequence[str]) -> Sequence[tuple[int, int]]:
        """Return the start and end of each word in a text."""
        if not self.lowers:
            return places_of(data, [word.encode("utf-8", "replace") for word in words])
        tokenizer = self.options.get("tokenizer", "google")
        normalize = self.options.get("normalize", "none")
        return find_tokens(data, partial(folded, tokenizer, normalize), words)

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return the words of a document, each with its counted form."""
        string = self.join(self.units(document, input_format))
        words = chain.from_iterable(self.words(string))
        return [(word, form) for word, form in words if word]

    def readings(
        self, document: Document, input_format: str
    ) -> Sequence[Sequence[str]]:
        """Return the counted forms of a document, once for each way of reading it:
        the whole text, and its sentences if they are read differently and count.
        """
        sentences = self.counted(self.join(self.units(document, input_format)))
        if not self.reads_twice:
            return [list(chain.from_iterable(sentences))]

        whole = list(chain.from_iterable(sentences[:1]))
        if not self.needs_sentences:
            return [whole]
        return [whole, list(chain.from_iterable(sentences[1:]))]

    def _prepare(self, document: Document, units: Sequence[bytes]) -> Text:
        text = self.prepare(self.join(units))
        if self.is_empty(text):
            what = "no token in it"
            letters = b"\n".join(units).decode("utf-8", "replace")
            if self.ascii_only and any(map(str.isalnum, letters)):
                what = languages.without_tokens(units, self.remedies, ascii_only=True)
            self.notify(Notice(f"{document.where}: {what}"))
        return text

    @cached_property
    def remedies(self) -> Remedies:
        """What the notices advise about texts without tokens."""
        return languages.Remedies(has_tokenizers="tokenizer" in self.options)


def refuse_samples(options: Options) -> None:
    """Raise UsageError if a dialect without bootstrap is asked for samples."""
    if options["samples"]:
        raise UsageError(
            "this dialect does not resample",
            remedy="leave --samples out, or set it to 0",
        )


def combine(
    measures: Mapping[str, tuple[Metric, Formula]],
    references: Sequence[Text],
    prediction: Text,
) -> dict[str, Scored]:
    """Return label -> result of a prediction against all its references."""
    metrics = [metric for metric, _ in measures.values()]
    counts = count_all(metrics, references, prediction)
    scored = {}
    for (label, (_, formula)), pairs in zip(measures.items(), counts, strict=True):
        scored[label] = formula.combine(pairs)
    return scored


def texts_of(
    *documents: Iterable[Iterable[Hashable]],
    entry: str = "",
    strings: Sequence[str] = (),
) -> list[Text]:
    """Make texts that can be counted against each other, each of sentences of words.

    Args:
        entry: The function or class of a stand-in, which warns if the words are not
            words; see `languages.check_words`.
        strings: The documents as they were before they were divided, for the warning.
    """
    ids: dict[Hashable, int] = defaultdict(count().__next__)
    numbered = []
    for document in documents:
        numbered.append([list(map(ids.__getitem__, words)) for words in document])
    # Filled first: the texts share the forms of all words.
    forms = [str(word).encode("utf-8", "surrogatepass") for word in ids]
    texts = []
    for by_sentence in numbered:
        whole = list(chain.from_iterable(by_sentence))
        texts.append(Text(whole, by_sentence, forms=forms))
    if entry and not b"".join(forms).isascii():
        for index, text in enumerate(texts):
            words = [word.decode("utf-8", "replace") for word in text.words]
            string = strings[index] if strings else " ".join(words)
            languages.check_words(entry, string, words)
    return texts


def means_in_order(
    records: Sequence[dict[str, dict[str, float]]],
) -> dict[str, dict[str, float]]:
    """Return the means of records, added in their order as most packages do, without
    fsum.

    Raises:
        ZeroDivisionError: If there are no records.
    """
    if not records:
        raise ZeroDivisionError("no scores to average")
    means: dict[str, dict[str, float]] = {}
    for name, values in records[0].items():
        means[name] = {}
        for stat in values:
            column = [record[name][stat] for record in records]
            means[name][stat] = mean_in_order(column)
    return means


def mean_in_order(values: Sequence[float]) -> float:
    """Return the mean of values that are added one by one."""
    return reduce(add, values, 0.0) / len(values)


class Beta(Formula):
    """Formulas of an F with beta."""

    f_letters = "(1 + b^2) P R / (R + b^2 P)"

    def __init__(self, beta: float, several: str = BEST) -> None:
        super().__init__(several)
        self.beta = beta
        self.f_values = {"b^2": f"{beta * beta:g}"}


def of_strings(
    name: str,
    labels: Sequence[str],
    build: Callable[[Options, Counter[str], Notify], DialectRun],
    defaults: Options,
    stemmer: str = "",
) -> Dialect:
    """Return the record of a dialect without resampling, whose labels `label_parser`
    parses.
    """
    usual = {"samples": 0, "sentences": "newline"}
    return Dialect(
        {**defaults, **usual}, label_parser(name, labels), build, stemmer=stemmer
    )


def label_parser(
    dialect: str, labels: Sequence[str], *, has_values: bool = False
) -> Callable[[str], str]:
    """Return a dialect's function `parse`; for it `rouge1` may be written `ROUGE-1`,
    `R1` or `1`.

    Args:
        dialect: The name of the dialect.
        labels: Its labels.
        has_values: True if it has the metrics of one value, too, such as `coverage`.

    The function raises UsageError for an unknown label and suggests similar labels.
    """

    def parse(label: str) -> str:
        bare = label.lower().replace("-", "").removeprefix("rouge").removeprefix("r")
        for name in labels:
            if name.lower().replace("-", "") == f"rouge{bare}":
                return name
        if has_values and metrics.value(label):
            return label
        remedy = suggestion(label, list(labels))
        raise UsageError(
            f"unknown metric {label!r} in dialect {dialect}", remedy=remedy
        )

    return parse
