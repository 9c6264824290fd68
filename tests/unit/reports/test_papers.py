"""Tables for papers and issues: bold, marks, headers, Markdown, and LaTeX that is
typeset.
"""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest
from everyday import sampled

from rouge_cli.core import Average, Estimate, Result
from rouge_cli.reports import Layout, latex, markdown
from rouge_cli.results.comparison import ComparedPair, Comparison, Plan, Standing
from rouge_cli.results.scores import Results

COLUMNS = [("ROUGE-2", "R"), ("ROUGE-L", "F")]
SHOWN = Path(__file__).with_name("shown")
MARKDOWN_SPECIALS = "|`*_[<\\&~"
LATEX_SPECIALS = '\\&%$#_{}~^<>|"[]*---\n'
PERCENT = Layout(digits=2, scale=100)
HOSTILE = 'a & b % c_d # {e} ~^ \\ [x] * "q" <--> $x$ `` ?` |éßłğ–œ'
SIGNATURE = (
    "dialect:rouge155|metrics:ROUGE-1+ROUGE-2|stopwords:file:/"
    + "x" * 120
    + "|a~b^c#&%$|version:0.1"
)


def comparison(
    means: Mapping[str, Sequence[float | None]],
    plan: Plan | None = None,
    *,
    names: Sequence[str] = ("ROUGE-1 F", "ROUGE-2 F", "ROUGE-L F"),
    p: float = 0.01,
    letters: str = "",
) -> Comparison:
    """Return a comparison of systems by their means of each metric, all pairs with
    the same p.
    """
    plan = plan or Plan()
    standings, pairs = [], []
    for place, name in enumerate(names):
        values = {system: row[place] for system, row in means.items()}
        scored = {
            system: value for system, value in values.items() if value is not None
        }
        ranked = sorted(scored, key=lambda system: -scored[system])
        for rank, system in enumerate(ranked, 1):
            mean = Estimate(
                scored[system], scored[system] - 0.01, scored[system] + 0.01
            )
            standings.append(
                Standing(name, system, rank, mean, 60, letters, human=False)
            )
        for system in ranked:
            if plan.baseline and system != plan.baseline:
                difference = Estimate(
                    scored[system] - scored[plan.baseline], None, None
                )
                pairs.append(
                    ComparedPair(
                        name,
                        system,
                        plan.baseline,
                        60,
                        difference,
                        p,
                        p,
                        p,
                        p,
                        exact=False,
                    )
                )
    return Comparison(plan, standings, pairs, SIGNATURE)


MEANS = {"new": (0.4, 0.2, 0.3), "old": (0.3, 0.20004, 0.1), "bad": (0.2, 0.1, 0.30001)}


def test_the_best_as_printed_are_bold() -> None:
    """Systems whose printed scores are equal to the best are bold; the others are
    not.
    """
    bold = {
        row.names[0]: [cell.best for cell in row.cells]
        for row in comparison(MEANS).paper(PERCENT).rows
    }

    assert {
        "new": [True, True, True],
        "old": [False, True, False],
        "bad": [False, False, True],
    } == bold


def test_marks_against_a_baseline() -> None:
    """The baseline comes first and unmarked; better systems have a dagger, worse
    ones a double dagger.
    """
    content = comparison(MEANS, Plan("old")).paper(PERCENT)
    marks = {row.names[0]: [cell.mark for cell in row.cells] for row in content.rows}

    assert ["old", "new", "bad"] == list(marks)
    assert {
        "old": ["", "", ""],
        "new": ["†", "‡", "†"],
        "bad": ["‡", "‡", "†"],
    } == marks


@pytest.mark.parametrize("p", [0.05, float("nan")])
def test_chance_has_no_mark(p: float) -> None:
    """A corrected p that is not below the level, or is not a number, gives no mark."""
    content = comparison(MEANS, Plan("old"), p=p).paper(PERCENT)

    assert not any(cell.mark for row in content.rows for cell in row.cells)
    assert (
        "best in bold. No system differs significantly from old (p < 0.05, "
        in content.caption
    )


