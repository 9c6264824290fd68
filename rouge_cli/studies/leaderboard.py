"""A leaderboard: teams by languages, from the pages that `report` made for each
language.
"""

import json
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rouge_cli.core import Estimate
from rouge_cli.metrics import FIGURES
from rouge_cli.results.base import Record
from rouge_cli.studies.draws import Array
from rouge_cli.studies.page_html import MISSING, SCHEMA, short

SAMPLES = 1000  # of the evals of each language
SEED = 0
_AT_ONCE = 50  # samples whose draws are in memory
_ENDS = (2.5, 97.5)  # of the interval of a mean rank, in percent


class Place(NamedTuple):
    """A team in a language."""

    rank: int
    mean: Estimate  # by the first metric of the language's page, as `score` has it


class Section(NamedTuple):
    """A language: the first metric of its page, and the teams by it."""

    metric: str
    places: Mapping[str, Place]  # team -> place
    scores: Array  # teams, in the order of the places, x evals; nan if missing


class Team(NamedTuple):
    """A row of the leaderboard."""

    rank: int
    name: str
    mean_rank: Estimate  # over all languages
    places: Sequence[Place | None]  # by language; None if the team took no part


def read(text: str) -> Section:
    """Return the first metric's ranking of a page.

    Args:
        text: The document of the page's script, as JSON.

    Raises:
        ValueError: If it is not such a document.
    """
    try:
        page = json.loads(text)
        if page["schema"] != SCHEMA:
            raise ValueError(page["schema"])
        return _section(page)
    except (ArithmeticError, LookupError, TypeError, zlib.error) as error:
        raise ValueError(str(error)) from None


def _section(page: Any) -> Section:  # noqa: ANN401 - a document
    """Return the first metric's ranking of a page's document."""
    label, figure = page["first"]
    name = page["labels"][label]
    metric = f"{name} {FIGURES[figure]}"
    compared = page["comparisons"].get(FIGURES[figure], {"systems": []})
    standings = {
        standing["system"]: standing
        for standing in compared["systems"]
        if standing["metric"] == metric
    }
    field = ("recall", "precision", "f")[figure]
    means = {}
    for average in page["averages"]:
        if average["metric"] == name:
            mean = average[field]
            if mean["low"] is None:
                mean |= _ends(standings.get(average["system"], {}))
            estimate = Estimate(float(mean["value"]), mean["low"], mean["high"])
            means[str(average["system"])] = estimate

    ranked = sorted(means, key=lambda team: -means[team].value)
    places = {}
    for team in ranked:
        better = sum(mean.value > means[team].value for mean in means.values())
        places[team] = Place(1 + better, means[team])

    packed = np.frombuffer(zlib.decompress(b64decode(page["scores"])), "<i4")
    shape = (len(page["labels"]), len(FIGURES), len(page["systems"]), -1)
    whole = packed.reshape(shape)[label, figure]
    values = np.where(whole == MISSING, np.nan, whole * float(page["unit"]))
    rows = [page["systems"].index(short(team)) for team in ranked]
    return Section(metric, places, values[rows])


def _ends(standing: Record) -> Record:
    """Return the interval of a system of `compare`."""
    return {name: standing.get(name) for name in ("low", "high")}


def rank(sections: Sequence[Section]) -> list[Team]:
    """Return the teams by their mean rank over all languages.

    A team that took no part in a language is behind all that did. The intervals of 95%
    are of ranks in bootstrap samples of each language's evals.
    """
    names = sorted({team for section in sections for team in section.places})
    rows: dict[str, list[Place | None]] = {}
    means = {}
    for name in names:
        rows[name] = [section.places.get(name) for section in sections]
        ranks = []
        for section, place in zip(sections, rows[name], strict=True):
            ranks.append(place.rank if place else len(section.places) + 1)
        means[name] = float(np.mean(ranks))

    numbers = {name: number for number, name in enumerate(names)}
    sampled = np.concatenate(list(_sampled_ranks(sections, numbers)))
    lows, highs = np.percentile(sampled, _ENDS, axis=0)
    teams = []
    for name in sorted(names, key=lambda name: means[name]):
        number = numbers[name]
        mean_rank = Estimate(means[name], float(lows[number]), float(highs[number]))
        better = sum(mean < means[name] for mean in means.values())
        teams.append(Team(1 + better, name, mean_rank, rows[name]))
    return teams


def _sampled_ranks(
    sections: Sequence[Section], numbers: Mapping[str, int]
) -> Iterator[Array]:
    """Yield samples x teams of mean ranks."""
    from scipy.stats import rankdata

    random = np.random.default_rng(SEED)
    for _ in range(0, SAMPLES, _AT_ONCE):
        total = np.zeros((_AT_ONCE, len(numbers)))
        for section in sections:
            number = section.scores.shape[1]
            draws = random.multinomial(number, np.full(number, 1 / number), _AT_ONCE)
            known = ~np.isnan(section.scores)
            sums = draws @ np.where(known, section.scores, 0).T
            sizes = draws @ known.T
            means = np.where(sizes > 0, sums / np.maximum(sizes, 1), -np.inf)
            ranks = np.full((_AT_ONCE, len(numbers)), len(section.places) + 1.0)
            columns = [numbers[team] for team in section.places]
            ranks[:, columns] = rankdata(-means, method="min", axis=1)
            total += ranks
        yield total / len(sections)
