"""The page of a scored run, with the numbers of `score`, `compare`, `correlate` and `explain`.

It also divides the evals into buckets (by length, number of references, novelty, compression), and ranks
the systems without each reference and with each alone.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from rouge_cli import api
from rouge_cli.core import Average, Notice, ignore_notice
from rouge_cli.errors import RougeError
from rouge_cli.results import comparison, correlation
from rouge_cli.studies import matrix
from rouge_cli.studies.correlation import correlate
from rouge_cli.studies.correlation import correlation as correlation_of
from rouge_cli.studies.page import records
from rouge_cli.studies.page.records import FIGURES, Bucket, Choice, Division, Page
from rouge_cli.studies.significance import compare_families
from rouge_cli.text import tokenizers
from rouge_cli.text.reading import units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from rouge_cli.core import Document, EvalTask, Notify
    from rouge_cli.results.comparison import Comparison
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.studies.page.records import Column, Material
    from rouge_cli.studies.significance import Watch


def gather(material: Material, notices: list[Notice], notify: Notify, watch: Watch = iter) -> Page:
    """Compute everything that the page shows.

    notices: those of scoring, which the page repeats; further ones are added. notify: receives these.
    watch: yields the steps of the tests, to show progress.
    Raises RougeError if the report has no scores of single evals, or if the judgements do not match it.
    """

    def remark(notice: Notice) -> None:
        if notice not in notices:
            notices.append(notice)
            notify(notice)

    labels = list(dict.fromkeys(result.label for result in material.report.results))
    columns = [(label, figure) for figure in FIGURES for label in labels]
    scores = matrix.of_report(material.report, columns, (), remark)
    matrices = dict(zip(columns, scores, strict=True))
    first = matrices[material.columns[0]]
    words = words_of_references(material)
    chosen = records.choose_evals(first, {task.eval_id for task in material.tasks}, material.evals)
    shown, gains = records.read_texts(material, first, chosen, remark)
    return Page(
        material=material,
        systems=first.systems,
        evals=first.evals,
        labels=labels,
        matrices=matrices,
        comparisons=_comparisons(material, labels, matrices, remark, watch),
        correlations=_correlations(material, matrices, remark),
        divisions=divide(material, first.evals, words),
        choices=choices(material, matrices),
        texts=shown,
        gains=gains,
        lengths=[words.get(eval_id, 0.0) for eval_id in first.evals],
        notices=notices,
    )


def _comparisons(
    material: Material,
    labels: Sequence[str],
    matrices: Mapping[Column, Scores],
    notify: Notify,
    watch: Watch,
) -> dict[str, Comparison]:
    """Compare the systems by each of R, P and F, as `compare --measure` does; not if there is only one."""
    if len(next(iter(matrices.values())).systems) < 2:
        return {}
    plan = comparison.Plan(
        baseline=material.baseline,
        trials=material.trials,
        seed=material.seed,
        confidence=float(material.confidence),
    )
    families = [[matrices[label, figure] for label in labels] for figure in FIGURES]
    try:
        comparisons = compare_families(families, plan, notify, watch)
    except RougeError as error:  # systems without a common eval: the rest can be shown
        notify(Notice(f"systems are not compared: {error}"))
        return {}
    return dict(zip(FIGURES, comparisons, strict=True))


def _correlations(
    material: Material, matrices: Mapping[Column, Scores], notify: Notify
) -> correlation.Correlations | None:
    if not material.judgements:
        return None
    plan = correlation.CorrelationPlan(seed=material.seed, confidence=float(material.confidence))
    return correlate([matrices[column] for column in material.columns], material.judgements, plan, notify)


_QUARTILES = (0.25, 0.5, 0.75)


def words_of_references(material: Material) -> dict[str, float]:
    """Return the mean number of words in each eval's references."""
    words = _word_reader(material)
    return {
        task.eval_id: sum(len(words(text, task.input_format)) for _, text in task.models) / len(task.models)
        for task in material.tasks
        if task.models
    }


def divide(material: Material, evals: Sequence[str], words: Mapping[str, float]) -> list[Division]:
    """Return a division by each property in which the evals differ."""
    references = {task.eval_id: float(len(task.models)) for task in material.tasks}
    properties: list[tuple[str, str, Mapping[str, float], str]] = [
        ("Length", "mean words of the eval's references", words, "g"),
        ("References", "number of references", references, "g"),
    ]
    if material.documents is not None:
        novelty, compression = _against_sources(material, material.documents)
        properties += [
            ("Novelty", "share of the references' bigrams that the source does not have", novelty, ".2f"),
            ("Compression", "words of the source for one word of the references", compression, ".1f"),
        ]
    divisions = []
    for name, explanation, by_eval, form in properties:
        values = np.array([by_eval.get(eval_id, np.nan) for eval_id in evals])
        buckets = list(_buckets(values, form))
        if len(buckets) > 1:
            divisions.append(Division(name, explanation, buckets))
    return divisions


