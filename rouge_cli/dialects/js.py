"""js-rouge 3.2.3 (npm), as promptfoo uses it: F of ROUGE-N, L and S on Penn Treebank tokens, with any beta.

Punctuation counts; nothing is stemmed. ROUGE-N and S count the tokens of all sentences in a row; ROUGE-L is
the union LCS of sentences. With js-rouge's sentences, one a line (`segmenter` lines), it has the scores of
js-rouge; the segmenter `plain` only approximates its own (QUIRKS 88). With several references the best F
counts; `jackknife` is js-rouge's `jackKnife` of the references.

For Python code: `from rouge_cli.dialects.js import JsRouge, jack_knife`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import add

import regex

from rouge_cli.core import Notify
from rouge_cli.dialects import Dialect, StringRun, label_parser
from rouge_cli.dialects._base import text_of
from rouge_cli.errors import UsageError
from rouge_cli.metrics import Metric
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.skip_bigram import SkipBigram
from rouge_cli.options import Options, one_of, whole
from rouge_cli.scoring.formula import Formula
from rouge_cli.text import treebank
from rouge_cli.text.tokens import Forms

PLAIN, LINES, ANY = "plain", "lines", "any"
LABELS = (*(f"rouge-{n}" for n in range(1, 10)), "rouge-l", "rouge-s")


class FBeta(Formula):
    """F with beta in js-rouge's order of operations; 0 is P, infinity is R."""

    f_letters = "(1 + b^2) P R / (R + b^2 P)"

    def __init__(self, beta: float) -> None:
        super().__init__()
        if not beta >= 0:
            raise UsageError(f"beta is {beta:g}", remedy="it must be 0 or more")
        self.beta = beta
        self.f_values = {"b^2": f"{beta * beta:g}"}

    def f(self, recall: float, precision: float) -> float:
        """Return F."""
        low, high, beta = precision, recall, self.beta
        if low == high or math.isinf(beta):
            return high
        if not (low and high and beta):
            return low if low and high else 0.0
        if beta < 1:
            low, high, beta = high, low, 1 / beta
        if low > high:
            inverse = (1 / beta) * (1 / beta)
            return min(low, high * ((1 + inverse) / (1 + inverse * (high / low))))
        square = beta * beta
        if math.isinf(square):
            quotient = low * beta / high * beta
            return high if math.isinf(quotient) else high * quotient / (1 + quotient)
        return min(high, low * ((1 + square) / (1 + square * (low / high))))


@dataclass
class JsRouge:
    """js-rouge's function `n`, `l` or `s` with its options; call it to score a text.

    Args:
        function: Its name.
        max_skip: For `s`, the largest distance of two tokens; 1 for neighbours only.
        tokenizer: Returns the tokens of a text; for `l`, of a sentence.
        segmenter: Returns the sentences of a text.

    Raises:
        UsageError: An option is out of range, or a text is empty.
    """

    function: str = "n"
    n: int = 1
    beta: float = 1.0
    case_sensitive: bool = True
    max_skip: float = math.inf
    tokenizer: Callable[[str], Iterable[str]] | None = None
    segmenter: Callable[[str], Iterable[str]] | None = None

    def __post_init__(self) -> None:
        most = None if math.isinf(self.max_skip) else whole("max_skip", self.max_skip, 0) - 1
        self.formula = FBeta(self.beta)
        metrics = {"n": NGram(whole("n", self.n, 1)), "l": Lcs(), "s": SkipBigram(most, unigrams=False)}
        self.metric: Metric = metrics[self.function]

    def __call__(self, hypothesis: str, reference: str) -> float:
        """Return F."""
        if any(regex.fullmatch(f"{treebank.WHITE}*", string) for string in (hypothesis, reference)):
            raise UsageError("a text is empty")
        forms = Forms()
        texts = [text_of(self.sentences(string), forms) for string in (reference, hypothesis)]
        return self.formula.score(self.metric.count(*texts)).f

    def sentences(self, string: str) -> Iterator[Iterable[str]]:
        """Yield the tokens of each sentence; in lower case as the whole text has it, if case is ignored."""
        lower = string if self.case_sensitive else string.lower()
        if self.tokenizer and self.function != "l":
            yield self.tokenizer(lower)
            return
        segment = self.segmenter or partial(treebank.sentences, neutral=not self.case_sensitive)
        tokenize = self.tokenizer or treebank.tokens
        end = 0
        for sentence in segment(string):
            part = sentence if self.case_sensitive else sentence.lower()
            blank = f"{treebank.WHITE}+"  # segmenters may replace it
            words = blank.join(map(regex.escape, regex.split(blank, sentence)))
            if not self.case_sensitive and (found := regex.search(words, string, pos=end)):
                start, end = found.span()
                part = lower[len(string[:start].lower()) : len(string[:end].lower())]
            yield tokenize(part)


def jack_knife(hypotheses: Sequence[str], reference: str, scorer: Callable[[str, str], float]) -> float:
    """Return the mean of the best scores without each hypothesis in turn; raise UsageError for only one."""
    if len(hypotheses) < 2:
        raise UsageError("fewer than two hypotheses")
    scores = [scorer(hypothesis, reference) for hypothesis in hypotheses]
    best = [max(scores[:place] + scores[place + 1 :]) for place in range(len(scores))]
    return reduce(add, best) / len(best)


class Js(StringRun):
    """A run of the dialect."""

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        lines = one_of(options, "segmenter", PLAIN, LINES) == LINES
        most = options["max_skip"]
        if most != ANY and not most.isdecimal():
            raise UsageError(f"max_skip is {most!r}", remedy=f"use a whole number, or {ANY}")
        self._make = partial(
            JsRouge,
            beta=options["beta"],
            case_sensitive=options["case_sensitive"],
            max_skip=math.inf if most == ANY else int(most),
            segmenter=str.splitlines if lines else None,
        )
        self.lowers = not options["case_sensitive"]
        super().__init__(options, uses, notify)
        self.needs_sentences = "rouge-l" in self.labels

    def measure(self, label: str) -> tuple[Metric, FBeta]:
        """Return the metric of a label, and F with beta."""
        name = label[-1]
        scorer = self._make(n=int(name)) if name.isdecimal() else self._make(function=name)
        return scorer.metric, scorer.formula

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the tokens of each sentence."""
        return [
            [(token, token) for token in tokens] for tokens in self._make(function="l").sentences(string)
        ]


DIALECT = Dialect(
    {
        "metrics": ("rouge-1", "rouge-2", "rouge-l"),
        "beta": 1.0,
        "case_sensitive": True,
        "max_skip": ANY,
        "segmenter": PLAIN,
        "jackknife": False,
        "samples": 0,
        "sentences": "newline",
    },
    label_parser("js", LABELS),
    Js,
)
