"""The text table, plain and on a terminal."""

import re
import sys
from collections.abc import Sequence

import pytest
from rich.cells import cell_len

from rouge_cli import signature
from rouge_cli.core import Average, Estimate, Result
from rouge_cli.errors import RougeError
from rouge_cli.reports import Layout, text
from rouge_cli.results.scores import Results

COLUMNS = [("ROUGE-2", "R"), ("ROUGE-2", "F"), ("ROUGE-L", "R")]
NOTES = "evals: 2\nsentences per text: 2.5 in predictions, 3.5 in references\n"
SIGNATURE = "signature: dialect:rouge155|evals:2\n"
ODD = [
    "a|b", 'say "hi"', "two\nlines", "a\ttab", "__init__", "x" * 50, "文摘系统", "e\u0301te\u0301", "",
    "[bold]x[/bold]", ":smile:", "\x1b[31mred", "caf\udce9", "two words",
]  # fmt: skip


def systems(
    *values: float,
    names: Sequence[str] = "ABCDEFGHIJKLMNOP",
    labels: Sequence[str] = ("ROUGE-1",),
) -> Results:
    """Return a report of systems with these scores, without intervals."""
    return Results(
        [
            Result(name, label, Average(*[Estimate(value, None, None)] * 3), [])
            for name, value in zip(names, values, strict=False)
            for label in labels
        ]
    )


def on_terminal(report: Results, layout: Layout, width: int) -> str:
    """Return the output for a terminal of that width."""
    return text.render(report, layout._replace(terminal=True, width=width))


def without_styles(drawn: str) -> str:
    """Remove ANSI codes."""
    return re.sub(r"\x1b\[[0-9;]*m", "", drawn)


def test_piped(report: Results) -> None:
    """Scores, marks and intervals are aligned in columns, with notes and signature
    below the table.
    """
    layout = Layout(COLUMNS, digits=3, confidence="90")

    assert (
        "system              ROUGE-2 R              ROUGE-2 F              ROUGE-L R\n"
        "lead_3  0.333  [0.167, 0.333]  0.250* [0.125, 0.250]  0.333  [0.167, 0.333]\n"
        "a|b     0.500* [0.250, 0.500]  0.250* [0.125, 0.250]  0.500* [0.250, 0.500]\n"
        f"\n{NOTES}intervals: 90% confidence, but of 2 evals: too narrow\n*: the best of its column\n{SIGNATURE}"
        == text.render(report, layout)
    )


def test_piped_without_intervals(means: Results) -> None:
    """Without resampling there are no brackets, and no confidence level."""
    assert (
        "system  ROUGE-L R\n"
        "lead_3      33.3\n"
        "a|b         50.0*\n"
        f"\n{NOTES}*: the best of its column\n{SIGNATURE}"
        == text.render(means, Layout([("ROUGE-L", "R")], digits=1, scale=100))
    )


def test_one_row_for_each_eval(report: Results) -> None:
    """With per_eval there are all three figures of the selected metrics, grouped by
    eval.
    """
    assert (
        "eval  system  metric      R     P     F\n"
        "D1    lead_3  ROUGE-2  0.50  0.67  0.57\n"
        "D1    a|b     ROUGE-2  0.50  0.67  0.57\n"
        "D2    lead_3  ROUGE-2  0.06  0.25  0.10\n"
        "D2    a|b     ROUGE-2  0.06  0.25  0.10\n"
        "\nevals: 2\n" + SIGNATURE
    ) == text.render(report, Layout([("ROUGE-2", "F")], digits=2, per_eval=True))


def test_totals(totals: Results) -> None:
    """In a table of totals the columns name what was counted, and nothing is marked
    as best.
    """
    layout = Layout([("ROUGE-W-1.2", letter) for letter in "RPF"], digits=2)

    assert (
        "system  ROUGE-W-1.2 reference  ROUGE-W-1.2 prediction  ROUGE-W-1.2 match\n"
        "X                          12                       5               2.50\n"
        == text.render(totals, layout).split("\n\n")[0]
        + "\n"
    )
    assert "D2    X       ROUGE-W-1.2          8           2   0.50" in text.render(
        totals, layout._replace(per_eval=True)
    )


def test_the_best_are_compared_as_printed() -> None:
    """Systems with the same printed number are equally good; NaN is never the best."""
    printed = text.render(
        systems(0.1234, 0.12341, 0.12, float("nan")),
        Layout([("ROUGE-1", "F")], digits=3),
    )

    assert ["0.123*", "0.123*", "0.120", "nan"] == [
        line.split()[1] for line in printed.splitlines()[1:5]
    ]


def test_ranks() -> None:
    """Ranks follow the first column as printed; equal scores share a rank, and the
    order is unchanged.
    """
    layout = Layout([("ROUGE-1", "F")], digits=1, ranks=True)
    printed = text.render(systems(0.31, 0.52, 0.29, 0.1), layout)

    assert [["rank", "system"], ["2", "A"], ["1", "B"], ["2", "C"], ["4", "D"]] == [
        line.split()[:2] for line in printed.splitlines()[:5]
    ]
    assert "rank" in without_styles(on_terminal(systems(0.31, 0.5), layout, 80))


def test_one_system_is_not_the_best() -> None:
    """A single system has neither a mark nor bold numbers."""
    layout = Layout([("ROUGE-1", "F")])

    assert "*" not in text.render(systems(0.5), layout)
    assert "\x1b[1m0.5" not in on_terminal(systems(0.5), layout, 80)
    assert "\x1b[1m0.50000" in on_terminal(systems(0.5, 0.4), layout, 80)


