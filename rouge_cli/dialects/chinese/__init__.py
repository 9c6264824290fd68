"""PyPI's `rouge-chinese` 1.0.3: `rouge` with other sentences, and ROUGE-L of the whole text.

Words are separated by white space, so Chinese has to be segmented first. Lines, the Chinese full stop and
exclamation mark, and both question marks end sentences, and the words in them. Each n-gram counts
once, but ROUGE-L counts repeated words. F is 2 P R / (P + R + 1e-8). The package has one model for each
peer; of several the mean of the scores is taken.

A drop-in for Python code: `from rouge_cli.dialects.chinese import FilesRouge, Rouge` in place of
`from rouge_chinese import FilesRouge, Rouge`. Long texts take seconds there, and no time here.
"""

from __future__ import annotations

from rouge_cli.dialects.chinese.program import FilesRouge, Rouge

__all__ = ["FilesRouge", "Rouge"]
