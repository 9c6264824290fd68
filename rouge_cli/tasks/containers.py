"""Evals from Python's containers: lists, arrays, columns of data frames, generators;
and rows of tables.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rouge_cli.core import Document, EvalTask, Notice, Notify, ignore_notice
from rouge_cli.errors import UsageError
from rouge_cli.tasks import doubts
from rouge_cli.tasks.columns import (
    MAY_BE_SENTENCES,
    InputRow,
    may_be_sentences,
    repeated,
)
from rouge_cli.tasks.ordering import (
    READS_FILES,
    UNORDERED,
    is_missing,
    items,
    ordered,
)
from rouge_cli.tasks.streams import SPL, task_of
from rouge_cli.twins import twin

Text = str | Iterable[str]  # a string, or its sentences
Items = list[Any]
# A path, a data frame, or records (mappings)
Table = str | os.PathLike[str] | Iterable[Any]
SYSTEM = "system"  # the name of a single one


def tasks(  # noqa: PLR0913, PLR0917 - as `score`
    predictions: Any,  # noqa: ANN401 - every form that `score` takes
    references: Any,  # noqa: ANN401
    ids: Iterable[str | int] | None = None,
    input_format: str = SPL,
    notify: Notify = ignore_notice,
    sources: Any = None,  # noqa: ANN401
) -> Sequence[EvalTask]:
    """Return one eval for each item of the lists, called by its ID (default: its number
    from 1).

    Notices name arguments and texts that are probably not those that were meant.

    Args:
        predictions, references, ids: As in `score`.
        input_format: The format of the texts.
        notify: Receives the notices.
        sources: The texts that were summarized, as `references` with one text each.

    Raises:
        UsageError: If the lengths of the lists differ, an ID occurs twice, or an item
            is not a text.
    """
    systems: Mapping[str, Any] = (
        predictions if isinstance(predictions, Mapping) else {SYSTEM: predictions}
    )
    is_same = doubts.warn_of_arguments(systems, references, notify)
    if all(isinstance(text, str) for text in systems.values()):
        systems = {name: [text] for name, text in systems.items()}
        references = [references]
        if isinstance(sources, str):
            sources = [sources]
    else:
        systems = {
            name: checked_items(texts, f"predictions of {name}")
            for name, texts in systems.items()
        }
        if isinstance(references, str):
            remedy = "give as many references as there are evals"
            raise UsageError("one reference for a list of predictions", remedy=remedy)
        references = checked_items(references, "references")
    given = None if ids is None else list(map(str, checked_items(ids, "ids")))
    evals = of_checked(
        systems, references, given, input_format, notify, is_same=is_same
    )
    return evals if sources is None else with_sources(evals, sources)


def with_sources(tasks: Sequence[EvalTask], sources: Any) -> list[EvalTask]:  # noqa: ANN401 - any container
    """Return the evals with their sources, a text for each; raise UsageError if the
    numbers differ, or one is not a text.
    """
    texts = checked_items(sources, "sources")
    if len(texts) != len(tasks):
        raise UsageError(
            f"different numbers of evals and sources: {len(tasks)} evals,"
            f" {len(texts)} sources",
            remedy="give one source for every eval",
        )
    evals = []
    for number, (task, text) in enumerate(zip(tasks, texts, strict=True), 1):
        where = f"eval {number}"
        source = Document(encoded(text, where, "source"), where)
        evals.append(task._replace(source=source))
    return evals


def of_checked(  # noqa: PLR0913 - as `tasks`
    systems: Mapping[str, Items],
    references: Items,
    ids: list[str] | None,
    input_format: str,
    notify: Notify,
    *,
    is_same: bool = False,
) -> Sequence[EvalTask]:
    """Return the evals of `tasks`, whose arguments are lists; warn of texts that are
    probably not those that were meant.

    Args:
        is_same: The same object was passed as predictions and references, of which
            there is a notice.
    """
    _warn_of_shapes(systems, references, notify)
    evals = of_lists(systems, references, ids, input_format, notify)
    doubts.watched(evals, notify, is_same=is_same)
    return evals


def of_lists(
    systems: Mapping[str, Items],
    references: Items,
    ids: list[str] | None,
    input_format: str,
    notify: Notify = ignore_notice,
) -> Sequence[EvalTask]:
    """Return the evals of `tasks`, whose arguments are lists, without a comparison of
    texts.
    """
    numbered = references if ids is None else ids
    if len({len(numbered), len(references), *map(len, systems.values())}) > 1:
        sizes = {"references": len(references)}
        sizes |= {
            f"predictions of {name}": len(texts) for name, texts in systems.items()
        }
        counted = ", ".join(
            f"{size} {name}" for name, size in {**sizes, "ids": len(numbered)}.items()
        )
        remedy = "give one of each for every eval"
        if any(doubts.is_transposed(texts, references) for texts in systems.values()):
            remedy = (
                "references are lists of all texts, as in sacrebleu; pass"
                f" {doubts.TRANSPOSE}"
            )
        raise UsageError(
            f"different numbers of predictions and references: {counted}", remedy=remedy
        )
    if ids is not None and len(set(ids)) < len(ids):
        raise UsageError(
            f"duplicate ID {repeated(ids)[0]!r}", remedy="give each eval a unique ID"
        )
    return evals_of_lists(systems, references, ids, input_format, notify)


@twin
def evals_of_lists(
    systems: Mapping[str, Items],
    references: Items,
    ids: list[str] | None,
    input_format: str,
    notify: Notify,
) -> Sequence[EvalTask]:
    """Return the evals of lists of equal length; see `of_lists`."""
    evals = []
    is_stated = False  # that the references may be sentences
    names = map(str, range(1, len(references) + 1)) if ids is None else ids
    for index, (eval_id, item) in enumerate(zip(names, references, strict=True)):
        where = f"eval {index + 1}"
        is_text = isinstance(item, str | float | int) or is_missing(item)
        several = [item] if is_text else checked_items(item, "references", where)
        if not several:
            raise UsageError(
                "no reference",
                where=where,
                remedy="give a string, or a list of strings",
            )
        texts = [
            encoded(of_system[index], where, "prediction")
            for of_system in systems.values()
        ]
        texts += [encoded(text, where, "reference") for text in several]
        if not is_stated and not is_text and len(several) > 1:
            predictions = [of_system[index] for of_system in systems.values()]
            if is_stated := may_be_sentences(predictions, several):
                notify(Notice(f"{where}: {MAY_BE_SENTENCES}"))
        evals.append(
            task_of(eval_id, list(systems), texts, ["eval "], index + 1, input_format)
        )
    return evals


def renamed(task: EvalTask, name: str) -> EvalTask:
    """Return an eval of lists under another name, which messages about it and its texts
    use.
    """
    where = f"eval {name}"

    def moved(text: str | Document, _: str) -> str | Document:
        return text._replace(where=where) if isinstance(text, Document) else text

    return task.with_texts(moved)._replace(eval_id=name, where=where)


def _warn_of_shapes(
    systems: Mapping[str, Items], references: Items, notify: Notify
) -> None:
    """Warn of names of files in the place of texts, and of references that fit better
    in sacrebleu's layout.
    """
    for name, texts in systems.items():
        if doubts.names_of_files(texts):
            notify(doubts.file_names(f"predictions of {name}", texts))
    if doubts.names_of_files(references):
        notify(doubts.file_names("references", references))
    if not references or not isinstance(references[0], (list, tuple)):
        return
    if doubts.names_of_files(references[0]):
        notify(doubts.file_names("references", references[0]))
    is_square = all(len(texts) == len(references) for texts in systems.values())
    if is_square and all(
        doubts.is_transposed(texts, references) for texts in systems.values()
    ):
        notify(Notice(doubts.STREAMS))


def checked_items(values: Any, name: str, where: str = "") -> Items:  # noqa: ANN401 - any container
    """Return the items of a container; raise UsageError if it is not an ordered
    container.
    """
    try:
        return items(values, name)
    except ValueError as reason:
        raise UsageError(
            str(reason), where=where, remedy="give a list, an array or a column"
        ) from None


def rows(values: Any) -> list[InputRow] | None:  # noqa: ANN401 - any container
    """Return the rows of a data frame, or of records; None for anything else.

    Cells are text, as in csv; missing values are empty. A named index of pandas is a
    column.
    """
    if hasattr(values, "reset_index") and hasattr(values, "columns"):
        values = values.reset_index(drop=not any(values.index.names)).to_dict("records")
    elif hasattr(values, "to_dicts"):  # polars
        values = values.to_dicts()
    try:
        records = ordered(values)
    except (TypeError, ValueError):
        return None
    if isinstance(values, UNORDERED) or not all(
        isinstance(record, Mapping) for record in records
    ):
        return None
    rows = []
    for number, record in enumerate(records, 1):
        cells = {}
        for name, cell in record.items():
            cells[str(name)] = "" if is_missing(cell) else str(cell)
        rows.append(InputRow(number, number, cells))
    return rows


def encoded(text: Any, where: str, role: str) -> bytes:  # noqa: ANN401 - checked here
    """Return a text, or its sentences, in UTF-8; raise UsageError for anything else."""
    if isinstance(text, str):
        return text.encode("utf-8", "replace")
    if is_missing(text):
        remedy = 'leave the eval out, or give a string ("" for an empty text)'
        raise UsageError(
            f"the {role} is missing ({text!r})", where=where, remedy=remedy
        )
    try:
        sentences = items(text, "text")
    except ValueError:
        sentences = [None]
    if all(isinstance(sentence, str) for sentence in sentences):
        return encoded("\n".join(sentences), where, role)
    what = f"not a text but {type(text).__name__}: {text!r:.60}"
    remedy = READS_FILES if isinstance(text, os.PathLike) else "give a string"
    if sentences and all(isinstance(number, int) for number in sentences):
        remedy += (
            '; join token ids by blanks, for tokenizer="whitespace"'
            " (docs/how-to/questions.md)"
        )
    raise UsageError(what, where=where, remedy=remedy)
