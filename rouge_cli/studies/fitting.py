"""Set-ups ranked by the distance of their numbers from published numbers.

A fit is evidence only if it is unlikely that one of many set-ups gives the published
digits by chance, so this probability is estimated.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import exp, gamma, pi
from typing import NamedTuple

import numpy as np

from rouge_cli import dialects, signature
from rouge_cli.options import Options
from rouge_cli.results.doubts import Candidate, Identification, Published
from rouge_cli.runs import assembly
from rouge_cli.studies import equivalents
from rouge_cli.studies.draws import Array, Mask, Places
from rouge_cli.studies.published import HIGHEST

# Ways of rounding a printed score
ROUNDINGS = ("half even", "half up", "half up of five decimals", "truncated")
RARE = 0.05  # a partial fit below this probability is not due to chance
FEW = 5  # the most numbers without a fit to list
WORDS = "ROUGE-1"  # no other metric of common subsequences exceeds it
MOST_NUMBERS = 3  # with more numbers, a coincidence could only be rarer
FEWEST_SETUPS = 10
_NOISE = 6  # decimals of the last printed digit that are compared to detect ties


@cache
def depends_on_sentences(dialect: str, label: str) -> bool:
    """Return True if the score depends on sentence boundaries."""
    return assembly.set_up(dialect, {"metrics": [label]}, None).averages.needs_sentences


class TriedSetup(NamedTuple):
    """A set-up that was tried."""

    dialect: str
    options: Options
    measure: str  # R, P or F, assumed for numbers that do not state it
    oddity: int  # the distance from the usual set-up
    also: Sequence[Options]  # other options that give the same counts

    def fields(self) -> dict[str, str]:
        """Return the fields that distinguish the set-up, name -> value as in
        signatures.
        """
        options = {name: str(value) for name, value in self.options.items()}
        options["metrics"] = "+".join(self.options["metrics"])
        return {"dialect": self.dialect, **options, "measure": self.measure}


class Ranking:
    """Set-ups ranked by the distance of their numbers from the published numbers.

    Args:
        groups: Numbers, on the published scale, which is 1 or 100, and the set-ups that
            give them.
        reading: How texts were read, for signatures.
    """

    def __init__(
        self,
        published: Sequence[Published],
        groups: Sequence[tuple[Array, Sequence[TriedSetup]]],
        scale: int,
        reading: Mapping[str, str],
    ) -> None:
        self._published = published
        self._scale = scale
        self._reading = reading
        self._groups = []
        for _, alike in groups:
            self._groups.append(sorted(alike, key=lambda setup: setup.oddity))
        self._values = np.array([numbers for numbers, _ in groups])
        self._units = np.array([10.0**-number.decimals for number in published])
        self._targets = np.array([number.value for number in published])
        self._fits, self._roundings = _fits(
            self._values, self._targets, self._units, scale
        )

    @property
    def fitting(self) -> int:
        """The number of groups that fit all published numbers."""
        return int(self._fits.all(axis=1).sum())

    def identification(
        self, most: int | None, *, one_line: bool, is_complete: bool
    ) -> Identification:
        """Return the set-ups that fit, and at most that many others, the nearest first.

        Args:
            most: The number of others; None for all.
            one_line: True if every text of the input is one line.
            is_complete: True if all dialects that have these metrics were tried, or all
                that were named.
        """
        far = np.log1p(np.abs(self._values - self._targets) / self._units)
        distances = np.where(self._fits, 0, far).sum(axis=1)
        oddities = [alike[0].oddity for alike in self._groups]
        order = np.lexsort((oddities, distances)).tolist()
        fitting = self.fitting
        shown = order
        if most is not None:
            shown = order[: fitting + most]
        tried = 0
        for alike in self._groups:
            tried += sum(1 + len(setup.also) for setup in alike)

        reasons: list[str] = []
        if not fitting:
            reasons += self._misprints(order[0])
            causes = list(self._other_set_up_of_missed(order[0]))
            if is_complete and not causes:
                causes += self._lost_sentences(order[0], one_line=one_line)
            reasons += causes
        return Identification(
            published=self._published,
            scale=self._scale,
            candidates=[self._candidate(group) for group in shown],
            fitting=fitting,
            tried=tried,
            distinct=len(self._groups),
            chance=self._chance(range(len(self._published))),
            reasons=reasons,
        )

    def _candidate(self, group: int) -> Candidate:
        """Return the set-ups of a group, named after the most usual."""
        setup, *others = self._groups[group]
        usual = {**dialects.named(setup.dialect).defaults, "metrics": None}
        changed = {
            name: setup.options[name]
            for name, value in usual.items()
            if setup.options.get(name, value) != value
        }
        fits = self._fits[group].tolist()
        rounding = ""
        if any(fits):
            rounding = ROUNDINGS[self._roundings[group]]
        return Candidate(
            signature=signature.render(
                {"dialect": setup.dialect, **changed, **self._reading}
            ),
            measure=setup.measure,
            rounding=rounding,
            values=self._values[group].tolist(),
            fits=fits,
            also=_also(setup, others),
        )

    def _missed(self, group: int) -> list[int]:
        """Return the published numbers that a group does not fit."""
        return [
            index for index, fit in enumerate(self._fits[group].tolist()) if not fit
        ]

    def _misprints(self, group: int) -> Iterator[str]:
        """Yield the numbers that do not fit if almost all others do."""
        missed = self._missed(group)
        count = len(self._published)
        if len(missed) > FEW or count < 10 * len(missed):
            return
        numbers = []
        for index in missed:
            number = self._published[index]
            value = float(self._values[group][index])
            of = f" of eval {number.eval_id}" if number.eval_id else ""
            digits = number.decimals
            printed = f"{number.value:.{digits}f}, here {value:.{digits + 1}f}"
            numbers.append(f"{number.name}{of} ({printed})")
        yield (
            f"all but {len(missed)} of {count} numbers fit the nearest set-up:"
            f" {', '.join(numbers)}"
        )

    def _other_set_up_of_missed(self, group: int) -> Iterator[str]:
        """Yield the difference from the nearest set-up that gives the numbers that it
        misses, if it is unlikely that it gives them by chance: the numbers then are of
        two set-ups.
        """
        missed = self._missed(group)
        chance = self._chance(missed)
        if len(missed) == len(self._published) or chance is None or chance > RARE:
            return

        nearest = self._groups[group][0]
        without_others = nearest._replace(also=())  # which give the same numbers
        differences: list[tuple[int, str]] = []
        for other in np.flatnonzero(self._fits[:, missed].all(axis=1)).tolist():
            for text in _also(without_others, self._groups[other]):
                differences.append((text.count("|"), text))
        if not differences:
            return
        wrong = dict.fromkeys(self._published[index].name for index in missed)
        _, simplest = min(differences)
        yield (
            f"the numbers are of two set-ups: {' and '.join(wrong)} of the nearest with"
            f" {simplest} (by chance with a probability of {chance:.2g})"
        )

    def _lost_sentences(self, group: int, *, one_line: bool) -> Iterator[str]:
        """Yield that only metrics do not fit that depend on sentence boundaries, if the
        others fit too well for chance, and if other boundaries could give the numbers.

        No set-up that was tried gives them, so that this remains open.
        """
        dialect = self._groups[group][0].dialect
        missed = self._missed(group)
        wrong = list(dict.fromkeys(self._published[index].metric for index in missed))
        divided = set()
        for number in self._published:
            labels = equivalents.possible_labels(dialect, number.metric)
            for label in labels:
                if depends_on_sentences(dialect, label):
                    divided.add(number.metric)
        others = divided.union(wrong)
        right = [
            index
            for index, number in enumerate(self._published)
            if number.metric not in others
        ]
        if not right or not divided.issuperset(wrong):
            return
        chance = self._chance(right)
        if chance is None or chance > RARE or self._exceed_words(missed):
            return

        metrics_of_right = [self._published[index].metric for index in right]
        named = " and ".join(dict.fromkeys(metrics_of_right))
        texts = "here a sentence is a line"
        if one_line:
            texts = "every text of the input is one line"
        yield (
            f"only {' and '.join(wrong)} does not fit, which unlike {named} depends on"
            f" sentence boundaries; {texts}, and no boundaries or dialects that were"
            " tried give the number: if the published texts had other lines, use them"
            f" ({named} fits by chance with a probability of {chance:.2g})"
        )

    def _exceed_words(self, indices: Iterable[int]) -> bool:
        """Return True if one of these numbers is larger than the published ROUGE-1 of
        the same texts, which no sentence boundaries can explain: words of a common
        subsequence are common words.
        """
        words = {}
        for number in self._published:
            if number.metric == WORDS:
                key = (number.system, number.eval_id, number.measure)
                words[key] = number.value
        for index in indices:
            number = self._published[index]
            key = (number.system, number.eval_id, number.measure)
            if number.value > words.get(key, HIGHEST) + self._units[index]:
                return True
        return False

    def _chance(self, indices: Sequence[int]) -> float | None:
        """Return the probability that a set-up fits these numbers by chance.

        Numbers of single evals are replaced by their mean: if all of them fit, so does
        the mean.
        """
        groups: dict[tuple[object, ...], list[int]] = {}
        for index in indices:
            number = self._published[index]
            key = (number.system, number.metric, number.measure, bool(number.eval_id))
            groups.setdefault(key, []).append(index)
        means = np.transpose(
            [self._values[:, group].mean(axis=1) for group in groups.values()]
        )
        units = [float(self._units[group].max()) for group in groups.values()]
        return chance_of_fit(np.unique(np.round(means, 10), axis=0).tolist(), units)


def _fits(
    values: Array, targets: Array, units: Array, scale: int
) -> tuple[Mask, Places]:
    """Return for each number whether it is printed as published, and for each set-up
    the best rounding.
    """
    printed = np.rint(targets / units)
    exact = np.round(values / units, _NOISE)
    five = np.floor(np.round(values / scale * 1e5, _NOISE) + 0.5) / 1e5 * scale
    five = np.round(five / units, _NOISE)
    # In the order of ROUNDINGS.
    rounded = (
        np.rint(exact),
        np.floor(exact + 0.5),
        np.floor(five + 0.5),
        np.floor(exact),
    )
    ways = np.array([numbers == printed for numbers in rounded])
    # The last bit of a sum decides how a tie is printed, and programs differ in that
    # bit.
    ties = np.abs(exact - printed) == 0.5
    ties_of_five = np.abs(five - printed) == 0.5
    no_ties = np.zeros_like(ties)
    fits = ways | np.array([ties, ties, ties_of_five, no_ties])
    best = (fits.sum(axis=2) * (len(targets) + 1) + ways.sum(axis=2)).argmax(axis=0)
    return fits[best, np.arange(len(values))], best


def _also(setup: TriedSetup, others: Sequence[TriedSetup]) -> list[str]:
    """Return the other set-ups with the same numbers as differences; only the
    simplest differences.
    """
    fields = setup.fields()
    usual = {**dict.fromkeys(fields, ""), **dialects.named(setup.dialect).defaults}
    differences = []
    for options in setup.also:
        differences.append({name: str(value) for name, value in options.items()})
    for other in others:
        values = other.fields()
        if other.dialect == setup.dialect:
            missing = {name: str(usual[name]) for name in fields if name not in values}
            values = missing | values
        changed = {
            name: value for name, value in values.items() if fields.get(name) != value
        }
        differences.append(changed)

    simplest: list[dict[str, str]] = []
    for values in sorted(differences, key=len):
        if not any(simpler.items() <= values.items() for simpler in simplest):
            simplest.append(values)
    texts = []
    for values in simplest:
        named = [f"{name}:{value}" for name, value in values.items()]
        texts.append("|".join(named))
    return texts


def chance_of_fit(
    scores: Sequence[Sequence[float]], units: Sequence[float]
) -> float | None:
    """Return the probability that a set-up fits by chance; None for fewer than
    FEWEST_SETUPS set-ups.

    The published numbers are assumed to come from a set-up that was not tried. Its
    numbers are assumed to be distributed like the numbers of the N set-ups that were
    tried. A set-up fits if each of its k numbers is in the cell of the published digit.
    The density around each set-up is estimated from the distance of its m-th nearest
    neighbour in uncorrelated coordinates, with m = sqrt(N) / 2. The expected number of
    fits E and the probability P are

        E = (2 - 2^-k) * sum over set-ups of
            (m - 1) / (N - 1) * (cell / ball up to the m-th neighbour)
        P = 1 - exp(-E)

    The first factor allows for digits that are rounded or truncated. If there are more
    than MOST_NUMBERS numbers, the most variable are used, which makes P an upper bound.

    Args:
        scores: A row of numbers for each set-up; all rows must differ.
        units: For each number, the value of 1 in its last printed digit.
    """
    size = len(scores)
    if size < FEWEST_SETUPS:
        return None
    digits = np.asarray(scores, dtype=float) / np.asarray(units, dtype=float)
    chosen = _most_varied(digits)
    digits = digits[:, chosen]
    count = len(chosen)
    # Rounding to a digit adds a variance of 1/12, which keeps the matrix regular.
    covariance = np.atleast_2d(np.cov(digits, rowvar=False)) + np.eye(count) / 12
    factor = np.linalg.cholesky(covariance)
    points = np.linalg.solve(factor, digits.T).T
    cell = 1 / float(np.prod(np.diag(factor)))
    neighbour = max(2, round(size**0.5 / 2))

    expected = 0.0
    for point in points:
        squares = ((points - point) ** 2).sum(axis=1)
        radius = float(np.partition(squares, neighbour)[neighbour]) ** 0.5
        ball = pi ** (count / 2) / gamma(count / 2 + 1) * radius**count
        share = 1.0
        if ball:
            share = min(1.0, cell / ball)
        expected += (neighbour - 1) / (size - 1) * share
    return 1 - exp(-expected * (2 - 2.0**-count))


def _most_varied(digits: Array) -> list[int]:
    """Return the indices of the most informative columns: each varies most given the
    columns before.
    """
    rest = digits - digits.mean(axis=0)
    chosen: list[int] = []
    for _ in range(min(MOST_NUMBERS, rest.shape[1])):
        variances = (rest**2).sum(axis=0)
        variances[chosen] = -1
        index = int(variances.argmax())
        chosen.append(index)
        column = rest[:, index].copy()
        length = float(column @ column)
        if length:
            rest -= np.outer(column, column @ rest / length)
    return chosen
