"""What goes wrong because of the input, said once and clearly."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")


class RougeError(Exception):
    """An input that cannot be scored.

    what: what is wrong, in one phrase.
    where: the place, as `path`, `path:line`, `path:line:column` or `eval 7`; empty if there is none.
    remedy: what to do about it; empty if the first phrase says it all.
    exit_code: 1 for data (the default), 2 for usage.
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where, remedy)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __reduce__(self) -> tuple[object, ...]:
        """Errors come back from other processes as they were, whatever made them."""
        return _as_it_was, (type(self), vars(self))

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{place}{self.what}{remedy}"


def _as_it_was(kind: type[RougeError], state: dict[str, object]) -> RougeError:
    error = kind.__new__(kind)
    vars(error).update(state)
    return error


class RougeWarning(UserWarning):
    """Something that does not stop a run, but that the scores may suffer from."""


class UsageError(RougeError):
    """An option or an argument that makes no sense, before any data was read."""

    exit_code = 2


class UnreadableFile(RougeError):
    """A file that is missing, or that the system refuses to open.

    errno: the system's number for the reason, which ROUGE-1.5.5.pl exits with.
    """

    def __init__(self, path: str, reason: OSError | ValueError, *, role: str) -> None:
        super().__init__(f"cannot read the {role}: {_said(reason)}", where=path)
        self.errno = (reason.errno if isinstance(reason, OSError) else None) or errno.EINVAL


class UnwritableFile(RougeError):
    """A file or folder that the system refuses to write."""

    def __init__(self, path: str, reason: OSError | ValueError) -> None:
        super().__init__(f"cannot write: {_said(reason)}", where=path)


class Several(RougeError):
    """Independent errors, told one a line; exits with the highest of their codes."""

    def __init__(self, errors: Sequence[RougeError]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = errors
        self.exit_code = max(error.exit_code for error in errors)


def together(errors: Sequence[RougeError]) -> RougeError:
    """One error as it is, more of them as Several, but each message once."""
    distinct = list({str(error): error for error in errors}.values())
    return distinct[0] if len(distinct) == 1 else Several(distinct)


def all_of(steps: Iterable[Callable[[], T]]) -> list[T]:
    """What each of independent steps gives.

    Raises what they raise, together, when all have been tried.
    """
    results: list[T] = []
    errors: list[RougeError] = []
    for step in steps:
        try:
            results.append(step())
        except RougeError as error:  # noqa: PERF203 - each may fail
            errors.append(error)
    if errors:
        raise together(errors)
    return results


def require(what: str, *libraries: str, extra: str) -> None:
    """Import libraries that only some users need.

    what: the phrase before a library's name, as in "plots need". extra: the extra that installs them all.
    Raises RougeError with the line that installs them.
    """
    from importlib import import_module

    for library in libraries:
        try:
            import_module(library)
        except ImportError:  # noqa: PERF203 - each may be missing
            raise RougeError(
                f"{what} the library {library}", remedy=f"pip install 'rouge-cli[{extra}]'"
            ) from None


def printable(message: str) -> str:
    """Return the message with everything that a terminal could obey as its escape; line ends stay."""
    if message.isascii() and message.isprintable():
        return message
    return "".join(
        c if c == "\n" or c.isprintable() else c.encode("unicode_escape").decode() for c in message
    )


def _said(reason: OSError | ValueError) -> str:
    """The system's words for it."""
    return (reason.strerror if isinstance(reason, OSError) else None) or str(reason)
