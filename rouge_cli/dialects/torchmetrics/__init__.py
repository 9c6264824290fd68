"""torchmetrics 1.9.0 (`rouge_score`, `ROUGEScore`): Google's rouge_score in single precision.

Tokens, stemmer and measures are those of rouge_score. Of several models each key takes the one of the best
F (`accumulate` best), or the mean over the models (`accumulate` avg). Scores have seven digits or so.
rougeLsum is not here: torchmetrics finds its sentences with nltk's punkt, whatever the lines are.

A drop-in for Python code, without torch: `ROUGEScore` and `rouge_score` of rouge_cli.dialects.torchmetrics
in place of torchmetrics.text and torchmetrics.functional.text. Figures are numbers, not tensors. It has
rougeLsum, if nltk has punkt's data.
"""

from __future__ import annotations

from rouge_cli.dialects.torchmetrics.metric import ROUGEScore, rouge_score

__all__ = ["ROUGEScore", "rouge_score"]
