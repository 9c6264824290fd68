"""The texts that were summarized, in files of their own: lines, or a folder of texts.

They are read beside predictions as another reference would be, so that the same rules
say which text belongs to which eval. Records have them in a column (`columns`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.tasks import contents, directories, kinds, lines
from rouge_cli.tasks.file_order import natural
from rouge_cli.tasks.streams import Stream

if TYPE_CHECKING:
    from rouge_cli.core import EvalTask, Notice, Notify
    from rouge_cli.tasks.contents import Operand


def of_lines(
    systems: Mapping[str, str],
    references: Sequence[str],
    sources: str,
    encoding: str,
) -> Stream:
    """Return the evals of line-aligned files (`lines.read`) with their sources.

    Args:
        systems: System -> path of its predictions.
        references: Paths of references.
        sources: Path of the sources, whose line n is of eval n, too.
        encoding: The encoding of all files.
    """
    paths = [*references, sources]
    read = lines.read(systems, paths, encoding=encoding, has_source=True)
    return Stream(_last_as_source(read))


def of_records(
    source: str | None, references: Sequence[Operand], kind: str | None
) -> tuple[Operand | None, str | None]:
    """Return the file of sources beside records, and the column of sources in the
    records of references; one of them, or none, is not None.

    Args:
        source: A file or a folder if there is one of this name, else a column.
        references: The files of references.
        kind: The kind of all files; None to detect it.

    Raises:
        UsageError: If there is neither a file nor a column.
    """
    if source is None:
        return None, None
    if os.path.exists(source):
        return contents.operand_of(contents.SOURCE, "", source, kind), None
    read_kinds = {kind for operand in references for kind in operand.files.values()}
    if read_kinds == {kinds.LINES}:
        raise UsageError(
            f"--source {source}: no such file, and references are lines of text",
            remedy="name a file with a source on each line",
        )
    return None, source


def _last_as_source(tasks: Iterable[EvalTask]) -> Iterator[EvalTask]:
    """Yield the evals with the last of their references as the source."""
    for task in tasks:
        *references, (_, source) = task.references
        yield task._replace(references=references, source=source)


def of_folders(  # noqa: PLR0913 - as `directories.read`
    tasks: Sequence[EvalTask],
    predictions: str,
    sources: str,
    input_format: str,
    *,
    prediction_pattern: str | None,
    notify: Notify,
    encoding: str = files.UTF8,
) -> list[EvalTask]:
    """Return the evals of folders with their sources.

    Args:
        tasks: The evals of predictions and references.
        predictions: The folder of predictions.
        sources: The folder of sources, whose names belong to evals as those of
            references do; or a file, for a single eval.
        input_format: The format of the texts.
        prediction_pattern: The pattern of the names of predictions.
        notify: Receives notices.
        encoding: The encoding of the texts.

    Raises:
        RougeError: If an eval has no source, or several.
    """

    def notify_of_sources(notice: Notice) -> None:
        # Predictions were read, and their notices passed on, before.
        if sources in notice.message:
            notify(notice)

    read = directories.read(
        predictions,
        sources,
        input_format,
        prediction_pattern=prediction_pattern,
        notify=notify_of_sources,
        encoding=encoding,
    )
    by_eval = {task.eval_id: task.references for task in read}
    evals = []
    for task in tasks:
        texts = by_eval[task.eval_id]
        if len(texts) > 1:
            names = sorted((name for name, _ in texts), key=natural)
            raise RougeError(
                f"{len(texts)} sources of eval {task.eval_id} ({', '.join(names[:3])})",
                where=sources,
                remedy="give each eval one source",
            )
        ((_, source),) = texts
        evals.append(task._replace(source=source))
    return evals
