"""Reading of whole texts, scoring of each peer against its models, and plain averages."""

from __future__ import annotations

from functools import partial
from math import fsum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rouge_cli import plugins
from rouge_cli.core import Average, Counts, Estimate, EvalResult, Notice, Score
from rouge_cli.errors import UsageError, all_of
from rouge_cli.scoring import formula
from rouge_cli.text import reading, sentences
from rouge_cli.text.reading import Reader, sentence_preparer
from rouge_cli.text.survey import survey

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rouge_cli.core import Document, EvalTask, Notify
    from rouge_cli.native.setup import KernelSetup
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column
    from rouge_cli.text.survey import Survey

T = TypeVar("T")

# The counts and the score of a peer under one metric.
Scored = tuple[Counts, Score]


_SURVEY = partial(survey, ascii_only=False)


class Pairwise(Generic[T]):
    """A dialect for one run; a subclass prepares a text and scores it against its models.

    resamples: True if the subclass averages with a bootstrap when samples are asked for.
    needs_models: True if an eval without models has no scores.
    read: makes of a document and its task the prepared text, and its part of the tally.
    """

    resamples = False
    needs_models = True

    def __init__(
        self, options: Options, uses: Counter[str], notify: Notify, survey: Survey = _SURVEY
    ) -> None:
        if options["samples"] and not self.resamples:
            raise UsageError("this dialect does not resample", remedy="leave --samples out, or set it to 0")
        self.labels: Sequence[str] = options["metrics"]
        self.needs_sentences = False
        self.options = options
        self.notify = notify
        self.read = sentence_preparer(self._prepare, sentences.named(options["sentences"]), survey)
        self._reader = Reader(self.read, uses)

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
        """Score each peer that the task has, against its models."""
        present = {peer_id: source for peer_id in peer_ids if (source := task.peers.get(peer_id))}
        if not present or (self.needs_models and not task.models):
            return {}
        models = self._reader.models(task)
        results = {}
        for peer_id, peer in zip(present, self._reader.peers(task, present), strict=True):
            if by_label := self.scores(models, peer):
                results[peer_id] = {
                    label: EvalResult(task.eval_id, *by_label[label]) for label in self.labels
                }
        return results

    def kernel_setup(self) -> KernelSetup | None:
        """Return None, unless a subclass has a compiled twin."""
        return None

    def average(
        self, columns: Mapping[tuple[str, str], Column], _: int = 1
    ) -> Mapping[tuple[str, str], Average]:
        """Return plain means of R, P and F."""
        return {key: plain_average(column) for key, column in columns.items()}

    def details(self) -> Mapping[str, Any]:
        """Return the number of texts and sentences read, by side."""
        return self._reader.tally

    def _prepare(self, document: Document, units: Sequence[bytes]) -> T:
        text = self.prepare(joined(units))
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


def units_of(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[bytes]:
    """Return the sentences of a document as a run with these options divides it."""
    units = reading.units(document, input_format)
    split = sentences.named(options["sentences"])
    return split(b"\n".join(units)) if split else units


def joined(units: Sequence[bytes]) -> str:
    """Return the string that a dialect scores for these sentences."""
    return b"\n".join(units).decode("utf-8", "replace")
