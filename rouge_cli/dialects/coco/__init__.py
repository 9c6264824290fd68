"""ROUGE-L of captions, as pycocoevalcap 1.2 has it: the best P and the best R of all models, beta 1.2.

The longest common subsequence of the whole texts, whose words stand between single blanks (an empty word
stands between two). P is the highest of all models, R too, though not always the same model's; F is
2.44 P R / (R + 1.44 P). COCO's evaluation lower-cases and tokenizes the captions first: do the same, the
measure alone does neither.

A drop-in for Python code: `from rouge_cli.dialects.coco import Rouge` in place of
`from pycocoevalcap.rouge.rouge import Rouge`.
"""

from __future__ import annotations

from rouge_cli.dialects.coco.program import Rouge, my_lcs

__all__ = ["Rouge", "my_lcs"]
