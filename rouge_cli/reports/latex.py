r"""A booktabs tabular to paste into a paper: best scores in bold, intervals small beside them.

It needs `\usepackage{booktabs}`. The signature comes first, as a comment; a footnote that says how the
scores were made comes last, as a comment too, so that the file can be `\input` as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.reports._table import notes, table, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Report
    from rouge_cli.reports import Layout
    from rouge_cli.reports._table import Cell

# Brackets and stars at the start of a row would be read as arguments of the \\ before it; dashes would be
# joined, and quotes are commands to some languages.
_SPECIALS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\symbol{34}",
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
        **{special: f"\\{special}" for special in "#$%&_{}"},
    }
)


def render(report: Report, layout: Layout) -> str:
    """The report as a tabular between two comments."""
    content = table(report, layout)
    heads = [*content.names, *content.numbers]
    return "".join(
        f"{line}\n"
        for line in [
            *([f"% signature: {visible(report.signature)}"] if report.signature else ()),
            rf"\begin{{tabular}}{{{'l' * len(content.names)}{'r' * len(content.numbers)}}}",
            r"\toprule",
            _line([_escaped(head) for head in heads]),
            r"\midrule",
            *(_line([*map(_escaped, row.names), *map(_cell, row.cells)]) for row in content.rows),
            r"\bottomrule",
            r"\end{tabular}",
            f"% {_footnote(report, layout)}",
        ]
    )


def _line(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _cell(cell: Cell) -> str:
    value = rf"\textbf{{{cell.value}}}" if cell.best else cell.value
    return rf"{value} {{\scriptsize {cell.interval}}}" if cell.interval else value


def _footnote(report: Report, layout: Layout) -> str:
    said = ["ROUGE scores by rouge-cli", *map(_escaped, notes(report, layout))]
    if report.signature:
        said.append(rf"signature: \texttt{{{_escaped(visible(report.signature))}}}")
    return rf"\footnote{{{'; '.join(said)}.}}"


def _escaped(text: str) -> str:
    """The text without any meaning to LaTeX."""
    return text.translate(_SPECIALS).replace("--", "-{}-").replace("--", "-{}-")
