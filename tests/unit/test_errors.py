"""What an error says, and what it exits with."""

from __future__ import annotations

import errno

import pytest

from rouge_cli.errors import RougeError, UnreadableFile, UsageError


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RougeError("wrong"), "wrong"),
        (RougeError("wrong", where="s.xml:7"), "s.xml:7: wrong"),
        (RougeError("wrong", remedy="mend it"), "wrong; mend it"),
        (RougeError("wrong", where="eval 7", remedy="mend it"), "eval 7: wrong; mend it"),
        (UsageError("-c 101: too high"), "-c 101: too high"),
    ],
)
def test_a_message_is_place_fault_and_remedy(error: RougeError, message: str) -> None:
    """An error reads `where: what; remedy`, without what it does not have."""
    assert message == str(error)


@pytest.mark.parametrize(("kind", "status"), [(RougeError, 1), (UsageError, 2), (UnreadableFile, 1)])
def test_exit_codes_tell_data_from_usage(kind: type[RougeError], status: int) -> None:
    """Wrong data end with 1, wrong usage ends with 2."""
    assert status == kind.exit_code


@pytest.mark.parametrize(
    ("reason", "message", "number"),
    [
        (FileNotFoundError(errno.ENOENT, "gone"), "a/b: cannot read the peer: gone", errno.ENOENT),
        (PermissionError(errno.EACCES, "no way"), "a/b: cannot read the peer: no way", errno.EACCES),
        (ValueError("embedded null byte"), "a/b: cannot read the peer: embedded null byte", errno.EINVAL),
        (OSError("no number"), "a/b: cannot read the peer: no number", errno.EINVAL),
    ],
)
def test_an_unreadable_file_has_the_systems_reason(
    reason: OSError | ValueError, message: str, number: int
) -> None:
    """The message names path and role, and the number is the system's, never 0."""
    error = UnreadableFile("a/b", reason, role="peer")

    assert (message, number) == (str(error), error.errno)
