"""The module `rouge_score.rouge_scorer`, faster and with batches."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from rouge_cli import native
from rouge_cli.core import Counts, Text
from rouge_cli.dialects.google import scoring, tokenizers  # noqa: F401 - others import them from here
from rouge_cli.dialects.google.scoring import BaseScorer, Score, make_score
from rouge_cli.dialects.google.tokenize import decode, tokenize
from rouge_cli.errors import RougeWarning
from rouge_cli.metrics import Metric, count_all, lcs, ngram, sentence_lcs
from rouge_cli.tasks.containers import items, ordered, refuse_sets
from rouge_cli.text import porter, segmentation
from rouge_cli.text.sentences import sent_tokenize
from rouge_cli.text.tokens import Normalize, Vocabulary, tokens

if TYPE_CHECKING:
    from rouge_cli.native import Normalizer, _compiled

    Tokens = Sequence[Hashable]
    Table = list[list[int]]

# Caches of word forms outlive the scorers that share them. They are cleared beyond this
# number of forms.
MOST_FORMS = 200_000
MOST_SETUPS = 4  # compiled scorers that are cached


@cache
def metric(rouge_type: str) -> Metric:
    """Return the metric of `rouge1` to `rouge9`, `rougeL` or `rougeLsum`; raise
    ValueError for others.
    """
    if rouge_type == "rougeL":
        return sentence_lcs.SentenceLcs()
    if rouge_type == "rougeLsum":
        return lcs.Lcs()
    if rouge_type == "rouge0":
        raise ValueError(f"rougen requires positive n: {rouge_type}")
    if not re.match(
        "rouge[1-9]$", rouge_type
    ):  # a line end may follow, as in rouge_score
        raise ValueError(f"Invalid rouge type: {rouge_type}")
    return ngram.NGram(int(rouge_type[5]))


class RougeScorer(BaseScorer):
    """Scores predictions against targets.

    Args:
        rouge_types: Types that `metric` accepts.
        use_stemmer: Stem tokens of four or more characters.
        split_summaries: For rougeLsum, split sentences with nltk instead of at line
            ends. Requires nltk's data or the extra `punkt`.
        tokenizer: An object with `tokenize(text) -> list[str]`. With a tokenizer
            `use_stemmer` has no effect.
    """

    # The name in warnings about words that are not found; None if the caller warns.
    entry: str | None = ""

    def __init__(
        self,
        rouge_types: Iterable[str],
        use_stemmer: bool = False,  # noqa: FBT001, FBT002 - rouge_score's
        split_summaries: bool = False,  # noqa: FBT001, FBT002 - rouge_score's
        tokenizer: Any = None,  # noqa: ANN401 - any object with the method
    ) -> None:
        self.rouge_types = (
            rouge_types
            if isinstance(rouge_types, (list, tuple))
            else ordered(rouge_types)
        )
        # rouge_score ignores a tokenizer that is falsy, such as an object of length 0.
        self._tokenizer = tokenizer or _TOKENIZERS[bool(use_stemmer)]
        self._split_summaries = split_summaries
        self._plan: tuple[object, _compiled.Pairs[Score] | None] | None = None

    def __getstate__(self) -> dict[str, object]:
        """Return the state for copies and other processes, without compiled objects."""
        return {**vars(self), "_plan": None}

    @property
    def _is_default(self) -> bool:
        return type(self._tokenizer) is tokenizers.DefaultTokenizer

    @property
    def normalize(self) -> Normalizer | None:
        """Return the function from tokens to stems; None if tokens are not stemmed."""
        return _STEMMING if self._is_default and self._tokenizer.stems else None

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return the score of the prediction against the target for each type.

        Raises:
            ValueError: If a type is unknown.
        """
        pairs = self._pairs()
        if pairs and type(target) is str and type(prediction) is str:
            for string in (target, prediction):
                if not string.isascii() and segmentation.may_be_dropped(string):
                    self._check(string)
            return pairs.score(target, prediction)
        types, words = list(self.rouge_types), self.words()
        texts = [self.text(string, words) for string in (target, prediction)]
        self._check(target, prediction, texts=texts)
        counts = self.count(types, texts[:1], texts[1])
        return {
            kind: make_score(kind, *pair[:3])
            for kind, (pair,) in zip(types, counts, strict=True)
        }

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, Score]:
        """Return the score of each type against the target with the best F, or the
        first target on ties.

        Args:
            targets: Any iterable of strings.

        Raises:
            ValueError: If `targets` is empty or a set.
        """
        if isinstance(targets, str) and targets:
            warnings.warn(
                "targets is one string: each of its characters is a target",
                stacklevel=2,
            )
        strings = ordered(targets)
        if not strings and self.rouge_types:
            raise ValueError("attempt to get argmax of an empty sequence")
        pairs = self._pairs()
        if pairs and all(type(string) is str for string in (*strings, prediction)):
            self._check(*strings, prediction)
            by_target = [pairs.score(string, prediction) for string in strings]
        else:
            by_target = [self.score(string, prediction) for string in strings]
        return {
            kind: max(
                (scores[kind] for scores in by_target), key=lambda score: score.fmeasure
            )
            for kind in self.rouge_types
        }

    def score_batch(
        self,
        targets: Iterable[str] | Iterable[Iterable[str]],
        predictions: Iterable[str],
    ) -> list[dict[str, Score]]:
        """Return the scores of each prediction against its target or its list of
        targets.

        Args:
            targets: Any iterable with a string or a list of strings for each
                prediction.
            predictions: Any iterable of strings.

        Raises:
            ValueError: If the lengths differ, or for a bare string, a mapping, a set or
                a table.
        """
        if type(targets) is not list or type(predictions) is not list:
            targets, predictions = (
                items(targets, "targets"),
                items(predictions, "predictions"),
            )
        if len(targets) != len(predictions):
            raise ValueError(
                f"{len(targets)} targets for {len(predictions)} predictions"
            )
        pairs = self._pairs()
        if pairs and (batch := pairs.score_batch(targets, predictions)) is not None:
            of_strings = [target for target in targets if type(target) is str]
            for strings in (predictions, of_strings):
                if not all(map(str.isascii, strings)):
                    self._check(*strings)
            return batch
        return [
            self.score(target, prediction)
            if isinstance(target, str)
            else self.score_multi(
                items(target, "the targets of a prediction"), prediction
            )
            for target, prediction in list(zip(targets, predictions, strict=True))
        ]

    def _check(self, *strings: str, texts: Sequence[Text] = ()) -> None:
        """Warn, once in a process for each language, if the words of strings are not
        found; their texts have the words of other tokenizers than the default.
        """
        if self.entry is None:
            return
        entry = self.entry or f"{type(self).__module__}.RougeScorer"
        if not texts or self._is_default:
            for string in strings:
                segmentation.check_ascii_words(entry, string)
            return
        for string, text in zip(strings, texts, strict=True):
            if not isinstance(string, str) or not segmentation.may_be_faulty(string):
                continue
            by_use = [text.tokens]
            if "rougeLsum" in self.rouge_types:
                by_use.append(list(chain.from_iterable(text.sentences)))
            for tokens_of_use in by_use:
                words = [
                    text.forms[token].decode("utf-8", "replace")
                    for token in tokens_of_use
                ]
                segmentation.check_words(entry, string, words)

    def count(
        self, rouge_types: Iterable[str], targets: Sequence[Text], prediction: Text
    ) -> list[list[Counts]]:
        """Return for each type the counts of a prediction against each target."""
        kinds = list(rouge_types)
        # rougeLsum counts the tokens of the sentences. A custom tokenizer may split a
        # sentence differently from the whole text.
        at_once = [kind for kind in kinds if self._is_default or kind != "rougeLsum"]
        counts = dict(
            zip(
                at_once,
                count_all(list(map(metric, at_once)), targets, prediction),
                strict=True,
            )
        )
        if len(at_once) < len(kinds):
            *texts, predicted = (
                text.once(_by_sentences) for text in (*targets, prediction)
            )
            (counts["rougeLsum"],) = count_all([metric("rougeLsum")], texts, predicted)
        return [counts[kind] for kind in kinds]

    def pairs(self, string: str, *, of_sentence: bool = False) -> list[tuple[str, str]]:  # noqa: ARG002
        """Return the tokens of a text, or of a sentence for rougeLsum, each with its
        counted form.
        """
        form = stem if self._tokenizer.stems else str
        return [(token, form(token)) for token in tokenize(string, None)]

    def text(self, string: str, words: Vocabulary) -> Text:
        """Return the text of a string: all its tokens, and the tokens of each sentence.

        Only texts that share a vocabulary can be counted against each other.
        """
        if not self._is_default:
            whole, *sentences = map(words.ids, self.readings(string))
            return Text(whole, sentences, forms=words.forms.by_number)
        # Split sentences before lower-casing, since the splitter needs capitals.
        # Lower-casing turns two non-ASCII characters (the Kelvin sign and the dotted
        # capital I) into ASCII letters.
        string = decode(string)
        lower = str if string.isascii() else str.lower
        units = [
            lower(unit).encode("utf-8", "surrogatepass")
            for unit in self._sentences(string)
        ]
        sentences = [words.ids(tokens(unit)) for unit in units]
        return Text(
            list(chain.from_iterable(sentences)), sentences, forms=words.forms.by_number
        )

    def readings(self, string: str) -> list[list[Any]]:
        """Return the tokens of a text, then those of each sentence."""
        whole = self._tokens(string)
        return [
            whole,
            *(self._tokens(part, of_sentence=True) for part in self._sentences(string)),
        ]

    def _tokens(self, string: str, *, of_sentence: bool = False) -> list[Any]:  # noqa: ARG002
        """Return a custom tokenizer's tokens as they are written: 1, 1.0 and True
        are equal, but differ.
        """
        tokens = self._tokenizer.tokenize(string)
        if isinstance(tokens, str):
            message = "the tokenizer returns a string: each character is a token"
            warnings.warn(message, RougeWarning, stacklevel=2)
        refuse_sets(tokens)
        tokens = list(tokens)
        try:
            "".join(tokens)  # the fastest way to find out if all are strings
        except TypeError:
            tokens = list(map(str, tokens))
        return tokens

    def words(self) -> Vocabulary:
        """Return the vocabulary for new texts; replace it if it has grown too large."""
        form = self.normalize if self._is_default else _encode
        words = _WORDS.get(form)
        if words is None or len(words) + len(words.forms) > MOST_FORMS:
            words = _WORDS[form] = Vocabulary(form)
        return words

    def _pairs(self) -> _compiled.Pairs[Score] | None:
        """Return the compiled scorer for the current types, or None if it cannot be
        used.
        """
        compiled = native.extension()
        if compiled is None or not self._is_default or self._split_summaries:
            return None
        setup = compiled, self._tokenizer.stems, *self.rouge_types
        plan = self._plan  # another thread may change it meanwhile
        if plan is None or plan[0] != setup:
            if (pairs := _SHARED.get(setup)) is None:
                if len(_SHARED) >= MOST_SETUPS:
                    _SHARED.clear()
                specs = [(kind, metric(kind).kernel_spec) for kind in self.rouge_types]
                normalize = _STEMMING if self._tokenizer.stems else None
                pairs = _SHARED[setup] = native.pairs(
                    normalize, specs, Score, make_score, MOST_FORMS
                )
            self._plan = plan = setup, pairs
        return plan[1]

    def _sentences(self, string: str) -> list[str]:
        string = decode(string)
        if self._split_summaries:
            return list(filter(None, sent_tokenize(string)))
        return list(filter(None, string.split("\n")))


