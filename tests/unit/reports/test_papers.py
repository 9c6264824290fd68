"""Tables for papers and issues: markdown and latex."""

from __future__ import annotations

from rouge_cli.core import Average, Estimate, Report, Result
from rouge_cli.reports import Layout, latex, markdown

COLUMNS = [("ROUGE-2", "R"), ("ROUGE-L", "F")]
MARKDOWN_SPECIALS = "|`*_[<\\&~"
LATEX_SPECIALS = '\\&%$#_{}~^<>|"[]*---\n'


def named(name: str, signature: str = "") -> Report:
    """A report on one system of that name."""
    return Report([Result(name, "ROUGE-1", Average(*[Estimate(0.5, None, None)] * 3), [])], signature)


def test_markdown(report: Report) -> None:
    """A GitHub table, the best in bold, intervals in their cells, the signature in a code span."""
    assert (
        "| system | ROUGE-2 R | ROUGE-L F |\n"
        "| --- | ---: | ---: |\n"
        "| lead\\_3 | 0.33 [0.17, 0.33] | **0.25** [0.12, 0.25] |\n"
        "| a\\|b | **0.50** [0.25, 0.50] | **0.25** [0.12, 0.25] |\n"
        "\n"
        "evals: 2; sentences per text: 2.5 in peers, 3.5 in models; intervals: 95% confidence\n"
        "\n"
        "signature: `dialect:rouge155|evals:2`\n"
    ) == markdown.render(report, Layout(COLUMNS, digits=2))


def test_markdown_of_evals(means: Report) -> None:
    """With per_eval a row is an eval, a system and a metric."""
    lines = markdown.render(means, Layout([("ROUGE-L", "F")], digits=2, per_eval=True)).splitlines()

    assert "| eval | system | metric | R | P | F |" == lines[0]
    assert "| D2 | a\\|b | ROUGE-L | 0.06 | 0.25 | 0.10 |" == lines[5]
    assert "" == lines[6]


def test_markdown_escapes() -> None:
    """Whatever a name holds is shown as it is, and a signature with backticks is still one code span."""
    lines = markdown.render(named(MARKDOWN_SPECIALS, "a:`x``"), Layout([("ROUGE-1", "F")])).splitlines()

    assert "| " + "".join(f"\\{letter}" for letter in MARKDOWN_SPECIALS) + " | 0.50000 |" == lines[2]
    assert "signature: ``` a:`x`` ```" == lines[-1]


def test_latex(report: Report) -> None:
    """A booktabs tabular, the best in bold, small intervals, between signature and footnote."""
    assert (
        "% signature: dialect:rouge155|evals:2\n"
        "\\begin{tabular}{lrr}\n"
        "\\toprule\n"
        "system & ROUGE-2 R & ROUGE-L F \\\\\n"
        "\\midrule\n"
        "lead\\_3 & 0.33 {\\scriptsize [0.17, 0.33]} & \\textbf{0.25} {\\scriptsize [0.12, 0.25]} \\\\\n"
        "a\\textbar{}b & \\textbf{0.50} {\\scriptsize [0.25, 0.50]} & "
        "\\textbf{0.25} {\\scriptsize [0.12, 0.25]} \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "% \\footnote{ROUGE scores by rouge-cli; evals: 2; "
        "sentences per text: 2.5 in peers, 3.5 in models; "
        "intervals: 95\\% confidence; signature: \\texttt{dialect:rouge155\\textbar{}evals:2}.}\n"
    ) == latex.render(report, Layout(COLUMNS, digits=2))


def test_latex_of_evals(means: Report) -> None:
    """With per_eval three columns are names, and three are numbers."""
    lines = latex.render(means, Layout([("ROUGE-L", "F")], digits=2, per_eval=True)).splitlines()

    assert "\\begin{tabular}{lllrrr}" == lines[1]
    assert "D1 & lead\\_3 & ROUGE-L & 0.50 & 0.67 & 0.57 \\\\" == lines[5]


def test_latex_escapes() -> None:
    """No letter of a name has a meaning to LaTeX, and a row cannot begin with an argument of the last."""
    lines = latex.render(named(LATEX_SPECIALS, "a:%_\nb"), Layout([("ROUGE-1", "F")])).splitlines()

    assert "% signature: a:%_\\nb" == lines[0]
    assert (
        "\\textbackslash{}\\&\\%\\$\\#\\_\\{\\}\\textasciitilde{}\\textasciicircum{}\\textless{}\\textgreater{}"
        "\\textbar{}\\symbol{34}{[}{]}{*}-{}-{}-\\textbackslash{}n & 0.50000 \\\\"
    ) == lines[5]
