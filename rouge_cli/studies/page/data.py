"""The data of a page for its script: one JSON document, with packed scores and texts."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import numpy as np

from rouge_cli import reports
from rouge_cli.reports import Layout
from rouge_cli.results import comparison, correlation
from rouge_cli.results._records import plain
from rouge_cli.results._tables import visible
from rouge_cli.results.scores import average_record
from rouge_cli.studies.page.records import FIGURES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rouge_cli.studies.page.records import Page

SCHEMA = "rouge-cli page 1"
# Scores are packed as multiples of this fraction of a point; ROUGE-1.5.5 has five decimals.
UNIT = 1e-6
MISSING = -(2**31)
MOST_PAIRS = 300  # for a metric: those of 24 systems and some more
AT_ONCE = 20  # evals whose texts are unpacked together
_LONGEST = 80
# Characters that could end the script element, or a line of a script in old browsers.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def document(page: Page) -> dict[str, Any]:
    """Return everything that the script shows, looks up, sorts and draws."""
    material = page.material
    places, numbers = sorted(page.texts), page.numbers
    layout = Layout(columns=material.columns, confidence=material.confidence, ranks=len(page.systems) > 1)
    return {
        "schema": SCHEMA,
        "signature": material.report.signature,
        "systems": [short(system) for system in page.systems],
        "evals": [short(eval_id) for eval_id in page.evals],
        "labels": list(page.labels),
        "first": [page.labels.index(material.columns[0][0]), FIGURES.index(material.columns[0][1])],
        "best": _best(page),
        "unit": UNIT,
        "scores": pack(_whole_numbers(page)),
        "lengths": [round(length, 1) for length in page.lengths],
        "averages": [average_record(result, 1.0) for result in material.report.results],
        "comparisons": {
            figure: _comparison(page, comparison.document(comparison_of_figure, layout))
            for figure, comparison_of_figure in page.comparisons.items()
        },
        "correlations": page.correlations
        and _without_signature(correlation.document(page.correlations, layout)),
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


def escape(document: Mapping[str, Any]) -> str:
    """Return the document as JSON that is safe inside an HTML script element."""
    return json.dumps(document, separators=(",", ":")).translate(_ESCAPES)


def pack(data: bytes) -> str:
    """Return the bytes deflated (zlib) and in base64, as the script expects them."""
    return b64encode(zlib.compress(data, 6)).decode()


def short(name: str, most: int = _LONGEST) -> str:
    """Return the name for display: on one line, and only its ends if it is long."""
    name = visible(name[: 4 * most] + name[-most:] if len(name) > 5 * most else name)
    return name if len(name) <= most else f"{name[: most - 21]}\u2026{name[-20:]}"


def _best(page: Page) -> list[int]:
    """Return the places of the first two systems in the ranking that is shown first."""
    means = page.matrices[page.material.columns[0]].means()
    order = sorted(range(len(means)), key=lambda place: -means[place])
    return [int(order[0]), int(order[min(1, len(order) - 1)])]


def _comparison(page: Page, content: dict[str, Any]) -> dict[str, Any]:
    """Return a comparison with the places of the systems in its pairs, and at most MOST_PAIRS of these."""
    shown: dict[str, list[dict[str, Any]]] = {}
    for pair in content["pairs"]:
        shown.setdefault(pair["metric"], []).append(pair)
    numbers = page.numbers
    content["pairs"] = [pair for pairs in shown.values() for pair in pairs[:MOST_PAIRS]]
    for pair in content["pairs"]:
        for gap in pair["widest"]:
            gap["eval"] = short(gap["eval"])
        pair["places"] = [numbers[pair["system"]], numbers[pair["other"]]]
    return _without_signature(content)


def _whole_numbers(page: Page) -> bytes:
    """Return labels x figures x systems x evals, little-endian, in UNITs."""
    arrays = [page.matrices[label, figure].values for label in page.labels for figure in FIGURES]
    values = np.stack(arrays)
    whole = np.where(np.isnan(values), MISSING, np.round(np.nan_to_num(values) / UNIT))
    return whole.astype("<i4").tobytes()


def _without_signature(content: dict[str, Any]) -> dict[str, Any]:
    return {name: plain(value) for name, value in content.items() if name != "signature"}
