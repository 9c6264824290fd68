"""ROUGE for Python programs: `rouge_cli.score` for texts, `rouge_cli.evaluate` for tasks.

The numbers equal the command's, to the last digit, and come from the same code.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import __version__, dialects, formats, plugins, signature
from rouge_cli.core import Score, ignore_notice
from rouge_cli.errors import RougeWarning, UsageError, printable
from rouge_cli.options import Options, labels, resolve, whole
from rouge_cli.results.scores import Results
from rouge_cli.runs.evaluation import Collected, finish
from rouge_cli.runs.parallel import Work, collected
from rouge_cli.scoring.columns import Column
from rouge_cli.signature import facts, recipes
from rouge_cli.tasks import containers
from rouge_cli.text import tokenizers
from rouge_cli.text.survey import remarks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import EvalTask, Notice, Notify
    from rouge_cli.dialects import DialectRun

# A text: a string, or its sentences.
Text = str | Iterable[str]

DIALECT = dialects.DEFAULT
MOST_JOBS = 1024
MOST_WARNINGS = 20  # in one call


def score(
    peers: Text | Iterable[Text] | Mapping[str, Text | Iterable[Text]],
    models: Text | Iterable[Text] | Iterable[Iterable[Text]],
    metrics: Iterable[str] | str | None = None,
    *,
    dialect: str | None = None,
    ids: Iterable[str | int] | None = None,
    read_as: str | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    **options: Any,  # noqa: ANN401 - any dialect's
) -> Results:
    """Score texts, and return the averages of each system with the scores of each eval.

    peers: a text; a list of texts, one per eval; or a mapping from system to such a list. models: a text,
    for one eval; or a list with one item per eval, either a text or a list of texts (several models). With
    one peer, a flat list of models belongs to that peer. A text is a string whose lines are its sentences.
    A list may be any iterable: a tuple, a generator, an array, a column of a data frame. Items are paired
    in the order of iteration; the index of a Series is ignored.
    metrics: labels, such as `ROUGE-2`, `R2` or `ROUGE-SU4`. options: those of `rouge-cli score`, such as
    stemmer="rouge", formula="best", samples=0. dialect: rouge155 by default.
    ids: the IDs of the evals, by default 1, 2, ...; ROUGE-1.5.5's bootstrap draws in their string order.
    read_as: the format of the texts, spl by default (a sentence per line).
    like: the signature of a report; options that you do not pass take its values. A notice reports a
    different version or a different number of evals or models.
    recipe: the name of a set-up, in place of like; `rouge-cli list recipes` lists the names.
    notify: a function to call with each Notice, such as one about a text without a token. By default, the
    first 20 notices are warnings of the class RougeWarning, and one more counts the others.

        >>> rouge_cli.score("the cat sat", "the cat sat down", "ROUGE-1", samples=0).to_dict()
        {'peer': {'ROUGE-1': {'recall': 0.75, 'precision': 1.0, 'f': 0.85714}}}

    Raises RougeError (UsageError for invalid options).
    """
    like = recipes.signature_of(like, recipe)
    read_as = text_format(read_as, {} if like is None else facts.stated_facts(like))
    tasks = containers.tasks(peers, models, ids, read_as)
    return evaluate(tasks, metrics, dialect=dialect, like=like, notify=notify, **options)


def score_rows(
    peers: Iterable[Text],
    models: Iterable[Text | Iterable[Text]],
    metrics: Iterable[str] | str | None = None,
    *,
    dialect: str | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    **options: Any,  # noqa: ANN401 - any dialect's
) -> list[dict[str, float]]:
    """Return the scores of each pair in order: `ROUGE-1.recall`, `ROUGE-1.precision`, `ROUGE-1.f`, ...

    The function is pure: map it over the partitions of a Dask or Spark data frame:

        frame.map_partitions(lambda part: pandas.DataFrame(
            rouge_cli.score_rows(part["prediction"], part["reference"], "R1,RL"), index=part.index))

    The parameters are those of `score`, for one system. Nothing is averaged or resampled.

    Raises RougeError.
    """
    peers, models = containers.checked_items(peers, "peers"), containers.checked_items(models, "models")
    like = recipes.signature_of(like, recipe)
    like = None if like is None else facts.of_pairs(like)
    options = {**options, "samples": 0}
    if not peers and not models:
        return []
    report = score(peers, models, metrics, dialect=dialect, like=like, notify=notify, **options)
    figures: dict[str, Sequence[float]] = {}
    for result in report.results:
        if isinstance(result.evals, Column) and result.evals.scored:
            names = (f"{result.label}.{name}" for name in Score._fields)
            figures.update(zip(names, result.evals.scores(), strict=True))
    if not figures:
        return [{} for _ in models]
    return [dict(zip(figures, row, strict=True)) for row in zip(*figures.values(), strict=True)]


def evaluate(
    tasks: Iterable[EvalTask],
    metrics: Iterable[str] | str | None = None,
    *,
    dialect: str | None = None,
    peer_ids: Iterable[str] | None = None,
    like: str | None = None,
    recipe: str | None = None,
    notify: Notify | None = None,
    jobs: int = 1,
    **options: Any,  # noqa: ANN401 - any dialect's
) -> Results:
    """Score tasks as read by `rouge_cli.tasks`; a stream of tasks is read once.

    peer_ids: the systems, in the order of the report; None for all, in the order in which they appear.
    jobs: the number of processes, 0 for the number of cores; it does not change results.

    The other parameters are those of `score`.
    """
    jobs = whole("jobs", jobs, 0, MOST_JOBS)
    if isinstance(metrics, str):
        metrics = labels(metrics)
    elif metrics is not None:
        metrics = containers.checked_items(metrics, "metrics")
    if peer_ids is not None:
        peer_ids = containers.checked_items(peer_ids, "peer_ids")
    like = recipes.signature_of(like, recipe)
    signed_dialect, options = with_signed(like, options)
    requested = options if metrics is None else {**options, "metrics": metrics}
    with NoticeHandler(notify) as handle:
        run = set_up(dialect or signed_dialect, requested, peer_ids)
        tasks, read_as = facts.collect_formats(tasks)
        results = collected(run.work, tasks, handle, jobs=jobs)
        if not results.evals and requested.get("metrics") != [] and peer_ids != []:
            raise UsageError("nothing to score: no evals", remedy="give a peer and a model, or more")
        expected = facts.stated_facts(like) if like is not None else {}
        return make_report(
            run._replace(reading=facts.reading(read_as), expected=expected, jobs=jobs), results, handle
        )


class Run(NamedTuple):
    """A run that is set up; `options` are as in its signature.

    work: how tasks are scored. averages: the dialect that averages the results. reading: how texts were
    read, if it is not the default. expected: facts of the signature that the run repeats.
    jobs: the number of workers; 0 for all cores.
    """

    dialect: str
    options: Options
    work: Work
    averages: DialectRun
    reading: Mapping[str, str] = {}
    expected: Mapping[str, str] = {}
    jobs: int = 1


def set_up(dialect: str, requested: Mapping[str, Any], peer_ids: Sequence[str] | None) -> Run:
    """Set up the requested run; raise UsageError for invalid options."""
    program = dialects.named(dialect)
    options = program.canonical(resolve(dialect, program.defaults, requested))
    if "tokenizer" in options:
        options["tokenizer"] = tokenizers.signed(options["tokenizer"])
    work = Work(partial(program.build, options), peer_ids, options.get("jackknife", False))
    # Constructed here, so that options are validated before any input is read.
    return Run(dialect, options, work, work.dialect(ignore_notice))


def make_report(run: Run, collected: Collected, notify: Notify) -> Results:
    """Return the report of the collected results; report common causes of low scores in the texts."""
    report = finish(collected, run.work.peer_ids, run.averages, notify, run.jobs)
    for notice in remarks(report.details, run.options, needs_sentences=run.averages.needs_sentences):
        notify(notice)
    command = dialects.named(run.dialect).command_line(run.options)
    details = {**report.details, "command": command} if command else report.details
    signed = _signature(run, report.details, collected.columns)
    for notice in facts.differences(run.expected, signed):
        notify(notice)
    return Results(report.results, signed, details)


def like_options(text: str, *, tokenizer: str | None = None) -> tuple[str, dict[str, str]]:
    """Return the dialect and the options that a signature names.

    tokenizer: replaces the signature's. Raises UsageError if the text is not a signature, or if its
    tokenizer is a user's function that the argument does not name as well.
    """
    fields = signature.parse(text)
    dialect = fields.pop("dialect", None)
    if dialect is None:
        raise UsageError("the signature has no dialect", remedy="copy the whole line")
    if tokenizer is not None and tokenizers.unsigned(fields.get("tokenizer", "")) == tokenizer:
        tokenizers.signed(fields["tokenizer"])
    if tokenizer is not None:
        fields["tokenizer"] = tokenizer
    tokenizers.check_tokenizer(fields.get("tokenizer", ""), tokenizer, "the signature")
    return dialect, {name: value for name, value in fields.items() if name not in facts.FACTS}


def with_signed(like: str | None, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the dialect and the options of a signature, if there is one, with yours in their place."""
    dialect, signed = (
        (DIALECT, {}) if like is None else like_options(like, tokenizer=options.get("tokenizer"))
    )
    return dialect, {**signed, **{name: value for name, value in options.items() if value is not None}}


