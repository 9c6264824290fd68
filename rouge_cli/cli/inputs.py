"""Where a command's evals come from: the options that name inputs, and the tasks that they make."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rouge_cli import facts, files, folders, formats
from rouge_cli.cli import applicability
from rouge_cli.cli.declared import Command, Option, declare
from rouge_cli.core import Document
from rouge_cli.errors import RougeError, UnreadableFile, UsageError
from rouge_cli.tasks import lines

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from rouge_cli.core import EvalTask, Notify


# In the order of the help text.
OPTIONS: Sequence[Option] = (
    (("--peers",), {"metavar": "DIR", "help": "A folder of peers, or of one folder a system."}),
    (("--models",), {"metavar": "DIR", "help": "A folder of models, or of one folder an author."}),
    (("--peer-pattern",), {"metavar": "RE", "help": r"How peers are named, e.g. 'sys\.(\d+)\.txt'."}),
    (("--model-pattern",), {"metavar": "RE", "help": r"How models are, e.g. 'ref\.[A-Z]\.#ID#\.txt'."}),
    (("--hyp",), {"multiple": True, "metavar": "[NAME=]FILE", "help": "A system, a text a line; repeat."}),
    (("--ref",), {"multiple": True, "metavar": "FILE", "help": "Models, line by line; repeat."}),
    (("--input", "kind"), {"metavar": "KIND", "help": "list, settings, jsonl, json, csv, tsv; or guessed"}),
    (("--read-as",), {"metavar": "FORMAT", "help": "What files hold: spl (default), see, timeline, ..."}),
    (("--peer-column",), {"multiple": True, "metavar": "NAME", "help": "Of jsonl, csv: the peer; repeat."}),
    (("--model-column",), {"multiple": True, "metavar": "NAME", "help": "The model, or list of them."}),
    (("--id-column",), {"metavar": "NAME", "help": "The eval's ID."}),
    (("--system-column",), {"metavar": "NAME", "help": "The system's name."}),
    (("--system",), {"multiple": True, "metavar": "NAME", "help": "Only these systems, in this order."}),
    (("--rename",), {"multiple": True, "metavar": "OLD=NEW", "help": "Another name for a system; repeat."}),
    (("--encoding",), {"metavar": "NAME", "help": "Of texts that are not UTF-8."}),
)  # fmt: skip

KIND_NAMES = {"settings": "settings", "list": "a file list"}
KINDS = ("settings", "list", "jsonl", "json", "csv", "tsv", "parquet")


class Source(NamedTuple):
    """The tasks, perhaps a stream; the systems to score, None for all; and the files that name them.

    formats: of the texts; those of a stream when it has been read. encoding: of the texts.
    """

    tasks: Iterable[EvalTask]
    peer_ids: Sequence[str] | None
    files: Sequence[str]
    formats: Collection[str]
    encoding: str

    def reading(self) -> dict[str, str]:
        """Return how texts were read, as far as it is not as usual."""
        return facts.reading(self.formats, self.encoding)

    def paths(self) -> Iterator[str]:
        """Yield the files that scoring reads, but for stdin: those named, and the texts of tasks."""
        yield from (path for path in self.files if path != files.STDIN)
        if isinstance(self.tasks, Sequence):
            yield from paths(self.tasks, self.peer_ids)


def paths(tasks: Iterable[EvalTask], peer_ids: Sequence[str] | None = None) -> Iterator[str]:
    """Yield the files of the tasks' texts, of these systems or of all."""
    for task in tasks:
        peers = (task.peers.get(peer_id) for peer_id in peer_ids or task.peers)
        for text in (*peers, *(model for _, model in task.models)):
            if text:
                yield text.where if isinstance(text, Document) else text


def options(command: Command) -> Command:
    """Give a command the inputs, and the options that say how to read them."""
    return click.argument("inputs", nargs=-1, metavar="[INPUT]...")(declare(command, OPTIONS))


def read(given: Mapping[str, Any], notify: Notify, signed: Mapping[str, str] = {}) -> Source:
    """The tasks of the inputs that a command line names.

    signed: how texts were read for the signature of --like.
    Raises UsageError where it names none, or two of a kind that do not go together; RougeError for data.
    """
    forms = [form for form, is_given in _forms(given).items() if is_given]
    if not forms:
        raise UsageError(
            "nothing to score", remedy="name INPUT, or --peers and --models, or --hyp and --ref"
        )
    if len(forms) > 1:
        raise UsageError(f"{' and '.join(forms)} together", remedy="score one kind of input at a time")
    applicability.check(forms[0])
    given = {**given, "encoding": given["encoding"] or signed.get("encoding", files.UTF8)}
    files.is_utf8(given["encoding"])  # or an error, also if no text is read in it
    known = folders.names(formats.__name__)
    stated = signed.get("read_as", "")
    input_format = (given["read_as"] or (stated if stated in known else "spl")).lower()
    if input_format not in known:
        raise UsageError(
            f"unknown format {given['read_as']!r}", remedy=folders.suggestion(input_format, known)
        )
    new_names = renames(given["rename"])
    tasks = READERS[forms[0]](given, input_format, notify)
    if new_names:
        renamed = _renamed(tasks, new_names)
        tasks = list(renamed) if isinstance(tasks, Sequence) else renamed
    named = [*given["inputs"], *lines.named(given["hyp"]).values(), *given["ref"]]
    tasks, read_as = facts.watched(tasks)
    return Source(tasks, given["system"] or None, named, read_as, given["encoding"])


def renames(words: Sequence[str]) -> dict[str, str]:
    """Return old -> new name of systems, from words OLD=NEW; raises UsageError for other words."""
    pairs = [word.partition("=")[::2] for word in words]
    for word, (old, new) in zip(words, pairs, strict=True):
        if not (old and new) or [name for name, _ in pairs].count(old) > 1:
            raise UsageError(f"--rename {word}", remedy="write --rename OLD=NEW, once for each system")
    return dict(pairs)


