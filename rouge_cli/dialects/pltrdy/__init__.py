"""PyPI's package `rouge` 1.0.1 (pltrdy's): n-grams as sets, and a ROUGE-L of its own.

Words are separated by white space and keep their case; sentences end at every `.`, also in
`U.S.` and `3.5`, and line ends are only white space. Each n-gram counts once, however often it
occurs. ROUGE-L counts the different words on any longest common subsequence of two sentences. F is
2 P R / (P + R + 1e-8). The package takes one model for each peer; with several, scores are means here.

A drop-in for Python code: `from rouge_cli.dialects.pltrdy import FilesRouge, Rouge` in place of
`from rouge import FilesRouge, Rouge`. Long sentences, which exceed the recursion limit in the
package, are scored.
"""

from rouge_cli.dialects.pltrdy.program import FilesRouge, Rouge

__all__ = ["FilesRouge", "Rouge"]
