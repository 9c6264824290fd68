"""korouge-score 0.1.4: Google's rouge_score on words between white space, for Korean.

Texts are lower-cased and split at white space; punctuation stays on the words. White
space at the start or end of a text gives an empty token, which counts and matches; so
does an empty text, whose rouge1 against another is 1. The stemmer is Porter's, for
English words. The rest is rouge_score's.

A drop-in for Python code: `from rouge_cli.dialects.korouge import rouge_scorer,
scoring` in place of `from korouge_score import rouge_scorer, scoring`.
"""

from types import SimpleNamespace

from rouge_cli.dialects.google import program, scoring
from rouge_cli.dialects.google.word_forms import stem

__all__ = ["DIALECT", "rouge_scorer", "scoring"]


class KorougeScorer(program.ForkScorer):
    """`korouge_score.rouge_scorer.RougeScorer`, with the arguments of rouge_score's."""

    def pairs(self, string: str, *, of_sentence: bool = False) -> list[tuple[str, str]]:  # noqa: ARG002
        """Return the words of the lower-cased text, with an empty one for white
        space at an end.
        """
        lower = string.lower()
        words = lower.split()
        if lower[:1].isspace():
            words.insert(0, "")
        if lower[-1:].isspace() or not words:
            words.append("")
        form = stem if self._tokenizer.stems else str
        return [(word, form(word)) for word in words]


rouge_scorer = SimpleNamespace(RougeScorer=KorougeScorer)


class Korouge(program.RougeScoreRun):
    """A run of korouge-score."""

    make = KorougeScorer


DIALECT = program.fork("korouge", Korouge)
