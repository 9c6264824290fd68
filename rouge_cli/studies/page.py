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
from rouge_cli.data import stop_words
from rouge_cli.errors import RougeError
from rouge_cli.metrics import FIGURES
from rouge_cli.results import comparison, correlation
from rouge_cli.results.base import Record
from rouge_cli.results.explanations import mark
from rouge_cli.results.scores import averages_of
from rouge_cli.runs import assembly
from rouge_cli.runs.assembly import Run
from rouge_cli.studies import matrix, page_html, setups, significance
from rouge_cli.studies.coefficients import correlation as correlation_of
from rouge_cli.studies.correlation import correlate
from rouge_cli.studies.matrix import Scores
from rouge_cli.studies.page_html import (
    Choice,
    Column,
    Gain,
    Material,
    Page,
    PageTexts,
    decode,
    legible,
)
from rouge_cli.text import porter
from rouge_cli.text.reading import units

Explained = Mapping[
    str, Sequence[Explanation]
]  # system -> the explanation of each metric
# (label, system) -> (unit, index of an eval) -> how often it counts there.
Units = Mapping[tuple[str, str], Counter[tuple[str, int]]]

MOST_SYSTEMS = 12  # systems whose units are compared
MOST_UNITS = 12  # units listed for a pair of systems, of stop words and of others
MOST_REFERENCES = 10  # references to leave out in turn; more would fill the page
AT_ONCE = 20  # evals whose texts are packed together
# evals that are scored in the other dialects, which takes longer than everything else
ELSEWHERE = 100
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
        notify: Adds further warnings to them, as made by `keeping`.
        watch: Returns a function that passes items on, and shows the progress of what
            is named.

    Raises:
        RougeError: If the report has no scores of single evals, or if the judgements do
            not match it.
    """
    labels = list(dict.fromkeys(result.label for result in material.report.results))
    columns = [(label, measure) for measure in FIGURES for label in labels]
    by_column = zip(
        columns, matrix.of_report(material.report, columns, (), notify), strict=True
    )
    # Other metrics may have F alone.
    matrices = {
        column: scores
        for column, scores in by_column
        if not np.isnan(scores.values).all()
    }
    every = {system for of_column in matrices.values() for system in of_column.systems}
    for of_column in matrices.values():
        if missing := sorted(every.difference(of_column.systems)):
            remedy = (
                "give the scores of all systems, or name metrics that all have (-m"
                " LABEL)"
            )
            raise RougeError(
                f"{of_column.name} has no scores of {missing[0]}", remedy=remedy
            )
    first = matrices[material.columns[0]]
    texts, rankings = PageTexts((), (), {}, are_marked=False, evals=0), list[Choice]()
    if run := material.run:
        chosen = order_of_evals(first, {task.eval_id for task in material.tasks})[
            : material.evals
        ]
        texts = read_texts(
            material, run, first, watch(noun="evals with texts")(chosen), notify
        )
        rankings = choices(material.tasks, run, matrices)
        if texts.evals < len(first.evals):
            what = (
                f"the page has the texts of {texts.evals} of {len(first.evals)} evals"
            )
            notify(Notice(f"{what}: {page_html.RULE}"))
    comparisons: dict[str, comparison.Comparison] = {}
    alone: dict[Column, comparison.Comparison] = {}
    if tested := _tested(material, matrices, notify, watch(noun="steps of tests")):
        for measure in dict.fromkeys(measure for _, measure in matrices):
            names = [
                scores.name
                for column, scores in matrices.items()
                if column[1] == measure
            ]
            comparisons[measure] = significance.corrected(
                tested.of_metric(*names), notify
            )
        alone = {
            column: significance.corrected(tested.of_metric(scores.name), ignore_notice)
            for column, scores in matrices.items()
        }
    correlations = None
    if material.judgements:
        plan = correlation.CorrelationPlan(
            seed=material.seed, confidence=float(material.confidence)
        )
        chosen_scores = [matrices[column] for column in material.columns]
        correlations = correlate(chosen_scores, material.judgements, plan, notify)
    content = material, first.systems, first.evals, labels, matrices
    return Page(*content, comparisons, alone, correlations, rankings, texts, notices)


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
    settings = material.trials, material.seed, float(material.confidence)
    plan = comparison.Plan(material.baseline, *settings, over=material.over)
    try:
        tested = significance.uncorrected(list(matrices.values()), plan, notify, watch)
    except (
        RougeError
    ) as error:  # systems have no eval in common; the rest of the page can be shown
        notify(Notice(f"systems are not compared: {error}"))
        return None
    tested = tested._replace(signature=material.report.signature)
    if (
        "references" in plan.over and material.run
    ):  # the texts of all measures are scored together
        tasks = setups.in_memory(material.tasks, material.run.work.systems)
        return significance.over_references(tested, tasks)
    return tested


def keeping(notices: list[Notice], notify: Notify) -> Notify:
    """Return a function that adds new notices to those of the page, and passes them
    on.
    """

    def warn(notice: Notice) -> None:
        if notice not in notices:
            notices.append(notice)
            notify(notice)

    return warn


def sources(tasks: Iterable[EvalTask]) -> dict[str, Document]:
    """Return eval -> its source, from evals that were read with the source as their
    reference.
    """
    read = ((task.eval_id, text) for task in tasks for _, text in task.references[:1])
    return {eval_id: text for eval_id, text in read if isinstance(text, Document)}


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
        column: dict(zip(scores.systems, scores.means(), strict=True))
        for column, scores in matrices.items()
        if column[0] in run.options["metrics"]
    }
    rankings = []
    for preposition, place in product(
        ("without", "only"), range(min(most, MOST_REFERENCES))
    ):
        # A reference is named if it has the same name in all evals, else numbered.
        names = {
            task.references[place][0] for task in tasks if len(task.references) > place
        }
        name = names.pop() if len(names) == 1 else place + 1
        parts = []
        for task in tasks:
            if len(task.references) > max(place, 1):
                alone = [task.references[place]]
                others = [*task.references[:place], *task.references[place + 1 :]]
                parts.append(
                    task._replace(references=alone if preposition == "only" else others)
                )
        report = assembly.make_report(
            *assembly.scored(parts, run, ignore_notice), ignore_notice
        )
        means, agreement = {}, {}
        for column, of_all in whole.items():
            found = {
                system: mean.value
                for system, mean in averages_of(report, *column).items()
            }
            same = np.array([of_all[system] for system in found])
            means[column] = found
            agreement[column] = correlation_of(
                np.array(list(found.values())), same, "kendall"
            ).value
        evals = len({task.eval_id for task in parts})
        rankings.append(
            Choice(f"{preposition} reference {name}", evals, means, agreement)
        )
    return rankings


def order_of_evals(scores: Scores, present: Collection[str]) -> list[int]:
    """Return the indices of the evals with texts in the order of display, by the
    RULE of the page.
    """
    places = [place for place, eval_id in enumerate(scores.evals) if eval_id in present]
    scores_or_zero = np.nan_to_num(scores.values[:, places])
    differing = np.argsort(-np.ptp(scores_or_zero, axis=0), kind="stable")
    # Multiples of the golden ratio: each beginning of the order is spread evenly over
    # the means.
    spread = np.argsort(np.arange(len(places)) * 0.6180339887498949 % 1, kind="stable")
    even = np.argsort(scores_or_zero.mean(axis=0), kind="stable")[spread]
    return [
        places[place]
        for place in dict.fromkeys(np.column_stack((differing, even)).ravel().tolist())
    ]


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
    numbers = {system: place for place, system in enumerate(scores.systems)}
    by_system: dict[tuple[str, str], Counter[tuple[str, int]]] = defaultdict(Counter)
    groups: list[list[int]] = []
    packed: list[str] = []
    rest = iter(chosen)
    while sum(map(len, packed)) < material.size and (
        group := list(islice(rest, AT_ONCE))
    ):
        tasks = [task for place in group for task in by_id[scores.evals[place]]]
        are_first = len(groups) * AT_ONCE < ELSEWHERE
        elsewhere = setups.scores_elsewhere(
            tasks if are_first else (), run.dialect, run.options
        )
        records = []
        for place in group:
            record: Record = {"references": [], "predictions": {}}
            for task in by_id[scores.evals[place]]:
                named = {
                    name: text
                    for name, text in task.predictions.items()
                    if name in numbers and text
                }
                explained = explain(task._replace(predictions=named))
                _add_texts(record, task._replace(predictions=named), explained, numbers)
                for system, explanations in explained.items():
                    others = elsewhere.get((task.eval_id, system), {})
                    record["predictions"][numbers[system]]["elsewhere"] = others
                    for explanation in explanations:
                        counted = by_system[explanation.label, system]
                        for match in (
                            match
                            for pair in explanation.pairs
                            for match in pair.matches
                        ):
                            counted[" ".join(match.unit), place] += match.counted
            if material.documents and (
                document := material.documents.get(scores.evals[place])
            ):
                lines = document.data.decode("utf-8", "replace").split("\n")
                record["source"] = [[legible(line)] for line in lines if line.strip()]
            records.append(record)
        groups.append(group)
        packed.append(page_html.pack(json.dumps(records).encode()))
    ranked = [scores.systems[row] for row in scores.ranking()[:MOST_SYSTEMS]]
    is_stop = _stop_words()
    gains = {
        (label, *pair): _gains(by_system, label, *pair, is_stop)
        for label in dict.fromkeys(label for label, _ in by_system)
        for pair in permutations(ranked, 2)
    }
    return PageTexts(groups, packed, gains, bool(by_system), sum(map(len, groups)))


def _stop_words() -> Callable[[str], bool]:
    """Return a function that tells if a form is an English stop word, perhaps
    stemmed, or a sign.
    """
    words = [word.decode() for word in stop_words(None, ignore_notice)]
    forms = {*words, *map(porter.stem, words)}
    return lambda form: form in forms or not any(map(str.isalnum, form))


def _explainer(run: Run, notify: Notify) -> Callable[[EvalTask], Explained]:
    """Return a function that explains the predictions of an eval; jackknifed scores
    are not explained.
    """
    if run.options.get("jackknife"):
        return lambda _: {}
    labels = run.options["metrics"]
    selections = [labels, *((label,) for label in labels)]
    explain_all, *by_label = (
        setups.explainer(run.dialect, {**run.options, "metrics": some})
        for some in selections
    )

    def explain(task: EvalTask) -> Explained:
        with suppress(RougeError):
            return explain_all(task)
        explained: dict[str, list[Explanation]] = defaultdict(list)
        for (
            explain_metric
        ) in by_label:  # some metric cannot be explained: try them one by one
            try:
                for system, explanations in explain_metric(task).items():
                    explained[system] += explanations
            except RougeError as error:  # noqa: PERF203 - the error concerns one metric
                notify(Notice(f"words are not marked: {error}"))
        return explained

    return explain


def _gains(
    units: Units, label: str, system: str, other: str, is_stop: Callable[[str], bool]
) -> list[Gain]:
    """Return the units that the system matches more often than the other, the
    largest gains first.
    """
    more = units.get((label, system), Counter()) - units.get((label, other), Counter())
    evals: dict[str, list[int]] = defaultdict(list)
    times: Counter[str] = Counter()
    for (unit, place), number_of_times in more.items():
        times[unit] += number_of_times
        evals[unit].append(place)
    kept: tuple[list[Gain], list[Gain]] = [], []
    for unit in sorted(times, key=lambda unit: (-times[unit], unit)):
        stops = all(map(is_stop, unit.split(" ")))
        if len(kept[stops]) < MOST_UNITS:
            kept[stops].append(Gain(legible(unit), times[unit], evals[unit], stops))
    return [*kept[False], *kept[True]]


def _add_texts(
    record: Record, task: EvalTask, explained: Explained, numbers: Mapping[str, int]
) -> None:
    """Add the texts of a task to the record of its eval: a set of references, and the
    predictions.

    A text is a list of sentences. A sentence is a list of pieces, of which every other
    is a token.
    """
    forms: dict[str, int] = {}
    first = next(filter(None, explained.values()), None)
    sources = [pair.reference.source for pair in first[0].pairs] if first else []
    references = [
        {
            "id": legible(reference_id),
            **_text(task, text, sources[place] if sources else None, forms),
        }
        for place, (reference_id, text) in enumerate(task.references)
    ]
    for system, text in task.predictions.items():
        explanations = explained.get(system, ())
        pairs = explanations[0].pairs if explanations else ()
        source = pairs[0].prediction.source if pairs else None
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
    for place, (start, end) in enumerate(source.sentences):
        pieces = []
        for token in by_sentence[place]:
            pieces += [decode(source.data[start : token.start]), legible(token.surface)]
            start = token.end  # noqa: PLW2901 - the rest of the sentence
        sentences.append([*pieces, decode(source.data[start:end])])
    tokens = ((token.form, token.why_dropped) for token in source.tokens)
    numbers = [
        -1 if dropped else forms.setdefault(form, len(forms))
        for form, dropped in tokens
    ]
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
        marks = {
            "prediction": of_prediction,
            "reference": _marks(pair.reference, reference),
        }
        counts = [number(count) for count in pair.counts[:3]]
        pairs.append({**marks, "counts": counts, "steps": list(pair.steps)})
    return {"steps": list(explanation.arithmetic), "pairs": pairs}


def _marks(side: core.Side, shown: core.Source) -> str:
    """Return a letter for each token shown: c counted, x clipped, d dropped, a point
    for unmatched.
    """
    letters = [
        _LETTERS[mark(side, index, token)] for index, token in enumerate(side.tokens)
    ]
    if (
        side.tokens is not shown.tokens
    ):  # the same text in other tokens: compare their spans
        by_span = {
            token[2:4]: letter
            for token, letter in zip(side.tokens, letters, strict=True)
        }
        letters = [by_span.get(token[2:4], ".") for token in shown.tokens]
    return "".join(letters)
