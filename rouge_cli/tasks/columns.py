"""Records with named columns: rows of files, and the roles of their columns.

The modules of `kinds` read rows from files. An invalid row is replaced by its error, so
that callers can continue with the next row. `records` and `judgements` interpret rows
by the columns that the user names, or by common names.

Names are compared without regard to case, blanks, hyphens, dots and capitals between
words: `Generated Summary` and `generatedSummary` are `generated_summary`. Common names
have four ranks:

1. Names of the table, such as `prediction` and `ground_truth`.
2. Names with a word of one side beside words of texts, such as `predicted_answer` and
   `gold_labels`.
3. Weak names: `summary` and `output` are predictions, `label` and `human_summary` are
   references, only if no clearer name exists, since data sets use these names for other
   things, too.
   Beside predictions with a clear name, `summary` and `output` are the references of
   the data set.
4. `answer` and `actual` have the role that no other column has.

Columns of the last two ranks are stated in a notice. Two names of the same rank for one
role are an error, with the command that names a column. `model` is a reference in ROUGE
and a system elsewhere. With another column of references, `model` is the system if its
value has no white space. Without one, `model` is the reference if its value is a list
or has white space. Otherwise there is an error that names the option to use.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache, partial
from shlex import quote
from typing import Any, NamedTuple, NoReturn

from rouge_cli import data
from rouge_cli.core import Notice, Notify, ignore_notice
from rouge_cli.errors import RougeError, UsageError, all_of, raise_all, shown


def _read_names() -> dict[str, frozenset[str]]:
    by_role = {}
    for line in data.read("columns.tsv").decode().splitlines():
        role, tab, names = line.partition("\t")
        if tab:
            by_role[role] = frozenset(names.split())
    return by_role


_NAMES = _read_names()  # role -> the common names of its columns
ROLE = "file of records"
SENTENCES, REFERENCES = "sentences", "references"
_SHOWN = 20
_LONGEST = 120  # characters of a list of names in a message
_NUMBERED = r"(.*?[^0-9_])_?([0-9]+)"
_PREDICTIONS, _REFERENCES = "--pred-column", "--ref-column"
# The beginning of a word after a small letter or digit, or after a row of capitals.
_WORD_BEGINS = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"


class InputRow(NamedTuple):
    """A record or its error."""

    number: int  # line; in json and parquet the number of the record
    line: int
    record: Mapping[str, object] | RougeError


def header(names: list[str], where: str) -> list[str]:
    """Return the names of columns unchanged; raise RougeError if two are equal."""
    twice = repeated(names)
    if twice:
        equal = ", ".join(_quote_start(name) for name in twice[:3])
        raise RougeError(
            f"columns of the same name: {equal}", where=where, remedy="rename them"
        )
    return names


def _quote_start(name: str) -> str:
    return repr(name) if len(name) <= 40 else f"'{name[:37]}...'"


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
    shown = _shorten(json.dumps(value, default=str))
    if value is None:
        return shown
    kind = kinds.get(type(value), type(value).__name__)
    return f"{kind} ({shown})"


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


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
    # Returns the command line as typed, to which the remedy of an error adds options.
    command: Callable[[], str] | None = None

    def names(self) -> list[str | None]:
        """Return the names of all these columns."""
        return [
            self.id or None,
            *self.predictions,
            *self.references,
            self.system or None,
        ]


def fold(name: str) -> str:
    """Return a name in lower case, with `_` between its words."""
    stripped = name.strip()
    if stripped.startswith("__"):  # of a program's own, as promptfoo's `__expected`
        return stripped
    words = re.sub(_WORD_BEGINS, "_", stripped)
    return re.sub(r"[\s._:/-]+", "_", words).strip("_").lower()


@lru_cache(maxsize=1000)
def ranks(name: str) -> tuple[str, ...]:
    """Return the roles of _NAMES that fit a folded name, the best first; a name of
    words has the role `predictions_by_words` or `references_by_words`.
    """
    listed = [role for role in _RANKED if name in _NAMES[role]]
    if listed:
        return tuple(listed)
    words = frozenset(name.split("_"))
    of_predictions = words & _NAMES["prediction_words"]
    of_references = words & _NAMES["reference_words"]
    machine = words & _NAMES["machine_words"]
    people = words & _NAMES["people_words"]
    texts = words - of_predictions - of_references - machine - people
    if not texts <= _NAMES["text_words"] or name.endswith("_model"):
        return ()
    if of_predictions:
        return () if of_references or people else ("predictions_by_words",)
    if of_references:
        return ("references_by_words",)
    if not texts or (machine and people):
        return ()
    if people:  # they write questions, too
        return ("weak_references",)
    if machine and not texts & _LABELS:  # labels that are only decoded are references
        return ("predictions_by_words",)
    if "model" in texts:  # a person in ROUGE, a program elsewhere
        return ("weak_predictions",) if texts & _OF_PROGRAMS else ("either",)
    weak = [role for role in _WEAK if texts & _NAMES[role]]
    return tuple(weak[:1])


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


# Roles of clear names, which are not stated; `model` is examined by its content.
_CLEAR = {
    *("predictions", "predictions_by_words"),
    *("references", "references_by_words", "model"),
}
_WEAK = ("weak_predictions", "weak_references", "either")
_RANKED = ("predictions", "references", "model", *_WEAK)
_LABELS = frozenset(["label", "labels"])
_OF_PROGRAMS = frozenset(["output", "outputs", "response", "responses"])
_OF_PROGRAMS |= {"completion", "completions"}
# Words of columns that hold neither predictions nor references.
_INPUTS = frozenset(
    [
        *("input", "inputs", "source", "src", "document", "doc", "article", "prompt"),
        *("question", "query", "context", "contexts", "dialogue", "instruction"),
        *("id", "index", "system", "model", "title", "url", "name", "metadata"),
    ]
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
        common = frozenset[str]().union(*map(_NAMES.__getitem__, roles))
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
            if fold(name) in _NAMES[role]:
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


def is_no_name(name: str) -> bool:
    """Return True for a number or a longer text, which the first row of a table without
    names has.
    """
    return name.strip().isdigit() or len(name.split()) > 2


# The roles of columns of texts, and of all columns of records to score.
TEXT_ROLES = (
    *("predictions", "predictions_by_words", "weak_predictions"),
    *("references", "references_by_words", "weak_references", "either"),
)
_ROLES = (*TEXT_ROLES, "model", "ids", "systems")


def is_common(name: str, roles: Iterable[str] = _ROLES) -> bool:
    """Return True for a common name of a column of one of these roles."""
    folded = fold(name)
    if not {*TEXT_ROLES, "model"}.isdisjoint({*roles} & {*ranks(folded)}):
        return True
    return any(folded in _NAMES.get(role, ()) for role in roles)


def list_names(names: Sequence[str]) -> str:
    """List the first names of columns, shortened if they are long, with the number of
    further names.
    """
    short = [_shorten(name) for name in names]
    most, size = 0, 0
    for name in short[:_SHOWN]:
        size += len(name) + len(", ")
        if most and size > _LONGEST:
            break
        most += 1
    return shown(short, most) or "none"