def test_letters_without_a_baseline() -> None:
    """Without a baseline the marks are letters of groups, and the caption explains
    them.
    """
    content = comparison(MEANS, letters="ab").paper(PERCENT)

    assert {"ab"} == {cell.mark for row in content.rows for cell in row.cells}
    assert "Systems that share a letter do not differ significantly" in content.caption


def test_heads_are_short() -> None:
    """ROUGE- becomes R-; a figure that all metrics share is in the caption, others
    in the headers.
    """
    alike = comparison(MEANS).paper(PERCENT)
    mixed = comparison(MEANS, names=("ROUGE-1 F", "ROUGE-1 R", "ROUGE-SU4 P")).paper(
        PERCENT
    )

    assert ["R-1", "R-2", "R-L"] == list(alike.numbers)
    assert alike.caption.startswith(
        "ROUGE F × 100, mean over 60 evals (topics or documents); best in bold."
    )
    assert ["R-1 F", "R-1 R", "R-SU4 P"] == list(mixed.numbers)
    assert mixed.caption.startswith("ROUGE × 100,")


def test_the_caption_describes_the_test() -> None:
    """Test, trials, seed, level and correction are in the caption."""
    plan = Plan("old", trials=2000, seed=7, correction="bh", level=0.02)
    caption = comparison(MEANS, plan).paper(PERCENT).caption

    assert caption.endswith(
        "† better, ‡ worse than old (p < 0.02, two-sided approximate randomization,"
        " 2,000 trials, seed 7, Benjamini and Hochberg's correction over 6"
        " comparisons)."
    )


def test_ranks_and_intervals_are_optional() -> None:
    """Ranks are those of the first metric; ranks and intervals are optional, and off
    by default.
    """
    bare = comparison(MEANS).paper(PERCENT)
    full = comparison(MEANS).paper(
        PERCENT._replace(ranks=True, intervals=True, digits=1)
    )

    assert (("system",), ("new",), "") == (
        bare.names,
        bare.rows[0].names,
        bare.rows[0].cells[0].interval,
    )
    assert (("#", "system"), ("1", "new")) == (full.names, full.rows[0].names)
    assert "[39.0, 41.0]" == full.rows[0].cells[0].interval


def test_a_metric_that_a_system_lacks() -> None:
    """A system without scores by a metric has an unmarked dash there, and its rank
    is a dash.
    """
    content = comparison({**MEANS, "odd": (None, 0.5, None)}).paper(
        PERCENT._replace(ranks=True)
    )
    row = content.rows[-1]

    assert (("-", "odd"), ["-", "50.00", "-"]) == (
        row.names,
        [cell.value for cell in row.cells],
    )
    assert [False, True, False] == [cell.best for cell in row.cells]


def test_markdown_of_a_comparison() -> None:
    """A caption, one table whose rows have the same number of cells, and the
    signature.
    """
    result = comparison({**MEANS, HOSTILE: (0.1, 0.1, 0.1)}, Plan("old"))
    blocks = markdown.render(result, PERCENT).split("\n\n")
    rows = [len(re.findall(r"(?<!\\)\|", row)) for row in blocks[1].splitlines()]

    assert 3 == len(blocks)
    assert [5] * 6 == rows
    assert (
        "| new | **40.00**<sup>&dagger;</sup> | **20.00**<sup>&Dagger;</sup> |"
        in blocks[1]
    )