def check_renames(new_names: Mapping[str, str], systems: Collection[str]) -> None:
    """Raise UsageError for a name that none of the systems has, and for a new one that two would have."""
    for old in new_names:
        if old not in systems:
            raise UsageError(
                f"--rename: no system {old!r} in the input", remedy=folders.suggestion(old, list(systems))
            )
    taken: set[str] = set()
    for system in (new_names.get(system, system) for system in systems):
        if system in taken:
            raise UsageError(
                f"--rename: two systems would be called {system!r}", remedy="choose another name"
            )
        taken.add(system)


def _renamed(tasks: Iterable[EvalTask], new_names: Mapping[str, str]) -> Iterator[EvalTask]:
    """The tasks with other names for their systems."""
    systems: dict[str, None] = {}
    for task in tasks:
        if not task.peers.keys() <= systems.keys():
            systems.update(dict.fromkeys(task.peers))
            check_renames({old: new for old, new in new_names.items() if old in systems}, systems)
        yield task._replace(
            peers={new_names.get(peer_id, peer_id): text for peer_id, text in task.peers.items()}
        )
    check_renames(new_names, systems)


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
    applicability.check("one file of models" if os.path.isfile(given["models"]) else "")
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
    if not (given["hyp"] and given["ref"]):
        raise UsageError("--hyp and --ref go together", remedy="give at least one of each")
    return lines.read(lines.named(given["hyp"]), given["ref"], encoding=given["encoding"])


def _of_inputs(given: Mapping[str, Any], input_format: str, notify: Notify) -> Iterable[EvalTask]:
    from rouge_cli.tasks import sniff

    paths: Sequence[str] = given["inputs"]
    if given["kind"] and given["kind"] not in KINDS:
        raise UsageError(
            f"unknown kind of input {given['kind']!r}", remedy=f"use one of {', '.join(KINDS)}"
        )
    kinds = {path: given["kind"] or sniff.kind(path) for path in paths}
    applicability.check(*(kind if kind in {"settings", "list"} else "records" for kind in kinds.values()))
    if set(kinds.values()) == {"parquet"}:
        applicability.check("parquet")
    if not {"settings", "list"}.isdisjoint(kinds.values()):
        read = partial(_of_files, paths, list(kinds.values()), input_format, notify)
        is_guess = (
            not given["kind"] and list(kinds.values()) == ["list"] and not sniff.is_list_by_name(paths[0])
        )
        tasks = _of_guessed_list(read) if is_guess else read()
        return tasks if files.is_utf8(given["encoding"]) else _decoded(tasks, given["encoding"])
    from rouge_cli.tasks import records
    from rouge_cli.tasks.columns import Columns

    columns = Columns(
        id=given["id_column"],
        peers=given["peer_column"],
        models=given["model_column"],
        system=given["system_column"],
    )
    systems = lines.names(paths)
    if len(paths) == 1:
        (system,) = systems
        kind = kinds[paths[0]]
        return records.read(paths[0], kind=kind, columns=columns, system=system, encoding=given["encoding"])
    by_system = {system: kinds[path] for system, path in systems.items()}
    return records.read_several(systems, kinds=by_system, columns=columns, encoding=given["encoding"])


def _decoded(tasks: Iterable[EvalTask], encoding: str) -> Iterator[EvalTask]:
    """The tasks with their files read, in another encoding."""

    def text(source: str | Document | None) -> str | Document | None:
        return Document(files.text(source, "text", encoding), source) if isinstance(source, str) else source

    for task in tasks:
        peers = {peer_id: text(source) for peer_id, source in task.peers.items()}
        models = [(model_id, text(source) or "") for model_id, source in task.models]
        yield task._replace(peers=peers, models=models)


def _of_files(
    paths: Sequence[str], kinds: Sequence[str], input_format: str, notify: Notify
) -> Sequence[EvalTask]:
    """The evals of one settings file, or of one file list, whose system is named after it."""
    if len(paths) > 1:
        raise UsageError(
            f"several inputs, and {paths[0]} is read as {KIND_NAMES[kinds[0]]}"
            if kinds[0] in KIND_NAMES
            else "a settings file or list among other inputs",
            remedy="score settings and lists one by one; files with a text a line: --hyp FILE --ref FILE",
        )
    if kinds[0] == "settings":
        from rouge_cli.tasks import settings_xml

        tasks = settings_xml.read(paths[0], folders.names(formats.__name__), notify)
        return settings_xml.require_models(tasks)
    from rouge_cli.tasks import file_list

    (system,) = lines.names(paths)
    return file_list.read(paths[0], system, input_format)


def _of_guessed_list(read: Callable[[], Sequence[EvalTask]]) -> Sequence[EvalTask]:
    """Return the tasks of a file that is read as a list because it looks like nothing else.

    Raises RougeError if it does not name files either.
    """
    what = "neither settings, nor records, nor a list of files"
    remedy = "for files with a text a line give --hyp FILE --ref FILE; --input KIND names what it is"
    try:
        tasks = read()
    except UnreadableFile:
        raise
    except RougeError as error:
        raise RougeError(f"{what} ({error.what})", where=error.where, remedy=remedy) from None
    named = tasks[0].paths(tasks[0].peers) if tasks else []
    missing = [name for name in named if not os.path.exists(name)]
    if named and len(missing) == len(named):
        raise RougeError(f"{what} ({missing[0]} does not exist)", where=tasks[0].where, remedy=remedy)
    return tasks


READERS = {
    "INPUT": _of_inputs,
    "--peers and --models": _of_folders,
    "--hyp and --ref": _of_lines,
}
