"""ROUGE-1.5.5.pl (Lin 2004-2005): its reading, counting, rounding and averaging, in its order."""

from rouge_cli.dialects.rouge155.program import (
    FORMATS,
    MEAN_OF_COUNTS,
    MEAN_OF_SCORES,
    TOTALS,
    Rouge155,
    Setup,
)

__all__ = ["FORMATS", "MEAN_OF_COUNTS", "MEAN_OF_SCORES", "TOTALS", "Rouge155", "Setup"]