# Scorers of a setup share its compiled scorer and its vocabulary. If two threads add an
# entry at the same time, one entry is lost and built again.
_SHARED: dict[tuple[Any, ...], _compiled.Pairs[Score] | None] = {}
_WORDS: dict[Normalize | None, Vocabulary] = {}


def _encode(token: Any) -> Any:  # noqa: ANN401 - a custom tokenizer's strings; others have bytes
    return token.encode("utf-8", "surrogatepass")


def _by_sentences(whole: Text) -> Text:
    return Text(list(chain.from_iterable(whole.sentences)), whole.sentences)


@lru_cache(MOST_FORMS)
def _stem(token: bytes) -> bytes:
    return stem(token.decode("ascii")).encode("ascii")


def stem(token: str) -> str:
    """Return the stem of a token of four or more characters; shorter ones are
    returned unchanged.
    """
    return porter.nltk_stem(token) if len(token) > 3 else token


_STEMMING = native.Normalizer(frozenset(), _stem)
_TOKENIZERS = (
    tokenizers.DefaultTokenizer(),
    tokenizers.DefaultTokenizer(use_stemmer=True),
)


# The steps of the computation, for programs that import rouge_score's private names.
# They take any hashable tokens. `RougeScorer` computes the same numbers faster without
# them, so patching a step changes no score.


