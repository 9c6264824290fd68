"""What one run of ROUGE-1.5.5 is asked to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.text.survey import survey
from rouge_cli.text.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rouge_cli.core import Metric
    from rouge_cli.text.limit import Limit
    from rouge_cli.text.survey import Survey

FORMATS = ("see", "spl", "isi", "simple")

# What `-t` asks for.
MEAN_OF_SCORES, MEAN_OF_COUNTS, TOTALS = 0, 1, 2


class Setup(NamedTuple):
    """All that the original's options say about scoring; the defaults are the original's.

    stem: stem peers and models (`-m`). stem_models: the models only (`-M`, QUIRKS 21).
    alpha: the weight of precision in F: 1 is P, 0 is R. averaging: one of the three constants above.
    confidence: in percent. samples: how often to resample; 0 for the plain mean without an interval.
    data_folder: None for our own word lists.

    What follows has no option of the original's; the defaults are what it does. seed: of the bootstrap.
    tokenize: a sentence to its tokens. stemmer: None for Porter's with irregular forms, which leaves short
    words alone. irregular: form -> base form for that stemmer; None for the data folder's. stop_words: None
    for the list of the data folder. split: a text to its sentences; None for those of its input format.
    survey: looks for what costs points in a text.
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
    seed: int = 0
    tokenize: Callable[[bytes], Sequence[bytes]] = tokens
    stemmer: Callable[[bytes], bytes] | None = None
    irregular: Mapping[bytes, bytes] | None = None
    stop_words: frozenset[bytes] | None = None
    split: Callable[[bytes], Sequence[bytes]] | None = None
    survey: Survey = survey
