"""Records with named columns: rows of files, and the roles of their columns.

The modules of `kinds` read rows from files. An invalid row is replaced by its error, so
that callers can continue with the next row. `records` and `judgements` interpret rows
by the columns that the user names, or by common names.

Common names are matched in any case. `summary` and `output` are predictions, and
`label` is a reference, only if no clearer name exists, since data sets use these names
for other things, too. Beside predictions with a clear name, `summary` and `output` are
the references of the data set. `model` is a reference in ROUGE and a system elsewhere.
With another column of references, `model` is the system if its value has no white
space. Without one, `model` is the reference if its value is a list or has white space.
Otherwise there is an error that names the option to use.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from rouge_cli import data
from rouge_cli.core import NamedTuple
from rouge_cli.errors import RougeError, UsageError, all_of, raise_all, shown

# Role -> the common names of its columns.
_NAMES = {
    role: frozenset(names.split())
    for line in data.read("columns.tsv").decode().splitlines()
    for role, tab, names in [line.partition("\t")]
    if tab
}
RESPONSES = "filtered_resps"  # of lm-eval: a list of one response
ROLE = "file of records"
SENTENCES, REFERENCES = "sentences", "references"
_SHOWN = 20
_LONGEST = 120  # characters of a list of names in a message
_NUMBERED = r"(references?|refs?|models?|targets?|gold|highlights)[ _.-]?[0-9]+"


class InputRow(NamedTuple):
    """A record or its error."""

    number: int  # line; in json and parquet the number of the record
    line: int
    record: Mapping[str, object] | RougeError


def header(names: list[str], where: str) -> list[str]:
    """Return the names of columns unchanged; raise RougeError if two are equal."""
    if twice := repeated(names):
        equal = ", ".join(
            repr(name) if len(name) <= 40 else f"'{name[:37]}...'" for name in twice[:3]
        )
        raise RougeError(
            f"columns of the same name: {equal}", where=where, remedy="rename them"
        )
    return names


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make a dict of the pairs of a JSON object; raise ValueError if a name occurs
    twice.
    """
    record = dict(pairs)
    if len(record) < len(pairs):
        name = repeated([name for name, _ in pairs])[0]
        raise ValueError(f"the name {name!r:.40} occurs twice in an object")
    return record


