"""Users' files that options name: `file:PATH`, and `file:PATH#0123abcd` in a
signature.
"""

import re
from collections.abc import Mapping, Sequence

from rouge_cli.errors import UsageError
from rouge_cli.io import digests, files


def users_file(
    value: str, role: str, names: Sequence[str] = ()
) -> tuple[str, bytes, str]:
    """Read the file of an option's value `file:PATH`; return the value for the
    signature, bytes and path.

    In the signature the value is `file:PATH#0123abcd`, with the beginning of the file's
    SHA-256, to detect another file of the same name.

    Args:
        value: The option's value, with or without a checksum.
        role: The file's purpose, for messages.
        names: Values that are returned unchanged, without bytes and path.

    Raises:
        UsageError: The value is neither a name nor `file:PATH`, or the checksum
            differs.
        UnreadableFile: The file cannot be read.
    """
    if value in names:
        return value, b"", ""
    if names and not value.startswith("file:"):
        raise UsageError(
            f"unknown {role} {value!r}", remedy=f"use {', '.join(names)}, or file:PATH"
        )
    kind, _, rest = value.partition(":")
    signed = re.fullmatch(r"(.+)#([0-9a-f]{8})", rest, re.DOTALL)
    path, expected = signed.groups() if signed else (rest, "")
    if kind != "file" or not path:
        raise UsageError(f"no {role}: {value!r}", remedy="name it as file:PATH")
    data = files.read(path, role)
    checksum = digests.checksum(data)
    if expected not in ("", checksum):
        raise UsageError(
            f"{path} is not the {role} of the signature (checksum {checksum}, not"
            f" {expected})"
        )
    return f"file:{path}#{checksum}", data, path


def users_files(options: Mapping[str, object]) -> list[str]:
    """Return the paths of the user's files that options name, as in the signature."""
    values = (
        value
        for value in options.values()
        if isinstance(value, str) and "file:" in value
    )
    matches = (
        re.search(r"(?:^|,)file:(.+)#[0-9a-f]{8}$", value, re.DOTALL)
        for value in values
    )
    return [match[1] for match in matches if match]
