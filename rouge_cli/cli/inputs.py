"""Options that name inputs, and the evals that are read from them."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import ClassVar

import click

from rouge_cli import formats, plugins, signature
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    argument,
    option,
    several,
)
from rouge_cli.core import Document, EvalTask, NamedTuple, Notify
from rouge_cli.errors import RougeError, UnreadableFile, UsageError
from rouge_cli.io import files
from rouge_cli.runs import assembly
from rouge_cli.tasks import columns, kinds, lines, system_names
from rouge_cli.tasks.kinds import Texts, parquet
from rouge_cli.tasks.streams import Stream, formats_of
from rouge_cli.text.reading import decoded

_PATTERNS = "prediction_pattern reference_pattern"
_COLUMNS = (
    "prediction_columns reference_columns reference_lists id_column system_column"
)
_SOURCES = f"predictions references peers models kind {_PATTERNS} {_COLUMNS}"


class InputOptions(OptionGroup):
    """The files that evals are read from, and how to read them."""

    section: ClassVar = "Input"
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
    paths: Words = argument(
        nargs=-1,
        metavar="[INPUT]...",
        callback=lambda _context, _parameter, paths: parquet.joined(paths),
    )
    predictions: Words = several(
        "--pred [NAME=]PATH", "A system's texts, one per line; or a folder."
    )
    references: Words = several("--ref PATH", "References, one per line; or a folder.")
    # Options of earlier versions; unlike --pred and --ref, they read a file as one
    # text.
    peers: str | None = option("--peers DIR", hidden=True)
    models: str | None = option("--models DIR", hidden=True)
    prediction_pattern: str | None = option(
        "--pred-pattern RE",
        r"Prediction files, as in 'sys\.(\d+)\.txt'; (?P<system>...) is the system.",
    )
    reference_pattern: str | None = option(
        "--ref-pattern RE", r"Reference files, as in '#ID#\.[A-Z]\.txt'."
    )
    kind: str | None = option("--input KIND", ", ".join(kinds.names()))
    read_as: str | None = option(
        "--read-as FORMAT", "Format of texts: spl (default), see, ..."
    )
    prediction_columns: Words = several(
        "--pred-column NAME", "Column of predictions; repeatable."
    )
    reference_columns: Words = several(
        "--ref-column NAME", "Column of references, or lists; repeatable."
    )
    reference_lists: str | None = option(
        "--ref-lists WHAT",
        "What lists hold: sentences or references.",
        type=click.Choice([columns.SENTENCES, columns.REFERENCES]),
    )
    id_column: str | None = option("--id-column NAME", "Column of eval IDs.")
    system_column: str | None = option(
        "--system-column NAME", "Column of system names."
    )
    systems: Words = several(
        "--system NAME", "Only this system, in this order; repeatable."
    )
    renames: Words = several("--rename OLD=NEW", "Rename a system; repeatable.")
    encoding: str | None = option(
        "--encoding NAME", "Encoding of texts (default UTF-8)."
    )


class Inputs(NamedTuple):
    """The evals of a command line."""

    tasks: Iterable[EvalTask]  # a list or a stream
    systems: Sequence[str] | None  # the systems to score; None for all
    files: Sequence[str]  # the inputs that the command line names
    encoding: str  # encoding of the texts

    def listed(self) -> list[EvalTask]:
        """Return the evals as a list; raise UsageError if none of them has a
        requested system.
        """
        tasks = list(self.tasks)
        system_names.check(self.systems or (), system_names.of_tasks(tasks))
        return tasks

    def reading(self) -> dict[str, str]:
        """Return format and encoding of the texts that were read, unless they are
        the defaults.
        """
        return signature.reading(formats_of(self.tasks), self.encoding)

    def paths(self) -> Iterator[str]:
        """Yield the files that scoring reads: the inputs, `-` for stdin, and the
        texts that they name.
        """
        yield from self.files
        if isinstance(self.tasks, Sequence):
            yield from paths(self.tasks, self.systems)


def paths(
    tasks: Iterable[EvalTask], systems: Sequence[str] | None = None
) -> Iterator[str]:
    """Yield the text files of the evals, for these systems or all."""
    for task in tasks:
        predictions = (
            task.predictions.get(system) for system in systems or task.predictions
        )
        for text in (*predictions, *(reference for _, reference in task.references)):
            if text:
                yield text.where if isinstance(text, Document) else text


def read(
    options: InputOptions,
    notify: Notify,
    signed: Mapping[str, str] = {},
    *,
    apart: bool = False,
) -> Inputs:
    """Return the evals of the inputs that a command line names.

    Args:
        signed: The format and the encoding that the signature of --like states.
        apart: Let systems of an eval have different references (see `records.read`).
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
        raise UsageError(
            f"{' and '.join(used)} together", remedy="score one kind of input at a time"
        )
    by_system = lines.named(options.predictions)
    folders = _folders(options, by_system)
    line_files = [] if folders else [*by_system.values(), *options.references]
    Conflict.check({Conflict.FOLDERS: folders, Conflict.LINES: line_files})
    encoding = options.encoding or signed.get("encoding", files.UTF8)
    files.is_utf8(
        encoding
    )  # raises an error for an unknown encoding, even if it is not used
    new_names = system_names.new_names(options.renames)
    read_as = assembly.text_format(options.read_as, signed)
    if folders:
        from rouge_cli.tasks import directories

        Conflict.check({Conflict.ONE_FILE_OF_REFERENCES: os.path.isfile(folders[1])})
        tasks: Iterable[EvalTask] = directories.read(
            *folders,
            read_as,
            prediction_pattern=options.prediction_pattern,
            reference_pattern=options.reference_pattern,
            notify=notify,
            encoding=encoding,
        )
    elif line_files:
        tasks = lines.read(by_system, options.references, encoding=encoding)
    else:
        kinds_read = Texts(read_as, plugins.names(formats.__name__), encoding, notify)
        tasks = _of_inputs(options, kinds_read, apart=apart)
    if new_names:
        renamed = system_names.rename_systems(tasks, new_names)
        tasks = list(renamed) if isinstance(tasks, Sequence) else Stream(renamed)
    inputs = [*chain.from_iterable(map(parquet.files_of, options.paths)), *line_files]
    return Inputs(tasks, options.systems or None, inputs, encoding)


