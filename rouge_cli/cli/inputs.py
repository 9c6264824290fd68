"""Options that name inputs, and the evals that are read from them."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import click

from rouge_cli import formats, plugins
from rouge_cli.cli.option_groups import Conflict, OptionGroup, argument, check_conflicts, option, several
from rouge_cli.core import Document
from rouge_cli.errors import RougeError, UnreadableFile, UsageError
from rouge_cli.io import files
from rouge_cli.runs import assembly
from rouge_cli.signature import facts
from rouge_cli.tasks import columns, kinds, lines, system_names
from rouge_cli.tasks.kinds import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from rouge_cli.core import EvalTask, Notify


_PATTERNS = "prediction_pattern reference_pattern"
_COLUMNS = "prediction_columns reference_columns reference_lists id_column system_column"
_SOURCES = f"predictions references peers models kind {_PATTERNS} {_COLUMNS}"


class InputOptions(OptionGroup):
    """The files that evals are read from, and how to read them."""

    conflicts: ClassVar = {
        Conflict.SAVED: f"{_SOURCES} read_as encoding",
        Conflict.ONE_PAIR: f"{_SOURCES} systems renames encoding",
        Conflict.RECORDS: f"read_as {_PATTERNS}",
        Conflict.SETTINGS: f"read_as {_PATTERNS} {_COLUMNS}",
        Conflict.FILE_LIST: f"{_PATTERNS} {_COLUMNS}",
        Conflict.ONE_FILE_OF_REFERENCES: _PATTERNS,
        Conflict.LINES: f"kind read_as {_PATTERNS} {_COLUMNS}",
        Conflict.FOLDERS: f"kind {_COLUMNS}",
        Conflict.PARQUET: "encoding",
    }
    paths: tuple[str, ...] = argument(nargs=-1, metavar="[INPUT]...")
    predictions: tuple[str, ...] = several(
        "--pred [NAME=]PATH", "A system's texts, one per line; or a folder."
    )
    references: tuple[str, ...] = several("--ref PATH", "References, one per line; or a folder.")
    # Options of earlier versions; unlike --pred and --ref, they read a file as one text.
    peers: str | None = option("--peers DIR", hidden=True)
    models: str | None = option("--models DIR", hidden=True)
    prediction_pattern: str | None = option(
        "--pred-pattern RE", r"Prediction files, as in 'sys\.(\d+)\.txt'."
    )
    reference_pattern: str | None = option(
        "--ref-pattern RE", r"Reference files, as in '#ID#\.[A-Z]\.txt'."
    )
    kind: str | None = option(
        "--input KIND", textwrap.shorten(", ".join(kinds.names()), 52, placeholder=" ...")
    )
    read_as: str | None = option("--read-as FORMAT", "Format of texts: spl (default), see, ...")
    prediction_columns: tuple[str, ...] = several(
        "--pred-column NAME", "Column of predictions; repeatable."
    )
    reference_columns: tuple[str, ...] = several(
        "--ref-column NAME", "Column of references, or lists; repeatable."
    )
    reference_lists: str | None = option(
        "--ref-lists WHAT",
        "What lists hold: sentences or references.",
        type=click.Choice([columns.SENTENCES, columns.REFERENCES]),
    )
    id_column: str | None = option("--id-column NAME", "Column of eval IDs.")
    system_column: str | None = option("--system-column NAME", "Column of system names.")
    systems: tuple[str, ...] = several("--system NAME", "Only this system, in this order; repeatable.")
    renames: tuple[str, ...] = several("--rename OLD=NEW", "Rename a system; repeatable.")
    encoding: str | None = option("--encoding NAME", "Encoding of texts (default UTF-8).")


class Source(NamedTuple):
    """The evals of a command line. `formats` and `streamed` are complete when a stream has been read."""

    tasks: Iterable[EvalTask]  # a list or a stream
    systems: Sequence[str] | None  # the systems to score; None for all
    files: Sequence[str]  # the inputs that the command line names
    formats: Collection[str]  # formats of the texts
    encoding: str  # encoding of the texts
    streamed: Collection[str] = ()  # the systems of a stream

    def reading(self) -> dict[str, str]:
        """Return format and encoding of the texts for the signature, unless they are the defaults."""
        return facts.reading(self.formats, self.encoding)

    def paths(self) -> Iterator[str]:
        """Yield the files that scoring reads, except stdin: the inputs, and the texts that they name."""
        yield from (path for path in self.files if path != files.STDIN)
        if isinstance(self.tasks, Sequence):
            yield from paths(self.tasks, self.systems)


def paths(tasks: Iterable[EvalTask], systems: Sequence[str] | None = None) -> Iterator[str]:
    """Yield the text files of the evals, for these systems or all."""
    for task in tasks:
        predictions = (task.predictions.get(system) for system in systems or task.predictions)
        for text in (*predictions, *(reference for _, reference in task.references)):
            if text:
                yield text.where if isinstance(text, Document) else text


def read(options: InputOptions, notify: Notify, signed: Mapping[str, str] = {}) -> Source:
    """Return the evals of the inputs that a command line names.

    Args:
        options: The inputs.
        notify: Receives warnings.
        signed: The format and the encoding that the signature of --like states.

    Raises:
        UsageError: The command line names no input, or inputs in different ways.
        RougeError: The data are invalid.
    """
    ways = {
        "INPUT": options.paths,
        "--pred and --ref": options.predictions or options.references,
        "--peers and --models": options.peers or options.models,
    }
    used = [way for way, values in ways.items() if values]
    if not used:
        raise UsageError("nothing to score", remedy="name INPUT, or --pred and --ref")
    if len(used) > 1:
        raise UsageError(f"{' and '.join(used)} together", remedy="score one kind of input at a time")
    by_system = lines.named(options.predictions)
    paths = [*by_system.values(), *options.references]
    if any(map(os.path.isdir, paths)):
        options, by_system, paths = _with_folders(options, by_system), {}, []
    check_conflicts({Conflict.FOLDERS: options.peers or options.models, Conflict.LINES: paths})
    encoding = options.encoding or signed.get("encoding", files.UTF8)
    files.is_utf8(encoding)  # raises an error for an unknown encoding, even if it is not used
    new_names = system_names.new_names(options.renames)
    read_as = assembly.text_format(options.read_as, signed)
    names = plugins.names(formats.__name__)
    texts = Texts(read_as, names, encoding, notify)
    if options.peers or options.models:
        tasks = _of_folders(options, texts)
    else:
        tasks = _of_lines(by_system, options.references, encoding) if paths else _of_inputs(options, texts)
    if new_names:
        renamed = system_names.rename_systems(tasks, new_names)
        tasks = list(renamed) if isinstance(tasks, Sequence) else renamed
    seen: set[str] = set()
    tasks, formats_read = facts.collect_formats(tasks, seen)
    return Source(tasks, options.systems or None, [*options.paths, *paths], formats_read, encoding, seen)


def _of_folders(options: InputOptions, texts: Texts) -> Iterable[EvalTask]:
    from rouge_cli.tasks import directories

    if not (options.peers and options.models):
        raise UsageError("--peers and --models go together", remedy="give both")
    check_conflicts({Conflict.ONE_FILE_OF_REFERENCES: os.path.isfile(options.models)})
    return directories.read(
        options.peers,
        options.models,
        texts.format,
        prediction_pattern=options.prediction_pattern,
        reference_pattern=options.reference_pattern,
        notify=texts.notify,
        encoding=texts.encoding,
    )


def _with_folders(options: InputOptions, by_system: Mapping[str, str]) -> InputOptions:
    """Return the options for one folder of predictions and one of references.

    Raises:
        UsageError: There are several folders on a side, or none, or a folder has a system's name.
    """
    if len(by_system) > 1 or len(options.references) > 1:
        raise UsageError(
            "several folders",
            remedy="give one with --pred, whose sub-folders are systems, and one with --ref",
        )
    if options.predictions and options.predictions[0] not in by_system.values():
        raise UsageError(
            f"{options.predictions[0]} gives a system's name to a folder",
            remedy="leave the name out, and add --rename",
        )
    if not (by_system and options.references):
        raise _one_side()
    return options.replace(peers=next(iter(by_system.values())), models=options.references[0])


def _of_lines(by_system: Mapping[str, str], references: Sequence[str], encoding: str) -> Iterable[EvalTask]:
    if not (by_system and references):
        raise _one_side()
    return lines.read(by_system, references, encoding=encoding)


def _one_side() -> UsageError:
    return UsageError("--pred and --ref go together", remedy="give at least one of each")


def _of_inputs(options: InputOptions, texts: Texts) -> Iterable[EvalTask]:
    from rouge_cli.tasks import kinds

    paths = options.paths
    if options.kind and not plugins.is_known(kinds.__name__, options.kind):
        names = ", ".join(plugins.all_names(kinds.__name__))
        raise UsageError(f"unknown kind of input {options.kind!r}", remedy=f"use one of {names}")
    by_path = {path: options.kind or kinds.detect(path) for path in paths}
    kinds_of_input = set(by_path.values())
    check_conflicts(
        {
            Conflict.RECORDS: any(map(kinds.is_records, kinds_of_input)),
            Conflict.SETTINGS: "settings" in kinds_of_input,
            Conflict.FILE_LIST: kinds.LIST in kinds_of_input,
            Conflict.PARQUET: kinds_of_input == {"parquet"},
        }
    )
    if not all(map(kinds.is_records, by_path.values())):
        read = partial(_of_files, paths, list(by_path.values()), texts)
        is_guess = (
            not options.kind
            and list(by_path.values()) == [kinds.LIST]
            and not kinds.is_list_by_name(paths[0])
        )
        tasks = _of_guessed_list(read) if is_guess else read()
        return tasks if files.is_utf8(texts.encoding) else _decode(tasks, texts.encoding)
    from rouge_cli.tasks import records

    requested = columns.ColumnNames(
        id=options.id_column,
        predictions=options.prediction_columns,
        references=options.reference_columns,
        system=options.system_column,
        lists=options.reference_lists,
    )
    systems = lines.names(paths)
    if len(paths) == 1:
        (system,) = systems
        kind = by_path[paths[0]]
        return records.read(paths[0], kind=kind, columns=requested, system=system, encoding=texts.encoding)
    by_system = {system: by_path[path] for system, path in systems.items()}
    return records.read_several(systems, kinds=by_system, columns=requested, encoding=texts.encoding)


def _decode(tasks: Iterable[EvalTask], encoding: str) -> Iterator[EvalTask]:
    """Yield the evals with their files decoded from another encoding."""

    def text(source: str | Document | None) -> str | Document | None:
        return Document(files.text(source, "text", encoding), source) if isinstance(source, str) else source

    for task in tasks:
        predictions = {system: text(source) for system, source in task.predictions.items()}
        references = [(reference_id, text(source) or "") for reference_id, source in task.references]
        yield task._replace(predictions=predictions, references=references)


def _of_files(paths: Sequence[str], kinds_: Sequence[str], texts: Texts) -> Sequence[EvalTask]:
    """Return the evals of one settings file or file list. The system of a list has the name of the file."""
    if len(paths) > 1:
        raise UsageError(
            "a settings file or list among other inputs"
            if kinds.is_records(kinds_[0])
            else f"several inputs, and {paths[0]} is read as {kinds.named(kinds_[0]).WHAT}",
            remedy="score settings and lists one by one; if a line is a text, give --pred FILE --ref FILE",
        )
    (system,) = lines.names(paths)
    tasks: Sequence[EvalTask] = kinds.named(kinds_[0]).tasks(paths[0], system, texts)
    return tasks


def _of_guessed_list(read: Callable[[], Sequence[EvalTask]]) -> Sequence[EvalTask]:
    """Return the evals of a file that is read as a list because it resembles no other kind.

    Raises:
        RougeError: It does not name existing files, so it is probably not a list either.
    """
    what = "neither settings, nor records, nor a list of files"
    remedy = "if a line is a text, give --pred FILE --ref FILE; else name the kind with --input"
    try:
        tasks = read()
    except UnreadableFile:
        raise
    except RougeError as error:
        raise RougeError(f"{what} ({error.what})", where=error.where, remedy=remedy) from None
    named = tasks[0].paths(tasks[0].predictions) if tasks else []
    missing = [name for name in named if not os.path.exists(name)]
    if named and len(missing) == len(named):
        raise RougeError(f"{what} ({missing[0]} does not exist)", where=tasks[0].where, remedy=remedy)
    return tasks


# Characters that GNU make interprets unless a backslash precedes them. Backslashes before them are doubled.
_IN_TARGET = re.compile(r"(\\*)([ #:*?\[%])")
_IN_PREREQUISITE = re.compile(r"(\\*)([ #:*?\[|])")

# Characters that cannot be quoted for make.
_IMPOSSIBLE = re.compile(r"[;\t\n\r\v\f\0]|[ \\&]\Z|\A\Z")


def depfile(target: str, paths: Iterable[str]) -> str:
    r"""Return the make rule `target: path \ path ...`, and an empty rule for every path.

    Because of the empty rules, make rebuilds the target if a file was deleted, instead of stopping (as with
    `gcc -MP`). Repeated paths are left out.

    Raises:
        RougeError: A name cannot be written in a make rule.
    """
    distinct = list(dict.fromkeys(paths))
    lines = [_escape(target, _IN_TARGET) + ":"]
    lines += [f"  {_escape(path, _IN_PREREQUISITE)}" for path in distinct]
    empty = "".join(f"\n{_escape(path, _IN_TARGET)}:\n" for path in distinct if path != target)
    return " \\\n".join(lines) + "\n" + empty


def _escape(path: str, special: re.Pattern[str]) -> str:
    if _IMPOSSIBLE.search(path):
        raise RougeError(
            f"make cannot name the file {path!r}",
            remedy="rename it: no ; or control character in it, no blank, \\ or & at its end",
        )
    path = special.sub(r"\1\1\\\2", path).replace("$", "$$")
    # A bare = would make the line an assignment; a ~ at the start would become a home folder.
    path = path.replace("=", "$(if 1,=)")
    return f"./{path}" if path.startswith("~") else path
