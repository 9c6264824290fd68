"""The program of ROUGE-1.5.5: its options, the counted forms of words, its formulas, and a run."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from math import fsum, isnan

from rouge_cli.core import TYPE_CHECKING, Average, Counts, Estimate, EvalResult, NamedTuple, Notice
from rouge_cli.data import irregular_forms, stop_words
from rouge_cli.metrics import Metric
from rouge_cli.metrics._lcs import power
from rouge_cli.native import KernelSetup, ReadingRules
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.columns import Averages, KeyedColumns
from rouge_cli.scoring.formula import BEST, SUM, Scored, Weighted, average, f_measure, five_places, ratio
from rouge_cli.text import stemmers
from rouge_cli.text.survey import NOTHING_READ, ROLES, survey
from rouge_cli.text.tokens import Limit, make_normalizer, tokens

if TYPE_CHECKING:
    from rouge_cli.core import Document, EvalTask, Explanation, Notify, Token
    from rouge_cli.dialects.rouge155.texts import Readings
    from rouge_cli.text.normalization import Fold
    from rouge_cli.text.reading import Reader
    from rouge_cli.text.survey import Survey

FORMATS = ("see", "spl", "isi", "simple")

# The values of `-t`.
MEAN_OF_SCORES, MEAN_OF_COUNTS, TOTALS = 0, 1, 2


class Setup(NamedTuple):
    """The original's options for scoring with their defaults, and options that the original lacks.

    The default of an option that the original lacks is the original's behaviour.
    """

    metrics: Sequence[Metric] = ()
    stem: bool = False  # stem peers and models (`-m`)
    stem_models: bool = False  # stem only the models (`-M`, QUIRKS 21)
    drop_stop_words: bool = False
    limit: Limit | None = None
    best_model: bool = False
    alpha: float = 0.5  # the weight of precision in F: 1 is P, 0 is R
    averaging: int = MEAN_OF_SCORES  # one of the three constants above
    confidence: float = 95.0  # in percent
    samples: float = 1000.0  # number of bootstrap samples; 0 for the plain mean without an interval
    data_folder: str | None = None  # folder of word lists; None for rouge-cli's lists
    seed: int = 0  # seed of the bootstrap
    tokenize: Callable[[bytes], Sequence[bytes]] = tokens  # splits a sentence into tokens
    # Returns the stem of a word; None for Porter's stemmer with irregular forms, which keeps short words.
    stemmer: Callable[[bytes], bytes] | None = None
    # Irregular form -> base form, for Porter's stemmer; None for the list of the data folder.
    irregular: Mapping[bytes, bytes] | None = None
    stop_words: frozenset[bytes] | None = None  # None for the list of the data folder
    # Splits a text into sentences; None for the sentences of its input format.
    split: Callable[[bytes], Sequence[bytes]] | None = None
    reading: ReadingRules | None = None  # for compiled code; None if both are the defaults
    survey: Survey = survey  # counts common causes of low scores in a text
    # Changes a text as `tokenize` does, for explanations; None for the original's tokens.
    fold: Fold | None = None


class WordForms:
    """Functions from words to their counted forms in a setup."""

    def __init__(self, setup: Setup, notify: Notify) -> None:
        folder = setup.data_folder
        stop: frozenset[bytes] = frozenset()
        if setup.drop_stop_words:
            stop = stop_words(folder, notify) if setup.stop_words is None else setup.stop_words
        needs_stems = setup.stem or setup.stem_models
        irregular = setup.irregular
        if irregular is None:
            irregular = irregular_forms(folder, notify) if needs_stems and not setup.stemmer else {}
        self.stem = setup.stemmer or stemmers.RougeStemmer(irregular)
        shortest = 0 if setup.stemmer else stemmers.SHORTEST_STEMMED
        # From a raw token to its counted form without and with stemming. The form of a stop word is None;
        # the function itself is None if it would change no token.
        self.plain = make_normalizer(stop)
        self.stemmed = make_normalizer(stop, self.stem, shortest) if needs_stems else self.plain
        # For all texts; unused with -M (QUIRKS 21).
        self.common = self.stemmed if setup.stem else self.plain


class Rounded(Weighted):
    """The original's formulas: R, P and F are rounded to five places, F after R and P (QUIRKS 25)."""

    prediction_note = " (once per reference)"

    def __init__(self, setup: Setup, metric: Metric) -> None:
        super().__init__(setup.alpha, BEST if setup.best_model else SUM)
        self.root, self.written_root = metric.root, metric.written_root
        self._rounds_rank = metric.rounds_rank
        self.compared = metric.rank_name + " rounded to five places" * metric.rounds_rank

    def share(self, match: float, whole: float) -> float:
        """Return recall or precision; for ROUGE-W raised to the power of 1 / weight."""
        # Of floats: a division changes Perl's numbers, and the original divides no counts that it prints.
        return five_places(power(ratio(float(match), float(whole)), 1 / self.root))

    def f(self, recall: float, precision: float) -> float:
        """Return the rounded F."""
        return five_places(super().f(recall, precision))

    def rank(self, counts: Counts) -> float:
        """Return the rank, rounded to five places except for ROUGE-L and ROUGE-W (QUIRKS 24)."""
        return five_places(counts.rank) if self._rounds_rank else counts.rank

    def combine(self, pairs: Sequence[Counts]) -> Scored:
        """Return the counts and the score: of the best model (QUIRKS 23), or of the sums of counts."""
        if self.several == BEST:
            pairs = [pair._replace(rank=self.rank(pair)) for pair in pairs if not isnan(pair.rank)]
        return super().combine(pairs)


