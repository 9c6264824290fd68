"""The compiled halves of twins; see `rouge_cli.twins`.

A function here has the name, the parameters and the results of its readable half, whose
docstring describes them. TABLE has it by the full name of that half.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from math import ceil
from typing import TYPE_CHECKING, Any

from rouge_cli.core import ROW, Estimate, Score
from rouge_cli.native import MOST_FORMS, inputs, loaded
from rouge_cli.native.kernels import (
    COUNTED,
    DISTINCT_LCS,
    DISTINCT_NGRAM,
    LCS,
    NGRAM,
    OF_RUNS,
    SENTENCE_LCS,
    kernel_of,
    name_of_class,
    way_of,
)
from rouge_cli.native.setups import ReadingRules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rouge_cli.core import Text
    from rouge_cli.jobs.overlaps import Overlap
    from rouge_cli.jobs.texts import FlatTexts
    from rouge_cli.native import _compiled

    Array = NDArray[np.float64]
    Columns = Sequence[Sequence[float]]

# Different scores by people, as of a scale: the compiled tau-b compares a point with
# all of them.
MOST_SCORES = 64
WRITTEN_TOGETHER = 500  # evals whose lines are written at once


# metrics


def count_all(
    metrics: Sequence[Any], references: Sequence[Text], prediction: Text
) -> object:
    """Count by kernels; metrics without a kernel count for themselves."""
    specs = [kernel_of(metric) for metric in metrics]
    known = [spec for spec in specs if spec]
    if not known:
        return NotImplemented
    sides = [(text.tokens, text.sentences) for text in references]
    predicted = (prediction.tokens, prediction.sentences)
    rows = loaded().count(sides, [predicted], known)
    counts = []
    place = 0  # among the metrics with a kernel
    for metric, spec in zip(metrics, specs, strict=True):
        if spec is None:
            own = [metric.count(reference, prediction) for reference in references]
        else:
            own = [metric.counts(*row) for row in rows[place :: len(known)]]
            place += 1
        counts.append(own)
    return counts


# scoring


@cache
def _places(labels: tuple[str, ...]) -> dict[str, int]:
    """Return the names of scores, with their places in a row of these labels."""
    names = enumerate(product(labels, ROW))
    return {
        f"{label}.{name}": place
        for place, (label, name) in names
        if name in Score._fields
    }


def records_of(columns: Any) -> object:  # noqa: ANN401 - Columns of another module's name
    """Read the rows as they are; not numbers beyond doubles."""
    if columns.large or not columns.scored:
        return NotImplemented
    width = len(columns.labels) * len(ROW)
    return loaded().records(columns.rows, width, _places(columns.labels))


def eval_lines(results: Sequence[Any], scale: float) -> object:
    """Write packed rows, if all results are of the same evals; not numbers beyond
    doubles.
    """
    from json import dumps  # imported late: the drop-in needs no json

    columns: list[Any] = [getattr(result.evals, "of", None) for result in results]
    if not columns or None in columns or any(of.large for of in columns):
        return NotImplemented
    ids = columns[0].ids
    if len(set(ids)) < len(ids) or any(of.ids != ids for of in columns):
        return NotImplemented
    writer = loaded().EvalWriter(scale)
    for result, of in zip(results, columns, strict=True):
        names = (
            f'", "system": {dumps(result.system)}, "metric": {dumps(result.label)}, '
        )
        width = len(of.labels) * len(ROW)
        start = result.evals.place * len(ROW)
        writer.add(names.encode(), of.rows, width, start, of.scored)
    return _written(writer, ids)


def _written(writer: _compiled.EvalWriter, ids: Sequence[str]) -> Iterator[str]:
    from json import dumps  # imported late: the drop-in needs no json

    for start in range(0, len(ids), WRITTEN_TOGETHER):
        some = [
            dumps(eval_id)[:-1] for eval_id in ids[start : start + WRITTEN_TOGETHER]
        ]
        yield writer.lines([head.encode() for head in some], start)


def drawn_sums(
    columns: Columns, times: int, first: int, jobs: int = 1
) -> list[list[float]]:
    """Draw in threads, all columns at once."""
    return loaded().resampled_sums(columns, times, first, jobs)


def drawn_estimates(
    columns: Columns, samples: float, confidence: float, first: int, jobs: int = 1
) -> list[Estimate]:
    """Draw in threads, and order the samples there, too."""
    intervals = loaded().estimates(
        columns, ceil(samples), samples, confidence, first, jobs
    )
    return [Estimate(*interval) for interval in intervals]


def keys_of(ids: Sequence[str], seed: int) -> array[int]:
    """Mix the bytes of the IDs."""
    return loaded().poisson_keys(list(ids), seed % 2**64)


def add_draws(
    sums: array[int], keys: Sequence[int], columns: Columns, units: float
) -> object:
    """Draw and add in tiles; not numbers whose sums may need more than 53 bits."""
    from rouge_cli.scoring.poisson import LIMITS  # loaded: it declares this twin

    arrays = [array("d", column) for column in columns]
    limits = array("H", LIMITS)
    is_added = loaded().add_draws(sums, array("Q", keys), arrays, units, limits)
    return sums if is_added else NotImplemented


# text and data


def porter_stem(word: bytes) -> bytes:
    """Stem a word."""
    return loaded().stem(word)


def brill(rules: Sequence[Any], lexicon: Any) -> Callable[[list[str]], list[str]]:  # noqa: ANN401 - a Lexicon, which lies above
    """Tag by tables of rules."""
    around = max(
        (
            abs(place)
            for rule in rules
            for places, _, _ in rule.conditions
            for place in places
        ),
        default=0,
    )
    tagger = loaded().Tagger(rules, lexicon.likeliest, lexicon.shares, around)
    return tagger.tag


def part_of_speech(
    synsets: bytes, exceptions: bytes, endings: Sequence[Sequence[bytes]]
) -> _compiled.WordNetPart:
    """Return WordNet's senses in one table."""
    return loaded().WordNetPart(synsets, exceptions, endings)


