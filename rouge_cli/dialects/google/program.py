"""The dialect `google`: rouge_score on every input and with every report of
rouge-cli.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, ClassVar

from rouge_cli.core import Average, Estimate, Notice, Score, Source, Text, Token
from rouge_cli.dialects._base import Dialect, StringRun, label_parser
from rouge_cli.dialects.google import rouge_scorer, scoring, tokenize, word_forms
from rouge_cli.dialects.google.scoring import LCS_TYPES, BootstrapAggregator
from rouge_cli.errors import UsageError
from rouge_cli.explanation import ByLabel
from rouge_cli.metrics import Metric
from rouge_cli.options import Options, in_range, one_of, percent
from rouge_cli.scoring.columns import Averages, Column, KeyedColumns
from rouge_cli.scoring.formula import Harmonic, Scored
from rouge_cli.text import languages, normalization, stemmers, tokenizers
from rouge_cli.text.tokens import Normalizer, Tokenize

if TYPE_CHECKING:
    from rouge_cli.core import Document, EvalTask

NONE, STEMMER = "none", "nltk"  # the latter is selected by `--stem`


class RougeScoreRun(StringRun):
    """A run of a fork of rouge_score, whose scorer makes texts and counts them."""

    # The fork's scorer, which takes `use_stemmer` and the fork's own options.
    make: ClassVar[Callable[..., ForkScorer]]
    # The value of the option `stemmer` with which words are stemmed
    stemmer: ClassVar[str] = STEMMER
    resamples = True
    lowers = True
    reads_twice = True

    def set_up(self) -> None:
        """Check the options, and make the scorer."""
        percent(in_range(self.options, "confidence", 0, 100))
        in_range(self.options, "samples", 0, 10_000_000)
        in_range(self.options, "seed", 0, 2**32 - 1)
        self._normalized = partial(
            normalization.normalize, self.options.get("normalize", NONE)
        )
        self._scorer = self.scorer()
        self._words = self._scorer.words()
        self.rule = "Porter" if self.options["stemmer"] == STEMMER else "stemmer"

    def scorer(self) -> rouge_scorer.RougeScorer:
        """Return the scorer of the options."""
        stems = one_of(self.options, "stemmer", NONE, self.stemmer) == self.stemmer
        own = {}
        for name, value in self.options.items():
            if name not in OF_FORKS:
                own[name] = None if value == NONE else value
        return self.make((), use_stemmer=stems, **own)

    def read_eval(
        self, task: EvalTask, present: Mapping[str, str | Document]
    ) -> tuple[Sequence[Text], Iterable[Text]]:
        """Return the texts of an eval; drop cached texts if the vocabulary was
        replaced.
        """
        words = self._scorer.words()
        if words is not self._words:
            self._words = words
            self.reader.cache.clear()
        return super().read_eval(task, present)

    def scores(
        self,
        task: EvalTask,  # noqa: ARG002 - of all runs
        system: str,  # noqa: ARG002
        references: Sequence[Text],
        prediction: Text,
    ) -> Mapping[str, Scored]:
        """Return the scores by type, against the reference with the best F."""
        labels = list(self.measures)
        counts = self._scorer.count(labels, references, prediction)
        formula = Harmonic()
        scored = {}
        for label, pairs in zip(labels, counts, strict=True):
            scored[label] = formula.combine(pairs)
        return scored

    def counted(self, string: str) -> Sequence[Sequence[str]]:
        """Return the forms of a text, then those of each line; nothing if the text
        has none.
        """
        whole, *lines = self._scorer.readings(self._normalized(string))
        return [whole, *lines] if any(whole) else []

    def measure(self, label: str) -> tuple[Metric, Harmonic]:
        """Return the metric and formulas of a type."""
        return rouge_scorer.metric(label), Harmonic()

    def prepare(self, string: str) -> Text:
        """Return the text of a normalized string: all its tokens, and the tokens of
        each line.
        """
        return self._scorer.text(self._normalized(string), self._words)

    def average(self, columns: KeyedColumns, _: int = 1) -> Averages:
        """Return plain means, or rouge_score's aggregate: the median of resampled means
        and its interval.

        Every system draws from a stream of its own, so that its numbers do not depend
        on other systems.
        """
        averages = dict(super().average(columns))
        if not self.options["samples"]:
            return averages

        by_system: dict[str, dict[str, Column]] = {}
        for (system, label), column in columns.items():
            by_system.setdefault(system, {})[label] = column
        for system, by_label in by_system.items():
            for label, aggregated in self._aggregate(by_label).items():
                averages[system, label] = aggregated
        return averages

    def _aggregate(self, by_label: Mapping[str, Column]) -> dict[str, Average]:
        """Return rouge_score's aggregates of a system's columns as averages."""
        aggregator = BootstrapAggregator(
            self.options["confidence"] / 100,
            int(self.options["samples"]),
            int(self.options["seed"]),
        )
        for label, column in by_label.items():
            for recall, precision, f in zip(*column.scores(), strict=True):
                aggregator.add_scores({label: Score(recall, precision, f)})

        averages = {}
        for label, (low, mid, high) in aggregator.aggregate().items():
            estimates = []
            for value, lower, upper in zip(mid, low, high, strict=True):
                estimates.append(Estimate(float(value), float(lower), float(upper)))
            averages[label] = Average(*estimates)
        return averages

    def join(self, units: Sequence[bytes]) -> str:
        """Join sentences to the string that rouge_score would receive, with one
        sentence per line.
        """
        # Line ends within a sentence are replaced, since each line is a sentence.
        return super().join([unit.replace(b"\n", b" ") for unit in units])

    def by_label(self, task: EvalTask, document: Document, side: str) -> ByLabel:  # noqa: ARG002 - both sides are alike
        """Return a function from a type to the text that it reads: one sentence for
        rougeL, else lines.
        """
        text = self.join(self.units(document, task.input_format))
        sources = cache(partial(self._source, text))

        def source(label: str) -> Source:
            # All n-grams read the same tokens.
            return sources(label if label in LCS_TYPES else "")

        return source

    def _source(self, text: str, label: str) -> Source:
        data = text.encode()
        lines = [line.span() for line in re.finditer(rb"[^\n]+", data)]
        parts = lines if label == "rougeLsum" else [(0, len(data))]
        tokens: list[Token] = []
        for index, (start, end) in enumerate(parts):
            string = self._normalized(data[start:end].decode())
            pairs = self._scorer.pairs(string, of_sentence=label == "rougeLsum")
            tokens += self.locate(data[start:end], pairs, repeat(index), start)
        if label not in LCS_TYPES:
            tokens = _numbered_by_line(tokens, lines)  # sentences are only shown

        sentences = lines
        if label == "rougeL":
            sentences = parts if data else []
        return Source(data, sentences, tokens, tokens)

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return the lower-cased tokens of a document, each with its counted form."""
        string = self.join(self.units(document, input_format))
        data = string.encode()
        pairs = self._scorer.pairs(self._normalized(string))
        spans = self.spans(data, [word for word, _ in pairs])
        forms = []
        for (start, end), (_, form) in zip(spans, pairs, strict=True):
            surface = data[start:end].decode("utf-8", "replace").lower()
            forms.append((surface, form))
        return forms