def _create_ngrams(tokens: Tokens, n: int) -> Counter[tuple[Hashable, ...]]:
    """Count the n-grams of the tokens."""
    return Counter(
        tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1)
    )


def _score_ngrams(
    target_ngrams: Mapping[Hashable, int], prediction_ngrams: Mapping[Hashable, int]
) -> Score:
    """Return the score of two bags of n-grams."""
    match = sum(
        min(count, prediction_ngrams.get(ngram, 0))
        for ngram, count in target_ngrams.items()
    )
    return make_score(
        "", sum(target_ngrams.values()), sum(prediction_ngrams.values()), match
    )


def _score_lcs(target_tokens: Tokens, prediction_tokens: Tokens) -> Score:
    """Return the score of the longest common subsequence of two lists of tokens."""
    match = _lcs_table(target_tokens, prediction_tokens)[-1][-1]
    return make_score("rougeL", len(target_tokens), len(prediction_tokens), match)


def _lcs_table(ref: Tokens, can: Tokens) -> Table:
    """Return the table whose entry [i][j] is the LCS length of the first i and the
    first j tokens.
    """
    table = [[0] * (len(can) + 1) for _ in range(len(ref) + 1)]
    for i, token in enumerate(ref):
        above, row = table[i], table[i + 1]
        for j, candidate in enumerate(can):
            row[j + 1] = (
                above[j] + 1 if token == candidate else max(above[j + 1], row[j])
            )
    return table


