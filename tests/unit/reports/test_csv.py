"""Delimited tables that pandas and R read."""

import csv as standard
from io import StringIO

import pytest

from rouge_cli.core import Average, Estimate, Result
from rouge_cli.reports import Layout, csv, tsv
from rouge_cli.results.scores import Results

LAYOUT = Layout([("ROUGE-2", "F")], digits=2)


def test_averages(report: Results) -> None:
    """A row is a system under a metric, unrounded, with its intervals and the signature."""
    assert (
        "system,metric,recall,recall_low,recall_high,precision,precision_low,precision_high,"
        "f,f_low,f_high,signature\n"
        "lead_3,ROUGE-2,0.3333333333333333,0.16666666666666666,0.3333333333333333,"
        "0.5,0.25,0.5,0.25,0.125,0.25,dialect:rouge155|evals:2\n"
    ) == csv.render(report._replace(results=report.results[:1]), LAYOUT)


def test_without_intervals(means: Results) -> None:
    """Without resampling the ends of the intervals are empty fields; scores are scaled."""
    assert (
        "a|b\tROUGE-L\t50\t\t\t50\t\t\t25\t\t\t100\tdialect:rouge155|evals:2"
        == tsv.render(means, LAYOUT._replace(scale=100)).splitlines()[-1]
    )


def test_evals(report: Results) -> None:
    """With per_eval a row is an eval, a system and a metric, with scores and counts."""
    lines = csv.render(report, LAYOUT._replace(per_eval=True)).splitlines()

    assert 9 == len(lines)
    assert "eval,system,metric,recall,precision,f,reference,prediction,match,signature" == lines[0]
    assert (
        "D1,lead_3,ROUGE-2,0.5,0.6666666666666666,0.5714285714285714,4,3,2,dialect:rouge155|evals:2"
        == lines[1]
    )


def test_the_signature_of_evals_is_there_once(report: Results) -> None:
    """Rows of single evals do not repeat the signature; rows of averages do, for joining tables."""
    for module, delimiter in ((csv, ","), (tsv, "\t")):
        evals = list(
            standard.reader(
                StringIO(module.render(report, LAYOUT._replace(per_eval=True))), delimiter=delimiter
            )
        )
        averages = list(standard.reader(StringIO(module.render(report, LAYOUT)), delimiter=delimiter))

        assert ["signature", report.signature, *[""] * 7] == [row[-1] for row in evals]
        assert ["signature", *[report.signature] * 4] == [row[-1] for row in averages]


def test_totals(totals: Results) -> None:
    """A table of totals has counts and no columns of scores; of evals, empty scores."""
    assert (
        "system,metric,reference,prediction,match,signature\nX,ROUGE-W-1.2,12,5,2.5,dialect:rouge155\n"
    ) == csv.render(totals, LAYOUT)
    assert "D1,X,ROUGE-W-1.2,,,,4,3,2,dialect:rouge155\n" in csv.render(
        totals, LAYOUT._replace(per_eval=True)
    )


@pytest.mark.parametrize("name", ["a,b", 'a"b', "a\nb", "a\rb", "a\r\nb", "a\tb", "", " a ", "文摘"])
def test_odd_names_come_back(name: str) -> None:
    """A field that contains a delimiter, a quote or a line end is quoted, and reads back unchanged."""
    average = Average(*[Estimate(float("nan"), None, None)] * 3)
    report = Results([Result(name, "ROUGE-1", average, [])])
    for module, delimiter in ((csv, ","), (tsv, "\t")):
        text = module.render(report, LAYOUT)
        header, row = standard.reader(StringIO(text, newline=""), delimiter=delimiter)
        assert [name, "ROUGE-1", *[""] * 10] == row
        assert len(header) == len(row)
        assert text.endswith("\n")
        assert not text.endswith("\r\n")
