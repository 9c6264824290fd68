"""Scoring of evals as in Google's rouge_score: nothing is rounded, and the model with the best F counts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rouge_cli.core import Average, Estimate, Notice, Score, Text
from rouge_cli.dialects.google import rouge_scorer
from rouge_cli.dialects.google.scoring import BootstrapAggregator, make_score
from rouge_cli.native.setup import KernelSetup
from rouge_cli.pairwise.program import Pairwise, combine, plain_average
from rouge_cli.text import normalization
from rouge_cli.text.survey import survey, without_tokens

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import Counts, Document, EvalResult, EvalTask, Notify
    from rouge_cli.options import Options
    from rouge_cli.pairwise.program import Scored
    from rouge_cli.scoring.columns import Column


class Google(Pairwise[Text]):
    """The dialect for one run."""

    resamples = True

    def __init__(
        self, options: Options, scorer: rouge_scorer.RougeScorer, uses: Counter[str], notify: Notify
    ) -> None:
        tokenizer, normalize = options["tokenizer"], options["normalize"]
        is_ascii = tokenizer in ("google", "classic")
        super().__init__(options, uses, notify, partial(survey, ascii_only=is_ascii, normalize=normalize))
        self.needs_sentences = any(rouge_scorer.metric(label).needs_sentences for label in self.labels)
        self._scorer = scorer
        self._words = scorer.words()
        self._ascii_only = is_ascii

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score each peer that the task has, with new words if the vocabulary was too large."""
        if self._words is not (words := self._scorer.words()):
            self._words = words
            self._reader.clear_cache()
        return super().score(task, peer_ids)

    def scores(self, models: Sequence[Text], peer: Text) -> Mapping[str, Scored]:
        """Return the scores by type, against the model with the best F."""
        by_model = [self._scorer.count(self.labels, model, peer) for model in models]
        return {
            label: combine([_scored(label, counts[place]) for counts in by_model], "best")
            for place, label in enumerate(self.labels)
        }

    def prepare(self, string: str) -> Text:
        """Return the tokens of a string, and those of its lines."""
        return self._scorer.text(normalization.normalize(self.options["normalize"], string), self._words)

    def _prepare(self, document: Document, units: Sequence[bytes]) -> Text:
        text = self.prepare(join_sentences(units))
        if text.empty and any(map(bytes.strip, units)):
            self.notify(Notice(f"{document.where}: {without_tokens(ascii_only=self._ascii_only)}"))
        return text

    def average(
        self, columns: Mapping[tuple[str, str], Column], _: int = 1
    ) -> Mapping[tuple[str, str], Average]:
        """Return plain means, or rouge_score's aggregate: the median of resampled means and its interval.

        Each system draws from its own stream, as if it were scored alone.
        """
        if not self.options["samples"]:
            return {key: plain_average(column) for key, column in columns.items()}
        averages: dict[tuple[str, str], Average] = {}
        for peer_id in dict.fromkeys(peer_id for peer_id, _ in columns):
            aggregator = BootstrapAggregator(
                self.options["confidence"] / 100, int(self.options["samples"]), int(self.options["seed"])
            )
            for (other, label), column in columns.items():
                for scores in zip(*column.scores(), strict=True) if other == peer_id else ():
                    aggregator.add_scores({label: Score(*scores)})
            for label, (low, mid, high) in aggregator.aggregate().items():
                figures = zip(mid, low, high, strict=True)
                averages[peer_id, label] = Average(*(Estimate(*map(float, ends)) for ends in figures))
        return {key: averages[key] if column else plain_average(column) for key, column in columns.items()}

    def kernel_setup(self) -> KernelSetup | None:
        """Return the compiled program's setup, if tokens and sentences are rouge_score's."""
        specs = [spec for label in self.labels if (spec := rouge_scorer.metric(label).kernel_spec)]
        options = self.options
        if not self._scorer.is_plain or (options["sentences"], options["normalize"]) != ("newline", "none"):
            return None
        return KernelSetup(specs, self._scorer.normalize, is_google=True)


def join_sentences(units: Sequence[bytes]) -> str:
    """Return the string that rouge_score would receive for these sentences, a line each."""
    # A sentence must stay on one line, so line ends within it are replaced.
    return b"\n".join(unit.replace(b"\n", b" ") for unit in units).decode("utf-8", "replace")


def _scored(label: str, counts: Counts) -> Scored:
    precision, recall, f = make_score(label, *counts[:3])
    return counts, Score(recall, precision, f)
