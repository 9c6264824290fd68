"""ROUGE 2.0's project folder: `reference/` and `system/`, with files named TASK_NAME.

    news/reference/doc1_ann.txt  news/reference/doc1_bob.txt
    news/system/doc1_lead.txt    news/system/doc1_extract.txt

A name is split at every `_`: the first part is the task, in any case, the second the system or the
reference, with its suffix if that is the last part; further parts are dropped. Files whose names start with
a dot are ignored (ROUGE 2.0's program reads them as texts, QUIRKS 55).
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from rouge_cli.core import Document, EvalTask, Notice
from rouge_cli.errors import RougeError, all_of, combine, shown
from rouge_cli.io import decoding, files
from rouge_cli.tasks.directories import entries, natural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.core import Notify

REFERENCE, SYSTEM = "reference", "system"
_MOST_ERRORS = 10


def read(
    folder: str, notify: Notify, *, encoding: str = decoding.UTF8, without_references: bool = False
) -> Sequence[EvalTask]:
    """Return the tasks that have systems, in natural order; ids are in capitals, as ROUGE 2.0 prints them.

    A system's id is its name; if a task has two with one name, the second's is that of its file
    (`system_name` returns the name of both). without_references: True if tasks may have none.
    Raises UnreadableFile if one of the two folders is missing, RougeError for names without `_` and for
    tasks without references.
    """
    references, systems = all_of(
        partial(_by_task, os.path.join(folder, side), side, notify) for side in (REFERENCE, SYSTEM)
    )
    alone = [task for task in systems if task not in references]
    if alone and not without_references:
        raise RougeError(
            f"no reference of task {shown(sorted(alone, key=natural))}",
            where=os.path.join(folder, REFERENCE),
            remedy="a reference's name begins with the task's, as in TASK_NAME.txt",
        )
    plain = decoding.is_utf8(encoding)

    def source(path: str) -> str | Document:
        return path if plain else Document(files.text(path, "text", encoding), path)

    return [
        EvalTask(
            task,
            {text_id: source(path) for text_id, path in _paths_by_id(systems[task]).items()},
            [(text_id, source(path)) for text_id, path in _paths_by_id(references.get(task, ())).items()],
            "plain",
            folder,
        )
        for task in sorted(systems, key=natural)
    ]


def system_name(peer_id: str) -> str:
    """Return the name that ROUGE 2.0 prints for a system."""
    parts = peer_id.split("_")
    return parts[1] if len(parts) > 1 else peer_id


def _by_task(folder: str, side: str, notify: Notify) -> Mapping[str, Sequence[str]]:
    """Return the paths by task in capitals, as ROUGE 2.0 prints it."""
    folders, names = entries(folder, f"{side} texts")
    if folders:
        notify(Notice(f"{folder}: sub-folders ignored ({shown(folders)})"))
    errors = [
        RougeError("no _ in the name", where=os.path.join(folder, name), remedy="call it TASK_NAME.txt")
        for name in names
        if "_" not in name
    ]
    if errors:
        raise combine(errors[:_MOST_ERRORS])
    if not names:
        raise RougeError("no file in it", where=folder, remedy="files with a leading dot are ignored")
    by_task: dict[str, list[str]] = {}
    for name in names:
        by_task.setdefault(name.partition("_")[0].upper(), []).append(os.path.join(folder, name))
    return by_task


def _paths_by_id(paths: Sequence[str]) -> Mapping[str, str]:
    """Return the paths by id."""
    named: dict[str, str] = {}
    for path in paths:
        file = os.path.basename(path)
        name = system_name(file)
        named[file if name in named else name] = path
    return named
