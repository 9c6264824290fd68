"""Word lists that come with the package; README.md in this folder states their sources."""

from __future__ import annotations

import os

from rouge_cli.io import files


def read(name: str) -> bytes:
    """Return the bytes of a file in this folder."""
    return files.read(os.path.join(os.path.dirname(__file__), name), "word list of rouge-cli itself")
