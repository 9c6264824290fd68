"""Conversion of one input format to another, so that ROUGE-1.5.5 gives the same scores for both.

Nothing is escaped or unescaped, since ROUGE does neither. Two things are changed: `<`, which a
sentence of SEE or ISI cannot contain, becomes `(`, which scores the same: it separates tokens, is one byte
under `-b`, and part of its word under `-l`, unlike a blank. And a sentence's line feed, which only SEE can
express, is dropped (one byte less under `-b`). The lines of plain text become its sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import formats, plugins
from rouge_cli.core import Notice, Summary
from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from rouge_cli.core import Notify


def formats_written() -> list[str]:
    """Return the formats that any text can be converted to."""
    modules = {name: formats.named(name) for name in plugins.names(formats.__name__)}
    return [
        name
        for name, module in modules.items()
        if hasattr(module, "write") and not hasattr(module, "HAS_DATES")
    ]


def convert(data: bytes, source: str | None, target: str, path: str, notify: Notify) -> bytes:
    """Return the text in the target format.

    source: its format; None to detect it. path: the text's path, for messages.
    Raises RougeError for a text that is not empty, but has no sentence in the source format.
    """
    source = source or guess(data, path)
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


def guess(data: bytes, path: str) -> str:
    """Detect the format by content: SEE or ISI if there is such a sentence, else SPL (also plain text).

    Raises RougeError for a text that looks like SEE or ISI but has no sentence of it.
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
