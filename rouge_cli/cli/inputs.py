"""Options that name inputs, and the evals that are read from them."""

import glob
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, takewhile
from typing import ClassVar, NamedTuple, NoReturn

import click

from rouge_cli import formats, plugins, signature
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    argument,
    flag,
    option,
    several,
)
from rouge_cli.core import Document, EvalTask, Notify
from rouge_cli.errors import RougeError, UnreadableFile, UsageError, all_of
from rouge_cli.io import files
from rouge_cli.runs import assembly
from rouge_cli.tasks import (
    columns,
    contents,
    directories,
    dividing,
    doubts,
    joining,
    kinds,
    lines,
    records,
    source_texts,
    system_names,
)
from rouge_cli.tasks.contents import Operand
from rouge_cli.tasks.kinds import RecordLayout, Texts, _tables
from rouge_cli.tasks.streams import Stream, formats_of
from rouge_cli.text.reading import decoded

_PATTERNS = "prediction_pattern reference_pattern"
_COLUMNS = (
    "prediction_columns reference_columns reference_lists id_column system_column"
)
_LAYOUT = "records_paths delimiter no_header"
_SOURCES = f"predictions references kind {_PATTERNS} {_COLUMNS} {_LAYOUT}"


class InputOptions(OptionGroup):
    """The files that evals are read from, and how to read them."""

    section: ClassVar = "Input"
    conflicts: ClassVar = {
        Conflict.SAVED: f"{_SOURCES} read_as encoding",
        Conflict.ONE_PAIR: f"{_SOURCES} systems renames encoding",
        Conflict.RECORDS: f"read_as {_PATTERNS}",
        Conflict.SETTINGS: f"read_as {_PATTERNS} {_COLUMNS} {_LAYOUT}",
        Conflict.FILE_LIST: f"{_PATTERNS} {_COLUMNS} {_LAYOUT}",
        Conflict.ONE_FILE_OF_REFERENCES: _PATTERNS,
        Conflict.LINES: f"read_as {_PATTERNS} {_COLUMNS} {_LAYOUT}",
        Conflict.FOLDERS: f"kind {_COLUMNS} {_LAYOUT}",
        Conflict.PARQUET: "encoding",
    }
    paths: Words = argument(
        nargs=-1,
        metavar="[INPUT]...",
        callback=lambda _context, _parameter, paths: _tables.joined(paths),
    )
    predictions: Words = several(
        "--pred [NAME=]PATH", "A system's texts: lines, records, or a folder."
    )
    references: Words = several(
        "--ref PATH", "References: lines, records, or a folder."
    )
    prediction_pattern: str | None = option(
        "--pred-pattern RE",
        r"Prediction files, as in 'sys\.(\d+)\.txt'; (?P<system>...) is the system.",
    )
    reference_pattern: str | None = option(
        "--ref-pattern RE", r"Reference files, as in '#ID#\.[A-Z]\.txt'."
    )
    kind: str | None = option("--input KIND", ", ".join([*kinds.names(), kinds.LINES]))
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
    records_paths: Words = several(
        "--records PATH", "Records inside a JSON file, as in a.b; repeatable."
    )
    delimiter: str | None = option(
        "--delimiter CHAR", "Between the columns of csv and tsv; `tab` for a tab."
    )
    no_header: bool = flag("--no-header", "Columns of csv and tsv are called 1, 2, ...")
    systems: Words = several(
        "--system NAME", "Only this system, in this order; repeatable."
    )
    renames: Words = several("--rename OLD=NEW", "Rename a system; repeatable.")
    encoding: str | None = option(
        "--encoding NAME", "Encoding of texts (default UTF-8)."
    )

    @property
    def all_paths(self) -> list[str]:
        """The paths on the command line: INPUT, then --pred and --ref."""
        return [*self.paths, *self.predictions, *self.references]

    @property
    def folders(self) -> list[str]:
        """The folders whose files are all texts: a pattern leaves others out."""
        paths: list[str] = []
        if self.prediction_pattern is None:
            paths += self.predictions
        if self.reference_pattern is None:
            paths += self.references
        return [path for path in paths if os.path.isdir(path)]


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

    def parts(self) -> list[str]:
        """Return the files of the inputs, those of a folder or pattern one by one."""
        return list(chain.from_iterable(map(_tables.files_of, self.files)))

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
        names = systems or task.predictions
        texts = [task.predictions.get(system) for system in names]
        texts += [text for _, text in task.references]
        texts.append(task.source)
        for text in texts:
            if text:
                yield text.where if isinstance(text, Document) else text


