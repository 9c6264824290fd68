"""Delimited tables that pandas and R read, and bare numbers for scripts."""

import csv as standard
from io import StringIO

import pytest

from rouge_cli.core import Average, Estimate, Result
from rouge_cli.errors import UsageError
from rouge_cli.reports import Layout, csv, score_only, tsv
from rouge_cli.results.scores import Results

LAYOUT = Layout([("ROUGE-2", "F")], digits=2)


def test_averages(report: Results) -> None:
    """A row is a system under a metric, unrounded, with its intervals and the
    signature.
    """
    assert (
        "system,metric,recall,recall_low,recall_high,precision,precision_low,precision_high,"
        "f,f_low,f_high,signature\n"
        "lead_3,ROUGE-2,0.3333333333333333,0.16666666666666666,0.3333333333333333,"
        "0.5,0.25,0.5,0.25,0.125,0.25,dialect:rouge155|evals:2\n"
        == csv.render(report._replace(results=report.results[:1]), LAYOUT)
    )


def test_without_intervals(means: Results) -> None:
    """Without resampling the ends of the intervals are empty fields; scores are
    scaled.
    """
    assert (
        "a|b\tROUGE-L\t50\t\t\t50\t\t\t25\t\t\t100\tdialect:rouge155|evals:2"
        == tsv.render(means, LAYOUT._replace(scale=100)).splitlines()[-1]
    )


def test_evals_have_the_signature_once(report: Results) -> None:
    """A row of an eval, a system and a metric does not repeat the signature, as a
    row of averages does.
    """
    for module, delimiter in ((csv, ","), (tsv, "\t")):
        evals = module.render(report, LAYOUT._replace(per_eval=True)).splitlines()
        averages = module.render(report, LAYOUT).splitlines()

        assert [
            "eval,system,metric,recall,precision,f,reference,prediction,match,signature",
            f"D1,lead_3,ROUGE-2,0.5,0.6666666666666666,0.5714285714285714,4,3,2,{report.signature}",
        ] == [line.replace(delimiter, ",") for line in evals[:2]]
        for lines, ends in (
            (evals, ["", *[""] * 6]),
            (averages, [report.signature] * 3),
        ):
            assert [report.signature, *ends] == [
                line.split(delimiter)[-1] for line in lines[1:]
            ]


def test_totals(totals: Results) -> None:
    """A table of totals has counts and no columns of scores; of evals, empty scores."""
    assert (
        "system,metric,reference,prediction,match,signature\nX,ROUGE-W-1.2,12,5,2.5,dialect:rouge155\n"
        == csv.render(totals, LAYOUT)
    )
    assert "D1,X,ROUGE-W-1.2,,,,4,3,2,dialect:rouge155\n" in csv.render(
        totals, LAYOUT._replace(per_eval=True)
    )


@pytest.mark.parametrize(
    "name", ["a,b", 'a"b', "a\nb", "a\rb", "a\r\nb", "a\tb", "", " a ", "文摘"]
)
def test_odd_names_come_back(name: str) -> None:
    """A field that contains a delimiter, a quote or a line end is quoted, and reads
    back unchanged.
    """
    average = Average(*[Estimate(float("nan"), None, None)] * 3)
    report = Results([Result(name, "ROUGE-1", average, [])])
    for module, delimiter in ((csv, ","), (tsv, "\t")):
        text = module.render(report, LAYOUT)
        header, row = standard.reader(StringIO(text, newline=""), delimiter=delimiter)
        assert [name, "ROUGE-1", *[""] * 10] == row
        assert len(header) == len(row)
        assert text.endswith("\n")
        assert not text.endswith("\r\n")


def test_one_system_is_one_number(report: Results) -> None:
    """With a single system only its score is printed, with the requested digits and
    scale.
    """
    single = report._replace(results=report.results[:2])

    assert "33.33\n" == score_only.render(
        single, Layout([("ROUGE-2", "R")], digits=2, scale=100)
    )


def test_several_systems_are_named(report: Results) -> None:
    """With several systems a line is a name, a tab and a score; a name cannot break
    the line.
    """
    first, _, second, _ = report.results
    odd = report._replace(results=[first, second._replace(system="a\tb")])

    assert "lead_3\t0.333\na\\tb\t0.500\n" == score_only.render(
        odd, Layout([("ROUGE-2", "R")], digits=3)
    )


@pytest.mark.parametrize("columns", [[], [("ROUGE-2", "R"), ("ROUGE-2", "F")]])
def test_one_metric_must_be_selected(
    columns: list[tuple[str, str]], report: Results
) -> None:
    """A report with no score or with several metrics is refused."""
    with pytest.raises(UsageError, match=f"but {len(columns)} are selected; name one"):
        score_only.render(report, Layout(columns))


def test_totals_are_refused(totals: Results) -> None:
    """A report of totals has no score to print, and is refused."""
    with pytest.raises(UsageError, match="only totals"):
        score_only.render(totals, Layout([("ROUGE-W-1.2", "F")]))
