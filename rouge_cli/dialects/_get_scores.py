"""The interface that PyPI's `rouge` and `rouge-chinese` share: n-grams as sets, F, the class `Rouge`.

The packages split texts differently, and compute ROUGE-L differently. Subclasses of `Rouge` define both.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from io import BytesIO, TextIOWrapper
from typing import Any, ClassVar

from rouge_cli.core import Notify, Source, Text
from rouge_cli.dialects._strings import StringRun, text_of
from rouge_cli.io import files
from rouge_cli.metrics import Metric
from rouge_cli.metrics.ngram import DistinctNGram, NGram
from rouge_cli.options import Options, one_of
from rouge_cli.scoring.formula import BEST, MEAN, Harmonic, Scored
from rouge_cli.tasks.containers import refuse_sets
from rouge_cli.text.tokens import Forms

LCS = "rouge-l"
LABELS = (*(f"rouge-{n}" for n in range(1, 6)), LCS)
DEFAULTS: Mapping[str, object] = {
    "metrics": ("rouge-1", "rouge-2", LCS),
    "exclusive": True,
    "ignore_empty": False,
    "formula": "average",
    "samples": 0,
    "sentences": "newline",
}
FORMULAS = {
    # The packages add epsilon to P + R: equal texts have an F of 0.999999995.
    "average": Harmonic(MEAN, epsilon=1e-8),
    "best": Harmonic(BEST, epsilon=1e-8),
}


class Rouge:
    """The packages' class `Rouge`, with the same arguments.

    Args:
        metrics: Some of LABELS, by default rouge-1, rouge-2 and rouge-l.
        stats: Some of `r`, `p` and `f`, in upper or lower case.
        return_lengths: Also return the numbers of words.
        raw_results: Return counts instead of scores, and ignore `stats`.
        exclusive: Count each n-gram once.
    """

    DEFAULT_METRICS: ClassVar = ["rouge-1", "rouge-2", LCS]
    AVAILABLE_METRICS = LABELS
    DEFAULT_STATS: ClassVar = ["r", "p", "f"]
    AVAILABLE_STATS: ClassVar = ["r", "p", "f"]
    RAW_STATS: ClassVar = ["hyp", "ref", "overlap"]

    def __init__(
        self,
        metrics: Sequence[str] | None = None,
        stats: Sequence[str] | None = None,
        return_lengths: bool = False,  # noqa: FBT001, FBT002 - the packages'
        raw_results: bool = False,  # noqa: FBT001, FBT002 - the packages'
        exclusive: bool = True,  # noqa: FBT001, FBT002 - the packages'
    ) -> None:
        metrics = self.DEFAULT_METRICS if metrics is None else metrics
        stats = self.RAW_STATS if raw_results else self.DEFAULT_STATS if stats is None else stats
        self.metrics, self.stats = ([name.lower() for name in names] for names in (metrics, stats))
        self.return_lengths = return_lengths
        self.raw_results = raw_results
        self.exclusive = exclusive
        for name in self.metrics:
            if name not in LABELS:
                raise ValueError(f"Unknown metric {name!r}")
        for name in self.stats:
            if name not in (self.RAW_STATS if raw_results else self.AVAILABLE_STATS):
                raise ValueError(f"Unknown stat {name!r}")

    @staticmethod
    def sentences(string: str) -> list[list[str]]:
        """Split a text into sentences of words; an empty text has no sentence."""
        raise NotImplementedError

    @staticmethod
    def lcs(*, exclusive: bool) -> Metric:
        """Return the metric of rouge-l."""
        raise NotImplementedError

    def metric(self, label: str) -> Metric:
        """Return the metric of a label."""
        if label == LCS:
            return self.lcs(exclusive=self.exclusive)
        return (DistinctNGram if self.exclusive else NGram)(int(label[-1]))

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
            ValueError: If a text has no sentence, if all pairs are left out, or for sets.
            AssertionError: If the two lists differ in type or length.
        """
        refuse_sets(hyps, refs)
        if isinstance(hyps, str):
            hyps, refs = [hyps], [refs]
        if ignore_empty:
            pairs = [pair for pair in zip(hyps, refs, strict=False) if len(pair[0]) and len(pair[1])]
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
        records = [self._record(*pair) for pair in pairs]
        return _means(records) if avg else records

    def _record(self, hypothesis: str, reference: str) -> dict[str, dict[str, float]]:
        forms = Forms()
        hyp, ref = (text_of(self.sentences(string), forms) for string in (hypothesis, reference))
        if hyp.empty or ref.empty:
            raise ValueError(f"{'Hypothesis' if hyp.empty else 'Reference'} is empty.")
        record: dict[str, dict[str, float]] = {}
        for metric in self.metrics:
            counts = self.metric(metric).count(ref, hyp)
            if self.raw_results:
                values: Sequence[float] = (counts.prediction, counts.reference, counts.match)
            else:
                values = FORMULAS["best"].score(counts)
            names = self.RAW_STATS if self.raw_results else self.AVAILABLE_STATS
            by_name = dict(zip(names, values, strict=True))
            record[metric] = {stat: by_name[stat] for stat in self.stats}
        if self.return_lengths:  # without the empty words that stand for blank sentences
            texts = {"hyp": hyp, "ref": ref}
            record["lengths"] = {name: len(list(filter(None, text.words))) for name, text in texts.items()}
        return record


