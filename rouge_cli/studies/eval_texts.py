"""The texts of evals: read into memory, counted and named."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from rouge_cli.core import Document, EvalTask, Notice, Notify
from rouge_cli.text.reading import load, load_texts


def count_evals(tasks: Sequence[EvalTask], notify: Notify) -> int:
    """Return the number of evals; warn of those that are several tasks, as their
    references differ.
    """
    times = Counter(task.eval_id for task in tasks).values()
    differing = sum(number > 1 for number in times)
    if differing:
        what = (
            f"{differing} of {len(times)} evals have references that differ by system"
        )
        notify(Notice(f"{what}: each system is scored with its own"))
    return len(times)


def in_memory(
    tasks: Iterable[EvalTask], systems: Collection[str] | None
) -> list[EvalTask]:
    """Return the tasks with only these systems, or all, and with texts in memory;
    read each file once.
    """
    read = cache(load)
    loaded = []
    for task in tasks:
        names = list(task.predictions)
        if systems is not None:
            names = [name for name in names if name in systems]
        loaded.append(load_texts(task, names, read))
    return loaded


def texts(task: EvalTask, system: str) -> Iterator[tuple[str, str | Document]]:
    """Yield name and text of the prediction (unless it has no file) and of the
    references.
    """
    prediction = task.predictions[system]
    if prediction:
        yield f"system {system}", prediction
    for reference_id, text in task.references:
        yield f"reference {reference_id}", text
