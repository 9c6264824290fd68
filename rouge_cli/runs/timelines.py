"""Runs of timelines: the scores of each prediction with the alignments of its days.

The dialect tilse also scores timelines as any other texts (`score --dialect tilse`).
What a run here has in addition is shown for each timeline: the scores of date
selection, the alignments, and what a timeline lacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rouge_cli import signature
from rouge_cli._version import __version__
from rouge_cli.core import Document, Notice
from rouge_cli.dialects import tilse
from rouge_cli.errors import RougeError
from rouge_cli.results.timelines import Battery, Line, Timelines
from rouge_cli.runs import assembly

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import EvalTask, Notify, Score
    from rouge_cli.dialects.tilse.counts import TimelineCounts


class TimelineRun:
    """A set-up of the dialect tilse that scores timelines one by one.

    Args:
        metrics: The metrics, as `tilse.metric` returns them -> their names in reports.
        longest: The length of the longest n-grams.
        options: Other options of the dialect.
        pool: Score against all references together, not one by one.

    Raises:
        UsageError: For an invalid option.
    """

    def __init__(
        self,
        metrics: Mapping[str, str],
        longest: int,
        options: Mapping[str, object],
        *,
        pool: bool,
    ) -> None:
        labels = []
        for metric in metrics:
            for n in range(1, longest + 1):
                labels.append(tilse.TimelineMeasure(n, metric).label)
        run = assembly.set_up("tilse", {"metrics": labels, **options}, None)
        protocol = tilse.POOLED if pool else tilse.PER_REFERENCE
        self._metrics = metrics
        self._pool = pool
        self._signed = {"dialect": "tilse", **run.options, "protocol": protocol}
        self._dialect = cast("tilse.Tilse", run.averages)

    def compare(
        self,
        tasks: Sequence[EvalTask],
        notify: Notify,
        *,
        are_topics: bool,
        alignments: bool,
    ) -> Timelines:
        """Return the scores of all systems, each system's followed by their average.

        Names have the system's if there are several. A single file has no average.

        Args:
            tasks: The evals.
            notify: Receives warnings about timelines.
            are_topics: The evals are topics of folders, which always have an average.
            alignments: Show which days were aligned.

        Raises:
            RougeError: If there are no evals.
        """
        if not tasks:
            raise RougeError("nothing to score: there is no timeline to compare")
        by_system = self._score(tasks, notify)
        has_several = len(by_system) > 1
        lines = []
        for system, of_system in by_system.items():
            average = "average"
            prefix = ""
            if has_several:
                average = f"average of {system}"
                if are_topics:
                    prefix = f"{system}/"
            for line in of_system:
                lines.append(line._replace(name=f"{prefix}{line.name}"))
            if are_topics or len(of_system) > 1:
                lines.append(self._average(average, of_system))
        return Timelines(
            lines=lines,
            names=self._metrics,
            alignments=alignments,
            signature=self._signature(len(tasks)),
        )

    def test(self, tasks: Iterable[EvalTask], notify: Notify) -> Battery:
        """Return the mean scores of each test; the tests are the systems of the evals
        (`TimelineReader.tests`).
        """
        by_test = self._score(tasks, notify)
        means = {}
        for test, lines in by_test.items():
            average = self._average(test, lines)
            for metric, scores in average.scores.items():
                for n, score in enumerate(scores, 1):
                    means[test, self._metrics[metric], n] = score
        number = max(map(len, by_test.values()))
        return Battery(means, number, self._signature(number))

    def _score(
        self, tasks: Iterable[EvalTask], notify: Notify
    ) -> dict[str, list[Line]]:
        """Return system -> the scores of its evals."""
        by_system: dict[str, list[Line]] = {}
        for task in tasks:
            reference = ""
            if not self._pool:
                reference, _ = task.references[0]
            for system, counted in self._dialect.compare(task, task.predictions):
                for message in self._lacks(task, reference, counted):
                    notify(Notice(message))
                line = self._line(task.eval_id, reference, counted)
                by_system.setdefault(system, []).append(line)
        return by_system

    def _line(self, name: str, reference: str, counted: TimelineCounts) -> Line:
        """Return the scores of one prediction."""
        score = self._dialect.formula.score
        scores: dict[str, list[Score]] = {}
        for metric, counts_by_length in counted.counts.items():
            scores[metric] = [score(counts) for counts in counts_by_length]
        return Line(
            name=name,
            reference=reference,
            scores=scores,
            dates=score(counted.dates),
            alignments=counted.alignments,
            predicted_days=counted.predicted_dates,
            reference_days=counted.reference_dates,
        )

    def _lacks(
        self, task: EvalTask, reference: str, counted: TimelineCounts
    ) -> Iterator[str]:
        """Yield warnings about missing references, and about timelines without dates
        or tokens.
        """
        if not task.references:
            yield (
                f"{task.where}: no reference for prediction {task.eval_id}; scores"
                " are 0"
            )
            return
        texts = [*task.predictions.values(), *(text for _, text in task.references)]
        paths = [text.where for text in texts if isinstance(text, Document)]
        sides = f"prediction {task.eval_id}", reference or "the references"
        for index, _, message in self._dialect.lacks(counted, *sides):
            yield f"{paths[index]}: {message}"
        if counted.dates.reference and len(task.references) > 1:
            for (name, _), path, days in zip(
                task.references, paths[1:], counted.references, strict=True
            ):
                if not any(day.text.tokens for day in days.values()):
                    what = "token that counts" if days else "date"
                    yield f"{path}: no {what} in {name}; it still counts"

    def _average(self, name: str, lines: Sequence[Line]) -> Line:
        """Return a line of that name with the averages of the lines."""
        formula = self._dialect.formula
        means: dict[str, list[Score]] = {}
        for metric in self._metrics:
            scores_by_length = zip(
                *[line.scores[metric] for line in lines], strict=True
            )
            means[metric] = [tilse.mean(scores, formula) for scores in scores_by_length]
        dates = tilse.mean([line.dates for line in lines], formula)
        return Line(name, reference="", scores=means, dates=dates)

    def _signature(self, evals: int) -> str:
        """Return the signature of the scores."""
        fields = {**self._signed, "evals": evals, "version": __version__}
        return signature.render(fields)
