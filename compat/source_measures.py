"""Record the statistics of SummEval as goldens: fixtures/source/summ_eval.jsonl.

    python compat/source_measures.py > fixtures/source/summ_eval.jsonl

Run it with a Python that has the packages summ-eval 0.892, gin-config and six, and not
rouge-cli. Its statistics run Newsroom's code for fragments, as its documentation says.
The package is a black box: the results of calls are recorded. It asks spaCy for tokens;
a stand-in splits texts at blanks, so that the tokens are those of the case.
"""

from __future__ import annotations

import json
import random
import sys
from importlib import import_module
from importlib.metadata import version
from types import ModuleType

ALPHABETS = (
    "a b",
    "a b c d",
    " ".join(f"w{number}" for number in range(25)),
    "the of a cat cats sat on mat running , . 3.5 don't e-mail é Köln",
)
CASES = 240


class Token(str):
    """A token with its text, as spaCy's."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The token itself."""
        return str(self)


def tokens(text: str, **_: object) -> list[Token]:
    """Return the words between blanks."""
    return list(map(Token, text.split()))


def main() -> None:
    """Print a record for each case."""
    stand_in = ModuleType("spacy")
    stand_in.load = lambda *_: tokens  # type: ignore[attr-defined]
    sys.modules["spacy"] = stand_in
    metric = import_module("summ_eval.data_stats_metric").DataStatsMetric(n_gram=4)
    draw = random.Random(48)
    for number in range(CASES):
        words = ALPHABETS[number % len(ALPHABETS)].split()
        source = draw.choices(words, k=draw.randint(0, 40))
        summary = draw.choices(words, k=draw.randint(0, 12))
        if len(source) > 8 and draw.random() < 0.7:  # with a copied part
            start = draw.randrange(len(source) - 5)
            summary[2:4] = source[start : start + draw.randint(2, 6)]
        texts = " ".join(summary), " ".join(source)
        record = {
            "summary": texts[0],
            "source": texts[1],
            "scores": metric.evaluate_example(*texts),
            "version": version("summ_eval"),
        }
        print(json.dumps(record, ensure_ascii=False))


if __name__ == "__main__":
    main()
