"""What all results share: their output in any report format, and tables for people.

Tables hold plain text; each format escapes and aligns it.
"""

from __future__ import annotations

import json
import reprlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from rouge_cli import plugins, signature
from rouge_cli.core import Estimate
from rouge_cli.errors import RougeError, UsageError, require
from rouge_cli.io import browser
from rouge_cli.options import brief, in_range, percent, resolve, whole
from rouge_cli.results import MOST_DIGITS, SIGNATURES, printed
from rouge_cli.results import Layout as Layout  # noqa: PLC0414 - exported

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.figure import Figure
    from typing_extensions import Self, Unpack

    from rouge_cli.results import LayoutFields as LayoutFields  # noqa: PLC0414 - exported

MarkedText = tuple[str, Sequence[Sequence[printed.Piece]]]  # its name, and its lines
Record = dict[str, Any]  # an object of JSON
WHAT_EVALS_ARE = "topics or documents"  # in captions
SHOWN = 20  # entries of a long list in tables, rows of a table in a notebook
_OFFERED = ("plot", "short_signature", "show", "to")  # beside fields and `to_`


class Presentable:
    """The base class of results: a method for each format that renders every kind.

    The methods return what the command prints. Keywords set fields of
    `rouge_cli.reports.Layout`, as in `to_latex(digits=2, scale=100)`. The defaults are
    the command's.
    """

    __slots__ = ()
    kind: ClassVar[str]
    indent: ClassVar[int] = 1  # of the JSON document, in blanks
    # What the document has: its schema, the field with the settings, and the lists,
    # each with the field that has their records. Kinds without them write their own.
    schema: ClassVar[str]
    settings: ClassVar[str] = "plan"
    lists: ClassVar[Mapping[str, str]]
    # The list of the document whose records are rows of delimited tables
    listed: ClassVar[str]
    # The heads of delimited tables; if empty, the fields of their first record
    heads: ClassVar[Sequence[str]] = ()
    signature: str
    # Methods of some kinds only (see `results`). `paper` returns None if the layout
    # excludes such a table.
    paper: Callable[[Layout], printed.Table | None]
    prose: Callable[[Layout], Iterable[Sequence[printed.Piece]]]
    # Texts with marked words, by label: the name of each text, and its lines
    marked_texts: Callable[[], Iterable[tuple[str, Sequence[MarkedText]]]]
    dictionaries: Callable[[Layout], Iterable[Record]]
    program_rows: Callable[[Layout], Iterable[Sequence[str]]]

    @property
    def short_signature(self) -> str:
        """The signature without the defaults of its dialect; `--like` reads it too."""
        fields = signature.fields(self.signature)
        name = fields.get("dialect", "")
        if not plugins.is_known(plugins.DIALECTS, name):
            return self.signature
        usual = signature.parse(
            signature.render(plugins.module(plugins.DIALECTS, name).DIALECT.defaults)
        )
        return signature.render(
            {name: value for name, value in fields.items() if usual.get(name) != value}
        )

    def stated_signature(self, layout: Layout, usual: str = "long") -> str:
        """Return the signature as the layout has it in tables; empty for none.

        Args:
            usual: How the format states it if the layout leaves it open.
        """
        stated = layout.signature or usual
        if stated == "none":
            return ""
        return self.short_signature if stated == "short" else self.signature

    def __str__(self) -> str:
        """Return what `print` shows: the tables of `to_text`."""
        return self.to_text().rstrip("\n")

    def tables(self, layout: Layout) -> Iterable[printed.Table]:
        """Return tables for people."""
        raise NotImplementedError

    def notes(self, _: Layout) -> Iterable[str]:
        """Return the notes, lines below the tables."""
        return ()

    def document(self, _: Layout) -> Any:  # noqa: ANN401 - an object, or a list of them
        """Return everything as one JSON value, unrounded."""
        document: Record = {
            "schema": self.schema,
            "signature": self.signature,
            "short_signature": self.short_signature,
            **getattr(self, self.settings)._asdict(),
        }
        for name, field in self.lists.items():
            document[name] = [self.record(item) for item in getattr(self, field)]
        return document

    def record(self, item: Any) -> Record:  # noqa: ANN401 - a named tuple of any kind
        """Return the record of an item in a list of the document; a number that is not
        finite is null.
        """
        fields: Record = plain(record(item, name="metric"))
        return fields

    def eval_records(self, _: Layout) -> Iterable[Iterator[Record]]:
        """Yield the list `evals` of each record in the document's list `results`;
        nothing without them.
        """
        return ()

    def records(self, layout: Layout) -> Iterable[Record]:
        """Yield the document's plain fields, then the entries of its lists; `record`
        names the list.
        """
        document = self.document(layout)
        if not isinstance(document, dict):
            yield from document
            return
        header, lists = {}, {}
        for name, value in document.items():
            if _is_list_of_records(value):
                lists[name] = value
            else:
                header[name] = value
        yield header
        for name, records in lists.items():
            for record in records:
                yield {"record": name, **record}

    def json_lines(self, layout: Layout) -> Iterator[str]:
        """Yield the records as lines of JSON."""
        for record in self.records(layout):
            yield dump(record) + "\n"

    def entries(self, layout: Layout) -> Iterator[Record]:
        """Yield the records of a delimited table: those of one list of the document,
        signed.
        """
        for record in self.document(layout)[self.listed]:
            entry = {
                name: value
                for name, value in record.items()
                if not isinstance(value, list)
            }
            entry.setdefault("signature", self.signature)
            yield entry

    def rows(self, layout: Layout) -> Iterator[Sequence[object]]:
        """Yield the rows of a delimited table, its head first; a cell is empty if a
        record lacks its field.
        """
        heads: Sequence[str] = self.heads
        if heads:
            yield heads
        for entry in self.entries(layout):
            if not heads:
                heads = list(entry)
                yield heads
            yield [entry.get(head, "") for head in heads]

    def to(self, form: str, **layout: Unpack[LayoutFields]) -> str:
        """Return the report in the format of that name, which may come from another
        package.

        Raises:
            UsageError: If the format is unknown or does not render results of this
                kind, or if a field of the layout is invalid.
        """
        module = plugins.find(plugins.REPORTS, form, "report format")
        if not hasattr(self, getattr(module, "NEEDS", "")):
            raise UsageError(
                f"report format {form!r} does not render results of this kind"
                f" ({self.kind})"
            )
        report: str | Iterable[str] = module.render(self, self.layout(form, **layout))
        return report if isinstance(report, str) else "".join(report)

    def to_text(self, **layout: Unpack[LayoutFields]) -> str:
        """Return tables for people."""
        return self.to("text", **layout)

    def to_markdown(self, **layout: Unpack[LayoutFields]) -> str:
        """Return tables for GitHub, README files and issues."""
        return self.to("markdown", **layout)

    def to_latex(self, **layout: Unpack[LayoutFields]) -> str:
        """Return tables to paste into a paper."""
        return self.to("latex", **layout)

    def to_json(self, **layout: Unpack[LayoutFields]) -> str:
        """Return one JSON document, unrounded."""
        return self.to("json", **layout)

    def to_jsonl(self, **layout: Unpack[LayoutFields]) -> str:
        """Return lines of JSON, unrounded."""
        return self.to("jsonl", **layout)

    def to_csv(self, **layout: Unpack[LayoutFields]) -> str:
        """Return comma-separated values, unrounded."""
        return self.to("csv", **layout)

    def to_tsv(self, **layout: Unpack[LayoutFields]) -> str:
        """Return tab-separated values, unrounded."""
        return self.to("tsv", **layout)

    def to_pandas(self, **layout: Unpack[LayoutFields]) -> pd.DataFrame:
        """Return the rows of the format csv as a DataFrame; needs pandas.

        For scores, it has one row per eval, system and metric; with `wide=True`, one
        row per eval and system, and a column for each of `columns`. Empty cells become
        missing values. A column of whole numbers becomes a column of integers.
        """
        require("a data frame needs", "pandas")
        import pandas as pd

        head, rows = self._frame(self.layout(**layout))
        frame = pd.DataFrame(rows, columns=head, dtype=object)
        for name in frame:
            filled = frame[name].dropna()
            is_whole = len(filled) and all(type(value) is int for value in filled)
            if is_whole and len(filled) < len(frame):
                # This type allows missing values.
                frame[name] = frame[name].astype("Int64")
        return frame.infer_objects()

    def to_polars(self, **layout: Unpack[LayoutFields]) -> pl.DataFrame:
        """Return the table of `to_pandas` as a DataFrame of polars; needs polars."""
        require("a data frame of polars needs", "polars")
        import polars as pl

        head, rows = self._frame(self.layout(**layout))
        return pl.DataFrame(
            rows, head, orient="row", infer_schema_length=None, strict=False
        )

    def _frame(self, layout: Layout) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows of a data frame, with None
        for empty cells.
        """
        head, *rows = self.rows(layout)
        names = [str(name) for name in head]
        cells = []
        for row in rows:
            cells.append([None if cell == "" else cell for cell in row])
        return names, cells

    def layout(self, form: str = "", **typed: Unpack[LayoutFields]) -> Layout:
        """Return the layout of the result in a format.

        Args:
            form: The name of the format.
            typed: The fields that the user set. The others get this kind's defaults for
                the format.

        Raises:
            UsageError: If a field is invalid.
        """
        fields: LayoutFields = {"most": SHOWN, **typed}
        for_papers = self._is_for_papers(form) and not fields.get("per_eval")
        scale = fields.get("scale", 100 if for_papers else 1)
        if whole("scale", scale, 1, 100) not in (1, 100):
            raise UsageError(f"scale must be 1 or 100, not {scale}")
        stated = fields.get("signature", "")
        if stated not in ("", *SIGNATURES):
            raise UsageError(
                f"unknown way to state a signature {brief(stated)}",
                remedy=f"use {', '.join(SIGNATURES)}",
            )
        usual_digits = 5 if scale == 1 else 3
        if for_papers:
            usual_digits -= 1  # 45.87
        digits = fields.get("digits", usual_digits)
        usual = Layout()
        level = fields.get("confidence", usual.confidence)
        most = fields["most"]
        number = resolve("", {"confidence": 95.0}, {"confidence": level})
        confidence = percent(in_range(number, "confidence", 0, 100))
        fields["digits"] = whole("digits", digits, 0, MOST_DIGITS)
        fields["width"] = whole("width", fields.get("width", usual.width), 1)
        fields["most"] = None if most is None else whole("most", most, 0)
        fields["scale"] = float(scale)
        fields["confidence"] = level if isinstance(level, str) else f"{confidence:.15g}"
        return Layout(**fields)  # type: ignore[arg-type]  # `confidence` is a string now

    def _is_for_papers(self, form: str) -> bool:
        """Return True if a format renders this kind's table for papers."""
        return form != "" and hasattr(
            self, getattr(plugins.module(plugins.REPORTS, form), "PREFERS", "")
        )

    def _asdict(self) -> dict[str, object]:
        """Return the fields by name, as a named tuple does."""
        fields: Iterable[str] = getattr(type(self), "__match_args__", ())
        return {name: getattr(self, name) for name in fields}

    def _replace(self, **changes: object) -> Self:
        """Return a copy with these fields changed, as a named tuple does."""
        return type(self)(**{**self._asdict(), **changes})

    def __dir__(self) -> list[str]:
        """Return what users call, which interactive interpreters offer: fields and
        formats.
        """
        fields = list(self._asdict())
        formats = [
            name
            for name in dir(type(self))
            if name.startswith(("to_", "__")) or name in _OFFERED
        ]
        return sorted({*fields, *formats})

    def __repr__(self) -> str:
        """Return the tables at an interactive prompt, else one line."""
        if hasattr(sys, "ps1"):
            with suppress(RougeError):  # of a table that needs a library
                return str(self)
        return self._one_line()

    def _one_line(self) -> str:
        brief = ", ".join(
            f"{name}={_brief(value)}" for name, value in self._asdict().items()
        )
        return f"{type(self).__name__}({brief})"

    def _repr_pretty_(self, printer: Any, is_cycle: bool) -> None:  # noqa: ANN401, FBT001 - IPython's
        """Print the tables at the prompt of IPython."""
        printer.text(self._one_line() if is_cycle else repr(self))

    def _repr_html_(self) -> str:
        """Return HTML tables for notebooks, with the first rows only."""
        layout = self.layout()
        return "".join(_html(content, layout.most) for content in self.tables(layout))


