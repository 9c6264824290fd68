"""`rouge-cli explain`: why a peer gets the score that it gets."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from rouge_cli import files, reports
from rouge_cli.cli import applicability, output, scoring
from rouge_cli.cli.declared import argument, option, takes
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.scoring import CountingOptions
from rouge_cli.core import Document, EvalTask
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.options import resolve
from rouge_cli.results.explanation import Explanations

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rouge_cli.core import Notify
    from rouge_cli.explanation import Explanation
    from rouge_cli.reports import Reportable
    from rouge_cli.results.dialects import Dialects

FORMATS = ("see", "spl", "isi", "simple")
UNUSED = ("jackknife", "average", "samples", "confidence", "seed")  # without an effect on one pair
DEFAULTS, DEFAULTS_OF_ELEMENTS = ("ROUGE-1", "ROUGE-2", "ROUGE-L"), ("ROUGE-BE-HM",)


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """The pair, and what is shown of it."""

    paths: tuple[str, ...] = argument(nargs=-1, metavar="[PEER MODEL... | SETTINGS]")
    peer: str | None = option("--peer", metavar="TEXT", help="The peer itself, instead of its file.")
    models: tuple[str, ...] = option(
        "--model", default=(), metavar="TEXT", help="A model itself; repeatable."
    )
    eval_id: str | None = option("--eval", metavar="ID", help="The eval in a settings file.")
    peer_id: str | None = option("--peer-id", metavar="ID", help="The peer in that eval.")
    read_as: str | None = option(
        "--read-as",
        type=click.Choice(FORMATS),
        metavar="FORMAT",
        help=f"Of PEER and MODEL: {', '.join(FORMATS)}; spl by default.",
    )
    format: str | None = output.format_option("explanation")
    dialects: bool = option("--dialects", default=False, help="Why dialects score this pair differently.")
    every: bool = option("--all", default=False, help=f"List every match, not the first {output.SHOWN}.")


@click.command("explain")
@takes(ExplainOptions, CountingOptions)
def command(options: ExplainOptions, scored: CountingOptions) -> None:
    """Show what peer and models share, and how that makes R, P and F.

    In plain text words that count are in [brackets], matches beyond the other text's number in {braces},
    and dropped words between ~tildes~.

    Example: rouge-cli explain --stem --peer "he swims" --model "he swam"
    """
    form = output.chosen_format("dialects" if options.dialects else "explanation", options.format, None)
    applicability.check(
        "dialects" if options.dialects else "", "" if reports.is_table(form) else "everything shown"
    )
    with Notices(quiet=scored.quiet) as notices:
        task, peer_id = _task(options, notices)
        if options.dialects:
            result: Reportable = _between_dialects(task, peer_id, stem=scored.stem, notify=notices)
        else:
            result = Explanations(_explanations(task, peer_id, scored, notices))
    terminal = sys.stdout is not None and sys.stdout.isatty()
    layout = reports.Layout(terminal=terminal, most=None if options.every else output.SHOWN)
    output.write_result(result, form, layout, None)


def _explanations(
    task: EvalTask, peer_id: str, scored: CountingOptions, notify: Notify
) -> Sequence[Explanation]:
    """Explain the pair by the options of the command line."""
    from rouge_cli.dialects.rouge155 import options
    from rouge_cli.dialects.rouge155.explanation import explain

    scoring.check_settings(scored, UNUSED, "one pair")
    request = scoring.request(scored)
    if request.dialect != "rouge155":
        raise UsageError(
            f"scores of dialect {request.dialect} cannot be explained yet", remedy="use rouge155"
        )
    defaults = DEFAULTS_OF_ELEMENTS if task.input_format == "simple" else DEFAULTS
    values = resolve(request.dialect, options.DEFAULTS, {"metrics": defaults, **request.options})
    return explain(options.setup(options.canonical(values)), task, peer_id, notify)


def _between_dialects(task: EvalTask, peer_id: str, *, stem: bool, notify: Notify) -> Dialects:
    """Every measure by every dialect, and token by token what they count otherwise."""
    from rouge_cli.results.dialects import Dialects
    from rouge_cli.studies import audit

    task = task._replace(peers={peer_id: task.peers[peer_id]})
    settings = audit.settings(stem=stem)
    found = audit.audit([task], settings, -1, notify)
    texts = [
        (f"peer {peer_id}", task.peers[peer_id]),
        *((f"model {model_id}", text) for model_id, text in task.models),
    ]
    tokens = [
        (name, surface, forms)
        for name, text in texts
        for surface, forms in (audit.tokens(task, text, settings) if text else ())
    ]
    return Dialects(found, tokens)


def _task(options: ExplainOptions, notify: Notify) -> tuple[EvalTask, str]:
    """Return the eval that was asked for in one of three ways, and its peer's ID."""
    paths, read_as = options.paths, options.read_as
    strings = [text for text in (options.peer, *options.models) if text is not None]
    ids = [name for name in (options.eval_id, options.peer_id) if name is not None]
    if bool(paths) + bool(strings) != 1 or (ids and len(paths) != 1):
        raise UsageError("what to explain is not clear", remedy=_WAYS)
    if strings:
        if options.peer is None or not options.models:
            raise UsageError("--peer and --model go together", remedy=_WAYS)
        models = [_typed(text, f"--model {place}") for place, text in enumerate(options.models, 1)]
        return _pair(_typed(options.peer, "--peer"), models, read_as), "X"
    if len(paths) > 1:
        if paths.count(files.STDIN) > 1:
            raise UsageError("stdin can be read once", remedy="write `-` for one of the files only")
        peer, *models = [
            Document(files.read_any(path, "model" if place else "peer"), path)
            for place, path in enumerate(paths)
        ]
        return _pair(peer, models, read_as), "X"
    if len(ids) < 2:
        raise UsageError("one file alone", remedy=_WAYS)
    return _from_settings(paths[0], ids, read_as, notify), ids[1]


