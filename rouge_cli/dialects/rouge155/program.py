"""A run of ROUGE-1.5.5: its set-up, and the averages of its scores."""

from __future__ import annotations

from array import array
from itertools import chain
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Average, Counts, Estimate
from rouge_cli.native.setup import KernelSetup
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.formula import average, f_measure, ratio
from rouge_cli.scoring.perl_numbers import zero
from rouge_cli.text import stemmers
from rouge_cli.text.survey import NOTHING_READ, survey
from rouge_cli.text.tokens import tokens
from rouge_cli.text.vocabulary import make_normalizer
from rouge_cli.text.word_lists import irregular_forms, stop_words

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import Document, EvalResult, EvalTask, Notify
    from rouge_cli.dialects.rouge155.counting import Counting
    from rouge_cli.explanation import Explanation
    from rouge_cli.metrics import Metric
    from rouge_cli.scoring.columns import Column
    from rouge_cli.text.normalization import Fold
    from rouge_cli.text.survey import Survey
    from rouge_cli.text.tokens import Limit

FORMATS = ("see", "spl", "isi", "simple")

# The values of `-t`.
MEAN_OF_SCORES, MEAN_OF_COUNTS, TOTALS = 0, 1, 2


class Setup(NamedTuple):
    """The original's options for scoring, with the original's defaults.

    stem: stem peers and models (`-m`). stem_models: the models only (`-M`, QUIRKS 21).
    alpha: the weight of precision in F: 1 is P, 0 is R. averaging: one of the three constants above.
    confidence: in percent. samples: how often to resample; 0 for the plain mean without an interval.
    data_folder: None for our own word lists.

    The others have no option in the original, and default to its behaviour. seed: of the bootstrap.
    tokenize: a sentence to its tokens. stemmer: None for Porter's with irregular forms, which leaves short
    words alone. irregular: form -> base form for that stemmer; None for the data folder's. stop_words: None
    for the list of the data folder. split: a text to its sentences; None for those of its input format.
    survey: counts common causes of low scores in a text. fold: how `tokenize` changes a text, for
    explanations; None for the original's tokens.
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
    seed: int = 0
    tokenize: Callable[[bytes], Sequence[bytes]] = tokens
    stemmer: Callable[[bytes], bytes] | None = None
    irregular: Mapping[bytes, bytes] | None = None
    stop_words: frozenset[bytes] | None = None
    split: Callable[[bytes], Sequence[bytes]] | None = None
    survey: Survey = survey
    fold: Fold | None = None


class WordForms:
    """Functions from words to their counted forms in a set-up.

    stem: returns a word's stem. plain, stemmed: return the counted form of a raw token without and with
    stemming, None for a stop word; themselves None if they would change no token. common: the one of the
    two that applies to all texts, unless -M is set (QUIRKS 21).
    """

    __slots__ = ("common", "plain", "stem", "stemmed")

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
        self.plain = make_normalizer(stop)
        self.stemmed = make_normalizer(stop, self.stem, shortest) if needs_stems else self.plain
        self.common = self.stemmed if setup.stem else self.plain


class Rouge155:
    """The dialect for one run: its set-up, its vocabulary and its cache of texts.

    uses: how often each path will be read; a file is read once and cached until its last use.
    trace: receives a line on each count, for debugging; None for no trace.
    """

    def __init__(
        self, setup: Setup, uses: Counter[str], notify: Notify, trace: Callable[[str], None] | None = None
    ) -> None:
        self._setup = setup
        self._trace = trace
        self._notify = notify
        self._uses = uses
        self._words = WordForms(setup, notify)
        self._counting: Counting | None = None
        self.labels = [metric.label for metric in setup.metrics]
        self.needs_sentences = any(metric.needs_sentences for metric in setup.metrics)

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score each of the peers that the task has, under each metric, against all models together."""
        if self._counting is None:
            # Only now: a run of the compiled program reads and counts nothing here.
            from rouge_cli.dialects.rouge155.counting import Counting

            self._counting = Counting(self._setup, self._words, self._uses, self._notify, self._trace)
        return self._counting.score(task, peer_ids)

    def average(
        self, columns: Mapping[tuple[str, str], Column], jobs: int = 1
    ) -> Mapping[tuple[str, str], Average | Counts]:
        """Return totals, or bootstrap averages; columns of one length share their draws."""
        ordered = dict(zip(columns, self._figures(columns), strict=True))
        if self._setup.averaging == TOTALS:
            return {key: average(_pairs(figures), _start(figures)) for key, figures in ordered.items()}
        averages: dict[tuple[str, str], Average | Counts] = {}
        for size in sorted({len(column) for column in columns.values()}):
            group = {key: ordered[key] for key, column in columns.items() if len(column) == size}
            averages.update(zip(group, self._resample(list(group.values()), size, jobs), strict=True))
        return averages

    def _figures(self, columns: Mapping[tuple[str, str], Column]) -> Iterator[list[Sequence[float]]]:
        """Return the columns to average in the order of drawing (QUIRKS 28): R, P and F, or counts."""
        is_score = self._setup.averaging == MEAN_OF_SCORES
        if is_score and not self._setup.samples:
            yield from (column.scores() for column in columns.values())  # fsum is the same in any order
            return
        last: tuple[str, Sequence[str]] = "", ()
        order: Sequence[int] = ()
        for (peer_id, _), column in columns.items():
            if (peer_id, column.ids) != last:
                names = [f"{eval_id}.{peer_id}" for eval_id in column.ids]
                order = array("l", sorted(range(len(names)), key=names.__getitem__))
                last = peer_id, column.ids
            yield column.scores(order) if is_score else column.counts(order)

    def _resample(
        self, group: Sequence[Sequence[Sequence[float]]], size: int, jobs: int
    ) -> Iterator[Average]:
        """Yield the averages of columns of one length, three figures each, from shared draws."""
        setup = self._setup
        if not size:
            nothing = Estimate(0.0, 0.0, 0.0) if setup.samples else Estimate(0.0, None, None)
            return (Average(nothing, nothing, nothing) for _ in group)
        figures = list(chain.from_iterable(group))
        if setup.averaging == MEAN_OF_SCORES:
            if not setup.samples:
                estimates = [Estimate(fsum(values) / size, None, None) for values in figures]
            else:
                estimates = bootstrap.estimates_of_means(
                    figures, setup.samples, setup.confidence, setup.seed, jobs
                )
        else:
            sums = [[fsum(values)] for values in figures]
            if setup.samples:
                sums = bootstrap.resampled_sums(figures, setup.samples, setup.seed, jobs)
            estimates = [
                bootstrap.estimate(values, setup.samples, setup.confidence)
                if setup.samples
                else Estimate(values[0], None, None)
                for first in range(0, len(sums), 4)
                for values in self._scores_of_sums(*sums[first : first + 4])
            ]
        return (Average(*estimates[first : first + 3]) for first in range(0, len(estimates), 3))

    def _scores_of_sums(
        self,
        model: Sequence[float],
        peer: Sequence[float],
        match: Sequence[float],
        matched: Sequence[float],
    ) -> tuple[list[float], list[float], list[float]]:
        """Return each sample's scores: neither rounded nor, for ROUGE-W, taken to a root (QUIRKS 25)."""
        recall = list(map(ratio, match, model))
        precision = list(map(ratio, matched, peer))
        alpha = [self._setup.alpha] * len(recall)
        return recall, precision, list(map(f_measure, recall, precision, alpha))

    def explain(self, task: EvalTask) -> dict[str, list[Explanation]]:
        """Explain every peer of a loaded eval, with scores as of `-t 0`."""
        from rouge_cli.dialects.rouge155.spans import explain  # scoring does without

        return explain(self._setup, task)

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return each token as in the text, and the counted form, which is empty if it is dropped."""
        from rouge_cli.dialects.rouge155.spans import tokens_of

        tokens = tokens_of(self._setup, document, input_format)
        return [(token.surface.lower(), "" if token.why_dropped else token.form) for token in tokens]

    def irregular_words(self, document: Document, input_format: str) -> Mapping[str, str]:
        """Return the base forms of the counted words that are in the list of irregular forms."""
        from rouge_cli.dialects.rouge155.spans import IRREGULAR, tokens_of

        tokens = tokens_of(self._setup, document, input_format)
        return {token.surface.lower(): token.form for token in tokens if token.rule == IRREGULAR}

    def kernel_setup(self) -> KernelSetup | None:
        """Return the compiled program's setup, if all metrics read one text of ROUGE's own tokens."""
        setup = self._setup
        specs = [spec for metric in setup.metrics if (spec := metric.kernel_spec)]
        ordinary = setup.tokenize is tokens and not (setup.split or setup.stem_models or self._trace)
        if not ordinary or len(specs) < len(setup.metrics):
            return None
        return KernelSetup(
            specs,
            self._words.common,
            limit=setup.limit,
            best_model=setup.best_model,
            alpha=setup.alpha,
            is_scored=setup.averaging == MEAN_OF_SCORES,
        )

    def details(self) -> Mapping[str, Any]:
        """Return the number of texts read and of sentences in them, by side."""
        return self._counting.tally if self._counting else NOTHING_READ


def _pairs(figures: Sequence[Sequence[float]]) -> list[Counts]:
    return [Counts(model, peer, match, 0.0, own) for model, peer, match, own in zip(*figures, strict=True)]


def _start(figures: Sequence[Sequence[float]]) -> float:
    """Return what totals start with; Perl's zero only if they may not fit in doubles, since it is slow."""
    return zero() if any(isinstance(values, list) for values in figures) else 0.0
