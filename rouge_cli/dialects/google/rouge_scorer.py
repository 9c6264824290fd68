"""The module `rouge_score.rouge_scorer`, faster and with batches.

Programs replace parts of rouge_score: its tokenizer, its steps, its libraries. So a
scorer has two ways to the same numbers. `RougeScorer._pairs` is the fast one, in
compiled code. It is used while all that rouge_score would look up is the original
object. `RougeScorer._score_tokens` is the other: it looks up each step by its name, as
rouge_score does.
"""

from __future__ import annotations

import collections
import re
import warnings
from builtins import map, range  # noqa: A004, UP029 - names that programs can replace
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from rouge_cli.core import Counts, Text
from rouge_cli.dialects.google import scoring, tokenizers, word_forms
from rouge_cli.dialects.google import tokenize as _tokenize
from rouge_cli.dialects.google.patches import REPLACED, library, watch
from rouge_cli.dialects.google.scoring import BaseScorer, Score, make_score
from rouge_cli.dialects.google.tokenize import decode, six
from rouge_cli.dialects.google.tokenizers import DefaultTokenizer
from rouge_cli.errors import RougeWarning
from rouge_cli.metrics import Metric, count_all, lcs, ngram, sentence_lcs
from rouge_cli.tasks.ordering import items, ordered, refuse_sets
from rouge_cli.text import languages, segmentation
from rouge_cli.text.porter import PorterStemmer
from rouge_cli.text.sentences import sent_tokenize
from rouge_cli.text.tokens import Normalizer, Vocabulary, tokens
from rouge_cli.twins import twin

if TYPE_CHECKING:
    Tokens = Sequence[Hashable]
    Table = list[list[int]]
    _Plan = tuple[Sequence[str], object, "PairScorer | None"]


_LINES = segmentation.LineWatch()


