"""The evals whose texts a page shows, and their words with marks of matches."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from rouge_cli.core import Notice
from rouge_cli.errors import RougeError
from rouge_cli.explanation import number
from rouge_cli.results.explanation import mark
from rouge_cli.studies.explanation import explainer
from rouge_cli.studies.page.dialects import scores_elsewhere
from rouge_cli.studies.page.records import Gain
from rouge_cli.text import reading

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from rouge_cli.core import Document, EvalTask, Notify
    from rouge_cli.explanation import Explanation, Side, Source
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.studies.page.records import Material

    # Peer -> its explanations, one a metric.
    Explained = dict[str, list[Explanation]]
    # (label, system) -> unit -> place of an eval -> how often it counts there.
    Units = Mapping[tuple[str, str], Mapping[str, Mapping[int, int]]]

RULE = "half of them those in which the systems differ most, the others evenly spread over their mean score"
MOST_SYSTEMS = 12  # whose units are compared
MOST_UNITS = 12  # of a pair of systems
_LONGEST = 400  # characters of a word to show
_LETTERS = {"counted": "c", "clipped": "x", "dropped": "d", "": "."}
# Control characters as their pictures; line feeds end lines, and the others could act on a terminal.
_PICTURES = {code: 0x2400 + code for code in range(32) if code not in (9, 10)} | {127: 0x2421}
_PICTURES |= dict.fromkeys(range(128, 160), 0xFFFD)


def choose(scores: Scores, present: Collection[str], most: int) -> list[int]:
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


def read(
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
    whole = explainer(run.dialect, run.options)
    by_label = [
        explainer(run.dialect, {**run.options, "metrics": (label,)}) for label in run.options["metrics"]
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
