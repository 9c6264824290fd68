"""ROUGE-1.5.5.pl (Lin 2004-2005): what it reads, counts, rounds and averages, in its order.

`setup` is what it is asked to do; `texts` goes from files to token ids; `scores` counts, combines the
models, rounds and averages.
"""

from rouge_cli.dialects.rouge155.scores import Rouge155
from rouge_cli.dialects.rouge155.setup import FORMATS, MEAN_OF_COUNTS, MEAN_OF_SCORES, TOTALS, Setup

__all__ = ["FORMATS", "MEAN_OF_COUNTS", "MEAN_OF_SCORES", "TOTALS", "Rouge155", "Setup"]
