"""Google's rouge_score (PyPI `rouge-score` 0.1.2), and Hugging Face's metric on top of it.

Tokens are runs of a-z and 0-9 of the lower-cased text; scores are never rounded; of several models each
type takes the one with the best F. A drop-in for Python code: `from rouge_cli.dialects.google import
rouge_scorer, scoring` in place of `from rouge_score import rouge_scorer, scoring`, and `compute` for
`evaluate.load("rouge").compute`.
"""

from rouge_cli.dialects.google import rouge_scorer, scoring
from rouge_cli.dialects.google.hugging_face import compute
from rouge_cli.dialects.google.rouge_scorer import RougeScorer
from rouge_cli.dialects.google.scoring import AggregateScore, BootstrapAggregator, Score

__all__ = [
    "AggregateScore",
    "BootstrapAggregator",
    "RougeScorer",
    "Score",
    "compute",
    "rouge_scorer",
    "scoring",
]
