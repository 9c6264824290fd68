"""A page as one self-contained HTML file: template, style and script of `data/report`,
and the data.

The template gets formatted tables, with positions on axes in percent. The script gets
one JSON document with packed scores and texts; it looks them up, sorts and draws, and
marks what texts share with sources.
"""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise, product
from math import isnan
from operator import attrgetter
from statistics import fmean
from typing import NamedTuple

import numpy as np

from rouge_cli import reports
from rouge_cli.core import Document, Estimate, EvalTask, Notice
from rouge_cli.io import files
from rouge_cli.metrics import FIGURES
from rouge_cli.reports.html import fill, markup
from rouge_cli.results import base
from rouge_cli.results.base import (
    Layout,
    Record,
    Table,
    format_interval,
    pluralize,
    visible,
)
from rouge_cli.results.comparison import METHODS, Comparison, Plan
from rouge_cli.results.correlation import ALL_SUMMARIZERS, Correlations
from rouge_cli.results.scores import Results, average_record, averages_of
from rouge_cli.runs.assembly import Run
from rouge_cli.studies.draws import Array
from rouge_cli.studies.matrix import Scores
from rouge_cli.tasks.judgements import Judgements
from rouge_cli.text import tokenizers
from rouge_cli.text.reading import units

# The parts of the script, in order
SCRIPTS: tuple[str, ...] = (
    "data.js",
    "address.js",
    "draw.js",
    "tables.js",
    "systems.js",
    "people.js",
)
SCRIPTS += ("evals.js", "source.js", "eval.js", "start.js")

_COMMAND = "on settings of these texts"  # a note that is shown separately
Column = tuple[str, str]  # a metric's label and R, P or F
RULE = (
    "one half are the evals in which the systems differ most, the others are spread"
    " evenly by mean score"
)
_LONG_WORD = re.compile("[^ ]{401,}")  # of which only the ends are shown
# Control characters are replaced by pictures, since they could act on a terminal; line
# feeds end lines.
_PICTURES = {code: 0x2400 + code for code in range(32) if code not in (9, 10)} | {
    127: 0x2421
}
_PICTURES |= dict.fromkeys(range(128, 160), 0xFFFD)
SCHEMA = "rouge-cli page 2"
UNIT = 1e-6  # scores are packed as multiples of it; ROUGE-1.5.5 prints five decimals
MISSING = -(2**31)
MOST_PAIRS = 300  # pairs of systems for a metric, enough for 24 systems
_CORRECTED = attrgetter("randomization_corrected", "bootstrap_corrected")
_LONGEST, _BEGINNING = 80, 100  # characters of a name, and of an eval's text in lists
# Characters of JSON that could end the script element, or a line of a script in old
# browsers.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
_NOT_COMPARED = Comparison(Plan(), [], [])
Properties = dict[
    str, dict[str, float]
]  # what evals differ in, besides scores -> eval -> value
_EXPLANATIONS = {  # property -> what it is, and the format of its values
    "length": ("mean number of words in the references", "g"),
    "references": ("number of references", "g"),
    "novelty": ("share of the references' bigrams that are not in the source", ".2f"),
    "compression": ("words of the source per word of the references", ".1f"),
}


class Material(NamedTuple):
    """The material of a page."""

    tasks: Sequence[EvalTask]  # the scored tasks; empty for saved scores
    run: Run | None  # None for saved scores
    report: Results
    columns: Sequence[
        Column
    ]  # the user's selection; the page opens with the first column
    judgements: Sequence[Judgements] = ()
    documents: Mapping[str, Document] | None = None  # eval -> the source text
    evals: int | None = None  # the most evals with texts
    size: float = 10e6  # the most bytes of texts in the file, up to a group of evals
    trials: int = 10_000  # the number of trials of the tests
    seed: int = 0
    baseline: str | None = None
    over: str = "evals"  # what is drawn again, as in `compare`
    confidence: str = "95"  # the level of intervals, as the user typed it