def _buckets(values: NDArray[np.float64], form: str) -> Iterator[Bucket]:
    """Yield a bucket for each value if there are few, else one for each quarter of the evals."""
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) <= 4:
        for value in distinct:
            yield Bucket(f"{value:{form}}", np.flatnonzero(values == value))
        return
    bounds = np.unique(np.quantile(values[~np.isnan(values)], _QUARTILES))
    quarters = np.digitize(values, bounds, right=True)
    for quarter in range(len(bounds) + 1):
        places = np.flatnonzero((quarters == quarter) & ~np.isnan(values))
        if len(places):
            low, high = values[places].min(), values[places].max()
            name = f"{low:{form}}" if low == high else f"{low:{form}} to {high:{form}}"
            yield Bucket(name, places)


def _against_sources(
    material: Material, documents: Mapping[str, Document]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return novelty and compression of the evals that have a source with words."""
    words = _word_reader(material)
    novelty, compression = {}, {}
    for task in material.tasks:
        source = documents.get(task.eval_id)
        if source is None:
            continue
        source_words = words(source, "plain")
        source_bigrams = set(pairwise(source_words))
        references = [words(text, task.input_format) for _, text in task.models]
        bigrams = [bigram for text in references for bigram in pairwise(text)]
        if source_words and bigrams:
            novelty[task.eval_id] = sum(bigram not in source_bigrams for bigram in bigrams) / len(bigrams)
            compression[task.eval_id] = len(source_words) * len(references) / sum(map(len, references))
    return novelty, compression


def _word_reader(material: Material) -> Callable[[str | Document, str], list[bytes]]:
    """Return a function that reads a text's words: with the run's tokenizer, or by letters and digits."""
    name = str(material.run.options.get("tokenizer", ""))
    tokenize = tokenizers.named(name if name in tokenizers.NAMES or ":" in name else "classic")

    def words(text: str | Document, input_format: str) -> list[bytes]:
        return [word for unit in units(text, input_format) for word in tokenize(unit)]

    return words


MOST_REFERENCES = 10  # references; more would fill the page


def choices(material: Material, matrices: Mapping[Column, Scores]) -> list[Choice]:
    """Return the scores with subsets of the references; none if no eval has two, or after jackknifing."""
    most = max((len(task.models) for task in material.tasks), default=0)
    if most < 2 or material.run.options.get("jackknife"):
        return []
    whole = {
        column: dict(zip(scores.systems, scores.means(), strict=True))
        for column, scores in matrices.items()
    }
    return [
        _choice(material, name, tasks, whole)
        for name, tasks in _subsets(material.tasks, min(most, MOST_REFERENCES))
    ]


def _subsets(tasks: Sequence[EvalTask], most: int) -> Iterator[tuple[str, list[EvalTask]]]:
    for alone in (False, True):
        for place in range(most):
            several = [task for task in tasks if len(task.models) > max(place, 1)]
            models = [
                [model for other, model in enumerate(task.models) if (other == place) == alone]
                for task in several
            ]
            parts = [task._replace(models=some) for task, some in zip(several, models, strict=True)]
            yield f"{'only' if alone else 'without'} {_name(tasks, place)}", parts


def _name(tasks: Sequence[EvalTask], place: int) -> str:
    """Return the name of the reference at this place if it is the same in all evals, else its number."""
    names = {task.models[place][0] for task in tasks if len(task.models) > place}
    return f"reference {names.pop() if len(names) == 1 else place + 1}"


def _choice(
    material: Material, name: str, tasks: Sequence[EvalTask], whole: Mapping[Column, Mapping[str, float]]
) -> Choice:
    report = api.evaluate(
        tasks,
        dialect=material.run.dialect,
        peer_ids=material.run.work.peer_ids,
        notify=ignore_notice,
        **material.run.options,
    )
    means: dict[Column, dict[str, float]] = {column: {} for column in whole}
    for result in report.results:
        if isinstance(result.average, Average):
            for figure, estimate in zip(FIGURES, result.average, strict=True):
                means[result.label, figure][result.peer_id] = estimate.value
    agreement = {
        column: correlation_of(
            np.array(list(by_system.values())),
            np.array([whole[column][system] for system in by_system]),
            "kendall",
        ).value
        for column, by_system in means.items()
    }
    return Choice(name, len(tasks), means, agreement)