class Rouge155:
    """A run of the dialect, with its vocabulary and its cache of texts.

    Args:
        uses: How often each path will be read. A file is read once and cached until its last use.
        trace: Receives a line for every count, for debugging; None for no trace.
        roles: What messages call the writer of a prediction, and a reference.
    """

    def __init__(
        self,
        setup: Setup,
        uses: Counter[str],
        notify: Notify,
        trace: Callable[[str], None] | None = None,
        roles: tuple[str, str] = ROLES,
    ) -> None:
        self._setup = setup
        self._trace = trace
        self._roles = roles
        self._notify = notify
        self._uses = uses
        self._words = WordForms(setup, notify)
        self._formulas = [Rounded(setup, metric) for metric in setup.metrics]
        self._reader: Reader[Readings] | None = None
        self.labels = [metric.label for metric in setup.metrics]
        self.needs_sentences = any(metric.needs_sentences for metric in setup.metrics)

    def score(self, task: EvalTask, systems: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score these peers of a task, under each metric, against all models together."""
        present = {system: path for system in systems if (path := task.predictions.get(system))}
        if not present or not self._setup.metrics:
            return {}
        if not task.references:
            self._notify(Notice(f"{task.where}: eval {task.eval_id} has no models; its scores are 0"))
        reader = self._reader = self._reader or self._open_reader()
        references, predictions = reader.references(task), list(reader.predictions(task, present))
        self._warn_of_empty_models(task, references)
        is_scored = self._setup.averaging == MEAN_OF_SCORES
        results: dict[str, dict[str, EvalResult]] = {}
        for system, prediction in zip(present, predictions, strict=True):
            by_reference = []
            for (reference_id, _), reference in zip(task.references, references, strict=True):
                row = []
                for metric in self._setup.metrics:
                    texts = reference[metric.reading], prediction[metric.reading]
                    row.append(counts := metric.count(*texts))
                    if self._trace:
                        self._trace(
                            f"eval {task.eval_id} peer {system} model {reference_id} {metric.label}: "
                            f"model {counts.reference:g} peer {counts.prediction:g} match {counts.match:g}"
                        )
                by_reference.append(row)
            results[system] = {}
            for label, formula, *pairs in zip(self.labels, self._formulas, *by_reference, strict=True):
                counts, score = formula.combine(pairs)
                results[system][label] = EvalResult(task.eval_id, counts, score if is_scored else None)
        return results

    def _open_reader(self) -> Reader[Readings]:
        """Return the reader of texts; imported late, since a compiled run does not need it."""
        from rouge_cli.dialects.rouge155 import texts
        from rouge_cli.text.reading import Reader

        prepare = texts.Preparation(self._setup, self._notify, self._trace, self._words).prepare
        load = partial(texts.load, notify=self._notify)
        differ = self._setup.stem_models
        return Reader(prepare, self._uses, load, roles=self._roles, sides_differ=differ)

    def _warn_of_empty_models(self, task: EvalTask, references: Sequence[Readings]) -> None:
        """Warn of models that make the original die (QUIRKS 3)."""
        for metric in [metric for metric in self._setup.metrics if metric.divides_by_reference]:
            for (reference_id, _), reference in zip(task.references, references, strict=True):
                if reference["clipped"].wordless:
                    what = f"model {reference_id} is empty, {metric.label} counts 0 for it"
                    self._notify(Notice(f"eval {task.eval_id}: {what} (the original divides by zero)"))

    def average(self, columns: KeyedColumns, jobs: int = 1) -> Averages:
        """Return totals, or bootstrap averages; columns of equal length share their draws."""
        ordered = dict(zip(columns, self._values(columns), strict=True))
        if self._setup.averaging == TOTALS:
            return {key: _total(values) for key, values in ordered.items()}
        averages: dict[tuple[str, str], Average | Counts] = {}
        for size in sorted({len(column) for column in columns.values()}):
            group = {key: ordered[key] for key, column in columns.items() if len(column) == size}
            averages.update(zip(group, self._resample(list(group.values()), size, jobs), strict=True))
        return averages

    def _values(self, columns: KeyedColumns) -> Iterator[list[Sequence[float]]]:
        """Yield R, P and F, or the counts, of each column in the order of drawing (QUIRKS 28)."""
        is_score = self._setup.averaging == MEAN_OF_SCORES
        if is_score and not self._setup.samples:
            # Not sorted: fsum returns the same sum in any order.
            yield from (column.scores() for column in columns.values())
            return
        last: tuple[str, Sequence[str]] = "", ()
        order: Sequence[int] = ()
        for (system, _), column in columns.items():
            if (system, column.ids) != last:
                names = [f"{eval_id}.{system}" for eval_id in column.ids]
                order = array("l", sorted(range(len(names)), key=names.__getitem__))
                last = system, column.ids
            yield column.scores(order) if is_score else column.counts(order)

    def _resample(
        self, group: Sequence[Sequence[Sequence[float]]], size: int, jobs: int
    ) -> Iterator[Average]:
        """Yield the averages (R, P and F) of columns of equal length, from shared draws."""
        setup = self._setup
        rows = list(chain.from_iterable(group))
        if not size:
            nothing = Estimate(0.0, 0.0, 0.0) if setup.samples else Estimate(0.0)
            estimates = [nothing] * 3 * len(group)
        elif setup.averaging == MEAN_OF_SCORES and setup.samples:
            sampling = setup.samples, setup.confidence, setup.seed, jobs
            estimates = bootstrap.estimates_of_means(rows, *sampling)
        elif setup.averaging == MEAN_OF_SCORES:
            estimates = [Estimate(fsum(values) / size) for values in rows]
        else:
            for columns in group:
                if any(isinstance(values, list) for values in columns):  # beyond doubles
                    _total(columns)  # the original adds the counts once before it draws (QUIRKS 29)
            sums = [[fsum(values)] for values in rows]
            if setup.samples:
                sums = bootstrap.resampled_sums(rows, setup.samples, setup.seed, jobs)
            estimates = []
            for first in range(0, len(sums), 4):
                reference, prediction, match, matched = sums[first : first + 4]
                # Without rounding and without ROUGE-W's root (QUIRKS 25).
                recall, precision = (
                    list(map(ratio, match, reference)),
                    list(map(ratio, matched, prediction)),
                )
                f = [f_measure(r, p, setup.alpha) for r, p in zip(recall, precision, strict=True)]
                estimates += [
                    bootstrap.estimate(values, setup.samples, setup.confidence)
                    if setup.samples
                    else Estimate(values[0])
                    for values in (recall, precision, f)
                ]
        return (Average(*estimates[first : first + 3]) for first in range(0, len(estimates), 3))

    def explain(self, task: EvalTask) -> dict[str, list[Explanation]]:
        """Explain every peer of a loaded eval; scores are those of `-t 0`."""
        from rouge_cli.dialects.rouge155.texts import Preparation

        return Preparation(self._setup, lambda _: None, words=self._words).explain(task)

    def tokens(self, document: Document, input_format: str) -> Sequence[Token]:
        """Return the tokens of a document as ROUGE-1 of a peer reads it."""
        from rouge_cli.dialects.rouge155.texts import Preparation
        from rouge_cli.metrics.ngram import NGram

        setup = self._setup._replace(metrics=[NGram(1)])
        return Preparation(setup, lambda _: None, words=self._words).tokens(document, input_format)

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return the lower-cased tokens of a document, each with its counted form; empty if dropped."""
        tokens = self.tokens(document, input_format)
        return [(token.surface.lower(), "" if token.why_dropped else token.form) for token in tokens]

    def kernel_setup(self) -> KernelSetup | None:
        """Return the compiled program's setup; None for metrics, tokens or readings that it lacks."""
        setup = self._setup
        specs = [spec for metric in setup.metrics if (spec := metric.kernel_spec)]
        reading = setup.reading
        if reading is None and setup.tokenize is tokens and not setup.split:
            reading = ReadingRules()
        if not reading or setup.stem_models or self._trace or len(specs) < len(setup.metrics):
            return None
        return KernelSetup(
            specs,
            self._words.common,
            limit=setup.limit,
            best_reference=setup.best_model,
            alpha=setup.alpha,
            is_scored=setup.averaging == MEAN_OF_SCORES,
            reading=reading,
        )

    def details(self) -> Mapping[str, object]:
        """Return the numbers of texts and sentences read, by side."""
        return self._reader.tally if self._reader else NOTHING_READ


def _total(columns: Sequence[Sequence[float]]) -> Counts:
    """Return the sums of columns of counts, in Perl's numbers if the counts have them."""
    pairs = [
        Counts(reference, prediction, match, prediction_match=matched)
        for reference, prediction, match, matched in zip(*columns, strict=True)
    ]
    return average(pairs)
