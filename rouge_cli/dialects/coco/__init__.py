"""ROUGE-L of captions, as in pycocoevalcap 1.2: the best P and the best R of all models, beta 1.2.

The longest common subsequence of the whole texts, split at single blanks (with an empty word
between two blanks). P is the highest of all models, and R too, though perhaps of another model; F is
2.44 P R / (R + 1.44 P). COCO's evaluation lower-cases and tokenizes the captions first: do the same, since
the measure itself does neither.

A drop-in for Python code: `from rouge_cli.dialects.coco import Rouge` in place of
`from pycocoevalcap.rouge.rouge import Rouge`.
"""

from rouge_cli.dialects.coco.program import Rouge, my_lcs

__all__ = ["Rouge", "my_lcs"]