class Choice(NamedTuple):
    """The ranking with a subset of the references."""

    name: str  # such as `without reference A`
    evals: int  # their number
    means: Mapping[Column, Mapping[str, float]]  # column -> system -> mean
    agreement: Mapping[
        Column, float
    ]  # column -> Kendall's tau with the ranking by all references


class Gain(NamedTuple):
    """A unit that one system matches more often than another."""

    unit: str
    times: int  # how much more often, over all evals
    evals: Sequence[int]  # the indices of these evals
    is_stop: bool  # True if all its words are stop words


class PageTexts(NamedTuple):
    """The texts of some evals, packed in groups, and what the systems match in them."""

    places: Sequence[Sequence[int]]  # the indices of the evals of each group
    packed: Sequence[str]  # for each group, a list of records for the script
    gains: Mapping[
        tuple[str, str, str], Sequence[Gain]
    ]  # (label, system, other) -> units
    are_marked: bool  # True if words have marks
    evals: int  # their number


class Page(NamedTuple):
    """The whole content of a page."""

    material: Material
    systems: Sequence[str]
    evals: Sequence[str]
    labels: Sequence[str]
    matrices: Mapping[Column, Scores]  # column -> scores
    # R, P or F -> the comparison by that measure; empty if there is one system
    comparisons: Mapping[str, Comparison]
    alone: Mapping[Column, Comparison]  # the same, each metric corrected by itself
    correlations: Correlations | None
    choices: Sequence[Choice]
    texts: PageTexts
    notices: Sequence[Notice]

    @property
    def numbers(self) -> dict[str, int]:
        """Return system -> its index."""
        return {system: place for place, system in enumerate(self.systems)}


class Html(str):
    """A page; notebooks show it in a frame."""

    __slots__ = ()

    def save(self, path: str) -> None:
        """Write the page to a file, whole or not at all."""
        files.write(path, [self])

    def __repr__(self) -> str:
        return f"{type(self).__name__}(<{len(self)} characters>)"

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 40rem; border: 0"
        return (
            f'<iframe srcdoc="{escape(self)}" style="{style}" title="ROUGE'
            ' report"></iframe>'
        )


def render(page: Page, title: str) -> Html:
    """Return the HTML."""
    material = page.material
    properties, beginnings = measure(material)
    report = material.report
    layout = Layout(columns=material.columns, confidence=material.confidence)
    compared = page.comparisons.get(material.columns[0][1])
    data = json.dumps(
        document(page, properties["length"], beginnings), separators=(",", ":")
    )
    values = {
        "page": page,
        "title": short(title, 300),
        "data": markup(data.translate(_ESCAPES)),
        "signature": short(report.signature, 2000),
        "command": short(str(report.details.get("command", "")), 2000),
        "notes": [
            note for note in report.notes(layout) if not note.startswith(_COMMAND)
        ],
        "notices": [short(notice.message, 400) for notice in page.notices],
        "figures": [
            figure
            for figure in FIGURES
            if any(letter == figure for _, letter in page.matrices)
        ],
        "tables": list(_tables(page)),
        "panels": list(_panels(page, list(divide(page, properties)))),
        "short": short,
        "unsigned": unsigned,
        "format_interval": format_interval,
        "pluralize": pluralize,
        "p_value": base.p_value,
        "most_pairs": MOST_PAIRS,
        "comparison": compared,
        "correction": METHODS[compared.plan.correction] if compared else "",
        "comparison_notes": list(compared.notes(layout)) if compared else [],
        "correlations": page.correlations and list(page.correlations.tables(layout)),
        "correlation_notes": (
            page.correlations and list(page.correlations.notes(layout))
        ),
        "best": [page.systems[row] for row in _best(page)],
        "rule": RULE,
        "dialect": material.run and material.run.dialect,
    }
    return Html(fill("template.html.j2", SCRIPTS, **values))


