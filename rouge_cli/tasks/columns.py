"""Records with named columns: rows of files, the roles of their columns, and what the
lists in them hold.

The modules of `kinds` read rows from files. An invalid row is replaced by its error, so
that callers can continue with the next row. `records` and `judgements` interpret rows
by the columns that the user names, or by common names, which `finding` searches for.

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

A list of strings in a column of references holds several references, or the sentences
of one. Three tells speak for sentences: the column has a name in the singular, such as
`summary`; a prediction is a list, too, whose items are sentences; the numbers of items
differ by record.

| name | predictions | read as |
| --- | --- | --- |
| plural, as `references` | texts | references |
| plural | lists | references, with a notice |
| singular | texts | references, with a notice |
| singular | lists | sentences, with a notice |

Nothing is decided if each prediction has as many items as its references: the record
may hold several texts, which `check_lists` refuses.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple, cast

from rouge_cli import data
from rouge_cli.core import Notice, Notify
from rouge_cli.errors import RougeError, shown


def _read_names() -> dict[str, frozenset[str]]:
    by_role = {}
    for line in data.read("columns.tsv").decode().splitlines():
        role, tab, names = line.partition("\t")
        if tab:
            by_role[role] = frozenset(names.split())
    return by_role


NAMES = _read_names()  # role -> the common names of its columns
ROLE = "file of records"
SENTENCES, REFERENCES = "sentences", "references"
_SHOWN = 20
_LONGEST = 120  # characters of a list of names in a message
# The beginning of a word after a small letter or digit, or after a row of capitals.
_WORD_BEGINS = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"


SAMPLE = 100  # records whose lists are examined
RESPONSES = "filtered_resps"  # of lm-eval: a list of one response
# One text in spite of its name: the highlights of CNN/DM are the summary's sentences.
_ONE_TEXT = frozenset(["highlights"])


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
    source: str | None = None  # of the texts that were summarized; None for none
    # Returns the command line as typed, to which the remedy of an error adds options.
    command: Callable[[], str] | None = None

    def names(self) -> list[str | None]:
        """Return the names of all these columns."""
        return [
            self.id or None,
            *self.predictions,
            *self.references,
            self.system or None,
            self.source,
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
    """Return the roles of NAMES that fit a folded name, the best first; a name of
    words has the role `predictions_by_words` or `references_by_words`.
    """
    listed = [role for role in _RANKED if name in NAMES[role]]
    if listed:
        return tuple(listed)
    words = frozenset(name.split("_"))
    of_predictions = words & NAMES["prediction_words"]
    of_references = words & NAMES["reference_words"]
    machine = words & NAMES["machine_words"]
    people = words & NAMES["people_words"]
    texts = words - of_predictions - of_references - machine - people
    if not texts <= NAMES["text_words"] or name.endswith("_model"):
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
    weak = [role for role in _WEAK if texts & NAMES[role]]
    return tuple(weak[:1])


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


_WEAK = ("weak_predictions", "weak_references", "either")
_RANKED = ("predictions", "references", "model", *_WEAK)
_LABELS = frozenset(["label", "labels"])
_OF_PROGRAMS = frozenset(["output", "outputs", "response", "responses"])
_OF_PROGRAMS |= {"completion", "completions"}


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
    return any(folded in NAMES.get(role, ()) for role in roles)


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


# The lists in columns of texts.


class TextCells(NamedTuple):
    """The texts of a record, in the order of its columns."""

    predictions: Sequence[object]
    references: Sequence[object]


def decide_lists(
    records: Sequence[TextCells], columns: ColumnNames, where: str, notify: Notify
) -> ColumnNames:
    """Return the columns with the meaning of their lists, by the tells of the records;
    a notice states it unless it is clear.
    """
    sizes = set()
    for record in records:
        for value in record.references:
            if isinstance(value, list) and _is_flat(value):
                sizes.add(len(value))
    if not sizes or max(sizes) < 2 or _are_parallel(records):
        return columns
    has_lists = any(map(_has_list, records))
    is_singular = not any(map(is_plural, columns.references))
    if not is_singular and not has_lists:
        return columns
    lists = SENTENCES if is_singular and has_lists else None
    notify(Notice(f"{where}: {_message(columns, sizes, lists, has_lists=has_lists)}"))
    return columns._replace(lists=lists)


def is_plural(name: str) -> bool:
    """Return True if the last word of a column's name is a plural, as far as its
    letters show.
    """
    word = re.sub("_?[0-9]+$", "", fold(name)).rpartition("_")[2]
    return word.endswith("s") and not word.endswith("ss") and word not in _ONE_TEXT


def _message(
    columns: ColumnNames, sizes: set[int], lists: str | None, *, has_lists: bool
) -> str:
    """Return what is read, why it is doubtful, and the options for both readings."""
    names = ", ".join(columns.references)
    few, many = min(sizes), max(sizes)
    items = f"{many} items" if few == many else f"{few} to {many} items"
    what = "the sentences of one reference" if lists else "several references"
    reasons = []
    if not any(map(is_plural, columns.references)):
        reasons.append("its name is in the singular")
    if has_lists:
        reasons.append(f"{', '.join(columns.predictions)} has lists, too")
    reason = f"{'since' if lists else 'although'} {' and '.join(reasons)}"
    options = f"--ref-lists {SENTENCES} or --ref-lists {REFERENCES}"
    return (
        f"column {names}: lists of {items} are read as {what}, {reason}; choose one of"
        f" {options}"
    )


def _are_parallel(records: Sequence[TextCells]) -> bool:
    """Return True if every list of predictions has as many items as the lists of
    references.
    """
    has_pair = False
    for record in records:
        for prediction, reference in product(record.predictions, record.references):
            if not isinstance(prediction, list) or not isinstance(reference, list):
                continue
            if len(prediction) != len(reference):
                return False
            has_pair = True
    return has_pair


def _has_list(record: TextCells) -> bool:
    """Return True if a prediction is a list of several items."""
    for prediction in record.predictions:
        if isinstance(prediction, list) and len(prediction) > 1:
            return True
    return False


def _is_flat(value: list[object]) -> bool:
    """Return True for strings; the items of a list of lists are references."""
    return all(isinstance(item, str) for item in value)


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
        if columns.lists is not None:
            continue
        for references in columns.references:
            if _are_doubtful(texts, values[references]):
                size = len(cast("list[object]", texts))
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


def _are_doubtful(texts: object, others: object) -> bool:
    """Return True for lists of predictions and references of the same length, which
    could be sentences of one text or several texts.
    """
    if not isinstance(texts, list) or not isinstance(others, list):
        return False
    if len(texts) != len(others):
        return False
    if len(texts) > 1:
        return True
    first = others[0] if others else None
    return isinstance(first, list) and len(first) > 1


MAY_BE_SENTENCES = (
    "the prediction is a list, which is one text of several sentences, but the list of"
    " references is several references; if it is the sentences of one reference, put it"
    " into a list, as in [sentences]; if not, join the sentences of the prediction with"
    ' "\\n"'
)


def may_be_sentences(
    predictions: Sequence[object], references: Sequence[object]
) -> bool:
    """Return True if a prediction is a list of sentences, and references are strings
    that may be sentences, too.
    """
    lists = (text for text in predictions if isinstance(text, (list, tuple)))
    has_sentences = any(len(text) > 1 for text in lists)
    return has_sentences and all(isinstance(text, str) for text in references)