# dialects.google

# Scorers of a set-up share its compiled scorer. If two threads add an entry at the same
# time, one entry is lost and built again.
SHARED: dict[tuple[Any, ...], _compiled.Pairs[Any] | None] = {}
MOST_SETUPS = 4  # that are shared


def nltk_stem(word: str) -> object:
    """Stem a word in ASCII; its letters are bytes."""
    return loaded().stem_as_nltk(word) if word.isascii() else NotImplemented


def pair_scorer(kinds: Sequence[str], *, stems: bool) -> _compiled.Pairs[Any] | None:
    """Score in one call; None for a type that rouge_score does not have."""
    # Loaded already, since it declares this twin.
    from rouge_cli.dialects.google import rouge_scorer, word_forms
    from rouge_cli.dialects.google.scoring import Score, make_score

    setup = stems, *kinds
    try:
        if setup in SHARED:
            return SHARED[setup]
        metrics = {kind: rouge_scorer.metric(kind) for kind in kinds}
    except (TypeError, ValueError):  # the steps raise it when it is the type's turn
        return None
    specs = []
    for metric in metrics.values():
        spec = kernel_of(metric)
        if spec is None:
            return None
        specs.append(spec)
    if len(SHARED) >= MOST_SETUPS:
        SHARED.clear()
    SHARED[setup] = pairs = loaded().Pairs(
        ReadingRules(),
        word_forms.STEMMING if stems else None,
        word_forms.MOST_FORMS,
        list(metrics),
        specs,
        Score,
        make_score,
    )
    return pairs


