"""`--sentences`: whatever the rule, a sentence that it finds is one, in every dialect."""

import random
from collections.abc import Sequence

import pytest

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.studies import equivalents

CHANCE = random.Random(5)
WORDS = ["the", "dog", "cat", "sat", "ran", "bird", "mat"]


def text(sentences: int) -> str:
    """Return a text whose lines end within sentences, which end at <q>."""
    parts = []
    for _ in range(sentences):
        words = [CHANCE.choice(WORDS) for _ in range(9)]
        words.insert(CHANCE.randrange(1, 8), "\n")
        parts.append(" ".join(words).replace(" \n ", "\n"))
    return "<q>".join(parts)


PREDICTIONS = [text(3) for _ in range(6)]
REFERENCES = [text(3) for _ in range(6)]


def joined(texts: Sequence[str], mark: str) -> list[str]:
    """Return the texts with the sentences of a mark on lines; all on one without a
    mark.
    """
    lines = [text.replace("\n", " ") for text in texts]
    return [line.replace(mark, "\n") for line in lines] if mark else lines


@pytest.mark.parametrize("mark", ["", "<q>"])
@pytest.mark.parametrize("name", equivalents.IDENTIFIABLE)
def test_a_sentence_is_one_line(name: str, mark: str) -> None:
    """Texts whose sentences are found by `none` or `mark:<q>` score as texts with each
    of these sentences on a line.
    """
    how = f"mark:{mark}" if mark else "none"

    def score(
        predictions: Sequence[str], references: Sequence[str], sentences: str
    ) -> object:
        return rouge_cli.score(
            predictions,
            references,
            dialect=DialectName(name),
            sentences=sentences,
            samples=0,
            notify=lambda _: None,
        ).to_dict()

    found = score(PREDICTIONS, REFERENCES, how)
    lines = score(joined(PREDICTIONS, mark), joined(REFERENCES, mark), "newline")

    assert found == lines
