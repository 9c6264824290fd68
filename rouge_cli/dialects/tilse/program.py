"""Scoring one timeline against others: what the days that are compared share, and what that comes to.

Section numbers are those of Martschat and Markert, "Improving ROUGE for Timeline Summarization", 2017.
"""

from __future__ import annotations

import string
from collections import Counter
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import files
from rouge_cli.core import Average, Counts, Document, Estimate, EvalResult, Notice, Score, Text
from rouge_cli.dialects.tilse import labels
from rouge_cli.dialects.tilse.labels import CONCAT, METRICS
from rouge_cli.dialects.tilse.plans import plans, weight
from rouge_cli.errors import RougeError
from rouge_cli.formats import timeline
from rouge_cli.metrics.ngram import NGram
from rouge_cli.scoring.ratio import f_measure, ratio
from rouge_cli.text import stemmers
from rouge_cli.text.tokens import tokens
from rouge_cli.text.vocabulary import Vocabulary, normaliser
from rouge_cli.text.word_lists import irregular_forms, stop_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from rouge_cli.core import EvalTask, Notify
    from rouge_cli.formats.timeline import Timeline
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column

    # Each date with its day, in ascending order.
    Days = dict[date, "Day"]

# The formats that tasks name where nobody has said what their texts are.
UNSAID = ("", "spl", "plain")


class Tilse:
    """The dialect for one run."""

    def __init__(self, options: Options, engine: Engine, uses: Counter[str], notify: Notify) -> None:
        self.labels = options["metrics"]
        self._measures = [labels.parse(label) for label in self.labels]
        self._metrics = list(dict.fromkeys(one.metric for one in self._measures))
        self._alpha: float = options["alpha"]
        self._repeated: str = options["repeated"]
        self._engine = engine
        self._uses = uses
        self._notify = notify
        self._kept: dict[str, Days] = {}

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Each peer that the task has, against its models together."""
        if task.input_format not in (*UNSAID, "timeline"):
            raise RougeError(
                f"eval {task.eval_id}: no dates in format {task.input_format.upper()}",
                where=task.where,
                remedy="dialect tilse reads timelines: --read-as timeline",
            )
        present = {peer_id: source for peer_id in peer_ids if (source := task.peers.get(peer_id))}
        if not present:
            return {}
        models = [self._read(source, task, f"model {one}") for one, source in task.models]
        results = {}
        for peer_id, source in present.items():
            peer = self._read(source, task, f"peer {peer_id}")
            found = self._engine.score(peer, models, self._metrics)
            self._remark(task, peer_id, found)
            results[peer_id] = {
                one.label: self._result(task.eval_id, found.counts[one.metric][one.n - 1])
                for one in self._measures
            }
        return results

    def kernel_setup(self) -> None:
        """There is no compiled twin."""

    def average(self, columns: Mapping[tuple[str, str], Column]) -> Mapping[tuple[str, str], Average]:
        """Mean recall, mean precision, and the F of these two."""
        found = {}
        for key, column in columns.items():
            score = mean([Score(*one) for one in zip(*column.scores(), strict=True)], self._alpha)
            found[key] = Average(*(Estimate(value, None, None) for value in score))
        return found

    def details(self) -> Mapping[str, Any]:
        """Nothing."""
        return {}

    def _remark(self, task: EvalTask, peer_id: str, found: Scored) -> None:
        """Name a side without n-grams; one without a date or a token is named where it is read."""
        sizes = ((measure.n, found.counts[measure.metric][measure.n - 1]) for measure in self._measures)
        for lack in lacks(found.dates, sizes):
            if lack.n > 1:
                side = "the models" if lack.is_model else f"peer {peer_id}"
                self._notify(Notice(f"eval {task.eval_id} ({task.where}): {lack.message(side)}"))

    def _result(self, eval_id: str, counts: Counts) -> EvalResult:
        return EvalResult(eval_id, counts, scored(counts, self._alpha))

    def _read(self, source: str | Document, task: EvalTask, role: str) -> Days:
        """The days of a file, which are kept while they are needed, or of a document."""
        if isinstance(source, Document):
            return self._days(source)
        found = self._kept.get(source)
        if found is None:
            data = files.read(source, f"{role} of eval {task.eval_id} ({task.where})")
            found = self._days(Document(data, source))
        self._uses[source] -= 1
        if self._uses[source] > 0:
            self._kept[source] = found
        else:
            self._kept.pop(source, None)
        return found

    def _days(self, document: Document) -> Days:
        found = timeline.only(document.data, document.where, self._notify, repeated=self._repeated)
        days = self._engine.days(found)
        if not any(day.text.tokens for day in days.values()):
            what = "no token that counts" if days else "no date"
            self._notify(Notice(f"{document.where}: {what} in it"))
        return days


class Day(NamedTuple):
    """A day of a timeline.

    text: its tokens, with which matches are counted. words: what the costs compare, from QUIRKS 39.
    """

    text: Text
    words: Counter[str]


class Link(NamedTuple):
    """A day of the prediction, and the day of the references that it is compared with.

    cost: what aligning them costs. weight: what each of their matches counts. matches: how many there are
    for n = 1, 2, ..., summed over the references.
    """

    prediction: date
    reference: date
    cost: float
    weight: float
    matches: Sequence[float]


class Aligned(NamedTuple):
    """The links that precision is made of, by days of the prediction, and recall, by the references'."""

    precision: Sequence[Link]
    recall: Sequence[Link]