class FilesRouge:
    """The packages' class that scores two files line by line; takes the arguments of `Rouge`."""

    package: type[Rouge]

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as `Rouge` has them
        self.rouge = self.package(*arguments, **options)

    def get_scores(
        self,
        hyp_path: str,
        ref_path: str,
        avg: bool = False,  # noqa: FBT001, FBT002 - the packages'
        ignore_empty: bool = False,  # noqa: FBT001, FBT002 - the packages'
    ) -> Any:  # noqa: ANN401 - a list of records, or with avg one record
        """Return the scores of each line against the reference line with the same number.

        As in the packages the last character of every line is removed, even if it is not a line end.

        Args:
            avg: Return the means of the scores instead.
            ignore_empty: Leave out pairs with an empty line.

        Raises:
            AssertionError: If a file does not exist, or if the numbers of lines differ. Errors of
                `Rouge.get_scores` are raised, too.
        """
        for path in (hyp_path, ref_path):
            if not os.path.isfile(path):
                raise AssertionError(f"{path}: no such file")
        hyps, refs = (files.read(path, "lines") for path in (hyp_path, ref_path))
        counts = [len(BytesIO(data).readlines()) for data in (hyps, refs)]
        if counts[0] != counts[1]:
            raise AssertionError(f"{counts[0]} lines of hypotheses for {counts[1]} of references")
        return self.rouge.get_scores(_lines(hyps), _lines(refs), avg, ignore_empty)


def _lines(data: bytes) -> list[str]:
    return [line[:-1] for line in TextIOWrapper(BytesIO(data), encoding="utf-8")]


def _means(records: Sequence[dict[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    if not records:
        raise ZeroDivisionError("no scores to average")
    means = {name: dict.fromkeys(values, 0.0) for name, values in records[0].items()}
    for name, sums in means.items():
        for record in records:  # added in the packages' order, without fsum
            for stat, value in record[name].items():
                sums[stat] += value
        means[name] = {stat: total / len(records) for stat, total in sums.items()}
    return means


class SetRun(StringRun[Text]):
    """A run of the dialects `pltrdy` and `chinese`."""

    package: type[Rouge]  # the class that splits texts and selects metrics

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        self._formula = FORMULAS[one_of(options, "formula", *FORMULAS)]
        self._rouge = self.package(options["metrics"], exclusive=options["exclusive"])
        super().__init__(options, uses, notify)

    def measure(self, label: str) -> tuple[Metric, Harmonic]:
        """Return the package's metric and formulas for a label."""
        return self._rouge.metric(label), self._formula

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the words of each sentence; without sentences if the package refuses the text."""
        return [[(word, word) for word in words] for words in self._rouge.sentences(string)]

    def scores(self, references: Sequence[Text], prediction: Text) -> Mapping[str, Scored]:
        """Return the scores by label; ignore empty texts if the options ask for it."""
        if self.options["ignore_empty"]:
            references = [reference for reference in references if not reference.empty]
            if prediction.empty or not references:
                return {}
        return super().scores(references, prediction)

    def counts(self, source: Source) -> bool:
        """Return False if the text is empty and empty texts are ignored."""
        return bool(source.tokens) or not self.options["ignore_empty"]
