"""Bare numbers for scripts."""

import pytest

from rouge_cli.errors import UsageError
from rouge_cli.reports import Layout, score_only
from rouge_cli.results.scores import Results


def test_one_system_is_one_number(report: Results) -> None:
    """With a single system only its score is printed, with the requested digits and scale."""
    single = report._replace(results=report.results[:2])

    assert "33.33\n" == score_only.render(single, Layout([("ROUGE-2", "R")], digits=2, scale=100))


def test_several_systems_are_named(report: Results) -> None:
    """With several systems a line is a name, a tab and a score; a name cannot break the line."""
    first, _, second, _ = report.results
    odd = report._replace(results=[first, second._replace(system="a\tb")])

    assert "lead_3\t0.333\na\\tb\t0.500\n" == score_only.render(odd, Layout([("ROUGE-2", "R")], digits=3))


@pytest.mark.parametrize("columns", [[], [("ROUGE-2", "R"), ("ROUGE-2", "F")]])
def test_one_metric_must_be_selected(columns: list[tuple[str, str]], report: Results) -> None:
    """A report with no score or with several metrics is refused."""
    with pytest.raises(UsageError, match=f"but {len(columns)} are selected; name one"):
        score_only.render(report, Layout(columns))


def test_totals_are_refused(totals: Results) -> None:
    """A report of totals has no score to print, and is refused."""
    with pytest.raises(UsageError, match="only totals"):
        score_only.render(totals, Layout([("ROUGE-W-1.2", "F")]))
