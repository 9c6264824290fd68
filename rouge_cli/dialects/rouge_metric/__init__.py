"""The Python class of PyPI's `rouge-metric` 1.0.1, PyRouge: ROUGE-1.5.5's counts, without rounding.

ROUGE-N, L, W, S and SU count as ROUGE-1.5.5 does, also with several models. Words, however, are separated
by white space and keep their case; nothing is stemmed or rounded; the average F is computed from the mean R
and the mean P; and `best` takes the model with the best R for ROUGE-W, too.

A drop-in for Python code: `from rouge_cli.dialects.rouge_metric import PyRouge` in place of
`from rouge_metric import PyRouge`. (That package's PerlRouge runs the original: dialect rouge155.)
"""

from rouge_cli.dialects.rouge_metric.program import PyRouge

__all__ = ["PyRouge"]