def test_latex_of_a_comparison() -> None:
    """A floating table has its caption; the signature may break after its bars and
    colons.
    """
    rendered = latex.render(comparison(MEANS, Plan("old")), PERCENT)

    assert "\\begin{table}[t]\n\\centering\\small" in rendered
    assert (
        "\\begin{tabular}{@{}lrrr@{}}\n\\toprule\nsystem & R-1 & R-2 & R-L \\\\\n"
        in rendered
    )
    padding = "\\phantom{\\textsuperscript{\\dag{}}}"
    assert (
        f"new & \\textbf{{40.00}}\\rlap{{\\textsuperscript{{\\dag{{}}}}}}{padding} & "
        in rendered
    )
    assert f"old & 30.00{padding} & " in rendered
    assert (
        "dialect:\\allowbreak{}rouge155\\textbar{}\\allowbreak{}metrics:\\allowbreak{}"
        in rendered
    )
    assert 1 == rendered.count("\\begin{tabular}")


PAGE = r"""\documentclass[%s,twocolumn]{article}
\usepackage[utf8]{inputenc}\usepackage{booktabs}
\setlength{\textwidth}{455.24pt}\setlength{\columnsep}{17.08pt}
\begin{document}
\listoftables
%s
\end{document}
"""
LONG = {
    **MEANS,
    HOSTILE: (0.1, 0.1, 0.1),
    "W" * 90: (0.1, 0.1, 0.1),
    "a/long-name_of.a:system/with-many_parts/of-which.each/is-short": (0.1, 0.1, 0.1),
    "": (0.1, 0.1, 0.1),
}
WIDE = tuple(f"ROUGE-{place} {letter}" for place in range(1, 10) for letter in "RPF")


def scored(metrics: int, signature: str = SIGNATURE) -> Results:
    """Return scores of systems with long names by that many metrics."""
    average = Average(*[Estimate(0.31234, 0.21234, 0.41234)] * 3)
    results = [
        Result(system, f"ROUGE-{place}", average, [])
        for system in LONG
        for place in range(metrics)
    ]
    return Results(results, signature, {"evals": 1200})


def columns(metrics: int, letters: str = "F") -> list[tuple[str, str]]:
    """Return columns of that many metrics."""
    return [
        (f"ROUGE-{place}", letter) for place in range(metrics) for letter in letters
    ]


TABLES: Mapping[str, tuple[Comparison | Results, Layout]] = {
    "scores": (scored(3), Layout(columns(3), digits=4)),
    "scores with intervals": (
        scored(3),
        PERCENT._replace(columns=columns(3), ranks=True, intervals=True),
    ),
    "many scores": (scored(9), Layout(columns(9, "RPF"), intervals=True)),
    "plain": (comparison(MEANS, Plan("old")), PERCENT),
    "everything": (
        comparison(LONG, letters="abcD"),
        PERCENT._replace(ranks=True, intervals=True),
    ),
    "a hostile baseline": (comparison(LONG, Plan(HOSTILE)), PERCENT),
    "a long baseline": (comparison(LONG, Plan("W" * 90)), PERCENT),
    "many metrics": (
        comparison(
            {system: (*row,) * 9 for system, row in LONG.items()},
            names=WIDE,
            letters="a",
        ),
        PERCENT._replace(ranks=True),
    ),
    "hostile metrics": (
        comparison(LONG, names=(HOSTILE, "M" * 80, "ROUGE-W-1.2+Stemming F")),
        PERCENT,
    ),
    "many digits": (comparison(MEANS), Layout(digits=15, intervals=True)),
}


@pytest.mark.skipif(
    not shutil.which("pdflatex"),
    reason="pdflatex is not installed: no table is typeset",
)
@pytest.mark.parametrize(
    ("case", "size"), sampled(product(TABLES, ["10pt", "11pt"]), 5)
)
def test_every_table_is_typeset(case: str, size: str, tmp_path: Path) -> None:
    """Every table is typeset without an error, whatever its names; its width is left
    to the paper.
    """
    (tmp_path / "page.tex").write_text(
        PAGE % (size, latex.render(*TABLES[case])), "utf-8"
    )
    # The second time with the list of tables, whose captions are moving arguments
    for _ in range(2):
        run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
        ended = subprocess.run(run, cwd=tmp_path, capture_output=True, check=False)
        log = (tmp_path / "page.log").read_text("latin-1")
        assert 0 == ended.returncode, log[-2000:]


