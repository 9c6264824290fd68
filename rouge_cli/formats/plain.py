"""Plain text, another name for SPL: each line is a sentence, unless `--sentences` is used."""

from __future__ import annotations

from rouge_cli.formats.spl import read, write

__all__ = ["read", "write"]
