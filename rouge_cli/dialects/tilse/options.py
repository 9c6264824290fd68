"""What `rouge-cli score --dialect tilse` and `rouge-cli timeline` may ask of the timeline metrics."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import files, folders
from rouge_cli.core import Average, Document, Estimate, EvalResult, Notice, Score
from rouge_cli.dialects.tilse import scores
from rouge_cli.dialects.tilse.scores import Engine
from rouge_cli.errors import RougeError, UsageError, all_of
from rouge_cli.formats import timeline
from rouge_cli.options import in_range, one_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping

    from rouge_cli.core import Column, Counts, EvalTask, Notify
    from rouge_cli.dialects.tilse.scores import Days
    from rouge_cli.options import Options

# How several references are used: together, or each in an evaluation of its own.
POOLED, PER_REFERENCE = "pooled", "per-reference"
DEFAULTS: Mapping[str, Any] = {
    "metrics": tuple(f"ROUGE-{n}-{metric}" for metric in scores.METRICS for n in (1, 2)),
    "stemmer": "rouge",
    "stop": "rouge",
    "alpha": 0.5,
    "samples": 0,
    "protocol": POOLED,
    "repeated": timeline.LAST,
}
STEMMER = "rouge"  # what `--stem` means here
STOP_LIST = "rouge"  # what `--stop` means here
# The metrics as the paper and as the toolkit call them.
PAPER = {
    scores.CONCAT: "concat",
    scores.AGREEMENT: "agreement",
    scores.ALIGN: "align",
    scores.CONTENT: "align+",
    scores.MANY: "align+ m:1",
}
TOOLKIT = {
    scores.CONCAT: "concat",
    scores.AGREEMENT: "agreement",
    scores.ALIGN: "align_date_costs",
    scores.CONTENT: "align_date_content_costs",
    scores.MANY: "align_date_content_costs_many_to_one",
}
# Days of a timeline share no longer n-grams.
LONGEST = 9
# The formats that tasks name where nobody has said what their texts are.
UNSAID = ("", "spl", "plain")


class Measure(NamedTuple):
    """ROUGE-n under one way of comparing days."""

    n: int
    metric: str

    @property
    def label(self) -> str:
        """`ROUGE-2-align-content`."""
        return f"ROUGE-{self.n}-{self.metric}"


def metric(name: str) -> str:
    """The metric of a name of ours, the paper's or the toolkit's, in any case; raises UsageError."""
    known = {_folded(spelling): own for names in (PAPER, TOOLKIT) for own, spelling in names.items()} | {
        _folded(own): own for own in scores.METRICS
    }
    found = known.get(_folded(name))
    if found is None:
        names = list(dict.fromkeys([*PAPER.values(), *TOOLKIT.values()]))
        raise UsageError(f"unknown metric {name!r}", remedy=folders.suggestion(name, names))
    return found


def _folded(name: str) -> str:
    """Names are told apart by this: `align+ m:1` is `align+m1` too."""
    return re.sub("[ _:-]", "", name.lower())


def parse(label: str) -> Measure:
    """The measure of a label: `ROUGE-2-align`, `R1-align+`, `rouge_1-concat`; raises UsageError."""
    found = re.fullmatch(rf"(?:rouge|r)[-_]?([1-{LONGEST}])[- _+@:](.+)", label, re.IGNORECASE)
    if found:
        return Measure(int(found[1]), metric(found[2]))
    raise UsageError(
        f"unknown metric {label!r} in dialect tilse",
        remedy=folders.suggestion(label, list(DEFAULTS["metrics"])),
    )


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
            results[peer_id] = {
                one.label: self._result(task.eval_id, found.counts[one.metric][one.n - 1])
                for one in self._measures
            }
        return results

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
        if not found:
            self._notify(Notice(f"{document.where}: no date in it"))
        return self._engine.days(found)
