"""The averages of one system, which are looked up by label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rouge_cli.core import Counts, Score
from rouge_cli.errors import UsageError, suggestion
from rouge_cli.results.printed import visible

SHOWN_SYSTEMS, SHOWN_METRICS = 3, 4  # in a line of the interactive interpreter
# The usual labels. Type checkers take any other string for a system.
Label = Literal[
    "R1",
    "R2",
    "R3",
    "R4",
    "RL",
    "RSU4",
    "ROUGE-1",
    "ROUGE-2",
    "ROUGE-L",
    "ROUGE-SU4",
    "rouge1",
    "rouge2",
    "rougeL",
    "rougeLsum",
]


class SystemScores(dict[str, Score]):
    """The averages of a system by label, which may be spelled as in `R1` or `rouge1`.

    The value of a metric that has only counts are the counts.
    """

    def find(self, label: str) -> str | None:
        """Return the label that a spelling means, None for an unknown one."""
        bare = _bare(label)
        for known in self:
            if _bare(known) == bare:
                return known
        return None

    def __missing__(self, label: str) -> Score:
        known = self.find(label)
        if known is None:
            raise UsageError(
                f"no {label} among the scores", remedy=suggestion(label, list(self))
            )
        return self[known]


def _bare(label: str) -> str:
    """Return a label without what differs between its spellings."""
    folded = label.lower().replace("-", "")
    return folded.removeprefix("rouge").removeprefix("r")


def remedy(key: object, by_system: Mapping[str, SystemScores]) -> str:
    """Return the index to use in place of one that a report does not have."""
    systems = list(by_system)
    labels = list(by_system[systems[0]]) if systems else []
    if not labels:
        return "the report is empty"
    label = labels[0]
    if isinstance(key, str):
        if not by_system[systems[0]].find(key):
            if len(systems) == 1:
                return suggestion(key, [*systems, *labels])
            return suggestion(key, systems)
        label = key
    return f"name the system first, as in [{systems[0]!r}][{label!r}]"


def brief(scores: SystemScores) -> str:
    """Return a system's scores in one line: the F of each metric, or its matches."""
    pieces = []
    for label, average in list(scores.items())[:SHOWN_METRICS]:
        score: Score | Counts = average
        if isinstance(score, Counts):
            value = f"match {score.match:g}"
        else:
            value = f"F {score.f:.5f}"
        pieces.append(f"{visible(label):.20} {value}")
    if len(scores) > SHOWN_METRICS:
        pieces.append(f"{len(scores) - SHOWN_METRICS} more")
    return ", ".join(pieces)
