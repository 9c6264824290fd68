"""Scores in other dialects for the evals whose texts a page shows, set up as similarly as possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import api
from rouge_cli.core import ignore_notice
from rouge_cli.studies import audit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import EvalTask
    from rouge_cli.studies.page.records import Material

    # (eval, system) -> label -> the other dialects with their F.
    Elsewhere = dict[tuple[str, str], dict[str, list[tuple[str, float]]]]

# Options that do not change the score of an eval.
_OF_AVERAGES = {"metrics", "samples", "confidence", "seed", "average"}


def scores_elsewhere(material: Material, tasks: Sequence[EvalTask]) -> Elsewhere:
    """Return the F of each pair in every other dialect that has the measure.

    Returns nothing if the run has options that others lack, since the numbers would differ for that reason.
    """
    run = material.run
    is_stemmed = run.options.get("stemmer", "none") != "none"
    settings = {setting.dialect: setting for setting in audit.settings(stem=is_stemmed)}
    own = settings.get(run.dialect)
    if own is None or any(
        run.options.get(name) != value for name, value in own.options.items() if name not in _OF_AVERAGES
    ):
        return {}
    elsewhere: Elsewhere = {}
    for dialect, setting in settings.items():
        if dialect == run.dialect or not tasks:
            continue
        labels = {
            label: own.labels[measure] for measure, label in setting.labels.items() if measure in own.labels
        }
        report = api.evaluate(tasks, dialect=dialect, notify=ignore_notice, **setting.options)
        for result in report.results:
            for eval_result in result.evals if result.label in labels else ():
                if eval_result.score:
                    by_label = elsewhere.setdefault((eval_result.eval_id, result.peer_id), {})
                    by_label.setdefault(labels[result.label], []).append((dialect, eval_result.score.f))
    return elsewhere
