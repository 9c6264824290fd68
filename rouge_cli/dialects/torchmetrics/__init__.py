"""torchmetrics 1.9.0 (`rouge_score`, `ROUGEScore`): Google's rouge_score in single precision.

Tokens, stemmer and measures are those of rouge_score. Of several models, each key takes the one with the
best F (`accumulate` best), or the mean over the models (`accumulate` avg). Scores have about seven digits.
rougeLsum takes the sentences that nltk's punkt finds, whatever the lines are (extra `punkt`).

A drop-in for Python code, without torch: `ROUGEScore` and `rouge_score` of rouge_cli.dialects.torchmetrics
in place of torchmetrics.text and torchmetrics.functional.text. Figures are numbers, not tensors.
"""

from rouge_cli.dialects.torchmetrics.metric import ROUGEScore, rouge_score

__all__ = ["ROUGEScore", "rouge_score"]