def _folders(
    options: InputOptions, by_system: Mapping[str, str]
) -> tuple[str, str] | None:
    """Return the folder of predictions and the folder of references; None for other
    inputs.
    """
    if options.peers or options.models:
        if not (options.peers and options.models):
            raise UsageError("--peers and --models go together", remedy="give both")
        return options.peers, options.models
    paths = [*by_system.values(), *options.references]
    if paths and not (by_system and options.references):
        raise UsageError(
            "--pred and --ref go together", remedy="give at least one of each"
        )
    if not any(map(os.path.isdir, paths)):
        return None
    if len(paths) > 2:
        remedy = (
            "give one with --pred, whose sub-folders are systems, and one with --ref"
        )
        raise UsageError("several folders", remedy=remedy)
    if options.predictions[0] != paths[0]:
        what = f"{options.predictions[0]} gives a system's name to a folder"
        raise UsageError(what, remedy="leave the name out, and add --rename")
    return paths[0], paths[1]


_LABEL = r"R(OUGE)?-?([0-9]|L|W|S|SU)\S*"


def check_paths(paths: Sequence[str]) -> None:
    """Raise UsageError for a folder, and for a metric in place of a file."""
    for path in filter(lambda path: not os.path.isfile(path), paths):
        if os.path.isdir(path) and not parquet.files_of(path):
            remedy = (
                "name the folders of predictions and references: --pred FOLDER --ref"
                " FOLDER"
            )
            raise UsageError("a folder", where=path, remedy=remedy)
        if re.fullmatch(_LABEL, path, re.IGNORECASE) and not os.path.exists(path):
            remedy = f"if it is a metric, join them as in -m R1,{path}"
            raise UsageError(f"no input {path!r}", remedy=remedy)


