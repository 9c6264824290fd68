"""What `rouge-cli score --dialect tilse` and `rouge-cli timeline` may ask of the timeline metrics."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rouge_cli import files
from rouge_cli.core import Average, Document, Estimate, EvalResult, Notice, Score
from rouge_cli.dialects.tilse import labels, scores
from rouge_cli.dialects.tilse.scores import Engine
from rouge_cli.errors import RougeError, UsageError, all_of
from rouge_cli.formats import timeline
from rouge_cli.options import in_range, one_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping

    from rouge_cli.core import Counts, EvalTask, Notify
    from rouge_cli.dialects.tilse.labels import Measure
    from rouge_cli.dialects.tilse.scores import Days, Scored
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column

# How several references are used: together, or each in an evaluation of its own.
POOLED, PER_REFERENCE = "pooled", "per-reference"
DEFAULTS: Mapping[str, Any] = {
    "metrics": tuple(labels.DEFAULT),
    "stemmer": "rouge",
    "stop": "rouge",
    "alpha": 0.5,
    "samples": 0,
    "protocol": POOLED,
    "repeated": timeline.LAST,
}
STEMMER = "rouge"  # what `--stem` means here
STOP_LIST = "rouge"  # what `--stop` means here
# The formats that tasks name where nobody has said what their texts are.
UNSAID = ("", "spl", "plain")


def parse(label: str) -> Measure:
    """The measure of a label; raises UsageError."""
    return labels.parse(label)


def canonical(options: Options) -> Options:
    """The options as the signature writes them."""
    measures = all_of(partial(parse, label) for label in options["metrics"])
    return {**options, "metrics": tuple(dict.fromkeys(one.label for one in measures))}


def command_line(_: Options) -> None:
    """ROUGE-1.5.5 alone cannot print these scores."""
    return


def engine(options: Options, notify: Notify) -> Engine:
    """What scores timelines as the options ask; raises UsageError for values that make no sense."""
    in_range(options, "alpha", 0, 1)
    one_of(options, "repeated", *timeline.REPEATED)
    longest = max((parse(label).n for label in options["metrics"]), default=1)
    stem, stop = (one_of(options, name, "none", "rouge") == "rouge" for name in ("stemmer", "stop"))
    return Engine(stem=stem, stop=stop, longest=longest, notify=notify)


def build(options: Options, uses: Counter[str], notify: Notify) -> Tilse:
    """The dialect, set up; raises UsageError for values that make no sense."""
    if options["samples"]:
        raise UsageError("no resampling in dialect tilse", remedy="leave --samples out, or give 0")
    if one_of(options, "protocol", POOLED, PER_REFERENCE) != POOLED:
        raise UsageError(
            "models are pooled here", remedy="evaluations per reference are made by rouge-cli timeline"
        )
    return Tilse(options, engine(options, notify), uses, notify)


class Tilse:
    """The dialect for one run."""

    def __init__(self, options: Options, engine: Engine, uses: Counter[str], notify: Notify) -> None:
        self.labels = options["metrics"]
        self._measures = [parse(label) for label in self.labels]
        self._metrics = list(dict.fromkeys(one.metric for one in self._measures))
        self._alpha: float = options["alpha"]
        self._repeated: str = options["repeated"]
        self._engine = engine
        self._uses = uses
        self._notify = notify
        self._kept: dict[str, Days] = {}

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Each peer that the task has, against its models together."""
        if task.input_format not in (*UNSAID, "timeline"):
            raise RougeError(
                f"eval {task.eval_id}: no dates in format {task.input_format.upper()}",
                where=task.where,
                remedy="dialect tilse reads timelines: --read-as timeline",
            )
        present = {peer_id: source for peer_id in peer_ids if (source := task.peers.get(peer_id))}
        if not present:
            return {}
        models = [self._read(source, task, f"model {one}") for one, source in task.models]
        results = {}
        for peer_id, source in present.items():
            peer = self._read(source, task, f"peer {peer_id}")
            found = self._engine.score(peer, models, self._metrics)
            self._remark(task, peer_id, found)
            results[peer_id] = {
                one.label: self._result(task.eval_id, found.counts[one.metric][one.n - 1])
                for one in self._measures
            }
        return results

    def kernel_setup(self) -> None:
        """There is no compiled twin."""

    def average(self, columns: Mapping[tuple[str, str], Column]) -> Mapping[tuple[str, str], Average]:
        """Mean recall, mean precision, and the F of these two."""
        found = {}
        for key, column in columns.items():
            score = scores.mean([Score(*one) for one in zip(*column.scores(), strict=True)], self._alpha)
            found[key] = Average(*(Estimate(value, None, None) for value in score))
        return found

    def details(self) -> Mapping[str, Any]:
        """Nothing."""
        return {}

    def _remark(self, task: EvalTask, peer_id: str, found: Scored) -> None:
        """Name a side without n-grams; one without a date or a token is named where it is read."""
        sizes = ((measure.n, found.counts[measure.metric][measure.n - 1]) for measure in self._measures)
        for lack in scores.lacks(found.dates, sizes):
            if lack.n > 1:
                side = "the models" if lack.is_model else f"peer {peer_id}"
                self._notify(Notice(f"eval {task.eval_id} ({task.where}): {lack.message(side)}"))

    def _result(self, eval_id: str, counts: Counts) -> EvalResult:
        return EvalResult(eval_id, counts, scores.scored(counts, self._alpha))

    def _read(self, source: str | Document, task: EvalTask, role: str) -> Days:
        """The days of a file, which are kept while they are needed, or of a document."""
        if isinstance(source, Document):
            return self._days(source)
        found = self._kept.get(source)
        if found is None:
            data = files.read(source, f"{role} of eval {task.eval_id} ({task.where})")
            found = self._days(Document(data, source))
        self._uses[source] -= 1
        if self._uses[source] > 0:
            self._kept[source] = found
        else:
            self._kept.pop(source, None)
        return found

    def _days(self, document: Document) -> Days:
        found = timeline.only(document.data, document.where, self._notify, repeated=self._repeated)
        days = self._engine.days(found)
        if not any(day.text.tokens for day in days.values()):
            what = "no token that counts" if days else "no date"
            self._notify(Notice(f"{document.where}: {what} in it"))
        return days
