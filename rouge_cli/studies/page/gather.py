"""The page of a scored run, with the numbers of `score`, `compare`, `correlate` and `explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.core import Notice
from rouge_cli.errors import RougeError
from rouge_cli.results import comparison, correlation
from rouge_cli.studies import matrix
from rouge_cli.studies.compare import compare_families
from rouge_cli.studies.correlate import correlate
from rouge_cli.studies.page import divisions, references, texts
from rouge_cli.studies.page.records import FIGURES, Page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.core import Notify
    from rouge_cli.results.comparison import Comparison
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.studies.page.records import Column, Material
    from rouge_cli.studies.significance import Watch


def gather(material: Material, notices: list[Notice], notify: Notify, watch: Watch = iter) -> Page:
    """Compute everything that the page shows.

    notices: those of scoring, which the page repeats; further ones are added. notify: receives these.
    watch: yields the steps of the tests, to show progress.
    Raises RougeError if the report has no scores of single evals, or if the judgements do not match it.
    """

    def remark(notice: Notice) -> None:
        if notice not in notices:
            notices.append(notice)
            notify(notice)

    labels = list(dict.fromkeys(result.label for result in material.report.results))
    columns = [(label, figure) for figure in FIGURES for label in labels]
    scores = matrix.of_report(material.report, columns, (), remark)
    matrices = dict(zip(columns, scores, strict=True))
    first = matrices[material.columns[0]]
    words = divisions.words_of_references(material)
    chosen = texts.choose(first, {task.eval_id for task in material.tasks}, material.evals)
    shown, gains = texts.read(material, first, chosen, remark)
    return Page(
        material=material,
        systems=first.systems,
        evals=first.evals,
        labels=labels,
        matrices=matrices,
        comparisons=_comparisons(material, labels, matrices, remark, watch),
        correlations=_correlations(material, matrices, remark),
        divisions=divisions.divide(material, first.evals, words),
        choices=references.choices(material, matrices),
        texts=shown,
        gains=gains,
        lengths=[words.get(eval_id, 0.0) for eval_id in first.evals],
        notices=notices,
    )


def _comparisons(
    material: Material,
    labels: Sequence[str],
    matrices: Mapping[Column, Scores],
    notify: Notify,
    watch: Watch,
) -> dict[str, Comparison]:
    """Compare the systems by each of R, P and F, as `compare --measure` does; not if there is only one."""
    if len(next(iter(matrices.values())).systems) < 2:
        return {}
    plan = comparison.Plan(
        baseline=material.baseline,
        trials=material.trials,
        seed=material.seed,
        confidence=float(material.confidence),
    )
    families = [[matrices[label, figure] for label in labels] for figure in FIGURES]
    try:
        comparisons = compare_families(families, plan, notify, watch)
    except RougeError as error:  # systems without a common eval: the rest can be shown
        notify(Notice(f"systems are not compared: {error}"))
        return {}
    return dict(zip(FIGURES, comparisons, strict=True))


def _correlations(
    material: Material, matrices: Mapping[Column, Scores], notify: Notify
) -> correlation.Correlations | None:
    if not material.judgements:
        return None
    plan = correlation.Plan(seed=material.seed, confidence=float(material.confidence))
    return correlate([matrices[column] for column in material.columns], material.judgements, plan, notify)