@cache
def metric(rouge_type: str) -> Metric:
    """Return the metric of `rouge1` to `rouge9`, `rougeL` or `rougeLsum`; raise
    ValueError for others.
    """
    rouge_type = decode(rouge_type)
    if rouge_type == "rougeL":
        return sentence_lcs.SentenceLcs()
    if rouge_type == "rougeLsum":
        return lcs.Lcs()
    if rouge_type == "rouge0":
        raise ValueError(f"rougen requires positive n: {rouge_type}")
    # A line end may follow, as in rouge_score.
    if not re.match("rouge[1-9]$", rouge_type):
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
    # False if a subclass finds the words of a text by its own method `pairs`.
    finds_googles_words: ClassVar[bool] = True

    def __init__(
        self,
        rouge_types: Iterable[str],
        use_stemmer: bool = False,  # noqa: FBT001, FBT002 - rouge_score's
        split_summaries: bool = False,  # noqa: FBT001, FBT002 - rouge_score's
        tokenizer: Any = None,  # noqa: ANN401 - any object with the method
    ) -> None:
        if not isinstance(rouge_types, (list, tuple)):
            rouge_types = ordered(rouge_types)
        self.rouge_types = rouge_types
        # rouge_score ignores a tokenizer that is falsy, such as an object of length 0.
        self._tokenizer = tokenizer or tokenizers.DefaultTokenizer(use_stemmer)
        self._split_summaries = split_summaries

    def __getstate__(self) -> dict[str, object]:
        """Return the state for copies and other processes, without compiled objects."""
        state = dict(vars(self))
        state.pop("_plan", None)
        return state

    # The compiled scorer, with the types and the stemmer for which it was made.
    _plan: _Plan | None = None

    @property
    def _has_own_tokenizer(self) -> bool:
        """True if the caller gave no tokenizer."""
        return type(self._tokenizer) is DefaultTokenizer

    @property
    def _counts_googles_words(self) -> bool:
        """True if words are runs of a-z and 0-9, as rouge_score finds them."""
        return self.finds_googles_words and self._has_own_tokenizer

    @property
    def normalize(self) -> Normalizer | None:
        """Return the function from tokens to stems; None if tokens are not stemmed."""
        if self._counts_googles_words and self._tokenizer.stems:
            return word_forms.STEMMING
        return None

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return the score of the prediction against the target for each type.

        Raises:
            ValueError: If a type is unknown.
        """
        if _LINES.is_looking and self._takes_lines_for_sentences:
            _LINES.look(self._entry_name, target, prediction)
        pairs = self._pairs()
        if pairs and type(target) is str and type(prediction) is str:
            for string in (target, prediction):
                if not string.isascii() and languages.may_be_dropped(string):
                    self._check(string)
            return pairs.score(target, prediction)
        strings = _decoded(target), _decoded(prediction)
        if pairs and strings[0] is not None and strings[1] is not None:
            return pairs.score(strings[0], strings[1])
        return self._score_tokens(target, prediction)

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
        if _LINES.is_looking and self._takes_lines_for_sentences:
            _LINES.look(self._entry_name, strings, prediction)
        pairs = self._pairs_of_many()
        if pairs and all(type(string) is str for string in (*strings, prediction)):
            self._check(*strings, prediction)
            by_target = [pairs.score(string, prediction) for string in strings]
        else:
            by_target = [self.score(string, prediction) for string in strings]
        best = {}
        for kind in self.rouge_types:
            best[kind] = _best_of([scores[kind] for scores in by_target])
        return best

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
            targets = items(targets, "targets")
            predictions = items(predictions, "predictions")
        if len(targets) != len(predictions):
            raise ValueError(
                f"{len(targets)} targets for {len(predictions)} predictions"
            )
        if _LINES.is_looking and self._takes_lines_for_sentences:
            _LINES.look_at_all(self._entry_name, targets, predictions)
        pairs = self._pairs_of_many()
        batch = pairs.score_batch(targets, predictions) if pairs else None
        if batch is not None:
            of_strings = [target for target in targets if type(target) is str]
            for strings in (predictions, of_strings):
                if not all(map(str.isascii, strings)):
                    self._check(*strings)
            return batch

        scores = []
        for target, prediction in list(zip(targets, predictions, strict=True)):
            if isinstance(target, str):
                scores.append(self.score(target, prediction))
            else:
                strings = items(target, "the targets of a prediction")
                scores.append(self.score_multi(strings, prediction))
        return scores

    def _check(self, *strings: str) -> None:
        """Warn, once in a process for each language, if rouge_score's own tokenizer
        drops the letters of strings.
        """
        if self.entry is not None:
            for string in strings:
                languages.check_ascii_words(self._entry_name, string)

    def _check_tokens(self, text: object, tokens: Sequence[object]) -> None:
        """Warn as `_check` of the tokens of a text, which any tokenizer made."""
        if self.entry is None or not isinstance(text, str):
            return
        if self._counts_googles_words:
            self._check(text)
        elif segmentation.may_be_faulty(text):
            words = [token for token in tokens if isinstance(token, str)]
            languages.check_words(self._entry_name, text, words)

    @property
    def _takes_lines_for_sentences(self) -> bool:
        """Whether a type needs sentences, which only line feeds end."""
        return "rougeLsum" in self.rouge_types and not self._split_summaries

    @property
    def _entry_name(self) -> str:
        """The name of what the program calls, in warnings."""
        return self.entry or f"{type(self).__module__}.RougeScorer"

    def _score_tokens(self, target: Any, prediction: Any) -> dict[str, Score]:  # noqa: ANN401 - what the tokenizer takes
        """Score as rouge_score does: tokenize, then call the step of each type.

        A text is whatever the tokenizer takes; only rougeLsum needs strings. The order
        of all calls is rouge_score's, so that the same call fails.
        """
        texts = target, prediction
        tokens: list[Any] = []
        if len(self.rouge_types) != 1 or self.rouge_types[0] != "rougeLsum":
            tokens = [self._tokens(text) for text in texts]
            for text, of_text in zip(texts, tokens, strict=True):
                self._check_tokens(text, of_text)
        whole = [kind for kind in self.rouge_types if kind != "rougeLsum"]
        by_kernel = _score_strings(whole, [[part] for part in tokens])
        scores = {}
        for kind in self.rouge_types:
            if kind in by_kernel:
                scores[kind] = by_kernel[kind]
            elif kind == "rougeLsum":
                sentences = [self._sentence_tokens(text) for text in texts]
                for text, of_text in zip(texts, sentences, strict=True):
                    # What is not a list fails below, where it fails in rouge_score.
                    lists = [part for part in of_text if isinstance(part, list | tuple)]
                    self._check_tokens(text, list(chain.from_iterable(lists)))
                score = _score_strings([kind], sentences).get(kind)
                scores[kind] = score or _summary_level_lcs(*sentences)
            elif kind == "rougeL":
                scores[kind] = _score_lcs(*tokens)
            elif not re.match("rouge[0-9]$", six.ensure_str(kind)):
                raise ValueError(f"Invalid rouge type: {kind}")
            elif int(kind[5:]) == 0:
                raise ValueError(f"rougen requires positive n: {kind}")
            else:
                bags = [_create_ngrams(part, int(kind[5:])) for part in tokens]
                of_target, of_prediction = bags
                scores[kind] = _score_ngrams(of_target, of_prediction)
        return scores

    def _sentence_tokens(self, text: Any) -> list[Any]:  # noqa: ANN401 - as above
        """Return the tokens of each sentence of a text."""
        if self._split_summaries:
            sentences = _sent_tokenize(text)
        else:
            sentences = six.ensure_str(text).split("\n")
        return [self._tokens(sentence) for sentence in sentences if len(sentence)]

    def count(
        self, rouge_types: Iterable[str], targets: Sequence[Text], prediction: Text
    ) -> list[list[Counts]]:
        """Return for each type the counts of a prediction against each target."""
        kinds = list(rouge_types)
        # rougeLsum counts the tokens of the sentences. A custom tokenizer may split a
        # sentence differently from the whole text.
        at_once = kinds
        if not self._counts_googles_words:
            at_once = [kind for kind in kinds if kind != "rougeLsum"]
        by_kind = count_all(list(map(metric, at_once)), targets, prediction)
        counts = dict(zip(at_once, by_kind, strict=True))
        if len(at_once) < len(kinds):
            texts = [text.once(_by_sentences) for text in targets]
            predicted = prediction.once(_by_sentences)
            (counts["rougeLsum"],) = count_all([metric("rougeLsum")], texts, predicted)
        return [counts[kind] for kind in kinds]

    def pairs(self, string: str, *, of_sentence: bool = False) -> list[tuple[str, str]]:  # noqa: ARG002
        """Return the tokens of a text, or of a sentence for rougeLsum, each with its
        counted form.
        """
        form = word_forms.stem if self._tokenizer.stems else str
        return [(token, form(token)) for token in _tokenize.words(string)]

    def text(self, string: str, words: Vocabulary) -> Text:
        """Return the text of a string: all its tokens, and the tokens of each sentence.

        Only texts that share a vocabulary can be counted against each other.
        """
        if not self._counts_googles_words:
            whole, *sentences = map(words.ids, self.readings(string))
            return Text(whole, sentences, forms=words.forms.by_number)
        # Split sentences before lower-casing, since the splitter needs capitals.
        # Lower-casing turns two non-ASCII characters (the Kelvin sign and the dotted
        # capital I) into ASCII letters.
        lower = str if string.isascii() else str.lower
        sentences = []
        for unit in self._sentences(string):
            data = lower(unit).encode("utf-8", "surrogatepass")
            sentences.append(words.ids(tokens(data)))
        whole = list(chain.from_iterable(sentences))
        return Text(whole, sentences, forms=words.forms.by_number)

    def readings(self, string: str) -> list[list[Any]]:
        """Return the tokens of a text, then those of each sentence."""
        by_use = [self._tokens(string)]
        for part in self._sentences(string):
            by_use.append(self._tokens(part, of_sentence=True))
        return by_use

    def _tokens(self, string: Any, *, of_sentence: bool = False) -> Any:  # noqa: ARG002, ANN401
        """Return the tokenizer's tokens; raise ValueError for a set, which has no
        order.
        """
        tokens = self._tokenizer.tokenize(string)
        if isinstance(tokens, str):
            message = "the tokenizer returns a string: each character is a token"
            warnings.warn(message, RougeWarning, stacklevel=2)
        refuse_sets(tokens)
        # A tokenizer may fill the same list at each call.
        return tokens.copy() if type(tokens) is list else tokens

    def words(self) -> Vocabulary:
        """Return the vocabulary for new texts; replace it if it has grown too large."""
        return word_forms.vocabulary(
            self.normalize if self._counts_googles_words else word_forms.encode
        )

    def _pairs(self) -> PairScorer | None:
        """Return the compiled scorer for the current types, or None if it cannot be
        used: with another tokenizer, or if a program replaced a step.
        """
        tokenizer = self._tokenizer
        # Not `_counts_googles_words`, since calls of properties are slow here.
        if REPLACED or type(tokenizer) is not DefaultTokenizer:
            return None
        if not self.finds_googles_words:
            return None
        plan = self._plan or self._make_plan()  # another thread may change it
        stemmer = tokenizer._stemmer  # noqa: SLF001 - programs replace it
        kinds, made_with, pairs = plan
        if kinds != self.rouge_types or made_with is not stemmer:
            _, _, pairs = self._make_plan()
        if pairs is None:
            return None
        stems_as_made = stemmer is None or (
            PorterStemmer.stem is _default_stem and not stemmer.__dict__
        )
        is_as_made = (
            not self._split_summaries
            and DefaultTokenizer.tokenize is _default_tokens
            and len(tokenizer.__dict__) == 1
            and stems_as_made
        )
        return pairs if is_as_made else None

    def _pairs_of_many(self) -> PairScorer | None:
        """Return the compiled scorer as `_pairs` does, None if `score` was overridden
        or replaced.
        """
        is_own = getattr(self.score, "__func__", None) is _score
        return self._pairs() if is_own else None

    def _make_plan(self) -> _Plan:
        """Keep and return the types, the stemmer and their compiled scorer; None with
        a program's stemmer.
        """
        stemmer = self._tokenizer._stemmer  # noqa: SLF001 - as above
        kinds = self.rouge_types[:]
        pairs = None
        if stemmer is None or type(stemmer) is PorterStemmer:
            pairs = pair_scorer(kinds, stems=stemmer is not None)
        self._plan = plan = kinds, stemmer, pairs
        return plan

    def _sentences(self, string: str) -> list[str]:
        string = decode(string)
        if self._split_summaries:
            return list(filter(None, sent_tokenize(string)))
        return list(filter(None, string.split("\n")))


class PairScorer(Protocol):
    """Scores pairs of strings as rouge_score's own tokenizer and steps do."""

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return the score of each type."""

    def score_batch(
        self, targets: list[Any], predictions: list[Any]
    ) -> list[dict[str, Score]] | None:
        """Return the scores of each prediction against its target or its list of
        targets; None if some are not strings.
        """


@twin
def pair_scorer(kinds: Sequence[str], *, stems: bool) -> PairScorer | None:  # noqa: ARG001 - of the other half
    """Return what scores pairs of strings in one step; None if there is nothing, so
    that the steps are taken one by one.

    Args:
        kinds: The types, in order.
        stems: Whether tokens are stemmed.
    """
    return None


def _decoded(text: object) -> str | None:
    """Return ASCII bytes as the string that is read alike, a string as it is, None for
    anything else.
    """
    if type(text) is bytes:
        return text.decode("ascii") if text.isascii() else None
    return text if type(text) is str else None


def _score_strings(
    kinds: Sequence[str], token_lists: Sequence[Sequence[Any]]
) -> Mapping[str, Score]:
    """Return the scores by kernels, which know strings in lists only; nothing for other
    tokens or types, or if a program replaced a step.

    Args:
        token_lists: The tokens of each sentence, of the target and of the prediction.
    """
    if REPLACED or not _are_strings(chain.from_iterable(token_lists)):
        return {}
    try:
        metrics = [metric(kind) for kind in kinds]
    except (TypeError, ValueError):  # the steps raise the error when it is its turn
        return {}
    words = word_forms.vocabulary(word_forms.encode)
    texts = []
    for sentences in token_lists:
        numbers = [words.ids(tokens) for tokens in sentences]
        texts.append(Text(list(chain.from_iterable(numbers)), numbers))
    by_kind = count_all(metrics, texts[:1], texts[-1]) if metrics else []
    scores = {}
    for kind, (counts,) in zip(kinds, by_kind, strict=True):
        scores[kind] = make_score(
            kind, counts.reference, counts.prediction, counts.match
        )
    return scores


def _are_strings(lists: Iterable[Any]) -> bool:
    """Return True if all are lists of strings, whose classes compare as str does."""
    for part in lists:
        if not isinstance(part, list | tuple | str):
            return False
        if not set(map(type, part)) <= {str}:
            return False
    return True


def _best_of(scores: Sequence[Score]) -> Score:
    """Return the first score with the highest F: by numpy, if a program put its own
    into this module, as rouge_score finds it.
    """
    if (__name__, "np") in REPLACED:
        place: int = library(__name__, "np", "numpy").argmax(list(map(_f, scores)))
        return scores[place]
    return max(scores, key=_f)


def _sent_tokenize(text: Any) -> Sequence[str]:  # noqa: ANN401 - nltk refuses what is not a string
    """Return nltk's sentences, by the function that a program put into its place."""
    nltk = library(__name__, "nltk", "nltk")
    if getattr(nltk.sent_tokenize, "__module__", "") != "nltk.tokenize":
        sentences: Sequence[str] = nltk.sent_tokenize(text)
        return sentences
    return sent_tokenize(text)


