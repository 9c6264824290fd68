"""torchmetrics 1.9.0 (`rouge_score`, `ROUGEScore`): Google's rouge_score in single precision.

Tokens, stemmer and measures are those of rouge_score. Of several models each key takes the one with the
best F (`accumulate` best), or the mean over the models (`accumulate` avg). Scores have about seven digits.
There is no rougeLsum: torchmetrics splits sentences with nltk's punkt, ignoring lines.
"""

from __future__ import annotations