def _numbered_by_line(
    tokens: Iterable[Token], lines: Sequence[tuple[int, int]]
) -> list[Token]:
    """Return tokens whose sentences are the lines that they are in, given the ranges of
    the lines.
    """
    starts = [start for start, _ in lines]
    numbered = []
    for token in tokens:
        line = max(0, bisect_right(starts, token.start) - 1)
        numbered.append(token._replace(sentence=line))
    return numbered


class Google(RougeScoreRun):
    """A run of the dialect."""

    def scorer(self) -> rouge_scorer.RougeScorer:
        """Return the scorer of the options; stem the tokens of a named tokenizer."""
        options = self.options
        stem = _stemmer(options)
        tokenizer = options["tokenizer"]
        scorer = rouge_scorer.RougeScorer((), use_stemmer=stem is not None)
        self.normalizer = scorer.normalize
        if tokenizer != "google":
            form = lru_cache(word_forms.MOST_FORMS)(stem or str)
            scorer = TokenizedScorer(tokenizers.named(tokenizer), form)
            if stem:
                self.normalizer = Normalizer(
                    frozenset(), lambda token: form(token.decode()).encode()
                )
        self.ascii_only = tokenizer in ("google", "classic")
        return scorer

    def _prepare(self, document: Document, units: Sequence[bytes]) -> Text:
        text = self.prepare(self.join(units))
        if text.empty and any(map(bytes.strip, units)):
            what = languages.without_tokens(
                units, self.remedies, ascii_only=self.ascii_only
            )
            self.notify(Notice(f"{document.where}: {what}"))
        return text

    @staticmethod
    def plain_words(text: bytes) -> list[bytes]:
        """Return the tokens of a text in UTF-8, as rouge_score finds them without
        stemmer.
        """
        words = tokenize.words(text.decode("utf-8", "replace"))
        return [word.encode() for word in words]