def __getattr__(name: str) -> ModuleType:
    """Import a library at its first use, which programs replace under this name."""
    if name == "np":
        return import_module("numpy")
    if name == "nltk":
        return import_module("nltk")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _by_sentences(whole: Text) -> Text:
    return Text(list(chain.from_iterable(whole.sentences)), whole.sentences)


# The steps of the computation, under rouge_score's private names, for programs that
# import or replace them. They take any hashable tokens, and look up each other by name.


def _as_score(precision: float, recall: float) -> Score:
    """Return a score with its F."""
    f = scoring.fmeasure(precision, recall)
    return scoring.Score(precision=precision, recall=recall, fmeasure=f)


def _create_ngrams(tokens: Tokens, n: int) -> collections.Counter[tuple[Hashable, ...]]:
    """Count the n-grams of the tokens."""
    return collections.Counter(
        tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1)
    )


def _score_ngrams(
    target_ngrams: Mapping[Any, int], prediction_ngrams: Mapping[Any, int]
) -> Score:
    """Return the score of two bags of n-grams."""
    match = sum(
        min(count, prediction_ngrams[ngram]) for ngram, count in target_ngrams.items()
    )
    return _as_score(
        match / max(sum(prediction_ngrams.values()), 1),
        match / max(sum(target_ngrams.values()), 1),
    )