def repeated(names: list[str]) -> list[str]:
    """Return the names that occur more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


def describe(value: object) -> str:
    """Describe a JSON value for a message."""
    kinds = {bool: "a truth value", int: "a number", float: "a number"}
    kinds |= {list: "a list", dict: "an object", str: "a string"}
    text = json.dumps(value, default=str)
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return (
        shown
        if value is None
        else f"{kinds.get(type(value), type(value).__name__)} ({shown})"
    )


class ColumnNames(NamedTuple):
    """Names of columns; id and system are None if a file lacks them.

    In a request None and () ask for detection by common names; "" for id or system
    means that the file has no such column.
    """

    id: str | None = None
    predictions: Sequence[str] = ()  # several columns are several systems
    references: Sequence[str] = ()  # several columns are several references
    system: str | None = None
    # The contents of a list of strings in a column of references: SENTENCES,
    # REFERENCES, or None (unknown).
    lists: str | None = None

    def names(self) -> list[str | None]:
        """Return the names of all these columns."""
        return [
            self.id or None,
            *self.predictions,
            *self.references,
            self.system or None,
        ]


def find_columns(
    record: Mapping[str, object], request: ColumnNames, where: str
) -> ColumnNames:
    """Return a file's columns, given its first record; raise RougeError with all
    that are not found.
    """
    finder = Finder(record, request.names(), where)
    finder.has_predictions |= bool(request.predictions)
    searches = (
        lambda: finder.references(request.references),
        lambda: finder.system() if request.system is None else [request.system],
        lambda: request.predictions or finder.predictions(),
        lambda: (
            finder.single("--id-column", "ids") if request.id is None else [request.id]
        ),
    )
    references, systems, predictions, ids = all_of(searches)
    system, eval_id = (next(iter(names), "") or None for names in (systems, ids))
    if system and len(predictions) > 1:
        what = (
            f"a column of systems ({system}) and {len(predictions)} columns of"
            " predictions"
        )
        raise UsageError(
            what,
            where=where,
            remedy="name one column of predictions, or --system-column ''",
        )
    return ColumnNames(eval_id, predictions, references, system, request.lists)


def add_nested(
    record: Mapping[str, object], names: Sequence[str | None]
) -> Mapping[str, object]:
    """Return the record with the values of dotted names, such as `messages.1.content`,
    added as columns.

    An index counts from 0, a negative index from the end. Existing columns, and names
    without a value, are not added.
    """
    added = {}
    for name in names:
        if name and name not in record and "." in name:
            value: Any = record
            try:
                for step in name.split("."):
                    value = value[int(step) if isinstance(value, list) else step]
            except (LookupError, TypeError, ValueError):
                continue
            added[name] = value
    return {**record, **added} if added else record


def check_lists(values: Mapping[str, object], columns: ColumnNames, where: str) -> None:
    """Raise RougeError if columns hold lists that could be the sentences of one text
    or several texts.
    """
    for predictions in columns.predictions:
        texts = values[predictions]
        if (
            predictions.lower() == RESPONSES
            and isinstance(texts, list)
            and len(texts) > 1
        ):
            what = f"column {predictions!r} contains {len(texts)} responses"
            raise RougeError(
                what, where=where, remedy=f"choose one: --pred-column {predictions}.0"
            )
        for references in columns.references if columns.lists is None else ():
            others = values[references]
            if not (
                isinstance(texts, list)
                and isinstance(others, list)
                and len(texts) == len(others)
            ):
                continue
            size = len(texts)
            if size > 1 or (
                others and isinstance(others[0], list) and len(others[0]) > 1
            ):
                raise RougeError(
                    f"columns {predictions!r} and {references!r} are lists of {size}:"
                    f" either the sentences of one text, and its references, or {size}"
                    " texts, each with its own references",
                    where=where,
                    remedy=(
                        f"if they are one text, give --ref-lists {SENTENCES} or"
                        f" {REFERENCES}; else write a record for each text"
                    ),
                )


class NoColumn(RougeError):
    """The error of a record without a column of texts that is known."""


class Finder:
    """Finds columns by common names among `names`, the columns that the user has not
    named.
    """

    def __init__(
        self, record: Mapping[str, object], named: Sequence[str | None], where: str
    ) -> None:
        errors = []
        for name in named:
            if name and name not in record:
                from difflib import get_close_matches

                near = " or ".join(get_close_matches(name, record, n=3))
                what = f"no column {name!r}; there are {list_names(list(record))}"
                remedy = f"did you mean {near}?" if near else ""
                errors.append(RougeError(what, where=where, remedy=remedy))
        raise_all(errors, len(errors))
        only = next(iter(record)) if len(record) == 1 else ""
        mark = re.search("[,;|\t]", only)
        if mark:
            typed = "tab" if mark[0] == "\t" else f"'{mark[0]}'"
            raise RougeError(
                f"one column, {list_names([only])!r}, with {mark[0]!r}",
                where=where,
                remedy=(
                    "put commas between columns in .csv, tabs in .tsv, or give"
                    f" --delimiter {typed}"
                ),
            )
        self.record = record
        self.names = [name for name in record if name not in named]
        self.where = where
        self._references: Sequence[str] = ()
        # True if a column of predictions is named, or has a clear name.
        self.has_predictions = any(
            name.strip().lower() in _NAMES["predictions"] for name in record
        )

    def single(self, option: str, *roles: str) -> list[str]:
        """Return the column with a common name of these roles, if any; raise
        RougeError for several.
        """
        common = frozenset[str]().union(*map(_NAMES.__getitem__, roles))
        names = [name for name in self.names if name.strip().lower() in common]
        if len(names) > 1:
            what = f"columns {' and '.join(names)} have the same role"
            raise RougeError(
                what, where=self.where, remedy=f"choose one: {option} NAME"
            )
        return names

    def predictions(self) -> Sequence[str]:
        """Search for the columns of predictions."""
        option = "--pred-column"
        names = self.single(option, "predictions") or self.single(
            option, "weak_predictions"
        )
        return names or self.no_column("predictions", option, self.names)

    def references(self, named: Sequence[str]) -> Sequence[str]:
        """Return the named columns, or search for columns; must precede `system`."""
        self._references = named or self._find_references("--ref-column")
        return self._references

    def _find_references(self, option: str) -> Sequence[str]:
        names = self.single(option, "references")
        names_of_digits = (
            column for column in self.names if column.strip()[-1:].isdigit()
        )
        numbered = [
            column
            for column in names_of_digits
            if re.fullmatch(_NUMBERED, column.strip().lower())
        ]
        if numbered:
            digits = {
                column: re.findall("[0-9]+", column)[-1].lstrip("0")
                for column in numbered
            }
            return [
                *names,
                *sorted(
                    numbered, key=lambda column: (len(digits[column]), digits[column])
                ),
            ]
        model = self.single(option, "model")
        is_text = any(map(self._is_text, model))
        if not names and not is_text:
            names = self.single(option, "weak_references")
        if not names and not model and self.has_predictions:
            names = self.single(option, "weak_predictions")
        if not names and model and not is_text:
            raise self._ambiguous(model[0])
        return names or model or self.no_column("references", option, self.names)

    def system(self) -> Sequence[str]:
        """Return the column of systems; it may be `model` if another column has the
        references.
        """
        names = self.single("--system-column", "systems")
        model = self.single("--ref-column", "model")
        if names or not model or not self._references or model[0] in self._references:
            return names
        if self._is_text(model[0]):
            raise self._ambiguous(model[0])
        return model

    def _is_text(self, name: str) -> bool:
        """Return True if the column has several words or a list, unlike a column of
        names.
        """
        value = self.record[name]
        return isinstance(value, list) or len(str(value).split()) > 1

    def _ambiguous(self, name: str) -> RougeError:
        what = f"column {name} could contain references or names of systems"
        remedy = f"choose one: --ref-column {name} or --system-column {name}"
        return RougeError(what, where=self.where, remedy=remedy)

    def no_column(self, what: str, option: str, names: Sequence[str]) -> NoReturn:
        """Raise RougeError for a missing column."""
        remedy = f"name it: {option} NAME"
        numbers = [str(number) for number in range(1, len(self.record) + 1)]
        if any(map(is_no_name, self.record)) and list(self.record) != numbers:
            remedy += "; if the first line has no names, --no-header"
        raise NoColumn(
            f"no column of {what} among {list_names(names)}",
            where=self.where,
            remedy=remedy,
        )


def is_no_name(name: str) -> bool:
    """Return True for a number or a longer text, which the first row of a table without
    names has.
    """
    return name.strip().isdigit() or len(name.split()) > 2


# The roles of columns of texts, and of all columns of records to score.
TEXT_ROLES = ("predictions", "weak_predictions", "references", "weak_references")
_ROLES = (*TEXT_ROLES, "model", "ids", "systems")


def is_common(name: str, roles: Iterable[str] = _ROLES) -> bool:
    """Return True for a common name of a column of one of these roles."""
    folded = name.strip().lower()
    return any(folded in _NAMES[role] for role in roles)


def list_names(names: Sequence[str]) -> str:
    """List the first names of columns, shortened if they are long, with the number of
    further names.
    """
    short = [name if len(name) <= 40 else f"{name[:37]}..." for name in names]
    most, size = 0, 0
    for name in short[:_SHOWN]:
        size += len(name) + len(", ")
        if most and size > _LONGEST:
            break
        most += 1
    return shown(short, most) or "none"