def _best(page: Page) -> list[int]:
    """Return the rows of the two best systems of the first ranking."""
    ranking = page.matrices[page.material.columns[0]].ranking()
    return [ranking[0], ranking[min(1, len(ranking) - 1)]]


def _tables(page: Page) -> Iterator[tuple[str, Table, Table]]:
    """Yield R, P or F and the table of `compare` for papers, by either correction."""
    for figure in FIGURES:
        columns = [column for column in page.matrices if column[1] == figure]
        if figure in page.comparisons:
            compared = page.comparisons[figure]
            parts = [page.alone[column] for column in columns]
            standings = [standing for part in parts for standing in part.standings]
            pairs = [pair for part in parts for pair in part.pairs]
            alone = compared._replace(standings=standings, pairs=pairs)
            layout = compared.layout("latex", ranks=True)
            yield figure, compared.paper(layout), alone.paper(layout)
        elif columns:
            report = page.material.report
            table = report.paper(report.layout("latex", columns=columns))
            assert table is not None  # noqa: S101 - there is one for averages
            yield figure, table, table


def document(
    page: Page, lengths: Mapping[str, float], beginnings: Mapping[str, str]
) -> Record:
    """Return the document of the script."""
    material, numbers = page.material, page.numbers
    layout = Layout(
        columns=material.columns,
        confidence=material.confidence,
        ranks=len(page.systems) > 1,
    )
    # Labels x measures x systems x evals
    scores = np.stack(
        [_values(page, column) for column in product(page.labels, FIGURES)]
    )
    unit = max(UNIT, float(np.nanmax(np.abs(scores))) / 2**30)
    whole = np.where(np.isnan(scores), MISSING, np.round(np.nan_to_num(scores) / unit))
    return {
        "schema": SCHEMA,
        "signature": material.report.signature,
        "systems": [short(system) for system in page.systems],
        "evals": [short(eval_id) for eval_id in page.evals],
        "labels": list(page.labels),
        "columns": [f"{label} {figure}" for label, figure in page.matrices],
        "first": [
            page.labels.index(material.columns[0][0]),
            FIGURES.index(material.columns[0][1]),
        ],
        "best": _best(page),
        "unit": unit,
        "scores": pack(whole.astype("<i4").tobytes()),
        "lengths": [round(lengths.get(eval_id, 0.0), 1) for eval_id in page.evals],
        "beginnings": pack(
            json.dumps([beginnings.get(name, "") for name in page.evals]).encode()
        ),
        "averages": [average_record(result, 1.0) for result in material.report.results],
        "comparisons": {
            figure: _comparison(page, comparison.document(layout))
            for figure, comparison in page.comparisons.items()
        },
        # The corrected p of both tests, for the pairs in the order of the comparison
        "alone": {
            f"{label} {figure}": [
                base.plain(_CORRECTED(pair)) for pair in compared.pairs[:MOST_PAIRS]
            ]
            for (label, figure), compared in page.alone.items()
        },
        "correlations": (
            page.correlations and _without_signature(page.correlations.document(layout))
        ),
        "pictures": [
            {
                "metric": points.metric,
                "human": short(points.human),
                "dots": [
                    [short(system, 24), *means]
                    for system, means in points.means.items()
                ],
            }
            for points in (page.correlations.points if page.correlations else ())
            if points.summarizers == ALL_SUMMARIZERS
        ],
        "texts": page.texts.places,
        "chunks": page.texts.packed,
        "gains": [
            {
                "label": label,
                "system": numbers[system],
                "other": numbers[other],
                "units": units,
            }
            for (label, system, other), units in page.texts.gains.items()
            if units
        ],
        "copies": dict(_copies(page, layout)),
    }


def _values(page: Page, column: Column) -> Array:
    """Return systems x evals of a column, nan for what is missing."""
    values = np.full((len(page.systems), len(page.evals)), np.nan)
    if scores := page.matrices.get(column):
        values[[page.numbers[system] for system in scores.systems]] = scores.values
    return values


