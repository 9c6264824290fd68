"""ROUGE-1.5.5.pl (Lin 2004-2005): what it reads, counts, rounds and averages, in its order.

Read a file, cut it, tokenise it, drop stop words, stem; count each model against each peer; combine the
models; round; average by bootstrap. Numbers in parentheses refer to compat/QUIRKS.md.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import formats
from rouge_cli.core import (
    Average,
    Counts,
    Element,
    Estimate,
    EvalResult,
    Notice,
    Score,
    Text,
)
from rouge_cli.errors import RougeError, UnreadableFile
from rouge_cli.metrics.basic_elements import BasicElements
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.scoring import bootstrap, formula
from rouge_cli.scoring.ratio import f_measure, five_places, ratio
from rouge_cli.text.limit import Limit, first_reading, second_reading
from rouge_cli.text.porter import stem
from rouge_cli.text.tokens import fields, tokens
from rouge_cli.text.vocabulary import Vocabulary
from rouge_cli.text.word_lists import irregular_forms, stop_words

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import EvalTask, Metric, Notify, Summary

FORMATS = ("see", "spl", "isi", "simple")

# What `-t` asks for.
MEAN_OF_SCORES, MEAN_OF_COUNTS, TOTALS = 0, 1, 2


class Setup(NamedTuple):
    """All that the original's options say about scoring; the defaults are the original's.

    stem: stem peers and models (`-m`). stem_models: the models only (`-M`, QUIRKS 18).
    alpha: the weight of recall's reciprocal in F. averaging: one of the three constants above.
    confidence: in percent. samples: how often to resample. data_folder: None for our own word lists.
    """

    metrics: Sequence[Metric] = ()
    stem: bool = False
    stem_models: bool = False
    drop_stop_words: bool = False
    limit: Limit | None = None
    best_model: bool = False
    alpha: float = 0.5
    averaging: int = MEAN_OF_SCORES
    confidence: float = 95.0
    samples: float = 1000.0
    data_folder: str | None = None


class Rouge155:
    """The dialect for one run: its set-up, its vocabulary and the texts it still needs.

    uses: how often each path will be read; a file is read once and kept until its last use.
    trace: takes a line on each count, for debugging; None to say nothing.
    """

    def __init__(
        self,
        setup: Setup,
        uses: Counter[str],
        notify: Notify,
        trace: Callable[[str], None] | None = None,
    ) -> None:
        self._setup = setup
        self._trace = trace
        self._notify = notify
        self._reader = _Reader(setup, uses, notify)
        self.labels = [metric.label for metric in setup.metrics]

    def score(
        self, task: EvalTask, peer_ids: Iterable[str]
    ) -> Mapping[str, Mapping[str, EvalResult]]:
        """Each peer that the task has, under each metric, against all models together."""
        present = [peer_id for peer_id in peer_ids if task.peers.get(peer_id) is not None]
        if not present or not self.labels:
            return {}
        read = self._reader.read
        models = [
            (model_id, read(path, task, f"model {model_id}", is_model=True))
            for model_id, path in task.models
        ]
        results = {}
        for peer_id in present:
            peer = read(task.peers[peer_id], task, f"peer {peer_id}", is_model=False)
            pairs = [self._pair(task, peer_id, peer, *model) for model in models]
            by_metric = zip(*pairs, strict=True) if pairs else [()] * len(self.labels)
            results[peer_id] = {
                metric.label: self._result(task.eval_id, metric, counts)
                for metric, counts in zip(self._setup.metrics, by_metric, strict=True)
            }
        return results

    def average(
        self, columns: Mapping[tuple[str, str], Sequence[EvalResult]]
    ) -> Mapping[tuple[str, str], Average | Counts]:
        """Totals, or bootstrap averages; columns of one length share their draws."""
        ordered = {
            key: sorted(evals, key=lambda one: f"{one.eval_id}.{key[0]}")  # noqa: B023
            for key, evals in columns.items()
        }
        if self._setup.averaging == TOTALS:
            return {
                key: formula.average([one.counts for one in evals])
                for key, evals in ordered.items()
            }
        averages: dict[tuple[str, str], Average | Counts] = {}
        for size in sorted({len(evals) for evals in ordered.values()}):
            group = {key: evals for key, evals in ordered.items() if len(evals) == size}
            averages.update(zip(group, self._resample(list(group.values())), strict=True))
        return averages

    def _pair(
        self, task: EvalTask, peer_id: str, peer: _Readings, model_id: str, model: _Readings
    ) -> list[Counts]:
        """One peer against one model: the counts of every metric."""
        pair = []
        for metric in self._setup.metrics:
            model_text = model.for_metric(metric)
            if isinstance(metric, WeightedLcs) and not any(model_text.sentences):
                self._notify(
                    Notice(
                        f"eval {task.eval_id}: model {model_id} is empty: {metric.label} counts 0 "
                        f"for peer {peer_id} (the original divides by zero here)"
                    )
                )
            counts = metric.count(model_text, peer.for_metric(metric))
            pair.append(counts)
            if self._trace:
                self._trace(
                    f"eval {task.eval_id} peer {peer_id} model {model_id} {metric.label}: "
                    f"model {counts.model:g} peer {counts.peer:g} match {counts.match:g}"
                )
        return pair

    def _result(self, eval_id: str, metric: Metric, pairs: Sequence[Counts]) -> EvalResult:
        """The models together; R and P are rounded before F is made of them, and F again (14)."""
        if self._setup.best_model:
            counts = formula.best([self._ranked(metric, pair) for pair in pairs])
        else:
            counts = formula.average(pairs)
        if self._setup.averaging != MEAN_OF_SCORES:
            return EvalResult(eval_id, counts, None)
        power = 1 / metric.root
        recall = five_places(ratio(counts.match, counts.model) ** power)
        precision = five_places(ratio(counts.match, counts.peer) ** power)
        f = five_places(f_measure(recall, precision, self._setup.alpha))
        return EvalResult(eval_id, counts, Score(recall, precision, f))

    @staticmethod
    def _ranked(metric: Metric, counts: Counts) -> Counts:
        """The best model is the one of the best *rounded* recall, but not for L and W (7)."""
        if isinstance(metric, Lcs | WeightedLcs):
            return counts
        return counts._replace(rank=five_places(counts.rank))

    def _resample(self, group: Sequence[Sequence[EvalResult]]) -> Iterator[Average]:
        """The averages of columns of one length, three figures each, from one set of draws."""
        size = len(group[0])
        if not size:
            nothing = Estimate(0.0, 0.0, 0.0)
            return (Average(nothing, nothing, nothing) for _ in group)
        samples = self._setup.samples
        figures = [figure for column in group for figure in self._figures(column)]
        sums = bootstrap.resampled_sums(figures, samples)
        return (
            self._average(sums[first : first + 3], size) for first in range(0, len(sums), 3)
        )

    def _figures(self, column: Sequence[EvalResult]) -> Iterable[tuple[float, ...]]:
        """What is resampled: recall, precision and F, or the three counts."""
        if self._setup.averaging == MEAN_OF_SCORES:
            return zip(*(one.score for one in column if one.score), strict=True)
        return zip(*(one.counts[:3] for one in column), strict=True)

    def _average(self, sums: Sequence[Sequence[float]], size: int) -> Average:
        """Each sample's figures, then their means and intervals."""
        if self._setup.averaging == MEAN_OF_SCORES:
            samples = [[total / size for total in column] for column in sums]
        else:
            # Neither rounded nor, for ROUGE-W, taken to a root (QUIRKS 14).
            model, peer, match = sums
            recall = list(map(ratio, match, model))
            precision = list(map(ratio, match, peer))
            alpha = [self._setup.alpha] * len(recall)
            samples = [recall, precision, list(map(f_measure, recall, precision, alpha))]
        setup = self._setup
        return Average(
            *(bootstrap.estimate(column, setup.samples, setup.confidence) for column in samples)
        )


