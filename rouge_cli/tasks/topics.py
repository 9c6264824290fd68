"""Folders of topics with timelines, as in the data sets of timeline summarization, and of predictions.

TOPIC/timelines/*      dated blocks of text, a reference a file (timeline17, crisis)
TOPIC/timelines.jsonl  a reference a line (news-tls: T17, crisis, entities)
TOPIC/*.txt            or .json, .jsonl
TOPIC.txt              or .json, .jsonl
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError, UnreadableFile
from rouge_cli.io import files

if TYPE_CHECKING:
    from collections.abc import Sequence

SUFFIXES = (".txt", ".json", ".jsonl")


def read(folder: str) -> dict[str, Sequence[str]]:
    """Return the paths of timelines by topic, both in the order of their names.

    Folders without timelines are skipped. Raises UnreadableFile, and RougeError for a folder without any.
    """
    topics: dict[str, Sequence[str]] = {}
    for name in _names(folder):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            if paths := _of_topic(path):
                topics[name] = paths
        elif files.uncompressed(name).endswith(SUFFIXES):
            topic = files.stem(name)
            if topic in topics:
                raise RougeError(
                    f"two topics are called {topic}", where=folder, remedy="rename one of them"
                )
            topics[topic] = [path]
    if not topics:
        raise RougeError(
            "no timelines in this folder",
            where=folder,
            remedy="a topic is a folder with timelines/ or timelines.jsonl in it, or a file TOPIC.txt",
        )
    return topics


def _of_topic(folder: str) -> list[str]:
    inner = os.path.join(folder, "timelines")
    if os.path.isdir(inner):
        return [os.path.join(inner, name) for name in _names(inner)]
    records = f"{inner}.jsonl"
    if os.path.isfile(records):
        return [records]
    return [
        os.path.join(folder, name)
        for name in _names(folder)
        if files.uncompressed(name).endswith(SUFFIXES) and os.path.isfile(os.path.join(folder, name))
    ]


def _names(folder: str) -> list[str]:
    """Return the names in the folder, sorted, without hidden files."""
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except (OSError, ValueError) as reason:
        raise UnreadableFile(folder, reason, role="folder of topics") from None
