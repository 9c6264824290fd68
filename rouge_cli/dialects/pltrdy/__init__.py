"""PyPI's package `rouge` 1.0.1 (pltrdy's): n-grams as sets, and a ROUGE-L of its own.

Words stand between white space, in upper and lower case as they come; sentences end at every `.`, also in
`U.S.` and `3.5`, and the end of a line is only white space. Each n-gram counts once, however often it
comes. ROUGE-L takes the different words on any longest common subsequence of two sentences. F is
2 P R / (P + R + 1e-8). One model for each peer; of several ours takes the mean of the scores.

A drop-in for Python code: `from rouge_cli.dialects.pltrdy import FilesRouge, Rouge` in place of
`from rouge import FilesRouge, Rouge`. It has no limit of recursion, which long sentences
exceed in the package.
"""

from __future__ import annotations

from rouge_cli.dialects.pltrdy.program import FilesRouge, Rouge

__all__ = ["FilesRouge", "Rouge"]
