"""Text escaped for LaTeX, and a table that fits a column of a paper, whatever its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rouge_cli.results._tables import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.results._tables import Cell, Table

# Brackets and stars at the start of a row would be read as arguments of the \\ before it; dashes and
# backquotes would be joined, and quotes are commands to some languages.
_SPECIALS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\symbol{34}",
        "`": r"\textasciigrave{}",
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
        "\N{DAGGER}": r"\dag{}",
        "\N{DOUBLE DAGGER}": r"\ddag{}",
        "\N{MULTIPLICATION SIGN}": r"$\times$",
        **{special: f"\\{special}" for special in "#$%&_{}"},
    }
)
_MINUS = re.compile(r"(?<!\w)-(?=\d)")

# In points: ACL's column and page, \small and \scriptsize of its 11 points, the space between two
# columns, the widest head of a column of numbers, and the minimum for names.
_COLUMN, _PAGE, _SMALL, _TINY, _GAP, _HEAD, _LEAST = 219.08, 455.24, 10, 8, 6, 60, 56
_OVER = r"\begin{tabular}[t]{@{}r@{}}%s\\[-3pt]{\scriptsize %s}\end{tabular}"
# Letters and their widths, in ems of Computer Modern in bold; those of Times are narrower.
_SHARES = {
    **dict.fromkeys("mwMW%@&", 1.05),
    **dict.fromkeys(".,:;[]' ", 0.32),
    **dict.fromkeys("0123456789\N{DAGGER}\N{DOUBLE DAGGER}", 0.58),
}


def escape(text: str) -> str:
    """Escape the text for LaTeX."""
    return text.translate(_SPECIALS).replace("--", "-{}-").replace("--", "-{}-")


def number(text: str) -> str:
    """Return a number, or an interval, with its minus signs."""
    return _MINUS.sub("$-$", text)


def bold(cell: Cell) -> str:
    """Return a cell's value, in bold if it is the best."""
    value = number(escape(cell.value))
    return rf"\textbf{{{value}}}" if cell.best else value


def line(cells: Sequence[str]) -> str:
    """Return a row of a tabular."""
    return rf"{' & '.join(cells)} \\"


def breakable(text: str, width: float, after: str = " ") -> str:
    """Return the text escaped, with possible line breaks, and no piece wider than `width`.

    Lines break after these letters; within a piece that is too wide, if necessary.
    """
    pieces = re.findall(rf"[^{re.escape(after)}]+[{re.escape(after)}]?|.", text)
    parts = [
        escape(piece) if _width(piece) < width else r"\penalty500{}".join(map(escape, piece))
        for piece in pieces
    ]
    joined = r"\allowbreak{}".join(parts)
    return joined.replace(r" \allowbreak{}", " ")


def floating(content: Table, signature: str) -> Iterator[str]:
    r"""Yield the lines of a table for ACL's column, or for its page if the columns need that.

    Long names are folded, intervals are below their scores. Columns that do not even fit on a page
    follow in a separate tabular.
    """
    *others, names = (
        max(map(_width, (head, *(row.names[place] for row in content.rows))))
        for place, head in enumerate(content.names)
    )
    widths = [
        _number_width(head, [row.cells[place] for row in content.rows])
        for place, head in enumerate(content.numbers)
    ]
    least = sum(others) + _GAP * len(others) + min(names, _LEAST)
    total = _COLUMN if least + sum(widths) + _GAP * len(widths) <= _COLUMN else _PAGE
    environment = "table" if total == _COLUMN else "table*"
    yield rf"\begin{{{environment}}}[t]"
    yield r"\centering\small\setlength{\tabcolsep}{3pt}"
    for start, end in _panels(widths, total - least):
        room = total - least + min(names, _LEAST) - sum(widths[start:end]) - _GAP * (end - start)
        yield from [r"\par\medskip"] if start else []
        yield from _tabular(content, slice(start, end), room)
    yield rf"\caption{{{breakable(visible(content.caption), 100)}}}"
    yield r"\label{tab:rouge}"
    if signature:
        yield r"\vspace{3pt}"
        breaking = breakable(visible(signature), 100, after="|:+,/ ")
        yield rf"{{\scriptsize\raggedright signature: \texttt{{{breaking}}}\par}}"
    yield rf"\end{{{environment}}}"


def _panels(widths: Sequence[float], room: float) -> Iterator[tuple[int, int]]:
    """Yield the columns that fit beside each other, as slices; each has at least one."""
    start, used = 0, 0.0
    for place, width in enumerate(widths):
        used += width + _GAP
        if used > room and place > start:
            yield start, place
            start, used = place, width + _GAP
    yield start, len(widths)


def _tabular(content: Table, chosen: slice, room: float) -> Iterator[str]:
    """Yield the lines of a tabular of the chosen columns of numbers. room: for the last name."""
    numbers = content.numbers[chosen]
    yield rf"\begin{{tabular}}{{@{{}}{'l' * len(content.names)}{'r' * len(numbers)}@{{}}}}"
    yield r"\toprule"
    heads = [_fold(head, _HEAD, r"\parbox[t]{%gpt}{\raggedleft %s\strut}") for head in numbers]
    yield line([*map(escape, content.names), *heads])
    yield r"\midrule"
    marks = [
        max((_mark_width(row.cells[place]) for row in content.rows), default=0)
        for place in range(*chosen.indices(len(content.numbers)))
    ]
    for row in content.rows:
        *others, name = row.names
        cells = row.cells[chosen]
        fitted = _fold(name, room, r"\parbox[t]{%gpt}{\raggedright\hangindent=1em %s\strut}")
        yield line([*map(escape, others), fitted, *map(_mark, cells, marks)])
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _mark(cell: Cell, width: float) -> str:
    """Return the value with its mark in a box as wide as the column needs, so that numbers align."""
    mark = rf"\textsuperscript{{{escape(cell.mark)}}}" if cell.mark else ""
    value = bold(cell) + (rf"\makebox[{width:.1f}pt][l]{{{mark}}}" if width else "")
    return _OVER % (value, number(cell.interval)) if cell.interval else value


def _fold(text: str, room: float, box: str) -> str:
    """Return the text, in lines of that width if it is wider."""
    if _width(text) <= room:
        return escape(text)
    return box % (int(room), breakable(text, int(room), after="-_./:+| "))


def _number_width(head: str, cells: Sequence[Cell]) -> float:
    values = max((_width(cell.value) for cell in cells), default=0)
    marks = max(map(_mark_width, cells), default=0)
    intervals = max((_width(cell.interval, _TINY) for cell in cells), default=0)
    return max(min(_width(head), _HEAD), values + marks, intervals)


def _mark_width(cell: Cell) -> float:
    return _width(cell.mark, _TINY)


def _width(text: str, size: float = _SMALL) -> float:
    """Return the approximate width of a text in points, rather too large."""
    return size * sum(
        _SHARES.get(letter) or (0.64 if letter.islower() else 0.87 if letter.isascii() else 1.05)
        for letter in text
    )
