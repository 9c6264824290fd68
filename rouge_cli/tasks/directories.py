"""Folders: files of equal stem are one eval; sub-folders are systems, or the people who wrote models."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rouge_cli.core import EvalTask, Notice
from rouge_cli.errors import RougeError, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Notify


def read(  # noqa: PLR0913 - two folders and how to read them
    peers: str,
    models: str,
    input_format: str,
    *,
    peer_pattern: str | None = None,
    model_pattern: str | None = None,
    notify: Notify,
    encoding: str = "utf-8",  # noqa: ARG001 - tasks hold paths here
) -> Sequence[EvalTask]:
    """The evals, in order of their stems.

    Raises RougeError for a peer without a model, UnreadableFile for a folder that cannot be read.
    """
    if peer_pattern or model_pattern:
        raise RougeError("patterns are not read here", remedy="name files of one eval by one stem")
    by_system, by_writer = _texts(peers), _texts(models)
    stems = sorted({stem for texts in by_system.values() for stem in texts})
    tasks = []
    for stem in stems:
        found = [(writer, texts[stem]) for writer, texts in by_writer.items() if stem in texts]
        if not found:
            raise RougeError(f"no model for {stem}", where=models)
        present = {system: texts[stem] for system, texts in by_system.items() if stem in texts}
        tasks.append(EvalTask(stem, present, found, input_format, peers))
    for stem in sorted({stem for texts in by_writer.values() for stem in texts} - set(stems)):
        notify(Notice(f"{models}: no peer for {stem}"))
    return tasks


def _texts(folder: str) -> dict[str, dict[str, str]]:
    """Sub-folder (or the folder itself) -> stem -> path."""
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
        nested = [name for name in names if os.path.isdir(os.path.join(folder, name))]
        if nested:
            return {name: texts for name in nested for texts in _texts(os.path.join(folder, name)).values()}
    except (OSError, ValueError) as reason:
        raise UnreadableFile(folder, reason, role="folder") from None
    own = os.path.basename(os.path.abspath(folder))
    return {own: {os.path.splitext(name)[0]: os.path.join(folder, name) for name in names}}
