"""`rouge-cli convert`: conversion between the formats of summaries."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from rouge_cli.cli import conversion, streams
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.option_groups import OptionGroup, argument, flag, option, takes
from rouge_cli.errors import RougeError, UnreadableFile, UnwritableFile, UsageError
from rouge_cli.io import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FORMAT = click.Choice(conversion.formats_written(), case_sensitive=False)


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
            (place, conversion.convert(data, options.source, options.target, path, notices))
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
