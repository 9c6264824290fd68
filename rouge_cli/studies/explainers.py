"""Explanations of scores, with the warnings that `score` gives for the same texts."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rouge_cli import dialects
from rouge_cli.core import (
    Document,
    EvalTask,
    Explanation,
    Notice,
    Notify,
    ignore_notice,
)
from rouge_cli.dialects.rouge155 import texts
from rouge_cli.results.explanations import Explanations
from rouge_cli.runs import assembly, hints
from rouge_cli.studies.setups import build
from rouge_cli.text.reading import load, load_texts
from rouge_cli.text.survey import cut_up_message

DEFAULTS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
DEFAULTS_OF_ELEMENTS = ("ROUGE-BE-HM",)


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
    return partial(texts.load, notify=notify)
