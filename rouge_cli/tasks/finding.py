"""The search for the columns of a file of records: those that the user names, and
others by their common names (`columns`).

Columns of the last two ranks are stated in a notice. Two names of the same rank for one
role are an error, with the command that names a column. `model` is a reference in ROUGE
and a system elsewhere. With another column of references, `model` is the system if its
value has no white space. Without one, `model` is the reference if its value is a list
or has white space. Otherwise there is an error that names the option to use.

Where each side has a file of its own, the only column of texts beside the ID has its
texts, whatever its name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from shlex import quote
from typing import NoReturn

from rouge_cli.core import Notice, Notify, ignore_notice
from rouge_cli.errors import RougeError, UsageError, all_of, raise_all
from rouge_cli.tasks import nesting
from rouge_cli.tasks.columns import (
    NAMES,
    ColumnNames,
    add_nested,
    fold,
    is_common,
    is_no_name,
    list_names,
    ranks,
)

_NUMBERED = r"(.*?[^0-9_])_?([0-9]+)"
_PREDICTIONS, _REFERENCES = "--pred-column", "--ref-column"
# Roles of clear names, which are not stated; `model` is examined by its content.
_CLEAR = {
    *("predictions", "predictions_by_words"),
    *("references", "references_by_words", "model"),
}
_CLEAR_PREDICTIONS = frozenset(["predictions", "predictions_by_words"])
_NUMBERED_ROLES = frozenset(["references", "references_by_words", "model"])
_LIKELY_PREDICTIONS = (
    *("predictions", "predictions_by_words", "weak_predictions"),
    "either",
)
_LIKELY_REFERENCES = (
    *("references", "references_by_words", "weak_references", "either"),
    *("model", "weak_predictions"),
)
# Words of columns that hold neither predictions nor references.
_INPUTS = frozenset(
    [
        *("input", "inputs", "source", "src", "document", "doc", "article", "prompt"),
        *("question", "query", "context", "contexts", "dialogue", "instruction"),
        *("id", "index", "system", "model", "title", "url", "name", "metadata"),
    ]
)
_MARKS = frozenset("<>{}[]")  # which names of columns do not have


def find_columns(
    record: Mapping[str, object],
    request: ColumnNames,
    where: str,
    notify: Notify = ignore_notice,
) -> ColumnNames:
    """Return a file's columns, given its first record; raise RougeError with all
    that are not found.

    A notice states columns of a weak name.
    """
    finder = Finder(record, request.names(), where, request)
    finder.has_predictions |= bool(request.predictions)

    def find_system() -> Sequence[str]:
        return finder.system() if request.system is None else [request.system]

    def find_predictions() -> Sequence[str]:
        return request.predictions or finder.predictions()

    def find_id() -> Sequence[str]:
        if request.id is None:
            return finder.single("--id-column", "ids")
        return [request.id]

    searches = (
        partial(finder.references, request.references),
        find_system,
        find_predictions,
        find_id,
    )
    references, systems, predictions, ids = all_of(searches)
    system = next(iter(systems), "") or None
    eval_id = next(iter(ids), "") or None
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
    columns = ColumnNames(
        id=eval_id,
        predictions=predictions,
        references=references,
        system=system,
        lists=request.lists,
        source=request.source,
    )
    if is_weak(columns, request):
        notify(Notice(state(columns)))
    return columns


def is_weak(columns: ColumnNames, request: ColumnNames) -> bool:
    """Return True if a column of texts that the user has not named has a weak name."""
    named = {*request.predictions, *request.references}
    for name in (*columns.predictions, *columns.references):
        if name not in named and not _CLEAR.issuperset(ranks(_without_number(name))):
            return True
    return False


def state(columns: ColumnNames) -> str:
    """Return the statement of a notice which columns hold the texts."""
    roles = {"prediction": columns.predictions, "reference": columns.references}
    stated = [f"{role} = {', '.join(names)}" for role, names in roles.items() if names]
    return f"columns: {', '.join(stated)}"


def _without_number(name: str) -> str:
    """Return the folded name without the number at its end."""
    folded = fold(name)
    numbered = re.fullmatch(_NUMBERED, folded)
    return numbered[1] if numbered else folded


def find_side(
    record: Mapping[str, object],
    request: ColumnNames,
    where: str,
    *,
    is_prediction: bool,
) -> ColumnNames:
    """Return the columns of predictions, or those of references, given their first
    record.
    """
    named = request.predictions if is_prediction else request.references
    system = request.system if is_prediction else ""
    source = None if is_prediction else request.source
    known = [request.id, *named, system, source]
    nested = add_nested(record, known)
    finder = _SideFinder(nested, known, where)
    if request.id is None:
        eval_id = next(iter(finder.single("--id-column", "ids")), None)
    else:
        eval_id = request.id or None
    if not is_prediction:
        references = finder.references(named)
        return ColumnNames(
            id=eval_id, references=references, lists=request.lists, source=source
        )
    predictions = named or finder.predictions()
    if system is None:
        systems = [name for name in finder.system() if name not in predictions]
        system = next(iter(systems), None)
    if system and len(predictions) > 1:
        raise RougeError(
            f"a column of systems ({system}) and {len(predictions)} of predictions",
            where=where,
            remedy="name one column of predictions, or --system-column ''",
        )
    return ColumnNames(
        id=eval_id,
        predictions=predictions,
        system=system or None,
        lists=request.lists,
    )


def check_names(
    record: Mapping[str, object],
    request: ColumnNames,
    where: str,
    *,
    is_prediction: bool,
) -> None:
    """Raise RougeError if the first row of a table has no names, but texts."""
    option, named = _REFERENCES, request.references
    if is_prediction:
        option, named = _PREDICTIONS, request.predictions
    odd = [
        name
        for name in record
        if is_no_name(name)
        or not _MARKS.isdisjoint(name)
        or (len(record) == 1 and len(name.split()) > 1)
    ]
    if odd and not named and not any(map(is_common, record)):
        raise RougeError(
            f"the first line has no names of columns ({list_names(odd)})",
            where=where,
            remedy=f"if it has texts, give --no-header; else {option} NAME",
        )


class NoColumn(RougeError):
    """The error of a record without a column of texts that is known."""


class Finder:
    """Finds columns by common names among `names`, the columns that the user has not
    named.

    Args:
        request: What the user named, for the command of a remedy.
    """

    def __init__(
        self,
        record: Mapping[str, object],
        named: Sequence[str | None],
        where: str,
        request: ColumnNames | None = None,
    ) -> None:
        errors = []
        for name in named:
            if name and name not in record:
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
        self.request = request
        self._references: Sequence[str] = ()
        # True if a column of predictions is named, or has a clear name.
        self.has_predictions = any(
            _CLEAR_PREDICTIONS.intersection(ranks(fold(name))) for name in record
        )

    def single(self, option: str, *roles: str) -> list[str]:
        """Return the column with a common name of these roles, if any; raise
        RougeError for several.
        """
        common = frozenset[str]().union(*map(NAMES.__getitem__, roles))
        names = [name for name in self.names if fold(name) in common]
        return self._only(option, names)

    def _of_rank(self, option: str, rank: str) -> list[str]:
        """Return the column of this rank, without those of the references, if any;
        raise RougeError for several.
        """
        names = [
            name
            for name in self.names
            if rank in ranks(fold(name)) and name not in self._references
        ]
        return self._only(option, names)

    def _only(self, option: str, names: list[str]) -> list[str]:
        if len(names) > 1:
            what = f"columns {' and '.join(names)} have the same role"
            raise RougeError(
                what, where=self.where, remedy=self._remedy("choose one", option)
            )
        return names

    def predictions(self) -> Sequence[str]:
        """Search for the columns of predictions; must follow `references`."""
        ranks = ("predictions", "predictions_by_words", "weak_predictions", "either")
        for rank in ranks:
            names = self._of_rank(_PREDICTIONS, rank)
            if names:
                return names
        return self.no_column("predictions", _PREDICTIONS, self.names)

    def references(self, named: Sequence[str]) -> Sequence[str]:
        """Return the named columns, or search for columns; must precede `system`."""
        self._references = named or self._find_references(_REFERENCES)
        return self._references

    def _find_references(self, option: str) -> Sequence[str]:
        names = self._of_rank(option, "references")
        numbered = self._find_numbered()
        if numbered:
            return [*names, *numbered]
        if not names:
            names = self._of_rank(option, "references_by_words")
        model = self.single(option, "model")
        is_text = any(map(self._is_text, model))
        if not names and not is_text:
            names = self._of_rank(option, "weak_references")
        if not names and not model:
            names = self._find_what_is_left(option)
        if not names and model and not is_text:
            raise self._ambiguous(model[0])
        return names or model or self.no_column("references", option, self.names)

    def _find_what_is_left(self, option: str) -> list[str]:
        """Return the column of references among those that may be predictions, too,
        if another column has these.
        """
        weak = [name for name in self.names if "weak_predictions" in ranks(fold(name))]
        if self.has_predictions and weak:
            return self._only(option, weak)
        if self.has_predictions or weak:
            return self._of_rank(option, "either")
        return []

    def _find_numbered(self) -> list[str]:
        """Return the columns of references that end in a number, in its order."""
        numbers: dict[str, str] = {}
        for name in self.names:
            if not name.strip()[-1:].isdigit():
                continue
            parts = re.fullmatch(_NUMBERED, fold(name))
            if parts and _NUMBERED_ROLES.intersection(ranks(parts[1])):
                numbers[name] = parts[2].lstrip("0")
        return sorted(numbers, key=lambda name: (len(numbers[name]), numbers[name]))

    def system(self) -> Sequence[str]:
        """Return the column of systems; it may be `model` if another column has the
        references.
        """
        names = self.single("--system-column", "systems")
        model = self.single(_REFERENCES, "model")
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
        command = self._command(_REFERENCES)
        if command:
            remedy += f", as in: {command}"
        return RougeError(what, where=self.where, remedy=remedy)

    def no_column(self, what: str, option: str, names: Sequence[str]) -> NoReturn:
        """Raise RougeError for a missing column."""
        remedy = self._remedy("name it", option)
        numbers = [str(number) for number in range(1, len(self.record) + 1)]
        if any(map(is_no_name, self.record)) and list(self.record) != numbers:
            remedy += "; if the first line has no names, --no-header"
        raise NoColumn(
            f"no column of {what} among {list_names(names)}",
            where=self.where,
            remedy=remedy,
        )

    def _remedy(self, what_to_do: str, option: str) -> str:
        """Return the remedy that names a column: the command with a column, or the
        option.
        """
        command = self._command(option)
        if command:
            return f"{what_to_do}, as in: {command}"
        return f"{what_to_do}: {option} NAME"

    def _command(self, option: str) -> str:
        """Return the command that names the column of an option, and other columns of
        texts that are not clear; empty if no column can be proposed.
        """
        if self.request is None:
            return ""
        command = self.request.command() if self.request.command else ""
        if not command:
            place = self.where.rpartition(":")[0] or self.where
            command = f"rouge-cli score {quote(place)}"
        if option not in (_PREDICTIONS, _REFERENCES):
            name = next(self._of_option(option), "NAME")
            return f"{command} {option} {quote(name)}"
        references = self.request.references or self._references
        references = references or self._find_numbered()
        prediction = self.request.predictions or self._likely(
            _LIKELY_PREDICTIONS, references, is_other_clear=bool(references)
        )
        reference = references or self._likely(
            _LIKELY_REFERENCES, prediction, is_other_clear=self.has_predictions
        )
        if not self.request.predictions:
            for name in prediction:
                command += f" --pred-column {quote(name)}"
        if not self.request.references:
            for name in reference:
                command += f" --ref-column {quote(name)}"
        return command

    def _of_option(self, option: str) -> Iterator[str]:
        """Yield the columns that --id-column or --system-column may name."""
        role = {"--id-column": "ids", "--system-column": "systems"}[option]
        for name in self.names:
            if fold(name) in NAMES[role]:
                yield name

    def _likely(
        self, roles: Sequence[str], others: Sequence[str], *, is_other_clear: bool
    ) -> list[str]:
        """Return a column of the best of these ranks; else the only other column of
        texts, beside a clear column of the other side; else NAME.

        Of several predictions it is the last: a program adds its output behind the
        columns of the data set.
        """
        names = [name for name in self.names if name not in others]
        if roles is _LIKELY_PREDICTIONS:
            names.reverse()
        for role in roles:
            for name in names:
                if role in ranks(fold(name)):
                    return [name]
        texts = [name for name in names if self._may_be_text(name)]
        return texts if is_other_clear and len(texts) == 1 else ["NAME"]

    def _may_be_text(self, name: str) -> bool:
        """Return True for a column with a string or list whose name is not of an
        input.
        """
        is_input = not _INPUTS.isdisjoint(fold(name).split("_"))
        return isinstance(self.record[name], (str, list)) and not is_input


class _SideFinder(Finder):
    """Finds the columns of one side: if none has a common name, the only column of
    texts beside the ID.
    """

    def __init__(
        self, record: Mapping[str, object], named: Sequence[str | None], where: str
    ) -> None:
        super().__init__(record, named, where)
        self.has_predictions = True  # in their own file
        self._references = [""]  # in their own file

    def no_column(self, what: str, option: str, names: Sequence[str]) -> Sequence[str]:  # type: ignore[override]
        """Return the only column of texts; raise RougeError if there is another
        number.
        """
        texts = [
            name
            for name in names
            if not is_common(name, ["ids", "systems"]) and _is_words(self.record[name])
        ]
        if len(texts) != 1 or any(map(nesting.has_records, self.record.values())):
            super().no_column(what, option, names)
        return texts


def _is_words(value: object) -> bool:
    """Return True for texts; a number in a cell of a table is not one."""
    if not isinstance(value, str):
        return nesting.is_text(value)
    try:
        float(value)
    except ValueError:
        return True
    return False
