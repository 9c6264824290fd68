"""One input in several set-ups: equivalent metrics of dialects, their scores, and why
these differ.

Grusky (2023) found that most reimplementations differ from ROUGE-1.5.5 and from each
other. Dialects differ in tokens (stemmer, alphabet, limit), in how they combine
references, in sentence boundaries, and in rounding.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from itertools import chain
from typing import NamedTuple

from rouge_cli import dialects
from rouge_cli.core import (
    Document,
    EvalResult,
    EvalTask,
    Explanation,
    Notice,
    Notify,
    ignore_notice,
    once,
)
from rouge_cli.dialects import DialectRun
from rouge_cli.errors import UsageError, shown
from rouge_cli.options import Options, resolve
from rouge_cli.results.doubts import (
    REGULAR,
    RELEASE,
    Audit,
    Dialects,
    Difference,
    describe,
)
from rouge_cli.results.explanations import Explanations
from rouge_cli.results.scores import Results
from rouge_cli.runs import assembly, hints
from rouge_cli.scoring.columns import ids_of, scores_of
from rouge_cli.text.reading import document, load, load_texts
from rouge_cli.text.sentences import has_punkt
from rouge_cli.text.survey import cut_up_message

# A document in a format to its tokens, each with its counted form.
Forms = Callable[[Document, str], Sequence[tuple[str, str]]]
# Dialects with equivalent metrics. Tokens are compared with the tokens of the first.
DIALECTS = (
    "google",
    "rouge155",
    "rouge2",
    "torchmetrics",
    "rouge_metric",
    "pltrdy",
    "chinese",
    "coco",
    "py_rouge",
    "xlsum",
    "korouge",
    "rougeraw",
    "js",
)
# The labels of metrics that programs name differently, and their dialects. All other
# labels are parsed by the dialects.
_ROUGE_L: Mapping[str, Mapping[str, str]] = {
    "ROUGE-L": {
        **dict.fromkeys(("google", "torchmetrics", "xlsum", "korouge"), "rougeLsum"),
        **dict.fromkeys(("rouge155", "rouge2"), "ROUGE-L"),
        **dict.fromkeys(("rouge_metric", "pltrdy", "py_rouge", "js"), "rouge-l"),
    },
    "ROUGE-L of the whole text": {
        **dict.fromkeys(("google", "torchmetrics", "xlsum", "korouge"), "rougeL"),
        "rouge155": "ROUGE-L-sentence",
        "chinese": "rouge-l",
        "coco": "ROUGE_L",
        "rougeraw": "ROUGE-L",
    },
}
METRICS = ("ROUGE-1", "ROUGE-2", *_ROUGE_L)
# The length limits of shared tasks and papers.
LIMITS = ("none", "75words", "100words", "250words", "665bytes", "75bytes")
# Options of dialects that have no effect on a single eval.
WITHOUT_EFFECT = ("jackknife", "average", "samples", "confidence", "seed")
# Options that do not change an eval's score.
_OF_AVERAGES = {"metrics", "samples", "confidence", "seed", "average"}
DEFAULTS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
DEFAULTS_OF_ELEMENTS = ("ROUGE-BE-HM",)
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


class Setting(NamedTuple):
    """A dialect with the options that an input is scored with."""

    name: str  # in reports: the dialect, or its variant
    dialect: str
    options: Options
    # one of METRICS -> the dialect's label for it with these options
    labels: Mapping[str, str]


class Space(NamedTuple):
    """The set-ups of one dialect: every combination of one element of each list."""

    counting: Sequence[Sequence[Options]]  # lists of options that change the counts
    averages: Sequence[Options] = ({},)  # options of averages over evals
    limits: Sequence[str] = ()  # length limits; empty if the dialect has none
    by_reference: Sequence[Options] = ({},)  # options that combine several references


# The results of evals, and their indices by eval.
IndexedEvals = tuple[Sequence[EvalResult], Mapping[str, int]]
# (system, one of METRICS) -> the name of a setting -> the results of evals.
ByMetric = dict[tuple[str, str], dict[str, IndexedEvals]]


# Dialects whose set-ups `identify` tries. Most papers use the usual ones. The others
# follow, the cheapest first (measured on 500 evals: from 0.5 s to 40 s).
DEFAULT_DIALECTS = ("rouge155", "google")
OTHER_DIALECTS = (
    "coco",
    "rougeraw",
    "rouge_metric",
    "chinese",
    "pltrdy",
    "rouge2",
    "korouge",
    "torchmetrics",
    "xlsum",
    "py_rouge",
    "js",
)
IDENTIFIABLE = (*DEFAULT_DIALECTS, *OTHER_DIALECTS)
# Dialects whose stemmer papers rarely use.
_USUALLY_UNSTEMMED = ("rouge2",)
# Declared options that are tried with other values than the default, too.
_ALTERNATIVES: Mapping[str, object] = {
    "blank_sentences": False,
    "case_sensitive": False,
    "exclusive": False,
    "segmenter": "whole",
    "weight_factor": 1.2,
}
_ALTERNATIVES_BY_REFERENCE: Mapping[str, object] = {
    "formula": "best",
    "accumulate": "avg",
}
# Other declared options that a space varies.
VARIED = {
    *("stemmer", "irregular", "stop", "limit", "average", "samples", "sentences"),
    *_ALTERNATIVES,
    *_ALTERNATIVES_BY_REFERENCE,
}
# Declared options that keep their defaults: of averages that papers do not print; of
# words in other languages, for which there is --language; and those that hardly any
# paper changes.
FIXED = {
    *("metrics", "confidence", "seed", "jackknife"),
    *("normalize", "tokenizer", "jieba", "lang", "min_char_length"),
    *("alpha", "beta", "max_skip", "ignore_empty", "ensure_compatibility"),
    *("synonyms", "expand", "least_count", "tagger", "definition"),
}


@cache
def space(name: str) -> Space:
    """Return the set-ups of a dialect, from the options that it declares."""
    dialect = dialects.named(name)
    declared = dialect.defaults
    counting = [_stemmers(name)]
    if dialect.stop_list:
        counting.append([{}, {"stop": dialect.stop_list}])
    for option, value in _ALTERNATIVES.items():
        if option in declared:
            counting.append([{}, {option: value}])
    by_reference: list[Options] = [{}]
    for option, value in _ALTERNATIVES_BY_REFERENCE.items():
        if option in declared and declared[option] != value:
            by_reference.append({option: value})
    averages: list[Options] = [{}]
    if "average" in declared:
        averages = [
            {"samples": 0},
            {"samples": 1000},
            {"average": "micro", "samples": 0},
            {"average": "micro", "samples": 1000},
        ]
    limits = LIMITS if "limit" in declared else ()
    return Space(counting, averages, limits, by_reference)


def _stemmers(name: str) -> list[Options]:
    """Return the options of stemming, the usual ones first."""
    dialect = dialects.named(name)
    if not dialect.stemmer:
        return [{}]
    stemmed: list[Options] = [{"stemmer": dialect.stemmer}]
    if "irregular" in dialect.defaults:
        stemmed.append({"stemmer": dialect.stemmer, "irregular": "none"})
    unstemmed: Options = {"stemmer": "none"}
    if name in _USUALLY_UNSTEMMED:
        return [unstemmed, *stemmed]
    return [*stemmed, unstemmed]


def parse_metric(label: str) -> str:
    """Return the label as the first dialect that has it spells it; raise UsageError
    if no dialect does.
    """
    for dialect in IDENTIFIABLE:
        with suppress(UsageError):
            return dialects.named(dialect).parse(label)
    return dialects.named(dialects.DEFAULT).parse(label)


def possible_labels(dialect: str, name: str) -> list[str]:
    """Return the dialect's labels that a published metric may stand for; empty if there
    are none.

    Papers use the name ROUGE-L for either metric of the table, unless their program has
    a metric of that name.
    """
    own = _parse(dialect, name)
    if own and (own == name or name not in _ROUGE_L):
        return [own]
    equivalent = [
        labels
        for labels in _ROUGE_L.values()
        if name == "ROUGE-L" or name in labels.values()
    ]
    return [labels[dialect] for labels in equivalent if dialect in labels]


def _parse(dialect: str, name: str) -> str:
    """Return the dialect's label of that name; empty if it has none."""
    try:
        return dialects.named(dialect).parse(name)
    except UsageError:
        return ""


