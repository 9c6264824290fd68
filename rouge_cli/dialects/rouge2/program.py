"""From counts to scores: several references, F, averages over evals."""

from __future__ import annotations

from functools import partial
from itertools import chain
from math import fsum, nan
from typing import TYPE_CHECKING, Any

from rouge_cli.core import Average, Notice, Score, number, terms
from rouge_cli.dialects.rouge2 import labels, texts
from rouge_cli.dialects.rouge2.counts import count
from rouge_cli.dialects.rouge2.labels import L
from rouge_cli.dialects.rouge2.texts import Reading
from rouge_cli.pairwise.program import Pairwise, units_of
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.formula import NOTHING_TO_DIVIDE_BY, Formula, average
from rouge_cli.text.survey import survey

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rouge_cli.core import Counts, Document, EvalTask, Notify
    from rouge_cli.dialects.rouge2.counts import Synonyms
    from rouge_cli.dialects.rouge2.forms import Preprocessing
    from rouge_cli.dialects.rouge2.labels import Measure
    from rouge_cli.explanation import Explanation
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column
    from rouge_cli.scoring.formula import Scored

TAGGED = "tagged"  # the tagger of texts that come with tags


class Rouge2(Pairwise[Reading]):
    """The dialect for one run.

    preprocessing, synonyms: used for the measures that need them. tokenize: splits a line into words.
    names: the names of further data, for the report.
    """

    resamples = True

    def __init__(  # noqa: PLR0913, PLR0917 - what a run is made of
        self,
        options: Options,
        preprocessing: Preprocessing,
        synonyms: Synonyms,
        tokenize: Callable[[str], Sequence[str]],
        uses: Counter[str],
        notify: Notify,
        names: Mapping[str, Any],
    ) -> None:
        self.preprocessing = preprocessing
        self.synonyms = synonyms
        super().__init__(
            options, uses, notify, partial(survey, ascii_only=options["tokenizer"] == "classic")
        )
        self.needs_sentences = True  # no unit crosses the end of a line
        # In the program's definition scores without a model are nan (QUIRKS 52).
        self.needs_models = not preprocessing.program
        self._tokenize = tokenize
        self._names = names

    def measure(self, label: str) -> tuple[Any, Formula]:
        """Return the measure and formulas of a label."""
        measure = labels.parse(label)
        # If the program's L divides by nothing, the score is not a number (QUIRKS 52).
        undefined = nan if self.preprocessing.program and measure.kind == L else 0.0
        return measure, MeanShares(self.options["alpha"], undefined)

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
            label: formula.combine([self.count(measure, model, peer) for model in models])
            for label, (measure, formula) in self.measures.items()
        }

    def count(self, measure: Measure, model: Reading, peer: Reading) -> Counts:
        """Return the counts of a pair."""
        return count(measure, model, peer, self.preprocessing, self.synonyms)

    def explain(self, task: EvalTask) -> dict[str, list[Explanation]]:
        """Explain every peer of a loaded eval."""
        from rouge_cli.dialects.rouge2.matches import explain  # scoring does without

        return explain(self, task)

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return each token (`@` for a run of digits), and the form that is counted."""
        units = units_of(self.options, document, input_format)
        lines = texts.paper_lines(document, units, self._tokenize, tagged=False)
        return [(word, self.preprocessing.stem(word)) for line in lines for word, _ in line]

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


class MeanShares(Formula):
    """Means of recall and of precision over the models, of which F is made (QUIRKS 50).

    undefined: recall or precision without a unit to divide by.
    """

    def __init__(self, alpha: float, undefined: float) -> None:
        super().__init__()
        self._alpha = alpha
        self._undefined = undefined

    def share(self, match: float, whole: float) -> float:
        """Return recall or precision against one model."""
        return match / whole if whole else self._undefined

    def mean(self, figures: Sequence[float]) -> float:
        """Return the mean over the models, undefined without one."""
        return fsum(figures) / len(figures) if figures else nan

    def combine(self, pairs: Sequence[Counts]) -> Scored:
        """Return the sum of the counts, and the score of the means."""
        recall = self.mean([self.share(pair.match, pair.model) for pair in pairs])
        precision = self.mean([self.share(pair.match, pair.peer) for pair in pairs])
        return average(pairs), Score(recall, precision, self.f(recall, precision))

    def f(self, recall: float, precision: float) -> float:
        """Return (1 + b^2) R P / (b^2 P + R), b^2 = (1 - alpha) / alpha; 0 unless one is above 0."""
        if not (recall > 0 or precision > 0):
            return 0.0
        if not self._alpha:
            return recall
        square = (1 - self._alpha) / self._alpha
        return (1 + square) * recall * precision / (square * precision + recall)

    def lines(self, names: Sequence[str], pairs: Sequence[Counts], scored: Scored) -> Iterator[str]:  # noqa: ARG002 - all count
        """Yield the means and their F."""
        for name, side, value in (
            ("recall", "model", scored[1].recall),
            ("precision", "peer", scored[1].precision),
        ):
            shares = [(pair.match, getattr(pair, side)) for pair in pairs]
            if len(shares) == 1:
                yield self.share_line(name, side, *shares[0], value)
                continue
            ratios = terms([f"{number(match)} / {number(whole)}" for match, whole in shares])
            note = "" if all(whole for _, whole in shares) else NOTHING_TO_DIVIDE_BY
            yield f"{name} = mean of match / {side} = ({ratios}) / {len(shares)} = {value:.5f}{note}"
        yield self.f_line(scored[1])

    def f_line(self, score: Score) -> str:
        """Return F in letters and in figures."""
        r, p = f"{score.recall:.5f}", f"{score.precision:.5f}"
        if not (score.recall > 0 or score.precision > 0):
            return f"F = {score.f:.5f}{NOTHING_TO_DIVIDE_BY}"
        if not self._alpha:
            return f"F = R, since alpha is 0, = {score.f:.5f}"
        square = f"{(1 - self._alpha) / self._alpha:g}"
        return (
            f"F = (1 + b^2) R P / (b^2 P + R), b^2 = (1 - alpha) / alpha = {square}: "
            f"(1 + {square}) x {r} x {p} / ({square} x {p} + {r}) = {score.f:.5f}"
        )
