"""Scoring of strings: `rouge_score.rouge_scorer`, faster and with batches."""

from __future__ import annotations

import re
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

from rouge_cli import native
from rouge_cli.containers import items, ordered
from rouge_cli.core import Text
from rouge_cli.dialects.google.scoring import BaseScorer, Score
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.text import porter_nltk
from rouge_cli.text.vocabulary import Vocabulary, normaliser, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rouge_cli.core import Counts
    from rouge_cli.metrics._metric import Metric
    from rouge_cli.native import _compiled

LCS_TYPES = ("rougeL", "rougeLsum")
# A scorer clears its vocabulary when it has grown to this number of forms.
MOST_FORMS = 1_000_000


@cache
def metric(rouge_type: str) -> Metric:
    """Return the metric of a type: `rouge1` to `rouge9`, `rougeL`, `rougeLsum`.

    Raises ValueError for any other name.
    """
    if rouge_type == "rougeL":
        return SentenceLcs()
    if rouge_type == "rougeLsum":
        return Lcs()
    if rouge_type == "rouge0":
        raise ValueError(f"rougen requires positive n: {rouge_type}")
    if not re.fullmatch("rouge[1-9]", rouge_type):
        raise ValueError(f"Invalid rouge type: {rouge_type}")
    return NGram(int(rouge_type[-1]))


