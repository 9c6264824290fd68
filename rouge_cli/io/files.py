"""Reading and writing the files that a user names.

`read` returns a file's bytes unchanged, as ROUGE-1.5.5 reads them. `text`, `lines` and
`head` are for other inputs: `-` is stdin, text is converted to UTF-8, and a file with a
suffix such as `.gz` is decompressed if its content is compressed, in whatever format.
"""

from __future__ import annotations

import codecs
import errno
import os
import stat
import sys
from binascii import crc32
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli.errors import (
    RougeError,
    UnreadableFile,
    UnwritableFile,
    UsageError,
    encode,
)
from rouge_cli.io import interrupts, positions, spans, urls
from rouge_cli.io.compression import (
    PIECE,
    compression,
    cut,
    decompress,
    suffix_of,
)

if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from rouge_cli.io.spans import LineSpan

STDIN = "-"
UTF8 = "utf-8"
_START = 1000  # bytes of a file in which UTF-16 shows
MB = 1 << 20
RECORD_MB = 64  # of the longest line or record, unless the variable states another
RECORD_VARIABLE = "ROUGE_CLI_RECORD_MB"
# A compressed file that is read whole, such as a JSON document, may be as large as so
# many of the longest records.
RECORDS_OF_A_FILE = 4
_searched: set[str] = set()  # folders without temporary files of dead processes
# Path -> stdin then, and the content of a pipe, such as - or <(COMMAND), whose start
# `head` has read.
_begun: dict[str, tuple[object, Iterator[bytes]]] = {}


def read(path: str, role: str) -> bytes:
    """Return the file's bytes; raise UnreadableFile with its role, such as `settings
    file`.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as reason:  # ValueError: a NUL in the path
        raise UnreadableFile(path, reason, role=role) from None


def opened(path: str, role: str) -> BinaryIO:
    """Open a regular file to read bytes; raise UnreadableFile, also for a pipe or a
    device, which is not opened.
    """
    try:
        _check_regular(os.stat(path))
        # It may have been replaced since: a pipe must not wait for a writer
        file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 - closed by callers
    except (OSError, ValueError) as reason:
        raise UnreadableFile(path, reason, role=role) from None
    try:
        _check_regular(os.fstat(file.fileno()))
    except ValueError as reason:
        file.close()
        raise UnreadableFile(path, reason, role=role) from None
    return file


def _check_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("not a regular file")


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for another process."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_any(path: str, role: str, *, is_local: bool = False) -> bytes:
    """Return the bytes, decompressed but not decoded; `-` is stdin. May raise
    UnreadableFile.

    Args:
        is_local: A URL is the path of a file, as any other.
    """
    return b"".join(_limited(path, role, is_local=is_local))


def text(
    path: str, role: str, encoding: str | None = None, *, is_local: bool = False
) -> bytes:
    """Return the whole text in UTF-8, decompressed, without a byte order mark; `-` is
    stdin.

    Args:
        encoding: The value of `--encoding`; None for UTF-8 in a command without this
            option.
        is_local: A URL is the path of a file, as any other.

    Raises:
        UnreadableFile: If the file cannot be read or decompressed.
        RougeError: If bytes are not in the encoding. The error has the line and the
            offset.
        UsageError: If the encoding is unknown.
    """
    return b"".join(
        piece
        for _, piece in _utf8(
            _limited(path, role, is_local=is_local), place(path), encoding
        )
    )


def as_text(data: bytes, where: str, encoding: str | None = None) -> bytes:
    """Return UTF-8 text without a byte order mark; raise RougeError with line and
    offset for other bytes.

    Args:
        encoding: UTF-8 if the command has the option `--encoding`, which the message
            then mentions.
    """
    if data.isascii():
        return data
    return b"".join(piece for _, piece in _utf8([data], where, encoding))


def lines(
    path: str, role: str, encoding: str | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of `text`, numbered from 1; only LF ends a line, or CR LF."""
    for first, block in blocks(path, role, encoding):
        *whole, last = block.split(b"\n")
        for number, line in enumerate(whole, first):
            yield number, line.removesuffix(b"\r")
        if last:
            yield first + len(whole), last


