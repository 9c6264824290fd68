"""PyPI's `rouge-chinese` 1.0.3: `rouge` with other sentences, and ROUGE-L of the whole text.

Words are separated by white space, so segment Chinese first. Sentences, and the words in them, end with
the line and after the Chinese full stop, its exclamation mark and both question marks. Each n-gram counts
once, but ROUGE-L counts repeated words. F is 2 P R / (P + R + 1e-8). The package takes one model for each
peer; with several, scores are means here.

A drop-in for Python code: `from rouge_cli.dialects.chinese import FilesRouge, Rouge` in place of
`from rouge_chinese import FilesRouge, Rouge`. It is much faster on long texts.
"""

from rouge_cli.dialects.chinese.program import FilesRouge, Rouge

__all__ = ["FilesRouge", "Rouge"]
