"""PyPI's package `rouge` 1.0.1 (pltrdy's): n-grams as sets, and a ROUGE-L of its own.

Words are separated by white space and keep their case. Sentences end at every `.`, also
in `U.S.` and `3.5`; line ends are only white space. Repeated n-grams count once.
ROUGE-L counts the different words on the longest common subsequences of all pairs of
sentences. F is 2 P R / (P + R + 1e-8). The package takes one reference per prediction.
With several references rouge-cli returns the mean scores. With `jieba`, the words of
jieba are separated first, as Chinese benchmarks do. A sentence of white space alone, as
behind the last full stop of `It rained. `, is an empty word. With
`blank_sentences=no` it is not a word, as in the package's fork fitzyracing-rouge 1.0.2.

A drop-in for Python code: `from rouge_cli.dialects.pltrdy import FilesRouge, Rouge` in
place of `from rouge import FilesRouge, Rouge`; for the fork's numbers, make
`Rouge(blank_sentences=False)`. Long sentences are scored; in the package they exceed
the recursion limit.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO, TextIOWrapper
from typing import Any, ClassVar

from rouge_cli.core import Counts, Match, Text
from rouge_cli.dialects._base import StringRun, means_in_order, of_strings, texts_of
from rouge_cli.io import files
from rouge_cli.metrics import Marks, Matches, Metric, _lcs, ngram
from rouge_cli.options import Options, one_of
from rouge_cli.scoring.formula import BEST, MEAN, Harmonic
from rouge_cli.tasks.ordering import refuse_sets
from rouge_cli.text import tokenizers

LCS = "rouge-l"
LABELS = (*(f"rouge-{n}" for n in range(1, 6)), LCS)
DEFAULTS: Options = {
    "metrics": ("rouge-1", "rouge-2", LCS),
    "exclusive": True,
    "ignore_empty": False,
    "formula": "average",
    "jieba": False,
    "blank_sentences": True,
}
FORMULAS = {
    # The packages add epsilon to P + R: equal texts have an F of 0.999999995.
    "average": Harmonic(MEAN, epsilon=1e-8),
    "best": Harmonic(BEST, epsilon=1e-8),
}


class PathWords(Metric):
    """The package's rouge-l, counted on LCS paths of pairs of sentences.

    Counts the different words on all paths, or the length of all paths if not
    exclusive. On ties the package chooses the path that ROUGE-1.5.5 chooses with
    prediction and reference exchanged.
    """

    label = LCS

    def __init__(self, *, exclusive: bool) -> None:
        self.exclusive = exclusive

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the different words on all paths, or sum the lengths of the paths if
        not exclusive.
        """
        rows = prediction.once(_lcs.layout)
        by_sentence = _lcs.paths(rows, reference.sentences)
        if not self.exclusive:
            match = sum(path.bit_count() for path in by_sentence)
            return self.counts(len(reference.tokens), len(prediction.tokens), match)
        marked = _lcs.union(by_sentence)
        words = {token for token, mask in rows.masks.items() if mask & marked}
        return self.counts(
            len(set(reference.tokens)), len(set(prediction.tokens)), len(words)
        )

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the words on paths; if exclusive only the first position of a word
        counts.
        """
        rows = prediction.once(_lcs.layout)
        position = _lcs.positions(rows)
        rows_of_word: dict[int, list[int]] = {}
        for path in _lcs.paths(rows, reference.sentences):
            for row in _lcs.marked_bits(path):
                rows_of_word.setdefault(rows.tokens[row], []).append(row)

        in_reference = Marks(set(), set())
        in_prediction = Marks(set(), set())
        matches = []
        for word, word_rows in rows_of_word.items():
            occurrences = [
                index for index, token in enumerate(reference.tokens) if token == word
            ]
            self._mark(in_reference, occurrences)
            self._mark(in_prediction, sorted({position[row] for row in word_rows}))
            match = Match(
                unit=(word,),
                in_reference=len(occurrences),
                in_prediction=prediction.tokens.count(word),
                counted=1 if self.exclusive else len(word_rows),
            )
            matches.append(match)
        return Matches(matches, in_reference, in_prediction)

    def _mark(self, marks: Marks, positions: Sequence[int]) -> None:
        """Mark the positions of a word; if exclusive only the first counts."""
        marks.counted.update(positions[:1] if self.exclusive else positions)
        marks.matching.update(positions)


class Rouge:
    """The packages' class `Rouge`, with the same arguments.

    Args:
        metrics: Some of LABELS, by default rouge-1, rouge-2 and rouge-l.
        stats: Some of `r`, `p` and `f`, in upper or lower case.
        return_lengths: Also return the numbers of words.
        raw_results: Return counts instead of scores, and ignore `stats`.
        exclusive: Count each n-gram once.
        blank_sentences: Count a sentence of white space alone as an empty word. If
            false, as in fitzyracing-rouge 1.0.2, only a text without any other
            sentence has empty words.
    """

    DEFAULT_METRICS: ClassVar = ["rouge-1", "rouge-2", LCS]
    # Label -> the function that scores two lists of sentences; added or replaced
    # functions are called, as in the package.
    AVAILABLE_METRICS: ClassVar[dict[str, Callable[..., dict[str, float]]]]
    DEFAULT_STATS: ClassVar = ["r", "p", "f"]
    AVAILABLE_STATS: ClassVar = ["r", "p", "f"]
    RAW_STATS: ClassVar = ["hyp", "ref", "overlap"]
    # The class whose AVAILABLE_METRICS are used, also by subclasses, and what they are
    # unless a program changes them.
    package: ClassVar[type["Rouge"]]
    own_scorers: ClassVar[dict[str, Callable[..., dict[str, float]]]]

    def __init__(  # noqa: PLR0913 - the packages', and one more
        self,
        metrics: Sequence[str] | None = None,
        stats: Sequence[str] | None = None,
        return_lengths: bool = False,  # noqa: FBT001, FBT002 - the packages'
        raw_results: bool = False,  # noqa: FBT001, FBT002 - the packages'
        exclusive: bool = True,  # noqa: FBT001, FBT002 - the packages'
        *,
        blank_sentences: bool = True,
    ) -> None:
        if metrics is None:
            metrics = self.DEFAULT_METRICS
        available = self.AVAILABLE_STATS
        if raw_results:
            available = stats = self.RAW_STATS
        elif stats is None:
            stats = self.DEFAULT_STATS
        self.metrics = [name.lower() for name in metrics]
        self.stats = [name.lower() for name in stats]
        self.return_lengths = return_lengths
        self.raw_results = raw_results
        self.exclusive = exclusive
        self.blank_sentences = blank_sentences

        for metric in self.metrics:
            if metric not in self.package.AVAILABLE_METRICS:
                raise ValueError(f"Unknown metric {metric!r}")
        for stat in self.stats:
            if stat not in available:
                raise ValueError(f"Unknown stat {stat!r}")

    def sentences(self, string: str) -> list[list[str]]:
        """Split into sentences of words; a sentence of only white space has one empty
        word.
        """
        sentences = [part.split() for part in self.cut(string) if part]
        if not self.blank_sentences and any(sentences):
            sentences = [words for words in sentences if words]
        return [words or [""] for words in sentences]

    @staticmethod
    def cut(string: str) -> list[str]:
        """Split at dots."""
        return string.split(".")

    def metric(self, label: str) -> Metric:
        """Return the metric of a label."""
        if label == LCS:
            return PathWords(exclusive=self.exclusive)
        n = int(label[-1])
        return ngram.DistinctNGram(n) if self.exclusive else ngram.NGram(n)

    def get_scores(
        self,
        hyps: Any,  # noqa: ANN401 - a string or a list of strings
        refs: Any,  # noqa: ANN401 - as above
        avg: bool = False,  # noqa: FBT001, FBT002 - the packages'
        ignore_empty: bool = False,  # noqa: FBT001, FBT002 - the packages'
    ) -> Any:  # noqa: ANN401 - a list of records, or with avg one record
        """Return the scores of each hypothesis against its reference.

        Args:
            avg: Return the means of the scores instead.
            ignore_empty: Leave out pairs with an empty string.

        Raises:
            ValueError: If a text has no sentence, if all pairs are left out, or for
                sets.
            AssertionError: If the two lists differ in type or length.
        """
        refuse_sets(hyps, refs)
        if isinstance(hyps, str):
            hyps, refs = [hyps], [refs]
        if ignore_empty:
            pairs = []
            for hyp, ref in zip(hyps, refs, strict=False):
                if len(hyp) and len(ref):
                    pairs.append((hyp, ref))
            if not pairs:
                raise ValueError("no pair without an empty text")
        elif type(hyps) is not type(refs):
            raise AssertionError("hypotheses and references are not of the same type")
        elif len(hyps) != len(refs):
            raise AssertionError(f"{len(hyps)} hypotheses for {len(refs)} references")
        else:
            pairs = list(zip(hyps, refs, strict=True))
        if avg and self.raw_results:
            raise ValueError("counts are not averaged")
        choice = {} if avg else {"raw_results": self.raw_results}
        choice["exclusive"] = self.exclusive
        records = [self._record(*pair, choice) for pair in pairs]
        return means_in_order(records) if avg else records

    def _record(
        self, hypothesis: str, reference: str, choice: dict[str, bool]
    ) -> dict[str, dict[str, float]]:
        hyp_sentences = self.sentences(hypothesis)
        ref_sentences = self.sentences(reference)
        hyp, ref = texts_of(
            hyp_sentences,
            ref_sentences,
            entry=f"{type(self).__module__}.Rouge",
            strings=(hypothesis, reference),
        )
        _refuse_empty(hyp, ref)
        record: dict[str, dict[str, float]] = {}
        for label in self.metrics:
            function = self.package.AVAILABLE_METRICS[label]
            if function is self.own_scorers.get(label):
                scores = self.scores(label, hyp, ref)
            else:
                strings = [[" ".join(words) for words in hyp_sentences]]
                strings.append([" ".join(words) for words in ref_sentences])
                scores = function(*strings, **choice)
            record[label] = {stat: scores[stat] for stat in self.stats}
        if self.return_lengths:
            record["lengths"] = {"hyp": _length(hyp), "ref": _length(ref)}
        return record

    def scores(self, label: str, hyp: Text, ref: Text) -> dict[str, float]:
        """Return the counts and the scores of a pair by the name of the stat."""
        counts = self.metric(label).count(ref, hyp)
        raw = counts.prediction, counts.reference, counts.match
        by_name: dict[str, float] = dict(zip(self.RAW_STATS, raw, strict=True))
        scores = FORMULAS["best"].score(counts)
        by_name |= zip(self.AVAILABLE_STATS, scores, strict=True)
        return by_name


def _refuse_empty(hyp: Text, ref: Text) -> None:
    """Raise the package's ValueError if a text has no sentence."""
    if hyp.empty:
        raise ValueError("Hypothesis is empty.")
    if ref.empty:
        raise ValueError("Reference is empty.")


