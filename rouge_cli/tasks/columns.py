"""Records with named columns: rows of files, and the roles of their columns.

The modules of `kinds` read rows from files. An invalid row is replaced by its error, so that callers can
continue with the next row. `records` and `judgements` interpret rows by the columns that the user names, or
by common names.

Common names are matched in any case. `summary` and `output` are predictions, and `label` is a reference,
only if no clearer name exists, since data sets use these names for other things, too. `model` is a
reference in ROUGE and a system elsewhere. With another column of references, `model` is the system if its
value has no white space. Without one, `model` is the reference if its value is a list or has white space.
Otherwise there is an error that names the option to use.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from rouge_cli.errors import RougeError, UsageError, combine, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

T = TypeVar("T")

_PREDICTIONS = {
    *("prediction", "predictions", "predicted", "predicted_summary", "hypothesis", "hypotheses", "hyp"),
    *("hyps", "generated", "generated_summary"),
    *("candidate", "candidates", "peer", "system_summary", "system_output", "model_output", "decoded"),
    *("predict", RESPONSES := "filtered_resps"),  # LLaMA-Factory's, and lm-eval's list of one response
}
_WEAK_PREDICTIONS = {"summary", "output", "response", "completion"}
_REFERENCES = {
    *("references", "reference", "refs", "ref", "reference_summary", "reference_summaries", "models"),
    *("targets", "target", "gold", "gold_summary", "highlights"),
}
_WEAK_REFERENCES = {"label"}  # LLaMA-Factory's
_IDS = {"id", "eval", "eval_id", "doc_id", "example_id", "instance_id"}
_SYSTEMS = {"system", "system_id", "system_name", "model_name", "model_id"}
# Further names in tables of human scores.
_JUDGED_IDS = {"topic", "topic_id", "docset", "doc"}
_JUDGED_SYSTEMS = {"peer", "peer_id", "summarizer", "summarizer_id"}
ROLE = "file of records"
SENTENCES, REFERENCES = "sentences", "references"
_SHOWN = 20
_NUMBERED = re.compile(r"(references?|refs?|models?|targets?|gold|highlights)[ _.-]?[0-9]+")


class InputRow(NamedTuple):
    """A record or its error."""

    number: int  # line; in json and parquet the number of the record
    line: int
    record: Mapping[str, object] | RougeError


def header(names: list[str], where: str) -> list[str]:
    """Return the names of columns unchanged; raise RougeError if two are equal."""
    twice = (
        [name for name, times in Counter(names).items() if times > 1] if len({*names}) < len(names) else []
    )
    if twice:
        shown = ", ".join(map(repr, twice[:10]))
        raise RougeError(f"columns of the same name: {shown}", where=where, remedy="rename them")
    return names


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make a dict of the pairs of a JSON object; raise ValueError if a name occurs twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        name = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ValueError(f"the name {name!r:.40} occurs twice in an object")
    return record


def describe(value: object) -> str:
    """Describe a JSON value for a message."""
    kinds = {
        bool: "a truth value",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
        str: "a string",
    }
    text = json.dumps(value, default=str)
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return shown if value is None else f"{kinds.get(type(value), type(value).__name__)} ({shown})"


class ColumnNames(NamedTuple):
    """Names of columns.

    In a request None and () ask for detection by common names; "" for id or system means that the file has
    no such column.
    """

    id: str | None = None
    predictions: Sequence[str] = ()  # several columns are several systems
    references: Sequence[str] = ()  # several columns are several references
    system: str | None = None
    # The contents of a list of strings in a column of references: SENTENCES, REFERENCES, or None (unknown).
    lists: str | None = None

    def names(self) -> list[str | None]:
        """Return the names of all these columns."""
        return [self.id or None, *self.predictions, *self.references, self.system or None]


def find_columns(record: Mapping[str, object], request: ColumnNames, where: str) -> ColumnNames:
    """Return the columns of a file, given its first record; id and system may be None.

    Raises:
        RougeError: If columns are missing or ambiguous. The error lists all such columns.
    """
    named = request.names()
    errors = [_missing_column(name, record, where) for name in named if name and name not in record]
    if errors:
        raise combine(errors)
    finder = _Finder([name for name in record if name not in named], where)
    references = request.references or finder.collect_error(lambda: finder.references(record))
    system = (
        finder.collect_error(lambda: finder.system(record, references or ()))
        if request.system is None
        else request.system
    )
    predictions = request.predictions or finder.collect_error(finder.predictions)
    eval_id = (
        finder.collect_error(lambda: finder.single(_IDS, "--id-column"))
        if request.id is None
        else request.id
    )
    if finder.errors:
        raise combine(finder.errors)
    if system and predictions and len(predictions) > 1:
        raise UsageError(
            f"a column of systems ({system}) and {len(predictions)} columns of predictions",
            where=where,
            remedy="name one column of predictions, or --system-column ''",
        )
    return ColumnNames(eval_id or None, predictions or (), references or (), system or None, request.lists)


def find_judgement_columns(
    record: Mapping[str, object], id_column: str | None, system_column: str | None, where: str
) -> tuple[str | None, str]:
    """Return the columns of evals (or None) and of systems in a file of human scores.

    Args:
        id_column: The user's name; None to detect the column.
        system_column: The user's name; None to detect the column.

    Raises:
        RougeError: If a column is missing or ambiguous.
    """
    errors = [
        _missing_column(name, record, where)
        for name in (id_column, system_column)
        if name and name not in record
    ]
    if errors:
        raise combine(errors)
    finder = _Finder([name for name in record if name not in {id_column, system_column}], where)
    system = system_column or finder.single(_SYSTEMS | _JUDGED_SYSTEMS, "--system-column")
    if system is None:
        raise RougeError(
            f"no column of systems among {list_names(list(record))}",
            where=where,
            remedy="name it: --system-column NAME",
        )
    return id_column or finder.single(_IDS | _JUDGED_IDS, "--id-column"), system


def add_nested(record: Mapping[str, object], names: Sequence[str | None]) -> Mapping[str, object]:
    """Return the record with the values of dotted names added as columns.

    Args:
        names: Names such as `summary.text` or `messages.1.content`. An index counts from 0, a negative
            index from the end. Existing columns, and names without a value, are not added.
    """
    added = {}
    for name in names:
        if name and name not in record and "." in name:
            value: object = record
            try:
                for step in name.split("."):
                    value = (
                        value[int(step)]
                        if isinstance(value, list)
                        else cast("Mapping[str, object]", value)[step]
                    )
            except (LookupError, TypeError, ValueError):
                continue
            added[name] = value
    return {**record, **added} if added else record


def check_lists(values: Mapping[str, object], columns: ColumnNames, where: str) -> None:
    """Raise RougeError for lists that could be either the sentences of one text or several texts.

    Args:
        values: The record's columns of predictions and references.
    """
    for predictions in columns.predictions:
        texts = values[predictions]
        if predictions.lower() == RESPONSES and isinstance(texts, list) and len(texts) > 1:
            raise RougeError(
                f"column {predictions!r} contains {len(texts)} responses",
                where=where,
                remedy=f"choose one: --pred-column {predictions}.0",
            )
        for references in columns.references if columns.lists is None else ():
            others = values[references]
            if not (isinstance(texts, list) and isinstance(others, list) and len(texts) == len(others)):
                continue
            size = len(texts)
            if size > 1 or (others and isinstance(others[0], list) and len(others[0]) > 1):
                raise RougeError(
                    f"columns {predictions!r} and {references!r} are lists of {size}: either the sentences "
                    f"of one text, and its references, or {size} texts, each with its own references",
                    where=where,
                    remedy=f"if they are one text, give --ref-lists {SENTENCES} or {REFERENCES} for what "
                    "the list of references contains; else write a record for each text",
                )


class _Finder:
    """Finds columns by common names among `names`, the columns that the user has not named."""

    def __init__(self, names: Sequence[str], where: str) -> None:
        self.names = names
        self.where = where
        self.errors: list[RougeError] = []

    def collect_error(self, find: Callable[[], T]) -> T | None:
        """Return the result of a search; add its RougeError to `errors` and return None if it fails."""
        try:
            return find()
        except RougeError as error:
            self.errors.append(error)
            return None

    def single(self, names_of_kind: Collection[str], option: str) -> str | None:
        """Return the column with one of these names, or None; raise RougeError for several columns."""
        names = [name for name in self.names if name.strip().lower() in names_of_kind]
        if len(names) > 1:
            raise RougeError(
                f"columns {' and '.join(names)} have the same role",
                where=self.where,
                remedy=f"choose one: {option} NAME",
            )
        return names[0] if names else None

    def predictions(self) -> Sequence[str]:
        name = self.single(_PREDICTIONS, "--pred-column") or self.single(_WEAK_PREDICTIONS, "--pred-column")
        return [name] if name else self._no_column("predictions", "--pred-column")

    def references(self, record: Mapping[str, object]) -> Sequence[str]:
        name = self.single(_REFERENCES, "--ref-column")
        numbered = [column for column in self.names if _NUMBERED.fullmatch(column.strip().lower())]
        if numbered:
            digits = {column: re.findall("[0-9]+", column)[-1].lstrip("0") for column in numbered}
            numbered.sort(key=lambda column: (len(digits[column]), digits[column]))
            return [*([name] if name else []), *numbered]
        reference = self._reference_column()
        if name is None and (reference is None or _looks_like_a_name(record[reference])):
            name = self.single(_WEAK_REFERENCES, "--ref-column")
        name = name or reference
        if name is None:
            return self._no_column("references", "--ref-column")
        if name.strip().lower() == "model" and _looks_like_a_name(record[name]):
            raise self._ambiguous_reference(name)
        return [name]

    def system(self, record: Mapping[str, object], references: Sequence[str]) -> str | None:
        """Return the column of systems; it may be `model` if another column has the references."""
        name = self.single(_SYSTEMS, "--system-column")
        reference = self._reference_column()
        if name or not reference or not references or reference in references:
            return name
        if _looks_like_a_name(record[reference]):
            return reference
        raise self._ambiguous_reference(reference)

    def _reference_column(self) -> str | None:
        return self.single({"model"}, "--ref-column")

    def _ambiguous_reference(self, name: str) -> RougeError:
        return RougeError(
            f"column {name} could contain references or names of systems",
            where=self.where,
            remedy=f"choose one: --ref-column {name} or --system-column {name}",
        )

    def _no_column(self, what: str, option: str) -> Sequence[str]:
        raise RougeError(
            f"no column of {what} among {list_names(self.names)}",
            where=self.where,
            remedy=f"name it: {option} NAME",
        )


def _looks_like_a_name(value: object) -> bool:
    return not isinstance(value, list) and len(str(value).split()) <= 1


def _missing_column(name: str, record: Mapping[str, object], where: str) -> RougeError:
    from difflib import get_close_matches

    near = get_close_matches(name, record, n=3)
    return RougeError(
        f"no column {name!r}; there are {list_names(list(record))}",
        where=where,
        remedy=f"did you mean {' or '.join(near)}?" if near else "",
    )


def list_names(names: Sequence[str]) -> str:
    """List the first names of columns, with the number of further names."""
    return shown(names, _SHOWN) or "none"
