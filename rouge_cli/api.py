"""ROUGE for Python programs: `rouge_cli.score` for texts, `rouge_cli.evaluate` for tasks.

The same numbers as the command's, to the last digit, from the same code.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import __version__, containers, folders, signature
from rouge_cli.core import Average, Document, EvalTask, Report
from rouge_cli.errors import RougeWarning, UsageError
from rouge_cli.evaluation import Collected, finish
from rouge_cli.options import Options, labels, resolve
from rouge_cli.parallel import Work, collected
from rouge_cli.remarks import remarks
from rouge_cli.text.tokenizers import check_tokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from rouge_cli.core import Dialect, Notice, Notify

# A text: a string, or its sentences.
Text = str | Iterable[str]

DIALECT = "rouge155"
MOST_WARNINGS = 20  # of one call
# What a signature says besides the options.
FACTS = ("models", "evals", "version")


class Results(Report):
    """A report with two more ways out."""

    def to_dict(self) -> dict[str, dict[str, dict[str, float]]]:
        """System -> label -> recall, precision, f: the averages, plain."""
        found: dict[str, dict[str, dict[str, float]]] = {}
        for result in self.results:
            if isinstance(result.average, Average):
                figures = {name: one.value for name, one in result.average._asdict().items()}
                found.setdefault(result.peer_id, {})[result.label] = figures
        return found

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas is not ours to require
        """A DataFrame of one row per eval, system and metric; needs pandas."""
        import pandas as pd

        rows = [
            {
                "eval": one.eval_id,
                "system": result.peer_id,
                "metric": result.label,
                **(one.score._asdict() if one.score else {}),
                **one.counts._asdict(),
            }
            for result in self.results
            for one in result.evals
        ]
        return pd.DataFrame(rows).drop(columns=["rank", "peer_match"], errors="ignore")


def score(
    peers: Text | Iterable[Text] | Mapping[str, Text | Iterable[Text]],
    models: Text | Iterable[Text] | Iterable[Iterable[Text]],
    metrics: Iterable[str] | str | None = None,
    *,
    dialect: str = DIALECT,
    notify: Notify | None = None,
    **options: Any,  # noqa: ANN401 - any dialect's
) -> Results:
    """Score texts.

    peers: one text; or a list of texts, one for each eval; or system -> such a list. models: one text for
    one eval; or a list: for each eval a text, or a list of texts where there are several models. With one
    peer, a flat list of models is that peer's. A text is a string whose lines are its sentences.
    A list may be any iterable: a tuple, a generator, an array, a column of a data frame. Items are paired
    in the order in which they are iterated; the index of a Series does not count.
    metrics: labels such as `ROUGE-2`, `R2`, `ROUGE-SU4`. options: as the command's, e.g. stemmer="rouge",
    formula="best", samples=0.
    notify: called with each Notice (of texts without a token, say); by default notices become warnings of
    the class RougeWarning, up to MOST_WARNINGS and then a count of the rest.

        >>> rouge_cli.score("the cat sat", "the cat sat down", "ROUGE-1", samples=0).to_dict()
        {'peer': {'ROUGE-1': {'recall': 0.75, 'precision': 1.0, 'f': 0.85714}}}

    Raises RougeError (UsageError for options that make no sense).
    """
    tasks = _tasks(peers, models)
    return evaluate(tasks, metrics, dialect=dialect, notify=notify, **options)


def score_rows(
    peers: Iterable[Text],
    models: Iterable[Text | Iterable[Text]],
    metrics: Iterable[str] | str | None = None,
    *,
    dialect: str = DIALECT,
    notify: Notify | None = None,
    **options: Any,  # noqa: ANN401 - any dialect's
) -> list[dict[str, float]]:
    """The scores of each pair by itself, in order: `ROUGE-1.recall`, `ROUGE-1.precision`, `ROUGE-1.f`, ...

    A pure function over a batch of pairs, to be mapped over the partitions of a Dask or Spark data frame:

        frame.map_partitions(lambda part: pandas.DataFrame(
            rouge_cli.score_rows(part["prediction"], part["reference"], "R1,RL"), index=part.index))

    Takes what `score` takes, but for one system; nothing is averaged or resampled. Raises RougeError.
    """
    peers, models = _items(peers, "peers"), _items(models, "models")
    report = score(peers, models, metrics, dialect=dialect, notify=notify, **{**options, "samples": 0})
    rows: list[dict[str, float]] = [{} for _ in models]
    for result in report.results:
        for row, one in zip(rows, result.evals, strict=True):
            for name, value in zip(("recall", "precision", "f"), one.score or (), strict=False):
                row[f"{result.label}.{name}"] = value
    return rows


def evaluate(
    tasks: Iterable[EvalTask],
    metrics: Iterable[str] | str | None = None,
    *,
    dialect: str = DIALECT,
    peer_ids: Iterable[str] | None = None,
    notify: Notify | None = None,
    jobs: int = 1,
    **options: Any,  # noqa: ANN401 - any dialect's
) -> Results:
    """Score tasks, as `rouge_cli.tasks` reads them; a stream of them is read once.

    peer_ids: the systems, in the report's order; None for all, in the order in which they appear.
    jobs: how many processes score, 0 for as many as there are cores; the numbers are the same.
    The rest is as for `score`.
    """
    if isinstance(metrics, str):
        metrics = labels(metrics)
    elif metrics is not None:
        metrics = _items(metrics, "metrics")
    if peer_ids is not None:
        peer_ids = _items(peer_ids, "peer_ids")
    run = prepared(dialect, {**options, "metrics": metrics}, peer_ids)
    if notify is not None:
        return finished(run, collected(run.work, tasks, notify, jobs=jobs), notify)
    caller = _Warnings()
    report = finished(run, collected(run.work, tasks, caller, jobs=jobs), caller)
    caller.close()
    return report


class Run(NamedTuple):
    """A run that is set up; `options` are as its signature writes them.

    work: how tasks are scored. averages: the dialect that averages what they give.
    """

    dialect: str
    options: Options
    work: Work
    averages: Dialect


def prepared(dialect: str, asked: Mapping[str, Any], peer_ids: Sequence[str] | None) -> Run:
    """The run that is asked for; raises UsageError for options that make no sense."""
    module = chosen(dialect)
    options = module.canonical(resolve(dialect, module.DEFAULTS, asked))
    work = Work(partial(module.build, options), peer_ids, options.get("jackknife", False))
    # Made here, so that what makes no sense is said before anything is read.
    return Run(dialect, options, work, work.dialect((), _unheard))


def finished(run: Run, found: Collected, notify: Notify) -> Results:
    """The report of what was collected; says what costs points in its texts."""
    report = finish(found, run.work.peer_ids, run.averages, notify)
    for notice in remarks(report.details, run.averages.labels, run.options):
        notify(notice)
    module = chosen(run.dialect)
    command = module.command_line(run.options)
    details = {**report.details, "command": command} if command else report.details
    return Results(report.results, _signature(run.dialect, run.options, report.details), details)


def chosen(dialect: str) -> ModuleType:
    """The options module of a dialect; raises UsageError for a name that is none."""
    folders.chosen("rouge_cli.dialects", dialect, "dialect")
    return folders.module("rouge_cli.dialects", f"{dialect}.options")


def like(text: str, *, tokenizer: str | None = None) -> tuple[str, dict[str, str]]:
    """Return the dialect and the options that a signature names.

    tokenizer: in place of the signature's. Raises UsageError for anything else than a signature, and for
    one that names a function of yours as its tokenizer, unless you name it too.
    """
    fields = signature.parse(text)
    dialect = fields.pop("dialect", None)
    if dialect is None:
        raise UsageError("the signature names no dialect", remedy="copy the whole line")
    if tokenizer is not None:
        fields["tokenizer"] = tokenizer
    check_tokenizer(fields.get("tokenizer", ""), tokenizer, "the signature")
    return dialect, {name: value for name, value in fields.items() if name not in FACTS}


def _signature(dialect: str, options: Options, details: Mapping[str, Any]) -> str:
    models = dict.fromkeys(details.get("models_per_eval", ()))
    facts = {"models": "-".join(map(str, models)) or "0", "evals": details["evals"], "version": __version__}
    return signature.render({"dialect": dialect, **options, **facts})


def _unheard(_: Notice) -> None:
    """Nobody wants the notices."""


class _Warnings:
    """Warns the code that called this package of notices, but not of the thousandth."""

    def __init__(self) -> None:
        self._number = 0

    def __call__(self, notice: Notice) -> None:
        """Warn of a notice, unless there were too many already."""
        self._number += 1
        if self._number <= MOST_WARNINGS:
            _warn(notice.message)

    def close(self) -> None:
        """Warn of how many notices there were beyond."""
        if self._number > MOST_WARNINGS:
            _warn(f"... and {self._number - MOST_WARNINGS} more notices")


def _warn(message: str) -> None:
    """Warn at the line outside this package, where the texts come from."""
    level, frame = 1, inspect.currentframe()
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RougeWarning, stacklevel=level)


def _tasks(peers: Any, models: Any) -> Sequence[EvalTask]:  # noqa: ANN401 - every form that `score` takes
    systems: Mapping[str, Any] = peers if isinstance(peers, Mapping) else {"peer": peers}
    if all(isinstance(text, str) for text in systems.values()):
        systems = {name: [text] for name, text in systems.items()}
        models = [models]
    elif isinstance(models, str):
        raise UsageError("one model for a list of peers", remedy="give as many models as there are evals")
    else:
        systems = {name: _items(texts, f"peers of {name}") for name, texts in systems.items()}
        models = _items(models, "models")
    sizes = {"models": len(models), **{f"peers of {name}": len(texts) for name, texts in systems.items()}}
    if len(set(sizes.values())) > 1:
        said = ", ".join(f"{size} {name}" for name, size in sizes.items())
        raise UsageError(f"not as many peers as models: {said}", remedy="each eval has one of each list")
    tasks = []
    for place, references in enumerate(models):
        where = f"eval {place + 1}"
        several = [references] if isinstance(references, str) else _items(references, "models", where)
        if not several:
            raise UsageError("no model", where=where, remedy="give a string, or a list of strings")
        tasks.append(
            EvalTask(
                str(place + 1),
                {name: _document(texts[place], where) for name, texts in systems.items()},
                [(str(number), _document(text, where)) for number, text in enumerate(several, 1)],
                "spl",
                where,
            )
        )
    return tasks


def _items(values: Any, name: str, where: str = "") -> list[Any]:  # noqa: ANN401 - any container
    try:
        return containers.items(values, name)
    except ValueError as reason:
        raise UsageError(str(reason), where=where, remedy="give a list, an array or a column") from None


def _document(text: Any, where: str) -> Document:  # noqa: ANN401 - checked here
    if isinstance(text, str):
        return Document(text.encode("utf-8", "replace"), where)
    try:
        sentences = containers.items(text, "text")
    except ValueError:
        sentences = [None]
    if all(isinstance(sentence, str) for sentence in sentences):
        return _document("\n".join(sentences), where)
    raise UsageError(
        f"no text but {type(text).__name__}: {text!r:.60}", where=where, remedy="give a string"
    )
