"""ROUGE-L and ROUGE-W: words in the same order, sentence against sentence.

For each sentence of the reference, ROUGE-L marks the union of its longest common
subsequences (LCS) with all sentences of the prediction. It counts the marked words,
each at most as often as it occurs in either text. ROUGE-W gives more weight to runs:
f(k) = k^W for k words in a row. Both depend on sentence boundaries; a summary on one
long line is one sentence. Source: Lin 2004, sections 3 and 4. QUIRKS 16 to 19 list the
differences of the original from the paper.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import inf

from rouge_cli.core import Counts, Match, Text, number, terms
from rouge_cli.metrics import Marks, Matches, Metric, _lcs, overlap
from rouge_cli.metrics._lcs import GUARD, layout, marked_bits, positions, power, union
from rouge_cli.metrics.ngram import grams

LABELS = ("ROUGE-L", "ROUGE-W-1.2")
# Perl reads an integer from `3` or `3e0`, but not from `3.0` or `3x`.
_PERL_INTEGER = r"(?i)\+?(\d+|[\d.]+e[+-]?\d+)"


class Lcs(Metric):
    """ROUGE-L, and the base class of ROUGE-W: words on the LCS of the sentences of
    two texts.
    """

    label = "ROUGE-L"
    needs_sentences = True
    rounds_rank = False
    command_words: tuple[str, ...] = ()  # computed by default, unless -x is used

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the words of the reference's sentences, the prediction's words, and
        the marked words.
        """
        marked = union(_paths(reference, prediction))
        token_of = reference.once(layout).tokens.__getitem__
        words = Counter[Hashable](map(token_of, marked_bits(marked)))
        match = overlap(words & reference.once(grams, 1), prediction.once(grams, 1))
        return self.counts(
            sum(map(len, reference.sentences)), len(prediction.tokens), match
        )

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the words or runs that count, and the marks of words on a path.

        In each sentence of the prediction, the last words that fit a path are on it,
        and they count first.
        """
        rows = reference.once(layout)
        by_sentence = self.paths(reference, prediction)
        marked = union(by_sentence)
        runs = list(self.runs(reference, prediction, marked))
        counted = list(chain.from_iterable(runs))

        on_path: set[int] = set()  # positions in the prediction
        start = 0
        for path, sentence in zip(by_sentence, prediction.sentences, strict=True):
            for words in _lcs.tokens_of_sentences(rows, path):
                for place in _last_places(words, sentence):
                    on_path.add(start + place)
            start += len(sentence)

        # The words on a path count first, then other words that are the same.
        tokens = list(chain.from_iterable(prediction.sentences))
        left = Counter(rows.tokens[row] for row in counted)
        in_prediction: set[int] = set()
        for position in dict.fromkeys([*sorted(on_path), *range(len(tokens))]):
            token = tokens[position]
            if left[token] > 0:
                left[token] -= 1
                in_prediction.add(position)

        position_of = positions(rows)
        in_reference = {position_of[row] for row in counted}
        on_path_in_reference = {position_of[row] for row in marked_bits(marked)}
        return Matches(
            self.matches_of_runs(reference, prediction, marked, runs),
            Marks(in_reference, on_path_in_reference),
            Marks(in_prediction, on_path),
        )

    def paths(self, reference: Text, prediction: Text) -> Sequence[int]:
        """Return, for each sentence of the prediction, the rows of the reference on
        its path.
        """
        return _paths(reference, prediction)

    def runs(
        self, reference: Text, prediction: Text, marked: int
    ) -> Iterator[list[int]]:
        """Yield the marked rows that count: the first of each word, as many as both
        have (QUIRKS 16).
        """
        tokens = reference.once(layout).tokens
        left = Counter(reference.tokens) & Counter(prediction.tokens)
        for row in marked_bits(marked):
            if left[tokens[row]] > 0:
                left[tokens[row]] -= 1
                yield [row]

    def matches_of_runs(
        self, reference: Text, prediction: Text, marked: int, runs: Sequence[list[int]]
    ) -> list[Match]:
        """Return the words that count, the most frequent first."""
        tokens = reference.once(layout).tokens
        on_path = Counter(tokens[row] for row in marked_bits(marked))
        times = Counter(tokens[row] for (row,) in runs)
        in_prediction = Counter(prediction.tokens)
        matches = []
        for word in on_path:
            if times[word]:
                matches.append(
                    Match((word,), on_path[word], in_prediction[word], times[word])
                )
        matches.sort(key=lambda match: -match.counted)
        return matches


class WeightedLcs(Lcs):
    """ROUGE-W with the weight function f(k) = k^weight.

    Args:
        weight: A number above 0.
        as_typed: The weight as in the label, if not written in the shortest way
            (`1.20`).
    """

    reading = "clipped"
    rank_name = "root of match over the sentences' weights"
    divides_by_reference = True

    def __init__(self, weight: float, as_typed: str = "") -> None:
        self.weight = self.root = weight
        self.written_root = as_typed or repr(weight).removesuffix(".0")
        self.label = f"ROUGE-W-{self.written_root}"
        self.command_words = "-w", self.written_root
        self._exponent = weight
        typed = as_typed.strip() or "1"
        if float(weight).is_integer() and re.fullmatch(_PERL_INTEGER, typed):
            self._exponent = int(weight)

    def counts(self, reference: float, prediction: float, match: float) -> Counts:
        """Return the counts, with those of both texts raised to the weight, as in the
        original.

        The count of the reference is already a sum of weights, so it is raised twice,
        the prediction's count, a number of words, once (QUIRKS 19).
        """
        rank = power(match / reference, 1 / self.weight) if reference else 0.0
        return Counts(
            power(reference, self._exponent),
            power(prediction, self._exponent),
            match,
            rank,
        )

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Return the weights of the reference's sentences, of the prediction, and of
        the marked runs.
        """
        weight = self._weights(reference)
        marked = union(self.paths(reference, prediction))
        match = 0.0
        for run in self.runs(reference, prediction, marked):
            match += weight[len(run)]
        lengths = 0.0
        for sentence in reference.sentences:
            lengths += weight[len(sentence)]
        return self.counts(lengths, len(prediction.tokens), match)

    def paths(self, reference: Text, prediction: Text) -> Sequence[int]:
        """Return the rows on the weighted path of each sentence of the prediction."""
        rows = reference.once(layout)
        weight = self._weights(reference)
        plain = _paths(reference, prediction)
        weighted = []
        for sentence, path in zip(prediction.sentences, plain, strict=True):
            weighted.append(_lcs.weighted_path(rows, sentence, path, weight))
        return weighted

    def runs(
        self, reference: Text, prediction: Text, marked: int
    ) -> Iterator[list[int]]:
        """Yield the rows of each run that counts; QUIRKS 17 describes how runs end."""
        left_in_reference = Counter(reference.tokens)
        left_in_prediction = Counter(prediction.tokens)
        marked_rows = set(marked_bits(marked))
        run: list[int] = []
        for row, token in enumerate(reference.once(layout).tokens):
            if token == GUARD:
                run = []  # the sentence ends, and the unfinished run is lost
            elif (
                row in marked_rows
                and left_in_reference[token] > 0
                and left_in_prediction[token] > 0
            ):
                left_in_reference[token] -= 1
                left_in_prediction[token] -= 1
                run.append(row)
                if row + 1 not in marked_rows:
                    yield run
                    run = []

    def matches_of_runs(
        self,
        reference: Text,
        _prediction: Text,
        _marked: int,
        runs: Sequence[list[int]],
    ) -> list[Match]:
        """Return the runs in order, each with its weight."""
        tokens = reference.once(layout).tokens
        weight = self._weights(reference)
        matches = []
        for run in runs:
            words = tuple(tokens[row] for row in run)
            matches.append(Match(words, 1, None, 1, weight[len(run)]))
        return matches

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the runs that count, and the steps from their weights to the counts
        (QUIRKS 19).
        """
        shared = super().matches(reference, prediction)
        counts = self.count(reference, prediction)
        exponent = self.written_root
        lengths = []
        for sentence in reference.sentences:
            if sentence:
                lengths.append(f"{len(sentence)}^{exponent}")
        runs = [f"{len(match.unit)}^{exponent}" for match in shared.matches]
        of_reference = f"({terms(lengths)})^{exponent}"
        of_prediction = f"{len(prediction.tokens)}^{exponent}"
        steps = [
            f"reference = {of_reference} = {number(counts.reference)}",
            f"prediction = {of_prediction} = {number(counts.prediction)}",
            f"match = {terms(runs)} = {number(counts.match)}",
        ]
        return shared._replace(steps=steps)

    def _weights(self, reference: Text) -> list[float]:
        """Return the weights of runs up to the longest sentence of the reference,
        and one more.
        """
        longest = max(map(len, reference.sentences), default=0)
        return _lcs.weights(longest + 1, self._exponent)


def parse(label: str) -> Lcs | None:
    """Return the metric of a label; None if the label is not of this family."""
    if label == "ROUGE-L":
        return Lcs()
    match = re.fullmatch(
        r"ROUGE-W-((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)", label
    )
    if match and 0 < float(match[1]) < inf:
        return WeightedLcs(float(match[1]), match[1])
    return None


def _last_places(words: Sequence[int], sentence: Sequence[int]) -> list[int]:
    """Return where the words of a subsequence are in a sentence: as far to its end as
    possible, the last word first.
    """
    places = []
    place = len(sentence)
    for word in reversed(words):
        place -= 1
        while sentence[place] != word:
            place -= 1
        places.append(place)
    return places


@lru_cache(maxsize=1)
def _paths(reference: Text, prediction: Text) -> list[int]:
    """Return the paths of a pair; the last result is cached, since ROUGE-L and
    ROUGE-W use it in turn.
    """
    return _lcs.paths(reference.once(layout), prediction.sentences)