@cache
def depends_on_sentences(dialect: str, label: str) -> bool:
    """Return True if the score depends on sentence boundaries."""
    return assembly.set_up(dialect, {"metrics": [label]}, None).averages.needs_sentences


def settings(
    *, stem: bool, sentences: str = "newline", tokenizer: str | None = None
) -> list[Setting]:
    """Return all dialects with METRICS, set up as similarly as possible, without
    resampling.

    Each dialect stems with its own stemmer. Dialects without the option `tokenizer` are
    left out if it is given, and rougeLsum of torchmetrics if the extra `punkt` is not
    installed.
    """
    common = {
        "limit": "none",
        "sentences": sentences,
        "segmenter": "lines",
        "samples": 0,
    }
    chosen_settings = []
    for name in DIALECTS:
        dialect = dialects.named(name)
        if tokenizer is not None and "tokenizer" not in dialect.defaults:
            continue

        labels = _labels(name)
        stemmer = dialect.stemmer if stem else "none"
        requested = {
            "metrics": list(labels.values()),
            "stemmer": stemmer,
            "tokenizer": tokenizer,
            **common,
        }
        applicable = {
            option: value
            for option, value in requested.items()
            if option in dialect.defaults
        }
        options = dialect.canonical(resolve(name, dialect.defaults, applicable))

        canonical_labels = dict(zip(labels, options["metrics"], strict=True))
        setting = Setting(
            name=name,
            dialect=name,
            options=options,
            labels=canonical_labels,
        )
        chosen_settings.append(setting)
    return chosen_settings