def _copies(page: Page, layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield the report, and the LaTeX of `compare` for each measure, and for each
    metric by itself.
    """
    for name in ("latex", "markdown", "csv"):
        yield name, reports.render(page.material.report, name, layout)
    named = {
        f"latex {figure}": compared for figure, compared in page.comparisons.items()
    }
    named |= {
        f"latex {label} {figure}": compared
        for (label, figure), compared in page.alone.items()
    }
    for name, compared in named.items():
        yield name, compared.to_latex()


def short(name: str, most: int = _LONGEST) -> str:
    """Return the name for display on one line; only its ends if it is long."""
    name = visible(name[: 4 * most] + name[-most:] if len(name) > 5 * most else name)
    return name if len(name) <= most else f"{name[: most - 21]}\u2026{name[-20:]}"


def unsigned(text: str) -> str:
    """Return the text with 0.0 in place of -0.0."""
    return re.sub(r"[-+](0\.0+)(?!\d)", r"\1", text)


def _comparison(page: Page, content: Record) -> Record:
    """Return a comparison with at most MOST_PAIRS pairs per metric, and with indices
    of systems.
    """
    by_metric: dict[str, list[Record]] = {}
    for pair in content["pairs"]:
        by_metric.setdefault(pair["metric"], []).append(pair)
    numbers = page.numbers
    content["pairs"] = [
        pair for pairs in by_metric.values() for pair in pairs[:MOST_PAIRS]
    ]
    for pair in content["pairs"]:
        for gap in pair["widest"]:
            gap["eval"] = short(gap["eval"])
        pair["places"] = [numbers[pair["system"]], numbers[pair["other"]]]
    return _without_signature(content)


def _without_signature(content: Record) -> Record:
    return {
        name: base.plain(value)
        for name, value in content.items()
        if "signature" not in name
    }


def _ends(values: Iterable[float | None]) -> tuple[float, float]:
    """Return the ends of an axis that includes all values, with a margin."""
    numbers = [value for value in values if value is not None and not isnan(value)] or [
        0.0
    ]
    low, high = min(numbers), max(numbers)
    room = (high - low) * 0.06 or 0.01
    return max(0.0, low - room) if low >= 0 else low - room, high + room


def _panels(page: Page, divisions: Sequence[Record]) -> Iterator[Record]:
    """Yield a panel for each label and measure that has scores."""
    chosen = page.material.columns[0]
    for (label, letter), scores in page.matrices.items():
        compared = page.comparisons.get(letter, _NOT_COMPARED).of_metric(
            f"{label} {letter}"
        )
        order = [page.numbers[scores.systems[row]] for row in scores.ranking()]
        values = _values(page, (label, letter))[order]
        yield {
            "label": label,
            "place": page.labels.index(label),
            "figure": letter,
            "is_static": letter == chosen[1],
            "is_first": (label, letter) == chosen,
            "ranking": _ranking(page, (label, letter), compared),
            "compared": compared,
            "alone": page.alone.get((label, letter), _NOT_COMPARED),
            "axis": _ends(
                [0.0, *(end for pair in compared.pairs for end in pair.difference)]
            ),
            "order": [page.systems[row] for row in order],
            "divisions": [
                {
                    **division,
                    "means": [
                        _means(values[:, bucket]) for _, bucket in division["buckets"]
                    ],
                }
                for division in divisions
            ],
        }


def _means(scores: Array) -> list[float]:
    """Return the mean of each row, nan for a row without scores."""
    with np.errstate(invalid="ignore"):  # 0 / 0 is nan
        means: list[float] = (
            np.nansum(scores, axis=1) / (~np.isnan(scores)).sum(axis=1)
        ).tolist()
    return means


def _ranking(page: Page, column: Column, compared: Comparison) -> Record:
    """Return the ranking: systems, best first, with averages of `score`, else
    intervals of `compare`.
    """
    standings = {standing.system: standing for standing in compared.standings}
    averages = averages_of(page.material.report, *column)
    is_resampled = any(estimate.low is not None for estimate in averages.values())
    evals = dict(
        zip(page.systems, (~np.isnan(_values(page, column))).sum(axis=1), strict=True)
    )
    rows: list[Record] = []
    for system, average in sorted(averages.items(), key=lambda item: -item[1].value):
        standing, estimate = standings.get(system), average
        if standing and not is_resampled:
            estimate = Estimate(average.value, standing.mean.low, standing.mean.high)
        rank = 1 + sum(other.value > average.value for other in averages.values())
        row = {
            "rank": rank,
            "system": short(system),
            "estimate": estimate,
            "evals": int(evals[system]),
        }
        rows.append(row)
    axis = _ends(end for row in rows for end in row["estimate"])
    intervals = "of score" if is_resampled else "of compare" if standings else ""
    return {"rows": rows, "axis": axis, "intervals": intervals}


def measure(material: Material) -> tuple[Properties, dict[str, str]]:
    """Measure texts in words of the run's tokenizer, else `classic`; return the
    beginnings of evals too.
    """
    name: str = material.run.options.get("tokenizer", "") if material.run else ""
    tokenize = tokenizers.named(
        name if name in tokenizers.NAMES or ":" in name else "classic"
    )
    documents = material.documents or {}
    found: Properties = {name: {} for name in _EXPLANATIONS}
    beginnings = {}
    for task in material.tasks:
        texts = [units(text, task.input_format) for _, text in task.references]
        references = [
            [word for unit in text for word in tokenize(unit)] for text in texts
        ]
        found["references"][task.eval_id] = float(len(texts))
        if not texts:
            continue
        found["length"][task.eval_id] = length = fmean(map(len, references))
        beginnings[task.eval_id] = " ".join(map(decode, texts[0]))[:_BEGINNING]
        document = documents.get(task.eval_id)
        lines = units(document, "plain") if document else ()
        source = [word for line in lines for word in tokenize(line)]
        bigrams = [bigram for words in references for bigram in pairwise(words)]
        if source and bigrams:
            known = {*pairwise(source)}
            found["novelty"][task.eval_id] = sum(
                pair not in known for pair in bigrams
            ) / len(bigrams)
            found["compression"][task.eval_id] = len(source) / length
    return found, beginnings


def divide(page: Page, properties: Properties) -> Iterator[Record]:
    """Yield name, explanation and buckets of each property in which the evals differ.

    A bucket has the evals with a value if there are at most 4 values, else a quarter of
    the evals.
    """
    for name, (explanation, form) in _EXPLANATIONS.items():
        values = np.array(
            [properties[name].get(eval_id, np.nan) for eval_id in page.evals]
        )
        present = values[~np.isnan(values)]
        bounds = np.unique(present)
        if len(bounds) > 4:
            bounds = np.unique(np.quantile(present, (0.25, 0.5, 0.75)))
        groups = np.where(np.isnan(values), -1, np.digitize(values, bounds, right=True))
        buckets = []
        for group in np.unique(groups[groups >= 0]):
            places = np.flatnonzero(groups == group)
            ends = dict.fromkeys(
                f"{end:{form}}" for end in (values[places].min(), values[places].max())
            )
            buckets.append((" to ".join(ends), places))
        if len(buckets) > 1:
            yield {
                "name": name.capitalize(),
                "explanation": explanation,
                "buckets": buckets,
            }


def pack(data: bytes) -> str:
    """Return the bytes deflated (zlib) and in base64, as the script expects them."""
    return b64encode(zlib.compress(data, 6)).decode()


def decode(data: bytes) -> str:
    """Return UTF-8 as text that is safe to show."""
    return legible(data.decode("utf-8", "replace"))


def legible(text: str) -> str:
    """Replace control characters by pictures, and shorten very long words."""
    return _LONG_WORD.sub(
        lambda word: f"{word[0][:200]}\u2026{word[0][-20:]}", text.translate(_PICTURES)
    )