def sample_means(generator: Any, matrix: Any, times: int, np: Any) -> object:  # noqa: ANN401 - numpy's
    """Draw as numpy's generator would; numpy adds a single column in another order."""
    _, width = matrix.shape
    if width < 2:
        return NotImplemented
    values = matrix.astype(float).ravel().tolist()
    name, key, place, *gauss = generator.get_state()
    words = np.asarray(key, np.uint32).tobytes()
    means, words, place = loaded().resampled_means(values, width, times, words, place)
    generator.set_state((name, np.frombuffer(words, np.uint32), place, *gauss))
    return np.reshape(means, (-1, width))


# dialects.rouge2


def single_words(preprocessing: Any, *, stems: bool) -> _compiled.Synonyms:  # noqa: ANN401 - a Preprocessing
    """Match numbers of words."""
    synonyms_of = preprocessing.synonym_stems if stems else preprocessing.synonyms
    return loaded().Synonyms(synonyms_of, preprocessing.expand, MOST_FORMS)


# dialects.tilse


def align_days(
    predicted: Any,  # noqa: ANN401 - a Side, which lies above
    references: Any,  # noqa: ANN401 - as above
    times: int,
    *,
    many: bool,
) -> tuple[list[tuple[int, int, float]], list[tuple[int, int, float]]]:
    """Align by one matrix of costs."""
    precision, recall = loaded().align_days(predicted, references, times, many=many)
    return precision, recall


