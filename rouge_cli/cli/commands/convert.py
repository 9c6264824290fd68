"""`rouge-cli convert`: conversion between the formats of summaries.

ROUGE-1.5.5 gives the same scores for both. Nothing is escaped or unescaped, since ROUGE does neither. Two
things are changed: `<`, which a sentence of SEE or ISI cannot contain, becomes `(`, which scores the same:
it separates tokens, is one byte under `-b`, and part of its word under `-l`, unlike a blank. And a
sentence's line feed, which only SEE can express, is dropped (one byte less under `-b`). The lines of plain
text become its sentences.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from rouge_cli import formats, plugins
from rouge_cli.cli import streams
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.option_groups import OptionGroup, argument, flag, option, takes
from rouge_cli.core import Notice, Summary
from rouge_cli.errors import RougeError, UnreadableFile, UnwritableFile, UsageError
from rouge_cli.io import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.core import Notify


def formats_written() -> list[str]:
    """Return the formats that any text can be converted to."""
    modules = {name: formats.named(name) for name in plugins.names(formats.__name__)}
    return [
        name
        for name, module in modules.items()
        if hasattr(module, "write") and not hasattr(module, "HAS_DATES")
    ]


FORMAT = click.Choice(formats_written(), case_sensitive=False)


class ConvertOptions(OptionGroup):
    """The summaries, their formats, and the output."""

    inputs: tuple[str, ...] = argument(nargs=-1, required=True, metavar="INPUT...")
    source: str | None = option("--from", "Format of the input.  [default: by its content]", type=FORMAT)
    target: str = option("--to", "Format of the output.", type=FORMAT, required=True)
    output: str = option("-o FILE_OR_DIR", "File or folder to write; - is stdout.", required=True)
    force: bool = flag("--force", "Overwrite existing files.")


@click.command("convert")
@takes(ConvertOptions)
def command(options: ConvertOptions) -> None:
    """Convert summaries between SEE, SPL, ISI and plain text, without changing their scores.

    INPUT is a file or a folder (with all its files except hidden ones); - is stdin. Names are kept, so
    settings only need a new folder. One file goes to a file, or into a folder that exists or is
    named with a / at its end; everything else goes into a folder.

    \b
    Examples: rouge-cli convert --to see -o peers.see/ peers
              rouge-cli convert --from see --to spl -o a.txt a.html

    SEE and ISI cannot contain <: it becomes (, which scores the same. The lines of plain text become
    sentences.
    """  # noqa: D301 - click's mark for lines to be kept
    plan = list(_plan(options.inputs, options.output))
    _check(plan, force=options.force)
    # Everything is converted before anything is written, so an error leaves no output.
    with Notices() as notices:
        converted = [
            (place, convert(data, options.source, options.target, path, notices))
            for path, place in plan
            for data in [files.read_any(path, "summary")]
        ]
        for place, data in converted:
            if place == files.STDIN:
                streams.emit(data)
                continue
            try:
                os.makedirs(os.path.dirname(place) or ".", exist_ok=True)
            except OSError as reason:
                raise UnwritableFile(place, reason) from None
            files.write_bytes(place, data)


def _plan(inputs: Sequence[str], output: str) -> Iterator[tuple[str, str]]:
    """Yield (path, output path) in order."""
    alone = len(inputs) == 1 and not os.path.isdir(inputs[0])
    if alone and not output.endswith("/") and not os.path.isdir(output):
        yield inputs[0], output
        return
    if output == files.STDIN:
        raise UsageError("stdout takes only one summary", remedy="name a folder with -o")
    for path in inputs:
        if path == files.STDIN:
            raise UsageError("stdin has no name in a folder", remedy="name a file with -o")
        if not os.path.isdir(path):
            yield path, os.path.join(output, os.path.basename(path))
            continue
        paths = list(_below(path))
        if not paths:
            raise RougeError("no summary in this folder", where=path)
        yield from ((source, os.path.join(output, os.path.relpath(source, path))) for source in paths)


def _below(folder: str) -> Iterator[str]:
    """Yield the files of a folder and its sub-folders, sorted, without hidden ones."""

    def refuse(reason: OSError) -> None:
        raise UnreadableFile(reason.filename, reason, role="folder")

    for parent, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (os.path.join(parent, name) for name in sorted(names) if not name.startswith("."))


def _check(plan: Sequence[tuple[str, str]], *, force: bool) -> None:
    """Raise an error if a file exists, and if two inputs would have one output."""
    taken: dict[str, str] = {}
    for path, place in plan:
        if place == files.STDIN:
            continue
        other = taken.setdefault(os.path.realpath(place), path)
        if other != path:
            raise UsageError(
                f"{other} and {path} would both become {place}", remedy="convert them separately"
            )
        if not force and os.path.isfile(place):
            raise RougeError("file exists", where=place, remedy="use --force to overwrite it")


def convert(data: bytes, source: str | None, target: str, path: str, notify: Notify) -> bytes:
    """Return the text in the target format.

    Args:
        source: Its format; None to detect it.
        path: The text's path, for messages.

    Raises:
        RougeError: For a text that is not empty, but has no sentence in the source format.
    """
    source = source or _guess(data, path)
    if source == target:
        return data
    units = formats.named(source).read(data).units
    if source in ("see", "isi") and data.strip() and not units:
        raise RougeError(f"not empty, but without sentences numbered as in {source.upper()}", where=path)
    lines = [line for unit in units for line in unit.split(b"\n") if line]
    if source == "see" and any(unit.endswith(b"\n") for unit in units):
        notify(Notice(f"{path}: unclosed sentences lose their line feed, one byte under -b"))
    if target not in ("spl", "plain") and any(b"<" in line for line in lines):
        notify(Notice(f"{path}: {target.upper()} cannot contain <; it becomes (, which scores the same"))
        lines = [line.replace(b"<", b"(") for line in lines]
    written: bytes = formats.named(target).write(Summary(lines), path.rpartition("/")[2])
    return written


def _guess(data: bytes, path: str) -> str:
    """Detect the format by content: SEE or ISI if there is such a sentence, else SPL (also plain text).

    Raises:
        RougeError: For a text that looks like SEE or ISI but has no sentence of it.
    """
    for name in ("see", "isi"):
        if formats.named(name).read(data).units:
            return name
    if b'<a name="' in data or b"<S SNTNO=" in data:
        raise RougeError(
            "it looks like SEE or ISI, but has no sentences numbered as in these formats",
            where=path,
            remedy="correct it, or name the format with --from",
        )
    return "spl"
