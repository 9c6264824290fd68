"""Reading and writing the files that a user names.

`read` returns a file's bytes unchanged, as ROUGE-1.5.5 reads them. `text`, `lines` and `head` are for other
inputs: `-` is stdin, text is converted to UTF-8, and a file with a suffix such as `.gz` is decompressed if
its content is compressed, in whatever format.
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli import interrupts, stdin
from rouge_cli.decompression import decompress
from rouge_cli.errors import RougeError, UnreadableFile, UnwritableFile, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDIN = "-"
UTF8 = "utf-8"
# Suffix -> the start of compressed content; a .zst may start with a frame that decompressors skip.
COMPRESSIONS = {
    ".gz": rb"\x1f\x8b",
    ".bz2": rb"BZh[1-9]",
    ".xz": rb"\xfd7zXZ\0",
    ".zst": rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18",
}


def read(path: str, role: str) -> bytes:
    """Return the file's bytes.

    role: the file's purpose, for messages.
    Raises UnreadableFile.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as reason:  # ValueError: a NUL in the path
        raise UnreadableFile(path, reason, role=role) from None


def read_any(path: str, role: str) -> bytes:
    """Return the file's bytes, decompressed but not decoded; `-` is stdin.

    Raises UnreadableFile.
    """
    return b"".join(_pieces(path, role)) if path == STDIN or compression(path) else read(path, role)


def text(path: str, role: str, encoding: str | None = None) -> bytes:
    """Return the whole text in UTF-8, decompressed, without a byte order mark; `-` is stdin.

    encoding: the value of `--encoding`; None for UTF-8 in a command without this option.
    Raises UnreadableFile (also for damaged compressed files), RougeError with line and offset for bytes
    that are not in the encoding, UsageError for an unknown encoding.
    """
    return b"".join(_utf8(_pieces(path, role), path, encoding))


def as_text(data: bytes, where: str, encoding: str | None = None) -> bytes:
    """Return UTF-8 text without a byte order mark; raise RougeError with line and offset for other bytes.

    where: the file, for messages. encoding: UTF8 if the command has the option `--encoding`, which the
    message then mentions.
    """
    return b"".join(_utf8([data], where, encoding)) if not data.isascii() else data


def lines(
    path: str, role: str, encoding: str | None = None, *, ends: bool = False
) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of `text`, numbered from 1; only LF ends a line.

    ends: True to keep line ends; else LF, and CR before it, are removed.
    """
    number = 0
    begun: list[bytes] = []
    for piece in _utf8(_pieces(path, role), path, encoding):
        first, *others = piece.split(b"\n")
        begun.append(first)
        if not others:
            continue
        *whole, rest = others
        for line in chain((b"".join(begun),), whole):
            number += 1
            yield number, line + b"\n" if ends else line.removesuffix(b"\r")
        begun = [rest]
    if last := b"".join(begun):
        yield number + 1, last


def head(path: str, role: str) -> bytes:
    """Return the start of the file, from its first byte that is not blank; empty for a blank file.

    Stdin can be read from its start afterwards. Raises UnreadableFile.
    """
    if path == STDIN:
        return stdin.head(role)
    for piece in _pieces(path, role):
        if start := piece.removeprefix(codecs.BOM_UTF8).lstrip():
            return start
    return b""


def check_stdin(paths: Iterable[str]) -> None:
    """Raise UsageError if stdin is named twice."""
    if list(paths).count(STDIN) > 1:
        raise UsageError(
            "stdin (-) is named twice, but can be read only once", remedy="save one of the two in a file"
        )


def place(path: str) -> str:
    """Return the path for messages."""
    return "stdin" if path == STDIN else path


def compression(path: str) -> str:
    """Return the path's suffix if it is one of COMPRESSIONS, in lower case; else empty."""
    suffix = os.path.splitext(path)[1].lower()
    return suffix if suffix in COMPRESSIONS else ""


def compression_of(start: bytes) -> str:
    """Return the suffix in COMPRESSIONS for content with this start; empty if it is not compressed."""
    return next((suffix for suffix, magic in COMPRESSIONS.items() if re.match(magic, start)), "")


def uncompressed(path: str) -> str:
    """Return the path without a suffix of COMPRESSIONS."""
    return path[: len(path) - len(compression(path))]


def stem(path: str) -> str:
    """Return the path without a suffix of COMPRESSIONS, and without another unless that is a number."""
    path = uncompressed(path)
    start, suffix = os.path.splitext(path)
    return path if suffix[1:].isdigit() else start


def is_utf8(encoding: str) -> bool:
    """Return True if this is a name of UTF-8.

    Raises UsageError for an unknown encoding.
    """
    _decoder(encoding)
    return codecs.lookup(encoding).name == UTF8


