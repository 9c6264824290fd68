"""`rouge-cli explain`: show which words match, and how R, P and F are computed."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from rouge_cli.cli import inputs, output, scoring, streams
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    flag,
    named,
    option,
    several,
)
from rouge_cli.cli.source_options import SourceOptions
from rouge_cli.core import Document, EvalTask, Notify
from rouge_cli.errors import RougeError, UsageError, shown, suggestion
from rouge_cli.io import files
from rouge_cli.results.base import SHOWN, Presentable
from rouge_cli.runs import assembly
from rouge_cli.studies import (
    dialect_audit,
    explainers,
    setups,
)
from rouge_cli.tasks import contents
from rouge_cli.tasks.kinds import settings

SECTION = "Doubt"


class ExplainOptions(OptionGroup):
    """The texts to explain, and the output."""

    conflicts: ClassVar = {
        Conflict.ONE_PAIR: "eval_id",
        Conflict.EVERYTHING_SHOWN: "every",
        Conflict.BETWEEN_DIALECTS: "every",
    }
    prediction_text: str | None = option(
        "--pred-text TEXT", "Text of the prediction, instead of a file."
    )
    reference_texts: Words = several(
        "--ref-text TEXT", "Text of a reference; repeatable."
    )
    eval_id: str | None = option("--eval ID", "Eval of INPUT to explain.")
    format: str | None = output.format_option("explanation")
    dialects: bool = flag(
        "--dialects", "Explain why dialects score this pair differently."
    )
    every: bool = flag("--all", f"List all matches, not only the first {SHOWN}.")
    output: str | None = option(
        "-o --output FILE", "Write the report to FILE, whole or not at all."
    )


@named("explain")
def command(
    options: ExplainOptions,
    texts: inputs.InputOptions,
    sources: SourceOptions,
    scored: scoring.CountingOptions,
) -> None:
    """Show which words match, and how R, P and F are computed.

    INPUT is PREDICTION REFERENCE... as files, or any input of `score` with --eval (one
    topic or document) and --system. Or pass the texts with --pred-text and --ref-text.

    In plain text, words that count are in [brackets], matches that exceed those of the
    other text in {braces}, and dropped words between ~tildes~.

    Example: rouge-cli explain --stem --pred-text "he swims" --ref-text "he swam"
             rouge-cli explain run.jsonl --eval 17 --system lead -m R2
    """
    kind = "dialects" if options.dialects else "explanation"
    form = output.chosen_format(kind, options.format, options.output)
    Conflict.check({Conflict.BETWEEN_DIALECTS: options.dialects})
    scoring.check_settings(scored, setups.WITHOUT_EFFECT, "one pair")
    request = scoring.request(scored)
    with streams.Notices(quiet=scored.quiet) as notices:
        task, system, paths = _pair(
            options, texts, sources.source, request.expected, notices
        )
        output.check_targets([options.output], paths, texts.folders)
        if options.dialects:
            result: Presentable = dialect_audit.between_dialects(
                task, system, stem=scored.stem, notify=notices
            )
        else:
            explained = explainers.explain(
                task, system, request.dialect, request.options, notices
            )
            result = replace(explained, eval_id=options.eval_id or "")
        output.write_result(result, form, options.output, show_all=options.every)


_WAYS = (
    "give PREDICTION REFERENCE... as files, or --pred-text and --ref-text, or the"
    " inputs of score with --eval and --system"
)


def _pair(
    options: ExplainOptions,
    texts: inputs.InputOptions,
    summarized: str | None,
    signed: Mapping[str, str],
    notify: Notify,
) -> tuple[EvalTask, str, Sequence[str]]:
    """Return the prediction to explain: its eval, its system, and the files that are
    read.

    It is a text on the command line, a file, or in an eval of INPUT.
    """
    systems = texts.systems
    if len(systems) > 1:
        raise UsageError(f"{len(systems)} systems", remedy="explain one at a time")
    is_typed = options.prediction_text is not None or options.reference_texts
    if is_typed or (len(texts.paths) > 1 and options.eval_id is None and not systems):
        if is_typed and texts.paths:
            raise UsageError("texts and files together", remedy=_WAYS)
        Conflict.check({Conflict.ONE_PAIR: True})
        read_as = assembly.text_format(texts.read_as, signed)
        read = _typed_texts(options) if is_typed else _of_files(texts.paths)
        prediction, *references = read
        # As in a file list.
        by_id = []
        for number, reference in enumerate(references, 1):
            by_id.append((f"M.{number}", reference))
        task = EvalTask("1", {"X": prediction}, by_id, read_as, "command line")
        if summarized is None:
            return task, "X", texts.paths
        text = Document(files.read_any(summarized, "source"), summarized)
        return task._replace(source=text), "X", [*texts.paths, summarized]

    if options.eval_id is None:
        what = "nothing selected to explain"
        if texts.paths:
            what = "one file without --eval"
        raise UsageError(what, remedy=_WAYS)
    source = inputs.read(texts, notify, signed, source=summarized)
    eval_ids = []
    for task in source.tasks:
        if task.eval_id == options.eval_id:
            settings.require_references([task])
            system = _system(task, systems)
            return task, system, [*source.files, *inputs.paths([task], [system])]
        eval_ids.append(task.eval_id)
    where = ", ".join(map(files.place, source.files))
    remedy = suggestion(options.eval_id, eval_ids)
    raise RougeError(f"no eval {options.eval_id}", where=where, remedy=remedy)


def _typed_texts(options: ExplainOptions) -> list[Document]:
    """Return the texts on the command line, first the prediction."""
    if options.prediction_text is None or not options.reference_texts:
        raise UsageError("--pred-text and --ref-text go together", remedy=_WAYS)
    texts = {"--pred-text": options.prediction_text}
    for number, text in enumerate(options.reference_texts, 1):
        texts[f"--ref-text {number}"] = text
    for name, text in texts.items():
        if not text.strip():
            raise UsageError(
                f"{name}: an empty text",
                remedy="put the text in quotes after the option",
            )
    return [Document(os.fsencode(text), name) for name, text in texts.items()]


def _of_files(paths: Sequence[str]) -> list[Document]:
    """Return the texts of files, first the prediction."""
    files.check_stdin(paths)
    for path in paths:
        if " " in path and not os.path.exists(path):
            raise UsageError(
                f"no file {path!r}", remedy="give texts by --pred-text and --ref-text"
            )
    for path in paths:
        remedy = "name an eval in it: --pred FILE --ref FILE --eval ID"
        contents.check_is_text(path, contents.PRED, remedy)
    documents = []
    role = "prediction"
    for path in paths:
        documents.append(Document(files.read_any(path, role), path))
        role = "reference"
    return documents


def _system(task: EvalTask, requested: Sequence[str]) -> str:
    """Return the requested system, or the only system of the eval."""
    present = [system for system, text in task.predictions.items() if text]
    if not requested and len(present) > 1:
        remedy = f"name one by --system: {shown(present, 5)}"
        raise UsageError(
            f"{len(present)} systems in eval {task.eval_id}", remedy=remedy
        )
    system = requested[0] if requested else "".join(present)
    if system not in present:
        what = f"eval {task.eval_id} has no system {system}"
        raise RougeError(what, where=task.where, remedy=suggestion(system, present))
    return system
