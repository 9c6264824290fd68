"""A page as one self-contained HTML file: template, style and script of `data/report`,
and the data.

The template gets formatted tables, with positions on axes in percent. The script gets
one JSON document with packed scores and texts; it looks them up, sorts and draws, and
marks what texts share with sources.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import chain, product
from math import isnan
from statistics import fmean

import numpy as np

from rouge_cli import reports
from rouge_cli.core import Estimate
from rouge_cli.dialects._base import texts_of
from rouge_cli.io import browser, files
from rouge_cli.metrics import FIGURES
from rouge_cli.metrics.fragments import Compression
from rouge_cli.metrics.novel_ngrams import NovelNGram
from rouge_cli.reports.html import PAGE_SCRIPTS, fill, markup, round_ticks
from rouge_cli.results import base
from rouge_cli.results.base import Layout, Record
from rouge_cli.results.comparison import (
    METHODS,
    ComparedPair,
    Comparison,
    Plan,
    Standing,
)
from rouge_cli.results.correlation import ALL_SUMMARIZERS
from rouge_cli.results.printed import Table, format_interval, pluralize, visible
from rouge_cli.results.scores import average_record, averages_of
from rouge_cli.runs.assembly import Run
from rouge_cli.scoring.formula import average
from rouge_cli.studies.draws import Array
from rouge_cli.studies.page_content import (
    RULE,
    Column,
    Material,
    Page,
    decode,
    pack,
    sources,
)
from rouge_cli.text import tokenizers
from rouge_cli.text.reading import units
from rouge_cli.text.tokens import Tokenize

_COMMAND = "on settings of these texts"  # a note that is shown separately
SCHEMA = "rouge-cli page 2"
UNIT = 1e-6  # scores are packed as multiples of it; ROUGE-1.5.5 prints five decimals
MISSING = -(2**31)
MOST_PAIRS = 300  # pairs of systems for a metric, enough for 24 systems

_LONGEST = 80  # characters of a name
_BEGINNING = 100  # characters of an eval's text in lists
# Characters of JSON that could end the script element, or a line of a script in old
# browsers.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
_NOT_COMPARED = Comparison(Plan(), [], [])
# What evals differ in, besides scores -> eval -> value.
Properties = dict[str, dict[str, float]]
_NOVELTY, _COMPRESSION = NovelNGram(2), Compression()
# Property -> what it is, and the format of its values.
_EXPLANATIONS = {
    "length": ("mean number of words in the references", "g"),
    "references": ("number of references", "g"),
    "novelty": ("share of the references' bigrams that are not in the source", ".2f"),
    "compression": ("words of the source per word of the references", ".1f"),
}


class Html(str):
    """A page; notebooks show it in a frame."""

    __slots__ = ()

    def save(self, path: str) -> None:
        """Write the page to a file, whole or not at all."""
        files.write(path, [self])

    def show(self) -> str:
        """Open the page in the browser; return the path of its temporary file."""
        return browser.show(self)

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
    _, first_letter = material.columns[0]
    compared = page.comparisons.get(first_letter)
    correction = ""
    comparison_notes: list[str] = []
    if compared:
        correction = METHODS[compared.plan.correction]
        comparison_notes = list(compared.notes(layout))

    correlations = None
    correlation_notes = None
    if page.correlations:
        correlations = list(page.correlations.tables(layout))
        correlation_notes = list(page.correlations.notes(layout))

    content = document(page, properties["length"], beginnings)
    data = json.dumps(content, separators=(",", ":"))
    notes = [note for note in report.notes(layout) if not note.startswith(_COMMAND)]
    notes += [short(note, 400) for note in material.notes]
    letters = {letter for _, letter in page.matrices}
    figures = [figure for figure in FIGURES if figure in letters]
    notices = [short(notice.message, 400) for notice in page.notices]
    best = [page.systems[row] for row in _best(page)]
    panels = list(_panels(page, list(divide(page, properties))))
    values = {
        "page": page,
        "title": short(title, 300),
        "data": markup(data.translate(_ESCAPES)),
        "signature": short(report.signature, 2000),
        "command": short(str(report.details.get("command", "")), 2000),
        "notes": notes,
        "notices": notices,
        "figures": figures,
        "rankings": list(_rankings(page, panels)),
        "panels": panels,
        "short": short,
        "unsigned": unsigned,
        "format_interval": format_interval,
        "pluralize": pluralize,
        "most_pairs": MOST_PAIRS,
        "comparison": compared,
        "correction": correction,
        "comparison_notes": comparison_notes,
        "correlations": correlations,
        "correlation_notes": correlation_notes,
        "best": best,
        "rule": RULE,
        "dialect": material.run.dialect if material.run else None,
    }
    return Html(fill("template.html.j2", PAGE_SCRIPTS, **values))


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
            standings: list[Standing] = []
            pairs: list[ComparedPair] = []
            for column in columns:
                standings += page.alone[column].standings
                pairs += page.alone[column].pairs
            alone = compared._replace(standings=standings, pairs=pairs)
            layout = compared.layout("latex", ranks=True)
            yield figure, compared.paper(layout), alone.paper(layout)
        elif columns:
            report = page.material.report
            table = report.paper(report.layout("latex", columns=columns))
            assert table is not None  # noqa: S101 - there is one for averages
            yield figure, table, table


def _rankings(page: Page, panels: Sequence[Record]) -> Iterator[Record]:
    """Yield the ranking by each of R, P and F: a row for each system, a cell for each
    metric with its interval, and the place of each cell on the metric's axis.
    """
    for figure, table, own in _tables(page):
        columns = [panel for panel in panels if panel["figure"] == figure]
        marked = {}
        for row, own_row in zip(table.rows, own.rows, strict=True):
            marked[row.names[-1]] = list(zip(row.cells, own_row.cells, strict=True))

        by_metric = []
        for column in columns:
            rows = column["ranking"]["rows"]
            by_metric.append({row["key"]: row for row in rows})
        rows = []
        for first in columns[0]["ranking"]["rows"]:
            key = first["key"]
            cells = []
            for ranked, (cell, own_cell) in zip(by_metric, marked[key], strict=True):
                row = ranked[key]
                interval = format_interval(times_100(row["estimate"]), ".2f")
                cells.append(
                    {**row, "cell": cell, "own": own_cell, "interval": interval}
                )
            rows.append({"system": first["system"], "cells": cells})
        numbers = {cell["evals"] for row in rows for cell in row["cells"]}
        yield {
            "figure": figure,
            "columns": list(zip(table.numbers, columns, strict=True)),
            "rows": rows,
            "is_complete": len(numbers) == 1,
        }


def times_100(estimate: Estimate) -> Estimate:
    """Return an estimate in the scale of the table."""
    low = None if estimate.low is None else 100 * estimate.low
    high = None if estimate.high is None else 100 * estimate.high
    return Estimate(100 * estimate.value, low, high)


def document(
    page: Page, lengths: Mapping[str, float], beginnings: Mapping[str, str]
) -> Record:
    """Return the document of the script."""
    material = page.material
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

    first_label, first_letter = material.columns[0]
    systems = [short(system) for system in page.systems]
    evals = [short(eval_id) for eval_id in page.evals]
    columns = [f"{label} {figure}" for label, figure in page.matrices]
    lengths_of_evals = [round(lengths.get(eval_id, 0.0), 1) for eval_id in page.evals]
    of_evals = [beginnings.get(eval_id, "") for eval_id in page.evals]
    averages = [average_record(result, 1.0) for result in material.report.results]
    comparisons = {
        figure: _comparison(page, comparison.document(layout))
        for figure, comparison in page.comparisons.items()
    }
    correlations = None
    if page.correlations:
        correlations = _without_signature(page.correlations.document(layout))
    return {
        "schema": SCHEMA,
        "signature": material.report.signature,
        "systems": systems,
        "evals": evals,
        "labels": list(page.labels),
        "columns": columns,
        "first": [page.labels.index(first_label), FIGURES.index(first_letter)],
        "best": _best(page),
        "unit": unit,
        "scores": pack(whole.astype("<i4").tobytes()),
        "lengths": lengths_of_evals,
        "beginnings": pack(json.dumps(of_evals).encode()),
        "averages": averages,
        "comparisons": comparisons,
        "alone": _corrected_alone(page),
        "correlations": correlations,
        "pictures": list(_pictures(page)),
        "texts": page.texts.places,
        "chunks": page.texts.packed,
        "gains": list(_gains(page)),
        "copies": dict(_copies(page, layout)),
    }


def _corrected_alone(page: Page) -> Record:
    """Return column -> the corrected p of both tests if the metric is corrected by
    itself, for the pairs in the order of the comparison.
    """
    by_column: Record = {}
    for (label, figure), compared in page.alone.items():
        by_column[f"{label} {figure}"] = [
            base.plain((pair.randomization_corrected, pair.bootstrap_corrected))
            for pair in compared.pairs[:MOST_PAIRS]
        ]
    return by_column


def _pictures(page: Page) -> Iterator[Record]:
    """Yield the means of the systems by each metric and by people."""
    if not page.correlations:
        return
    for points in page.correlations.points:
        if points.summarizers != ALL_SUMMARIZERS:
            continue
        dots = [[short(system, 24), *means] for system, means in points.means.items()]
        yield {"metric": points.metric, "human": short(points.human), "dots": dots}


def _gains(page: Page) -> Iterator[Record]:
    """Yield the units that a system matches more often than another, if any."""
    numbers = page.numbers
    for (label, system, other), gains in page.texts.gains.items():
        if gains:
            yield {
                "label": label,
                "system": numbers[system],
                "other": numbers[other],
                "units": gains,
            }


def _values(page: Page, column: Column) -> Array:
    """Return systems x evals of a column, nan for what is missing."""
    values = np.full((len(page.systems), len(page.evals)), np.nan)
    scores = page.matrices.get(column)
    if scores:
        rows = [page.numbers[system] for system in scores.systems]
        values[rows] = scores.values
    return values


def _copies(page: Page, layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield the report, and the LaTeX of `compare` for each measure, and for each
    metric by itself.
    """
    for name in ("latex", "markdown", "csv"):
        yield name, reports.render(page.material.report, name, layout)
    for figure, compared in page.comparisons.items():
        yield f"latex {figure}", compared.to_latex()
    for (label, figure), compared in page.alone.items():
        yield f"latex {label} {figure}", compared.to_latex()


