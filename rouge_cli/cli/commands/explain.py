"""`rouge-cli explain`: why a peer gets the score that it gets."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from rouge_cli import files, reports
from rouge_cli.cli import applicability, output, scoring
from rouge_cli.cli.notices import Notices
from rouge_cli.core import Document, EvalTask
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.options import resolve
from rouge_cli.results.explanation import Explanations

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rouge_cli.core import Notify
    from rouge_cli.explain import Explanation
    from rouge_cli.reports import Reportable
    from rouge_cli.results.dialects import Dialects

FORMATS = ("see", "spl", "isi", "simple")
# Options of scoring that make sense for one eval.
OPTIONS = (
    *("metrics", "stemmer", "stem", "stop", "stop_words", "limit", "normalize", "tokenizer", "sentences"),
    *("formula", "alpha", "beta", "like", "irregular"),
)
DEFAULTS, DEFAULTS_OF_ELEMENTS = ("ROUGE-1", "ROUGE-2", "ROUGE-L"), ("ROUGE-BE-HM",)


@click.command("explain")
@click.argument("paths", nargs=-1, metavar="[PEER MODEL... | SETTINGS]")
@click.option("--peer", metavar="TEXT", help="The peer itself, instead of its file.")
@click.option("--model", "models", multiple=True, metavar="TEXT", help="A model itself; repeatable.")
@click.option("--eval", "eval_id", metavar="ID", help="The eval in a settings file.")
@click.option("--peer-id", metavar="ID", help="The peer in that eval.")
@scoring.options(*OPTIONS)
@click.option("--read-as", type=click.Choice(FORMATS), help="What PEER and MODEL are.  [default: spl]")
@output.format_option("explanation")
@click.option("--dialects", is_flag=True, help="Why dialects score this pair differently.")
@click.option("--all", "every", is_flag=True, help=f"List every match, not the first {output.SHOWN}.")
def command(paths: tuple[str, ...], every: bool, form: str | None, **asked: Any) -> None:  # noqa: ANN401, FBT001 - click's
    """Show what peer and models share, and how that makes R, P and F.

    In plain text words that count are in [brackets], matches beyond the other text's number in {braces},
    and dropped words between ~tildes~.

    Example: rouge-cli explain --stem --peer "he swims" --model "he swam"
    """
    form = output.chosen_format("dialects" if asked["dialects"] else "explanation", form, None)
    applicability.check(
        "dialects" if asked["dialects"] else "", "" if reports.is_table(form) else "everything shown"
    )
    with Notices() as notices:
        task, peer_id = _task(paths, asked, notices)
        if asked["dialects"]:
            result: Reportable = _between_dialects(task, peer_id, stem=asked["stem"], notify=notices)
        else:
            result = Explanations(_explanations(task, peer_id, asked, notices))
    terminal = sys.stdout is not None and sys.stdout.isatty()
    layout = reports.Layout(terminal=terminal, most=None if every else output.SHOWN)
    output.write_result(result, form, layout, None)


def _explanations(
    task: EvalTask, peer_id: str, asked: dict[str, Any], notify: Notify
) -> Sequence[Explanation]:
    """Explain the pair by the options of the command line."""
    from rouge_cli.dialects.rouge155 import options
    from rouge_cli.dialects.rouge155.explanation import explain

    words = scoring.asked(asked)
    if words.dialect != "rouge155":
        raise UsageError(
            f"scores of dialect {words.dialect} cannot be explained yet", remedy="use rouge155"
        )
    defaults = DEFAULTS_OF_ELEMENTS if task.input_format == "simple" else DEFAULTS
    chosen = options.canonical(
        resolve(words.dialect, options.DEFAULTS, {"metrics": defaults, **words.options})
    )
    return explain(options.setup(chosen), task, peer_id, notify)


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


def _task(paths: Sequence[str], asked: dict[str, Any], notify: Notify) -> tuple[EvalTask, str]:
    """The eval that was asked for in one of three ways, and its peer's ID."""
    strings = [*([] if asked["peer"] is None else [asked["peer"]]), *asked["models"]]
    ids = [one for one in (asked["eval_id"], asked["peer_id"]) if one is not None]
    if bool(paths) + bool(strings) != 1 or (ids and len(paths) != 1):
        raise UsageError("what to explain is not clear", remedy=_WAYS)
    if strings:
        if asked["peer"] is None or not asked["models"]:
            raise UsageError("--peer and --model go together", remedy=_WAYS)
        models = [_said(text, f"--model {place}") for place, text in enumerate(asked["models"], 1)]
        return _pair(_said(asked["peer"], "--peer"), models, asked["read_as"]), "X"
    if len(paths) > 1:
        if paths.count(files.STDIN) > 1:
            raise UsageError("stdin can be read once", remedy="write `-` for one of the files only")
        peer, *models = [
            Document(files.read_any(path, "model" if place else "peer"), path)
            for place, path in enumerate(paths)
        ]
        return _pair(peer, models, asked["read_as"]), "X"
    if len(ids) < 2:
        raise UsageError("one file alone", remedy=_WAYS)
    return _from_settings(paths[0], ids, asked["read_as"], notify), ids[1]


_WAYS = (
    "give PEER MODEL... as files, or --peer TEXT --model TEXT, or a settings file with --eval and --peer-id"
)


def _said(text: str, option: str) -> Document:
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