def _pieces(path: str, role: str) -> Iterator[bytes]:
    """Yield the file's bytes as they come, decompressed."""
    if path == STDIN:
        yield from stdin.pieces(role)
        return
    try:
        with open(path, "rb") as file:
            pieces = iter(partial(file.read, stdin.PIECE), b"")
            suffix = compression_of(file.peek(8)) if compression(path) else ""
            yield from decompress(pieces, path, suffix) if suffix else pieces
    except (OSError, ValueError, EOFError) as reason:
        error = ValueError(str(reason)) if isinstance(reason, EOFError) else reason  # a truncated file
        raise UnreadableFile(path, error, role=role) from None


def _decoder(encoding: str) -> codecs.IncrementalDecoder:
    try:
        with suppress(UnicodeDecodeError):
            b" ".decode(encoding)  # refuses codecs that are not text encodings
        return codecs.getincrementaldecoder(encoding)()
    except (LookupError, ValueError):
        raise UsageError(
            f"unknown encoding {encoding!r}", remedy="use one of Python's names, such as latin-1 or utf-16"
        ) from None


def _utf8(pieces: Iterable[bytes], path: str, named: str | None) -> Iterator[bytes]:
    """Yield the pieces in UTF-8, without a byte order mark; a piece never ends within a character."""
    encoding = UTF8 if named is None else named
    decoder = _decoder(encoding)
    position, line, begun = 0, 1, False
    for piece in chain(pieces, (None,)):
        data = piece or b""
        try:
            decoded = decoder.decode(data, piece is None)
            if decoded and not begun:
                decoded, begun = decoded.removeprefix("\ufeff"), True
            encoded = decoded.encode()
        except UnicodeError as error:
            what, good = _bad_bytes(error, encoding, position, len(data))
            with suppress(UnicodeError):
                line += decoder.decode(data[:good]).count("\n")
            remedy = (
                "name the file's encoding with --encoding, or save it as UTF-8"
                if named
                else "save it as UTF-8"
            )
            raise RougeError(what, where=f"{place(path)}:{line}", remedy=remedy) from None
        position += len(data)
        line += encoded.count(b"\n")
        yield encoded


def _bad_bytes(error: UnicodeError, encoding: str, position: int, size: int) -> tuple[str, int]:
    """Return the message for a piece of this size at this position, and the size of its valid part."""
    if not isinstance(error, UnicodeDecodeError):
        return f"not text in {encoding} ({error})", 0
    # Counted from the end, since a decoder may prepend bytes that are left from the piece before.
    back = len(error.object) - error.start
    byte = error.object[error.start]
    return f"not {encoding}: byte 0x{byte:02x} at offset {position + size - back}", max(size - back, 0)


def write(path: str, text: str) -> None:
    """Replace the file's content with the text in UTF-8, as `write_bytes` does.

    Raises UnwritableFile.
    """
    try:
        # File names outside UTF-8 contain surrogates; they are written as their original bytes.
        data = text.encode("utf-8", "surrogateescape")
    except ValueError as reason:
        raise UnwritableFile(path, reason) from None
    write_bytes(path, data)


def write_bytes(path: str, data: bytes) -> None:
    """Replace the file's content with the bytes, atomically.

    An existing file keeps its permissions; links are followed; devices and pipes are written directly.
    Raises UnwritableFile.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except (OSError, ValueError) as reason:  # ValueError: a NUL in the path
        raise UnwritableFile(path, reason) from None


def check_target(path: str) -> None:
    """Raise UnwritableFile if the file's own permissions forbid writing, even if its folder allows it."""
    try:
        _mode(os.path.realpath(path))
    except (OSError, ValueError) as reason:
        raise UnwritableFile(path, reason) from None


def _mode(path: str) -> int | None:
    """Return the file's permissions, None if there is no file; raise PermissionError if it is read-only."""
    if not os.path.isfile(path):
        return None
    mode = stat.S_IMODE(os.stat(path).st_mode)
    # os.access alone does not suffice: it is always true for root.
    if not (mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return mode


def _replace(path: str, data: bytes) -> None:
    """Write a temporary file in the same folder, then rename it."""
    mode = _mode(path)
    temporary = os.path.join(os.path.dirname(path), f".rouge-cli-{os.urandom(8).hex()}.tmp")
    # Not with `tempfile`, whose files only their owner can read: a new file must follow the umask.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666 if mode is None else mode & 0o600)
    with interrupts.Cleanup(partial(os.unlink, temporary)):
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                os.chmod(temporary, mode)
            os.replace(temporary, path)
        except BaseException:  # an interrupt must not leave the temporary file
            os.unlink(temporary)
            raise
