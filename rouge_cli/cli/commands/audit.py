"""`rouge-cli audit`: explain why dialects differ on one input."""

from collections.abc import Sequence
from typing import ClassVar

import click

from rouge_cli import reports
from rouge_cli.cli import inputs, output, scoring, streams, study_scores
from rouge_cli.cli.option_groups import Conflict, OptionGroup, flag, named, option
from rouge_cli.core import EvalTask
from rouge_cli.results.base import SHOWN
from rouge_cli.runs import assembly
from rouge_cli.studies import dialect_audit, dialect_scores

SECTION = "Doubt"


class AuditOptions(OptionGroup):
    """How the dialects score, and the output."""

    conflicts: ClassVar = {Conflict.EVERYTHING_SHOWN: "every"}
    stem: bool = flag("--stem", "Stem words with each dialect's own stemmer.")
    sentences: str = option(
        "--sentences HOW",
        "Sentences: newline (default), mark:<q>, split, none.",
        default="newline",
    )
    tokenizer: str | None = option(
        "--tokenizer NAME", "Tokenizer of all dialects: unicode, char, ..."
    )
    threshold: float = study_scores.real(
        "--threshold D",
        "List evals whose F differs by more than D (default 0.001).",
        0.001,
        click.FLOAT,
    )
    every: bool = flag(
        "--all", f"List all evals that differ, not only the first {SHOWN}."
    )
    format: str | None = output.format_option("audit")
    output: str | None = option(
        "-o --output FILE", "Write the report to FILE, whole or not at all."
    )


@named("audit")
def command(texts: inputs.InputOptions, options: AuditOptions) -> None:
    """Explain why dialects give one input different scores.

    The report has the mean F of every system in every dialect. Then it lists the evals
    (topics or documents) whose F differs by more than --threshold, with the reasons.

    Example: rouge-cli audit --pred a.txt --ref gold.txt --stem
    """
    form = output.chosen_format("audit", options.format, options.output)
    with streams.Notices() as notices:
        source = inputs.read(texts, notices)
        output.check_targets([options.output], source.paths(), texts.folders)
        tasks = []
        for task in source.listed():
            tasks.append(_of_systems(task, source.systems))
        if not tasks:
            raise assembly.nothing_to_score()
        chosen = dialect_scores.settings(
            stem=options.stem, sentences=options.sentences, tokenizer=options.tokenizer
        )
        watch = scoring.watch(quiet=False, noun="dialects")
        is_shortened = reports.is_table(form) and not options.every
        most = SHOWN if is_shortened else None
        result = dialect_audit.audit(
            tasks, chosen, options.threshold, notices, watch, most=most
        )
        output.write_result(result, form, options.output, show_all=options.every)


def _of_systems(task: EvalTask, systems: Sequence[str] | None) -> EvalTask:
    """Return the eval with the predictions of these systems, in their order; of all
    systems if none is named.
    """
    predictions = {}
    for name in systems or task.predictions:
        if name in task.predictions:
            predictions[name] = task.predictions[name]
    return task._replace(predictions=predictions)