def short(name: str, most: int = _LONGEST) -> str:
    """Return the name for display on one line; only its ends if it is long."""
    if len(name) > 5 * most:
        name = name[: 4 * most] + name[-most:]
    name = visible(name)
    if len(name) <= most:
        return name
    return f"{name[: most - 21]}\u2026{name[-20:]}"


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
    content["pairs"] = []
    for pairs in by_metric.values():
        content["pairs"] += pairs[:MOST_PAIRS]

    numbers = page.numbers
    for pair in content["pairs"]:
        for gap in pair["widest"]:
            gap["eval"] = short(gap["eval"])
        pair["places"] = [numbers[pair["system"]], numbers[pair["other"]]]
    return _without_signature(content)


def _without_signature(content: Record) -> Record:
    """Return a document without its signature, with None for numbers that are not
    finite.
    """
    return {
        name: base.plain(value)
        for name, value in content.items()
        if "signature" not in name
    }


def _ends(values: Iterable[float | None]) -> tuple[float, float]:
    """Return the ends of an axis that includes all values, with a margin."""
    numbers = [value for value in values if value is not None and not isnan(value)]
    low = min(numbers, default=0.0)
    high = max(numbers, default=0.0)
    room = (high - low) * 0.06 or 0.01
    start = low - room
    if low >= 0:
        start = max(0.0, start)
    return start, high + room


