"""The contents of a page, as records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rouge_cli.api import Run
    from rouge_cli.core import Document, EvalTask, Notice
    from rouge_cli.results.comparison import Comparison
    from rouge_cli.results.correlation import Correlations
    from rouge_cli.results.scores import Results
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.tasks.judgements import Judgements

FIGURES = ("R", "P", "F")

# A metric's label and R, P or F.
Column = tuple[str, str]


class Material(NamedTuple):
    """The material of a page.

    tasks, run, report: those of the scored run. columns: the user's selection; the page shows the first of
    them first. documents: eval -> the source text. evals: the number of evals shown with texts. trials: the
    number of trials of the tests. confidence: the level of intervals, as the user typed it.
    """

    tasks: Sequence[EvalTask]
    run: Run
    report: Results
    columns: Sequence[Column]
    judgements: Sequence[Judgements] = ()
    documents: Mapping[str, Document] | None = None
    evals: int = 300
    trials: int = 10_000
    seed: int = 0
    baseline: str | None = None
    confidence: str = "95"


class Bucket(NamedTuple):
    """Evals with similar values of one property: their range as text, and their places among all evals."""

    name: str
    places: NDArray[Any]


class Division(NamedTuple):
    """A division of all evals by one property, such as the length of their references."""

    name: str
    explanation: str
    buckets: Sequence[Bucket]


class Choice(NamedTuple):
    """The ranking with a subset of the references: its name, and each column's scores of the systems.

    means: column -> system -> mean. agreement: column -> Kendall's tau with the ranking by all references.
    """

    name: str
    evals: int
    means: Mapping[Column, Mapping[str, float]]
    agreement: Mapping[Column, float]


class Gain(NamedTuple):
    """A unit that one system has and another lacks: its frequency, and the places of the evals."""

    unit: str
    times: int
    evals: Sequence[int]


class Page(NamedTuple):
    """The whole content of a page.

    matrices: column -> scores. comparisons: R, P, F -> the comparison by that figure; none if there is
    one system. texts: place of an eval -> its texts and marks, for the script. gains: (label, system,
    other) -> units. lengths: mean words of each eval's references.
    """

    material: Material
    systems: Sequence[str]
    evals: Sequence[str]
    labels: Sequence[str]
    matrices: Mapping[Column, Scores]
    comparisons: Mapping[str, Comparison]
    correlations: Correlations | None
    divisions: Sequence[Division]
    choices: Sequence[Choice]
    texts: Mapping[int, Mapping[str, Any]]
    gains: Mapping[tuple[str, str, str], Sequence[Gain]]
    lengths: Sequence[float]
    notices: Sequence[Notice]

    @property
    def numbers(self) -> dict[str, int]:
        """Return the place of each system."""
        return {system: place for place, system in enumerate(self.systems)}
