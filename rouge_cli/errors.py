"""Errors and warnings about the input, each reported once."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")


class RougeError(Exception):
    """An input that cannot be scored.

    Args:
        what: What is wrong, in one phrase.
        where: The place, as `path`, `path:line`, `path:line:column` or `eval 7`; empty if there is none.
        remedy: What to do about it; empty if `what` makes it obvious. exit_code: 1 for data (the default),
            2 for usage.
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where, remedy)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __reduce__(self) -> tuple[object, ...]:
        """Make errors picklable, whatever their constructor takes."""
        return _as_it_was, (type(self), vars(self))

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return printable(f"{place}{self.what}{remedy}")


def _as_it_was(kind: type[RougeError], state: dict[str, object]) -> RougeError:
    error = kind.__new__(kind)
    vars(error).update(state)
    return error


class RougeWarning(UserWarning):
    """A problem that does not stop a run, but that may lower the scores."""


class UsageError(RougeError):
    """An invalid option or argument, reported before any data is read."""

    exit_code = 2


class UnreadableFile(RougeError):
    """A file that is missing, or that the system refuses to open.

    errno: the system's error number, which ROUGE-1.5.5.pl exits with.
    """

    def __init__(self, path: str, reason: OSError | ValueError, *, role: str) -> None:
        super().__init__(f"cannot read the {role}: {_system_message(reason)}", where=path)
        self.errno = (reason.errno if isinstance(reason, OSError) else None) or errno.EINVAL


class UnwritableFile(RougeError):
    """A file or folder that the system refuses to write."""

    def __init__(self, path: str, reason: OSError | ValueError) -> None:
        super().__init__(f"cannot write: {_system_message(reason)}", where=path)


class ErrorGroup(RougeError):
    """Independent errors, one a line; the exit code is the highest of theirs."""

    def __init__(self, errors: Sequence[RougeError]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = errors
        self.exit_code = max(error.exit_code for error in errors)


def combine(errors: Sequence[RougeError]) -> RougeError:
    """Return a single error itself, several as one group, each message once."""
    distinct = list({str(error): error for error in errors}.values())
    return distinct[0] if len(distinct) == 1 else ErrorGroup(distinct)


def all_of(steps: Iterable[Callable[[], T]]) -> list[T]:
    """Run independent steps and return their results.

    Raises their errors together, after all steps have been tried.
    """
    results: list[T] = []
    errors: list[RougeError] = []
    for step in steps:
        try:
            results.append(step())
        except RougeError as error:  # noqa: PERF203 - each may fail
            errors.append(error)
    if errors:
        raise combine(errors)
    return results


def require(what: str, *libraries: str, extra: str = "") -> None:
    """Import libraries that only some users need.

    Args:
        what: The phrase before a library's name, as in "plots need".
        extra: The extra that installs them all; empty for a library that every installation should have.

    Raises:
        RougeError: With the line that installs them.
    """
    for library in libraries:
        try:
            __import__(library)
        except ImportError as error:  # noqa: PERF203 - each may be missing
            if is_out_of_memory(error):
                raise MemoryError from None
            install = f"'rouge-cli[{extra}]'" if extra else library
            raise RougeError(f"{what} the library {library}", remedy=f"pip install {install}") from None


def is_out_of_memory(error: BaseException) -> bool:
    """Return True for the errors that interpreter and libraries raise when memory runs out."""
    marks = ("without exception set", "failed to map", "Cannot allocate memory", "cannot allocate memory")
    return isinstance(error, MemoryError) or any(mark in str(error) for mark in marks)


def shown(names: Sequence[str], most: int = 10) -> str:
    """Return the first names, and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def printable(message: str) -> str:
    """Return the message with all unprintable characters escaped, except line ends."""
    if message.isascii() and message.isprintable():
        return message
    return "".join(
        c if c == "\n" or c.isprintable() else c.encode("unicode_escape").decode() for c in message
    )


def _system_message(reason: OSError | ValueError) -> str:
    """Return the system's message."""
    return (reason.strerror if isinstance(reason, OSError) else None) or str(reason)
