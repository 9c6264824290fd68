"""LCS-MEAD: normalized pairwise LCS, the metric of the MEAD toolkit that ROUGE-L was
compared with.

The score of a sentence is the length of its longest common subsequence (LCS) with the
best matching sentence of the other text. Recall is the sum over the reference's
sentences divided by the reference's words. Precision is the sum over the prediction's
sentences divided by the prediction's words. If both sums are equal, F (alpha 0.5) is
MEAD's score: the sum of both divided by all words. Unlike in ROUGE-L, several sentences
are not combined to match one sentence.

The source is Radev et al. 2002, page 51, as defined by Lin 2004, section 3.3, equations
8 to 12. Lin equates the two sums "due to symmetry", but they differ if sentences share
their best match.
"""

from collections import Counter
from itertools import chain

from rouge_cli.core import Counts, Match, Text
from rouge_cli.metrics import Marks, Matches, Metric
from rouge_cli.metrics._lcs import layout, lengths, marked_bits, paths, rows

LABEL = "LCS-MEAD"
LABELS = (LABEL,)


class MeadLcs(Metric):
    """LCS-MEAD."""

    label = LABEL
    needs_sentences = True

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the words of both texts, and sum for each text the best LCS of its
        sentences.
        """
        rows = reference.once(layout)
        # For each sentence of the prediction, its LCS with each of the reference.
        table = []
        for sentence in prediction.sentences:
            table.append(lengths(rows, sentence))
        match = sum(map(max, zip(*table, strict=True)))
        of_prediction = sum(max(lcs, default=0) for lcs in table)

        words = sum(map(len, reference.sentences))
        words_of_prediction = sum(map(len, prediction.sentences))
        counts = self.counts(words, words_of_prediction, match)
        return counts._replace(prediction_match=of_prediction)

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the reference's words that count, and for each text the words on
        its best LCS.
        """
        on_reference = _on_best_matches(reference, prediction)
        on_prediction = _on_best_matches(prediction, reference)
        tokens = list(chain.from_iterable(reference.sentences))
        in_reference = Counter(tokens)
        in_prediction = Counter(chain.from_iterable(prediction.sentences))
        counted = Counter(tokens[position] for position in sorted(on_reference))
        words = []
        for word, times in counted.most_common():
            match = Match((word,), in_reference[word], in_prediction[word], times)
            words.append(match)
        return Matches(
            words,
            Marks(on_reference, on_reference),
            Marks(on_prediction, on_prediction),
        )


def parse(label: str) -> MeadLcs | None:
    """Return the metric of a label; None if the label is not of this family."""
    return MeadLcs() if label == LABEL else None


def _on_best_matches(text: Text, other: Text) -> set[int]:
    """Return the positions of words on the LCS of each sentence with its best match."""
    positions: set[int] = set()
    start = 0
    for sentence in text.sentences:
        by_sentence = paths(rows([sentence]), other.sentences)
        path = max(by_sentence, key=int.bit_count, default=0)
        positions.update(start + row for row in marked_bits(path))
        start += len(sentence)
    return positions