def read(  # noqa: PLR0913 - what an input is read by
    options: InputOptions,
    notify: Notify,
    signed: Mapping[str, str] = {},
    *,
    apart: bool = False,
    source: str | None = None,
    remembers_ids: bool = True,
) -> Inputs:
    """Return the evals of the inputs that a command line names.

    Args:
        options: What it names.
        notify: Receives notices.
        signed: The format and the encoding that the signature of --like states.
        apart: Let systems of an eval have different references (see `records.read`).
        source: Column, file or folder of the texts that were summarized; None if they
            are not read.
        remembers_ids: Refuse an ID that occurs twice, for which the IDs of a file are
            remembered.
    """
    has_sides = bool(options.predictions or options.references)
    if options.paths and has_sides:
        check_stray_words(options)
        raise UsageError(
            "INPUT and --pred and --ref together",
            remedy="score one kind of input at a time",
        )
    if not options.paths and not has_sides:
        raise UsageError("nothing to score", remedy="name INPUT, or --pred and --ref")
    by_system = lines.named(options.predictions)
    encoding = options.encoding or signed.get("encoding", files.UTF8)
    # Raise an error for an unknown encoding, even if it is not used.
    files.is_utf8(encoding)
    new_names = system_names.new_names(options.renames)
    read_as = assembly.text_format(options.read_as, signed)
    tasks: Iterable[EvalTask]
    sides: list[Operand] = []
    if options.paths:
        known_formats = plugins.names(formats.__name__)
        texts = Texts(read_as, known_formats, encoding, notify)
        tasks = _of_inputs(
            options, texts, source, apart=apart, remembers_ids=remembers_ids
        )
    else:
        sides = _sources(options, by_system)
        tasks = _of_sides(options, sides, source, read_as, encoding, notify)
    if new_names:
        renamed = system_names.rename_systems(tasks, new_names)
        tasks = list(renamed) if isinstance(tasks, Sequence) else Stream(renamed)
    predicted = [side.path for side in sides if side.option == contents.PRED]
    referenced = [side.path for side in sides if side.option == contents.REF]
    is_same = doubts.warn_of_same_sources(predicted, referenced, notify)
    tasks = doubts.watched(tasks, notify, is_same=is_same)
    inputs = [*options.paths, *chain.from_iterable(side.files for side in sides)]
    if sides and source is not None and os.path.isfile(source):
        inputs.append(source)
    inputs = list(chain.from_iterable(map(_tables.files_of, inputs)))
    return Inputs(
        tasks=tasks,
        systems=options.systems or None,
        files=inputs,
        encoding=encoding,
    )


def _sources(options: InputOptions, by_system: Mapping[str, str]) -> list[Operand]:
    """Return what --pred and --ref name; an operand without files is a folder of
    texts.
    """
    if not (by_system and options.references):
        raise UsageError(
            "--pred and --ref go together", remedy="give at least one of each"
        )
    if options.kind and options.kind != kinds.LINES:
        kinds.check(options.kind)
        if not kinds.is_records(options.kind):
            what = f"--input {options.kind} with --pred and --ref"
            raise UsageError(
                what, remedy="give it as INPUT, or leave --pred and --ref out"
            )
    named = [(contents.PRED, name, path) for name, path in by_system.items()]
    named += [(contents.REF, "", path) for path in options.references]
    return all_of(
        partial(contents.operand_of, option, name, path, options.kind)
        for option, name, path in named
    )


