"""The best extract by ROUGE-N with a proof, as an integer linear program (scipy's
HiGHS).

A variable says if a sentence is selected. Another counts the matches of each n-gram of
the references: at most as often as a reference has it, and as the selected sentences
have it. An n-gram can also cross from a selected sentence to the next selected one: a
variable for each such pair is at most 1 if both are selected and none between them.

Recall is then linear. Precision and F are ratios of linear numbers, N / D. With the
best ratio so far, n / d, a program maximizes d N - n D, which is above 0 exactly if an
extract is better (Dinkelbach 1967). It is a whole number, so that less than 1 is 0: a
solver's tolerance cannot hide a better extract. At the end of its time, the solver's
bound of d N - n D bounds the ratio.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import floor
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Document, EvalTask, Text
from rouge_cli.dialects.rouge155.setup import Rounded
from rouge_cli.errors import require
from rouge_cli.metrics.ngram import NGram, grams
from rouge_cli.scoring.formula import (
    BEST,
    SUM,
    Formula,
    Harmonic,
    Unrounded,
    Weighted,
)

if TYPE_CHECKING:
    from rouge_cli.dialects._run import DialectRun
    from rouge_cli.jobs.extracts import Budget, Selection

_PLACES = 5  # that rouge155 rounds recall and precision to, and F of both
# How much more a rounded measure can be than the ratio of its counts: F grows at most
# twice as fast as recall and precision together, and is rounded itself.
_ROUNDING = {"recall": 0.000005, "precision": 0.000005, "f": 0.000015}
_PRECISION = 1e-12  # of other dialects
_TOLERANCE = 1e-6  # of a rounded place, for products of floating-point numbers
_LEAST_GAIN = 0.5  # between 0 and 1: no gain and the least gain
_WHOLE = "whole"
Bag = Counter[Hashable]


class NotLinear(Exception):
    """The score of an extract is not a ratio of linear numbers; the reason."""


class Proof(NamedTuple):
    """The best extract that was found, and what no extract exceeds."""

    selection: Selection
    bound: float


class Problem(NamedTuple):
    """A document and its references as a linear program sees them.

    Attributes:
        n: The length of n-grams.
        sentences: Position -> its words, of the sentences that have any.
        references: The references to choose from, each the bags of those that are
            added.
        measure: recall, precision or f.
        slack: How much a score may exceed the ratio of its counts.
        is_rounded: True if scores are rounded to _PLACES.
    """

    n: int
    sentences: Mapping[int, Sequence[int]]
    references: Sequence[Sequence[Bag]]
    measure: str
    slack: float
    is_rounded: bool

    def ratio(self, bags: Sequence[Bag], selection: Selection) -> tuple[int, int]:
        """Return numerator and denominator of the score of an extract."""
        tokens = list(chain.from_iterable(self.sentences[at] for at in selection))
        bag = grams(Text(tokens), self.n)
        match = sum((bag & reference).total() for reference in bags)
        reference = sum(map(Counter.total, bags))
        return self.parts(match, reference, bag.total() * len(bags))

    def parts(self, match: int, reference: int, prediction: int) -> tuple[int, int]:
        """Return numerator and denominator of the measure of these counts."""
        if self.measure == "recall":
            return match, reference
        if self.measure == "precision":
            return match, prediction
        return 2 * match, reference + prediction

    def bound(self, ratio: float) -> float:
        """Return what no score exceeds if no ratio exceeds this one."""
        bound = min(ratio + self.slack, 1.0)
        if self.is_rounded:
            scale = 10**_PLACES
            bound = floor(bound * scale + _TOLERANCE) / scale
        return bound


def problem(
    run: DialectRun,
    task: EvalTask,
    sentences: Sequence[bytes],
    label: str,
    measure: str,
) -> Problem:
    """Return the linear problem of a document; raise NotLinear if there is none.

    Args:
        run: Scores this metric.
        task: The eval, for its references.
        sentences: The sentences of the document.
    """
    metric, formula = run.measures[label]
    if type(metric) is not NGram:
        raise NotLinear(f"{label} is not ROUGE-N")
    _check_formula(formula, len(task.references), measure)

    documents: dict[str, str | Document | None] = {}
    for position, sentence in enumerate(sentences):
        documents[str(position)] = Document(sentence, task.where)
    documents[_WHOLE] = Document(b"\n".join(sentences), task.where)
    of_sentences = task._replace(predictions=documents)
    references, read = run.read_eval(of_sentences, of_sentences.present(documents))
    *texts, whole = (_counted(text, metric) for text in read)
    if list(chain.from_iterable(text.tokens for text in texts)) != list(whole.tokens):
        raise NotLinear("the words of a text are not those of its sentences")
    words = {at: text.tokens for at, text in enumerate(texts) if text.tokens}
    if any(len(tokens) < metric.n - 1 for tokens in words.values()):
        raise NotLinear(f"a sentence has fewer than {metric.n - 1} words")

    bags = [grams(_counted(text, metric), metric.n) for text in references]
    choices = [bags] if formula.several == SUM else [[bag] for bag in bags]
    is_rounded = type(formula) is Rounded
    slack = _ROUNDING[measure] if is_rounded else _PRECISION
    return Problem(metric.n, words, choices, measure, slack, is_rounded)


def _counted(text: object, metric: NGram) -> Text:
    """Return the text that a metric counts; rouge155 has several readings of it."""
    if isinstance(text, Text):
        return text
    reading: Text = text[metric.reading]  # type: ignore[index]
    return reading


def _check_formula(formula: Formula, references: int, measure: str) -> None:
    """Raise NotLinear unless a formula's measure is a ratio of linear numbers, or the
    highest of several.
    """
    if type(formula) not in (Rounded, Weighted, Unrounded, Harmonic):
        raise NotLinear("its formula is not a ratio of counts")
    is_weighted = isinstance(formula, Weighted) and formula.alpha != 0.5
    has_epsilon = isinstance(formula, Harmonic) and formula.epsilon != 0
    if measure == "f" and (is_weighted or has_epsilon):
        raise NotLinear("its F is not 2 match / (reference + prediction)")
    if formula.root != 1:
        raise NotLinear("its scores are roots")
    if references == 1 or formula.several == SUM:
        return
    compared = "recall" if isinstance(formula, Weighted) else "f"
    if formula.several != BEST or compared != measure:
        raise NotLinear("several references are not added, nor is the best by it taken")


def solve(
    task: Problem,
    budget: Budget,
    lengths: Sequence[int],
    start: Selection,
    seconds: float,
) -> Proof:
    """Return the best extract that a solver finds in a time, and a bound of all.

    Args:
        lengths: The words of each sentence, for the budget.
        start: An extract to improve.
        seconds: The time for all programs; what was found by then has a gap.
    """
    require("exact extracts of long documents need", "numpy", "scipy", extra="stats")
    end = time.monotonic() + seconds
    start = tuple(at for at in start if at in task.sentences)
    best = Fraction(0)
    for bags in task.references:
        best, start = max((best, start), (_value(task, bags, start), start))
    bound = best
    for bags in task.references:
        if not any(bags):
            continue
        program = Program(task, bags, budget, lengths)
        while True:
            numerator, denominator = best.numerator, best.denominator
            gain, found = program.maximize(
                numerator, denominator, max(end - time.monotonic(), 0.01)
            )
            if found and _value(task, bags, found) > best:
                best, start = _value(task, bags, found), found
                bound = max(bound, best)
                continue
            if gain > _LEAST_GAIN:  # out of time
                least = program.least_denominator * denominator
                bound = max(bound, best + Fraction(gain) / least)
            break
    return Proof(start, task.bound(float(max(bound, best))))


def _value(task: Problem, bags: Sequence[Bag], selection: Selection) -> Fraction:
    """Return the score of an extract as the ratio of its counts."""
    numerator, denominator = task.ratio(bags, selection)
    return Fraction(numerator, denominator) if denominator else Fraction(0)


class Program:
    """The linear program of one document and the references that are added.

    Columns are the sentences, then the pairs of sentences across which an n-gram of a
    reference may go, then the matches of each n-gram of each reference.
    """

    def __init__(
        self,
        task: Problem,
        bags: Sequence[Bag],
        budget: Budget,
        lengths: Sequence[int],
    ) -> None:
        self._task = task
        self._bags = bags
        self._places = list(task.sentences)
        self._sizes = [len(task.sentences[at]) for at in self._places]
        self._reference = sum(map(Counter.total, bags))
        within = [grams(Text(task.sentences[at]), task.n) for at in self._places]
        across = dict(_crossing(task, set(chain.from_iterable(bags))))
        self._pairs = list(across)
        units = [(bag, unit) for bag in bags for unit in bag]
        self._most = [bag[unit] for bag, unit in units]

        rows: list[dict[int, float]] = []
        highest: list[float] = []
        first_unit = len(self._places) + len(self._pairs)
        for number, (_, unit) in enumerate(units):
            row = {first_unit + number: 1.0}
            for column, bag in enumerate(within):
                if bag[unit]:
                    row[column] = -float(bag[unit])
            for column, bag in enumerate(across.values(), len(self._places)):
                if bag[unit]:
                    row[column] = -float(bag[unit])
            rows.append(row)
            highest.append(0.0)
        for column, (left, right) in enumerate(self._pairs, len(self._places)):
            for end in (left, right):
                rows.append({column: 1.0, end: -1.0})
                highest.append(0.0)
            for between in range(left + 1, right):
                rows.append({column: 1.0, between: 1.0})
                highest.append(1.0)
        everywhere = range(len(self._places))
        rows.append(dict.fromkeys(everywhere, -1.0))
        highest.append(-1.0)
        if budget.most is not None:
            rows.append(dict.fromkeys(everywhere, 1.0))
            highest.append(float(budget.most))
        if budget.words is not None:
            rows.append({at: float(lengths[self._places[at]]) for at in everywhere})
            highest.append(float(budget.words))
        self._rows = rows
        self._highest = highest

    @property
    def least_denominator(self) -> int:
        """The least denominator of a score above 0."""
        _, least = self._task.parts(0, self._reference, len(self._bags))
        return max(least, 1)

    def maximize(
        self, numerator: int, denominator: int, seconds: float
    ) -> tuple[float, Selection]:
        """Return a bound of `denominator * N - numerator * D` over all extracts, and
        the extract that was found; it is empty without one.
        """
        import numpy as np
        from scipy import optimize, sparse

        # N and D are linear: a term for each match, for each word, and a constant.
        of_match, _ = self._task.parts(1, 0, 0)
        _, of_word = self._task.parts(0, 0, len(self._bags))
        _, constant = self._task.parts(
            0, self._reference, (1 - self._task.n) * len(self._bags)
        )
        weights = [-float(numerator * of_word * size) for size in self._sizes]
        weights += [0.0] * len(self._pairs)
        weights += [float(denominator * of_match)] * len(self._most)
        places = len(self._places)
        ends = [1.0] * (places + len(self._pairs)) + list(map(float, self._most))

        at_row, at_column, values = [], [], []
        for number, row in enumerate(self._rows):
            at_row += [number] * len(row)
            at_column += list(row)
            values += list(row.values())
        shape = len(self._rows), len(weights)
        matrix = sparse.csr_array((values, (at_row, at_column)), shape=shape)
        result = optimize.milp(
            -np.array(weights),
            integrality=np.array([1] * places + [0] * (len(weights) - places)),
            bounds=optimize.Bounds(0, np.array(ends)),
            constraints=optimize.LinearConstraint(matrix, -np.inf, self._highest),
            options={"time_limit": seconds, "mip_rel_gap": 0.0},
        )
        if result.status == 2:  # no extract is within the budget
            return 0.0, ()
        selection: list[int] = []
        if result.x is not None:
            for place, is_selected in zip(self._places, result.x, strict=False):
                if is_selected > 0.5:
                    selection.append(place)
        bound = result.mip_dual_bound
        if bound is None or not np.isfinite(bound):
            gain = float(denominator * of_match * sum(self._most))
        else:
            gain = -float(bound) - numerator * constant
        return gain, tuple(selection)


def _crossing(
    task: Problem, wanted: set[Hashable]
) -> Iterator[tuple[tuple[int, int], Bag]]:
    """Yield pairs of sentences, by their numbers, with the n-grams of references that
    go across if they are neighbours.
    """
    words = list(task.sentences.values())
    width = task.n - 1
    if not width:
        return
    for right, following in enumerate(words):
        for left, before in enumerate(words[:right]):
            seam = [*before[-width:], *following[:width]]
            bag = Counter(dict(_only(grams(Text(seam), task.n), wanted)))
            if bag:
                yield (left, right), bag


def _only(bag: Bag, wanted: set[Hashable]) -> Iterator[tuple[Hashable, int]]:
    for unit, times in bag.items():
        if unit in wanted:
            yield unit, times
