"""ROUGE_L of captions: the longest common subsequence of whole texts (--dialect coco).

P and R are each the best of all models, and F has beta 1.2, as in pycocoevalcap.
"""

# Labels of this dialect only.
LABELS = ("ROUGE_L",)
