"""Output of results in Python programs and notebooks, in any report format."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import UsageError
from rouge_cli.options import in_range, percent, resolve, whole
from rouge_cli.results._tables import NOTHING

if TYPE_CHECKING:
    from rouge_cli.reports import Layout
    from rouge_cli.results._tables import Cell, Table

SHOWN = 20  # rows of a table in a notebook, entries of a long list
_PREFIX = "to_"


def reports_of() -> Any:  # noqa: ANN401 - a module
    """Return the registry of formats; it lies above results, which it finds by name in the same way."""
    return import_module("rouge_cli.reports")


class Presentable:
    """A result with a method for each format that renders it: `to_text`, `to_json`, `to_latex`, ...

    They return a string, and take fields of `reports.Layout` as keywords: `to_latex(digits=2, scale=100)`.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Callable[..., str]:
        """Return the method of a format."""
        form = name.removeprefix(_PREFIX)
        if form == name or form not in self._formats():
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            )

        def render(**layout: Any) -> str:  # noqa: ANN401 - the fields of Layout
            text: str = reports_of().render(self, form, self._layout(form, **layout))
            return text

        render.__name__, render.__doc__ = name, f"Return the report in the format {form}."
        return render

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(f"{_PREFIX}{form}" for form in self._formats())]

    def __repr__(self) -> str:
        record: Any = self  # a named tuple as well
        brief = ", ".join(f"{name}={_brief(value)}" for name, value in record._asdict().items())
        return f"{type(self).__name__}({brief})"

    def _repr_html_(self) -> str:
        """Return tables for notebooks, of the first rows only."""
        layout = self._layout(most=SHOWN)
        tables = reports_of().kind_of(self).tables(self, layout)
        return "".join(_html(content, layout) for content in tables)

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas is not ours to require
        """Return the rows of csv as a DataFrame; needs pandas.

        Empty cells are missing values; counts are integers if all of a column are whole.
        """
        import pandas as pd

        head, *rows = reports_of().kind_of(self).rows(self, self._layout())
        cells = [[None if cell == "" else cell for cell in row] for row in rows]
        frame = pd.DataFrame(cells, columns=list(head), dtype=object)
        for name in frame:
            filled = frame[name].dropna()
            is_whole = len(filled) and all(type(value) is int for value in filled)
            if is_whole and len(filled) < len(frame):
                frame[name] = frame[name].astype("Int64")  # which has missing values
        return frame.infer_objects()

    def _layout(self, form: str = "", **fields: Any) -> Layout:  # noqa: ANN401 - of Layout
        """Return the default layout of the result in a format, with these fields replaced.

        Raises UsageError for a value that a field cannot have.
        """
        scale = fields.get("scale")
        if "scale" in fields and whole("scale", scale, 1, 100) not in (1, 100):
            raise UsageError(f"scale is {scale}", remedy="use 1 or 100")
        named_form = "" if fields.get("per_eval") else form
        default = reports_of().numbers(named_form, reports_of().kind_name(self), scale)
        layout: Layout = reports_of().Layout(**{**default._asdict(), **fields})
        named = {"confidence": layout.confidence}
        confidence = percent(in_range(resolve("", {"confidence": 95.0}, named), "confidence", 0, 100))
        return layout._replace(
            digits=whole("digits", layout.digits, 0, reports_of().MOST_DIGITS),
            width=whole("width", layout.width, 1),
            most=None if layout.most is None else whole("most", layout.most, 0),
            scale=default.scale,
            confidence=f"{confidence:.15g}",
        )

    def _formats(self) -> list[str]:
        reports = reports_of()
        names = set(reports.names()).intersection(reports.names_for(reports.kind_name(self)))
        return sorted(names)


def _brief(value: object) -> str:
    """Return a value as it is shown on a screen: containers by their size."""
    if isinstance(value, str) or not isinstance(value, Mapping | Sequence):
        return reprlib.repr(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return f"{type(value).__name__}({', '.join(map(reprlib.repr, value))})"
    return f"<{len(value)} item{'' if len(value) == 1 else 's'}>"


def _html(content: Table, layout: Layout) -> str:
    shown = content.rows[: layout.most]
    rows = "".join(f"<tr>{_ths(row.names)}{''.join(map(_td, row.cells))}</tr>\n" for row in shown)
    more = len(content.rows) - len(shown)
    remarks = [content.remark, f"... and {more} more" if more else ""]
    heads = _ths([*content.names, *content.numbers])
    caption = f"<caption>{_escape(content.caption)}</caption>\n" if content.caption else ""
    below = "".join(f"<p>{_escape(remark)}</p>\n" for remark in remarks if remark)
    return f"<table>\n{caption}<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n{below}"


def _ths(names: Sequence[str]) -> str:
    return "".join(f"<th>{_escape(name)}</th>" for name in names)


def _escape(text: str) -> str:
    """Return the text without any meaning to HTML."""
    from html import escape  # costs start-up time

    return escape(text)


def _td(cell: Cell) -> str:
    value = _escape(cell.value or NOTHING)
    value = f"<b>{value}</b>" if cell.best else value
    return f"<td>{value}{f' <small>{_escape(cell.interval)}</small>' if cell.interval else ''}</td>"