class RougeScorer(BaseScorer):
    """Scores predictions against targets.

    rouge_types: as in `metric`. use_stemmer: stem tokens of four or more characters.
    split_summaries: for rougeLsum, split sentences with nltk (which needs its data) instead of
    at line ends. tokenizer: an object with `tokenize(text) -> list[str]`; then use_stemmer has no effect.
    """

    def __init__(
        self,
        rouge_types: Iterable[str],
        use_stemmer: bool = False,  # noqa: FBT001, FBT002 - rouge_score's
        split_summaries: bool = False,  # noqa: FBT001, FBT002 - rouge_score's
        tokenizer: Any = None,  # noqa: ANN401 - any object with the method
    ) -> None:
        self.rouge_types = rouge_types if isinstance(rouge_types, list | tuple) else ordered(rouge_types)
        # rouge_score ignores a tokenizer that is false, such as one with a length of 0.
        tokenizer = tokenizer or None
        self._stems = use_stemmer and tokenizer is None
        self._split = split_summaries
        self._tokenizer = tokenizer
        self.normalise = normaliser(frozenset(), _stem) if self._stems else None
        self._vocabulary = Vocabulary(self.normalise)
        # True if tokens and sentences are rouge_score's own, which compiled code supports.
        self.is_plain = tokenizer is None and not split_summaries
        self._compiled: tuple[Sequence[str], _compiled.Pairs[Score] | None] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy or pickle without the vocabulary."""
        return type(self), (self.rouge_types, self._stems, self._split, self._tokenizer)

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return the prediction's scores against the target by type; raise ValueError for unknown types."""
        self.forget()
        pairs = self._pairs()
        if pairs and type(target) is str and type(prediction) is str:
            return pairs.score(target, prediction)
        types = list(self.rouge_types)
        ((counts,),) = self.count(types, [self.text(target)], [self.text(prediction)])
        return {kind: scored(kind, *counted[:3]) for kind, counted in zip(types, counts, strict=True)}

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, Score]:
        """Return, for each type, the score against the target with the best F; the first on ties.

        targets: any iterable, read in its order. Raises ValueError if it is empty.
        """
        if isinstance(targets, str) and targets:
            warnings.warn("targets is one string: each of its characters is a target", stacklevel=2)
        self.forget()
        texts = [self.text(target) for target in ordered(targets)]
        if not texts:
            raise ValueError("attempt to get argmax of an empty sequence")
        types = list(self.rouge_types)
        (by_target,) = self.count(types, texts, [self.text(prediction)])
        return {
            kind: max(
                (scored(kind, *counts[place][:3]) for counts in by_target), key=lambda score: score.fmeasure
            )
            for place, kind in enumerate(types)
        }

    def score_batch(
        self, targets: Iterable[str] | Iterable[Iterable[str]], predictions: Iterable[str]
    ) -> list[dict[str, Score]]:
        """Return the scores of each prediction against its target, or list of targets.

        Lists may be any iterables. Raises ValueError if their lengths differ, or if
        one of them is a bare string, a mapping, a set or a table.
        """
        targets, predictions = items(targets, "targets"), items(predictions, "predictions")
        if len(targets) != len(predictions):
            raise ValueError(f"{len(targets)} targets for {len(predictions)} predictions")
        self.forget()
        pairs = self._pairs()
        if pairs and all(type(text) is str for text in (*targets, *predictions)):
            return pairs.score_batch(targets, predictions)
        return [
            self.score(target, prediction)
            if isinstance(target, str)
            else self.score_multi(items(target, "the targets of a prediction"), prediction)
            for target, prediction in zip(targets, predictions, strict=True)
        ]

    def count(
        self, rouge_types: Sequence[str], targets: Sequence[Text], predictions: Sequence[Text]
    ) -> list[list[list[Counts]]]:
        """Return the counts of every prediction against every target: [prediction][target][type]."""
        table = _counts(list(map(metric, rouge_types)), targets, predictions)
        if self._tokenizer is not None and "rougeLsum" in rouge_types:
            # Tokens are counted by sentence, since a tokenizer may treat a whole text differently.
            united = _counts(
                [Lcs()], list(map(_by_sentences, targets)), list(map(_by_sentences, predictions))
            )
            for kind, rouge_type in enumerate(rouge_types):
                if rouge_type == "rougeLsum":
                    for prediction, row in enumerate(table):
                        for target, counts in enumerate(row):
                            counts[kind] = united[prediction][target][0]
        return table

    def text(self, string: str) -> Text:
        """Return a string as the metrics read it: all its tokens, and those of its sentences.

        Texts can be counted together until `forget` returns True.
        """
        if self._tokenizer is not None:
            tokenize: Callable[[str], Sequence[str]] = self._tokenizer.tokenize
            return Text(
                self._ids(tokenize(string)),
                [self._ids(tokenize(sentence)) for sentence in self._sentences(string)],
            )
        # Sentences are split first, since the splitter needs capitals; two characters become ASCII below.
        lower = str if string.isascii() else str.lower
        units = [lower(unit).encode("utf-8", "surrogatepass") for unit in self._sentences(string)]
        return text(self._vocabulary, None, self._vocabulary, units)

    def forget(self) -> bool:
        """Start a new vocabulary if this one has grown too large; return True if so."""
        if len(self._vocabulary) <= MOST_FORMS:
            return False
        self._vocabulary = Vocabulary(self.normalise)
        return True

    def _pairs(self) -> _compiled.Pairs[Score] | None:
        """Return the compiled scorer of pairs for the current types, if there is one."""
        if not self.is_plain:
            return None
        types = list(self.rouge_types)
        compiled = self._compiled  # another thread may change it meanwhile
        if compiled is None or compiled[0] != types or (compiled[1] and compiled[1].forms() > MOST_FORMS):
            specs = [(kind, metric(kind).kernel_spec) for kind in types]
            self._compiled = compiled = types, native.pairs(self.normalise, specs, Score, scored)
        return compiled[1]

    def _sentences(self, string: str) -> list[str]:
        if self._split:
            import nltk

            return [sentence for sentence in nltk.sent_tokenize(string) if sentence]
        return [sentence for sentence in string.split("\n") if sentence]

    def _ids(self, tokens: Sequence[str]) -> list[int]:
        # Tokens may be any objects that convert to text, such as numbers.
        return self._vocabulary.ids([str(token).encode("utf-8", "surrogatepass") for token in tokens])


def _counts(
    metrics: Sequence[Metric], targets: Sequence[Text], predictions: Sequence[Text]
) -> list[list[list[Counts]]]:
    return [
        [[metric.count(target, prediction) for metric in metrics] for target in targets]
        for prediction in predictions
    ]


def _by_sentences(whole: Text) -> Text:
    return Text([token for sentence in whole.sentences for token in sentence], whole.sentences)


def scored(rouge_type: str, model: float, peer: float, match: float = 0) -> Score:
    """Return precision, recall and F, never rounded; 0 / 0 counts as 0.

    rougeL and rougeLsum of an empty text are integer zeros, as in rouge_score.
    """
    if match:
        precision, recall = match / peer, match / model
        return Score(precision, recall, 2 * precision * recall / (precision + recall))
    return _NO_LCS if rouge_type in LCS_TYPES and not (model and peer) else _NO_MATCH


_NO_LCS, _NO_MATCH = Score(0, 0, 0), Score(0.0, 0.0, 0.0)


def _stem(token: bytes) -> bytes:
    return stem(token.decode("ascii")).encode("ascii")


def stem(token: str) -> str:
    """Return the stem of a token of four or more characters; shorter ones are returned unchanged."""
    return porter_nltk.stem(token) if len(token) > 3 else token