def _score_lcs(target_tokens: Tokens, prediction_tokens: Tokens) -> Score:
    """Return the score of the longest common subsequence of two lists of tokens."""
    if not target_tokens or not prediction_tokens:
        return scoring.Score(precision=0, recall=0, fmeasure=0)
    match = _lcs_table(target_tokens, prediction_tokens)[-1][-1]
    return _as_score(match / len(prediction_tokens), match / len(target_tokens))


def _lcs_table(ref: Tokens, can: Tokens) -> Table:
    """Return the table whose entry [i][j] is the LCS length of the first i and the
    first j tokens.
    """
    rows, columns = len(ref), len(can)
    table = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            if ref[i - 1] == can[j - 1]:
                table[i][j] = table[i - 1][j - 1] + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
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
    positions = _find_union(lcs_ind(ref, can) for can in c_list)
    return [ref[position] for position in positions]


def _summary_level_lcs(ref_sent: Sequence[Tokens], can_sent: Sequence[Tokens]) -> Score:
    """Return the score of the union LCS of sentences, clipped to the counts of the
    candidate's tokens.
    """
    nothing = scoring.Score(precision=0, recall=0, fmeasure=0)
    if not ref_sent or not can_sent:
        return nothing
    reference, candidate = sum(map(len, ref_sent)), sum(map(len, can_sent))
    if not reference or not candidate:
        return nothing
    left = collections.Counter(chain.from_iterable(can_sent))
    match = 0
    for token in chain.from_iterable(_union_lcs(part, can_sent) for part in ref_sent):
        if left[token] > 0:
            left[token] -= 1
            match += 1
    return _as_score(match / candidate, match / reference)


_f = attrgetter("fmeasure")
_score, _default_tokens = RougeScorer.score, DefaultTokenizer.tokenize
_default_stem = PorterStemmer.stem
watch(
    __name__,
    *("_backtrack_norec", "_create_ngrams", "_find_union", "_lcs_table"),
    *("_score_lcs", "_score_ngrams", "_summary_level_lcs", "_union_lcs", "lcs_ind"),
    *("collections", "map", "nltk", "np", "range", "re", "scoring", "six"),
)
