"""A page as one HTML file that loads nothing: template, style and script of `data/report`, and the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.reports import Layout
from rouge_cli.reports.html import content_hash, file, fill, markup
from rouge_cli.results import comparison, scores
from rouge_cli.results._tables import format_interval, p_value, pluralize
from rouge_cli.studies.page import correlations, panels, texts
from rouge_cli.studies.page.data import MOST_PAIRS, document, escape, short
from rouge_cli.studies.page.records import FIGURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.studies.page.records import Page

# The scripts in their order; they are joined into one.
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


def _content(page: Page) -> dict[str, Any]:
    """Return the variables of the template."""
    material = page.material
    layout = Layout(columns=material.columns, confidence=material.confidence)
    compared = page.comparisons.get(material.columns[0][1])
    return {
        "signature": short(material.report.signature, 2000),
        "command": short(str(material.report.details.get("command", "")), 2000),
        "notes": [note for note in scores.notes(material.report, layout) if not note.startswith(_COMMAND)],
        "notices": [short(notice.message, 400) for notice in page.notices],
        "systems": page.systems,
        "labels": page.labels,
        "figures": FIGURES,
        "size": (pluralize(len(page.systems), "system"), pluralize(len(page.evals), "eval")),
        "panels": list(panels.columns(page)),
        "choices": page.choices,
        "rank_and_mean": panels.rank_and_mean,
        "short": short,
        "format_interval": format_interval,
        "pluralize": pluralize,
        "p_value": p_value,
        "pairs_left_out": max(0, len(compared.pairs) // len(page.labels) - MOST_PAIRS) if compared else 0,
        "comparison_notes": list(comparison.notes(compared, layout)) if compared else [],
        "correlations": correlations.panels(page.correlations),
        "plot": correlations,
        "gains": list(_gains(page)),
        "shown": len(page.texts),
        "total": len(page.evals),
        "rule": texts.RULE,
        "has_marks": bool(page.gains)
        or any(peer.get("why") for text in page.texts.values() for peer in text["peers"].values()),
        "has_source": material.documents is not None,
        "dialect": material.run.dialect,
    }


def _gains(page: Page) -> Iterator[dict[str, Any]]:
    """Yield by label the units that the best system has and the second lacks, and vice versa."""
    by_pair = list(dict.fromkeys(key[1:] for key in page.gains))[:1]
    for label in dict.fromkeys(key[0] for key in page.gains):
        for system, other in (*by_pair, *(pair[::-1] for pair in by_pair)):
            units = page.gains.get((label, system, other), ())
            if units:
                yield {"label": label, "system": short(system), "other": short(other), "units": units}
