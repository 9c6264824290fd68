"""What `rouge-cli score --dialect google` may ask: rouge_score on any input, with any report."""

from __future__ import annotations

from functools import lru_cache, partial
from math import fsum
from typing import TYPE_CHECKING, Any

from rouge_cli import folders
from rouge_cli.core import Average, Estimate, EvalResult, Notice, Score
from rouge_cli.dialects.google import rouge_scorer
from rouge_cli.dialects.google.scoring import BootstrapAggregator
from rouge_cli.errors import UsageError, all_of
from rouge_cli.native.setup import KernelSetup
from rouge_cli.options import in_range, one_of
from rouge_cli.reading import Reader
from rouge_cli.text import normalization, sentences, tokenizers
from rouge_cli.text.survey import survey

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rouge_cli.core import Counts, Document, EvalTask, Notify, Text
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column

DEFAULTS: Mapping[str, Any] = {
    "metrics": ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    "stemmer": "none",
    "jackknife": False,
    "confidence": 95.0,
    "samples": 0,
    "seed": 0,
    "normalize": normalization.NONE,
    "tokenizer": "google",
    "sentences": "newline",
}
STEMMER = "nltk"  # what `--stem` means here
STOP_LIST = ""  # there is none, and no option `stop`
LABELS = (*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum")


class _Measure:
    """A metric under rouge_score's name for it."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.metric = rouge_scorer.metric(label)


def parse(label: str) -> _Measure:
    """The measure of a type's name, in any case; ROUGE-1 and the like are taken too.

    Raises UsageError.
    """
    wanted = label.lower().replace("-", "")
    for known in LABELS:
        if wanted in (
            known.lower(),
            known.lower().replace("rouge", "r"),
            known.lower().removeprefix("rouge"),
        ):
            return _Measure(known)
    raise UsageError(
        f"unknown metric {label!r} in dialect google", remedy=folders.suggestion(label, list(LABELS))
    )


def canonical(options: Options) -> Options:
    """The options as the signature writes them."""
    measures = all_of(partial(parse, label) for label in options["metrics"])
    labels = tuple(dict.fromkeys(one.label for one in measures))
    return {**options, "metrics": labels, "normalize": normalization.canonical(options["normalize"])}


def command_line(_: Options) -> None:
    """rouge_score has no command that prints these scores."""
    return


def build(options: Options, uses: Counter[str], notify: Notify) -> Google:
    """The dialect, set up; raises UsageError for values that make no sense."""
    stem = one_of(options, "stemmer", "none", STEMMER) == STEMMER
    in_range(options, "confidence", 0, 100)
    in_range(options, "samples", 0, 10_000_000)
    in_range(options, "seed", 0, 2**32 - 1)
    tokenizer = options["tokenizer"]
    form = lru_cache(rouge_scorer.MOST_FORMS)(rouge_scorer.stem) if stem else str
    own = None if tokenizer == "google" else _Tokenizer(tokenizers.named(tokenizer), form)
    return Google(options, rouge_scorer.RougeScorer((), use_stemmer=stem, tokenizer=own), uses, notify)


class _Tokenizer:
    """One of our tokenizers, as rouge_score expects one.

    form: from a token to what is counted, since rouge_score stems the tokens of its own tokenizer only.
    """

    def __init__(self, tokenize: Callable[[bytes], Sequence[bytes]], form: Callable[[str], str]) -> None:
        self._tokenize = tokenize
        self._form = form

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text, stemmed when the run asks for it."""
        tokens = self._tokenize(text.encode("utf-8", "replace"))
        return [self._form(token.decode("utf-8", "replace")) for token in tokens]


class Google:
    """The dialect for one run."""

    def __init__(
        self, options: Options, scorer: rouge_scorer.RougeScorer, uses: Counter[str], notify: Notify
    ) -> None:
        self.labels = options["metrics"]
        self._options = options
        self._scorer = scorer
        self._notify = notify
        surveyed = partial(
            survey, ascii_only=options["tokenizer"] in ("google", "classic"), normalize=options["normalize"]
        )
        self._reader = Reader(self._text, sentences.named(options["sentences"]), uses, surveyed)

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Each peer that the task has: for each type the model of the best F, the first on ties."""
        present = {peer_id: source for peer_id in peer_ids if (source := task.peers.get(peer_id))}
        if not present or not task.models:
            return {}
        if self._scorer.forget():
            self._reader.forget()
        models, peers = self._reader.pair(task, present)
        table = self._scorer.count(self.labels, models, peers)
        return {
            peer_id: {
                label: _best(task.eval_id, label, [counts[place] for counts in by_model])
                for place, label in enumerate(self.labels)
            }
            for peer_id, by_model in zip(present, table, strict=True)
        }

    def kernel_setup(self) -> KernelSetup | None:
        """Return what compiled code has to know, if tokens and sentences are rouge_score's."""
        specs = [spec for label in self.labels if (spec := rouge_scorer.metric(label).kernel_spec)]
        options = self._options
        if not self._scorer.is_plain or (options["sentences"], options["normalize"]) != ("newline", "none"):
            return None
        return KernelSetup(specs, self._scorer.normalise, is_google=True)

    def average(self, columns: Mapping[tuple[str, str], Column]) -> Mapping[tuple[str, str], Average]:
        """Plain means, or rouge_score's aggregate: the median of the resampled means, and its interval.

        Each system draws from a stream of its own, as if it had been scored alone.
        """
        if not self._options["samples"]:
            return {key: _plain(column) for key, column in columns.items()}
        averages: dict[tuple[str, str], Average] = {}
        for peer_id in dict.fromkeys(peer_id for peer_id, _ in columns):
            aggregator = BootstrapAggregator(
                self._options["confidence"] / 100, int(self._options["samples"]), int(self._options["seed"])
            )
            for label in self.labels:
                for scores in zip(*columns[peer_id, label].scores(), strict=True):
                    aggregator.add_scores({label: scores})
            for label, (low, mid, high) in aggregator.aggregate().items():
                averages[peer_id, label] = Average(*map(Estimate, mid, low, high))
        return {key: averages[key] if column else _plain(column) for key, column in columns.items()}

    def details(self) -> Mapping[str, Any]:
        """How many texts were read, and how many sentences were found in them, by side."""
        return self._reader.tally

    def _text(self, document: Document, units: Sequence[bytes]) -> Text:
        # A sentence that was found in one line may not be divided again, nor two in one be joined.
        lines = [unit.replace(b"\n", b" ") for unit in units]
        string = b"\n".join(lines).decode("utf-8", "replace")
        text = self._scorer.text(normalization.normalize(self._options["normalize"], string))
        if text.empty and any(map(bytes.strip, units)):
            self._notify(
                Notice(
                    f"{document.where}: text, but not one token: only ASCII letters and digits count "
                    "(for other alphabets: --tokenizer unicode, or char)"
                )
            )
        return text


def _best(eval_id: str, label: str, found: Sequence[Counts]) -> EvalResult:
    scores = [rouge_scorer.scored(label, *counts[:3]) for counts in found]
    place = max(range(len(scores)), key=lambda one: scores[one].fmeasure)
    precision, recall, f = scores[place]
    return EvalResult(eval_id, found[place], Score(recall, precision, f))


def _plain(column: Column) -> Average:
    return Average(*(Estimate(fsum(one) / max(len(one), 1), None, None) for one in column.scores()))