class Scored(NamedTuple):
    """What a prediction gets.

    counts: metric -> for n = 1, 2, ... its weighted matches, the references' n-grams, and the prediction's,
    once for each reference. alignments: metric -> its links; none for concat. dates: days, and common ones.
    """

    counts: Mapping[str, Sequence[Counts]]
    alignments: Mapping[str, Aligned]
    dates: Counts


class Engine:
    """Reads timelines and scores them, with n-grams up to `longest`.

    Words are read and stemmed once; days that were read may be scored as often as one likes.
    """

    def __init__(self, *, stem: bool, stop: bool, longest: int, notify: Notify) -> None:
        normalise = normaliser(
            stop_words(None, notify) if stop else frozenset(),
            stemmers.rouge(irregular_forms(None, notify)) if stem else None,
            stemmers.SHORTEST_STEMMED,
        )
        self._vocabulary = Vocabulary(normalise, {})
        self._metrics = [NGram(n) for n in range(1, longest + 1)]

    def days(self, timeline: Timeline) -> Days:
        """The timeline as the metrics see it."""
        return {
            day: Day(Text(self._ids(sentences)), Counter(_words(sentences)))
            for day, sentences in sorted(timeline.items())
        }

    def score(
        self, prediction: Days, references: Sequence[Days], metrics: Sequence[str] = METRICS
    ) -> Scored:
        """Score a prediction against its references, which are pooled.

        A ratio without a denominator is 0, also where the toolkit stops with an error.
        """
        theirs = sorted(set().union(*references))
        ours = list(prediction)
        pair = _Pair(self._metrics, prediction, references)
        compared = plans(prediction, references, ours, theirs, metrics)
        alignments = {}
        for metric, plan in compared.items():
            links = [
                [
                    Link(
                        ours[i],
                        theirs[j],
                        plan.cost(i, j),
                        weight((ours[i] - theirs[j]).days),
                        pair.matches(i, j),
                    )
                    for i, j in pairs
                ]
                for pairs in (plan.precision, plan.recall)
            ]
            alignments[metric] = Aligned(*links)
        return Scored(
            {
                metric: pair.joined() if metric == CONCAT else pair.counts(alignments[metric])
                for metric in metrics
            },
            alignments,
            Counts(len(theirs), len(ours), len(set(ours) & set(theirs))),
        )

    def _ids(self, sentences: Sequence[str]) -> list[int]:
        return [
            number
            for sentence in sentences
            for number in self._vocabulary.ids(tokens(sentence.encode("utf-8", "replace")))
        ]


class Lack(NamedTuple):
    """A side that has nothing to divide by.

    is_model: whether it is the references'. n: of the shortest n-grams that it lacks; 0 for dates.
    """

    is_model: bool
    n: int

    def message(self, side: str) -> str:
        """Return what a notice says of it."""
        what = ("date", "token that counts")[self.n] if self.n < 2 else f"{self.n}-gram that counts"
        return f"no {what} in {side}; {f'ROUGE-{self.n} is' if self.n > 1 else 'scores are'} 0"