def named(name: str, signature: str = "") -> Results:
    """Return a report on one system of that name."""
    return Results(
        [Result(name, "ROUGE-1", Average(*[Estimate(0.5, None, None)] * 3), [])],
        signature,
    )


def test_markdown(report: Results) -> None:
    """A GitHub table has the best in bold, intervals in their cells, and the
    signature in a code span.
    """
    assert (SHOWN / "table.md").read_text() == markdown.render(
        report, Layout(COLUMNS, digits=2, intervals=True)
    )


def test_intervals_are_left_out_by_default(report: Results) -> None:
    """Without intervals a table of three metrics has at most 80 columns, and does
    not mention intervals.
    """
    rendered = markdown.render(
        report, Layout([*COLUMNS, ("ROUGE-2", "F")], digits=4, ranks=True)
    )
    table = [line for line in rendered.splitlines() if line.startswith("|")]

    assert max(map(len, table)) <= 80
    assert "[" not in rendered
    assert "Intervals" not in rendered


def test_markdown_of_evals(means: Results) -> None:
    """With per_eval a row is an eval, a system and a metric."""
    lines = markdown.render(
        means, Layout([("ROUGE-L", "F")], digits=2, per_eval=True)
    ).splitlines()

    assert "| eval | system | metric | R | P | F |" == lines[0]
    assert "| D2 | a\\|b | ROUGE-L | 0.06 | 0.25 | 0.10 |" == lines[5]
    assert "" == lines[6]


def test_markdown_escapes() -> None:
    """Any name is shown unchanged, and a signature with backticks is still one code
    span.
    """
    lines = markdown.render(
        named(MARKDOWN_SPECIALS, "a:`x``"), Layout([("ROUGE-1", "F")])
    ).splitlines()

    assert (
        "| " + "".join(f"\\{letter}" for letter in MARKDOWN_SPECIALS) + " | 0.50000 |"
        == lines[4]
    )
    assert "signature: ``` a:`x`` ```" == lines[-1]


def test_latex(report: Results) -> None:
    """A floating table of a column's width has the best in bold, with caption,
    signature and remarks.
    """
    assert (SHOWN / "table.tex").read_text() == latex.render(
        report, Layout(COLUMNS, digits=2)
    )


def test_latex_has_intervals_below_scores(report: Results) -> None:
    """Intervals are set small below their scores, and the caption gives their
    confidence level.
    """
    rendered = latex.render(report, Layout(COLUMNS, digits=2, intervals=True))

    assert r"0.33\\[-3pt]{\scriptsize [0.17, 0.33]}" in rendered
    assert r"best in bold. Intervals: 95\% confidence.}" in rendered


def test_latex_of_evals(means: Results) -> None:
    """With per_eval three columns are names, and three are numbers."""
    lines = latex.render(
        means, Layout([("ROUGE-L", "F")], digits=2, per_eval=True)
    ).splitlines()

    assert "\\begin{tabular}{lllrrr}" == lines[1]
    assert "D1 & lead\\_3 & ROUGE-L & 0.50 & 0.67 & 0.57 \\\\" == lines[5]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (LATEX_SPECIALS[:7], r"\textbackslash{}\&\%\$\#\_\{"),
        (
            LATEX_SPECIALS[7:12],
            r"\}\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}",
        ),
        (
            LATEX_SPECIALS[12:],
            r"\textbar{}\symbol{34}{[}{]}{*}-{}-{}-\textbackslash{}n",
        ),
    ],
)
def test_latex_escapes(name: str, shown: str) -> None:
    """All special characters of a name are escaped, and no row is read as an
    optional argument.
    """
    lines = latex.render(
        named(name, "a:%_\nb"), Layout([("ROUGE-1", "F")])
    ).splitlines()

    assert "signature: \\texttt{a:\\allowbreak{}\\%\\_\\textbackslash{}nb}" in lines[-2]
    assert f"{shown} & 0.50000 \\\\" == lines[8]
