"""From one input format to another, so that ROUGE-1.5.5 gives the same scores for both.

Nothing is escaped or unescaped, since ROUGE does neither. Two things have to give way: `<`, which no
sentence of SEE or ISI can hold, becomes `(`, which counts the same: it separates tokens, is one byte under
`-b`, and part of its word under `-l`, as a blank would not be. And a sentence's line feed, which only SEE
can hold, goes (one byte less under `-b`). The lines of plain text are taken for its sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import folders, formats
from rouge_cli.core import Notice, Summary
from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from rouge_cli.core import Notify


def formats_written() -> list[str]:
    """Return the formats that any text can be converted to."""
    names = folders.names(formats.__name__)
    return [name for name in names if hasattr(formats.named(name), "write") and not _has_dates(name)]


def _has_dates(name: str) -> bool:
    return hasattr(formats.named(name), "HAS_DATES")


def convert(data: bytes, source: str | None, target: str, path: str, notify: Notify) -> bytes:
    """Return the text in the target format.

    source: its format; None to tell from its content. path: where it comes from.
    Raises RougeError for a text in which the source format finds nothing although it is not empty.
    """
    source = source or guess(data, path)
    if source == target:
        return data
    units = formats.named(source).read(data).units
    if source in ("see", "isi") and data.strip() and not units:
        raise RougeError(f"not empty, but no sentence is numbered as {source.upper()} asks", where=path)
    lines = [line for unit in units for line in unit.split(b"\n") if line]
    if source == "see" and any(unit.endswith(b"\n") for unit in units):
        notify(Notice(f"{path}: sentences that no tag closes lose their line feed, one byte under -b"))
    if target not in ("spl", "plain") and any(b"<" in line for line in lines):
        notify(Notice(f"{path}: {target.upper()} cannot hold <; ( stands for each, and scores the same"))
        lines = [line.replace(b"<", b"(") for line in lines]
    written: bytes = formats.named(target).write(Summary(lines), path.rpartition("/")[2])
    return written


def guess(data: bytes, path: str) -> str:
    """Detect the format by content: SEE or ISI if there is such a sentence, else SPL (also plain text).

    Raises RougeError for what looks like SEE or ISI and has no sentence of it.
    """
    for name in ("see", "isi"):
        if formats.named(name).read(data).units:
            return name
    if b'<a name="' in data or b"<S SNTNO=" in data:
        raise RougeError(
            "it looks like SEE or ISI, but no sentence is numbered as they ask",
            where=path,
            remedy="mend it, or say what it is with --from",
        )
    return "spl"
