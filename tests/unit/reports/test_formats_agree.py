"""Laws: for any numbers, all formats agree, and the JSON report reads back."""

import csv as standard
import json
import re
from io import StringIO
from typing import Any

from everyday import share
from hypothesis import given, settings
from hypothesis import strategies as st

from rouge_cli.core import Average, Counts, Estimate, EvalResult, Result, Score
from rouge_cli.reports import (
    Layout,
    csv,
    jsonl,
    latex,
    markdown,
    render,
    score_only,
    text,
    tsv,
)
from rouge_cli.results.saved import from_json
from rouge_cli.results.scores import Results

LABELS = ("ROUGE-1", "ROUGE-SU4", "ROUGE-W-1.2")
FIGURES = ("recall", "precision", "f")
COLUMNS = [(label, letter) for label in LABELS for letter in "RPF"]

figures = st.floats(0, 1)
weights = st.one_of(st.integers(0, 10**6).map(float), st.floats(0, 1e6))
# File names that are not UTF-8 come with surrogates; before Python 3.11 csv cannot read
# NUL.
names = st.text(
    st.one_of(
        st.sampled_from('|,"\n\r\t_*\\&文é\udce9 '),
        st.characters(codec="utf-8", exclude_characters="\0"),
    ),
    max_size=12,
)
counts = st.builds(
    lambda reference, prediction, match, prediction_match: Counts(
        reference, prediction, match, prediction_match=prediction_match
    ),
    weights,
    weights,
    weights,
    st.none() | weights,
)
signatures = st.text(st.sampled_from("abc:|%1.`"), max_size=20)
details = st.dictionaries(
    st.text(max_size=5),
    st.recursive(
        st.none() | st.integers() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=2)
            | st.dictionaries(st.text(max_size=3), inner, max_size=2)
        ),
        max_leaves=4,
    ),
    max_size=3,
)


@st.composite
def reports(draw: st.DrawFn, *, may_be_totals: bool = True) -> Results:
    """Generate reports of some systems in some evals, resampled or not, of scores or
    of totals.
    """
    systems = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    eval_ids = draw(st.lists(names, max_size=2, unique=True))
    resampled = draw(st.booleans())
    totals = may_be_totals and draw(st.booleans())
    ends = figures if resampled else st.none()
    estimates = st.builds(Estimate, figures, ends, ends)
    averages: st.SearchStrategy[Average | Counts] = (
        counts if totals else st.builds(Average, estimates, estimates, estimates)
    )
    scores = st.none() if totals else st.builds(Score, figures, figures, figures)
    return Results(
        [
            Result(
                system, label, draw(averages),
                [EvalResult(eval_id, draw(counts), draw(scores)) for eval_id in eval_ids],
            )
            for system in systems
            for label in LABELS
        ],
        draw(signatures),
        draw(details),
    )  # fmt: skip


law = settings(max_examples=share(40), deadline=None, database=None)


def rows(
    module: Any,  # noqa: ANN401
    delimiter: str,
    report: Results,
    layout: Layout,
) -> list[dict[str, str]]:
    """Return the rows of a delimited table as a plain reader parses them."""
    table = StringIO(module.render(report, layout), newline="")
    return list(standard.DictReader(table, delimiter=delimiter))


@law
@given(reports())
def test_json_reads_back(report: Results) -> None:
    """A report written with scale 1 and all evals reads back exactly, to the last
    bit.
    """
    layout = Layout(COLUMNS, per_eval=True)

    assert report == from_json(render(report, "json", layout))


def figures_of(report: Results) -> list[float | None]:
    """Return all scores and ends of intervals, in one row."""
    figures: list[float | None] = []
    for result in report.results:
        assert isinstance(result.average, Average)
        figures.extend(value for estimate in result.average for value in estimate)
        figures.extend(
            value for eval_result in result.evals for value in eval_result.score or ()
        )
    return figures


@law
@given(reports(may_be_totals=False))
def test_json_reads_back_percents(report: Results) -> None:
    """Figures written with scale 100 read back between 0 and 1, equal except for the
    last bits.
    """
    again = from_json(render(report, "json", Layout(COLUMNS, scale=100, per_eval=True)))
    for value, read in zip(figures_of(report), figures_of(again), strict=True):
        assert value == read or (
            value is not None and read is not None and abs(value - read) <= 1e-15
        )


@law
@given(reports())
def test_json_has_no_evals_by_default(report: Results) -> None:
    """A report written without per_eval reads back without its evals."""
    bare = report._replace(
        results=[result._replace(evals=[]) for result in report.results]
    )

    assert bare == from_json(render(report, "json", Layout(COLUMNS)))


