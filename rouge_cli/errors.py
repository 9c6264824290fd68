"""Errors and warnings about the input, and the library check."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    T = TypeVar("T")


class RougeError(Exception):
    """An input that cannot be scored.

    Args:
        what: What is wrong, in one phrase.
        where: The place, as `path`, `path:line`, `path:line:column` or `eval 7`; empty
            if there is none.
        remedy: What to do about it; empty if `what` makes it obvious.
    """

    exit_code = 1  # of the command: 1 for wrong data, 2 for wrong usage

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where, remedy)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __reduce__(self) -> tuple[object, ...]:
        """Make errors picklable, whatever arguments their constructors take."""
        return type(self).__new__, (type(self),), vars(self)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return escape(f"{place}{self.what}{remedy}")


class ListedError(RougeError):
    """An error with a list below its first line: the lines of `what`, in which names
    are escaped already.
    """

    def __str__(self) -> str:
        return printable(self.what)


class RougeWarning(UserWarning):
    """A problem that does not stop a run, but may lower the scores."""


class UsageError(RougeError):
    """An invalid option or argument, reported before any data is read."""

    exit_code = 2


class FailedGate(RougeError):
    """A score that is worse than the user allows, reported after the results."""

    exit_code = 3


class UnreadableFile(RougeError):
    """A file that is missing or cannot be opened."""

    def __init__(self, path: str, reason: OSError | ValueError, *, role: str) -> None:
        super().__init__(
            f"cannot read the {role}: {_system_message(reason)}", where=path
        )
        # The exit status of ROUGE-1.5.5.pl.
        self.errno = (
            reason.errno if isinstance(reason, OSError) else None
        ) or errno.EINVAL


class UnwritableFile(RougeError):
    """A file or folder that cannot be written."""

    def __init__(self, path: str, reason: OSError | ValueError) -> None:
        super().__init__(f"cannot write: {_system_message(reason)}", where=path)


class ErrorGroup(RougeError):
    """Several independent errors, one per line; the exit code is the highest one
    among them.
    """

    def __init__(self, errors: Sequence[RougeError]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = errors
        self.exit_code = max(error.exit_code for error in errors)

    def __str__(self) -> str:
        return self.what


class UsageErrors(ErrorGroup, UsageError):
    """Several invalid options or arguments, which are caught as a single one is."""


def not_json(
    error: Exception, where: str, remedy: str = "", *, is_line: bool = False
) -> RougeError:
    """Return the error of JSON that cannot be parsed, with its place in the file or
    in the line `where`.
    """
    what, line, column = (
        getattr(error, name, None) for name in ("msg", "lineno", "colno")
    )
    if what is None:  # a number of too many digits, or too many brackets
        return RougeError(f"cannot read as JSON: {error}", where=where)
    where += f":{column}" if is_line else f":{line}:{column}"
    return RougeError(f"not JSON: {what}", where=where, remedy=remedy)


def combine(errors: Sequence[RougeError]) -> RougeError:
    """Return one error for several, without repeated messages; a single error is
    returned itself.
    """
    distinct = list({str(error): error for error in errors}.values())
    if len(distinct) == 1:
        return distinct[0]
    if all(isinstance(error, UsageError) for error in distinct):
        return UsageErrors(distinct)
    return ErrorGroup(distinct)


def raise_all(errors: Sequence[RougeError], most: int = 10) -> None:
    """Raise the errors together, up to that many, if there are any."""
    if errors:
        raise combine(errors[:most])


def until_error(items: Iterable[T], errors: list[RougeError]) -> Iterator[T]:
    """Yield the items; append an error of their source to `errors`, to be raised
    after earlier errors.
    """
    try:
        yield from items
    except RougeError as error:
        errors.append(error)


def all_of(steps: Iterable[Callable[[], T]]) -> list[T]:
    """Run independent steps and return their results; raise the errors of all steps
    together.
    """
    results: list[T] = []
    errors: list[RougeError] = []
    for step in steps:
        try:
            results.append(step())
        except RougeError as error:  # noqa: PERF203 - each may fail
            errors.append(error)
    raise_all(errors, len(errors))
    return results


def require(what: str, *libraries: str, extra: str = "") -> None:
    """Check that optional libraries can be imported.

    Args:
        what: The message's beginning, as in "plots need".
        extra: The extra that installs the libraries; empty for a library that every
            installation has.

    Raises:
        RougeError: A library is missing; the message has the command that installs it.
    """
    for library in libraries:
        try:
            __import__(library)
        except ImportError as error:  # noqa: PERF203 - each may be missing
            if is_out_of_memory(error):
                raise MemoryError from None
            package = f"'rouge-cli[{extra}]'" if extra else library
            raise RougeError(
                f"{what} the library {library}", remedy=install_command(package)
            ) from None


def install_command(package: str) -> str:
    """Return the command that adds a package to the installation that runs: that of
    pipx, that of `uv tool`, or pip's.
    """
    from shlex import quote  # most runs lack nothing

    home, name = os.path.split(sys.prefix)
    if home.endswith(os.path.join("pipx", "venvs")):
        return f"pipx inject {name} {package}"
    if home.endswith(os.path.join("uv", "tools")):
        return f"uv pip install --python {quote(sys.prefix)} {package}"
    return f"pip install {package}"


def is_out_of_memory(error: BaseException) -> bool:
    """Return True for the errors that the interpreter and libraries raise when
    memory runs out.
    """
    phrases = (
        "without exception set",
        "failed to map",
        "Cannot allocate memory",
        "cannot allocate memory",
    )
    return isinstance(error, MemoryError) or any(
        phrase in str(error) for phrase in phrases
    )


LONGEST_NAME = 300  # characters of a name in a message; a file's name has at most 255


def short(name: str, most: int = LONGEST_NAME) -> str:
    """Return the name without its middle if it is longer than a message should be."""
    half = most // 2
    return name if len(name) <= most else f"{name[:half]} ... {name[-half:]}"


def shown(names: Sequence[str], most: int = 10) -> str:
    """Return the first names for a message, escaped and without the middle of very long
    ones, and the number of the others.
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(short(escape(name)) for name in names[:most]) + more