def _backtrack_norec(t: Table, ref: Tokens, can: Tokens) -> list[int]:
    """Return the positions in `ref` of a longest common subsequence, read from the
    table `t`.
    """
    row, column = len(ref), len(can)
    positions = []
    while row and column:
        if ref[row - 1] == can[column - 1]:
            row, column = row - 1, column - 1
            positions.append(row)
        elif t[row][column - 1] > t[row - 1][column]:
            column -= 1
        else:
            row -= 1
    return positions[::-1]


def lcs_ind(ref: Tokens, can: Tokens) -> list[int]:
    """Return the positions in `ref` of a longest common subsequence."""
    return _backtrack_norec(_lcs_table(ref, can), ref, can)


def _find_union(lcs_list: Iterable[Iterable[int]]) -> list[int]:
    """Return the sorted union of the lists of positions."""
    return sorted(set().union(*lcs_list))


def _union_lcs(ref: Tokens, c_list: Iterable[Tokens]) -> list[Hashable]:
    """Return the tokens of `ref` on a longest common subsequence with any of the
    sentences.
    """
    return [
        ref[position] for position in _find_union(lcs_ind(ref, can) for can in c_list)
    ]


def _summary_level_lcs(ref_sent: Sequence[Tokens], can_sent: Sequence[Tokens]) -> Score:
    """Return the score of the union LCS of sentences, clipped to the counts of the
    candidate's tokens.
    """
    left = Counter(chain.from_iterable(can_sent))
    whole, match = sum(left.values()), 0
    for token in chain.from_iterable(_union_lcs(ref, can_sent) for ref in ref_sent):
        if left[token] > 0:
            left[token] -= 1
            match += 1
    return make_score("rougeLsum", sum(map(len, ref_sent)), whole, match)