@law
@given(reports(), st.sampled_from([1.0, 100.0]))
def test_machines_read_the_averages(report: Results, scale: float) -> None:
    """The formats csv, tsv and jsonl hold each average, its interval and each total,
    exactly.
    """
    layout = Layout(COLUMNS, scale=scale)
    _, *lines = map(json.loads, jsonl.render(report, layout))
    for module, delimiter in ((csv, ","), (tsv, "\t")):
        table = rows(module, delimiter, report, layout)
        for result, row, line in zip(report.results, table, lines, strict=True):
            assert (result.system, result.label, report.signature) == (
                row["system"], row["metric"], row["signature"],
            )  # fmt: skip
            assert (result.system, result.label) == (line["system"], line["metric"])
            if isinstance(result.average, Counts):
                assert list(result.average[:3]) == [
                    float(row[name]) for name in ("reference", "prediction", "match")
                ]
                assert list(result.average[:3]) == [
                    line["counts"][name]
                    for name in ("reference", "prediction", "match")
                ]
                continue
            for name, estimate in zip(FIGURES, result.average, strict=True):
                expected = [
                    None if value is None else value * scale for value in estimate
                ]
                ends = (name, f"{name}_low", f"{name}_high")
                assert expected == [
                    float(row[end]) if row[end] else None for end in ends
                ]
                assert expected == [line[name][end] for end in ("value", "low", "high")]


@law
@given(reports())
def test_machines_read_the_evals(report: Results) -> None:
    """With per_eval they hold each score and each count, exactly, once."""
    layout = Layout(COLUMNS, per_eval=True)
    expected = sorted(
        (
            (
                eval_result.eval_id, result.system, result.label, *(eval_result.score or [None] * 3),
                *eval_result.counts[:3],
            )
            for result in report.results
            for eval_result in result.evals
        ),
        key=lambda row: row[:3],
    )  # fmt: skip
    lines = list(map(json.loads, jsonl.render(report, layout)))[1:]
    tables = [
        [
            (
                *(row[name] for name in ("eval", "system", "metric")),
                *(float(row[name]) if row[name] else None for name in FIGURES),
                *(float(row[name]) for name in ("reference", "prediction", "match")),
            )
            for row in rows(module, delimiter, report, layout)
        ]
        for module, delimiter in ((csv, ","), (tsv, "\t"))
    ]
    tables.append(
        [
            (
                *(line[name] for name in ("eval", "system", "metric", *FIGURES)),
                *(
                    line["counts"][name]
                    for name in ("reference", "prediction", "match")
                ),
            )
            for line in lines
        ]
    )

    assert [expected] * 3 == [
        sorted(table, key=lambda row: row[:3]) for table in tables
    ]


@law
@given(reports(may_be_totals=False), st.integers(0, 6), st.sampled_from([1.0, 100.0]))
def test_people_read_the_averages(report: Results, digits: int, scale: float) -> None:
    """Every table for people has the same rounded numbers in the same order, a row
    for each system.
    """
    layout = Layout(COLUMNS, digits=digits, scale=scale, intervals=True)
    systems = list(dict.fromkeys(result.system for result in report.results))
    expected: list[list[str]] = []
    for system in systems:
        row: list[str] = []
        for result in report.results:
            if result.system == system:
                assert isinstance(result.average, Average)
                for estimate in result.average:
                    row.extend(
                        f"{v * scale:.{digits}f}" for v in estimate if v is not None
                    )
        expected.append(row)

    def numbers(lines: list[str]) -> list[list[str]]:
        # The last numbers of a line are the scores; a name may contain numbers too.
        return [
            re.findall(r"\d+(?:\.\d+)?", line)[-len(row) :]
            for line, row in zip(lines, expected, strict=True)
        ]

    size = len(systems)
    wide = text.render(report, layout._replace(terminal=True, width=2000))
    bare = re.sub(r"\x1b\[[0-9;]*m", "", wide).split("\n")
    assert expected == numbers(text.render(report, layout).split("\n")[1 : size + 1])
    assert expected == numbers(bare[2 : size + 2])
    assert expected == numbers(
        markdown.render(report, layout).split("\n")[4 : size + 4]
    )
    body = latex.render(report, layout).replace("[-3pt]", "").split("\\midrule\n")[1]
    assert expected == numbers(
        [row.split(" & ", 1)[1] for row in body.split("\n")[:size]]
    )
    alone = score_only.render(report, layout._replace(columns=COLUMNS[:1])).split("\n")[
        :size
    ]
    assert [row[0] for row in expected] == [line.split("\t")[-1] for line in alone]
