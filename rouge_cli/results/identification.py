"""Identifications: the set-ups that give published numbers, and the nearest ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.results._presentation import Presentable
from rouge_cli.results._tables import NOTHING, Cell, Row, Table, pluralize, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.results import Layout
    from rouge_cli.results._records import Record

INDENT = 1
SCHEMA = "rouge-cli identification 1"
MOST_COLUMNS = 9  # for more published numbers only a count is shown
NAMES = ("system", "eval", "metric", "figure")


class Published(NamedTuple):
    """A published number on the scale of its source, with as many decimals as were printed.

    eval_id: empty for an average over evals. measure: the search's name for it, e.g. `ROUGE-L`. figure: one
    of R, P and F, or empty if the source does not state it. where: the place that it was read from.
    """

    system: str
    eval_id: str
    measure: str
    figure: str
    value: float
    decimals: int
    where: str

    @property
    def name(self) -> str:
        """Return the metric and the figure, if the source states it."""
        return ".".join(part for part in (self.measure, self.figure) if part)


class Candidate(NamedTuple):
    """A set-up, as a signature for --like, compared with the published numbers.

    figure: the figure assumed for numbers without one. rounding: the way in which most of its numbers fit;
    empty if none does.
    values: its numbers, on the published scale. fits: whether each gives the published digits. also:
    set-ups of other options that give the same numbers on this input.
    """

    signature: str
    figure: str
    rounding: str
    values: Sequence[float]
    fits: Sequence[bool]
    also: Sequence[str]

    @property
    def is_fit(self) -> bool:
        """Return True if all of its numbers fit the published ones."""
        return all(self.fits)


@dataclass(frozen=True, slots=True, repr=False)
class Identification(Presentable):
    """The result of a search.

    candidates: the set-ups that fit all numbers, then the nearest. scale: of the published numbers, 1 or
    100. fitting: how many fit. tried: the number of set-ups, each with each figure that the numbers
    may be. distinct: the number of those with distinct numbers. chance: the probability that one fits
    by chance; None if there are too few to estimate it. reasons: why the nearest does not fit.
    """

    published: Sequence[Published]
    scale: int
    candidates: Sequence[Candidate]
    fitting: int
    tried: int
    distinct: int
    chance: float | None
    reasons: Sequence[str] = ()
    signature: str = ""


def tables(identification: Identification, _: Layout) -> Iterator[Table]:
    """Yield the published numbers, the set-ups that fit them, and the nearest that do not."""
    systems = list(dict.fromkeys(visible(number.system) for number in identification.published))
    numbers = f"published numbers of {', '.join(systems[:3])}{', ...' if len(systems) > 3 else ''}"
    fitting = identification.candidates[: identification.fitting]
    nearest = identification.candidates[identification.fitting :]
    if fitting:
        caption = f"{pluralize(identification.fitting, 'set-up')} with the {numbers}:"
        yield _table(identification, fitting, 1, caption)
    if nearest or not fitting:
        caption = "nearest set-ups with other numbers:"
        if not fitting:
            caption = f"no set-up tried gives the {numbers}; the nearest:"
        yield _table(identification, nearest, 1 + len(fitting), caption)


def notes(identification: Identification, _: Layout) -> Iterator[str]:
    """Yield the conclusions of the search."""
    for rank, candidate in enumerate(identification.candidates[: identification.fitting], 1):
        if candidate.also:
            yield f"the same numbers as {rank}: {', '.join(candidate.also)}"
    if identification.fitting > 1:
        yield "several fit: more decimals, metrics or evals would distinguish them"
    yield from identification.reasons
    yield (
        f"tried: {pluralize(identification.tried, 'set-up')}, of which {identification.distinct} give "
        "numbers of their own on this input"
    )
    if identification.fitting:
        yield described_chance(identification)


def described_chance(identification: Identification) -> str:
    """Return in words the probability of a fit by chance."""
    chance = identification.chance
    if chance is None:
        return "probability that one of them fits by chance: unknown, too few differ"
    shown = f"{chance:.2g}" if chance >= 1e-6 else "below 0.000001"
    weak = "; publish or compare more numbers or digits" if identification.fitting and chance > 0.05 else ""
    return f"probability that one of them fits by chance: {shown}{weak}"


def document(identification: Identification, _: Layout) -> Record:
    """Return everything, unrounded."""
    return {
        "schema": SCHEMA,
        "scale": identification.scale,
        "tried": identification.tried,
        "distinct": identification.distinct,
        "fitting": identification.fitting,
        "chance": identification.chance,
        "reasons": list(identification.reasons),
        "published": [
            {**_names(number), "value": number.value, "decimals": number.decimals}
            for number in identification.published
        ],
        "candidates": [
            {
                "rank": rank,
                "fit": candidate.is_fit,
                **candidate._asdict(),
                "differences": list(map(_difference, identification.published, candidate.values)),
            }
            for rank, candidate in enumerate(identification.candidates, 1)
        ],
    }


def rows(identification: Identification, _: Layout) -> Iterator[Sequence[object]]:
    """Yield a row for each set-up and published number, unrounded."""
    yield ["rank", "signature", "rounding", *NAMES, "published", "value", "fit"]
    for rank, candidate in enumerate(identification.candidates, 1):
        numbers = zip(identification.published, candidate.values, candidate.fits, strict=True)
        for number, value, fit in numbers:
            names = {**_names(number), "figure": number.figure or candidate.figure}
            cells = (number.value, value, "yes" if fit else "no")
            yield [rank, candidate.signature, candidate.rounding, *names.values(), *cells]


def _names(number: Published) -> Record:
    return dict(zip(NAMES, (number.system, number.eval_id, number.measure, number.figure), strict=True))


def _table(
    identification: Identification, candidates: Sequence[Candidate], first: int, caption: str
) -> Table:
    """Return the published numbers and those of candidates, whose ranks begin with `first`."""
    published = identification.published
    several = len({number.system for number in published}) > 1
    heads = [_head(number, several=several) for number in published if len(published) <= MOST_COLUMNS]
    printed = [Cell(f"{number.value:.{number.decimals}f}") for number in published]
    rows = [Row((NOTHING, "published", "", ""), [Cell(""), *printed])] if heads else []
    for rank, candidate in enumerate(candidates, first):
        cells = [
            Cell(
                f"{value:.{number.decimals + 1}f}",
                "" if fit else f"({_difference(number, value):+.{number.decimals + 1}f})",
            )
            for number, value, fit in zip(published, candidate.values, candidate.fits, strict=True)
        ]
        fits = Cell(f"{sum(candidate.fits)} of {len(published)}")
        figure = candidate.figure or "as named"
        names = (str(rank), visible(candidate.signature), figure, candidate.rounding or NOTHING)
        rows.append(Row(names, [fits, *(cells if heads else [])]))
    return Table(("rank", "set-up", "figure", "rounding"), ("fit", *heads), rows, caption)


def _head(number: Published, *, several: bool) -> str:
    """Return the number's name, with its system and eval if these differ."""
    parts = (number.system if several else "", number.eval_id, number.name)
    return visible(" ".join(filter(None, parts)))


def _difference(number: Published, value: float) -> float:
    return value - number.value
