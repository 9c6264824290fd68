"""The selection of PreSumm's data builder (Liu and Lapata 2019, section 4.1), after the
greedy algorithm of Nallapati et al. (2017), with its faults.

It adds the sentence that most raises the sum of ROUGE-1 F and ROUGE-2 F, and stops at
the first step without a gain. These are not the scores of any ROUGE program:

- All characters but a-z, 0-9 and blanks are deleted, so that `state-of-the-art` is one
  word and `café` is `caf`.
- N-grams are sets: a repeated n-gram counts once.
- Bigrams of the document do not cross from a sentence to the next selected one; those
  of the reference, which is one text, do.
- F has 1e-8 added to its denominator.
- With several references, there is one: all of them in a row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rouge_cli.jobs.extracts import Budget, Extracts, SentenceChoice, greedy

_DELETED = re.compile(r"[^a-z0-9 ]")
_EPSILON = 1e-8
Grams = set[tuple[str, ...]]


def select(
    sentences: Sequence[bytes], references: Sequence[Sequence[bytes]], budget: Budget
) -> SentenceChoice:
    """Return PreSumm's selection; its value is the sum of both F, from 0 to 2.

    Args:
        sentences: The sentences of the document.
        references: The sentences of each reference.
    """
    target = []
    for reference in references:
        for sentence in reference:
            target += _words(sentence)
    targets = [_grams(target, n) for n in (1, 2)]

    def values(texts: Sequence[Sequence[bytes]]) -> list[float]:
        sums = []
        for text in texts:
            total = 0.0
            for n, wanted in enumerate(targets, 1):
                having: Grams = set()
                for sentence in text:
                    having |= grams[sentence, n]
                total += _f(having, wanted)
            sums.append(total)
        return sums

    grams = {}
    for sentence in sentences:
        words = _words(sentence)
        for n in (1, 2):
            grams[sentence, n] = _grams(words, n)
    return greedy(Extracts(sentences, budget, values))


def _words(sentence: bytes) -> list[str]:
    """Return the words that PreSumm compares, which its preparation has lower-cased."""
    text = sentence.decode("utf-8", "replace").lower()
    text = " ".join(text.split())
    return _DELETED.sub("", text).split()


def _grams(words: Sequence[str], n: int) -> Grams:
    """Return the different n-grams."""
    grams = set()
    for start in range(len(words) - n + 1):
        grams.add(tuple(words[start : start + n]))
    return grams


def _f(having: Grams, wanted: Grams) -> float:
    """Return F of two sets of n-grams."""
    match = len(having & wanted)
    precision = match / len(having) if having else 0.0
    recall = match / len(wanted) if wanted else 0.0
    return 2 * precision * recall / (precision + recall + _EPSILON)