def test_the_number_of_sentences_is_printed_if_it_matters(report: Results) -> None:
    """The number of sentences is printed below tables with ROUGE-L or ROUGE-W, if it
    is known.
    """
    assert "sentences" not in text.render(report, Layout([("ROUGE-2", "F")]))
    assert "sentences" not in text.render(
        report._replace(details={"predictions": {"texts": 0}}), Layout(COLUMNS)
    )


@pytest.mark.parametrize("terminal", [False, True])
def test_odd_names_keep_columns_aligned(terminal: bool) -> None:
    """Any name takes one line, and the numbers below each other stay aligned on the
    screen.
    """
    layout = Layout([("ROUGE-1", "F")], terminal=terminal, width=80)
    printed = text.render(systems(*[0.5] * len(ODD), names=ODD), layout)
    rows = [line for line in without_styles(printed).splitlines() if "0.50000" in line]

    assert len(ODD) == len(rows)
    assert 1 == len({cell_len(row[: row.index("0.50000")]) for row in rows})
    assert ['""', "caf\\udce9", "two\\nlines"] == sorted(
        name
        for row in rows
        if (name := row.split(" ")[0]) in {'""', "caf\\udce9", "two\\nlines"}
    )


def test_piped_is_plain(report: Results) -> None:
    """Piped output has no codes, no box lines and no trailing blanks."""
    printed = text.render(report, Layout(COLUMNS))

    assert printed.isascii()
    assert "\x1b" not in printed
    assert [] == [line for line in printed.splitlines() if line != line.rstrip()]


def test_on_a_terminal(report: Results) -> None:
    """The best are bold and intervals dim, on the same line if there is room."""
    drawn = on_terminal(report, Layout(COLUMNS, digits=3), 80)

    assert "a|b     \x1b[1m0.500\x1b[0m \x1b[2m[0.250, 0.500]\x1b[0m" in drawn
    assert "lead_3  0.333 \x1b[2m[0.167, 0.333]\x1b[0m  \x1b[1m0.250\x1b[0m" in drawn
    assert (
        NOTES + "intervals: 95% confidence, but of 2 evals: too narrow\n" + SIGNATURE
        in drawn
    )


def test_intervals_move_below(report: Results) -> None:
    """On a narrower terminal intervals are below their scores."""
    lines = without_styles(
        on_terminal(report, Layout(COLUMNS, digits=3), 60)
    ).splitlines()

    assert "system       ROUGE-2 R       ROUGE-2 F       ROUGE-L R" == lines[0]
    assert "lead_3           0.333           0.250           0.333" == lines[2]
    assert "        [0.167, 0.333]  [0.125, 0.250]  [0.167, 0.333]" == lines[3]


@pytest.mark.parametrize("width", [1, 40, 80, 200])
@pytest.mark.parametrize("per_eval", [False, True])
@pytest.mark.parametrize("name", ["x" * 50, "文摘系统" * 6])
def test_nothing_is_lost(
    name: str, per_eval: bool, width: int, report: Results
) -> None:
    """At any width each number and letter of a name is there, and lines fit if
    numbers do.
    """
    renamed = [
        *report.results[:2],
        *(result._replace(system=name) for result in report.results[2:]),
    ]
    labels = [("ROUGE-2", letter) for letter in "RPF"] + [
        ("ROUGE-L", letter) for letter in "RPF"
    ]
    layout = Layout(labels, per_eval=per_eval)
    drawn = without_styles(on_terminal(report._replace(results=renamed), layout, width))
    plain = text.render(report, layout)
    scores = r"\[?\d\.\d{5}\b"
    once = set(re.findall(scores, plain))

    assert len(once) > 4
    assert {score: plain.count(score) for score in once} == {
        score: drawn.count(score) for score in once
    }
    above = drawn.split("\nevals: ")[0]
    letters = "".join(letter for letter in above if letter in name)
    assert letters
    assert name * (len(letters) // len(name)) == letters
    if width >= 80:
        assert max(map(cell_len, above.splitlines())) <= width


def test_without_rich_terminals_get_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rich a notice is printed on terminals only; piped output does not need
    it.
    """
    monkeypatch.setitem(sys.modules, "rich", None)
    layout = Layout([("ROUGE-1", "F")])

    assert "0.50000" in text.render(systems(0.5), layout)
    with pytest.raises(RougeError, match="rich; pip install rich"):
        on_terminal(systems(0.5), layout, 80)


@pytest.mark.parametrize("width", [1, 30, 80, 400])
def test_a_signature_on_a_terminal_ends_its_lines_between_fields(
    report: Results, width: int
) -> None:
    """The lines are no wider than the terminal unless a field is, and are read as the
    signature that they are of.
    """
    signed = "dialect:rouge155|metrics:ROUGE-1+ROUGE-2|stemmer:rouge|evals:2"
    layout = Layout([("ROUGE-2", "F")], terminal=True, width=width)
    shown = text.render(report._replace(signature=signed), layout)
    lines = shown[shown.index("signature: ") :].splitlines()
    longest = max(map(len, signed.split("|"))) + len("signature: |")

    assert max(map(len, lines)) <= max(width, longest)
    assert signature.parse("\n".join(lines)) == signature.parse(signed)
    assert (len(lines) == 1) == (width >= 80)
