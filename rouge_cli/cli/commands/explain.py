"""`rouge-cli explain`: explain the scores of a peer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import click

from rouge_cli import reports
from rouge_cli.cli import inputs, output, scoring
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.option_groups import Conflict, OptionGroup, check_conflicts, flag, option, several, takes
from rouge_cli.cli.scoring import CountingOptions
from rouge_cli.core import Document, EvalTask
from rouge_cli.errors import RougeError, UsageError, shown
from rouge_cli.io import files
from rouge_cli.results import SHOWN
from rouge_cli.runs import assembly
from rouge_cli.studies import setups
from rouge_cli.tasks.kinds import settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.cli.inputs import Source
    from rouge_cli.core import Notify
    from rouge_cli.results._presentation import Presentable


class ExplainOptions(OptionGroup):
    """The pair, and what is shown of it."""

    conflicts: ClassVar = {
        Conflict.ONE_PAIR: "eval_id system",
        Conflict.EVERYTHING_SHOWN: "every",
        Conflict.BETWEEN_DIALECTS: "every",
    }
    prediction_text: str | None = option("--pred-text TEXT", "Text of the prediction, instead of a file.")
    reference_texts: tuple[str, ...] = several("--ref-text TEXT", "Text of a reference; repeatable.")
    eval_id: str | None = option("--eval ID", "The eval to explain.")
    system: str | None = option("--peer-id ID", hidden=True)  # --system, in earlier versions
    format: str | None = output.format_option("explanation")
    dialects: bool = flag("--dialects", "Explain why dialects differ on this pair.")
    every: bool = flag("--all", f"List every match, not the first {SHOWN}.")
    output: str | None = option("-o --output FILE", "Write to FILE, whole or not at all.")


class Chosen(NamedTuple):
    """The eval, the peer in it that is explained, and the files that are read for them."""

    task: EvalTask
    system: str
    files: Sequence[str]


@click.command("explain")
@takes(ExplainOptions, InputOptions, CountingOptions)
def command(options: ExplainOptions, texts: InputOptions, scored: CountingOptions) -> None:
    """Show the matches of peer and models, and how R, P and F are computed.

    INPUT is PEER MODEL... as files, or any input of `score` with --eval and --system. Or pass the texts
    with --pred-text and --ref-text.

    In plain text, words that count are in [brackets], matches in excess of the other text in {braces},
    and dropped words between ~tildes~.

    \b
    Example: rouge-cli explain --stem --pred-text "he swims" --ref-text "he swam"
             rouge-cli explain run.jsonl --eval 17 --system lead -m R2
    """  # noqa: D301 - click's mark for lines to be kept
    kind = "dialects" if options.dialects else "explanation"
    form = output.chosen_format(
        kind, options.format, options.output, without="--dialects", plain="explanation"
    )
    check_conflicts(
        {
            Conflict.BETWEEN_DIALECTS: options.dialects,
            Conflict.EVERYTHING_SHOWN: not reports.is_table(form),
        }
    )
    scoring.check_settings(scored, setups.WITHOUT_EFFECT, "one pair")
    request = scoring.request(scored)
    with Notices(quiet=scored.quiet) as notices:
        pair = _pair(options, texts, request.expected, notices)
        output.check_targets([options.output], pair.files)
        if options.dialects:
            from rouge_cli.studies import audit

            result: Presentable = audit.between_dialects(
                pair.task, pair.system, stem=scored.stem, notify=notices
            )
        else:
            result = setups.explain(pair.task, pair.system, request.dialect, request.options, notices)
        screen = output.on_screen(options.output)
        output.write_result(result, form, options.output, every=options.every, **screen)


_WAYS = (
    "give PREDICTION REFERENCE... as files, or --pred-text and --ref-text, or the inputs of score with "
    "--eval and --system"
)


def _pair(
    options: ExplainOptions, texts: InputOptions, signed: Mapping[str, str], notify: Notify
) -> Chosen:
    """Return the eval, which is named in one of three ways, and its peer."""
    named = [*texts.systems, *([] if options.system is None else [options.system])]
    if len(named) > 1:
        raise UsageError(f"{len(named)} systems", remedy="explain one at a time")
    is_typed = options.prediction_text is not None or options.reference_texts
    if is_typed or (len(texts.paths) > 1 and options.eval_id is None and not named):
        if is_typed and texts.paths:
            raise UsageError("what to explain is not clear", remedy=_WAYS)
        check_conflicts({Conflict.ONE_PAIR: True})
        read_as = assembly.text_format(texts.read_as, signed)
        prediction, *references = _typed_texts(options) if is_typed else _of_files(texts.paths)
        # The IDs of a file list.
        by_id = [(f"M.{place}", reference) for place, reference in enumerate(references, 1)]
        task = EvalTask("1", {"X": prediction}, by_id, read_as, "command line")
        return Chosen(task, "X", [path for path in texts.paths if path != files.STDIN])
    if options.eval_id is None:
        what = "one file alone" if texts.paths else "what to explain is not clear"
        raise UsageError(what, remedy=_WAYS)
    source = inputs.read(texts, notify, signed)
    task = _eval(source, options.eval_id)
    system = _present(task, named)
    return Chosen(task, system, [*source.files, *inputs.paths([task], [system])])


def _typed_texts(options: ExplainOptions) -> list[Document]:
    """Return the texts on the command line, the peer first."""
    if options.prediction_text is None or not options.reference_texts:
        raise UsageError("--pred-text and --ref-text go together", remedy=_WAYS)
    texts = {"--pred-text": options.prediction_text}
    texts |= {f"--ref-text {place}": text for place, text in enumerate(options.reference_texts, 1)}
    for name, text in texts.items():
        if not text.strip():
            raise UsageError(f"{name}: an empty text", remedy="put the text in quotes after the option")
    return [Document(os.fsencode(text), name) for name, text in texts.items()]


def _of_files(paths: Sequence[str]) -> list[Document]:
    """Return the texts of files, the peer first."""
    files.check_stdin(paths)
    return [
        Document(files.read_any(path, "reference" if place else "prediction"), path)
        for place, path in enumerate(paths)
    ]


def _eval(source: Source, eval_id: str) -> EvalTask:
    """Return the eval of the input; raise RougeError with the nearest IDs if there is none."""
    eval_ids = []
    for task in source.tasks:
        if task.eval_id == eval_id:
            return settings.require_references([task])[0]
        eval_ids.append(task.eval_id)
    where = ", ".join(map(files.place, source.files))
    raise RougeError(f"no eval {eval_id}", where=where, remedy=_nearest(eval_id, eval_ids))


def _present(task: EvalTask, named: Sequence[str]) -> str:
    """Return the requested peer, or the only one."""
    present = [system for system, text in task.predictions.items() if text]
    if not named and len(present) > 1:
        raise UsageError(
            f"{len(present)} systems in eval {task.eval_id}",
            remedy=f"name one by --system: {_nearest('', present)}",
        )
    system = named[0] if named else "".join(present)
    if system not in present:
        raise RougeError(
            f"eval {task.eval_id} has no system {system}",
            where=task.where,
            remedy=_nearest(system, present),
        )
    return system


def _nearest(name: str, names: Sequence[str]) -> str:
    """Return IDs similar to the name, or the first of all IDs."""
    from difflib import get_close_matches

    near = get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"there are {shown(names, 5)}" if names else "there are none"
