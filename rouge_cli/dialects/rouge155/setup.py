"""What one run of ROUGE-1.5.5 is asked to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Metric
    from rouge_cli.text.limit import Limit

FORMATS = ("see", "spl", "isi", "simple")

# What `-t` asks for.
MEAN_OF_SCORES, MEAN_OF_COUNTS, TOTALS = 0, 1, 2


class Setup(NamedTuple):
    """All that the original's options say about scoring; the defaults are the original's.

    stem: stem peers and models (`-m`). stem_models: the models only (`-M`, QUIRKS 21).
    alpha: the weight of recall's reciprocal in F. averaging: one of the three constants above.
    confidence: in percent. samples: how often to resample. data_folder: None for our own word lists.
    """

    metrics: Sequence[Metric] = ()
    stem: bool = False
    stem_models: bool = False
    drop_stop_words: bool = False
    limit: Limit | None = None
    best_model: bool = False
    alpha: float = 0.5
    averaging: int = MEAN_OF_SCORES
    confidence: float = 95.0
    samples: float = 1000.0
    data_folder: str | None = None
