"""Reading and writing the files that a user names."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress

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


def write_bytes(path: str, data: bytes) -> None:
    """Write a file whole or not at all: whoever reads it meanwhile sees what was there before.

    What is no regular file, such as /dev/stdout, is written to as it is.
    Raises UnwritableFile.
    """
    target = os.path.realpath(path) if "\0" not in path else path
    draft = os.path.join(os.path.dirname(target), f".{os.getpid()}.draft")
    direct = os.path.exists(path) and not os.path.isfile(path)
    try:
        with open(target if direct else draft, "wb" if direct else "xb") as file:
            file.write(data)
        if not direct:
            os.replace(draft, target)
    except (OSError, ValueError) as reason:  # ValueError: a NUL in the path
        raise UnwritableFile(path, reason) from None
    finally:
        with suppress(OSError, ValueError):
            os.unlink(draft)  # an interrupt leaves nothing behind, either
