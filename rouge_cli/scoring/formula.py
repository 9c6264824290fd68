"""From counts to scores: the formulas of dialects, each with a method that describes
its steps.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import fsum, isnan

from rouge_cli.core import Counts, EvalResult, Score, number, terms

Scored = tuple[Counts, Score]  # of a prediction under one metric

NO_REFERENCES = Counts(0, 0, 0)
NOTHING_TO_DIVIDE_BY = ", the denominator is 0"
# How the scores against several references are combined (Lin 2004, section 2.1): the
# sum of the counts, the reference with the highest rank, the mean of the scores, the
# highest R and P, or the mean R and P.
SUM, BEST, MEAN, HIGHEST, MEAN_SHARES = "sum", "best", "mean", "highest", "mean shares"


def average(pairs: Sequence[Counts]) -> Counts:
    """Return the sums of the counts; the prediction is counted once for each
    reference.
    """
    reference = prediction = match = matched = 0.0
    for counts in pairs:
        reference += counts.reference
        prediction += counts.prediction
        match += counts.match
        matched += counts.matched
    prediction_match = None if matched == match else matched
    return Counts(reference, prediction, match, prediction_match=prediction_match)


def mean(results: Sequence[EvalResult]) -> EvalResult:
    """Return the mean of the scores, if there are any, and of the counts."""
    size = len(results)
    counts = average([result.counts for result in results])
    matched = counts.prediction_match
    means = Counts(
        reference=counts.reference / size,
        prediction=counts.prediction / size,
        match=counts.match / size,
        prediction_match=None if matched is None else matched / size,
    )

    score = None
    scores = [result.score for result in results if result.score]
    if scores:
        figures = [fsum(values) / len(scores) for values in zip(*scores, strict=True)]
        score = Score(*figures)
    return EvalResult(results[0].eval_id, means, score)


def ratio(part: float, whole: float) -> float:
    """Return the quotient; 0 if the denominator is 0."""
    return part / whole if whole > 0 else 0.0


def f_measure(recall: float, precision: float, alpha: float) -> float:
    """Return van Rijsbergen's F, PR / ((1 - alpha) P + alpha R): P if alpha is 1, R
    if alpha is 0.
    """
    return ratio(precision * recall, (1 - alpha) * precision + alpha * recall)


def five_places(value: float) -> float:
    """Round to five decimals, as the original does between its steps (QUIRKS 25)."""
    return round(value, 5)


class Formula:
    """The formulas of one metric of a dialect.

    Args:
        several: How several references are combined, one of the ways above; MEAN_SHARES
            needs a `combine` of its own.
        compared: The name of the number that BEST compares.
    """

    root = 1.0  # recall and precision are roots of this degree
    written_root = ""  # the root as in the label; empty for 1
    prediction_note = ""  # what follows the sum of the prediction's units
    f_letters: str  # F in letters: P, R and the names of `f_values`
    f_values: Mapping[str, str] = {}

    def __init__(self, several: str = BEST, compared: str = "F") -> None:
        self.several = several
        self.compared = compared

    def share(self, match: float, whole: float) -> float:
        """Return recall or precision."""
        return ratio(match, whole)

    def f(self, recall: float, precision: float) -> float:
        """Return F."""
        raise NotImplementedError

    def f_line(self, score: Score) -> str:
        """Return the formula of F in letters and in numbers, with its value."""
        figures = self.f_letters
        values = dict(self.f_values)
        values["P"] = f"{score.precision:.5f}"
        values["R"] = f"{score.recall:.5f}"
        for letters, value in values.items():
            figures = figures.replace(letters, value)
        figures = re.sub(r"(?<=[\w)]) (?=[\w(])", " x ", figures)
        note = "" if score.f or self.is_f_defined(score) else NOTHING_TO_DIVIDE_BY
        return f"F = {self.f_letters} = {figures} = {score.f:.5f}{note}"

    def is_f_defined(self, _: Score) -> bool:
        """Return True if an F of 0 is a quotient."""
        return False

    def mean(self, values: Sequence[float]) -> float:
        """Return the mean of a measure over several references."""
        return fsum(values) / len(values)

    def rank(self, counts: Counts) -> float:
        """Return the number that BEST compares."""
        return self.score(counts).f

    def score(self, counts: Counts) -> Score:
        """Return the score of the counts."""
        recall = self.share(counts.match, counts.reference)
        precision = self.share(counts.matched, counts.prediction)
        return Score(recall, precision, self.f(recall, precision))

    def of_counts(self, counts: Counts) -> Score | None:
        """Return the score of an eval whose counts are these; None if they do not
        determine it, as the mean of the scores of several references.

        A formula with its own `combine` answers for it here.
        """
        if self.several in {SUM, BEST}:
            return self.score(counts)
        return None

    def combine(self, pairs: Sequence[Counts]) -> Scored:
        """Combine the counts against several references; return the counts and the
        score.
        """
        if self.several == SUM:
            counts = average(pairs)
            return counts, self.score(counts)
        if not pairs:
            return NO_REFERENCES, self.score(NO_REFERENCES)
        if len(pairs) == 1:
            return pairs[0], self.score(pairs[0])
        if self.several == BEST:
            counts = pairs[self._best(pairs)]
            return counts, self.score(counts)

        recall, precision, f = zip(*map(self.score, pairs), strict=True)
        if self.several == MEAN:
            means = Score(self.mean(recall), self.mean(precision), self.mean(f))
            return average(pairs), means
        counts = pairs[recall.index(max(recall))]
        f_of_highest = self.f(max(recall), max(precision))
        return counts, Score(max(recall), max(precision), f_of_highest)

    def _best(self, pairs: Sequence[Counts]) -> int:
        """Return the index of the highest rank, the first of ties; an undefined rank
        is the lowest.
        """
        ranks = [self.rank(counts) for counts in pairs]
        defined = [rank for rank in ranks if not isnan(rank)]
        return ranks.index(max(defined, default=ranks[0]))

    def lines(
        self, names: Sequence[str], pairs: Sequence[Counts], scored: Scored
    ) -> Iterator[str]:
        """Yield the steps of `combine`, given the names of the references and its
        result.
        """
        counts, score = scored
        several = self.several if len(pairs) > 1 else ""
        if several == SUM:
            yield from self._lines_of_sums(pairs, counts)
        elif several == BEST:
            yield self._line_of_best(names, pairs)
        if several in (MEAN, HIGHEST):
            yield from self._lines_of_figures(pairs, score)
        else:
            yield self.share_line(
                "recall", "reference", counts.match, counts.reference, score.recall
            )
            yield self.share_line(
                "precision",
                "prediction",
                counts.matched,
                counts.prediction,
                score.precision,
            )
        if several != MEAN:
            yield self.f_line(score)

    def _lines_of_sums(self, pairs: Sequence[Counts], counts: Counts) -> Iterator[str]:
        """Yield the sums of the counts of all references."""
        names_of_sums = {
            "reference": "reference",
            "prediction": "prediction",
            "match": "match",
        }
        if counts.matched != counts.match:
            names_of_sums["match of precision"] = "matched"
        for name, field in names_of_sums.items():
            values = [number(getattr(pair, field)) for pair in pairs]
            note = self.prediction_note if name == "prediction" else ""
            total = number(getattr(counts, field))
            yield f"{name} = {terms(values)} = {total}{note}"

    def _line_of_best(self, names: Sequence[str], pairs: Sequence[Counts]) -> str:
        """Return the choice of the reference with the highest rank."""
        listed = []
        for name, counts in zip(names, pairs, strict=True):
            listed.append(f"{name} {self.rank(counts):.5f}")
        best = names[self._best(pairs)]
        highest = f"the first of the highest {self.compared}"
        return f"best reference = {best}, {highest} ({', '.join(listed)})"

    def _lines_of_figures(self, pairs: Sequence[Counts], score: Score) -> Iterator[str]:
        """Yield R, P and, as a mean, F from the scores against each reference."""
        names = "recall", "precision", "F"
        by_figure = zip(*map(self.score, pairs), strict=True)
        for name, value, figures in zip(names, score, by_figure, strict=True):
            if self.several == MEAN or name != "F":
                listed = ", ".join(f"{figure:.5f}" for figure in figures)
                yield f"{name} = {self.several} of {listed} = {value:.5f}"

    def share_line(
        self, name: str, side: str, match: float, whole: float, value: float
    ) -> str:
        """Return the formula of recall or precision with its value."""
        words = f"match / {side}"
        figures = f"{number(match)} / {number(whole)}"
        if self.written_root:
            words = f"({words})^(1/{self.written_root})"
            figures = f"({figures})^(1/{self.written_root})"
        note = "" if whole > 0 else NOTHING_TO_DIVIDE_BY
        return f"{name} = {words} = {figures} = {value:.5f}{note}"


class OneValue(Formula):
    """Formulas of metrics of one value, which R, P and F are. Of several references,
    the mean counts are taken.

    Args:
        round_share: Rounds the value, as the dialect rounds R.
    """

    f_letters = "R"

    def __init__(self, round_share: Callable[[float], float] = float) -> None:
        super().__init__(SUM)
        self._round = round_share

    def share(self, match: float, whole: float) -> float:
        """Return the value."""
        return self._round(ratio(match, whole))

    def f(self, recall: float, _: float) -> float:
        """Return the value."""
        return recall

    def combine(self, pairs: Sequence[Counts]) -> Scored:
        """Return the mean counts against several references, and their score."""
        if len(pairs) < 2:
            return super().combine(pairs)
        sums = average(pairs)
        counts = Counts.of(
            sums.reference / len(pairs),
            sums.prediction / len(pairs),
            sums.match / len(pairs),
        )
        return counts, self.score(counts)

    def _lines_of_sums(self, pairs: Sequence[Counts], counts: Counts) -> Iterator[str]:
        """Yield the means of the counts of all references."""
        for name in ("reference", "match"):
            values = [number(getattr(pair, name)) for pair in pairs]
            mean = number(getattr(counts, name))
            yield f"{name} = mean of {', '.join(values)} = {mean}"


class Weighted(Formula):
    """Formulas with van Rijsbergen's F; alpha is the weight of precision."""

    f_letters = "P R / ((1 - a) P + a R)"

    def __init__(self, alpha: float, several: str = SUM) -> None:
        super().__init__(several, "recall")
        self.alpha = alpha
        self.f_values = {"(1 - a)": f"{1 - alpha:g}", "a": f"{alpha:g}"}

    def f(self, recall: float, precision: float) -> float:
        """Return van Rijsbergen's F."""
        return f_measure(recall, precision, self.alpha)

    def is_f_defined(self, score: Score) -> bool:
        """Return True if the denominator is above 0."""
        return (1 - self.alpha) * score.precision + self.alpha * score.recall > 0


