"""Scores of a project of ROUGE 2.0: scores of single evals, and the columns of its own table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.results.scores import Scored, document, lines, notes, rows, tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from typing_extensions import Unpack

    from rouge_cli.core import Result
    from rouge_cli.results import Layout, LayoutFields

__all__ = ["document", "lines", "notes", "program_rows", "rows", "tables"]


class Topic(NamedTuple):
    """A task of a project. systems: peer's ID -> the system's name. models: the number of references."""

    eval_id: str
    systems: Mapping[str, str]
    models: int


@dataclass(frozen=True, slots=True, repr=False)
class Project(Scored):
    """A report of scores, like `core.Report`, with the tasks that they belong to.

    measures: the program's name for each measure, in its order -> the label in the results.
    """

    results: Sequence[Result]
    signature: str
    details: Mapping[str, Any]
    topics: Sequence[Topic]
    measures: Mapping[str, str]

    def to_rouge2(self, **layout: Unpack[LayoutFields]) -> str:
        """Return the table of ROUGE 2.0, byte for byte."""
        return self.to("rouge2", **layout)

    def _own_layout(self, *, for_papers: bool) -> LayoutFields:
        # A dataclass with slots is another class than the one that `super()` knows.
        return {**super(Project, self)._own_layout(for_papers=for_papers), "per_eval": True}


def program_rows(project: Project, _: Layout) -> Iterator[Sequence[str]]:
    """Yield the rows of the program's table, an empty one after each measure of a task.

    They equal the program's, except for their order, which it does not define.
    """
    scores = {
        (score.eval_id, result.peer_id, result.label): score.score or ()
        for result in project.results
        for score in result.evals
    }
    for topic in project.topics:
        for name, label in project.measures.items():
            for peer_id, system in topic.systems.items():
                figures = scores[topic.eval_id, peer_id, label]
                printed = (f"{figure:.5f}".replace("nan", "NaN") for figure in figures)
                yield [name, topic.eval_id, system.upper(), *printed, str(topic.models)]
            yield []