def _length(text: Text) -> int:
    """Return the number of words, without the empty words of blank sentences."""
    return sum(1 for word in text.words if word)


def offer_metrics(package: type[Rouge]) -> None:
    """Give a package's class its AVAILABLE_METRICS: label -> function of two lists of
    sentences, whose words are separated by single blanks.
    """

    def scorer(label: str) -> Callable[..., dict[str, float]]:
        def score(
            hyp: Iterable[str],
            ref: Iterable[str],
            raw_results: bool = False,  # noqa: FBT001, FBT002 - the packages'
            exclusive: bool = True,  # noqa: FBT001, FBT002 - the packages'
        ) -> dict[str, float]:
            hyp_words = [part.split(" ") for part in hyp]
            ref_words = [part.split(" ") for part in ref]
            texts = texts_of(hyp_words, ref_words)
            _refuse_empty(*texts)
            scores = package(exclusive=exclusive).scores(label, *texts)
            names = package.RAW_STATS if raw_results else ("f", "p", "r")
            return {name: scores[name] for name in names}

        return score

    package.package = package
    package.own_scorers = {label: scorer(label) for label in LABELS}
    package.AVAILABLE_METRICS = dict(package.own_scorers)


offer_metrics(Rouge)


class FilesRouge:
    """`rouge.FilesRouge`: scores two files line by line; takes the arguments of
    `Rouge`.
    """

    package: type[Rouge] = Rouge

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as `Rouge` has them
        self.rouge = self.package(*arguments, **options)

    def get_scores(
        self,
        hyp_path: str,
        ref_path: str,
        avg: bool = False,  # noqa: FBT001, FBT002 - the packages'
        ignore_empty: bool = False,  # noqa: FBT001, FBT002 - the packages'
    ) -> Any:  # noqa: ANN401 - a list of records, or with avg one record
        """Return the scores of each line against the reference line with the same
        number.

        As in the packages the last character of every line is removed, even if it is
        not a line end.

        Args:
            avg: Return the means of the scores instead.
            ignore_empty: Leave out pairs with an empty line.

        Raises:
            AssertionError: If a file does not exist, or if the numbers of lines differ.
                Errors of `Rouge.get_scores` are raised, too.
        """
        for path in (hyp_path, ref_path):
            if not os.path.isfile(path):
                raise AssertionError(f"{path}: no such file")
        hyps = files.read(hyp_path, "lines")
        refs = files.read(ref_path, "lines")
        hyp_count = len(BytesIO(hyps).readlines())
        ref_count = len(BytesIO(refs).readlines())
        if hyp_count != ref_count:
            raise AssertionError(
                f"{hyp_count} lines of hypotheses for {ref_count} of references"
            )
        return self.rouge.get_scores(
            _cut_lines(hyps), _cut_lines(refs), avg, ignore_empty
        )


