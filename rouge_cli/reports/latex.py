r"""A booktabs tabular to paste into a paper: best scores in bold, intervals small beside them.

It needs `\usepackage{booktabs}`. The signature comes first, as a comment; a footnote that says how the
scores were made comes last, as a comment too, so that the file can be `\input` as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rouge_cli.reports import kind_of
from rouge_cli.results._tables import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rouge_cli.reports import Layout, Reportable
    from rouge_cli.results._tables import Cell, Table

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


NEEDS = "tables"
SUFFIX = "tex"
_MINUS = re.compile(r"(?<!\w)-(?=\d)")


def render(result: Reportable, layout: Layout) -> str:
    """The report as tabulars between two comments."""
    kind = kind_of(result)
    signed = f"% signature: {visible(result.signature)}\n" if result.signature else ""
    tables = "\n".join(_table(content) for content in kind.tables(result, layout))
    return f"{signed}{tables}% {_footnote(result.signature, kind.notes(result, layout))}\n"


def _table(content: Table) -> str:
    heads = [*content.names, *content.numbers]
    return "".join(
        f"{line}\n"
        for line in [
            *([f"% {visible(content.caption)}"] if content.caption else []),
            rf"\begin{{tabular}}{{{'l' * len(content.names)}{'r' * len(content.numbers)}}}",
            r"\toprule",
            _line([_escaped(head) for head in heads]),
            r"\midrule",
            *(_line([*map(_escaped, row.names), *map(_cell, row.cells)]) for row in content.rows),
            r"\bottomrule",
            r"\end{tabular}",
            *([f"% {visible(content.remark)}"] if content.remark else []),
        ]
    )


def _line(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _cell(cell: Cell) -> str:
    value = _MINUS.sub("$-$", _escaped(cell.value))
    value = rf"\textbf{{{value}}}" if cell.best else value
    return rf"{value} {{\scriptsize {_MINUS.sub('$-$', cell.interval)}}}" if cell.interval else value


def _footnote(signature: str, notes: Iterable[str]) -> str:
    sentences = ["ROUGE scores by rouge-cli", *(_escaped(visible(note)) for note in notes)]
    if signature:
        sentences.append(rf"signature: \texttt{{{_escaped(visible(signature))}}}")
    return rf"\footnote{{{'; '.join(sentences)}.}}"


def _escaped(text: str) -> str:
    """The text without any meaning to LaTeX."""
    return text.translate(_SPECIALS).replace("--", "-{}-").replace("--", "-{}-")