class Drawable(Presentable):
    """The base class of results that can be drawn."""

    __slots__ = ()

    def plot(self, **layout: object) -> Figure:
        """Return the figure of `--plot`; notebooks show it, and `savefig(path)` writes
        it.

        With `purpose="paper"` it is as wide as a column of a paper. Scores take fields
        of the layout, and `baseline`, a system whose averages are dashed lines.
        Comparisons take `scale`, which multiplies means.
        """
        require("plots need", "matplotlib", "numpy", extra="plots")
        figure: Figure = plugins.module("rouge_cli.studies", "plots").draw(
            self, **layout
        )
        return figure


class Gated(Presentable):
    """The base class of results with tests that pass or fail."""

    __slots__ = ()
    # Returns tests: a system, the name of the test, and a message if it failed.
    cases: Callable[[Layout], Iterable[tuple[str, str, str]]]

    def to_junit(self, **layout: Unpack[LayoutFields]) -> str:
        """Return JUnit XML for CI servers: a test for each system (or pair) and
        bound of the layout.
        """
        return self.to("junit", **layout)


class Paged(Presentable):
    """The base class of results with an HTML page."""

    __slots__ = ()
    page: Callable[[Layout], Record]  # returns the variables of the page's template

    def to_html(self, **layout: Unpack[LayoutFields]) -> str:
        """Return the HTML page: all variants of a sweep, or the texts with marked
        words; needs Jinja2.
        """
        return self.to("html", **layout)

    def show(self, **layout: Unpack[LayoutFields]) -> str:
        """Open the page in the browser; return the path of its temporary file."""
        return browser.show(self.to_html(**layout))