def blocks(
    path: str, role: str, encoding: str | None = None, span: LineSpan | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of `text` in blocks of whole lines, each with the number of
    its first line.

    Args:
        span: The lines to read of the file; None for all.
    """
    if span is None:
        pieces = _utf8(_pieces(path, role), place(path), encoding)
        yield from _whole_lines(pieces, path)
        return
    left = span.lines
    for number, block in _whole_lines(_of_span(path, role, encoding, span), path):
        if left is not None:
            lines = block.count(b"\n")
            if lines >= left:
                yield number, block[: spans.after_lines(block, left)]
                return
            left -= lines
        yield number, block


def _of_span(
    path: str, role: str, encoding: str | None, span: LineSpan
) -> Iterator[tuple[int, bytes]]:
    """Yield the pieces of a file from the first line of a span on, as `_utf8` does."""
    try:
        read = spans.pieces(span)
        position, piece = next(read, (span.offset, b""))
        rest = chain([piece], (piece for _, piece in read))
        yield from _utf8(rest, place(path), encoding, position, span.first)
    except OSError as reason:
        raise UnreadableFile(place(path), reason, role=role) from None


def _whole_lines(
    pieces: Iterable[tuple[int, bytes]], path: str
) -> Iterator[tuple[int, bytes]]:
    """Yield the pieces in blocks of whole lines; raise RougeError for a line that is
    larger than the largest record.
    """
    number = 1
    begun: list[bytes] = []
    most = largest_record()
    size = 0  # of the line that has begun
    for number, piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield number, b"".join([*begun, memoryview(piece)[:end]])
            begun = [piece[end:]]
            size = len(begun[0])
        else:
            begun.append(piece)
            size += len(piece)
        if size > most:
            line = number + piece.count(b"\n")
            raise too_large("the line", f"{place(path)}:{line}")
    if last := b"".join(begun):
        yield number, last


def head(path: str, role: str) -> bytes:
    """Return the start of the file, from its first byte that is not blank; empty for a
    blank file.

    Stdin and other pipes can be read from their start afterwards. May raise
    UnreadableFile.
    """
    pieces, taken, start = _pieces(path, role), [], b""
    for piece in pieces:
        taken.append(piece)
        if start := piece.removeprefix(codecs.BOM_UTF8).lstrip():
            break
    if path == STDIN or not os.path.isfile(path):
        _begun[path] = sys.stdin, chain(taken, pieces)
    return start


def largest_record() -> int:
    """Return the most bytes that a line or record of an input may have.

    Raises:
        UsageError: The environment variable RECORD_VARIABLE is not a number of MB.
    """
    value = os.environ.get(RECORD_VARIABLE, "")
    if not value:
        return RECORD_MB * MB
    if not (
        value.isascii() and value.isdigit() and 1 <= len(value) <= 9 and int(value)
    ):
        raise UsageError(
            f"{RECORD_VARIABLE} is {value!r}", remedy="set it to a number of MB, from 1"
        )
    return int(value) * MB


def too_large(what: str, where: str, times: int = 1) -> RougeError:
    """Return the error of a record, or of a file of so many records, above the limit.

    Args:
        what: The subject of the message, such as "the line".
        where: Its file and line.
    """
    most = times * largest_record() // MB
    remedy = f"if it is meant to, set {RECORD_VARIABLE} to more than"
    return RougeError(
        f"{what} has more than {most} MB",
        where=where,
        remedy=f"{remedy} {largest_record() // MB}",
    )


def check_stdin(paths: Iterable[str]) -> None:
    """Raise UsageError if stdin is named twice."""
    if list(paths).count(STDIN) > 1:
        what = "stdin (-) is named twice, but can be read only once"
        raise UsageError(what, remedy="save one of the two in a file")


def is_pipe(path: str) -> bool:
    """Return whether the path is stdin or a pipe, such as <(COMMAND), which can be
    read only once.
    """
    return path == STDIN or (
        os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode)
    )


def place(path: str) -> str:
    """Return the path for messages."""
    return "stdin" if path == STDIN else path


def uncompressed(path: str) -> str:
    """Return the path without a suffix of COMPRESSIONS."""
    return path[: len(path) - len(compression(path))]


def stem(path: str) -> str:
    """Return the path without a suffix of COMPRESSIONS, and without its suffix
    unless that is a number.
    """
    path = uncompressed(path)
    start, suffix = os.path.splitext(path)
    return path if suffix[1:].isdigit() else start


def _pieces(path: str, role: str, *, is_local: bool = False) -> Iterator[bytes]:
    """Yield the file's bytes as they come, decompressed."""
    if path in _begun:
        stdin, begun = _begun.pop(path)
        if path != STDIN or stdin is sys.stdin:
            yield from begun
            return
    if path == STDIN and sys.stdin is None:
        raise UnreadableFile(
            "stdin", OSError(errno.EBADF, os.strerror(errno.EBADF)), role=role
        )
    try:
        if path == STDIN:
            stream: Any = sys.stdin.buffer
            yield stream.read1(PIECE)  # what there is, for `head`
            yield from iter(partial(stream.read, PIECE), b"")
            return
        with open(path, "rb") if is_local else urls.opened(path, whole=True) as file:
            pieces = positions.pieces(path, file)
            start = file.peek(8) if compression(path) else b""  # type: ignore[attr-defined]
            suffix = suffix_of(start)
            if suffix:
                yield from cut(decompress(pieces, path, suffix), PIECE)
            else:
                yield from pieces
    except (OSError, ValueError, EOFError) as reason:
        # EOFError: the file is truncated
        error = ValueError(str(reason)) if isinstance(reason, EOFError) else reason
        unreadable = UnreadableFile(place(path), error, role=role)
        if is_local and urls.is_url(path):
            unreadable.remedy = "URLs are not read here; save it in a file"
        raise unreadable from None


def _limited(path: str, role: str, *, is_local: bool) -> Iterator[bytes]:
    """Yield the pieces of a file that is read whole; raise RougeError if a compressed
    file exceeds RECORDS_OF_A_FILE.
    """
    most = RECORDS_OF_A_FILE * largest_record()
    size = 0
    for piece in _pieces(path, role, is_local=is_local):
        size += len(piece)
        if size > most and compression(path):
            raise too_large(f"decompressed, the {role}", path, RECORDS_OF_A_FILE)
        yield piece


def is_utf8(encoding: str) -> bool:
    """Return True if this is a name of UTF-8; raise UsageError for an unknown
    encoding.
    """
    _decoder(encoding)
    return codecs.lookup(encoding).name == UTF8


def _utf8(
    pieces: Iterable[bytes],
    place: str,
    named: str | None,
    position: int = 0,
    line: int = 1,
) -> Iterator[tuple[int, bytes]]:
    """Yield the pieces in UTF-8, without a byte order mark, each with the number of its
    first line.

    A piece never ends within a character. The errors are those of `text`.

    Args:
        position: The offset of the first piece in its file, which begins a line.
        line: The number of this line.
    """
    encoding = UTF8 if named is None else named
    decoder = _decoder(encoding)
    is_same = is_utf8(encoding)
    begun = position > 0
    for piece in chain(pieces, (None,)):
        data = piece or b""
        if is_same and not position and data[:_START].count(0) * 4 > len(data[:_START]):
            what = "many NUL bytes, as in UTF-16 without a byte order mark"
            remedy = (
                "name the encoding (--encoding utf-16-le or utf-16-be), or save it as"
                " UTF-8"
            )
            raise RougeError(what, where=place, remedy=remedy)
        try:
            if begun and is_same:  # checked, but not encoded again
                whole = decoder.getstate()[0] + data
                if not whole.isascii():
                    decoder.decode(data, piece is None)
                encoded = whole[: len(whole) - len(decoder.getstate()[0])]
            else:
                decoded = decoder.decode(data, piece is None)
                if decoded and not begun:
                    decoded, begun = decoded.removeprefix("\ufeff"), True
                encoded = decoded.encode()
        except UnicodeError as error:
            what, good = f"not text in {encoding} ({error})", 0
            if isinstance(error, UnicodeDecodeError):
                # From the end, since a decoder may prepend bytes that are left from the
                # piece before.
                start = len(data) - len(error.object) + error.start
                byte, good = error.object[error.start], max(start, 0)
                what = f"not {encoding}: byte 0x{byte:02x} at offset {position + start}"
            with suppress(UnicodeError):
                valid = decoder.decode(data[:good])
                whole_lines = valid[: valid.rfind("\n") + 1]
                if not begun:
                    whole_lines = whole_lines.removeprefix("\ufeff")
                # First, so that errors come in the order of lines, however large the
                # pieces are.
                yield line, whole_lines.encode()
                line += whole_lines.count("\n")
            remedy = "name the file's encoding with --encoding, or " if named else ""
            raise RougeError(
                what, where=f"{place}:{line}", remedy=f"{remedy}save it as UTF-8"
            ) from None
        position += len(data)
        yield line, encoded
        line += encoded.count(b"\n")


def _decoder(encoding: str) -> codecs.IncrementalDecoder:
    try:
        with suppress(UnicodeDecodeError):
            b" ".decode(encoding)  # refuses codecs that are not text encodings
        return codecs.getincrementaldecoder(encoding)()
    except (LookupError, ValueError):
        remedy = "use one of Python's names, such as latin-1 or utf-16"
        raise UsageError(f"unknown encoding {encoding!r}", remedy=remedy) from None


def write(path: str, text: Iterable[str]) -> None:
    """Replace the file's content with a text or its parts in UTF-8, as `write_bytes`
    does.
    """
    write_bytes(path, encoded(text))


def encoded(text: Iterable[str]) -> Iterator[bytes]:
    """Yield the bytes of a text, or of its parts, some together (see
    `errors.encode`).
    """
    parts: list[str] = []
    size = 0
    for part in [text] if isinstance(text, str) else text:
        parts.append(part)
        size += len(part)
        if size >= PIECE:
            yield encode("".join(parts))
            parts, size = [], 0
    yield encode("".join(parts))


def write_bytes(path: str, data: bytes | Iterable[bytes]) -> None:
    """Replace the file's content with the bytes, atomically; raise UnwritableFile.

    An existing file keeps its permissions; links are followed; devices and pipes are
    written directly.
    """
    parts = [data] if isinstance(data, bytes) else data
    try:
        _check_local(path)
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.writelines(parts)
        else:
            _replace(os.path.realpath(path), parts)
    except (OSError, ValueError) as reason:  # ValueError: a NUL in the path
        raise UnwritableFile(path, reason) from None


def _check_local(path: str) -> None:
    if urls.is_url(path):
        raise ValueError("a URL; write to a local file")


def check_target(path: str) -> None:
    """Raise UnwritableFile if the file's own permissions forbid writing, even if its
    folder allows it, and for a URL.
    """
    try:
        _check_local(path)
        _mode(os.path.realpath(path))
    except (OSError, ValueError) as reason:
        raise UnwritableFile(path, reason) from None


def _mode(path: str) -> int | None:
    """Return the file's permissions, None if there is no file; raise PermissionError
    if it is read-only.
    """
    if not os.path.isfile(path):
        return None
    mode = stat.S_IMODE(os.stat(path).st_mode)
    # os.access alone does not suffice: it is always true for root.
    if not (mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return mode


def machine() -> str:
    """Return a number for this machine: others may share its folders."""
    return f"{crc32(os.uname().nodename.encode()):08x}"


def _remove_abandoned(folder: str) -> None:
    """Remove temporary files of processes of this machine that were killed (kill -9,
    out of memory). A folder is searched once.
    """
    if folder in _searched or os.name != "posix":
        return
    _searched.add(folder)
    with suppress(OSError):
        start = f".rouge-cli-{machine()}-"
        for name in os.listdir(folder or "."):
            if name.startswith(start) and name.endswith(".tmp"):
                process = name.removeprefix(start).partition("-")[0]
                if process.isdecimal() and not is_alive(int(process)):
                    with suppress(OSError):
                        os.unlink(os.path.join(folder, name))


def is_alive(process: int) -> bool:
    """Return whether a process of this machine runs, by its number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # of another user
    return True


def _replace(path: str, parts: Iterable[bytes]) -> None:
    """Write a temporary file in the same folder, then rename it."""
    mode = _mode(path)
    folder = os.path.dirname(path)
    _remove_abandoned(folder)
    name = f".rouge-cli-{machine()}-{os.getpid()}-{os.urandom(8).hex()}.tmp"
    temporary = os.path.join(folder, name)
    # Not with `tempfile`, whose files only their owner can read: a new file must follow
    # the umask.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666 if mode is None else mode & 0o600)
    with interrupts.Cleanup(partial(os.unlink, temporary)):
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                os.chmod(temporary, mode)
            os.replace(temporary, path)
        except BaseException:  # an interrupt must not leave the temporary file
            os.unlink(temporary)
            raise
