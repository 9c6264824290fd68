"""Scoring of timelines against their models, which are pooled: their counts add up."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Average, Estimate, EvalResult, Notice, Score
from rouge_cli.dialects.tilse import labels
from rouge_cli.errors import RougeError
from rouge_cli.formats import timeline
from rouge_cli.reading import NOT_TALLIED, Reader
from rouge_cli.scoring.formula import Weighted

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import Counts, Document, EvalTask, Notify
    from rouge_cli.dialects.tilse.counts import Engine, Scored
    from rouge_cli.dialects.tilse.texts import Days
    from rouge_cli.explanation import Explanation
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column

# The formats of tasks that do not state one.
UNSPECIFIED_FORMATS = ("", "spl", "plain")


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

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score each of the peers that the task has, against its models together."""
        if task.input_format not in (*UNSPECIFIED_FORMATS, "timeline"):
            raise RougeError(
                f"eval {task.eval_id}: no dates in format {task.input_format.upper()}",
                where=task.where,
                remedy="use --read-as timeline, since dialect tilse reads timelines",
            )
        present = {peer_id: source for peer_id in peer_ids if (source := task.peers.get(peer_id))}
        if not present:
            return {}
        task = task._replace(input_format="timeline")
        models = self._reader.models(task)
        results = {}
        for peer_id, peer in zip(present, self._reader.peers(task, present), strict=True):
            shared = self._engine.score(peer, models, self._metrics)
            self._remark(task, peer_id, shared)
            results[peer_id] = {
                measure.label: EvalResult(task.eval_id, counts, score_counts(counts, self._alpha))
                for measure in self._measures
                for counts in [shared.counts[measure.metric][measure.n - 1]]
            }
        return results

    def _prepare(self, document: Document, *_: object) -> tuple[Days, Sequence[int]]:
        dated = timeline.only(document.data, document.where, self._notify, repeated=self._repeated)
        days = self._engine.days(dated)
        if not any(day.text.tokens for day in days.values()):
            what = "no token that counts" if days else "no date"
            self._notify(Notice(f"{document.where}: {what} in it"))
        return days, NOT_TALLIED

    def _remark(self, task: EvalTask, peer_id: str, scored: Scored) -> None:
        """Report a side without n-grams; one without a date or a token is reported when it is read."""
        sizes = ((measure.n, scored.counts[measure.metric][measure.n - 1]) for measure in self._measures)
        for lack in lacks(scored.dates, sizes):
            if lack.n > 1:
                side = "the models" if lack.is_model else f"peer {peer_id}"
                self._notify(Notice(f"eval {task.eval_id} ({task.where}): {lack.message(side)}"))

    def average(
        self, columns: Mapping[tuple[str, str], Column], _: int = 1
    ) -> Mapping[tuple[str, str], Average]:
        """Return the mean recall, the mean precision, and the F of these two."""
        averages = {}
        for key, column in columns.items():
            score = mean([Score(*values) for values in zip(*column.scores(), strict=True)], self._alpha)
            averages[key] = Average(*(Estimate(value, None, None) for value in score))
        return averages

    def explain(self, task: EvalTask) -> dict[str, list[Explanation]]:
        """Explain every peer of a loaded eval."""
        from rouge_cli.dialects.tilse.spans import explain  # scoring does without

        return explain(self._engine, self._measures, task, self._alpha, self._repeated)

    def forms(self, document: Document, _: str) -> Sequence[tuple[str, str]]:
        """Return each token as in the text, and the form that is counted; empty if it is dropped."""
        from rouge_cli.dialects.tilse.spans import read

        tokens = read(self._engine, document, self._repeated).source.tokens
        return [(token.surface.lower(), token.form) for token in tokens]

    def kernel_setup(self) -> None:
        """Return None: there is no compiled twin."""

    def details(self) -> Mapping[str, Any]:
        """Return no details."""
        return {}


class Lack(NamedTuple):
    """A side whose count is 0, so that a ratio has no denominator.

    is_model: True for the references. n: the length of the shortest n-grams that it lacks; 0 for dates.
    """

    is_model: bool
    n: int

    def message(self, side: str) -> str:
        """Return the text of the notice."""
        what = ("date", "token that counts")[self.n] if self.n < 2 else f"{self.n}-gram that counts"
        return f"no {what} in {side}; {f'ROUGE-{self.n} is' if self.n > 1 else 'scores are'} 0"


def lacks(dates: Counts, sizes: Iterable[tuple[int, Counts]]) -> Iterator[Lack]:
    """Yield the sides without a date, a token or an n-gram, for which the toolkit divides by zero.

    dates: the numbers of dates on the two sides. sizes: the reported counts, with their n.
    """
    all_sizes = list(sizes)
    for is_model in (False, True):
        without = [n for n, counts in all_sizes if not (counts.model if is_model else counts.peer)]
        if not (dates.model if is_model else dates.peer):
            yield Lack(is_model, 0)
        elif without:
            yield Lack(is_model, min(without))


def score_counts(counts: Counts, alpha: float) -> Score:
    """Return recall, precision and F."""
    return Weighted(alpha).score(counts)


def mean(scores: Sequence[Score], alpha: float) -> Score:
    """Return the mean recall, the mean precision, and the F of these two (which is not the mean F)."""
    size = max(len(scores), 1)
    recall, precision = (fsum(score[place] for score in scores) / size for place in (0, 1))
    return Score(recall, precision, Weighted(alpha).f(recall, precision))