def _panels(page: Page, divisions: Sequence[Record]) -> Iterator[Record]:
    """Yield a panel for each label and measure that has scores."""
    chosen_label, chosen_letter = page.material.columns[0]
    numbers = page.numbers
    for (label, letter), scores in page.matrices.items():
        column = (label, letter)
        by_letter = page.comparisons.get(letter, _NOT_COMPARED)
        compared = by_letter.of_metric(f"{label} {letter}")
        ends: list[float | None] = [0.0]
        for pair in compared.pairs:
            ends += pair.difference

        order = [numbers[scores.systems[row]] for row in scores.ranking()]
        values = _values(page, column)[order]
        divided = []
        for division in divisions:
            means = [_means(values[:, bucket]) for _, bucket in division["buckets"]]
            divided.append({**division, "means": means})

        yield {
            "label": label,
            "place": page.labels.index(label),
            "figure": letter,
            "is_static": letter == chosen_letter,
            "is_first": column == (chosen_label, chosen_letter),
            "ranking": _ranking(page, column, compared),
            "compared": compared,
            "alone": page.alone.get(column, _NOT_COMPARED),
            "axis": _ends(ends),
            "order": [page.systems[row] for row in order],
            "divisions": divided,
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
    label, letter = column
    averages = averages_of(page.material.report, label, letter)
    is_resampled = any(estimate.low is not None for estimate in averages.values())
    intervals = ""
    if is_resampled:
        intervals = "of score"
    elif standings:
        intervals = "of compare"

    sizes = (~np.isnan(_values(page, column))).sum(axis=1)
    evals = dict(zip(page.systems, sizes, strict=True))
    rows: list[Record] = []
    ends: list[float | None] = []
    for system in sorted(averages, key=lambda system: -averages[system].value):
        average = averages[system]
        estimate = average
        standing = standings.get(system)
        if standing and not is_resampled:
            estimate = Estimate(average.value, standing.mean.low, standing.mean.high)
        ends += estimate
        rank = 1 + sum(other.value > average.value for other in averages.values())
        row = {
            "rank": rank,
            "system": short(system),
            "key": visible(system),
            "estimate": estimate,
            "evals": int(evals[system]),
        }
        rows.append(row)
    axis = _ends(ends)
    ticks = [(tick, f"{100 * tick:.6g}") for tick in round_ticks(*axis)]
    return {"rows": rows, "axis": axis, "ticks": ticks, "intervals": intervals}


def measure(material: Material) -> tuple[Properties, dict[str, str]]:
    """Measure texts in words of the run's tokenizer, else `classic`; return the
    beginnings of evals too.
    """
    tokenize = _tokenizer(material.run)
    documents = sources(material.tasks)
    properties: Properties = {name: {} for name in _EXPLANATIONS}
    beginnings = {}
    for task in material.tasks:
        eval_id = task.eval_id
        texts = [units(text, task.input_format) for _, text in task.references]
        properties["references"][eval_id] = float(len(texts))
        if not texts:
            continue

        references = [list(chain.from_iterable(map(tokenize, text))) for text in texts]
        length = fmean(map(len, references))
        properties["length"][eval_id] = length
        beginnings[eval_id] = " ".join(map(decode, texts[0]))[:_BEGINNING]

        document = documents.get(eval_id)
        if not document:
            continue
        source = list(chain.from_iterable(map(tokenize, units(document, "plain"))))
        documents_of_eval = [[source], *([words] for words in references)]
        of_source, *of_references = texts_of(*documents_of_eval)
        novel = average([_NOVELTY.count(of_source, text) for text in of_references])
        if source and novel.prediction:
            lengths = [_COMPRESSION.count(of_source, text) for text in of_references]
            ratio = average(lengths)
            properties["novelty"][eval_id] = novel.match / novel.prediction
            properties["compression"][eval_id] = ratio.match / ratio.prediction
    return properties, beginnings


def _tokenizer(run: Run | None) -> Tokenize:
    """Return the tokenizer of a run if it has a name, else `classic`."""
    name: str = run.options.get("tokenizer", "") if run else ""
    if name in tokenizers.NAMES or ":" in name:
        return tokenizers.named(name)
    return tokenizers.named("classic")


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
            columns = np.flatnonzero(groups == group)
            least = f"{values[columns].min():{form}}"
            largest = f"{values[columns].max():{form}}"
            values_of_bucket = least
            if largest != least:
                values_of_bucket = f"{least} to {largest}"
            buckets.append((values_of_bucket, columns))
        if len(buckets) > 1:
            yield {
                "name": name.capitalize(),
                "explanation": explanation,
                "buckets": buckets,
            }
