r"""A booktabs tabular to paste into a paper: best scores in bold, small intervals
beside them.

It needs `\usepackage{booktabs}`. The first line is a comment with the signature, as
`--like` takes it. Results with a table for papers become a floating table with a
caption, the short signature, and intervals below the scores. Explanations have their
texts first, with marked words. For other results, the
last line is a comment with a footnote on how the scores were made, so that the file can
be `\input` as it is. Columns are as wide as their content; wide tables are not fitted
to the page.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from rouge_cli.results.base import Layout, Presentable
from rouge_cli.results.printed import Cell, Piece, Table, visible

NEEDS = "tables"
PREFERS = "paper"
SUFFIX = "tex"
_NAMES = {"\\": "backslash", "~": "asciitilde", "^": "asciicircum", "`": "asciigrave"}
_NAMES |= {"<": "less", ">": "greater", "|": "bar"}
# Brackets and stars at the start of a row would be arguments of the \\ before it.
# Dashes and backquotes would be joined. Quotes are commands in some languages of babel.
_ESCAPES = {
    '"': r"\symbol{34}",
    "\N{DAGGER}": r"\dag{}",
    "\N{DOUBLE DAGGER}": r"\ddag{}",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
}
for _special, _name in _NAMES.items():
    _ESCAPES[_special] = rf"\text{_name}{{}}"
for _special in "[]*":
    _ESCAPES[_special] = f"{{{_special}}}"
for _special in "#$%&_{}":
    _ESCAPES[_special] = f"\\{_special}"
_SPECIALS = str.maketrans(_ESCAPES)
# Mark of a word in a text -> its look
_MARKS = {"counted": r"\textbf", "clipped": r"\underline", "dropped": r"\textit"}
_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_LONGEST = 20  # letters of a word; longer words may be broken


def render(result: Presentable, layout: Layout) -> str:
    """Return the report: the single table for papers if there is one, else tabulars
    between comments.
    """
    signature = result.stated_signature(layout)
    signed = f"% signature: {visible(signature)}\n" if signature else ""
    paper = result.paper(layout) if hasattr(result, PREFERS) else None
    if paper:
        table = _float(paper, result.stated_signature(layout, "short"))
        lines = [r"% needs \usepackage{booktabs}", *table, *_remark(paper)]
        return signed + _joined(lines)
    tables = []
    if hasattr(result, "marked_texts"):
        tables.append(_joined(_marked_texts(result)))
    tables += [_joined(_table(content)) for content in result.tables(layout)]
    notes = ["ROUGE scores by rouge-cli"]
    for note in result.notes(layout):
        notes.append(_escape(visible(note)))
    if signature:
        notes.append(rf"signature: \texttt{{{_escape(visible(signature))}}}")
    footnote = rf"% \footnote{{{'; '.join(notes)}.}}"
    return signed + "\n".join(tables) + footnote + "\n"


def _joined(lines: Iterable[str]) -> str:
    """Return the lines with their ends."""
    return "".join(f"{line}\n" for line in lines)


def _table(content: Table) -> Iterator[str]:
    """Yield a tabular with intervals beside the scores; its caption and its remark
    are comments.
    """
    if content.caption:
        yield f"% {visible(content.caption)}"
    rows = [list(map(_beside, row.cells)) for row in content.rows]
    yield from _tabular(
        content, rows, "l" * len(content.names) + "r" * len(content.numbers)
    )
    yield from _remark(content)


def _marked_texts(result: Presentable) -> Iterator[str]:
    """Yield the texts of an explanation, whose words are marked by commands that a
    document may define otherwise.
    """
    for mark, look in _MARKS.items():
        yield rf"\providecommand{{\rouge{mark}}}[1]{{{look}{{#1}}}}"
    for label, texts in result.marked_texts():
        yield ""
        yield rf"\noindent\textbf{{{_escape(label)}}}"
        yield r"\begin{description}"
        for name, lines in texts:
            yield rf"\item[{{{_escape(name)}}}]"
            sentences = ["".join(map(_marked, line)) for line in lines]
            yield "\\\\\n".join(sentences)
        yield r"\end{description}"


def _marked(piece: Piece) -> str:
    """Return a piece of a text, in the command of its mark."""
    text = _escape(visible(piece.text)) if piece.text else ""
    return rf"\rouge{piece.mark}{{{text}}}" if piece.mark else text


def _float(content: Table, signature: str) -> Iterator[str]:
    """Yield a floating table with caption and short signature, intervals below their
    scores.
    """
    yield r"\begin{table}[t]"
    yield r"\centering\small\setlength{\tabcolsep}{3pt}"
    marks = []  # the longest of each column
    for index in range(len(content.numbers)):
        of_column = [row.cells[index].mark for row in content.rows]
        marks.append(max(of_column, key=len, default=""))
    rows = [list(map(_below, row.cells, marks)) for row in content.rows]
    yield from _tabular(
        content,
        rows,
        f"@{{}}{'l' * len(content.names)}{'r' * len(content.numbers)}@{{}}",
    )
    yield rf"\caption{{{_breakable(visible(content.caption))}}}"
    yield r"\label{tab:rouge}"
    if signature:
        breaking = _breakable(visible(signature), after="|:+,/ ")
        yield r"\vspace{3pt}"
        yield rf"{{\scriptsize\raggedright signature: \texttt{{{breaking}}}\par}}"
    yield r"\end{table}"


def _remark(content: Table) -> list[str]:
    return [f"% {visible(content.remark)}"] if content.remark else []


def _tabular(
    content: Table, rows: Sequence[Sequence[str]], columns: str
) -> Iterator[str]:
    """Yield a tabular of cells that are already in LaTeX."""
    yield rf"\begin{{tabular}}{{{columns}}}"
    yield r"\toprule"
    yield _line(map(_escape, [*content.names, *content.numbers]))
    yield r"\midrule"
    for row, numbers in zip(content.rows, rows, strict=True):
        yield _line([*map(_escape, row.names), *numbers])
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _line(cells: Iterable[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _beside(cell: Cell) -> str:
    return (
        rf"{_value(cell)} {{\scriptsize {_minus(cell.interval)}}}"
        if cell.interval
        else _value(cell)
    )


def _below(cell: Cell, longest: str) -> str:
    """Return the value with its mark, and the interval below.

    Space for the longest mark of the column keeps the numbers aligned.
    """
    value = _value(cell)
    if cell.mark:
        value += rf"\rlap{{\textsuperscript{{{_escape(cell.mark)}}}}}"
    if longest:
        value += rf"\phantom{{\textsuperscript{{{_escape(longest)}}}}}"
    if not cell.interval:
        return value
    interval = _minus(cell.interval)
    return (
        rf"\begin{{tabular}}[t]{{@{{}}r@{{}}}}{value}\\[-3pt]{{\scriptsize"
        rf" {interval}}}\end{{tabular}}"
    )


def _value(cell: Cell) -> str:
    """Return the value, in bold if it is the best."""
    value = _minus(_escape(cell.value))
    return rf"\textbf{{{value}}}" if cell.best else value


def _minus(text: str) -> str:
    """Replace hyphens before digits by minus signs."""
    return _MINUS.sub("$-$", text)


def _escape(text: str) -> str:
    """Escape the text for LaTeX."""
    return text.translate(_SPECIALS).replace("--", "-{}-").replace("--", "-{}-")


def _breakable(text: str, after: str = " ") -> str:
    """Escape the text, and allow line breaks after the letters in `after` and inside
    long words.
    """
    parts = []
    for piece in re.findall(rf"[^{re.escape(after)}]+[{re.escape(after)}]?|.", text):
        if len(piece) <= _LONGEST:
            parts.append(_escape(piece))
        else:
            parts.append(r"\penalty500{}".join(map(_escape, piece)))
    return r"\allowbreak{}".join(parts).replace(r" \allowbreak{}", " ")
