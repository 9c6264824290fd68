"""A page as one self-contained HTML file: template, style and script of `data/report`, and the data.

The template gets formatted tables, with positions on axes in percent. The script gets one JSON document
with packed scores and texts; it only looks them up, sorts and draws.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from itertools import pairwise, permutations, product
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rouge_cli import reports
from rouge_cli.core import Document, Estimate
from rouge_cli.metrics import FIGURES
from rouge_cli.reports import Layout
from rouge_cli.reports.html import content_hash, file, fill, markup
from rouge_cli.results._presentation import Record, plain
from rouge_cli.results._tables import format_interval, p_value, pluralize, visible
from rouge_cli.results.comparison import Comparison, Plan
from rouge_cli.results.correlation import ALL_SUMMARIZERS, Correlations, Points
from rouge_cli.results.scores import average_record, averages_of
from rouge_cli.studies.page import RULE, Column, Material, Page, word_reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from rouge_cli.studies.matrix import Array

# The parts of the script, in order
SCRIPTS = ("data.js", "draw.js", "systems.js", "evals.js", "eval.js", "start.js")

_COMMAND = "on settings of these texts"  # a note that is shown separately


def render(page: Page, title: str) -> str:
    """Return the HTML."""
    script = "".join(map(file, SCRIPTS))
    return fill(
        "template.html.j2",
        **_content(page),
        title=short(title, 300),
        script=markup(script),
        script_hash=content_hash(script),
        data=markup(escape(document(page))),
    )


def _content(page: Page) -> Record:
    """Return the variables of the template."""
    material = page.material
    report = material.report
    layout = Layout(columns=material.columns, confidence=material.confidence)
    compared = page.comparisons.get(material.columns[0][1])
    predictions = [text for record in page.texts.values() for text in record["predictions"].values()]
    return {
        "signature": short(report.signature, 2000),
        "command": short(str(report.details.get("command", "")), 2000),
        "notes": [note for note in report.notes(layout) if not note.startswith(_COMMAND)],
        "notices": [short(notice.message, 400) for notice in page.notices],
        "systems": page.systems,
        "labels": page.labels,
        "figures": FIGURES,
        "size": (pluralize(len(page.systems), "system"), pluralize(len(page.evals), "eval")),
        "panels": list(_columns(page)),
        "choices": page.choices,
        "rank_and_mean": rank_and_mean,
        "short": short,
        "format_interval": format_interval,
        "pluralize": pluralize,
        "p_value": p_value,
        "pairs_left_out": max(0, len(compared.pairs) // len(page.labels) - MOST_PAIRS) if compared else 0,
        "comparison_notes": list(compared.notes(layout)) if compared else [],
        "correlations": _correlations(page.correlations),
        "plot": {"WIDTH": WIDTH, "HEIGHT": HEIGHT, "LEFT": LEFT, "BOTTOM": BOTTOM},
        "gains": list(_gains(page)),
        "shown": len(page.texts),
        "total": len(page.evals),
        "rule": RULE,
        "has_marks": bool(page.gains) or any(text.get("why") for text in predictions),
        "has_source": material.documents is not None,
        "dialect": material.run.dialect,
    }


def _gains(page: Page) -> Iterator[Record]:
    """Yield by label the units that the best system matches and the second misses, and vice versa."""
    best = next((key[1:] for key in page.gains), ())
    for label in dict.fromkeys(key[0] for key in page.gains):
        for system, other in permutations(best):
            units = page.gains.get((label, system, other), ())
            if units:
                yield {"label": label, "system": short(system), "other": short(other), "units": units}


SCHEMA = "rouge-cli page 1"
UNIT = 1e-6  # scores are packed as multiples of it; ROUGE-1.5.5 prints five decimals
MISSING = -(2**31)
MOST_PAIRS = 300  # pairs of systems for a metric, enough for 24 systems
AT_ONCE = 20  # evals whose texts are packed together
_LONGEST = 80
# Characters that could end the script element, or a line of a script in old browsers.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def document(page: Page) -> Record:
    """Return the document of the script."""
    material = page.material
    places, numbers = sorted(page.texts), page.numbers
    layout = Layout(columns=material.columns, confidence=material.confidence, ranks=len(page.systems) > 1)
    ranking = page.matrices[material.columns[0]].ranking()
    # Labels x measures x systems x evals
    scores = np.stack([page.matrices[column].values for column in product(page.labels, FIGURES)])
    whole = np.where(np.isnan(scores), MISSING, np.round(np.nan_to_num(scores) / UNIT))
    return {
        "schema": SCHEMA,
        "signature": material.report.signature,
        "systems": [short(system) for system in page.systems],
        "evals": [short(eval_id) for eval_id in page.evals],
        "labels": list(page.labels),
        "first": [page.labels.index(material.columns[0][0]), FIGURES.index(material.columns[0][1])],
        # The two best systems of the first ranking
        "best": [ranking[0], ranking[min(1, len(ranking) - 1)]],
        "unit": UNIT,
        "scores": pack(whole.astype("<i4").tobytes()),
        "lengths": [round(page.words.get(eval_id, 0.0), 1) for eval_id in page.evals],
        "averages": [average_record(result, 1.0) for result in material.report.results],
        "comparisons": {
            figure: _comparison(page, comparison.document(layout))
            for figure, comparison in page.comparisons.items()
        },
        "correlations": page.correlations and _without_signature(page.correlations.document(layout)),
        "texts": places,
        "chunks": [
            pack(json.dumps([page.texts[place] for place in places[start : start + AT_ONCE]]).encode())
            for start in range(0, len(places), AT_ONCE)
        ],
        "atOnce": AT_ONCE,
        "gains": [
            {"label": label, "system": numbers[system], "other": numbers[other], "units": units}
            for (label, system, other), units in page.gains.items()
            if units
        ],
        "copies": {
            name: reports.render(material.report, name, layout) for name in ("latex", "markdown", "csv")
        },
    }


def escape(document: Record) -> str:
    """Return the document as JSON that is safe inside an HTML script element."""
    return json.dumps(document, separators=(",", ":")).translate(_ESCAPES)


def pack(data: bytes) -> str:
    """Return the bytes deflated (zlib) and in base64, as the script expects them."""
    return b64encode(zlib.compress(data, 6)).decode()


def short(name: str, most: int = _LONGEST) -> str:
    """Return the name for display on one line; only its ends if it is long."""
    name = visible(name[: 4 * most] + name[-most:] if len(name) > 5 * most else name)
    return name if len(name) <= most else f"{name[: most - 21]}\u2026{name[-20:]}"


def _comparison(page: Page, content: Record) -> Record:
    """Return a comparison with at most MOST_PAIRS pairs per metric, and with indices of systems."""
    by_metric: dict[str, list[Record]] = {}
    for pair in content["pairs"]:
        by_metric.setdefault(pair["metric"], []).append(pair)
    numbers = page.numbers
    content["pairs"] = [pair for pairs in by_metric.values() for pair in pairs[:MOST_PAIRS]]
    for pair in content["pairs"]:
        for gap in pair["widest"]:
            gap["eval"] = short(gap["eval"])
        pair["places"] = [numbers[pair["system"]], numbers[pair["other"]]]
    return _without_signature(content)


def _without_signature(content: Record) -> Record:
    return {name: plain(value) for name, value in content.items() if name != "signature"}


MOST_IN_MATRIX = 24
_NOT_COMPARED = Comparison(Plan(), [], [])


class Axis(NamedTuple):
    """An axis, on which positions are percentages of its length."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float | None]) -> Axis:
        """Return an axis that includes all values, with a margin."""
        numbers = [value for value in values if value is not None and not isnan(value)] or [0.0]
        low, high = min(numbers), max(numbers)
        room = (high - low) * 0.06 or 0.01
        return cls(max(0.0, low - room) if low >= 0 else low - room, high + room)

    def place(self, value: float | None) -> float | None:
        """Return the position of the value in percent; None for a missing value."""
        return None if value is None or isnan(value) else self.percent(value)

    def percent(self, value: float) -> float:
        """Return the position of a defined value."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)


def _columns(page: Page) -> Iterator[Record]:
    """Yield a panel for each label and measure."""
    chosen, divisions = page.material.columns[0], divide(page)
    for (place, label), letter in product(enumerate(page.labels), FIGURES):
        compared = page.comparisons.get(letter, _NOT_COMPARED).of_metric(f"{label} {letter}")
        yield {
            "label": label,
            "place": place,
            "figure": letter,
            "is_first": (label, letter) == chosen,
            "is_static": letter == chosen[1],
            "ranking": _ranking(page, (label, letter), compared),
            "pairs": compared.pairs[:MOST_PAIRS],
            "axis": Axis.of([0.0, *(end for pair in compared.pairs for end in pair.difference)]),
            "level": compared.plan.level,
            "matrix": _matrix(page, compared),
            "divisions": _divide_scores(page.systems, page.matrices[label, letter].values, divisions),
        }


def _ranking(page: Page, column: Column, compared: Comparison) -> Record:
    """Return the ranking: systems, best first, with averages of `score` and letters of `compare`."""
    standings = {standing.system: standing for standing in compared.standings}
    averages = averages_of(page.material.report, *column)
    is_resampled = any(estimate.low is not None for estimate in averages.values())
    evals = dict(zip(page.systems, (~np.isnan(page.matrices[column].values)).sum(axis=1), strict=True))
    rows: list[Record] = []
    ends: list[float | None] = []
    for system, average in sorted(averages.items(), key=lambda item: -item[1].value):
        standing, estimate = standings.get(system), average
        if standing and not is_resampled:
            estimate = Estimate(average.value, standing.mean.low, standing.mean.high)
        row = {
            "rank": 1 + sum(other.value > average.value for other in averages.values()),
            "system": short(system),
            "estimate": estimate,
            "letters": standing.letters if standing else "",
            "evals": int(evals[system]),
        }
        rows.append(row)
        ends += estimate
    return {
        "rows": rows,
        "axis": Axis.of(ends),
        "has_letters": any(row["letters"] for row in rows),
        "intervals": "of score" if is_resampled else "of compare" if standings else "",
    }


def _matrix(page: Page, compared: Comparison) -> Record | None:
    """Return the matrix of differences, row minus column, in the order of the ranking.

    Return None if there are too many systems.
    """
    systems = [standing.system for standing in compared.standings]
    if not systems or len(page.systems) > MOST_IN_MATRIX:
        return None
    cells = {}
    for pair in compared.pairs:
        is_apart = pair.randomization_corrected < compared.plan.level
        for names, sign in (((pair.system, pair.other), 1), ((pair.other, pair.system), -1)):
            difference = sign * pair.difference.value
            cells[names] = {
                "value": f"{100 * difference:+.1f}",
                "kind": ("better" if difference > 0 else "worse") if is_apart else "same",
                "p": p_value(pair.randomization_corrected),
            }
    return {"systems": systems, "cells": cells, "numbers": page.numbers}


class Bucket(NamedTuple):
    """Evals with similar values of one property."""

    name: str  # the range of the values
    places: NDArray[np.intp]  # the indices of the evals


def divide(page: Page) -> list[Record]:
    """Return name, explanation and buckets of each property in which the evals differ."""
    material = page.material
    references = {task.eval_id: float(len(task.references)) for task in material.tasks}
    properties = [
        ("Length", "mean number of words in the references", page.words, "g"),
        ("References", "number of references", references, "g"),
    ]
    if material.documents is not None:
        novelty, compression = _against_sources(material, material.documents)
        properties += [
            ("Novelty", "share of the references' bigrams that are not in the source", novelty, ".2f"),
            ("Compression", "words of the source per word of the references", compression, ".1f"),
        ]
    divisions = []
    for name, explanation, by_eval, form in properties:
        values = np.array([by_eval.get(eval_id, np.nan) for eval_id in page.evals])
        buckets = list(_buckets(values, form))
        if len(buckets) > 1:
            divisions.append({"name": name, "explanation": explanation, "buckets": buckets})
    return divisions


def _buckets(values: Array, form: str) -> Iterator[Bucket]:
    """Yield a bucket for each value if there are at most 4, else for each quarter of the evals."""
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) <= 4:
        for value in distinct:
            yield Bucket(f"{value:{form}}", np.flatnonzero(values == value))
        return
    bounds = np.unique(np.quantile(values[~np.isnan(values)], (0.25, 0.5, 0.75)))
    quarters = np.digitize(values, bounds, right=True)
    for quarter in range(len(bounds) + 1):
        places = np.flatnonzero((quarters == quarter) & ~np.isnan(values))
        if len(places):
            low, high = values[places].min(), values[places].max()
            name = f"{low:{form}}" if low == high else f"{low:{form}} to {high:{form}}"
            yield Bucket(name, places)


def _against_sources(
    material: Material, documents: Mapping[str, Document]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return novelty and compression, eval -> value, of the evals that have a source with words."""
    words = word_reader(material)
    novelty, compression = {}, {}
    for task in material.tasks:
        source = documents.get(task.eval_id)
        if source is None:
            continue
        source_words = words(source, "plain")
        source_bigrams = set(pairwise(source_words))
        references = [words(text, task.input_format) for _, text in task.references]
        bigrams = [bigram for text in references for bigram in pairwise(text)]
        if source_words and bigrams:
            novelty[task.eval_id] = sum(bigram not in source_bigrams for bigram in bigrams) / len(bigrams)
            compression[task.eval_id] = len(source_words) * len(references) / sum(map(len, references))
    return novelty, compression


