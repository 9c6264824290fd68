"""Scores of a report as arrays of systems x evals."""

from collections.abc import Mapping

import numpy as np
import pytest

from rouge_cli import signature
from rouge_cli.core import (
    Average,
    Counts,
    Estimate,
    EvalResult,
    Notice,
    Report,
    Result,
    Score,
)
from rouge_cli.errors import RougeError
from rouge_cli.studies import matrix

NOTHING = Average(*[Estimate(0, None, None)] * 3)


def result(system: str, by_eval: Mapping[str, float], label: str = "ROUGE-1") -> Result:
    """Return a system's F in evals, with ten times as recall and a hundred times as
    precision.
    """
    evals = [
        EvalResult(eval_id, Counts(1, 1, 1), Score(10 * f, 100 * f, f))
        for eval_id, f in by_eval.items()
    ]
    return Result(system, label, NOTHING, evals)


def ignore(_: Notice) -> None:
    """Discard a notice."""


def test_figures_and_gaps() -> None:
    """Each figure is at its system and eval, NaN if missing, over the evals of all
    metrics.
    """
    report = Report([
        result("A", {"1": 0.1, "2": 0.2}), result("B", {"2": 0.3}), result("A", {"3": 0.5}, "ROUGE-2"),
    ])  # fmt: skip
    columns = [("ROUGE-1", "F"), ("ROUGE-1", "P"), ("ROUGE-2", "R")]
    f1, percent, third = matrix.of_report(report, columns, (), ignore)

    assert ("ROUGE-1 F", ["A", "B"], ["1", "2", "3"]) == f1[:3]
    np.testing.assert_array_equal(
        [[0.1, 0.2, np.nan], [np.nan, 0.3, np.nan]], f1.values
    )
    np.testing.assert_array_equal(100 * f1.values, percent.values)
    assert ("ROUGE-2 R", ["A"], 5.0) == (third.name, third.systems, third.values[0, 2])


def test_people_are_known() -> None:
    """Human systems are those of the report, those of jackknifing by their names,
    and those named.
    """
    report = Report(
        [result(name, {"1": 0.1}) for name in ("human A", "lead", "P", "Q")],
        "",
        {"humans": ["P"]},
    )
    (scores,) = matrix.of_report(report, [("ROUGE-1", "F")], ["Q"], ignore)

    assert {"human A", "P", "Q"} == scores.humans


def test_jackknifed_settings_are_one_eval_a_topic() -> None:
    """Evals without one reference become one eval a topic; a prediction of one of
    them is human.
    """
    notices: list[Notice] = []
    report = Report([
        result("lead", {"7.without-A": 0.1, "7.without-B": 0.3, "8": 0.5}),
        result("A", {"7.without-A": 0.6}), result("B", {"7.without-B": 0.8}),
    ])  # fmt: skip
    (scores,) = matrix.of_report(report, [("ROUGE-1", "F")], (), notices.append)

    assert ["7", "8"] == scores.evals
    assert {"A", "B"} == scores.humans
    np.testing.assert_allclose(
        [[0.2, 0.5], [0.6, np.nan], [0.8, np.nan]], scores.values
    )
    assert ["the jackknifed evals of each topic are averaged into one eval"] == [
        notice.message for notice in notices
    ]


def test_some_evals_may_lack_a_score() -> None:
    """A system has scores if one of its evals has; the others are NaN."""
    evals = [*result("A", {"1": 0.1}).evals, EvalResult("2", Counts(1, 1, 1), None)]
    report = Report([Result("A", "ROUGE-1", NOTHING, evals)])
    (scores,) = matrix.of_report(report, [("ROUGE-1", "F")], (), ignore)

    np.testing.assert_array_equal([[0.1, np.nan]], scores.values)


@pytest.mark.parametrize(
    ("dialect", "alpha", "expected"),
    [
        ("tilse", "0.3", 0.3), ("tilse", "0", 0.0), ("tilse", "1", 1.0), ("tilse", "1.01", None),
        ("tilse", "-0.01", None), ("tilse", "x", None), ("rouge155", "0.5", None), ("x", "0.5", None),
    ],
)  # fmt: skip
def test_an_f_of_means_has_parts(
    dialect: str, alpha: str, expected: float | None
) -> None:
    """Recalls and precisions are kept, with a valid alpha, if an average F is that
    of their means.
    """
    signed = signature.render({"dialect": dialect, "alpha": alpha})
    report = Report([result("A", {"1": 0.1})], signed)
    f, recall = matrix.of_report(
        report, [("ROUGE-1", "F"), ("ROUGE-1", "R")], (), ignore
    )

    assert recall.parts is None
    assert expected == (f.parts and f.parts[2])
    if f.parts:
        assert ([[1.0]], [[10.0]]) == (f.parts[0].tolist(), f.parts[1].tolist())


def test_scores_have_a_largest_size() -> None:
    """A score of 10^15 is read, and a larger one is refused, on either side of 0."""
    for sign in (1, -1):
        read, *refused = (
            Report([result("A", {"1": sign * size})])
            for size in (1e15, 1.0000001e15, float("inf"))
        )
        (scores,) = matrix.of_report(read, [("ROUGE-1", "F")], (), ignore)
        assert [[sign * 1e15]] == scores.values.tolist()
        for report in refused:
            with pytest.raises(
                RougeError, match=r"eval 1 of system A: .* is not a score"
            ):
                matrix.of_report(report, [("ROUGE-1", "F")], (), ignore)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            Result("A", "ROUGE-1", NOTHING, []),
            "no scores of single evals for A, ROUGE-1; score with --per-eval",
        ),
        (
            Result(
                "A",
                "ROUGE-1",
                Counts(1, 1, 1),
                [EvalResult("1", Counts(1, 1, 1), None)],
            ),
            "ROUGE-1 has only counts, which cannot be compared",
        ),
        (
            Result(
                "A",
                "ROUGE-1",
                NOTHING,
                [*result("A", {"1": 0.1}).evals, *result("A", {"1": 0.2}).evals],
            ),
            "eval 1 of system A has ROUGE-1 twice",
        ),
    ],
)
def test_reports_without_single_scores_are_refused(wrong: Result, message: str) -> None:
    """Averages alone, counts alone and a repeated eval are refused, and the message
    names the system.
    """
    with pytest.raises(RougeError, match=message):
        matrix.of_report(Report([wrong]), [("ROUGE-1", "F")], (), ignore)
