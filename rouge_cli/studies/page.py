"""The content of the page of a scored run: numbers of `score`, `compare`, `correlate`
and `explain`.

The page also ranks the systems without each reference and with each reference alone.
For as many evals as fit into the file, it has the texts with marked matches, the units
that only one system matches, and the scores in other dialects.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice, permutations, product
from typing import Any

import numpy as np

from rouge_cli import core
from rouge_cli.core import (
    Document,
    EvalTask,
    Explanation,
    Notice,
    Notify,
    ignore_notice,
    number,
)
from rouge_cli.data.word_lists import stop_words
from rouge_cli.errors import RougeError
from rouge_cli.metrics import FIGURES
from rouge_cli.results import comparison, correlation
from rouge_cli.results.base import Record
from rouge_cli.results.explanations import mark
from rouge_cli.results.scores import averages_of
from rouge_cli.runs import assembly
from rouge_cli.runs.assembly import Run
from rouge_cli.studies import (
    dialect_scores,
    eval_texts,
    explainers,
    matrix,
    significance,
)
from rouge_cli.studies.coefficients import correlation as correlation_of
from rouge_cli.studies.correlation import correlate
from rouge_cli.studies.matrix import Scores
from rouge_cli.studies.page_content import (
    RULE,
    Choice,
    Column,
    Gain,
    Material,
    Page,
    PageTexts,
    count_spellings,
    decode,
    legible,
    pack,
    sources,
    spelled,
)
from rouge_cli.text import porter
from rouge_cli.text.reading import units

# System -> the explanation of each metric.
Explained = Mapping[str, Sequence[Explanation]]
# (label, system) -> (unit, index of an eval) -> how often it counts there.
Units = Mapping[tuple[str, str], Counter[tuple[str, int]]]

MOST_SYSTEMS = 12  # systems whose units are compared
MOST_UNITS = 12  # units listed for a pair of systems, of stop words and of others
MOST_REFERENCES = 10  # references to leave out in turn; more would fill the page
AT_ONCE = 20  # evals whose texts are packed together
# Evals that are scored in the other dialects, which takes longer than everything else
ELSEWHERE = 100
NO_TEXTS = PageTexts(places=(), packed=(), gains={}, are_marked=False, evals=0)
_LETTERS = {"counted": "c", "clipped": "x", "dropped": "d", "": "."}


def gather(
    material: Material,
    notices: list[Notice],
    notify: Notify,
    watch: Callable[..., Any] = lambda **_: iter,
) -> Page:
    """Compute everything that the page shows.

    Args:
        notices: The warnings of scoring, which the page repeats.
        notify: Adds further warnings to them, as made by `page_content.keeping`.
        watch: Returns a function that passes items on, and shows the progress of what
            is named.

    Raises:
        RougeError: If the report has no scores of single evals, or if the judgements do
            not match it.
    """
    labels = list(dict.fromkeys(result.label for result in material.report.results))
    columns = [(label, measure) for measure, label in product(FIGURES, labels)]
    by_column = matrix.of_report(material.report, columns, (), notify)
    # Other metrics may have F alone.
    matrices = {
        column: scores
        for column, scores in zip(columns, by_column, strict=True)
        if not np.isnan(scores.values).all()
    }
    _check_systems(matrices.values())

    if material.columns[0] not in matrices:
        label, measure = material.columns[0]
        raise RougeError(f"no score of {label} {measure} is a number")
    first = matrices[material.columns[0]]
    texts = NO_TEXTS
    rankings: list[Choice] = []
    if material.run:
        texts = _shown_texts(material, material.run, first, notify, watch)
        rankings = choices(material.tasks, material.run, matrices)

    comparisons: dict[str, comparison.Comparison] = {}
    alone: dict[Column, comparison.Comparison] = {}
    tested = _tested(material, matrices, notify, watch(noun="steps of tests"))
    if tested:
        comparisons = _corrected_by_measure(tested, matrices, notify)
        for column, scores in matrices.items():
            of_column = tested.of_metric(scores.name)
            alone[column] = significance.corrected(of_column, ignore_notice)

    correlations = None
    if material.judgements:
        plan = correlation.CorrelationPlan(
            seed=material.plan.seed, confidence=material.plan.confidence
        )
        chosen_scores = [matrices[column] for column in material.columns]
        correlations = correlate(chosen_scores, material.judgements, plan, notify)

    return Page(
        material=material,
        systems=first.systems,
        evals=first.evals,
        labels=labels,
        matrices=matrices,
        comparisons=comparisons,
        alone=alone,
        correlations=correlations,
        choices=rankings,
        texts=texts,
        notices=notices,
    )


def _shown_texts(
    material: Material,
    run: Run,
    scores: Scores,
    notify: Notify,
    watch: Callable[..., Any],
) -> PageTexts:
    """Return the texts of as many evals as the page may have; report the number if some
    are left out.
    """
    present = {task.eval_id for task in material.tasks}
    chosen = order_of_evals(scores, present)[: material.evals]
    watched = watch(noun="evals with texts")(chosen)
    texts = read_texts(material, run, scores, watched, notify)
    number = len(scores.evals)
    if texts.evals < number:
        what = f"the page has the texts of {texts.evals} of {number} evals"
        notify(Notice(f"{what}: {RULE}"))
    return texts


def _check_systems(matrices: Collection[Scores]) -> None:
    """Raise RougeError if a column lacks a system that another column has."""
    systems: set[str] = set()
    for scores in matrices:
        systems.update(scores.systems)
    for scores in matrices:
        missing = sorted(systems.difference(scores.systems))
        if missing:
            remedy = (
                "give the scores of all systems, or name metrics that all have (-m"
                " LABEL)"
            )
            raise RougeError(
                f"{scores.name} has no scores of {missing[0]}", remedy=remedy
            )


def _tested(
    material: Material,
    matrices: Mapping[Column, Scores],
    notify: Notify,
    watch: Callable[..., Any],
) -> comparison.Comparison | None:
    """Compare the systems by every measure, not corrected; return None if there is
    nothing to compare.
    """
    if len(next(iter(matrices.values())).systems) < 2:
        return None
    plan = material.plan
    try:
        tested = significance.uncorrected(list(matrices.values()), plan, notify, watch)
    except RougeError as error:
        # Systems have no eval in common; the rest of the page can be shown.
        notify(Notice(f"systems are not compared: {error}"))
        return None
    tested = tested._replace(signature=material.report.signature)

    # The texts of all measures are scored together.
    if "references" in plan.over and material.run:
        tasks = eval_texts.in_memory(material.tasks, material.run.work.systems)
        return significance.over_references(tested, tasks)
    return tested


def _corrected_by_measure(
    tested: comparison.Comparison, matrices: Mapping[Column, Scores], notify: Notify
) -> dict[str, comparison.Comparison]:
    """Return measure -> the comparison by this measure of all metrics, corrected."""
    names: dict[str, list[str]] = {}
    for (_, measure), scores in matrices.items():
        names.setdefault(measure, []).append(scores.name)
    comparisons = {}
    for measure, names_of_measure in names.items():
        by_measure = tested.of_metric(*names_of_measure)
        comparisons[measure] = significance.corrected(by_measure, notify)
    return comparisons


def choices(
    tasks: Sequence[EvalTask], run: Run, matrices: Mapping[Column, Scores]
) -> list[Choice]:
    """Return the rankings with subsets of the references; none without two of them,
    or if jackknifed.
    """
    most = max((len(task.references) for task in tasks), default=0)
    if most < 2 or run.options.get("jackknife"):
        return []
    whole = {
        (label, letter): dict(zip(scores.systems, scores.means(), strict=True))
        for (label, letter), scores in matrices.items()
        if label in run.options["metrics"]
    }

    rankings = []
    for preposition, index in product(
        ("without", "only"), range(min(most, MOST_REFERENCES))
    ):
        selected = []
        for task in tasks:
            if len(task.references) > max(index, 1):
                references = [task.references[index]]
                if preposition == "without":
                    references = [
                        *task.references[:index],
                        *task.references[index + 1 :],
                    ]
                selected.append(task._replace(references=references))
        scored_run, scores = assembly.scored(selected, run, ignore_notice)
        report = assembly.make_report(scored_run, scores, ignore_notice)

        means = {}
        agreement = {}
        for (label, letter), means_of_all in whole.items():
            averages = averages_of(report, label, letter)
            means_of_column = {system: mean.value for system, mean in averages.items()}
            x = np.array(list(means_of_column.values()))
            y = np.array([means_of_all[system] for system in means_of_column])
            means[label, letter] = means_of_column
            agreement[label, letter] = correlation_of(x, y, "kendall").value

        choice = Choice(
            name=f"{preposition} reference {_name_of_reference(tasks, index)}",
            evals=len({task.eval_id for task in selected}),
            means=means,
            agreement=agreement,
        )
        rankings.append(choice)
    return rankings


def _name_of_reference(tasks: Sequence[EvalTask], index: int) -> str:
    """Return the name of a reference if it is the same in all evals, else its number,
    from 1.
    """
    names = set()
    for task in tasks:
        if len(task.references) > index:
            name, _ = task.references[index]
            names.add(name)
    if len(names) == 1:
        return names.pop()
    return str(index + 1)


def order_of_evals(scores: Scores, present: Collection[str]) -> list[int]:
    """Return the indices of the evals with texts in the order of display, by the
    RULE of the page.
    """
    columns = [
        column for column, eval_id in enumerate(scores.evals) if eval_id in present
    ]
    scores_or_zero = np.nan_to_num(scores.values[:, columns])
    differing = np.argsort(-np.ptp(scores_or_zero, axis=0), kind="stable")
    # Multiples of the golden ratio: each beginning of the order is spread evenly over
    # the means.
    spread = np.argsort(np.arange(len(columns)) * 0.6180339887498949 % 1, kind="stable")
    even = np.argsort(scores_or_zero.mean(axis=0), kind="stable")[spread]
    alternating = np.column_stack((differing, even)).ravel().tolist()
    return [columns[index] for index in dict.fromkeys(alternating)]


def read_texts(
    material: Material, run: Run, scores: Scores, chosen: Iterable[int], notify: Notify
) -> PageTexts:
    """Return the texts and marks of the chosen evals, as many as fit, and what
    systems match in them.
    """
    by_id: dict[str, list[EvalTask]] = defaultdict(list)
    for task in material.tasks:
        by_id[task.eval_id].append(task)
    explain = _explainer(run, notify)
    numbers = {system: number for number, system in enumerate(scores.systems)}
    documents = sources(material.tasks)
    by_system: dict[tuple[str, str], Counter[tuple[str, int]]] = defaultdict(Counter)
    # A form, perhaps a stem, -> the words that have it, and how often they match
    spellings: dict[str, Counter[str]] = defaultdict(Counter)

    groups: list[list[int]] = []
    packed: list[str] = []
    remaining = iter(chosen)
    while sum(map(len, packed)) < material.size:
        group = list(islice(remaining, AT_ONCE))
        if not group:
            break

        scored_elsewhere: list[EvalTask] = []
        if len(groups) * AT_ONCE < ELSEWHERE:
            for index in group:
                scored_elsewhere += by_id[scores.evals[index]]
        elsewhere = dialect_scores.scores_elsewhere(
            scored_elsewhere, run.dialect, run.options
        )

        records = []
        for index in group:
            eval_id = scores.evals[index]
            record: Record = {"references": [], "predictions": {}}
            for task in by_id[eval_id]:
                predictions = {
                    name: text
                    for name, text in task.predictions.items()
                    if name in numbers and text
                }
                shown = task._replace(predictions=predictions)
                explained = explain(shown)
                _add_texts(record, shown, explained, numbers)
                for system, explanations in explained.items():
                    others = elsewhere.get((eval_id, system), {})
                    record["predictions"][numbers[system]]["elsewhere"] = others
                    for explanation in explanations:
                        counted = by_system[explanation.label, system]
                        _count_units(counted, explanation, index)
                        count_spellings(spellings, explanation)
            document = documents.get(eval_id)
            if document:
                record["source"] = _sentences_of_source(document)
            records.append(record)
        groups.append(group)
        packed.append(pack(json.dumps(records).encode()))

    ranked = [scores.systems[row] for row in scores.ranking()[:MOST_SYSTEMS]]
    is_stop = _stop_words()
    gains = {}
    labels = dict.fromkeys(label for label, _ in by_system)
    for label, (system, other) in product(labels, permutations(ranked, 2)):
        found = _gains(by_system, label, system, other, is_stop)
        gains[label, system, other] = [
            gain._replace(unit=spelled(gain.unit, spellings)) for gain in found
        ]
    return PageTexts(
        places=groups,
        packed=packed,
        gains=gains,
        are_marked=bool(by_system),
        evals=sum(map(len, groups)),
    )


def _count_units(
    counted: Counter[tuple[str, int]], explanation: Explanation, index: int
) -> None:
    """Add how often each unit matches in the eval with this index."""
    for pair in explanation.pairs:
        for match in pair.matches:
            counted[" ".join(match.unit), index] += match.counted


def _sentences_of_source(document: Document) -> list[list[str]]:
    """Return the lines of a source that are not blank, as sentences of one piece."""
    lines = document.data.decode("utf-8", "replace").split("\n")
    return [[legible(line)] for line in lines if line.strip()]


def _stop_words() -> Callable[[str], bool]:
    """Return a function that tells if a form is an English stop word, perhaps
    stemmed, or a sign.
    """
    words = [word.decode() for word in stop_words(None, ignore_notice)]
    forms = {*words, *map(porter.stem, words)}

    def is_stop(form: str) -> bool:
        return form in forms or not any(map(str.isalnum, form))

    return is_stop


def _explainer(run: Run, notify: Notify) -> Callable[[EvalTask], Explained]:
    """Return a function that explains the predictions of an eval; jackknifed scores
    are not explained, and metrics of sources or of one value mark no references.
    """
    labels = tuple(run.averages.measures)
    if run.options.get("jackknife") or not labels:
        return _explain_nothing
    explain_all = explainers.explainer(run.dialect, {**run.options, "metrics": labels})
    by_label = []
    for label in labels:
        options = {**run.options, "metrics": (label,)}
        by_label.append(explainers.explainer(run.dialect, options))

    def explain(task: EvalTask) -> Explained:
        with suppress(RougeError):
            return explain_all(task)

        # Some metric cannot be explained: try them one by one.
        explained: dict[str, list[Explanation]] = defaultdict(list)
        for explain_metric in by_label:
            try:
                for system, explanations in explain_metric(task).items():
                    explained[system] += explanations
            except RougeError as error:  # noqa: PERF203 - the error concerns one metric
                notify(Notice(f"words are not marked: {error}"))
        return explained

    return explain


def _explain_nothing(_: EvalTask) -> Explained:
    """Return the explanations of jackknifed scores: none."""
    return {}


def _gains(
    units: Units, label: str, system: str, other: str, is_stop: Callable[[str], bool]
) -> list[Gain]:
    """Return the units that the system matches more often than the other, the
    largest gains first.
    """
    more = units.get((label, system), Counter()) - units.get((label, other), Counter())
    evals: dict[str, list[int]] = defaultdict(list)
    times: Counter[str] = Counter()
    for (unit, index), number_of_times in more.items():
        times[unit] += number_of_times
        evals[unit].append(index)

    gains: list[Gain] = []
    gains_of_stop_words: list[Gain] = []
    for unit in sorted(times, key=lambda unit: (-times[unit], unit)):
        are_stop_words = all(map(is_stop, unit.split(" ")))
        alike = gains_of_stop_words if are_stop_words else gains
        if len(alike) < MOST_UNITS:
            gain = Gain(
                unit=unit,
                times=times[unit],
                evals=evals[unit],
                is_stop=are_stop_words,
            )
            alike.append(gain)
    return gains + gains_of_stop_words


def _add_texts(
    record: Record, task: EvalTask, explained: Explained, numbers: Mapping[str, int]
) -> None:
    """Add the texts of a task to the record of its eval: a set of references, and the
    predictions.

    A text is a list of sentences. A sentence is a list of pieces, of which every other
    is a token.
    """
    forms: dict[str, int] = {}
    sources: list[core.Source] = []
    for explanations in explained.values():
        if explanations:
            sources = [pair.reference.source for pair in explanations[0].pairs]
            break

    references = []
    for index, (reference_id, reference) in enumerate(task.references):
        source = sources[index] if sources else None
        sentences = _text(task, reference, source, forms)
        references.append({"id": legible(reference_id), **sentences})

    for system, text in task.predictions.items():
        explanations = explained.get(system, ())
        source = None
        if explanations and explanations[0].pairs:
            source = explanations[0].pairs[0].prediction.source
        assert text is not None  # noqa: S101 - the caller removed systems without a text
        record["predictions"][numbers[system]] = {
            **_text(task, text, source, forms),
            "set": len(record["references"]),
            "why": {
                explanation.label: _why(explanation, source, sources)
                for explanation in explanations
            },
        }
    record["references"].append(references)


def _text(
    task: EvalTask,
    text: str | Document,
    source: core.Source | None,
    forms: dict[str, int],
) -> Record:
    """Return the sentences of a text, and for each token the number of its form (-1
    if it is dropped).
    """
    if source is None:
        return {"s": [[decode(unit)] for unit in units(text, task.input_format)]}
    by_sentence: dict[int, list[core.Token]] = defaultdict(list)
    for token in source.tokens:
        by_sentence[token.sentence].append(token)

    sentences = []
    for index, (start, end) in enumerate(source.sentences):
        pieces = []
        for token in by_sentence[index]:
            pieces += [decode(source.data[start : token.start]), legible(token.surface)]
            start = token.end  # noqa: PLW2901 - the rest of the sentence
        sentences.append([*pieces, decode(source.data[start:end])])

    numbers = []
    for token in source.tokens:
        if token.why_dropped:
            numbers.append(-1)
        else:
            numbers.append(forms.setdefault(token.form, len(forms)))
    return {"s": sentences, "f": numbers}


def _why(
    explanation: Explanation,
    prediction: core.Source | None,
    references: Sequence[core.Source],
) -> Record:
    """Return the arithmetic, and for each reference the marks of both texts and the
    counts.

    The texts have the tokens of the first metric, as they are shown.
    """
    pairs = []
    for pair, reference in zip(explanation.pairs, references, strict=True):
        of_prediction = _marks(pair.prediction, prediction or pair.prediction.source)
        of_reference = _marks(pair.reference, reference)
        counts = (pair.counts.reference, pair.counts.prediction, pair.counts.match)
        record = {
            "prediction": of_prediction,
            "reference": of_reference,
            "counts": [number(count) for count in counts],
            "steps": list(pair.steps),
        }
        pairs.append(record)
    return {"steps": list(explanation.arithmetic), "pairs": pairs}


def _marks(side: core.Side, shown: core.Source) -> str:
    """Return a letter for each token shown: c counted, x clipped, d dropped, a point
    for unmatched.
    """
    letters = [
        _LETTERS[mark(side, index, token)] for index, token in enumerate(side.tokens)
    ]
    if side.tokens is shown.tokens:
        return "".join(letters)

    # The same text in other tokens: compare their spans.
    by_span = {
        (token.start, token.end): letter
        for token, letter in zip(side.tokens, letters, strict=True)
    }
    letters = [by_span.get((token.start, token.end), ".") for token in shown.tokens]
    return "".join(letters)