def escape(text: str) -> str:
    """Return the text with all unprintable characters escaped, line ends too.

    Every name or text of an input passes here before it comes to a terminal, a message
    or a log: it cannot steer a terminal, forge a line, or fail to be encoded.
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in text
    )


def printable(message: str) -> str:
    """Return the lines with all unprintable characters escaped, except line ends.

    For lines that the program has made; `escape` is for what an input contains.
    """
    return "\n".join(map(escape, message.split("\n")))


def encode(text: str) -> bytes:
    """Return the text in UTF-8.

    File names outside UTF-8 contain surrogates, which become their original bytes;
    other surrogates, of JSON, have no bytes and are escaped.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        letters = [
            escape(c) if "\ud800" <= c < "\udc80" or "\udd00" <= c < "\ue000" else c
            for c in text
        ]
        return "".join(letters).encode("utf-8", "surrogateescape")


def _system_message(reason: OSError | ValueError) -> str:
    return (reason.strerror if isinstance(reason, OSError) else None) or str(reason)


def suggestion(name: str, valid: list[str], others: Mapping[str, str] = {}) -> str:
    """Return the remedy for an unknown name: similar valid names, or the first 40;
    empty if there are none.

    Args:
        others: Names from elsewhere -> what they are here; a similar name of ours would
            give other numbers.
    """
    spelled = {spelling.lower(): spelling for spelling in valid}
    if here := spelled.get(name.lower()):
        return f"did you mean {here}?"
    if here := others.get(name.lower()):
        return f"use {here}"
    near = [spelled[spelling] for spelling in similar(name.lower(), spelled, 0.5)]
    nearest = similar(name.lower(), [*spelled, *others], 0.5)[:1]
    if nearest and nearest[0] in others:
        # A name from elsewhere must be closer than one of ours
        near = [others[word] for word in similar(name.lower(), nearest, 0.7)]
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"use one of {shown(valid, 40)}" if valid else ""


def similar(word: str, names: Iterable[str], least: float) -> list[str]:
    """Return at most three names that are similar to a word, the nearest first.

    Args:
        least: The least similarity, from 0 to 1, as `difflib` computes it.
    """
    from difflib import get_close_matches  # costs start-up time

    return get_close_matches(word, list(names), 3, least)


MOST_WARNINGS = 20  # of one call from Python


class NoticeHandler:
    """Provides `notify`; without it, a function that warns MOST_WARNINGS times.

    At the end, one more warning gives the number of the other notices.
    """

    def __init__(self, notify: Callable[[Any], None] | None) -> None:
        self._notify, self._number = notify, 0

    def __enter__(self) -> Callable[[Any], None]:
        return self._handle if self._notify is None else self._notify

    def __exit__(self, error: object, *_: object) -> None:
        if error is None and self._number > MOST_WARNINGS:
            _warn(f"... and {self._number - MOST_WARNINGS} more warnings")

    def _handle(self, notice: Any) -> None:  # noqa: ANN401 - a Notice, which is above this module
        self._number += 1
        if self._number <= MOST_WARNINGS:
            _warn(escape(notice.message))


_GIVEN: set[object] = set()  # what `warn_once` has warned of


def warn_once(key: object, message: str) -> None:
    """Warn once in a process for each key, without an effect on the program.

    If the program treats warnings as errors, the message is logged: a package that
    rouge-cli stands in for would not raise anything.
    """
    if key in _GIVEN:
        return
    _GIVEN.add(key)
    try:
        _warn(message)
    except RougeWarning:
        import logging  # costs start-up time

        logging.getLogger("rouge_cli").warning(message)


def _warn(message: str) -> None:
    """Warn at the line outside this package that called it."""
    import inspect  # costs start-up time

    level, frame = 1, inspect.currentframe()
    ours = __name__.partition(".")[0]
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == ours:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RougeWarning, stacklevel=level)