def _of_sides(  # noqa: PLR0913, PLR0917 - what the inputs are read from, and how
    options: InputOptions,
    sides: Sequence[Operand],
    source: str | None,
    read_as: str,
    encoding: str,
    notify: Notify,
) -> Iterable[EvalTask]:
    """Return the evals of predictions and references in places of their own: folders of
    texts, files of lines, or records.
    """
    read_kinds = set(chain.from_iterable(side.files.values() for side in sides))
    has_folders = not all(side.files for side in sides)
    has_records = bool(read_kinds - {kinds.LINES})
    if has_folders and has_records:
        folder = next(side for side in sides if not side.files)
        other = next(side for side in sides if {*side.files.values()} - {kinds.LINES})
        what = f"a folder of texts, but {files.place(other.path)} has records"
        remedy = f"give {folder.option} a file of records or of lines, too"
        raise UsageError(what, where=folder.path, remedy=remedy)
    Conflict.check(
        {
            Conflict.FOLDERS: has_folders,
            Conflict.RECORDS: has_records,
            Conflict.LINES: not has_folders and not has_records,
            Conflict.PARQUET: read_kinds == {"parquet"},
        }
    )
    if has_folders:
        tasks = _of_folders(options, sides, read_as, encoding, notify)
        if source is None:
            return tasks
        return source_texts.of_folders(
            tasks,
            sides[0].path,
            source,
            read_as,
            prediction_pattern=options.prediction_pattern,
            notify=notify,
            encoding=encoding,
        )
    if not has_records:
        by_system = {side.name: side.path for side in sides if side.name}
        paths = [side.path for side in sides if not side.name]
        if source is not None:
            return source_texts.of_lines(by_system, paths, source, encoding)
        return dividing.of_lines(by_system, paths, encoding)
    predictions = [side for side in sides if side.option == contents.PRED]
    references = [side for side in sides if side.option == contents.REF]
    _check_columns(options, predictions, references)
    layout = _layout(options)
    by_path: dict[str, str] = {}
    for side in sides:
        by_path |= side.files
    layout.check(by_path)
    beside, column = source_texts.of_records(source, references, options.kind)
    reading = records.RecordReading(_columns(options, column), layout, encoding, notify)
    return joining.read(predictions, references, reading, beside)


def _check_columns(
    options: InputOptions, predictions: Sequence[Operand], references: Sequence[Operand]
) -> None:
    """Raise UsageError for columns of a side that has lines of text only."""
    columns_of: Sequence[tuple[str, object, Sequence[Operand]]] = (
        ("--pred-column", options.prediction_columns, predictions),
        ("--system-column", options.system_column, predictions),
        ("--ref-column", options.reference_columns, references),
    )
    for name, values, sides in columns_of:
        read_kinds = set(chain.from_iterable(side.files.values() for side in sides))
        if values and read_kinds == {kinds.LINES}:
            what = f"{name} with lines of text ({files.place(sides[0].path)})"
            raise UsageError(what, remedy="leave it out")


def _of_folders(
    options: InputOptions,
    sides: Sequence[Operand],
    read_as: str,
    encoding: str,
    notify: Notify,
) -> Sequence[EvalTask]:
    """Return the evals of two folders of texts, or of a folder and a single text."""
    if len(sides) > 2:
        remedy = (
            "give one with --pred, whose sub-folders are systems, and one with --ref"
        )
        raise UsageError("several folders", remedy=remedy)
    predictions, references = sides
    if options.predictions and options.predictions[0] != predictions.path:
        what = f"{options.predictions[0]} gives a system's name to a folder"
        raise UsageError(what, remedy="leave the name out, and add --rename")
    Conflict.check({Conflict.ONE_FILE_OF_REFERENCES: os.path.isfile(references.path)})
    return directories.read(
        predictions.path,
        references.path,
        read_as,
        prediction_pattern=options.prediction_pattern,
        reference_pattern=options.reference_pattern,
        notify=notify,
        encoding=encoding,
    )


def _columns(options: InputOptions, source: str | None) -> columns.ColumnNames:
    """Return the columns that the options name, and that of sources."""
    return columns.ColumnNames(
        id=options.id_column,
        predictions=options.prediction_columns,
        references=options.reference_columns,
        system=options.system_column,
        lists=options.reference_lists,
        source=source,
        command=typed,
    )


def _layout(options: InputOptions) -> RecordLayout:
    """Return the layout that the options state."""
    return record_layout(
        options.records_paths, options.delimiter, no_header=options.no_header
    )


def record_layout(
    records_paths: Sequence[str], delimiter: str | None, *, no_header: bool
) -> RecordLayout:
    """Return what is stated about records; raise UsageError for a delimiter that
    is not one character.
    """
    if delimiter in {"tab", "\\t"}:
        delimiter = "\t"
    if delimiter is not None and (
        len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0 '
    ):
        remedy = "name one character of ASCII, as in --delimiter ';', or tab"
        raise UsageError(f"--delimiter {delimiter!r:.20}", remedy=remedy)
    return RecordLayout(records_paths, delimiter, no_header)


_LONGEST = 120  # characters of a command in a message
_LABEL = r"R(OUGE)?-?([0-9]|L|W|S|SU)\S*"