class Unrounded(Weighted):
    """ROUGE-1.5.5's formulas without rounding; BEST selects the reference with the best
    R for ROUGE-W, too.

    Args:
        how: BEST to use the best reference; else the counts of several references are
            added.
        root: The degree of the metric's root.
    """

    def __init__(
        self, alpha: float, how: str = SUM, root: float = 1.0, written_root: str = ""
    ) -> None:
        super().__init__(alpha, BEST if how == BEST else SUM)
        self.root = root
        self.written_root = written_root

    def share(self, match: float, whole: float) -> float:
        """Return recall or precision; in py-rouge, a number of n-grams may be
        negative.
        """
        quotient = match / whole if abs(whole) > 0 else 0.0
        return float(quotient ** (1 / self.root))

    def f(self, recall: float, precision: float) -> float:
        """Return F with the weight of P; nan if R or P is nan, as in rouge-metric."""
        weighted = (1 - self.alpha) * precision + self.alpha * recall
        return precision * recall / weighted if weighted else 0.0

    def rank(self, counts: Counts) -> float:
        """Return the recall."""
        return self.share(counts.match, counts.reference)


class Harmonic(Formula):
    """Formulas with F as the harmonic mean of R and P; epsilon is added to P + R."""

    def __init__(self, several: str = BEST, epsilon: float = 0.0) -> None:
        super().__init__(several)
        self.epsilon = epsilon
        written = f" + {epsilon:g}" if epsilon else ""
        self.f_letters = f"2 P R / (P + R{written})"

    def f(self, recall: float, precision: float) -> float:
        """Return the harmonic mean; 0 if both are 0."""
        return ratio(2 * precision * recall, precision + recall + self.epsilon)