def _is_list_of_records(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _brief(value: object) -> str:
    """Return a short representation; for a container, its number of items."""
    if isinstance(value, str) or not isinstance(value, Mapping | Sequence):
        return reprlib.repr(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return f"{type(value).__name__}({', '.join(map(reprlib.repr, value))})"
    return f"<{printed.pluralize(len(value), 'item')}>"


def _html(content: printed.Table, most: int | None) -> str:
    """Return the first rows of a table in HTML."""
    from html import escape  # costs start-up time

    def heads(names: Sequence[str]) -> str:
        return "".join(f"<th>{escape(name)}</th>" for name in names)

    def data(cell: printed.Cell) -> str:
        text = escape(cell.value or printed.NOTHING)
        if cell.best:
            text = f"<b>{text}</b>"
        if cell.interval:
            text += f" <small>{escape(cell.interval)}</small>"
        return f"<td>{text}</td>"

    parts = ["<table>\n"]
    if content.caption:
        parts.append(f"<caption>{escape(content.caption)}</caption>\n")
    names = heads([*content.names, *content.numbers])
    parts.append(f"<thead><tr>{names}</tr></thead>\n<tbody>\n")
    rows = content.rows[:most]
    for row in rows:
        cells = "".join(map(data, row.cells))
        parts.append(f"<tr>{heads(row.names)}{cells}</tr>\n")
    parts.append("</tbody>\n</table>\n")

    if content.remark:
        parts.append(f"<p>{escape(content.remark)}</p>\n")
    more = len(content.rows) - len(rows)
    if more:
        parts.append(f"<p>... and {more} more</p>\n")
    return "".join(parts)


def number(value: float) -> float | None:
    """Return the number for JSON: an int if it is whole and exact, None if it is not
    finite.
    """
    if not isfinite(value):
        return None
    return int(value) if float(value).is_integer() and abs(value) < 2**53 else value


def plain(value: Any) -> Any:  # noqa: ANN401 - of JSON
    """Replace nan and infinity by None, recursively."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def dump(value: object, indent: int | None = None) -> str:
    """Return the value as JSON in ASCII, with null for nan and infinity."""
    try:
        return json.dumps(value, indent=indent, allow_nan=False)
    except ValueError:
        # Rare, so a second attempt is cheaper than checking every value first.
        return json.dumps(plain(value), indent=indent, allow_nan=False)


def record(fields: Any, **names: str) -> Record:  # noqa: ANN401 - a named tuple
    """Return the fields of a named tuple; an Estimate becomes its value, `low` and
    `high`.

    `names` are new names of fields; an empty name leaves the field out.
    """
    result: Record = {}
    for field, value in fields._asdict().items():
        name = names.get(field, field)
        if isinstance(value, Estimate):
            result |= {name: value.value, "low": value.low, "high": value.high}
        elif name:
            result[name] = value
    return result


def left_out(items: Sequence[object], layout: Layout) -> str:
    """Return a remark on the items that a table leaves out; empty if it lists all."""
    more = len(items) - len(items[: layout.most])
    return f"... and {more} more (--all)" if more else ""
