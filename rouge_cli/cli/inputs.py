"""Where a command's evals come from: the options that name inputs, and the tasks that they make."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rouge_cli import folders, formats
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rouge_cli.core import EvalTask, Notify

    Command = Callable[..., None]

# In the order of the help text.
OPTIONS: Sequence[tuple[tuple[str, ...], Mapping[str, Any]]] = (
    (("--peers",), {"metavar": "DIR", "help": "A folder of peers, or of one folder a system."}),
    (("--models",), {"metavar": "DIR", "help": "A folder of models, or of one folder an author."}),
    (("--peer-pattern",), {"metavar": "RE", "help": r"How peers are named, e.g. 'sys\.(\d+)\.txt'."}),
    (("--model-pattern",), {"metavar": "RE", "help": r"How models are, e.g. 'ref\.[A-Z]\.#ID#\.txt'."}),
    (("--hyp",), {"multiple": True, "metavar": "FILE", "help": "A system's texts, one a line; repeat."}),
    (("--ref",), {"multiple": True, "metavar": "FILE", "help": "Models, line by line; repeat."}),
    (("--input", "kind"), {"metavar": "KIND", "help": "list, settings, jsonl, json, csv, tsv; or guessed"}),
    (("--read-as",), {"metavar": "FORMAT", "help": "What files hold: spl (default), see, isi, simple."}),
    (("--peer-column",), {"multiple": True, "metavar": "NAME", "help": "Of jsonl, csv: the peer; repeat."}),
    (("--model-column",), {"multiple": True, "metavar": "NAME", "help": "The model, or list of them."}),
    (("--id-column",), {"metavar": "NAME", "help": "The eval's ID."}),
    (("--system-column",), {"metavar": "NAME", "help": "The system's name."}),
    (("--system",), {"multiple": True, "metavar": "NAME", "help": "Only these systems, in this order."}),
    (("--encoding",), {"default": "utf-8", "metavar": "NAME", "help": "Of texts that are not UTF-8."}),
)  # fmt: skip


class Source(NamedTuple):
    """The tasks, perhaps a stream; and the systems to score, None for all."""

    tasks: Iterable[EvalTask]
    peer_ids: Sequence[str] | None


def options(command: Command) -> Command:
    """Give a command the inputs, and the options that say how to read them."""
    for names, settings in reversed(OPTIONS):
        command = click.option(*names, **settings)(command)
    return click.argument("inputs", nargs=-1, metavar="[INPUT]...")(command)


def read(given: Mapping[str, Any], notify: Notify) -> Source:
    """The tasks of the inputs that a command line names.

    Raises UsageError where it names none, or two of a kind that do not go together; RougeError for data.
    """
    forms = [form for form, is_given in _forms(given).items() if is_given]
    if not forms:
        raise UsageError(
            "nothing to score", remedy="name INPUT, or --peers and --models, or --hyp and --ref"
        )
    if len(forms) > 1:
        raise UsageError(f"{' and '.join(forms)} together", remedy="score one kind of input at a time")
    input_format = (given["read_as"] or "spl").lower()
    known = folders.names(formats.__name__)
    if input_format not in known:
        raise UsageError(
            f"unknown format {given['read_as']!r}", remedy=folders.suggestion(input_format, known)
        )
    tasks = READERS[forms[0]](given, input_format, notify)
    return Source(tasks, given["system"] or None)


def _forms(given: Mapping[str, Any]) -> dict[str, bool]:
    return {
        "INPUT": bool(given["inputs"]),
        "--peers and --models": bool(given["peers"] or given["models"]),
        "--hyp and --ref": bool(given["hyp"] or given["ref"]),
    }


def _of_folders(given: Mapping[str, Any], input_format: str, notify: Notify) -> Iterable[EvalTask]:
    from rouge_cli.tasks import directories

    if not (given["peers"] and given["models"]):
        raise UsageError("--peers and --models go together", remedy="give both")
    return directories.read(
        given["peers"],
        given["models"],
        input_format,
        peer_pattern=given["peer_pattern"],
        model_pattern=given["model_pattern"],
        notify=notify,
        encoding=given["encoding"],
    )


def _of_lines(given: Mapping[str, Any], _: str, __: Notify) -> Iterable[EvalTask]:
    from rouge_cli.tasks import lines

    if not (given["hyp"] and given["ref"]):
        raise UsageError("--hyp and --ref go together", remedy="give at least one of each")
    systems = dict(zip(lines.names(given["hyp"]), given["hyp"], strict=True))
    return lines.read(systems, given["ref"], encoding=given["encoding"])


def _of_inputs(given: Mapping[str, Any], input_format: str, notify: Notify) -> Iterable[EvalTask]:
    from rouge_cli.tasks import sniff

    paths: Sequence[str] = given["inputs"]
    kinds = {given["kind"] or sniff.kind(path) for path in paths}
    if len(kinds) > 1:
        raise UsageError(f"inputs of several kinds: {', '.join(sorted(kinds))}", remedy="score them apart")
    kind = kinds.pop()
    if kind in ("settings", "list"):
        if len(paths) > 1:
            raise UsageError("several settings files or lists", remedy="score them one by one")
        if kind == "list":
            from rouge_cli.tasks import file_list

            return file_list.read(paths[0], os.path.basename(paths[0]), input_format)
        from rouge_cli.tasks import settings_xml

        return settings_xml.read(paths[0], folders.names(formats.__name__), notify)
    from rouge_cli.tasks import lines, records

    columns = records.Columns(
        id=given["id_column"],
        peers=given["peer_column"],
        models=given["model_column"],
        system=given["system_column"],
    )
    systems = dict(zip(lines.names(paths), paths, strict=True))
    return records.read_several(systems, kind=kind, columns=columns, encoding=given["encoding"])


READERS = {
    "INPUT": _of_inputs,
    "--peers and --models": _of_folders,
    "--hyp and --ref": _of_lines,
}
