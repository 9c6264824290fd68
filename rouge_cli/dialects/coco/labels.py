"""ROUGE_L of captions: the longest common subsequence of whole texts (--dialect coco).

P and R are the best of all models, each for itself, and F has beta 1.2, as in pycocoevalcap.
"""

from __future__ import annotations

# Labels that no other dialect has.
LABELS = ("ROUGE_L",)
