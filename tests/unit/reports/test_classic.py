"""The classic report, line by line."""

import math

import pytest
from case_tables import tabled

from rouge_cli.core import Average, Counts, Estimate, EvalResult, Report, Result, Score
from rouge_cli.reports import Layout, classic
from rouge_cli.scoring.perl_numbers import Number

LINE, DOTS = "-" * 45, "." * 45
THIRDS = Estimate(1 / 3, 0.25, 2 / 3)
AVERAGE = Average(THIRDS, Estimate(0, 0, 0), Estimate(1, 1, 1))
SCORE = Score(0.5, 0.25, 1 / 3)


def lines(
    *results: Result, confidence: str = "95", per_eval: bool = False
) -> list[str]:
    """Return the lines of a report, and check that each ends with LF."""
    text = classic.render(
        Report(results), Layout((), confidence=confidence, per_eval=per_eval)
    )
    assert not text or text.endswith("\n")
    return text.split("\n")[:-1]


def counts_only(*numbers: float) -> Result:
    """Return a result that holds only counts, for one eval."""
    counts = Counts(*numbers)
    return Result("X", "ROUGE-W-2", counts, [EvalResult("1", counts, None)])


def test_a_report_without_results_is_empty() -> None:
    """A report without results is empty, without a line of dashes."""
    assert classic.render(Report([]), Layout((), per_eval=True)) == ""


def test_averages_with_their_intervals() -> None:
    """A result is dashes and R, P and F with five decimals; the level is printed as
    typed.
    """
    assert [
        LINE,
        "sys 9 ROUGE-SU4 Average_R: 0.33333 (90.0%-conf.int. 0.25000 - 0.66667)",
        "sys 9 ROUGE-SU4 Average_P: 0.00000 (90.0%-conf.int. 0.00000 - 0.00000)",
        "sys 9 ROUGE-SU4 Average_F: 1.00000 (90.0%-conf.int. 1.00000 - 1.00000)",
    ] == lines(Result("sys 9", "ROUGE-SU4", AVERAGE, []), confidence="90.0")


def test_results_keep_their_order() -> None:
    """Results are printed in their order, each with its own dashes, dots and evals."""
    first = Result("B", "ROUGE-1", AVERAGE, [EvalResult("7", Counts(1, 2, 1), SCORE)])
    second = Result("A", "ROUGE-L", AVERAGE, [])
    printed = lines(first, second, per_eval=True)

    assert [
        LINE,
        DOTS,
        "B ROUGE-1 Eval 7.B R:0.50000 P:0.25000 F:0.33333",
        LINE,
        DOTS,
    ] == [line for line in printed if "Average" not in line]


@tabled
def test_evals_are_listed_by_leading_number(
    ids: list[str], expected: list[str]
) -> None:
    """`-d` sorts by the numbers that both IDs start with, and otherwise as strings
    (QUIRKS 28).
    """
    evals = [EvalResult(eval_id, Counts(1, 1, 1), SCORE) for eval_id in ids]
    printed = lines(Result("X", "ROUGE-1", AVERAGE, evals), per_eval=True)

    assert expected == [line.split()[3].removesuffix(".X") for line in printed[5:]]


def test_totals_are_integer_parts() -> None:
    """A result that holds only counts is one line of their sums, without fractions."""
    assert [LINE, "X ROUGE-W-2 M_count: 7 P_count: 12 H_count: 0"] == lines(
        counts_only(7.999, 12, 0.5)
    )


@pytest.mark.parametrize(
    ("count", "printed"),
    [
        (0.0, "0"), (3.0, "3"), (0.1, "0.1"), (1 / 3, "0.333333333333333"), (2 / 3, "0.666666666666667"),
        (100000.0, "100000"), (123456789012345.0, "123456789012345"), (1e16, "1e+16"),
        (Number(10**16), "10000000000000000"), (1.5e-05, "1.5e-05"),
    ],
)  # fmt: skip
def test_counts_of_evals_have_fifteen_digits(count: float, printed: str) -> None:
    """`-d` prints counts under the letters of the scores: integers in full, doubles
    as %.15g.
    """
    assert (
        lines(counts_only(count, 1, 2), per_eval=True)[3]
        == f"X ROUGE-W-2 Eval 1.X R:{printed} P:1 F:2"
    )


@pytest.mark.parametrize(
    ("count", "printed"),
    [
        (2.0**53, "9007199254740992"), (1e19, "10000000000000000000"),
        (3.8443359375e19, "3.8443359375e+19"), (math.inf, "Inf"),
    ],
)  # fmt: skip
def test_totals_that_no_machine_word_holds(count: float, printed: str) -> None:
    """Perl prints integer parts from 2^64 on as doubles, and so do we."""
    assert (
        lines(counts_only(count, 1, 2))[1]
        == f"X ROUGE-W-2 M_count: {printed} P_count: 1 H_count: 2"
    )


@pytest.mark.parametrize("shown", ["Average", "Eval"])
def test_infinity_and_nan_are_written_as_perl_does(shown: str) -> None:
    """A ROUGE-W beyond the range of doubles prints as Perl's %7.5f does, padded to
    seven.
    """
    average = Average(*[Estimate(math.inf, math.nan, math.nan)] * 3)
    score = Score(math.inf, math.nan, 0.0)
    result = Result(
        "X", "ROUGE-W-200", average, [EvalResult("1", Counts(1, 1, 1), score)]
    )
    expected = {
        "Average": "X ROUGE-W-200 Average_R:     Inf (95%-conf.int.     NaN -     NaN)",
        "Eval": "X ROUGE-W-200 Eval 1.X R:    Inf P:    NaN F:0.00000",
    }

    assert expected[shown] in lines(result, per_eval=True)