_WAYS = (
    "give PEER MODEL... as files, or --peer TEXT --model TEXT, or a settings file with --eval and --peer-id"
)


def _typed(text: str, option: str) -> Document:
    """A text of the command line."""
    if not text.strip():
        raise UsageError(f"{option}: an empty text", remedy="put the text in quotes behind the option")
    return Document(os.fsencode(text), option)


def _pair(peer: Document, models: Iterable[Document], read_as: str | None) -> EvalTask:
    """The eval of texts without one, with the IDs of a file list."""
    named = [(f"M.{place}", model) for place, model in enumerate(models, 1)]
    return EvalTask("1", {"X": peer}, named, read_as or "spl", "command line")


def _from_settings(path: str, ids: Sequence[str], read_as: str | None, notify: Notify) -> EvalTask:
    """The eval of a settings file; raises RougeError with the nearest IDs where there is none."""
    from rouge_cli.tasks import settings_xml

    eval_id, peer_id = ids
    tasks = {task.eval_id: task for task in settings_xml.read(path, FORMATS, notify)}
    if eval_id not in tasks:
        raise RougeError(f"no eval {eval_id}", where=path, remedy=_nearest(eval_id, list(tasks)))
    (task,) = settings_xml.require_models([tasks[eval_id]])
    present = [one for one, source in task.peers.items() if source]
    if peer_id not in present:
        raise RougeError(
            f"eval {eval_id} has no peer {peer_id}", where=task.where, remedy=_nearest(peer_id, present)
        )
    return task._replace(input_format=read_as or task.input_format)


def _nearest(wanted: str, known: Sequence[str]) -> str:
    """The IDs that somebody may have meant, or the first ones of all."""
    from difflib import get_close_matches

    near = get_close_matches(wanted, known, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    more = f" and {len(known) - 5} more" if len(known) > 5 else ""
    return f"there are {', '.join(known[:5])}{more}" if known else "there are none"
