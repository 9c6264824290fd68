"""Reading and writing the files that a user names."""

from __future__ import annotations

import errno
import os
import stat
import sys

from rouge_cli.errors import UnreadableFile, UnwritableFile

STDIN = "-"


def read(path: str, role: str) -> bytes:
    """The file's bytes.

    role: what the file is to the user, for the message.
    Raises UnreadableFile.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as reason:  # ValueError: a NUL in the path
        raise UnreadableFile(path, reason, role=role) from None


def read_or_stdin(path: str, role: str) -> bytes:
    """The file's bytes, or those of stdin for `-`.

    Raises UnreadableFile.
    """
    if path != STDIN:
        return read(path, role)
    if sys.stdin is None:
        reason = OSError(errno.EBADF, os.strerror(errno.EBADF))
        raise UnreadableFile("stdin", reason, role=role)
    try:
        return sys.stdin.buffer.read()
    except OSError as reason:
        raise UnreadableFile("stdin", reason, role=role) from None


def write(path: str, text: str) -> None:
    """Make the text the file's content, as UTF-8, in the way of `write_bytes`.

    Raises UnwritableFile.
    """
    try:
        # Names of files that are not UTF-8 come with surrogates, and leave as the bytes that they were.
        data = text.encode("utf-8", "surrogateescape")
    except ValueError as reason:
        raise UnwritableFile(path, reason) from None
    write_bytes(path, data)


def write_bytes(path: str, data: bytes) -> None:
    """Make the bytes the file's content: all of them, or the file stays what it was.

    A file that exists keeps its permissions; a link is followed; a device or a pipe is written to as it is.
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


def _replace(path: str, data: bytes) -> None:
    """Write beside the file, then take its place in one step."""
    mode = stat.S_IMODE(os.stat(path).st_mode) if os.path.exists(path) else None
    beside = os.path.join(os.path.dirname(path), f".rouge-cli-{os.urandom(8).hex()}.tmp")
    # Not by `tempfile`: its files are the owner's alone, and a new report is to follow the umask.
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:  # an interrupt too leaves nothing behind
        os.unlink(beside)
        raise