class _Readings(NamedTuple):
    """A file as the metrics see it; the three differ for models under `-M` only (QUIRKS 18)."""

    plain: Text
    stemmed: Text
    clipped: Text

    def for_metric(self, metric: Metric) -> Text:
        """ROUGE-N never sees `-M`'s stems, ROUGE-W only where it clips."""
        if isinstance(metric, NGram):
            return self.plain
        return self.clipped if isinstance(metric, WeightedLcs) else self.stemmed


class _Reader:
    """From paths to texts: each file is read and tokenised once and kept while it is needed."""

    def __init__(self, setup: Setup, uses: Counter[str], notify: Notify) -> None:
        self._setup = setup
        self._uses = uses
        self._notify = notify
        self._kept: dict[tuple[str, str, bool], _Readings] = {}
        self._elements_only = any(isinstance(one, BasicElements) for one in setup.metrics)
        folder = setup.data_folder
        self._stop = stop_words(folder, notify) if setup.drop_stop_words else frozenset()
        stems = setup.stem or setup.stem_models
        self._irregular = irregular_forms(folder, notify) if stems else {}
        forms: dict[bytes, int] = {}
        self._plain = Vocabulary(self._unstopped if self._stop else None, forms)
        self._stemmed = Vocabulary(self._unstopped_stem, forms) if stems else self._plain

    def read(self, path: str, task: EvalTask, role: str, *, is_model: bool) -> _Readings:
        """The file's readings.

        Raises UnreadableFile, or RougeError for a format that a metric cannot be computed on.
        """
        key = (path, task.input_format, is_model and self._setup.stem_models)
        readings = self._kept.get(key)
        if readings is None:
            summary = self._summary(path, task, role)
            make = self._elements if self._elements_only else self._words
            readings = make(summary, path, is_model=is_model)
        self._uses[path] -= 1
        if self._uses[path] > 0:
            self._kept[key] = readings
        else:
            self._kept.pop(key, None)
        return readings

    def _summary(self, path: str, task: EvalTask, role: str) -> Summary:
        """The file's units, with notices on what people lose points to silently."""
        name = task.input_format
        here = f"eval {task.eval_id}, {task.where}"
        if not name:
            raise RougeError(
                f"eval {task.eval_id} has no INPUT-FORMAT",
                where=task.where,
                remedy='add <INPUT-FORMAT TYPE="SPL"/> (or SEE, ISI, SIMPLE)',
            )
        has_elements = name == "simple"
        for metric in self._setup.metrics:
            if isinstance(metric, BasicElements) != has_elements and not (
                name == "isi" and self._elements_only
            ):
                raise RougeError(
                    f"{metric.label} cannot be computed on input format {name.upper()}",
                    where=f"eval {task.eval_id}, {task.where}",
                    remedy="basic elements (-3) are read from SIMPLE, everything else from SEE, "
                    "SPL or ISI",
                )
        try:
            with open(path, "rb") as file:  # noqa: PTH123 - pathlib costs start-up time
                data = file.read()
        except IsADirectoryError:
            self._notify(Notice(f"{path}: a folder, read as an empty text ({role} of {here})"))
            data = b""
        except OSError as reason:
            raise UnreadableFile(path, reason, role=f"{role} of {here}") from None
        summary: Summary = formats.named(name).read(data)
        self._remark(path, name, data, summary)
        return summary

    def _remark(self, path: str, name: str, data: bytes, summary: Summary) -> None:
        if not any(unit.strip() for unit in summary.units):
            self._notify(Notice(f"{path}: no text in it", of_the_original=True))
            if name in ("see", "isi") and data.strip():
                self._notify(
                    Notice(f"{path}: not empty, but no sentence is numbered as {name.upper()} asks")
                )
        elif name == "spl" and any(b'<a name="' in unit for unit in summary.units):
            self._notify(Notice(f"{path}: read as SPL, but it looks like SEE; its tags count as words"))

    def _words(self, summary: Summary, path: str, *, is_model: bool) -> _Readings:
        """First reading on the whole text, second reading by sentences (QUIRKS 6)."""
        limit = self._setup.limit
        second = [tokens(sentence) for sentence in second_reading(summary.units, limit)]
        if limit is None or limit.in_words:
            first = list(chain.from_iterable(second))
        else:
            first = [*chain.from_iterable(map(tokens, first_reading(summary.units, limit)))]
        if not first and any(unit.strip() for unit in summary.units):
            self._notify(
                Notice(f"{path}: text, but not one token: only ASCII letters and digits count")
            )

        def text(whole: Vocabulary, by_sentence: Vocabulary) -> Text:
            return Text(whole.ids(first), [by_sentence.ids(sentence) for sentence in second])

        plain, stemmed = self._plain, self._stemmed
        if self._setup.stem:
            return _Readings(*[text(stemmed, stemmed)] * 3)
        if self._setup.stem_models and is_model:
            return _Readings(text(plain, plain), text(stemmed, stemmed), text(stemmed, plain))
        return _Readings(*[text(plain, plain)] * 3)

    def _elements(self, summary: Summary, path: str, *, is_model: bool) -> _Readings:
        """Basic elements; length limit and stop words do not hold for them."""
        stems = self._setup.stem or (self._setup.stem_models and is_model)
        elements = [
            self._element(line, f"{path}:{number}", stems=stems)
            for number, line in enumerate(summary.units, 1)
        ]
        return _Readings(*[Text(elements=elements)] * 3)

    def _element(self, line: bytes, where: str, *, stems: bool) -> Element:
        fields = line.lower().split(b"|")
        while fields and not fields[-1]:
            fields.pop()  # as Perl's split does
        if len(fields) != 3:
            raise RougeError(
                f"not a basic element: {line.decode('latin-1')!r}",
                where=where,
                remedy="a line is HEAD|MODIFIER|RELATION",
            )
        head, modifier, relation = fields
        if stems:
            head, modifier = self._stem_words(head), self._stem_words(modifier)
        return Element(head, modifier, relation, fields[1])

    def _stem_words(self, field: bytes) -> bytes:
        """A head or modifier, each of its words stemmed, however short (QUIRKS 22)."""
        if len(field) <= 3:
            return field
        return b" ".join(self._stem(word) if tokens(word) else word for word in fields(field))

    def _unstopped(self, raw: bytes) -> bytes | None:
        return None if raw in self._stop else raw

    def _unstopped_stem(self, raw: bytes) -> bytes | None:
        if raw in self._stop:
            return None
        return raw if len(raw) <= 3 else self._stem(raw)

    def _stem(self, word: bytes) -> bytes:
        """The base form of an irregular word, else the stem."""
        return self._irregular.get(word) or stem(word.decode("latin-1")).encode("latin-1")