def _labels(dialect: str) -> dict[str, str]:
    """Return one of METRICS -> the dialect's label for it, for those that it has."""
    labels = {}
    for metric in METRICS:
        if metric in _ROUGE_L:
            label = _ROUGE_L[metric].get(dialect, "")
        else:
            label = _parse(dialect, metric)
        if label:
            labels[metric] = label
    if dialect == "torchmetrics" and not has_punkt():
        labels.pop("ROUGE-L")
    return labels


def count_evals(tasks: Sequence[EvalTask], notify: Notify) -> int:
    """Return the number of evals; warn of those that are several tasks, as their
    references differ.
    """
    times = Counter(task.eval_id for task in tasks).values()
    differing = sum(number > 1 for number in times)
    if differing:
        what = (
            f"{differing} of {len(times)} evals have references that differ by system"
        )
        notify(Notice(f"{what}: each system is scored with its own"))
    return len(times)


def in_memory(
    tasks: Iterable[EvalTask], systems: Collection[str] | None
) -> list[EvalTask]:
    """Return the tasks with only these systems, or all, and with texts in memory;
    read each file once.
    """
    read = cache(load)
    loaded = []
    for task in tasks:
        names = list(task.predictions)
        if systems is not None:
            names = [name for name in names if name in systems]
        loaded.append(load_texts(task, names, read))
    return loaded


def evaluate(
    tasks: Sequence[EvalTask], settings: Iterable[Setting], notify: Notify
) -> dict[str, Results]:
    """Score the tasks in every setting; return name -> report."""
    reports = {}
    for setting in settings:
        run = assembly.prepared(setting.dialect, setting.options)
        run, results = assembly.scored(tasks, run, notify)
        reports[setting.name] = assembly.make_report(run, results, notify)
    return reports


def by_metric(reports: Mapping[str, Results], settings: Iterable[Setting]) -> ByMetric:
    """Return (system, one of METRICS) -> setting -> the results of evals, and their
    indices by eval.
    """
    results: ByMetric = {}
    for setting in settings:
        metrics = {label: metric for metric, label in setting.labels.items()}
        for result in reports[setting.name].results:
            indices = {
                eval_id: index for index, eval_id in enumerate(ids_of(result.evals))
            }
            by_setting = results.setdefault((result.system, metrics[result.label]), {})
            by_setting[setting.name] = (result.evals, indices)
    return results


def build(
    dialect: str, options: Mapping[str, object], notify: Notify = ignore_notice
) -> DialectRun:
    """Return the run of a dialect with canonical options, for texts in memory."""
    return dialects.named(dialect).build(dict(options), Counter(), notify)


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
        scores = {
            name: evals[indices[difference.eval_id]]
            for name, (evals, indices) in by_setting.items()
            if difference.eval_id in indices
        }
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
        compared = [
            (indices, scores_of(evals, 2))
            for name, (evals, indices) in by_setting.items()
            if name != REGULAR
        ]
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
    left, left_tokens = by_dialect[0]

    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for dialect, right_tokens in by_dialect[1:]:
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
        remaining = indices.get(surface)
        partners.append(remaining.popleft() if remaining else None)

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


