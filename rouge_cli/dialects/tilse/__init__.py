"""Timeline summarization: the metrics of Martschat and Markert (2017), as in their
toolkit tilse 0.2.

A timeline is a list of dates with sentences. The metrics compare different days:

    concat       all days, joined
    agreement    days with the same date
    align        each day with one other day, near in time
    align+       each day with one other day, near in time and with similar words (label
                 `align-content`)
    align+ m:1   the same, but several days may share a day (label `align-content-m1`)

Matches of days that are k days apart count 1 / (k + 1). Counts are ROUGE-1.5.5's, by
default stemmed and without stop words, as in the toolkit; the paper's numbers use plain
tokens. Several references are pooled: their counts are added. The average is the mean
precision, the mean recall, and the F of these means.

Labels look like ROUGE-1-align-content. The names of the paper and of the toolkit are
accepted, too. Texts are read in the format `timeline`. `rouge-cli timeline` has more:
presets, alignments, date selection, folders of topics. Martschat and Markert,
"Improving ROUGE for Timeline Summarization", 2017.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache, partial
from itertools import chain
from typing import Any, NamedTuple

from rouge_cli import core
from rouge_cli.core import (
    Counts,
    Document,
    EvalTask,
    Explanation,
    Pair,
    Side,
    Source,
    Token,
    number,
)
from rouge_cli.dialects._base import Dialect, refuse_samples
from rouge_cli.dialects._run import CountsAndScore, DialectRun, MetricAndFormula
from rouge_cli.dialects._run import mean as mean_of
from rouge_cli.dialects.tilse import counts
from rouge_cli.dialects.tilse.counts import (
    METRICS,
    Aligned,
    Days,
    Engine,
    Link,
    TimelineCounts,
)
from rouge_cli.errors import RougeError, UsageError, suggestion
from rouge_cli.explanation import pair, places_of
from rouge_cli.formats import timeline
from rouge_cli.metrics.ngram import NGram
from rouge_cli.options import Options, in_range, one_of
from rouge_cli.scoring.formula import Weighted
from rouge_cli.text import reading, survey, tokens

# The metrics' names in the paper and in the toolkit.
PAPER = dict(
    zip(METRICS, ("concat", "agreement", "align", "align+", "align+ m:1"), strict=True)
)
TOOLKIT = {
    **PAPER,
    counts.ALIGN: "align_date_costs",
    counts.CONTENT: "align_date_content_costs",
    counts.MANY: "align_date_content_costs_many_to_one",
}
LONGEST = 9  # days of timelines rarely share longer n-grams
# The default metrics.
DEFAULT = [f"ROUGE-{n}-{metric}" for metric in METRICS for n in (1, 2)]
LABELS = [f"ROUGE-1-{metric}" for metric in METRICS]  # the numbers are examples


class TimelineMeasure(NamedTuple):
    """A parsed label: ROUGE-n with a way of comparing days."""

    n: int
    metric: str

    @property
    def label(self) -> str:
        """The canonical label, such as `ROUGE-2-align-content`."""
        return f"ROUGE-{self.n}-{self.metric}"


def metric(name: str) -> str:
    """Return the metric of a name in rouge-cli, paper or toolkit, in any case; raise
    UsageError if none.
    """
    bare = partial(re.sub, "[ _:-]", "")  # `align+ m:1` equals `align+m1`
    for key in METRICS:
        if bare(name.lower()) in map(bare, (key, PAPER[key], TOOLKIT[key])):
            return key
    names = list(dict.fromkeys([*PAPER.values(), *TOOLKIT.values()]))
    raise UsageError(f"unknown metric {name!r}", remedy=suggestion(name, names))


def parse(label: str) -> TimelineMeasure:
    """Parse a label: `ROUGE-2-align`, `R1-align+`, `rouge_1-concat`; raise
    UsageError for others.
    """
    match = re.fullmatch(
        rf"(?:(?:rouge|r)[-_]?)?([1-{LONGEST}])[- _+@:](.+)", label, re.IGNORECASE
    )
    if match:
        return TimelineMeasure(int(match[1]), metric(match[2]))
    raise UsageError(
        f"unknown metric {label!r} in dialect tilse", remedy=suggestion(label, DEFAULT)
    )


# The formats of timelines, and of tasks whose input states no format.
FORMATS = ("", "spl", "plain", "timeline")
CACHED_TIMELINES = 256  # several tasks may share a timeline
_NO_DAY = 0, Source(b"", (), (), ())  # of a reference that lacks a day of the others


class _Timeline(NamedTuple):
    """A timeline with its text."""

    days: Days
    source: Source  # for each day a line with the date, and a line per sentence
    # Day -> the index of its first token, and its text.
    by_day: Mapping[date, tuple[int, Source]]


class Lack(NamedTuple):
    """What one side of a comparison lacks."""

    side: int  # 0 for the prediction, 1 for the references
    n: int  # the length of the shortest n-grams that it lacks; 0 for dates
    message: str


class Tilse(DialectRun):
    """A run of the dialect, which scores timelines."""

    needs_references = False
    averages_f_of_means = True

    def __init__(
        self, options: Options, uses: Counter[str], notify: core.Notify
    ) -> None:
        refuse_samples(options)
        if one_of(options, "protocol", POOLED, PER_REFERENCE) != POOLED:
            remedy = "use rouge-cli timeline for an evaluation per reference"
            raise UsageError("references are pooled here", remedy=remedy)
        self.formula = Weighted(in_range(options, "alpha", 0, 1))
        self._repeated = one_of(options, "repeated", *timeline.REPEATED)
        stem = one_of(options, "stemmer", "none", "rouge") == "rouge"
        stop = one_of(options, "stop", "none", "rouge") == "rouge"
        self._measures = [parse(label) for label in options["metrics"]]
        names = [measure.metric for measure in self._measures]
        self._metrics = list(dict.fromkeys(names))
        self._longest = max((measure.n for measure in self._measures), default=1)
        self._engine = Engine(stem=stem, stop=stop)
        self._days = lru_cache(CACHED_TIMELINES)(self._read)
        measures = {}
        for measure in self._measures:
            metric = NGram(measure.n)
            measures[measure.label] = MetricAndFormula(metric, self.formula)
        super().__init__(measures, reading.Reader(self.read, uses), notify)

    def scores(
        self,
        task: EvalTask,
        system: str,
        references: Sequence[Days],
        prediction: Days,
    ) -> Mapping[str, CountsAndScore]:
        """Return label -> counts and score of a prediction against all references
        together; warn of n-grams that a side lacks.
        """
        counted = self._counted(references, prediction)
        for lack in self.lacks(counted, f"system {system}", "the references"):
            if lack.n > 1:  # missing dates and tokens are reported when a text is read
                place = f"eval {task.eval_id} ({task.where})"
                self.notify(core.Notice(f"{place}: {lack.message}"))

        scores = {}
        for measure in self._measures:
            counts = counted.counts[measure.metric][measure.n - 1]
            scores[measure.label] = counts, self.formula.score(counts)
        return scores

    def compare(
        self, task: EvalTask, systems: Iterable[str]
    ) -> Iterator[tuple[str, TimelineCounts]]:
        """Yield counts and days of each prediction; raise RougeError if the input
        format has no dates.
        """
        self.check(task)
        present = task.present(systems)
        if not present:
            return
        references, predictions = self.read_eval(task, present)
        for system, prediction in zip(present, predictions, strict=True):
            yield system, self._counted(references, prediction)

    def _counted(self, references: Sequence[Days], prediction: Days) -> TimelineCounts:
        """Return the counts of a prediction against all references together."""
        return TimelineCounts(prediction, references, self._metrics, self._longest)

    def check(self, task: EvalTask) -> None:
        """Raise RougeError if the input format has no dates."""
        if task.input_format not in FORMATS:
            what = (
                f"eval {task.eval_id}: no dates in format {task.input_format.upper()}"
            )
            remedy = "use --read-as timeline, since dialect tilse reads timelines"
            raise RougeError(what, where=task.where, remedy=remedy)

    def read(self, document: Document, *_: object) -> tuple[Any, survey.Numbers]:
        """Return the days of a timeline and its part of the tally."""
        reading.note_nuls(document, self.notify)
        days, numbers = self._days(document)
        if not any(day.text.tokens for day in days.values()):
            what = "no token that counts" if days else "no date"
            self.notify(core.Notice(f"{document.where}: {what} in it"))
        return days, numbers

    def _read(self, document: Document) -> tuple[Days, survey.Numbers]:
        dated = timeline.only(
            document.data, document.where, self.notify, repeated=self._repeated
        )
        sentences = chain.from_iterable(dated.values())
        units = [sentence.encode("utf-8", "replace") for sentence in sentences]
        days = self._engine.days(dated)
        text = b"\n".join(units).decode("utf-8", "replace")
        is_read = any(day.text.tokens for day in days.values())
        if not is_read and not text.isascii() and any(map(str.isalpha, text)):
            what = "text, but no tokens: only ASCII letters and digits count"
            self.notify(core.Notice(f"{document.where}: {what}"))
        return days, survey.survey(units)

    def lacks(self, counted: TimelineCounts, *sides: str) -> Iterator[Lack]:
        """Yield what a side has no count of, for which the toolkit divides by zero.

        Args:
            sides: The names of the prediction and of the references, for messages.
        """
        by_length = [(0, counted.dates)]
        for measure in self._measures:
            sums = counted.counts[measure.metric][measure.n - 1]
            by_length.append((measure.n, sums))
        for side, name in enumerate(sides):
            lacking = []
            for n, sums in by_length:
                size = sums.prediction if side == 0 else sums.reference
                if not size:
                    lacking.append(n)
            if lacking:
                n = min(lacking)
                yield Lack(side, n, f"no {_unit(n)} in {name}; {_scores(n)} 0")

    def explain(self, task: EvalTask) -> dict[str, list[Explanation]]:
        """Explain every prediction of a loaded eval."""
        names = [name for name, _ in task.references]
        references = [self._render(text) for _, text in task.references]
        days = [reference.days for reference in references]
        explained: dict[str, list[Explanation]] = {}
        for system, text in task.predictions.items():
            prediction = self._render(text)
            counted = self._counted(days, prediction.days)
            explained[system] = []
            for measure in self._measures:
                aligned = counted.alignments.get(measure.metric)
                pairs = []
                for name, reference in zip(names, references, strict=True):
                    texts = reference, prediction
                    pairs.append(self._pair(measure, name, texts, aligned))

                sums = counted.counts[measure.metric][measure.n - 1]
                score = self.formula.score(sums)
                arithmetic: list[str] = []
                if aligned:
                    arithmetic += _alignment(aligned, measure.n)
                of_pairs = [part.counts for part in pairs]
                arithmetic += self.formula.lines([], of_pairs, (sums, score))
                explanation = Explanation(
                    measure.label, system, pairs, arithmetic, sums, score
                )
                explained[system].append(explanation)
        return explained

    def _pair(
        self,
        measure: TimelineMeasure,
        name: str,
        texts: tuple[_Timeline, _Timeline],
        aligned: Aligned | None,
    ) -> Pair:
        """Return the matches of a reference and the prediction; `aligned` is None
        for concat.
        """
        metric = NGram(measure.n)
        reference, prediction = texts
        if aligned is None:
            return pair(metric, name, reference.source, prediction.source)

        match = 0.0
        matches: list[core.Match] = []
        reference_days = []
        for link in aligned.recall:
            shared = _pair_of_days(metric, name, texts, link)
            match += link.weight * shared.counts.match
            matches += [unit._replace(worth=link.weight) for unit in shared.matches]
            first, _ = reference.by_day.get(link.reference, _NO_DAY)
            reference_days.append((first, shared.reference))
        matches.sort(key=lambda shared: -shared.counted * shared.worth)

        prediction_match = 0.0
        prediction_days = []
        for link in aligned.precision:
            shared = _pair_of_days(metric, name, texts, link)
            prediction_match += link.weight * shared.counts.match
            first, _ = prediction.by_day[link.prediction]
            prediction_days.append((first, shared.prediction))

        sums = Counts(
            reference=_size(reference, measure.n),
            prediction=_size(prediction, measure.n),
            match=match,
            prediction_match=prediction_match,
        )
        step = f"reference {sums.reference}, prediction {sums.prediction}"
        step += f", match {number(match)}"
        if prediction_match != match:
            step += f", for precision {number(prediction_match)}"
        return Pair(
            name,
            _side(reference.source, reference_days),
            _side(prediction.source, prediction_days),
            matches,
            sums,
            [step],
        )

    def forms(self, document: Document, _: str) -> Sequence[tuple[str, str]]:
        """Return the lower-cased tokens of a document, each with its counted form;
        empty if dropped.
        """
        text = self._render(document).source
        return [(token.surface.lower(), token.form) for token in text.tokens]

    def _render(self, document: Any) -> _Timeline:  # noqa: ANN401 - a Document
        """Return a timeline with its text: for each day a line with the date, and a
        line per sentence.
        """
        dated = timeline.only(
            document.data, document.where, core.ignore_notice, repeated=self._repeated
        )
        data = b""
        spans: list[tuple[int, int]] = []
        all_tokens: list[Token] = []
        by_day: dict[date, tuple[int, Source]] = {}
        for day, sentences in dated.items():
            first = len(all_tokens)
            for index, line in enumerate([day.isoformat(), *sentences]):
                text = line.encode("utf-8", "replace").replace(b"\n", b" ")
                if index > 0:  # the date has no tokens
                    all_tokens += self._tokens(text, len(data), len(spans))
                spans.append((len(data), len(data) + len(text)))
                data += text + b"\n"
            of_day = all_tokens[first:]
            by_day[day] = first, Source(data, (), of_day, of_day)
        return _Timeline(
            days=self._engine.days(dated),
            source=Source(data, spans, all_tokens, all_tokens),
            by_day=by_day,
        )

    def _tokens(self, line: bytes, start: int, sentence: int) -> list[Token]:
        """Return the tokens of a line that begins at a position of the text."""
        normalize = self._engine.normalize
        words = tokens.tokens(line)
        places = places_of(line.lower(), words)
        of_line = []
        for word, (first, last) in zip(words, places, strict=True):
            form = normalize(word) if normalize else word
            rule = why_dropped = ""
            if form is None:
                why_dropped = "stop word"
            elif form != word:
                rule = "stemmer"
            token = Token(
                surface=line[first:last].decode("utf-8", "replace"),
                form=(form or b"").decode(),
                start=start + first,
                end=start + last,
                sentence=sentence,
                rule=rule,
                why_dropped=why_dropped,
            )
            of_line.append(token)
        return of_line


def mean(scores: Sequence[core.Score], formula: Weighted) -> core.Score:
    """Return the mean recall, the mean precision, and the F of these means (not the
    mean F).
    """
    recall = mean_of([score.recall for score in scores])
    precision = mean_of([score.precision for score in scores])
    return core.Score(recall, precision, formula.f(recall, precision))


def _unit(n: int) -> str:
    """Return the name of what a timeline may lack: a date if n is 0, else an n-gram."""
    if n == 0:
        return "date"
    if n == 1:
        return "token that counts (ASCII letters and digits)"
    return f"{n}-gram that counts"


def _scores(n: int) -> str:
    """Return which scores are 0 if a timeline lacks such units, with the verb."""
    return f"ROUGE-{n} is" if n > 1 else "scores are"


# Explanations.


def _pair_of_days(
    metric: NGram, name: str, texts: tuple[_Timeline, _Timeline], link: Link
) -> Pair:
    """Return the matches of two aligned days; a reference may lack the day."""
    reference, prediction = texts
    _, in_reference = reference.by_day.get(link.reference, _NO_DAY)
    _, in_prediction = prediction.by_day[link.prediction]
    return pair(metric, name, in_reference, in_prediction)


def _side(source: Source, days: Iterable[tuple[int, Side]]) -> Side:
    """Return a side of a pair with the marks of its days; the index of a day's first
    token precedes the day.
    """
    counted: set[int] = set()
    clipped: set[int] = set()
    for first, day in days:
        counted.update(first + index for index in day.counted)
        clipped.update(first + index for index in day.clipped)
    return Side(source, source.tokens, frozenset(counted), frozenset(clipped))


def _size(text: _Timeline, n: int) -> int:
    """Return the number of n-grams in the days of a timeline."""
    return counts.size([day.text for day in text.days.values()], n)


def _alignment(aligned: Aligned, n: int) -> Iterator[str]:
    """Yield the aligned days, with the weights of their matches."""
    if not aligned.recall and not aligned.precision:
        yield "no day is compared with another"
    directions = {"for recall ": aligned.recall, "for precision ": aligned.precision}
    if sorted(aligned.recall) == sorted(aligned.precision):
        directions = {"": aligned.recall}
    for name, links in directions.items():
        for predicted, reference, cost, weight, matches in links:
            days = abs((predicted - reference).days)
            distance = f"{days} days apart"
            if days == 0:
                distance = "the same day"
            elif days == 1:
                distance = "1 day apart"
            yield (
                f"{name}reference {reference} with prediction {predicted}: {distance},"
                f" cost {cost:.5f}, match {number(matches[n - 1])} x 1/{days + 1} ="
                f" {number(matches[n - 1] * weight)}"
            )


# Several references are pooled, or each is used in a separate evaluation.
POOLED, PER_REFERENCE = "pooled", "per-reference"
DEFAULTS: Mapping[str, object] = {
    "metrics": tuple(DEFAULT),
    "stemmer": "rouge",
    "stop": "rouge",
    "alpha": 0.5,
    "samples": 0,
    "protocol": POOLED,
    "repeated": timeline.LAST,
}

DIALECT = Dialect(
    DEFAULTS,
    lambda label: parse(label).label,
    Tilse,
    labels=LABELS,
    help="""Timelines: ROUGE of days that are near in time (--dialect tilse, or rouge-cli timeline).

The metrics and their labels compare:

    ROUGE-1-concat            all days, joined
    ROUGE-1-agreement         days with the same date
    ROUGE-1-align             each day with one other day, near in time
    ROUGE-1-align-content     the same, near in time and with similar words (the paper's align+)
    ROUGE-1-align-content-m1  the same, but several days may share a day (align+ m:1)

The labels of ROUGE-2 to ROUGE-9 are alike. The names of the paper and of its toolkit are accepted, too:
`R2-align+`, `ROUGE-1-align_date_costs`.
""",  # noqa: E501 - columns of a table, and its first line is a sentence
    stemmer="rouge",
    stop_list="rouge",
    averages_f_of_means=True,
)
