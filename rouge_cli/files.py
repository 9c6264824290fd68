"""Reading the files that a user names."""

from __future__ import annotations

from rouge_cli.errors import UnreadableFile


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
