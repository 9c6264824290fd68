"""A small report that tests of several formats use."""

import pytest

from rouge_cli.core import Average, Counts, Estimate, EvalResult, Result, Score
from rouge_cli.results.scores import Results


def average(value: float, *, resampled: bool) -> Average:
    """Return an average with that recall, precision 0.5 and F 0.25, with intervals
    if resampled.
    """
    return Average(
        *(
            Estimate(
                figure, figure / 2 if resampled else None, figure if resampled else None
            )
            for figure in (value, 0.5, 0.25)
        )
    )


def results(*, resampled: bool) -> list[Result]:
    """Return two systems under two metrics, in two evals."""
    evals = [
        EvalResult("D1", Counts(4, 3, 2), Score(0.5, 2 / 3, 4 / 7)),
        EvalResult("D2", Counts(8, 2, 0.5), Score(1 / 16, 0.25, 0.1)),
    ]
    return [
        Result(system, label, average(value, resampled=resampled), evals)
        for system, value in (("lead_3", 1 / 3), ("a|b", 0.5))
        for label in ("ROUGE-2", "ROUGE-L")
    ]


SIGNATURE = "dialect:rouge155|evals:2"
DETAILS = {
    "evals": 2, "predictions": {"texts": 4, "sentences": 10}, "references": {"texts": 2, "sentences": 7},
}  # fmt: skip


@pytest.fixture
def report() -> Results:
    """A report with intervals."""
    return Results(results(resampled=True), SIGNATURE, DETAILS)


@pytest.fixture
def means() -> Results:
    """The same report without resampling."""
    return Results(results(resampled=False), SIGNATURE, DETAILS)


@pytest.fixture
def totals() -> Results:
    """A report that holds only totals."""
    evals = [
        EvalResult("D1", Counts(4, 3, 2), None),
        EvalResult("D2", Counts(8, 2, 0.5), None),
    ]
    return Results(
        [Result("X", "ROUGE-W-1.2", Counts(12, 5, 2.5), evals)], "dialect:rouge155"
    )
