"""Plain text, which is SPL by another name: a line is a sentence, unless `--sentences` says otherwise."""

from __future__ import annotations

from rouge_cli.formats.spl import read, write

__all__ = ["read", "write"]
