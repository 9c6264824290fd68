"""What kind of input a file is, by its suffix or, where that says nothing, by how it begins."""

from __future__ import annotations

import os

from rouge_cli import files

SETTINGS, LIST, JSONL, JSON, CSV, TSV = "settings", "list", "jsonl", "json", "csv", "tsv"
PARQUET = "parquet"

_SUFFIXES = {
    ".xml": SETTINGS,
    ".lst": LIST,
    ".list": LIST,
    ".jsonl": JSONL,
    ".ndjson": JSONL,
    ".json": JSON,
    ".csv": CSV,
    ".tsv": TSV,
    ".parquet": PARQUET,
}
_STARTS = {b"<": SETTINGS, b"{": JSONL, b"[": JSON}


def is_list_by_name(path: str) -> bool:
    """Return whether the path has the suffix of a file list."""
    return _SUFFIXES.get(os.path.splitext(files.uncompressed(path))[1].lower()) == LIST


def kind(path: str) -> str:
    """One of the seven kinds above; `-` is stdin, which can be read from its start afterwards.

    Raises UnreadableFile where the content is asked and cannot be read.
    """
    suffix = os.path.splitext(files.uncompressed(path))[1].lower()
    return _SUFFIXES.get(suffix) or _STARTS.get(files.head(path, "input")[:1], LIST)
