"""A sample of the evals of a run, which `hints` reads once more after the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rouge_cli.core import EvalTask
from rouge_cli.tasks.streams import watched

# The most evals of a sample, and of a list or a packed part of a stream.
MOST_EVALS, MOST_OF_PART = 200, 50


def taken(tasks: Iterable[EvalTask], sample: list[EvalTask]) -> Iterable[EvalTask]:
    """Return the evals of a run; append a sample to the list, while a stream is read.

    The sample does not depend on how the run is divided.
    """

    def look(part: Sequence[EvalTask]) -> None:
        left = MOST_EVALS - len(sample)
        if left > 0:
            sample.extend(_some(part, min(left, MOST_OF_PART)))

    return watched(tasks, look, lambda: len(sample) < MOST_EVALS)


def _some(tasks: Sequence[EvalTask], most: int) -> list[EvalTask]:
    """Return so many evals, at equal distances."""
    step = -(-len(tasks) // most) if tasks else 1
    return [tasks[index] for index in range(0, len(tasks), step)]