def text_format(read_as: str | None, stated: Mapping[str, str]) -> str:
    """Return the format of texts: the one named, or a signature's, or spl; raise UsageError if unknown.

    stated: the facts of the signature; it may state several formats, of which none is the default.
    """
    names = plugins.names(formats.__name__)
    if read_as is None:
        return name if (name := stated.get("read_as", "")) in names else "spl"
    if read_as.lower() not in names:
        raise UsageError(f"unknown format {read_as!r}", remedy=plugins.suggestion(read_as.lower(), names))
    return read_as.lower()


def _signature(run: Run, details: Mapping[str, Any], columns: Mapping[tuple[str, str], Column]) -> str:
    fields = {"dialect": run.dialect, **run.options, **run.reading}
    if run.options.get("samples"):
        by_id = dialects.named(run.dialect).draws_by_id
        order = facts.drawing_order(columns) if by_id else facts.input_order(columns)
        fields |= {"draws": order} if order != facts.NUMBERS else {}
    models = "-".join(map(str, dict.fromkeys(details.get("models_per_eval", ())))) or "0"
    return signature.render({**fields, "models": models, "evals": details["evals"], "version": __version__})


class NoticeHandler:
    """Passes notices to `notify`; by default turns the first of them into warnings for the calling code.

    A context, at whose end it warns of the number of notices beyond MOST_WARNINGS.
    """

    def __init__(self, notify: Notify | None) -> None:
        self._notify = notify
        self._number = 0

    def __call__(self, notice: Notice) -> None:
        """Pass a notice on, unless too many became warnings already."""
        self._number += 1
        if self._notify is not None:
            self._notify(notice)
        elif self._number <= MOST_WARNINGS:
            _warn(printable(notice.message))

    def __enter__(self) -> Notify:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and self._notify is None and self._number > MOST_WARNINGS:
            _warn(f"... and {self._number - MOST_WARNINGS} more notices")


def _warn(message: str) -> None:
    """Warn at the line outside this package that passed the texts."""
    level, frame = 1, inspect.currentframe()
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RougeWarning, stacklevel=level)
