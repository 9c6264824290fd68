"""Locks of runs, which `score --lock` writes and `verify` reads: the words of the
command line, digests of the texts, and scores.
"""

import json
from collections.abc import Iterable, Sequence

from rouge_cli.errors import RougeError
from rouge_cli.io import files
from rouge_cli.results.base import Record
from rouge_cli.results.scores import Results, average_record

LOCK = "rouge-cli lock 1"
_FIELDS = {
    "schema": str,
    "command": list,
    "signature": str,
    "texts": dict,
    "scores": dict,
}


def lock(report: Results, words: Sequence[str], paths: Iterable[str]) -> Record:
    """Return what `verify` repeats and compares: the words of the command line,
    digests and scores.
    """
    from hashlib import sha256  # loads OpenSSL

    records = [average_record(result, 1.0) for result in report.results]
    return {
        "schema": LOCK,
        "command": words,
        "signature": report.signature,
        "texts": {path: sha256(files.read(path, "text")).hexdigest() for path in paths},
        "scores": {
            f"{record['system']} {record['metric']}": record for record in records
        },
    }


def read(path: str) -> Record:
    """Return the lock in a file; raise RougeError if it has none."""
    try:
        lock = json.loads(files.read(path, "lock"))
    except (ValueError, RecursionError):
        lock = None
    is_lock = isinstance(lock, dict) and lock.get("schema") == LOCK
    if not is_lock or not all(
        isinstance(lock.get(name), _FIELDS[name]) for name in _FIELDS
    ):
        remedy = "write it: rouge-cli score INPUT --lock FILE"
        raise RougeError("not a lock of `score`", where=path, remedy=remedy)
    record: Record = lock
    return record
