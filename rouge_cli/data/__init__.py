"""Word lists that come with the package; README.md beside them says where each is from."""

from __future__ import annotations

import os

from rouge_cli import files


def read(name: str) -> bytes:
    """Return the bytes of one of this folder's files."""
    return files.read(os.path.join(os.path.dirname(__file__), name), "word list of rouge-cli itself")