class ForkScorer(rouge_scorer.RougeScorer):
    """A scorer whose default tokens are those of its method `pairs`."""

    finds_googles_words = False

    def _score_tokens(self, target: str, prediction: str) -> dict[str, scoring.Score]:
        """Score the words of both texts."""
        types = list(self.rouge_types)
        words = self.words()
        of_target = self.text(target, words)
        of_prediction = self.text(prediction, words)
        self._check_words(target, of_target)
        self._check_words(prediction, of_prediction)
        by_type = self.count(types, [of_target], of_prediction)
        scores = {}
        for kind, (counts,) in zip(types, by_type, strict=True):
            scores[kind] = scoring.make_score(
                kind, counts.reference, counts.prediction, counts.match
            )
        return scores

    def _check_words(self, string: str, text: Text) -> None:
        """Warn, once in a process for each language, if the words of a text are not
        found.
        """
        by_use = [text.tokens]
        if "rougeLsum" in self.rouge_types:
            by_use.append(list(chain.from_iterable(text.sentences)))
        for numbers in by_use:
            forms = [text.forms[number] for number in numbers]
            tokens = [form.decode("utf-8", "replace") for form in forms]
            self._check_tokens(string, tokens)

    def _tokens(self, string: str, *, of_sentence: bool = False) -> list[Any]:
        """Return a custom tokenizer's tokens as they are written: 1, 1.0 and True
        are equal, but differ.
        """
        if self._has_own_tokenizer:
            return [form for _, form in self.pairs(string, of_sentence=of_sentence)]
        return list(map(str, super()._tokens(string)))


class TokenizedScorer(ForkScorer):
    """A scorer with a tokenizer of rouge-cli; rouge_score itself stems only its own
    tokens.
    """

    def __init__(self, split: Tokenize, form: Callable[[str], str]) -> None:
        super().__init__(())
        self._split, self._form = split, form

    def pairs(self, string: str, *, of_sentence: bool = False) -> list[tuple[str, str]]:  # noqa: ARG002
        """Return the tokens of a text, each with its counted form."""
        tokens = self._split(string.encode("utf-8", "replace"))
        words = [token.decode("utf-8", "replace") for token in tokens]
        return [(word, self._form(word)) for word in words]


DEFAULTS: Mapping[str, object] = {
    "metrics": ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    "stemmer": NONE,
    "jackknife": False,
    "confidence": 95.0,
    "samples": 0,
    "seed": 0,
    "normalize": normalization.NONE,
    "tokenizer": "google",
    "sentences": "newline",
}
# The options that forks have, too. A new option of rouge_score is not among them, since
# the scorer of a fork would ignore it.
OF_FORKS = (
    "metrics",
    "stemmer",
    "jackknife",
    "confidence",
    "samples",
    "seed",
    "sentences",
)
LABELS = (*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum")


def fork(name: str, run: type[RougeScoreRun], **own: object) -> Dialect:
    """Return the record of a fork, given its run and its own options with defaults."""
    defaults = {name: DEFAULTS[name] for name in OF_FORKS}
    return Dialect(
        {**defaults, **own},
        label_parser(name, LABELS, has_values=True),
        run,
        stemmer=run.stemmer,
    )


def complete(options: Options) -> Options:
    """Complete the options: write the normalization as in the signature."""
    return {**options, "normalize": normalization.canonical(options["normalize"])}


def _stemmer(options: Options) -> Callable[[str], str] | None:
    """Return the function that stems words; None if there is none."""
    name = options["stemmer"]
    if not name.startswith("snowball:"):
        is_stemmed = one_of(options, "stemmer", NONE, STEMMER) == STEMMER
        return word_forms.stem if is_stemmed else None
    if options["tokenizer"] == "google":
        remedy = "name another tokenizer, or use --stem"
        raise UsageError(
            f"stemmer:{name} has no effect with tokenizer:google", remedy=remedy
        )
    stem = stemmers.snowball(name)
    return lambda word: stem(word.encode()).decode()


DIALECT = Dialect(
    DEFAULTS,
    label_parser("google", LABELS, has_values=True),
    Google,
    complete,
    labels=("rouge1", "rouge2", "rougeL", "rougeLsum"),  # the numbers are examples
    help="""rouge_score's types: ROUGE as Google's package defines it (--dialect google).

    rouge1            single tokens
    rouge2            pairs of tokens in a row; rouge3 to rouge9: longer n-grams
    rougeL            the longest common subsequence of the whole texts, without sentences
    rougeLsum         longest common subsequences sentence by sentence, as ROUGE-1.5.5's ROUGE-L: a line is
                      a sentence unless --sentences is used

Tokens are runs of a-z and 0-9 of the lower-cased text. A paper that prints "ROUGE-L" of a language model's
summaries may mean rougeLsum or rougeL. The two differ, so report which type you used.
""",  # noqa: E501 - columns of a table, and its first line is a sentence
    stemmer=STEMMER,
)