def _divide_scores(systems: Sequence[str], scores: Array, divisions: Sequence[Record]) -> list[Record]:
    """Return a table for each division: mean scores of systems, with the best of each bucket marked."""
    tables = []
    for division in divisions:
        buckets = [_mark_best(scores[:, bucket.places]) for bucket in division["buckets"]]
        rows = [
            {"system": short(system), "cells": cells}
            for system, *cells in zip(systems, *buckets, strict=True)
        ]
        tables.append({**division, "rows": rows})
    return tables


def _mark_best(scores: Array) -> list[tuple[str, bool]]:
    """Return the mean of each row for display, and True if it is the highest."""
    present = ~np.isnan(scores)
    with np.errstate(invalid="ignore"):  # 0 / 0 is nan
        means = (np.where(present, scores, 0.0).sum(axis=1) / present.sum(axis=1)).tolist()
    best = max((mean for mean in means if not isnan(mean)), default=None)
    return [("-" if isnan(mean) else f"{mean:.4f}", mean == best) for mean in means]


def rank_and_mean(means: Mapping[str, float], system: str) -> tuple[str, str]:
    """Return the rank and the mean of a system, formatted."""
    if system not in means:
        return "-", ""
    return str(1 + sum(mean > means[system] for mean in means.values())), f"{means[system]:.4f}"


