r"""A booktabs tabular to paste into a paper: best scores in bold, intervals small beside them.

It needs `\usepackage{booktabs}`. The signature comes first, as a comment, in the form that `--like`
takes. Results with a table for papers become a floating table with its caption, which fits ACL's column.
For others, a footnote on how the scores were made comes last, as a comment too, so that the file can be
`\input` as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.reports import kind_of, paper
from rouge_cli.reports._latex import bold, escape, floating, line, number
from rouge_cli.results._tables import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rouge_cli.reports import Layout, Reportable
    from rouge_cli.results._tables import Cell, Table

NEEDS = "tables"
PREFERS = "paper"
SUFFIX = "tex"


def render(result: Reportable, layout: Layout) -> str:
    """Return the report as tabulars between two comments, or as the single table of other results."""
    kind = kind_of(result)
    signed = f"% signature: {visible(result.signature)}\n" if result.signature else ""
    if content := paper(result, layout):
        lines = floating(content, result.signature)
        remark = [f"% {visible(content.remark)}"] if content.remark else []
        return signed + "".join(f"{row}\n" for row in (r"% needs \usepackage{booktabs}", *lines, *remark))
    tables = "\n".join(_table(content) for content in kind.tables(result, layout))
    return f"{signed}{tables}% {_footnote(result.signature, kind.notes(result, layout))}\n"


def _table(content: Table) -> str:
    heads = [*content.names, *content.numbers]
    return "".join(
        f"{row}\n"
        for row in [
            *([f"% {visible(content.caption)}"] if content.caption else []),
            rf"\begin{{tabular}}{{{'l' * len(content.names)}{'r' * len(content.numbers)}}}",
            r"\toprule",
            line([escape(head) for head in heads]),
            r"\midrule",
            *(line([*map(escape, entry.names), *map(_cell, entry.cells)]) for entry in content.rows),
            r"\bottomrule",
            r"\end{tabular}",
            *([f"% {visible(content.remark)}"] if content.remark else []),
        ]
    )


def _cell(cell: Cell) -> str:
    return rf"{bold(cell)} {{\scriptsize {number(cell.interval)}}}" if cell.interval else bold(cell)


def _footnote(signature: str, notes: Iterable[str]) -> str:
    sentences = ["ROUGE scores by rouge-cli", *(escape(visible(note)) for note in notes)]
    if signature:
        sentences.append(rf"signature: \texttt{{{escape(visible(signature))}}}")
    return rf"\footnote{{{'; '.join(sentences)}.}}"