def check_paths(options: InputOptions) -> None:
    """Raise UsageError for a folder, and for a word that is not an input but belongs
    to an option.
    """
    for path in options.paths:
        if os.path.isfile(path):
            continue
        if os.path.isdir(path) and not _tables.files_of(path):
            raise UsageError("a folder", where=path, remedy=_of_folder(options, path))
        if not os.path.exists(path) and path != files.STDIN:
            check_stray_words(options)
        if re.fullmatch(_LABEL, path, re.IGNORECASE) and not os.path.exists(path):
            remedy = f"if it is a metric, join them as in -m R1,{path}"
            raise UsageError(f"no input {path!r}", remedy=remedy)


def _of_folder(options: InputOptions, path: str) -> str:
    """Return what to do about a folder that is named as an input."""
    others = [other for other in options.paths if other != path]
    if len(others) == 1 and os.path.isfile(others[0]):
        texts = sorted(glob.glob(os.path.join(glob.escape(path), "*")))
        words = directories.line_options("--pred", texts, others[0])
        if words:
            words = f"if each line is a text, name the files: {words}"
            return f"{words} --ref {shlex.quote(others[0])}"
    return "name the folders of predictions and references: --pred FOLDER --ref FOLDER"


def check_stray_words(options: InputOptions) -> None:
    """Raise UsageError for words that follow the value of an option that takes one at a
    time, as a shell writes them for a pattern.
    """
    context = click.get_current_context(silent=True)
    if not context or "words" not in context.meta:
        return  # called from Python
    repeatable: set[str] = set()
    for param in context.command.params:
        if isinstance(param, click.Option) and param.multiple:
            repeatable.update(param.opts)
    words: list[str] = context.meta["words"]
    has_sides = bool(options.predictions or options.references)
    for index, word in enumerate(words[:-1]):
        if word not in repeatable:
            continue
        stray = list(takewhile(options.paths.__contains__, words[index + 2 :]))
        if not has_sides:
            # A real input may follow any option.
            stray = list(takewhile(lambda path: not os.path.exists(path), stray))
        if stray:
            _raise_stray(word, words[index + 1], stray)


def _raise_stray(option: str, value: str, stray: Sequence[str]) -> NoReturn:
    what = f"{option} takes one value, and more follow: {columns.list_names(stray)}"
    values = [value, *stray]
    if option in {"-m", "--metrics"}:
        raise UsageError(
            what, remedy=f"write {option} {columns.list_names([','.join(values)])}"
        )
    whole = " ".join(f"{option} {shlex.quote(value)}" for value in values)
    folders = {os.path.dirname(value) for value in values}
    if (
        option in {contents.PRED, contents.REF}
        and len(values) > 2
        and len(folders) == 1
    ):
        folder = folders.pop() or "."
        remedy = f"if each is a text, name their folder: {option} {folder}"
        if len(whole) <= _LONGEST:
            remedy = f"write {whole}, or {remedy}"
    elif len(whole) <= _LONGEST:
        remedy = f"write {whole}"
    else:
        remedy = (
            f"write {option} before each, as in {option} {value} {option} {stray[0]}"
        )
    raise UsageError(what, remedy=remedy)


def _of_inputs(
    options: InputOptions,
    texts: Texts,
    source: str | None,
    *,
    apart: bool,
    remembers_ids: bool,
) -> Iterable[EvalTask]:
    paths = options.paths
    if options.kind == kinds.LINES:
        what = f"--input {kinds.LINES} with INPUT"
        raise UsageError(what, remedy="give lines of texts as --pred FILE --ref FILE")
    if options.kind:
        kinds.check(options.kind)
    check_paths(options)
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
        if files.is_utf8(texts.encoding):
            return tasks
        return Stream(decoded(tasks, texts.encoding))
    layout = _layout(options)
    layout.check(by_path)
    by_system = {system: by_path[path] for system, path in systems.items()}
    reading = records.RecordReading(
        _columns(options, source),
        layout,
        texts.encoding,
        texts.notify,
        remembers_ids=remembers_ids,
    )
    return dividing.of_records(systems, by_system, reading, apart=apart)


def typed() -> str:
    """Return the command line as typed, for messages; empty if called from Python."""
    context = click.get_current_context(silent=True)
    if context is None or "words" not in context.meta:
        return ""
    words = ["rouge-cli", str(context.info_name), *context.meta["words"]]
    return shlex.join(words)


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