def lacks(dates: Counts, sizes: Iterable[tuple[int, Counts]]) -> Iterator[Lack]:
    """Return the sides without a date, a token or an n-gram, for which the toolkit divides by zero.

    dates: of the two sides. sizes: the counts that are reported, with their n.
    """
    known = list(sizes)
    for is_model in (False, True):
        without = [n for n, counts in known if not (counts.model if is_model else counts.peer)]
        if not (dates.model if is_model else dates.peer):
            yield Lack(is_model, 0)
        elif without:
            yield Lack(is_model, min(without))


def scored(counts: Counts, alpha: float) -> Score:
    """Recall, precision and F."""
    return with_f(ratio(counts.match, counts.model), ratio(counts.matched, counts.peer), alpha)


def mean(scores: Sequence[Score], alpha: float) -> Score:
    """The mean recall, the mean precision, and the F of these two (which is not the mean F)."""
    size = max(len(scores), 1)
    recall, precision = (fsum(one[place] for one in scores) / size for place in (0, 1))
    return with_f(recall, precision, alpha)


def with_f(recall: float, precision: float, alpha: float) -> Score:
    """The score of these two."""
    return Score(recall, precision, f_measure(recall, precision, alpha))


class _Pair:
    """A prediction with its references: the n-grams that they share, counted when they are asked for."""

    def __init__(self, metrics: Sequence[NGram], prediction: Days, references: Sequence[Days]) -> None:
        self._metrics = metrics
        self._references = references
        self._ours = [day.text for day in prediction.values()]
        theirs = sorted(set().union(*references))
        self._theirs = [[one[day].text for one in references if day in one] for day in theirs]
        self._kept: dict[tuple[int, int], Sequence[float]] = {}

    def matches(self, ours: int, theirs: int) -> Sequence[float]:
        """The matches of two days, for each n, summed over the references that have the day."""
        found = self._kept.get((ours, theirs))
        if found is None:
            found = self._kept[ours, theirs] = self._matches(self._ours[ours], self._theirs[theirs])
        return found

    def counts(self, aligned: Aligned) -> list[Counts]:
        """Equation 7, before anything is divided; summed in the order of the dates, as in the toolkit."""
        every = [text for texts in self._theirs for text in texts]
        return [
            Counts(
                _size(every, metric.n),
                len(self._references) * _size(self._ours, metric.n),
                _weighted(aligned.recall, place),
                peer_match=_weighted(aligned.precision, place),
            )
            for place, metric in enumerate(self._metrics)
        ]

    def joined(self) -> list[Counts]:
        """The days of each timeline joined (section 3.1): n-grams run on from a day to the next."""
        ours = _joined(self._ours)
        theirs = [_joined([one[day].text for day in sorted(one)]) for one in self._references]
        matches = self._matches(ours, theirs)
        return [
            Counts(_size(theirs, metric.n), len(theirs) * _size([ours], metric.n), match)
            for metric, match in zip(self._metrics, matches, strict=True)
        ]

    def _matches(self, ours: Text, theirs: Sequence[Text]) -> list[float]:
        return [sum(metric.count(text, ours).match for text in theirs) for metric in self._metrics]


def _words(sentences: Sequence[str]) -> Iterator[str]:
    """What stands between white space, but for any piece of the string of ASCII punctuation (QUIRKS 39)."""
    for sentence in sentences:
        for word in sentence.split():
            if word not in string.punctuation:
                yield word


def _weighted(links: Sequence[Link], place: int) -> float:
    """The sum of the weighted matches, one added to the other: `sum` does otherwise since Python 3.12."""
    total = 0.0
    for link in links:
        total += link.weight * link.matches[place]
    return total


def _joined(texts: Sequence[Text]) -> Text:
    return Text([number for text in texts for number in text.tokens])


def _size(texts: Sequence[Text], n: int) -> int:
    """How many n-grams the texts have."""
    return sum(max(len(text.tokens) - n + 1, 0) for text in texts)
