"""The material of the page of a scored run: what was scored, and what people said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Document
from rouge_cli.results.comparison import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import EvalTask, Notice, Notify
    from rouge_cli.results.scores import Results
    from rouge_cli.runs.assembly import Run
    from rouge_cli.tasks.judgements import Judgements

Column = tuple[str, str]  # a metric's label and R, P or F


class Material(NamedTuple):
    """The material of a page."""

    tasks: Sequence[EvalTask]  # the scored tasks; empty for saved scores
    run: Run | None  # None for saved scores
    report: Results
    # the user's selection; the page opens with the first column
    columns: Sequence[Column]
    judgements: Sequence[Judgements] = ()
    documents: Mapping[str, Document] | None = None  # eval -> the source text
    evals: int | None = None  # the most evals with texts
    size: float = 10e6  # the most bytes of texts in the file, up to a group of evals
    plan: Plan = Plan()  # of the comparison
    confidence: str = "95"  # the level of intervals, as the user typed it


def keeping(notices: list[Notice], notify: Notify) -> Notify:
    """Return a function that adds new notices to those of the page, and passes them
    on.
    """

    def warn(notice: Notice) -> None:
        if notice not in notices:
            notices.append(notice)
            notify(notice)

    return warn


def sources(tasks: Iterable[EvalTask]) -> dict[str, Document]:
    """Return eval -> its source, from evals that were read with the source as their
    reference.
    """
    by_eval = {}
    for task in tasks:
        for _, text in task.references[:1]:
            if isinstance(text, Document):
                by_eval[task.eval_id] = text
    return by_eval
