"""`rouge-cli convert`: convert texts between formats.

ROUGE-1.5.5 gives the text the same scores in both formats. Nothing is escaped or
unescaped, since ROUGE does neither. Two things change:

- `<`, which a sentence of SEE or ISI cannot contain, becomes `(`. Like `<`, it
  separates tokens, is one byte under `-b`, and is part of its word under `-l`, unlike a
  blank.
- The line feed in a sentence, which only SEE can express, is dropped. This is one byte
  less under `-b`.
"""

import os
from collections.abc import Iterator, Sequence

import click

from rouge_cli import formats, plugins
from rouge_cli.cli import streams
from rouge_cli.cli.option_groups import (
    OptionGroup,
    Words,
    argument,
    flag,
    named,
    option,
)
from rouge_cli.core import Document, Notice, Notify, Summary
from rouge_cli.errors import RougeError, UnreadableFile, UnwritableFile, UsageError
from rouge_cli.io import files
from rouge_cli.text import reading

SECTION = "Convert"

# The formats that every text can be converted to.
WRITTEN = [
    name
    for name in plugins.names(formats.__name__)
    if hasattr(formats.named(name), "write")
    and not hasattr(formats.named(name), "HAS_DATES")
]
FORMAT = click.Choice(WRITTEN, case_sensitive=False)


class ConvertOptions(OptionGroup):
    """The texts, their formats, and the output."""

    inputs: Words = argument(nargs=-1, required=True, metavar="INPUT...")
    source: str | None = option(
        "--from", "Format of the input (default: by content).", type=FORMAT
    )
    target: str = option("--to", "Format of the output.", type=FORMAT, required=True)
    output: str = option(
        "-o FILE_OR_DIR", "File or folder to write; - is stdout.", required=True
    )
    force: bool = flag("--force", "Overwrite existing files.")


@named("convert")
def command(options: ConvertOptions) -> None:
    """Convert texts between SEE, SPL, ISI and plain text.

    The scores do not change. The lines of plain text become sentences. SEE and ISI
    cannot contain <: it becomes (, which scores the same.

    INPUT is a file, a folder (all its files except hidden ones), or - for stdin. One
    file becomes a file, or a file in a folder if the folder exists or its name ends
    with /. Several files and folders become a folder. Files keep their names, so
    settings need only a new folder.

    Examples: rouge-cli convert --to see -o systems.see/ systems
              rouge-cli convert --from see --to spl -o a.txt a.html
    """
    plan = list(_plan(options.inputs, options.output))
    sources: dict[str, str] = {}
    for path, target in plan:
        if target == files.STDIN:
            continue
        other = sources.setdefault(os.path.realpath(target), path)
        if other != path:
            what = f"{other} and {path} would both become {target}"
            raise UsageError(what, remedy="convert them separately")
        if not options.force and os.path.isfile(target):
            raise RougeError(
                "file exists", where=target, remedy="use --force to overwrite it"
            )
    # Everything is converted before anything is written, so that an error leaves no
    # output.
    with streams.Notices() as notices:
        converted = [
            (target, _convert(data, options.source, options.target, path, notices))
            for path, target in plan
            for data in [files.read_any(path, "summary")]
        ]
        for target, data in converted:
            if target == files.STDIN:
                streams.emit(data)
                continue
            try:
                os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
            except OSError as reason:
                raise UnwritableFile(target, reason) from None
            files.write_bytes(target, data)


def _plan(inputs: Sequence[str], output: str) -> Iterator[tuple[str, str]]:
    is_one_file = len(inputs) == 1 and not os.path.isdir(inputs[0])
    if is_one_file and not output.endswith("/") and not os.path.isdir(output):
        yield inputs[0], output
        return
    if output == files.STDIN:
        raise UsageError(
            "stdout takes only one summary", remedy="name a folder with -o"
        )
    for path in inputs:
        if path == files.STDIN:
            raise UsageError(
                "stdin has no name in a folder", remedy="name a file with -o"
            )
        if not os.path.isdir(path):
            yield path, os.path.join(output, os.path.basename(path))
            continue
        paths = list(_below(path))
        if not paths:
            raise RougeError("no summary in this folder", where=path)
        yield from (
            (source, os.path.join(output, os.path.relpath(source, path)))
            for source in paths
        )


def _below(folder: str) -> Iterator[str]:
    """Yield the files of a folder and its sub-folders in order, except hidden files
    and folders.
    """

    def refuse(reason: OSError) -> None:
        raise UnreadableFile(reason.filename, reason, role="folder")

    for parent, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (
            os.path.join(parent, name)
            for name in sorted(names)
            if not name.startswith(".")
        )


def _convert(
    data: bytes, source: str | None, target: str, path: str, notify: Notify
) -> bytes:
    """Return the text in the target format; a source of None is detected; the path
    is for messages.
    """
    if source is None:  # by the content: SEE or ISI if it has such a sentence
        source = next(
            (name for name in ("see", "isi") if formats.named(name).read(data).units),
            "spl",
        )
        if source == "spl" and (b'<a name="' in data or b"<S SNTNO=" in data):
            what = (
                "it looks like SEE or ISI, but has no sentences numbered as in these"
                " formats"
            )
            raise RougeError(
                what, where=path, remedy="correct it, or name the format with --from"
            )
    if source == target:
        return data
    units = formats.named(source).read(data).units
    if source in ("see", "isi") and data.strip() and not units:
        raise RougeError(
            f"not empty, but without sentences numbered as in {source.upper()}",
            where=path,
        )
    reading.note_unread(Document(data, path), source, notify)
    lines = [line for unit in units for line in unit.split(b"\n") if line]
    if source == "see" and any(unit.endswith(b"\n") for unit in units):
        notify(
            Notice(
                f"{path}: unclosed sentences lose their line feed, one byte under -b"
            )
        )
    if target not in ("spl", "plain") and any(b"<" in line for line in lines):
        notify(
            Notice(
                f"{path}: {target.upper()} cannot contain <; it becomes (, which scores"
                " the same"
            )
        )
        lines = [line.replace(b"<", b"(") for line in lines]
    written: bytes = formats.named(target).write(
        Summary(lines), path.rpartition("/")[2]
    )
    return written