def _cut_lines(data: bytes) -> list[str]:
    """Return the lines of a file, each without its last character."""
    text = TextIOWrapper(BytesIO(data), encoding="utf-8")
    return [line[:-1] for line in text]


class Pltrdy(StringRun):
    """A run of the dialect."""

    package: type[Rouge] = Rouge  # the class that splits texts and selects metrics

    def set_up(self) -> None:
        """Make the package's object, and the segmenter; raise RougeError if it is not
        installed.
        """
        self._rouge = self.package(
            exclusive=self.options["exclusive"],
            blank_sentences=self.options.get("blank_sentences", True),
        )
        self._segment = tokenizers.segmenter("jieba") if self.options["jieba"] else None
        self.ignores_empty = self.options["ignore_empty"]

    def measure(self, label: str) -> tuple[Metric, Harmonic]:
        """Return the package's metric and formulas for a label."""
        formula = FORMULAS[one_of(self.options, "formula", *FORMULAS)]
        return self._rouge.metric(label), formula

    def counted(self, string: str) -> Sequence[Sequence[str]]:
        """Return the words of each sentence; without sentences if the package
        refuses the text.
        """
        if self._segment:
            string = " ".join(self._segment(string))
        return self._rouge.sentences(string)

    def is_empty(self, text: Text) -> bool:
        """Return True if the text has no token; the empty word of a blank sentence
        is one.
        """
        return text.empty


DIALECT = of_strings("pltrdy", LABELS, Pltrdy, DEFAULTS)
