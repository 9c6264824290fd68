"""What a list of strings in a column of references holds: several references, or the
sentences of one.

Three tells speak for sentences: the column has a name in the singular, such as
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

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple, cast

from rouge_cli.core import Notice, Notify
from rouge_cli.errors import RougeError
from rouge_cli.tasks.columns import REFERENCES, SENTENCES, ColumnNames, fold

SAMPLE = 100  # records whose lists are examined
RESPONSES = "filtered_resps"  # of lm-eval: a list of one response
# One text in spite of its name: the highlights of CNN/DM are the summary's sentences.
_ONE_TEXT = frozenset(["highlights"])


class Cells(NamedTuple):
    """The texts of a record, in the order of its columns."""

    predictions: Sequence[object]
    references: Sequence[object]


def decide(
    records: Sequence[Cells], columns: ColumnNames, where: str, notify: Notify
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


def _are_parallel(records: Sequence[Cells]) -> bool:
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


def _has_list(record: Cells) -> bool:
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


IN_PYTHON = (
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
