"""The contents of a page, as records; and the evals whose texts it shows.

Of these evals a page has the words with marks of matches, the units that count for one system only, and the
scores in other dialects, set up as similarly as possible.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rouge_cli.core import Notice, ignore_notice
from rouge_cli.errors import RougeError
from rouge_cli.explanation import number
from rouge_cli.results.explanation import mark
from rouge_cli.studies import setups
from rouge_cli.text import reading

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from rouge_cli.api import Run
    from rouge_cli.core import Document, EvalTask, Notify
    from rouge_cli.explanation import Explanation, Side, Source
    from rouge_cli.results.comparison import Comparison
    from rouge_cli.results.correlation import Correlations
    from rouge_cli.results.scores import Results
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.tasks.judgements import Judgements

    # Peer -> its explanations, one a metric.
    Explained = dict[str, list[Explanation]]
    # (label, system) -> unit -> place of an eval -> how often it counts there.
    Units = Mapping[tuple[str, str], Mapping[str, Mapping[int, int]]]
    # (eval, system) -> label -> the other dialects with their F.
    Elsewhere = dict[tuple[str, str], dict[str, list[tuple[str, float]]]]

FIGURES = ("R", "P", "F")

# A metric's label and R, P or F.
Column = tuple[str, str]


class Material(NamedTuple):
    """The material of a page.

    tasks, run, report: those of the scored run. columns: the user's selection; the page shows the first of
    them first. documents: eval -> the source text. evals: the number of evals shown with texts. trials: the
    number of trials of the tests. confidence: the level of intervals, as the user typed it.
    """

    tasks: Sequence[EvalTask]
    run: Run
    report: Results
    columns: Sequence[Column]
    judgements: Sequence[Judgements] = ()
    documents: Mapping[str, Document] | None = None
    evals: int = 300
    trials: int = 10_000
    seed: int = 0
    baseline: str | None = None
    confidence: str = "95"


class Bucket(NamedTuple):
    """Evals with similar values of one property: their range as text, and their places among all evals."""

    name: str
    places: NDArray[Any]


class Division(NamedTuple):
    """A division of all evals by one property, such as the length of their references."""

    name: str
    explanation: str
    buckets: Sequence[Bucket]


class Choice(NamedTuple):
    """The ranking with a subset of the references: its name, and each column's scores of the systems.

    means: column -> system -> mean. agreement: column -> Kendall's tau with the ranking by all references.
    """

    name: str
    evals: int
    means: Mapping[Column, Mapping[str, float]]
    agreement: Mapping[Column, float]


class Gain(NamedTuple):
    """A unit that one system has and another lacks: its frequency, and the places of the evals."""

    unit: str
    times: int
    evals: Sequence[int]


class Page(NamedTuple):
    """The whole content of a page.

    matrices: column -> scores. comparisons: R, P, F -> the comparison by that figure; none if there is
    one system. texts: place of an eval -> its texts and marks, for the script. gains: (label, system,
    other) -> units. lengths: mean words of each eval's references.
    """

    material: Material
    systems: Sequence[str]
    evals: Sequence[str]
    labels: Sequence[str]
    matrices: Mapping[Column, Scores]
    comparisons: Mapping[str, Comparison]
    correlations: Correlations | None
    divisions: Sequence[Division]
    choices: Sequence[Choice]
    texts: Mapping[int, Mapping[str, Any]]
    gains: Mapping[tuple[str, str, str], Sequence[Gain]]
    lengths: Sequence[float]
    notices: Sequence[Notice]

    @property
    def numbers(self) -> dict[str, int]:
        """Return the place of each system."""
        return {system: place for place, system in enumerate(self.systems)}


RULE = "half of them those in which the systems differ most, the others evenly spread over their mean score"
MOST_SYSTEMS = 12  # whose units are compared
MOST_UNITS = 12  # of a pair of systems
_LONGEST = 400  # characters of a word to show
_LETTERS = {"counted": "c", "clipped": "x", "dropped": "d", "": "."}
# Control characters as their pictures; line feeds end lines, and the others could act on a terminal.
_PICTURES = {code: 0x2400 + code for code in range(32) if code not in (9, 10)} | {127: 0x2421}
_PICTURES |= dict.fromkeys(range(128, 160), 0xFFFD)


def choose_evals(scores: Scores, present: Collection[str], most: int) -> list[int]:
    """Return the places of the evals whose texts are shown, by the RULE."""
    places = [place for place, eval_id in enumerate(scores.evals) if eval_id in present]
    if len(places) <= most:
        return places
    values = scores.values[:, places]
    scores_or_zero = np.where(np.isnan(values), 0.0, values)
    spread = scores_or_zero.max(axis=0) - scores_or_zero.min(axis=0)
    differing = np.argsort(-spread, kind="stable")[: most // 2].tolist()
    others = [
        place
        for place in np.argsort(scores_or_zero.mean(axis=0), kind="stable")
        if place not in set(differing)
    ]
    even = np.linspace(0, len(others) - 1, most - len(differing)).round().astype(int)
    return sorted(places[place] for place in {*differing, *(int(others[step]) for step in even)})


def read_texts(
    material: Material, scores: Scores, chosen: Sequence[int], notify: Notify
) -> tuple[dict[int, dict[str, Any]], dict[tuple[str, str, str], list[Gain]]]:
    """Return each chosen eval's texts and marks, and the units that one system has and another lacks."""
    by_id = {task.eval_id: task for task in material.tasks}
    explain = _explainer(material, notify)
    elsewhere = scores_elsewhere(material, [by_id[scores.evals[place]] for place in chosen])
    numbers = {system: place for place, system in enumerate(scores.systems)}
    shown: dict[int, dict[str, Any]] = {}
    units: dict[tuple[str, str], dict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
    for place in chosen:
        task = by_id[scores.evals[place]]
        peers = {name: text for name, text in task.peers.items() if name in numbers and text}
        task = task._replace(peers=peers)
        explained = explain(task)
        shown[place] = _record(task, explained, numbers, material.documents)
        for system, explanations in explained.items():
            shown[place]["peers"][numbers[system]]["elsewhere"] = elsewhere.get((task.eval_id, system), {})
            for explanation in explanations:
                counted = units[explanation.label, system]
                for match in (match for pair in explanation.pairs for match in pair.matches):
                    counted[" ".join(match.unit)][place] += match.counted
    means = dict(zip(scores.systems, scores.means(), strict=True))
    ranked = sorted(means, key=lambda system: -means[system])[:MOST_SYSTEMS]
    labels = dict.fromkeys(label for label, _ in units)
    pairs = list(permutations(ranked, 2))
    return shown, {(label, *pair): _gains(units, label, *pair) for label in labels for pair in pairs}


def _explainer(material: Material, notify: Notify) -> Callable[[EvalTask], Explained]:
    """Return a function that explains an eval's peers; for jackknifed scores, it explains none."""
    run = material.run
    if run.options.get("jackknife"):
        return lambda _: {}
    whole = setups.explainer(run.dialect, run.options)
    by_label = [
        setups.explainer(run.dialect, {**run.options, "metrics": (label,)})
        for label in run.options["metrics"]
    ]

    def explain_one(
        single: Callable[[EvalTask], Mapping[str, list[Explanation]]], task: EvalTask
    ) -> Explained:
        try:
            return dict(single(task))
        except RougeError as error:
            notify(Notice(f"words are not marked: {error}"))
            return {}

    def explain(task: EvalTask) -> Explained:
        try:
            return dict(whole(task))
        except RougeError:  # one metric cannot be explained: the others by themselves
            explained: Explained = {}
            for single in by_label:
                for peer_id, explanations in explain_one(single, task).items():
                    explained.setdefault(peer_id, []).extend(explanations)
            return explained

    return explain


def _gains(units: Units, label: str, system: str, other: str) -> list[Gain]:
    """Return the units of which the system has the most that the other lacks, over all evals shown."""
    gains = []
    theirs = units.get((label, other), {})
    for unit, by_eval in units.get((label, system), {}).items():
        missed = theirs.get(unit, {})
        more = {place: times - missed.get(place, 0) for place, times in by_eval.items()}
        evals = [place for place, times in more.items() if times > 0]
        if evals:
            gains.append(Gain(_visible(unit), sum(more[place] for place in evals), evals))
    return sorted(gains, key=lambda gain: (-gain.times, gain.unit))[:MOST_UNITS]


# Texts.


def _record(
    task: EvalTask,
    explained: Mapping[str, Sequence[Explanation]],
    numbers: Mapping[str, int],
    documents: Mapping[str, Document] | None,
) -> dict[str, Any]:
    """Return an eval for the script: texts as sentences of pieces, every other piece a token."""
    forms: dict[str, int] = {}
    first = next(filter(None, explained.values()), None)
    sources = [pair.model.source for pair in first[0].pairs] if first else []
    models = [
        {"id": _visible(model_id), **_text(task, text, sources[place] if sources else None, forms)}
        for place, (model_id, text) in enumerate(task.models)
    ]
    peers = {}
    for peer_id, text in task.peers.items():
        explanations = explained.get(peer_id, ())
        source = explanations[0].pairs[0].peer.source if explanations and explanations[0].pairs else None
        assert text is not None  # noqa: S101 - the caller saw to it
        peers[numbers[peer_id]] = {
            **_text(task, text, source, forms),
            "why": {explanation.label: _why(explanation, source, sources) for explanation in explanations},
        }
    record: dict[str, Any] = {"models": models, "peers": peers}
    document = documents.get(task.eval_id) if documents else None
    if document is not None:
        record["source"] = _plain(document.data)
    return record


def _text(
    task: EvalTask, text: str | Document, source: Source | None, forms: dict[str, int]
) -> dict[str, Any]:
    """Return sentences, and for each token the number of its form, -1 if it is dropped."""
    if source is None:
        return {"s": [[_decode(unit)] for unit in reading.units(text, task.input_format)]}
    by_sentence: dict[int, list[Any]] = defaultdict(list)
    for token in source.tokens:
        by_sentence[token.sentence].append(token)
    sentences = []
    for place, (start, end) in enumerate(source.sentences):
        pieces = []
        for token in by_sentence[place]:
            pieces += [_decode(source.data[start : token.start]), _visible(token.surface)]
            start = token.end  # noqa: PLW2901 - what is left of the sentence
        sentences.append([*pieces, _decode(source.data[start:end])])
    return {
        "s": sentences,
        "f": [
            -1 if token.why_dropped else forms.setdefault(token.form, len(forms)) for token in source.tokens
        ],
    }


def _why(explanation: Explanation, peer: Source | None, models: Sequence[Source]) -> dict[str, Any]:
    """Return the marks of peer and model for each reference, the counts, and the arithmetic.

    peer, models: the texts as they are shown, by the tokens of the first metric.
    """
    return {
        "steps": list(explanation.arithmetic),
        "pairs": [
            {
                "peer": _marks(pair.peer, peer or pair.peer.source),
                "model": _marks(pair.model, model),
                "counts": [number(count) for count in pair.counts[:3]],
                "steps": list(pair.steps),
            }
            for pair, model in zip(explanation.pairs, models, strict=True)
        ],
    }


def _marks(side: Side, shown: Source) -> str:
    """Return a letter for each token shown: counted, x clipped, dropped, or a point for unmatched."""
    marks = {
        (token.start, token.end): _LETTERS[mark(side, place, token)]
        for place, token in enumerate(side.tokens)
    }
    return "".join(marks.get((token.start, token.end), ".") for token in shown.tokens)


def _plain(data: bytes) -> list[list[str]]:
    return [[_visible(line)] for line in data.decode("utf-8", "replace").split("\n") if line.strip()]


def _decode(data: bytes) -> str:
    return _visible(data.decode("utf-8", "replace"))


def _visible(text: str) -> str:
    """Return the text with pictures for control characters, and with overlong words shortened."""
    text = text.translate(_PICTURES)
    if len(text) <= _LONGEST:
        return text
    words = (
        word if len(word) <= _LONGEST else f"{word[:200]}\u2026{word[-20:]}" for word in text.split(" ")
    )
    return " ".join(words)


# Options that do not change the score of an eval.
_OF_AVERAGES = {"metrics", "samples", "confidence", "seed", "average"}


def scores_elsewhere(material: Material, tasks: Sequence[EvalTask]) -> Elsewhere:
    """Return the F of each pair in every other dialect that has the measure.

    Returns nothing if the run has options that others lack, since the numbers would differ for that reason.
    """
    run = material.run
    settings = setups.settings(stem=run.options.get("stemmer", "none") != "none")
    own = next((setting for setting in settings if setting.dialect == run.dialect), None)
    if (
        not tasks
        or own is None
        or any(
            run.options.get(name) != value
            for name, value in own.options.items()
            if name not in _OF_AVERAGES
        )
    ):
        return {}
    elsewhere: Elsewhere = {}
    others = [setting for setting in settings if setting is not own]
    for setting, report in zip(others, setups.evaluate(tasks, others, ignore_notice).values(), strict=True):
        labels = {
            label: own.labels[measure] for measure, label in setting.labels.items() if measure in own.labels
        }
        for result in report.results:
            for eval_result in result.evals if result.label in labels else ():
                if eval_result.score:
                    by_label = elsewhere.setdefault((eval_result.eval_id, result.peer_id), {})
                    own_label = labels[result.label]
                    by_label.setdefault(own_label, []).append((setting.dialect, eval_result.score.f))
    return elsewhere
