"""Scores of one input in dialects that are set up as similarly as possible."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rouge_cli import dialects
from rouge_cli.core import EvalResult, EvalTask, Notify, ignore_notice
from rouge_cli.options import Options, resolve
from rouge_cli.results.scores import Results
from rouge_cli.runs import assembly
from rouge_cli.scoring.columns import ids_of, scores_of
from rouge_cli.studies.equivalents import DIALECTS, labels_of
from rouge_cli.studies.setups import stem_alternatives

# Options that do not change an eval's score.
_OF_AVERAGES = {"metrics", "samples", "confidence", "seed", "average"}


class Setting(NamedTuple):
    """A dialect with the options that an input is scored with."""

    name: str  # in reports: the dialect, or its variant
    dialect: str
    options: Options
    # one of METRICS -> the dialect's label for it with these options
    labels: Mapping[str, str]


class ScoredEvals(NamedTuple):
    """The results of one system by one metric in one setting."""

    results: Sequence[EvalResult]
    indices: Mapping[str, int]  # eval -> its index in the results


# (system, one of METRICS) -> the name of a setting -> the results of evals.
ByMetric = dict[tuple[str, str], dict[str, ScoredEvals]]


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

        labels = labels_of(name)
        stemmed, unstemmed = stem_alternatives(name)
        stemming = stemmed if stem else unstemmed
        requested = {
            "metrics": list(labels.values()),
            "tokenizer": tokenizer,
            **stemming.options,
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
    """Return (system, one of METRICS) -> setting -> the results of evals."""
    results: ByMetric = {}
    for setting in settings:
        metrics = {label: metric for metric, label in setting.labels.items()}
        for result in reports[setting.name].results:
            indices = {
                eval_id: index for index, eval_id in enumerate(ids_of(result.evals))
            }
            by_setting = results.setdefault((result.system, metrics[result.label]), {})
            by_setting[setting.name] = ScoredEvals(result.evals, indices)
    return results


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
        for name, evals in by_setting.items():
            f = scores_of(evals.results, 2)
            for eval_id, index in evals.indices.items():
                by_label = elsewhere.setdefault((eval_id, system), {})
                by_label.setdefault(label, []).append((name, f[index]))
    return elsewhere
