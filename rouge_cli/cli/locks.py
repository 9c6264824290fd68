"""Locks of runs, which `score --lock` writes and `verify` reads: the words of the
command line, digests of the texts, and scores.
"""

import json
from collections.abc import Iterable, Sequence
from functools import partial
from typing import BinaryIO

from rouge_cli.errors import RougeError, UnreadableFile
from rouge_cli.io import files, urls
from rouge_cli.io.compression import PIECE
from rouge_cli.io.digests import sha256
from rouge_cli.results.base import Record
from rouge_cli.results.checks import is_texts
from rouge_cli.results.scores import Results, average_record

SCHEMA = "rouge-cli lock 1"
_FIELDS = {
    "schema": str,
    "command": list,
    "signature": str,
    "texts": dict,
    "scores": dict,
}


def of_report(report: Results, words: Sequence[str], paths: Iterable[str]) -> Record:
    """Return the lock of a run.

    Args:
        report: Its report.
        words: The command line after the command.
        paths: The files that were read.
    """
    scores = {}
    for result in report.results:
        record = average_record(result, 1.0)
        scores[f"{record['system']} {record['metric']}"] = record
    return {
        "schema": SCHEMA,
        "command": words,
        "signature": report.signature,
        "texts": {path: digest(path) for path in paths},
        "scores": scores,
    }


def digest(path: str) -> str:
    """Return the digest of a text that stands in locks; raise UnreadableFile, also for
    a pipe or a device, which is not opened: a lock may name any.
    """
    hashed = sha256()
    with _opened(path) as file:
        try:
            for piece in iter(partial(file.read, PIECE), b""):
                hashed.update(piece)
        except OSError as reason:
            raise UnreadableFile(path, reason, role="text") from None
    return hashed.hexdigest()


def _opened(path: str) -> BinaryIO:
    """Open a regular file, or a URL, to read bytes; raise UnreadableFile."""
    if not urls.is_url(path):
        return files.opened(path, "text")
    try:
        return urls.opened(path, whole=True)
    except OSError as reason:
        raise UnreadableFile(path, reason, role="text") from None


def read(path: str) -> Record:
    """Return the lock in a file; raise RougeError if it has none."""
    try:
        value = json.loads(files.read(path, "lock"))
    except (ValueError, RecursionError):
        value = None
    if not _is_lock(value):
        remedy = "write it: rouge-cli score INPUT --lock FILE"
        raise RougeError("not a lock of `score`", where=path, remedy=remedy)
    lock: Record = value
    return lock


def _is_lock(value: object) -> bool:
    """Return True for a record of this schema with all fields, each of its type."""
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        return False
    if not all(isinstance(value.get(name), kind) for name, kind in _FIELDS.items()):
        return False
    return is_texts(value["command"])
