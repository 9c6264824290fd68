"""Stability of a ranking over references: without each of them, and with each alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rouge_cli import api
from rouge_cli.core import Average, ignore_notice
from rouge_cli.studies import correlation
from rouge_cli.studies.page.records import FIGURES, Choice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import EvalTask
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.studies.page.records import Column, Material

MOST = 10  # references; more would fill the page


def choices(material: Material, matrices: Mapping[Column, Scores]) -> list[Choice]:
    """Return the scores with subsets of the references; none if no eval has two, or after jackknifing."""
    most = max((len(task.models) for task in material.tasks), default=0)
    if most < 2 or material.run.options.get("jackknife"):
        return []
    whole = {
        column: dict(zip(scores.systems, scores.means(), strict=True))
        for column, scores in matrices.items()
    }
    return [
        _choice(material, name, tasks, whole) for name, tasks in _parts(material.tasks, min(most, MOST))
    ]


def _parts(tasks: Sequence[EvalTask], most: int) -> Iterator[tuple[str, list[EvalTask]]]:
    for alone in (False, True):
        for place in range(most):
            several = [task for task in tasks if len(task.models) > max(place, 1)]
            models = [
                [model for other, model in enumerate(task.models) if (other == place) == alone]
                for task in several
            ]
            parts = [task._replace(models=some) for task, some in zip(several, models, strict=True)]
            yield f"{'only' if alone else 'without'} {_name(tasks, place)}", parts


def _name(tasks: Sequence[EvalTask], place: int) -> str:
    """Return the name of the reference at this place if it is the same in all evals, else its number."""
    names = {task.models[place][0] for task in tasks if len(task.models) > place}
    return f"reference {names.pop() if len(names) == 1 else place + 1}"


def _choice(
    material: Material, name: str, tasks: Sequence[EvalTask], whole: Mapping[Column, Mapping[str, float]]
) -> Choice:
    report = api.evaluate(
        tasks,
        dialect=material.run.dialect,
        peer_ids=material.run.work.peer_ids,
        notify=ignore_notice,
        **material.run.options,
    )
    means: dict[Column, dict[str, float]] = {column: {} for column in whole}
    for result in report.results:
        if isinstance(result.average, Average):
            for figure, estimate in zip(FIGURES, result.average, strict=True):
                means[result.label, figure][result.peer_id] = estimate.value
    agreement = {
        column: correlation.correlation(
            np.array(list(by_system.values())),
            np.array([whole[column][system] for system in by_system]),
            "kendall",
        ).value
        for column, by_system in means.items()
    }
    return Choice(name, len(tasks), means, agreement)
