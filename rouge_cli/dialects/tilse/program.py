"""Scoring of timelines against their models, which are pooled: their counts add up."""

from __future__ import annotations

from functools import lru_cache
from math import fsum
from typing import TYPE_CHECKING, Any

from rouge_cli.core import Average, Estimate, EvalResult, Notice, Score
from rouge_cli.dialects.tilse import labels
from rouge_cli.errors import RougeError
from rouge_cli.formats import timeline
from rouge_cli.reading import NOT_TALLIED, Reader
from rouge_cli.scoring.ratio import f_measure, ratio

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import Counts, Document, EvalTask, Notify
    from rouge_cli.dialects.tilse.counts import Days, Engine, TimelineCounts
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column

# The formats of tasks that do not state one.
UNSPECIFIED_FORMATS = ("", "spl", "plain")
# Timelines that came with their tasks, kept for tasks that share them.
KEPT = 256


class Tilse:
    """The dialect for one run."""

    def __init__(self, options: Options, engine: Engine, uses: Counter[str], notify: Notify) -> None:
        self.labels = options["metrics"]
        self.needs_sentences = False
        self._measures = [labels.parse(label) for label in self.labels]
        self._metrics = list(dict.fromkeys(measure.metric for measure in self._measures))
        self._alpha: float = options["alpha"]
        self._repeated: str = options["repeated"]
        self._engine = engine
        self._notify = notify
        self._reader = Reader(self._prepare, uses)
        self._days = lru_cache(KEPT)(self._read)

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score each of the peers that the task has, against its models together."""
        results = {}
        for peer_id, counted in self.compare(task, peer_ids):
            for _, n, message in self.lacks(counted, f"peer {peer_id}", "the models"):
                if n > 1:  # a side without a date or a token is reported when it is read
                    self._notify(Notice(f"eval {task.eval_id} ({task.where}): {message}"))
            results[peer_id] = {
                measure.label: EvalResult(task.eval_id, counts, score_counts(counts, self._alpha))
                for measure in self._measures
                for counts in [counted.counts[measure.metric][measure.n - 1]]
            }
        return results

    def compare(self, task: EvalTask, peer_ids: Iterable[str]) -> Iterator[tuple[str, TimelineCounts]]:
        """Yield the counts of each of the peers that the task has, with their days.

        Raises RougeError for an input format without dates.
        """
        if task.input_format not in (*UNSPECIFIED_FORMATS, "timeline"):
            raise RougeError(
                f"eval {task.eval_id}: no dates in format {task.input_format.upper()}",
                where=task.where,
                remedy="use --read-as timeline, since dialect tilse reads timelines",
            )
        present = {peer_id: source for peer_id in peer_ids if (source := task.peers.get(peer_id))}
        if present:
            task = task._replace(input_format="timeline")
            models = self._reader.models(task)
            for peer_id, peer in zip(present, self._reader.peers(task, present), strict=True):
                yield peer_id, self._engine.score(peer, models, self._metrics)

    def _prepare(self, document: Document, *_: object) -> tuple[Days, Sequence[int]]:
        days = self._days(document)
        if not any(day.text.tokens for day in days.values()):
            what = "no token that counts" if days else "no date"
            self._notify(Notice(f"{document.where}: {what} in it"))
        return days, NOT_TALLIED

    def _read(self, document: Document) -> Days:
        dated = timeline.only(document.data, document.where, self._notify, repeated=self._repeated)
        return self._engine.days(dated)

    def lacks(self, counted: TimelineCounts, peer: str, models: str) -> Iterator[tuple[int, int, str]]:
        """Yield each side with a count of 0, for which the toolkit divides by zero.

        Its number, 0 for the peer and 1 for the models; the length of the shortest n-grams that it lacks, 0
        for dates; and a message. peer, models: the names of the sides.
        """
        measured = [(0, counted.dates)]
        measured += [(each.n, counted.counts[each.metric][each.n - 1]) for each in self._measures]
        for number, side in enumerate((peer, models)):
            lengths = [n for n, counts in measured if not (counts.model if number else counts.peer)]
            if lengths:
                n = min(lengths)
                what = ("date", "token that counts")[n] if n < 2 else f"{n}-gram that counts"
                yield number, n, f"no {what} in {side}; {f'ROUGE-{n} is' if n > 1 else 'scores are'} 0"

    def average(
        self, columns: Mapping[tuple[str, str], Column], _: int = 1
    ) -> Mapping[tuple[str, str], Average]:
        """Return the mean recall, the mean precision, and the F of these two."""
        averages = {}
        for key, column in columns.items():
            score = mean([Score(*values) for values in zip(*column.scores(), strict=True)], self._alpha)
            averages[key] = Average(*(Estimate(value, None, None) for value in score))
        return averages

    def kernel_setup(self) -> None:
        """Return None: there is no compiled twin."""

    def details(self) -> Mapping[str, Any]:
        """Return no details."""
        return {}


def score_counts(counts: Counts, alpha: float) -> Score:
    """Return recall, precision and F."""
    return with_f(ratio(counts.match, counts.model), ratio(counts.matched, counts.peer), alpha)


def mean(scores: Sequence[Score], alpha: float) -> Score:
    """Return the mean recall, the mean precision, and the F of these two (which is not the mean F)."""
    size = max(len(scores), 1)
    recall, precision = (fsum(score[place] for score in scores) / size for place in (0, 1))
    return with_f(recall, precision, alpha)


def with_f(recall: float, precision: float, alpha: float) -> Score:
    """Return the score with its F."""
    return Score(recall, precision, f_measure(recall, precision, alpha))
