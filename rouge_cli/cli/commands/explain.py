"""`rouge-cli explain`, `audit` and `identify`: why scores are what they are."""

import os
from collections.abc import Mapping, Sequence
from typing import ClassVar

import click

from rouge_cli import plugins, reports
from rouge_cli.cli import inputs, option_groups, output, scoring, streams, study_scores
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    flag,
    named,
    option,
    several,
)
from rouge_cli.core import Document, EvalTask, Notify
from rouge_cli.errors import RougeError, UsageError, require, shown, suggestion
from rouge_cli.io import files
from rouge_cli.results.base import SHOWN, Presentable
from rouge_cli.runs import assembly
from rouge_cli.studies import (
    dialect_audit,
    dialect_scores,
    equivalents,
    explainers,
    setups,
)
from rouge_cli.tasks import contents
from rouge_cli.tasks.kinds import settings
from rouge_cli.text import languages

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
    options: ExplainOptions, texts: inputs.InputOptions, scored: scoring.CountingOptions
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
        task, system, paths = _pair(options, texts, request.expected, notices)
        output.check_targets([options.output], paths, texts.folders)
        if options.dialects:
            result: Presentable = dialect_audit.between_dialects(
                task, system, stem=scored.stem, notify=notices
            )
        else:
            result = explainers.explain(
                task, system, request.dialect, request.options, notices
            )
        output.write_result(result, form, options.output, show_all=options.every)


_WAYS = (
    "give PREDICTION REFERENCE... as files, or --pred-text and --ref-text, or the"
    " inputs of score with --eval and --system"
)


def _pair(
    options: ExplainOptions,
    texts: inputs.InputOptions,
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
        return task, "X", texts.paths

    if options.eval_id is None:
        what = "nothing selected to explain"
        if texts.paths:
            what = "one file without --eval"
        raise UsageError(what, remedy=_WAYS)
    source = inputs.read(texts, notify, signed)
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
def audit(texts: inputs.InputOptions, options: AuditOptions) -> None:
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
            predictions = {}
            for name in source.systems or task.predictions:
                if name in task.predictions:
                    predictions[name] = task.predictions[name]
            tasks.append(task._replace(predictions=predictions))
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


class IdentifyOptions(OptionGroup):
    """The published scores, the set-ups to try, and the output."""

    published: Words = several(
        "--published R1=44.16,...", "Scores as printed, or a FILE; repeatable."
    )
    dialects: Words = several(
        "--dialect NAME",
        "Try only this dialect; repeatable.",
        shell_complete=option_groups.completing(lambda: equivalents.IDENTIFIABLE),
    )
    language: str | None = option(
        "--language CODE", "Try each set-up also with this language's words."
    )
    every: bool = flag("--all", "Show all set-ups, not only the nearest.")
    format: str | None = output.format_option("identification")
    output: str | None = option(
        "-o --output FILE", "Write the report to FILE, whole or not at all."
    )
    quiet: bool = flag("--quiet", "Print no warnings and no progress.")


@named("identify")
def identify(options: IdentifyOptions, texts: inputs.InputOptions) -> None:
    """Find the set-up that gives published scores.

    Score INPUT in every set-up that papers use, and rank the set-ups that give the
    published digits. R1=44.16 is F, R or P, whichever fits. R1.R=44.16 is R. A FILE is
    the output of ROUGE-1.5.5.pl, or a table (csv, tsv, jsonl, json) with a column
    metric and at least one of recall, precision and f. It may have columns eval and
    system.

    Without --dialect, rouge155 and google are tried; if none of their set-ups fits, all
    other dialects, the cheapest first, for a minute. The report names those not tried.

    Example: rouge-cli identify run.jsonl --published R1=44.16,R2=21.28,RL=40.90
    """
    name = output.chosen_format("identification", options.format, options.output)
    for dialect in options.dialects:
        if dialect not in equivalents.IDENTIFIABLE:
            remedy = suggestion(
                dialect, list(equivalents.IDENTIFIABLE), plugins.other_names("dialect")
            )
            raise UsageError(
                f"identify tries no set-ups of dialect {dialect!r}", remedy=remedy
            )
    if options.language is not None:
        languages.named(options.language)
    require("identifying set-ups needs", "numpy", extra="stats")
    from rouge_cli.studies import identification
    from rouge_cli.studies.published import read_published

    numbers = read_published(options.published)
    with streams.Notices(quiet=options.quiet) as notices:
        source = inputs.read(texts, notices)
        files = [value for value in options.published if "=" not in value]
        output.check_targets([options.output], [*source.paths(), *files], texts.folders)
        most = None if options.every else identification.NEAREST
        result = identification.identify(
            source.listed(),
            numbers,
            list(dict.fromkeys(options.dialects)) or None,
            systems=source.systems,
            reading=source.reading(),
            notify=notices,
            watch=scoring.watch(quiet=options.quiet, noun="ways to count"),
            most=most,
            language=options.language,
        )
        output.write_result(result, name, options.output)
