"""Plain text, another name for SPL: each line is a sentence, unless `--sentences` is
used.
"""

from rouge_cli.formats.spl import read, write

__all__ = ["read", "write"]