def one_to_one(costs: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Assign rows to columns."""
    return loaded().one_to_one(costs)


# studies


def _contiguous(*arrays: Array) -> list[Array]:
    """Return arrays of doubles whose rows lie one behind the other."""
    import numpy as np

    return [np.ascontiguousarray(array, dtype=np.float64) for array in arrays]


def kendall_of_many(x: Array, y: Array) -> object:
    """Count the pairs of each row by people's scores; not if these are too many."""
    import numpy as np

    if len(np.unique(y)) > MOST_SCORES:
        return NotImplemented
    correlate = loaded().correlate_pooled
    values = np.empty(len(x))
    x, y = _contiguous(x, y)
    once = np.ones((1, x.shape[1]))
    for row in range(len(x)):
        rows = slice(row, row + 1)
        correlate("kendall", x[rows], y[rows], np.ones((1, 1)), once, values[rows])
    return values


def summary_level(
    metric: Array, human: Array, systems: Array, evals: Array, coefficient: str
) -> Array:
    """Correlate each sample."""
    import numpy as np

    values = np.empty(len(systems))
    x, y, of_systems, of_evals = _contiguous(metric, human, systems, evals)
    correlate = loaded().correlate_within_evals
    correlate(coefficient, x, y, of_systems, of_evals, values)
    return values


def pooled_level(
    metric: Array, human: Array, systems: Array, evals: Array, coefficient: str
) -> object:
    """Correlate each sample of several; one alone is added up in another order."""
    import numpy as np

    if len(systems) < 2:
        return NotImplemented
    if coefficient == "kendall":
        scores = human[~np.isnan(metric)]
        if len(np.unique(scores)) > MOST_SCORES:
            return NotImplemented
    values = np.empty(len(systems))
    x, y, of_systems, of_evals = _contiguous(metric, human, systems, evals)
    correlate = loaded().correlate_pooled
    correlate(coefficient, x, y, of_systems, of_evals, values)
    return values


class CompiledSums:
    """Draws and adds in registers, arrays of any layout."""

    def __init__(self, random: np.random.Generator) -> None:
        self._draws = loaded().Draws(random)

    def add(
        self, scores: Array, sums: Array, numbers: NDArray[np.uint16], chances: Array
    ) -> None:
        """Add as `Sums.add` of studies/draws.py."""
        import numpy as np

        figures, totals, limits = _contiguous(scores, sums, chances)
        whole = np.ascontiguousarray(numbers, dtype=np.uint16)
        self._draws.add(figures, totals, whole, limits)
        if totals is not sums:
            sums[:] = totals

    def complete(self, scores: Array, sums: Array) -> None:
        """Draw units until each trial has as many as there are."""
        figures, totals = _contiguous(scores, sums)
        self._draws.complete(figures, totals)
        if totals is not sums:
            sums[:] = totals


def sums_of(random: np.random.Generator) -> CompiledSums:
    """Draw and add in registers."""
    return CompiledSums(random)


# jobs

# The kinds of kernels whose matches are at most the overlap of words or n-grams, for
# texts that have matches.
OVERLAPS = (NGRAM, LCS, SENTENCE_LCS, DISTINCT_NGRAM, DISTINCT_LCS)


def joined(
    texts: FlatTexts,
    against: FlatTexts | None,
    overlap: Overlap,
    parts: Sequence[range],
    jobs: int,
) -> object:
    """Find pairs in threads."""
    index = _index_of(texts, against, overlap, in_order=False)
    if index is None:
        return NotImplemented
    return (index.find(part.start, part.stop, jobs) for part in parts)


def kept(texts: FlatTexts, overlap: Overlap, parts: Sequence[range]) -> object:
    """Look texts up one after the other."""
    index = _index_of(texts, None, overlap, in_order=True)
    if index is None:
        return NotImplemented
    return (index.keep(part.start, part.stop) for part in parts)


def _index_of(
    texts: FlatTexts,
    against: FlatTexts | None,
    overlap: Any,  # noqa: ANN401 - an Overlap, with any formula
    *,
    in_order: bool,
) -> _compiled.Similar | None:
    """Return the compiled index of texts; None if it lacks the metric or formula."""
    has_tabs = any(b"\t" in form for form in texts.forms)
    # Texts without n-grams, of which py-rouge has fewer than none, are in no pair.
    spec = kernel_of(overlap.metric, COUNTED if has_tabs else OF_RUNS)
    way = way_of(overlap.formula)
    alpha = 0.0
    if name_of_class(overlap.formula) == "dialects.rouge155.setup.Rounded":
        alpha = overlap.formula.alpha
    elif way is None:
        return None
    if spec is None or spec.kind not in OVERLAPS:
        return None
    figure = Score._fields.index(overlap.measure)
    return loaded().Similar(
        spec, way, alpha, figure, overlap.threshold, texts, against, in_order
    )


TABLE: dict[str, Callable[..., object]] = {
    **inputs.TABLE,
    "rouge_cli.data.wordnet.part_of_speech": part_of_speech,
    "rouge_cli.dialects.google.rouge_scorer.pair_scorer": pair_scorer,
    "rouge_cli.dialects.google.scoring.sample_means": sample_means,
    "rouge_cli.dialects.rouge2.counts.single_words": single_words,
    "rouge_cli.dialects.tilse.counts.align_days": align_days,
    "rouge_cli.dialects.tilse.counts.one_to_one": one_to_one,
    "rouge_cli.jobs.join.joined": joined,
    "rouge_cli.jobs.join.kept": kept,
    "rouge_cli.metrics.count_all": count_all,
    "rouge_cli.scoring.bootstrap.drawn_estimates": drawn_estimates,
    "rouge_cli.scoring.bootstrap.drawn_sums": drawn_sums,
    "rouge_cli.results.single_evals.eval_lines": eval_lines,
    "rouge_cli.scoring.columns.records_of": records_of,
    "rouge_cli.scoring.poisson.add_draws": add_draws,
    "rouge_cli.scoring.poisson.keys_of": keys_of,
    "rouge_cli.studies.coefficients.kendall_of_many": kendall_of_many,
    "rouge_cli.studies.coefficients.pooled_level": pooled_level,
    "rouge_cli.studies.coefficients.summary_level": summary_level,
    "rouge_cli.studies.draws.sums_of": sums_of,
    "rouge_cli.text.porter.nltk_stem": nltk_stem,
    "rouge_cli.text.stemmers.porter_stem": porter_stem,
    "rouge_cli.text.tagging.brill": brill,
}
