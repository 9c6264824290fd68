"""Reading of whole texts, scoring of each peer against its models, and plain averages."""

from __future__ import annotations

from functools import partial
from math import fsum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rouge_cli import formats, plugins
from rouge_cli.core import Average, Counts, Estimate, EvalResult, Notice, Score
from rouge_cli.errors import UsageError, all_of
from rouge_cli.reading import Reader, sentence_preparer
from rouge_cli.scoring import formula
from rouge_cli.text import sentences
from rouge_cli.text.survey import survey

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rouge_cli.core import Document, EvalTask, Notify
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column

T = TypeVar("T")

# The counts and the score of a peer under one metric.
Scored = tuple[Counts, Score]


class Pairwise(Generic[T]):
    """A dialect for one run; a subclass prepares a text and scores it against its models."""

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        refuse_resampling(options)
        self.labels: Sequence[str] = options["metrics"]
        self.needs_sentences = False
        self.options = options
        self.notify = notify
        split = sentences.named(options["sentences"])
        self._reader = Reader(
            sentence_preparer(self._prepare, split, partial(survey, ascii_only=False)), uses
        )

    def prepare(self, string: str) -> T:
        """Return the text as the dialect counts it."""
        raise NotImplementedError

    def scores(self, models: Sequence[T], peer: T) -> Mapping[str, Scored]:
        """Return a peer's results by label, against all its models; empty to leave the peer out."""
        raise NotImplementedError

    def is_empty(self, text: T) -> bool:
        """Return True if the text has no token to count."""
        raise NotImplementedError

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score each peer that the task has; an eval without models has no scores."""
        present = {peer_id: source for peer_id in peer_ids if (source := task.peers.get(peer_id))}
        if not present or not task.models:
            return {}
        models = self._reader.models(task)
        results = {}
        for peer_id, peer in zip(present, self._reader.peers(task, present), strict=True):
            if by_label := self.scores(models, peer):
                results[peer_id] = {
                    label: EvalResult(task.eval_id, *by_label[label]) for label in self.labels
                }
        return results

    def kernel_setup(self) -> None:
        """Return None: there is no compiled twin."""

    def average(
        self, columns: Mapping[tuple[str, str], Column], _: int = 1
    ) -> Mapping[tuple[str, str], Average]:
        """Return plain means of R, P and F."""
        return {key: plain_average(column) for key, column in columns.items()}

    def details(self) -> Mapping[str, Any]:
        """Return the number of texts and sentences read, by side."""
        return self._reader.tally

    def _prepare(self, document: Document, units: Sequence[bytes]) -> T:
        string = b"\n".join(units).decode("utf-8", "replace")
        text = self.prepare(string)
        if self.is_empty(text):
            self.notify(Notice(f"{document.where}: no token in it"))
        return text


def plain_average(column: Column) -> Average:
    """Return the means of R, P and F."""
    return Average(*(Estimate(mean(figures), None, None) for figures in column.scores()))


def mean(figures: Sequence[float]) -> float:
    """Return the mean; 0 for an empty sequence."""
    return fsum(figures) / max(len(figures), 1)


def combine(pairs: Sequence[Scored], how: str) -> Scored:
    """Combine the scores against several models: their mean, or the one with the best F.

    For packages with one model only; a single model's score is returned unchanged. The first wins ties.
    """
    if how == "best" or len(pairs) == 1:
        return max(pairs, key=lambda pair: pair[1].f)
    score = Score(*(mean(figures) for figures in zip(*(score for _, score in pairs), strict=True)))
    return formula.average([counts for counts, _ in pairs]), score


def refuse_resampling(options: Options) -> None:
    """Raise UsageError if the options ask for a bootstrap, which these packages do not have."""
    if options["samples"]:
        raise UsageError("this dialect does not resample", remedy="leave --samples out, or set it to 0")


def parse(dialect: str, labels: Sequence[str], label: str) -> Label:
    """Return the dialect's own spelling of a label: `rouge1` for `ROUGE-1`, `R1` and `1`.

    Raises UsageError with similar labels.
    """
    bare = label.lower().replace("-", "").removeprefix("rouge").removeprefix("r")
    for name in labels:
        if name.lower().replace("-", "") == f"rouge{bare}":
            return Label(name)
    raise UsageError(
        f"unknown metric {label!r} in dialect {dialect}", remedy=plugins.suggestion(label, list(labels))
    )


def canonical(options: Options, parse: Callable[[str], str]) -> Options:
    """Return the options as in the signature.

    parse: maps a label in any spelling to the package's own; raises UsageError.
    """
    labels = all_of(partial(parse, label) for label in dict.fromkeys(options["metrics"]))
    return {**options, "metrics": tuple(dict.fromkeys(labels))}


class Label(str):
    """A parsed label."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """Return the label itself; other dialects' measures have this property."""
        return str(self)


def units_of(options: Mapping[str, Any], document: Document, input_format: str) -> str:
    """Return the string that a dialect scores for a document."""
    units = formats.summary(input_format, document).units
    split = sentences.named(options["sentences"])
    if split:
        units = split(b"\n".join(units))
    return b"\n".join(units).decode("utf-8", "replace")
