"""From counts to scores: several references, F, averages over evals."""

from __future__ import annotations

from functools import partial
from itertools import chain
from math import fsum, nan
from typing import TYPE_CHECKING, Any

from rouge_cli.core import Average, Counts, Notice, Score
from rouge_cli.dialects.rouge2 import texts
from rouge_cli.dialects.rouge2.counts import count
from rouge_cli.dialects.rouge2.labels import L
from rouge_cli.dialects.rouge2.texts import Reading
from rouge_cli.pairwise.program import Pairwise
from rouge_cli.scoring import bootstrap, formula
from rouge_cli.text.survey import survey

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Mapping, Sequence

    from rouge_cli.core import Document, Notify
    from rouge_cli.dialects.rouge2.counts import Synonyms
    from rouge_cli.dialects.rouge2.forms import Preprocessing
    from rouge_cli.dialects.rouge2.labels import Measure
    from rouge_cli.options import Options
    from rouge_cli.pairwise.program import Scored
    from rouge_cli.scoring.columns import Column

TAGGED = "tagged"  # the tagger of texts that come with tags


class Rouge2(Pairwise[Reading]):
    """The dialect for one run.

    measures: those to compute. preprocessing, synonyms: used for the measures that need them.
    tokenize: splits a line into words. names: the names of further data, for the report.
    """

    resamples = True

    def __init__(  # noqa: PLR0913, PLR0917 - what a run is made of
        self,
        measures: Sequence[Measure],
        options: Options,
        preprocessing: Preprocessing,
        synonyms: Synonyms,
        tokenize: Callable[[str], Sequence[str]],
        uses: Counter[str],
        notify: Notify,
        names: Mapping[str, Any],
    ) -> None:
        super().__init__(
            options, uses, notify, partial(survey, ascii_only=options["tokenizer"] == "classic")
        )
        self.needs_sentences = True  # no unit crosses the end of a line
        # In the program's definition scores without a model are nan (QUIRKS 52).
        self.needs_models = not preprocessing.program
        self.measures = measures
        self.preprocessing = preprocessing
        self.synonyms = synonyms
        self._tokenize = tokenize
        self._names = names

    def _prepare(self, document: Document, units: Sequence[bytes]) -> Reading:
        tagged = self.options["tagger"] == TAGGED
        if self.preprocessing.program:
            return Reading(texts.program_lines(document, tagged=tagged))
        lines = texts.paper_lines(document, units, self._tokenize, tagged=tagged)
        if not any(lines) and any(map(bytes.strip, units)):
            self.notify(Notice(f"{document.where}: text, but no words"))
        return Reading(lines)

    def scores(self, models: Sequence[Reading], peer: Reading) -> Mapping[str, Scored]:
        """Return the scores by label, against all models."""
        return {
            measure.label: self.combined(
                measure,
                [count(measure, model, peer, self.preprocessing, self.synonyms) for model in models],
            )
            for measure in self.measures
        }

    def combined(self, measure: Measure, pairs: Sequence[Counts]) -> Scored:
        """Return the counts against several models added up, and the score of the means."""
        # If the program's L divides by nothing, the score is not a number (QUIRKS 52).
        undefined = nan if self.preprocessing.program and measure.kind == L else 0.0
        recall = mean([pair.match / pair.model if pair.model else undefined for pair in pairs])
        precision = mean([pair.match / pair.peer if pair.peer else undefined for pair in pairs])
        score = Score(recall, precision, f_measure(recall, precision, self.options["alpha"]))
        return formula.average(pairs), score

    def average(
        self, columns: Mapping[tuple[str, str], Column], jobs: int = 1
    ) -> Mapping[tuple[str, str], Average]:
        """Return plain means; with samples, resampled means and intervals, drawn as by ROUGE-1.5.5."""
        averages = dict(super().average(columns))
        samples, confidence, seed = (self.options[name] for name in ("samples", "confidence", "seed"))
        for size in sorted({len(column) for column in columns.values() if column}) if samples else ():
            group = {key: column for key, column in columns.items() if len(column) == size}
            figures = list(chain.from_iterable(column.scores() for column in group.values()))
            estimates = bootstrap.estimates_of_means(figures, samples, confidence, seed, jobs)
            for place, key in enumerate(group):
                averages[key] = Average(*estimates[3 * place : 3 * place + 3])
        return averages

    def details(self) -> Mapping[str, Any]:
        """Return the numbers of texts and sentences read, and the names of tagger and WordNet, if used."""
        return {**super().details(), **self._names}


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
