"""`rouge-cli audit`: score one input in every dialect, and explain why the scores differ."""

from __future__ import annotations

from typing import ClassVar

import click

from rouge_cli import reports
from rouge_cli.cli import inputs, output, scoring, streams, study_scores
from rouge_cli.cli.option_groups import Conflict, OptionGroup, flag, option, takes
from rouge_cli.errors import RougeError
from rouge_cli.results import SHOWN


class AuditOptions(OptionGroup):
    """How the dialects score, and the output."""

    conflicts: ClassVar = {Conflict.EVERYTHING_SHOWN: "every"}
    stem: bool = flag("--stem", "Stem words with each dialect's own stemmer.")
    sentences: str = option(
        "--sentences HOW", "Sentences: newline (default), mark:<q>, split, none.", default="newline"
    )
    tokenizer: str | None = option("--tokenizer NAME", "Tokenizer of all dialects: unicode, char, ...")
    threshold: float = study_scores.real(
        "--threshold D", "List evals whose F differs by more than D (default 0.001).", 0.001, click.FLOAT
    )
    every: bool = flag("--all", f"List all evals that differ, not only the first {SHOWN}.")
    format: str | None = output.format_option("audit")
    output: str | None = option("-o --output FILE", "Write the report to FILE, whole or not at all.")


@click.command("audit")
@takes(inputs.InputOptions, AuditOptions)
def command(texts: inputs.InputOptions, options: AuditOptions) -> None:
    """Explain why dialects give one input different scores.

    The report has the mean F of every system in every dialect. Then it lists the evals (topics or
    documents) whose F differs by more than --threshold, with the reasons.

    Example: rouge-cli audit --pred a.txt --ref gold.txt --stem
    """
    from rouge_cli.studies import setups
    from rouge_cli.studies.audit import audit

    form = output.chosen_format("audit", options.format, options.output)
    Conflict.check({Conflict.EVERYTHING_SHOWN: not reports.is_table(form)})
    with streams.Notices() as notices:
        source = inputs.read(texts, notices)
        output.check_targets([options.output], source.paths())
        tasks = []
        for task in source.listed():
            names = [name for name in source.systems or task.predictions if name in task.predictions]
            tasks.append(task._replace(predictions={name: task.predictions[name] for name in names}))
        if not tasks:
            raise RougeError("nothing to score: the input has no eval")
        settings = setups.settings(
            stem=options.stem, sentences=options.sentences, tokenizer=options.tokenizer
        )
        watch = scoring.watch(quiet=False, noun="dialects")
        result = audit(tasks, settings, options.threshold, notices, watch)
        output.write_result(result, form, options.output, every=options.every)
