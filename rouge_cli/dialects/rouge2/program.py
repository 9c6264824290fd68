"""From counts to scores: several references, F, averages over evals."""

from __future__ import annotations

from functools import partial
from itertools import chain
from math import fsum, nan
from typing import TYPE_CHECKING, Any

from rouge_cli.core import Average, Counts, EvalResult, Score
from rouge_cli.dialects.rouge2.counts import count
from rouge_cli.dialects.rouge2.labels import L
from rouge_cli.pairwise.program import plain_average
from rouge_cli.reading import Reader, sentence_preparer
from rouge_cli.scoring import bootstrap, formula
from rouge_cli.text.survey import survey

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rouge_cli.core import Document, EvalTask
    from rouge_cli.dialects.rouge2.counts import Synonyms
    from rouge_cli.dialects.rouge2.forms import Preprocessing
    from rouge_cli.dialects.rouge2.labels import Measure
    from rouge_cli.dialects.rouge2.texts import Reading
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column
    from rouge_cli.text.sentences import Split


class Rouge2:
    """The dialect for one run.

    measures: those to compute. preprocessing, synonyms: used for the measures that need them.
    read: reads a document and its sentences as words. split: None for the sentences of the input format.
    names: the names of further data, for the report.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what a run is made of
        self,
        measures: Sequence[Measure],
        options: Options,
        preprocessing: Preprocessing,
        synonyms: Synonyms,
        read: Callable[[Document, Sequence[bytes]], Reading],
        split: Split | None,
        uses: Counter[str],
        names: Mapping[str, Any],
    ) -> None:
        self.labels = [measure.label for measure in measures]
        self.needs_sentences = True  # no unit crosses the end of a line
        self.measures = measures
        self._options = options
        self.preprocessing = preprocessing
        self.synonyms = synonyms
        surveyed = partial(survey, ascii_only=options["tokenizer"] == "classic")
        self.prepare = sentence_preparer(read, split, surveyed)
        self._reader = Reader(self.prepare, uses)
        self._names = names

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score each of the peers that the task has, against all its models.

        A task without a model has no scores; in the program's definition they are nan (QUIRKS 52).
        """
        present = {peer_id: source for peer_id in peer_ids if (source := task.peers.get(peer_id))}
        if not present or not (task.models or self.preprocessing.program):
            return {}
        models, peers = self._reader.models(task), list(self._reader.peers(task, present))
        return {
            peer_id: {
                measure.label: self._result(
                    task.eval_id,
                    measure,
                    [count(measure, model, peer, self.preprocessing, self.synonyms) for model in models],
                )
                for measure in self.measures
            }
            for peer_id, peer in zip(present, peers, strict=True)
        }

    def _result(self, eval_id: str, measure: Measure, pairs: Sequence[Counts]) -> EvalResult:
        recalls, precisions = shares(measure, pairs, program=self.preprocessing.program)
        recall, precision = mean(recalls), mean(precisions)
        score = Score(recall, precision, f_measure(recall, precision, self._options["alpha"]))
        return EvalResult(eval_id, formula.average(pairs), score)

    def average(
        self, columns: Mapping[tuple[str, str], Column], jobs: int = 1
    ) -> Mapping[tuple[str, str], Average]:
        """Return plain means; with samples, resampled means and intervals, drawn as by ROUGE-1.5.5."""
        averages = {key: plain_average(column) for key, column in columns.items()}
        samples, confidence, seed = (self._options[name] for name in ("samples", "confidence", "seed"))
        for size in sorted({len(column) for column in columns.values() if column}) if samples else ():
            group = {key: column for key, column in columns.items() if len(column) == size}
            figures = list(chain.from_iterable(column.scores() for column in group.values()))
            estimates = bootstrap.estimates_of_means(figures, samples, confidence, seed, jobs)
            for place, key in enumerate(group):
                averages[key] = Average(*estimates[3 * place : 3 * place + 3])
        return averages

    def kernel_setup(self) -> None:
        """Return None: there is no compiled twin."""

    def details(self) -> Mapping[str, Any]:
        """Return the numbers of texts and sentences read, and the names of tagger and WordNet, if used."""
        return {**self._reader.tally, **self._names}


def shares(
    measure: Measure, pairs: Sequence[Counts], *, program: bool
) -> tuple[Sequence[float], Sequence[float]]:
    """Return recall and precision against each model."""
    # If the program's L divides by nothing, the score is not a number (QUIRKS 52).
    undefined = nan if program and measure.kind == L else 0.0
    return (
        [pair.match / pair.model if pair.model else undefined for pair in pairs],
        [pair.match / pair.peer if pair.peer else undefined for pair in pairs],
    )


def mean(figures: Sequence[float]) -> float:
    """Return the mean over the models, of which F is made (QUIRKS 50)."""
    return fsum(figures) / len(figures) if figures else nan


def f_measure(recall: float, precision: float, alpha: float) -> float:
    """Return (1 + b^2) R P / (b^2 P + R), b^2 = (1 - alpha) / alpha; 0 unless one is above 0."""
    if not (recall > 0 or precision > 0):
        return 0.0
    if not alpha:
        return recall
    square = (1 - alpha) / alpha
    return (1 + square) * recall * precision / (square * precision + recall)
