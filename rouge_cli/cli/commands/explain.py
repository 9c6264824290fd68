"""`rouge-cli explain`: show how the scores of one prediction are computed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import click

from rouge_cli import reports
from rouge_cli.cli import inputs, output, scoring, streams
from rouge_cli.cli.option_groups import Conflict, OptionGroup, Words, flag, option, several, takes
from rouge_cli.core import Document, EvalTask, Notify
from rouge_cli.errors import RougeError, UsageError, shown
from rouge_cli.io import files
from rouge_cli.results import SHOWN
from rouge_cli.runs import assembly
from rouge_cli.studies import setups
from rouge_cli.tasks.kinds import settings

if TYPE_CHECKING:
    from rouge_cli.results.base import Presentable


class ExplainOptions(OptionGroup):
    """The texts to explain, and the output."""

    conflicts: ClassVar = {
        Conflict.ONE_PAIR: "eval_id system",
        Conflict.EVERYTHING_SHOWN: "every",
        Conflict.BETWEEN_DIALECTS: "every",
    }
    prediction_text: str | None = option("--pred-text TEXT", "Text of the prediction, instead of a file.")
    reference_texts: Words = several("--ref-text TEXT", "Text of a reference; repeatable.")
    eval_id: str | None = option("--eval ID", "Eval of INPUT to explain.")
    system: str | None = option("--peer-id ID", hidden=True)  # --system in earlier versions
    format: str | None = output.format_option("explanation")
    dialects: bool = flag("--dialects", "Explain why dialects score this pair differently.")
    every: bool = flag("--all", f"List all matches, not only the first {SHOWN}.")
    output: str | None = option("-o --output FILE", "Write the report to FILE, whole or not at all.")


@click.command("explain")
@takes(ExplainOptions, inputs.InputOptions, scoring.CountingOptions)
def command(options: ExplainOptions, texts: inputs.InputOptions, scored: scoring.CountingOptions) -> None:
    """Show which words match, and how R, P and F are computed.

    INPUT is PREDICTION REFERENCE... as files, or any input of `score` with --eval (one topic or document)
    and --system. Or pass the texts with --pred-text and --ref-text.

    In plain text, words that count are in [brackets], matches that exceed those of the other text in
    {braces}, and dropped words between ~tildes~.

    \b
    Example: rouge-cli explain --stem --pred-text "he swims" --ref-text "he swam"
             rouge-cli explain run.jsonl --eval 17 --system lead -m R2
    """  # noqa: D301 - click's mark for lines to be kept
    kind = "dialects" if options.dialects else "explanation"
    form = output.chosen_format(
        kind, options.format, options.output, without="--dialects", plain="explanation"
    )
    Conflict.check(
        {Conflict.BETWEEN_DIALECTS: options.dialects, Conflict.EVERYTHING_SHOWN: not reports.is_table(form)}
    )
    scoring.check_settings(scored, setups.WITHOUT_EFFECT, "one pair")
    request = scoring.request(scored)
    with streams.Notices(quiet=scored.quiet) as notices:
        task, system, paths = _pair(options, texts, request.expected, notices)
        output.check_targets([options.output], paths)
        if options.dialects:
            from rouge_cli.studies import audit

            result: Presentable = audit.between_dialects(task, system, stem=scored.stem, notify=notices)
        else:
            result = setups.explain(task, system, request.dialect, request.options, notices)
        screen = output.on_screen(options.output)
        output.write_result(result, form, options.output, every=options.every, **screen)


_WAYS = (
    "give PREDICTION REFERENCE... as files, or --pred-text and --ref-text, or the inputs of score with "
    "--eval and --system"
)


def _pair(
    options: ExplainOptions, texts: inputs.InputOptions, signed: Mapping[str, str], notify: Notify
) -> tuple[EvalTask, str, Sequence[str]]:
    """Return the prediction to explain: its eval, its system, and the files that are read.

    It is a text on the command line, a file, or in an eval of INPUT.
    """
    systems = [*texts.systems, *([] if options.system is None else [options.system])]
    if len(systems) > 1:
        raise UsageError(f"{len(systems)} systems", remedy="explain one at a time")
    is_typed = options.prediction_text is not None or options.reference_texts
    if is_typed or (len(texts.paths) > 1 and options.eval_id is None and not systems):
        if is_typed and texts.paths:
            raise UsageError("texts and files together", remedy=_WAYS)
        Conflict.check({Conflict.ONE_PAIR: True})
        read_as = assembly.text_format(texts.read_as, signed)
        prediction, *references = _typed_texts(options) if is_typed else _of_files(texts.paths)
        # As in a file list.
        by_id = [(f"M.{number}", reference) for number, reference in enumerate(references, 1)]
        return EvalTask("1", {"X": prediction}, by_id, read_as, "command line"), "X", texts.paths
    if options.eval_id is None:
        what = "one file without --eval" if texts.paths else "nothing selected to explain"
        raise UsageError(what, remedy=_WAYS)
    source = inputs.read(texts, notify, signed)
    eval_ids = []
    for task in source.tasks:
        if task.eval_id == options.eval_id:
            system = _system(settings.require_references([task])[0], systems)
            return task, system, [*source.files, *inputs.paths([task], [system])]
        eval_ids.append(task.eval_id)
    where = ", ".join(map(files.place, source.files))
    remedy = _nearest(options.eval_id, eval_ids)
    raise RougeError(f"no eval {options.eval_id}", where=where, remedy=remedy)


def _typed_texts(options: ExplainOptions) -> list[Document]:
    """Return the texts on the command line, first the prediction."""
    if options.prediction_text is None or not options.reference_texts:
        raise UsageError("--pred-text and --ref-text go together", remedy=_WAYS)
    texts = {"--pred-text": options.prediction_text}
    texts |= {f"--ref-text {number}": text for number, text in enumerate(options.reference_texts, 1)}
    for name, text in texts.items():
        if not text.strip():
            raise UsageError(f"{name}: an empty text", remedy="put the text in quotes after the option")
    return [Document(os.fsencode(text), name) for name, text in texts.items()]


def _of_files(paths: Sequence[str]) -> list[Document]:
    """Return the texts of files, first the prediction."""
    files.check_stdin(paths)
    return [
        Document(files.read_any(path, "reference" if index else "prediction"), path)
        for index, path in enumerate(paths)
    ]


def _system(task: EvalTask, requested: Sequence[str]) -> str:
    """Return the requested system, or the only system of the eval."""
    present = [system for system, text in task.predictions.items() if text]
    if not requested and len(present) > 1:
        remedy = f"name one by --system: {_nearest('', present)}"
        raise UsageError(f"{len(present)} systems in eval {task.eval_id}", remedy=remedy)
    system = requested[0] if requested else "".join(present)
    if system not in present:
        what = f"eval {task.eval_id} has no system {system}"
        raise RougeError(what, where=task.where, remedy=_nearest(system, present))
    return system


def _nearest(name: str, names: Sequence[str]) -> str:
    """Return the remedy for an unknown name: similar names, or the first names."""
    from difflib import get_close_matches

    near = get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"there are {shown(names, 5)}" if names else "there are none"
