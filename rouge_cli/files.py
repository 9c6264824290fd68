"""Reading the files that a user names."""

from __future__ import annotations

import errno
import os
import sys

from rouge_cli.errors import UnreadableFile

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
