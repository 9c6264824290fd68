"""The cells of a record: its texts, its ID and the name of its system; errors name the
column, the line and what the cell has instead.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rouge_cli.core import Notice, Notify
from rouge_cli.errors import RougeError
from rouge_cli.tasks import columns as by_name
from rouge_cli.tasks import nesting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rouge_cli.tasks.columns import ColumnNames, InputRow

# Cells of texts that stand for a missing text (native/delimited.hpp leaves them to us).
MISSING = frozenset(("nan", "NaN", "None", "NULL", "<NA>"))


class MissingCells:
    """Reads the texts of records, and counts cells that stand for missing texts."""

    def __init__(self, place: str, notify: Notify) -> None:
        self._place = place
        self._notify = notify
        self.number = 0
        self.first = ""  # the first such cell

    def texts(
        self,
        record: Mapping[str, object],
        columns: ColumnNames,
        line: int,
        *,
        is_table: bool,
    ) -> dict[str, object]:
        """Return the values of the columns of texts; in a table, a list that is JSON in
        a cell, and an empty text for a missing one.
        """
        names = [*columns.predictions, *columns.references]
        if columns.source is not None:
            names.append(columns.source)
        if not is_table:
            return {name: record[name] for name in names}
        values: dict[str, object] = {}
        for name in names:
            cell = record[name]
            if cell in MISSING:
                self.number += 1
                self.first = self.first or f"{cell!r} in line {line}, column {name!r}"
                cell = ""
            values[name] = cell_of(cell)
        return values

    def add(self, number: int, first: str) -> None:
        """Add the cells of a part of the file."""
        self.number += number
        self.first = self.first or first

    def report(self) -> None:
        """Notify of the number of missing texts, if there were any."""
        if self.number:
            cells = "1 cell stands for a missing text, and is"
            if self.number > 1:
                cells = f"{self.number} cells stand for missing texts, and are"
            self._notify(
                Notice(
                    f"{self._place}: {cells} read as empty"
                    f' (first {self.first}); if it is a text, write ["text"]'
                )
            )


def record_of(row: InputRow, columns: ColumnNames, where: str) -> Mapping[str, object]:
    """Return the record of a row, with nested columns; raise RougeError if it is not
    valid, or lacks a column.
    """
    if isinstance(row.record, RougeError):
        raise row.record
    record = by_name.add_nested(row.record, columns.names())
    missing = [
        name for name in columns.names() if name is not None and name not in record
    ]
    if missing:
        names = by_name.list_names([repr(name) for name in missing])
        what = f"no column {names}; there are {by_name.list_names(list(record))}"
        raise RougeError(what, where=where)
    return record


def predictions_of(
    values: Mapping[str, object], columns: ColumnNames, where: str
) -> dict[str, bytes]:
    """Return column -> prediction."""
    return {
        name: text_of(values[name], name, where, "--pred-column")
        for name in columns.predictions
    }


def references_of(
    values: Mapping[str, object], columns: ColumnNames, where: str, *, is_table: bool
) -> list[bytes]:
    """Return the references of all columns; raise RougeError if there are none."""
    references = []
    for name in columns.references:
        value = values[name]
        several: list[object] = value if isinstance(value, list) else [value]
        if columns.lists == by_name.SENTENCES and not any(
            isinstance(item, list) for item in several
        ):
            several = [several]  # the sentences of one reference
        references += [text_of(text, name, where, "--ref-column") for text in several]
    if is_table and len(columns.references) > 1:
        references = list(filter(None, references))
    if not references:
        raise RougeError(
            f"no reference in {by_name.list_names(columns.references)}", where=where
        )
    return references


def source_of(
    values: Mapping[str, object], columns: ColumnNames, where: str
) -> bytes | None:
    """Return the text that was summarized; None without a column of sources."""
    if columns.source is None:
        return None
    return text_of(values[columns.source], columns.source, where, "--source")


def cell_of(value: object) -> object:
    """Return the list of texts if a cell contains one as JSON, else the cell."""
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    for item in parsed:
        texts = item if isinstance(item, list) else [item]
        if not all(isinstance(text, str) for text in texts):
            return value
    return parsed


def text_of(value: object, name: str, where: str, option: str) -> bytes:
    """Return a text, with a list of sentences joined by LF; raise RougeError for
    other values.
    """
    sentences: list[str] = []
    for sentence in value if isinstance(value, list) else [value]:
        if not isinstance(sentence, str):
            what = f"column {name!r} contains {by_name.describe(sentence)}, not a text"
            inner = nesting.text_paths(value, name) if "." not in name else []
            remedy = ""
            if inner:
                remedy = f"name a text in it: {option} {by_name.list_names(inner[:5])}"
            raise RougeError(what, where=where, remedy=remedy)
        sentences.append(sentence)
    try:
        return "\n".join(sentences).encode()
    except UnicodeEncodeError:
        what = (
            f"column {name!r} contains half a surrogate pair, which is not valid text"
        )
        raise RougeError(what, where=where) from None


def name_of(record: Mapping[str, object], column: str, where: str) -> str:
    """Return an ID as text: strings unchanged, other values as JSON or (such as
    dates) as Python prints.
    """
    value = record[column]
    if isinstance(value, bytes):
        raise RougeError(
            f"column {column!r} contains {by_name.describe(value)}, not a name",
            where=where,
        )
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except TypeError:
        return str(value)
