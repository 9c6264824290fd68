"""The message and the exit code of an error."""

import errno
import sys
from functools import partial

import pytest

from rouge_cli.errors import (
    ErrorGroup,
    RougeError,
    UnreadableFile,
    UsageError,
    all_of,
    combine,
    require,
)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RougeError("wrong"), "wrong"),
        (RougeError("wrong", where="s.xml:7"), "s.xml:7: wrong"),
        (RougeError("wrong", remedy="mend it"), "wrong; mend it"),
        (
            RougeError("wrong", where="eval 7", remedy="mend it"),
            "eval 7: wrong; mend it",
        ),
        (UsageError("-c 101: too high"), "-c 101: too high"),
    ],
)
def test_a_message_is_place_fault_and_remedy(error: RougeError, message: str) -> None:
    """An error reads `where: what; remedy`, without the parts that it lacks."""
    assert message == str(error)


@pytest.mark.parametrize(
    ("kind", "status"), [(RougeError, 1), (UsageError, 2), (UnreadableFile, 1)]
)
def test_exit_codes_tell_data_from_usage(kind: type[RougeError], status: int) -> None:
    """Wrong data exit with 1, wrong usage exits with 2."""
    assert status == kind.exit_code


@pytest.mark.parametrize(
    ("reason", "message", "number"),
    [
        (
            FileNotFoundError(errno.ENOENT, "gone"),
            "a/b: cannot read the peer: gone",
            errno.ENOENT,
        ),
        (
            PermissionError(errno.EACCES, "no way"),
            "a/b: cannot read the peer: no way",
            errno.EACCES,
        ),
        (
            ValueError("embedded null byte"),
            "a/b: cannot read the peer: embedded null byte",
            errno.EINVAL,
        ),
        (OSError("no number"), "a/b: cannot read the peer: no number", errno.EINVAL),
    ],
)
def test_an_unreadable_file_has_the_systems_reason(
    reason: OSError | ValueError, message: str, number: int
) -> None:
    """The message names path and role, and the number is the system's, never 0."""
    error = UnreadableFile("a/b", reason, role="peer")

    assert (message, number) == (str(error), error.errno)


def test_several_errors_are_a_line_each() -> None:
    """Combined errors keep their own messages, one per line, and exit with the
    highest code.
    """
    several = combine(
        [RougeError("wrong", where="a:1"), UsageError("no"), RougeError("bad")]
    )

    assert ("a:1: wrong\nno\nbad", 2) == (str(several), several.exit_code)


def test_one_error_stays_itself() -> None:
    """A single error is not wrapped."""
    error = UnreadableFile("a", OSError("no"), role="peer")

    assert combine([error]) is error


def test_each_step_is_tried() -> None:
    """All independent steps are run, and their errors are reported together."""
    tried = []

    def step(number: int) -> int:
        tried.append(number)
        if number % 2:
            raise RougeError(f"odd {number}")
        return number

    with pytest.raises(ErrorGroup, match=r"^odd 1\nodd 3$"):
        all_of(partial(step, number) for number in range(4))
    assert [0, 1, 2, 3] == tried
    assert [0, 2] == all_of(partial(step, number) for number in (0, 2))


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/usr", "pip install 'rouge-cli[stats]'"),
        ("/home/a/project/.venv", "pip install 'rouge-cli[stats]'"),
        (
            "/home/a/.local/share/pipx/venvs/rouge-cli",
            "pipx inject rouge-cli 'rouge-cli[stats]'",
        ),
        (
            "/home/a b/.local/share/uv/tools/rouge-cli",
            (
                "uv pip install --python '/home/a b/.local/share/uv/tools/rouge-cli'"
                " 'rouge-cli[stats]'"
            ),
        ),
    ],
)
def test_a_missing_library_is_installed_where_rouge_cli_is(
    prefix: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that a message proposes adds the library to the installation that
    the user has: of pip, pipx or uv.
    """
    monkeypatch.setattr(sys, "prefix", prefix)
    with pytest.raises(
        RougeError, match=r"plots need the library no_such_library"
    ) as error:
        require("plots need", "no_such_library", extra="stats")

    assert error.value.remedy == command
