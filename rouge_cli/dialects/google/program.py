"""Scoring of evals as in Google's rouge_score: nothing is rounded, and the model with the best F counts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rouge_cli.core import Average, Estimate, EvalResult, Notice, Score
from rouge_cli.dialects.google import rouge_scorer
from rouge_cli.dialects.google.scoring import BootstrapAggregator, make_score
from rouge_cli.native.setup import KernelSetup
from rouge_cli.pairwise.program import plain_average
from rouge_cli.reading import Reader, sentence_preparer
from rouge_cli.text import normalization, sentences
from rouge_cli.text.survey import survey

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import Counts, Document, EvalTask, Notify, Text
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column


class Google:
    """The dialect for one run."""

    def __init__(
        self, options: Options, scorer: rouge_scorer.RougeScorer, uses: Counter[str], notify: Notify
    ) -> None:
        self.labels = options["metrics"]
        self.needs_sentences = any(rouge_scorer.metric(label).needs_sentences for label in self.labels)
        self._options = options
        self._scorer = scorer
        self._words = scorer.words()
        self._notify = notify
        surveyed = partial(
            survey, ascii_only=options["tokenizer"] in ("google", "classic"), normalize=options["normalize"]
        )
        prepare = sentence_preparer(self._text, sentences.named(options["sentences"]), surveyed)
        self._reader = Reader(prepare, uses)

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score the peers that the task has: by type, against the model with the best F."""
        present = {peer_id: source for peer_id in peer_ids if (source := task.peers.get(peer_id))}
        if not present or not task.models:
            return {}
        if self._words is not (words := self._scorer.words()):
            self._words = words
            self._reader.clear_cache()
        models, peers = self._reader.models(task), list(self._reader.peers(task, present))
        table = self._scorer.count(self.labels, models, peers)
        return {
            peer_id: {
                label: _best(task.eval_id, label, [counts[place] for counts in by_model])
                for place, label in enumerate(self.labels)
            }
            for peer_id, by_model in zip(present, table, strict=True)
        }

    def _text(self, document: Document, units: Sequence[bytes]) -> Text:
        text = self._scorer.text(join_sentences(units, self._options["normalize"]), self._words)
        if text.empty and any(map(bytes.strip, units)):
            self._notify(
                Notice(
                    f"{document.where}: text, but no tokens: only ASCII letters and digits count "
                    "(for other alphabets: --tokenizer unicode, or char)"
                )
            )
        return text

    def average(
        self, columns: Mapping[tuple[str, str], Column], _: int = 1
    ) -> Mapping[tuple[str, str], Average]:
        """Return plain means, or rouge_score's aggregate: the median of resampled means and its interval.

        Each system draws from its own stream, as if it were scored alone.
        """
        if not self._options["samples"]:
            return {key: plain_average(column) for key, column in columns.items()}
        averages: dict[tuple[str, str], Average] = {}
        for peer_id in dict.fromkeys(peer_id for peer_id, _ in columns):
            aggregator = BootstrapAggregator(
                self._options["confidence"] / 100, int(self._options["samples"]), int(self._options["seed"])
            )
            for label in self.labels:
                for scores in zip(*columns[peer_id, label].scores(), strict=True):
                    aggregator.add_scores({label: scores})
            for label, (low, mid, high) in aggregator.aggregate().items():
                averages[peer_id, label] = Average(*map(Estimate, mid, low, high))
        return {key: averages[key] if column else plain_average(column) for key, column in columns.items()}

    def kernel_setup(self) -> KernelSetup | None:
        """Return the compiled program's setup, if tokens and sentences are rouge_score's."""
        specs = [spec for label in self.labels if (spec := rouge_scorer.metric(label).kernel_spec)]
        options = self._options
        if not self._scorer.is_plain or (options["sentences"], options["normalize"]) != ("newline", "none"):
            return None
        return KernelSetup(specs, self._scorer.normalize, is_google=True)

    def details(self) -> Mapping[str, Any]:
        """Return the number of texts read and of sentences in them, by side."""
        return self._reader.tally


def join_sentences(units: Sequence[bytes], normalize: str) -> str:
    """Return the string that rouge_score would receive for these sentences, a line each."""
    # A sentence must stay on one line, so line ends within it are replaced.
    lines = [unit.replace(b"\n", b" ") for unit in units]
    return normalization.normalize(normalize, b"\n".join(lines).decode("utf-8", "replace"))


def _best(eval_id: str, label: str, counts_of_models: Sequence[Counts]) -> EvalResult:
    scores = [make_score(label, *counts[:3]) for counts in counts_of_models]
    place = max(range(len(scores)), key=lambda which: scores[which].fmeasure)
    precision, recall, f = scores[place]
    return EvalResult(eval_id, counts_of_models[place], Score(recall, precision, f))