def _of_inputs(
    options: InputOptions, texts: Texts, *, apart: bool
) -> Iterable[EvalTask]:
    paths = options.paths
    if options.kind:
        plugins.find(
            kinds.__name__, options.kind, "kind of input"
        )  # raises an error for an unknown kind
    check_paths(paths)
    systems = lines.names(paths)
    by_path = {path: options.kind or kinds.detect(path) for path in paths}
    circumstances = {
        Conflict.RECORDS: any(map(kinds.is_records, by_path.values())),
        Conflict.SETTINGS: "settings" in by_path.values(),
        Conflict.FILE_LIST: kinds.LIST in by_path.values(),
        Conflict.PARQUET: {*by_path.values()} == {"parquet"},
    }
    Conflict.check(circumstances)
    if not all(map(kinds.is_records, by_path.values())):
        tasks = _of_file(by_path, texts, is_guess=not options.kind)
        return (
            tasks
            if files.is_utf8(texts.encoding)
            else Stream(decoded(tasks, texts.encoding))
        )
    from rouge_cli.tasks import records

    requested = columns.ColumnNames(
        id=options.id_column,
        predictions=options.prediction_columns,
        references=options.reference_columns,
        system=options.system_column,
        lists=options.reference_lists,
    )
    kinds_ = {system: by_path[path] for system, path in systems.items()}
    return records.read(
        systems, kinds=kinds_, columns=requested, encoding=texts.encoding, apart=apart
    )


def _of_file(
    by_path: Mapping[str, str], texts: Texts, *, is_guess: bool
) -> Sequence[EvalTask]:
    """Return the evals of one settings file or file list. The system of a list has the
    name of the file.

    Args:
        by_path: Path -> kind.
        is_guess: The kind is by the content. A file that resembles no kind may be a
            list.
    """
    path, kind = next(iter(by_path.items()))
    if len(by_path) > 1:
        what = "a settings file or list among other inputs"
        if not kinds.is_records(kind):
            what = f"several inputs, and {path} is read as {kinds.named(kind).WHAT}"
        remedy = (
            "score settings and lists one by one; if a line is a text, give --pred FILE"
            " --ref FILE"
        )
        raise UsageError(what, remedy=remedy)
    (system,) = lines.names([path])
    reader: Callable[[str, str, Texts], Sequence[EvalTask]] = kinds.named(kind).tasks
    if not is_guess or kind != kinds.LIST or kinds.by_suffix(path) == kinds.LIST:
        return reader(path, system, texts)
    what = "neither settings, nor records, nor a list of files"
    remedy = (
        "if a line is a text, give --pred FILE --ref FILE; else name the kind with"
        " --input"
    )
    try:
        tasks = reader(path, system, texts)
    except UnreadableFile:
        raise
    except RougeError as error:
        raise RougeError(
            f"{what} ({error.what})", where=error.where, remedy=remedy
        ) from None
    named = tasks[0].paths(tasks[0].predictions) if tasks else []
    if named and not any(map(os.path.exists, named)):
        raise RougeError(
            f"{what} ({named[0]} does not exist)", where=tasks[0].where, remedy=remedy
        )
    return tasks


# Characters that GNU make interprets unless a backslash precedes them. Backslashes
# before them are doubled.
_IN_TARGET = r"(\\*)([ #:*?\[%])"
_IN_PREREQUISITE = r"(\\*)([ #:*?\[|])"

# Characters that cannot be quoted for make.
_IMPOSSIBLE = r"[;\t\n\r\v\f\0]|[ \\&]\Z|\A\Z"


def depfile(target: str, paths: Iterable[str]) -> str:
    r"""Return the make rule `target: path \ path ...`, and an empty rule for every
    path.

    Because of the empty rules, make rebuilds the target if a file was deleted, instead
    of stopping (as with `gcc -MP`). Repeated paths are left out. Raise RougeError for a
    name that make cannot express.
    """
    distinct = list(dict.fromkeys(paths))
    lines = [_escape(target, _IN_TARGET) + ":"]
    lines += [f"  {_escape(path, _IN_PREREQUISITE)}" for path in distinct]
    empty = "".join(
        f"\n{_escape(path, _IN_TARGET)}:\n" for path in distinct if path != target
    )
    return " \\\n".join(lines) + "\n" + empty


def _escape(path: str, special: str) -> str:
    if re.search(_IMPOSSIBLE, path):
        remedy = (
            "rename it: no ; or control character in it, no blank, \\ or & at its end"
        )
        raise RougeError(f"make cannot name the file {path!r}", remedy=remedy)
    path = re.sub(special, r"\1\1\\\2", path).replace("$", "$$")
    # A bare = would make the line an assignment; a ~ at the start would become a home
    # folder.
    path = path.replace("=", "$(if 1,=)")
    return f"./{path}" if path.startswith("~") else path
