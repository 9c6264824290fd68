"""Tables for papers and issues: markdown and latex."""

import pytest

from rouge_cli.core import Average, Estimate, Result
from rouge_cli.reports import Layout, latex, markdown
from rouge_cli.results.scores import Results

COLUMNS = [("ROUGE-2", "R"), ("ROUGE-L", "F")]
MARKDOWN_SPECIALS = "|`*_[<\\&~"
LATEX_SPECIALS = '\\&%$#_{}~^<>|"[]*---\n'


def named(name: str, signature: str = "") -> Results:
    """Return a report on one system of that name."""
    return Results([Result(name, "ROUGE-1", Average(*[Estimate(0.5, None, None)] * 3), [])], signature)


def test_markdown(report: Results) -> None:
    """A GitHub table has the best in bold, intervals in their cells, and the signature in a code span."""
    assert (
        "ROUGE, averages over 2 evals; best in bold. Intervals: 95% confidence.\n"
        "\n"
        "| system | R-2 R | R-L F |\n"
        "| --- | ---: | ---: |\n"
        "| lead\\_3 | 0.33 [0.17, 0.33] | **0.25** [0.12, 0.25] |\n"
        "| a\\|b | **0.50** [0.25, 0.50] | **0.25** [0.12, 0.25] |\n"
        "\n"
        "sentences per text: 2.5 in predictions, 3.5 in references\n"
        "\n"
        "signature: `dialect:rouge155|evals:2`\n"
    ) == markdown.render(report, Layout(COLUMNS, digits=2, intervals=True))


def test_intervals_are_left_out_by_default(report: Results) -> None:
    """Without intervals a table of three metrics has at most 80 columns, and does not mention intervals."""
    rendered = markdown.render(report, Layout([*COLUMNS, ("ROUGE-2", "F")], digits=4, ranks=True))
    table = [line for line in rendered.splitlines() if line.startswith("|")]

    assert max(map(len, table)) <= 80
    assert "[" not in rendered
    assert "Intervals" not in rendered


def test_markdown_of_evals(means: Results) -> None:
    """With per_eval a row is an eval, a system and a metric."""
    lines = markdown.render(means, Layout([("ROUGE-L", "F")], digits=2, per_eval=True)).splitlines()

    assert "| eval | system | metric | R | P | F |" == lines[0]
    assert "| D2 | a\\|b | ROUGE-L | 0.06 | 0.25 | 0.10 |" == lines[5]
    assert "" == lines[6]


def test_markdown_escapes() -> None:
    """Any name is shown unchanged, and a signature with backticks is still one code span."""
    lines = markdown.render(named(MARKDOWN_SPECIALS, "a:`x``"), Layout([("ROUGE-1", "F")])).splitlines()

    assert "| " + "".join(f"\\{letter}" for letter in MARKDOWN_SPECIALS) + " | 0.50000 |" == lines[4]
    assert "signature: ``` a:`x`` ```" == lines[-1]


def test_latex(report: Results) -> None:
    """A floating table of a column's width has the best in bold, with caption, signature and remarks."""
    assert (
        "% signature: dialect:rouge155|evals:2\n"
        "% needs \\usepackage{booktabs}\n"
        "\\begin{table}[t]\n"
        "\\centering\\small\\setlength{\\tabcolsep}{3pt}\n"
        "\\begin{tabular}{@{}lrr@{}}\n"
        "\\toprule\n"
        "system & R-2 R & R-L F \\\\\n"
        "\\midrule\n"
        "lead\\_3 & 0.33 & \\textbf{0.25} \\\\\n"
        "a\\textbar{}b & \\textbf{0.50} & \\textbf{0.25} \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\caption{ROUGE, averages over 2 evals; best in bold.}\n"
        "\\label{tab:rouge}\n"
        "\\vspace{3pt}\n"
        "{\\scriptsize\\raggedright signature: \\texttt{dialect:\\allowbreak{}rouge155\\textbar{}"
        "\\allowbreak{}evals:\\allowbreak{}2}\\par}\n"
        "\\end{table}\n"
        "% sentences per text: 2.5 in predictions, 3.5 in references\n"
    ) == latex.render(report, Layout(COLUMNS, digits=2))


def test_latex_has_intervals_below_scores(report: Results) -> None:
    """Intervals are set small below their scores, and the caption gives their confidence level."""
    rendered = latex.render(report, Layout(COLUMNS, digits=2, intervals=True))

    assert r"0.33\\[-3pt]{\scriptsize [0.17, 0.33]}" in rendered
    assert r"best in bold. Intervals: 95\% confidence.}" in rendered


def test_latex_of_evals(means: Results) -> None:
    """With per_eval three columns are names, and three are numbers."""
    lines = latex.render(means, Layout([("ROUGE-L", "F")], digits=2, per_eval=True)).splitlines()

    assert "\\begin{tabular}{lllrrr}" == lines[1]
    assert "D1 & lead\\_3 & ROUGE-L & 0.50 & 0.67 & 0.57 \\\\" == lines[5]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (LATEX_SPECIALS[:7], r"\textbackslash{}\&\%\$\#\_\{"),
        (LATEX_SPECIALS[7:12], r"\}\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}"),
        (LATEX_SPECIALS[12:], r"\textbar{}\symbol{34}{[}{]}{*}-{}-{}-\textbackslash{}n"),
    ],
)
def test_latex_escapes(name: str, shown: str) -> None:
    """All special characters of a name are escaped, and no row is read as an optional argument."""
    lines = latex.render(named(name, "a:%_\nb"), Layout([("ROUGE-1", "F")])).splitlines()

    assert "signature: \\texttt{a:\\allowbreak{}\\%\\_\\textbackslash{}nb}" in lines[-2]
    assert f"{shown} & 0.50000 \\\\" == lines[8]
