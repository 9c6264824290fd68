"""Selection of the scores to study, saved or just made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import api, plugins, signature
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.reports import _saved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Report

MEASURES = {"recall": "R", "precision": "P", "f": "F"}
# Options of a dialect without effect on scores of single evals.
UNUSED = ("average", "confidence", "samples", "seed")


def saved_kind(path: str) -> str:
    """Return the format of saved scores in a file; raise RougeError if it has none."""
    kind = _saved.kind(path)
    if not kind:
        raise RougeError(
            "does not contain saved scores",
            where=files.place(path),
            remedy="save them: rouge-cli score INPUT --per-eval --format json -o FILE",
        )
    return kind


def humans(report: Report) -> list[str]:
    """Return the systems that the report lists as people."""
    named = report.details.get("humans")
    return list(map(str, named)) if isinstance(named, list | tuple) else []


def columns(report: Report, chosen: Sequence[tuple[str, str]], measure: str) -> list[tuple[str, str]]:
    """Return the (label, R, P or F) to study: all labels if none is chosen.

    chosen: (label in any spelling, figure or an empty text). measure: the default figure,
    one of MEASURES. Raises UsageError for a label that the report lacks, RougeError for a report without
    labels.
    """
    labels = list(dict.fromkeys(result.label for result in report.results))
    if not labels:
        raise RougeError("no scores in the input")
    studied = []
    for name, letter in chosen or [(label, "") for label in labels]:
        label = name if name in labels else _label(name, report.signature)
        if label not in labels:
            raise UsageError(f"no {name} among the scores", remedy=plugins.suggestion(name, labels))
        studied.append((label, letter or MEASURES[measure]))
    return list(dict.fromkeys(studied))


def _label(name: str, signed: str) -> str:
    """Return the label as the scores' dialect writes it."""
    label: str = api.options_module(signature.fields(signed).get("dialect", api.DIALECT)).parse(name).label
    return label