def texts(task: EvalTask, system: str) -> Iterator[tuple[str, str | Document]]:
    """Yield name and text of the prediction (unless it has no file) and of the
    references.
    """
    prediction = task.predictions[system]
    if prediction:
        yield f"system {system}", prediction
    for reference_id, text in task.references:
        yield f"reference {reference_id}", text


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


def scores_elsewhere(
    tasks: Sequence[EvalTask], dialect: str, options: Mapping[str, object]
) -> dict[tuple[str, str], dict[str, list[tuple[str, float]]]]:
    """Return (eval, system) -> label -> pairs of another dialect and its F.

    The other dialects are set up as similarly to the run as possible. The result is
    empty if the run has options that other dialects do not have, since these would
    change the numbers.
    """
    elsewhere: dict[tuple[str, str], dict[str, list[tuple[str, float]]]] = {}
    chosen = settings(stem=options.get("stemmer", "none") != "none")
    own = next((setting for setting in chosen if setting.dialect == dialect), None)
    if not tasks or own is None:
        return elsewhere
    for name, value in own.options.items():
        if name not in _OF_AVERAGES and options.get(name) != value:
            return elsewhere

    chosen.remove(own)
    results = by_metric(evaluate(tasks, chosen, ignore_notice), chosen)
    for (system, metric), by_setting in results.items():
        if metric not in own.labels:
            continue
        label = own.labels[metric]
        for name, (evals, indices) in by_setting.items():
            f = scores_of(evals, 2)
            for eval_id, index in indices.items():
                by_label = elsewhere.setdefault((eval_id, system), {})
                by_label.setdefault(label, []).append((name, f[index]))
    return elsewhere


def explain(
    task: EvalTask,
    system: str,
    dialect: str,
    options: Mapping[str, object],
    notify: Notify,
) -> Explanations:
    """Explain the scores of a system's prediction in an eval, as
    `rouge_cli.explain`, with its errors.
    """
    if dialect == dialects.DEFAULT:
        metrics: Sequence[str] = DEFAULTS
        if task.input_format == "simple":
            metrics = DEFAULTS_OF_ELEMENTS
        options = {"metrics": metrics, **options}
    run = assembly.set_up(dialect, options, None)
    task = load_texts(task, [system], _loader(dialect, notify))
    _remark(task, system, dialect, run, notify)
    return Explanations(run.averages.explain(task)[system], dialect=dialect)


def _remark(
    task: EvalTask, system: str, dialect: str, run: assembly.Run, notify: Notify
) -> None:
    """Give the warnings that `score` gives for this prediction.

    An explanation gives none, so the prediction is also scored, by a run that reports
    what it reads.
    """
    scoring = build(dialect, run.options, notify)
    scoring.score(task, [system])
    details = scoring.details()

    message = cut_up_message(details, has_tokenizers="tokenizer" in run.options)
    if message:
        notify(Notice(message))
    sample = [task._replace(predictions={system: task.predictions[system]})]
    for notice in hints.remarks(sample, details, run.options, run.averages):
        notify(notice)


def explainer(
    dialect: str, options: Mapping[str, object]
) -> Callable[[EvalTask], Mapping[str, list[Explanation]]]:
    """Return a function that explains every prediction of an eval, without warnings."""
    program = build(dialect, options)
    load = _loader(dialect, ignore_notice)

    def explain(task: EvalTask) -> Mapping[str, list[Explanation]]:
        systems = [name for name, text in task.predictions.items() if text]
        return program.explain(load_texts(task, systems, load))

    return explain


def _loader(dialect: str, notify: Notify) -> Callable[[str, str], Document]:
    """Return the function that reads files for the dialect; ROUGE-1.5.5 reads a
    folder as an empty text.
    """
    if dialect != dialects.DEFAULT:
        return load
    from rouge_cli.dialects.rouge155 import texts

    return partial(texts.load, notify=notify)
