"""korouge-score 0.1.4: Google's rouge_score on words between white space, for Korean.

Texts are lower-cased and split at white space; punctuation stays on the words. White space at the start or
end of a text gives an empty token, which counts and matches; so does an empty text, whose rouge1 against
another is 1. The stemmer is Porter's, for English words. The rest is rouge_score's.

A drop-in for Python code: `from rouge_cli.dialects.korouge import rouge_scorer, scoring` in place of
`from korouge_score import rouge_scorer, scoring`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from rouge_cli.core import Notify, Text
from rouge_cli.dialects import Dialect, label_parser
from rouge_cli.dialects.google import program, scoring
from rouge_cli.dialects.google.rouge_scorer import RougeScorer as RougeScoreScorer
from rouge_cli.dialects.google.rouge_scorer import stem
from rouge_cli.options import Options, one_of

__all__ = ["DIALECT", "RougeScorer", "rouge_scorer", "scoring"]


def tokens(text: str) -> list[str]:
    """Return the words of the lower-cased text, with an empty one for white space at its start or end."""
    return re.split(r"\s+", text.lower())


class RougeScorer(RougeScoreScorer):
    """`korouge_score.rouge_scorer.RougeScorer`, with the arguments of rouge_score's."""

    def __init__(
        self,
        rouge_types: Iterable[str],
        use_stemmer: bool = False,  # noqa: FBT001, FBT002 - the package's
        split_summaries: bool = False,  # noqa: FBT001, FBT002 - the package's
        tokenizer: Any = None,  # noqa: ANN401 - any object with `tokenize`
    ) -> None:
        form = stem if use_stemmer else str
        default = SimpleNamespace(tokenize=lambda text: list(map(form, tokens(text))))
        super().__init__(rouge_types, use_stemmer, split_summaries, tokenizer or default)


rouge_scorer = SimpleNamespace(RougeScorer=RougeScorer)


class Korouge(program.RougeScoreRun):
    """A run of the dialect."""

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        self._form = stem if one_of(options, "stemmer", "none", program.STEMMER) != "none" else str
        super().__init__(options, uses, notify, RougeScorer((), self._form is stem))

    def pairs(self, string: str, _: str) -> Sequence[tuple[str, str]]:
        """Return the tokens of a text, each with its counted form."""
        return [(token, self._form(token)) for token in tokens(string)]

    def is_empty(self, text: Text) -> bool:
        """Return True if all tokens are empty."""
        return not any(text.words)


DIALECT = Dialect(
    program.DEFAULTS_OF_FORKS,
    label_parser("korouge", program.LABELS),
    Korouge,
    stemmer=program.STEMMER,
)