# Sizes of the picture in the units of its view box.
WIDTH, HEIGHT, LEFT, BOTTOM = 360, 260, 48, 40


def _correlations(correlations: Correlations | None) -> Record | None:
    """Return the tables and the pictures; None if there are no human scores."""
    if correlations is None:
        return None
    drawn = [points for points in correlations.points if points.summarizers == ALL_SUMMARIZERS]
    return {
        "tables": list(correlations.tables(Layout())),
        "pictures": list(map(_picture, drawn)),
        "notes": list(correlations.notes(Layout())),
    }


def _picture(points: Points) -> Record:
    across, up = map(Axis.of, zip(*points.means.values(), strict=True))
    dots = []
    for system, (metric_score, human_score) in points.means.items():
        left = LEFT + across.percent(metric_score) * (WIDTH - LEFT - 10) / 100
        dot = {
            "system": short(system, 24),
            "x": round(left, 1),
            "y": round(HEIGHT - BOTTOM - up.percent(human_score) * (HEIGHT - BOTTOM - 10) / 100, 1),
            "at_end": left > WIDTH * 0.6,
            "metric": f"{metric_score:.5f}",
            "human": f"{human_score:.5f}",
        }
        dots.append(dot)
    _choose_names(dots)
    return {
        "metric": points.metric,
        "human": short(points.human),
        "dots": dots,
        "x_ends": (f"{across.low:.3f}", f"{across.high:.3f}"),
        "y_ends": (f"{up.low:.3f}", f"{up.high:.3f}"),
    }


def _choose_names(dots: list[Record]) -> None:
    """Choose where names of dots are placed, and leave out names that would cover another name or a dot."""
    # The boxes of dots and names: left, top, right, bottom
    taken = [(dot["x"] - 4, dot["y"] - 4, dot["x"] + 4, dot["y"] + 4) for dot in dots]
    for dot in dots:
        width, top, bottom = 6 * len(dot["system"]), dot["y"] - 5, dot["y"] + 5
        for at_end in (dot["at_end"], not dot["at_end"]):
            left = dot["x"] - 7 - width if at_end else dot["x"] + 7
            right = left + width
            dot["at_end"] = at_end
            dot["has_name"] = (
                left >= LEFT
                and right <= WIDTH
                and not any(
                    left < box[2] and box[0] < right and top < box[3] and box[1] < bottom for box in taken
                )
            )
            if dot["has_name"]:
                taken.append((left, top, right, bottom))
                break
