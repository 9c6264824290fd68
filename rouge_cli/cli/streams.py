"""The standard streams: results are written completely or the command fails; warnings
are limited per kind.

The limits keep readers from being flooded, and keep a caller's pipe from filling up
unread.
"""

from __future__ import annotations

import errno
import io
import os
import select
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rouge_cli.core import Notice
from rouge_cli.errors import RougeError, encode, escape, printable
from rouge_cli.io import files

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

CLOSED_PIPE = 141
# characters that are kept at both ends of a long line; a path has at most 4,096
MOST = 5000
MOST_OF_A_KIND = 5
# If nobody reads a pipe, its writer blocks when it is full, at 64 KiB on Linux. All
# messages of a run and the counts, which repeat messages, stay below a quarter of that.
MOST_BYTES = 6000
_AROUND = 60  # bytes around a message: the program's name, or the words of a count

_DIGITS = str.maketrans("", "", "0123456789")
_IS_POSIX = os.name == "posix"


class ReaderGone(RougeError):
    """The reader of stdout has closed the pipe (`| head`), which needs no message."""

    exit_code = CLOSED_PIPE


class _Whole(io.RawIOBase):
    """A file descriptor that is written completely, even if the system writes only part
    of the data.

    Its errors are ReaderGone and other RougeErrors, which libraries do not mistake for
    their own.
    """

    def __init__(self, number: int) -> None:
        self._number = number

    def fileno(self) -> int:
        return self._number

    def isatty(self) -> bool:
        return os.isatty(self._number)

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        left = memoryview(data).cast("B")
        size = len(left)
        while left:
            try:
                left = left[os.write(self._number, left) :]
            except BlockingIOError:  # noqa: PERF203 - a pipe that another process set to non-blocking
                select.select([], [self._number], [])
            except OSError as reason:
                raise _failure(reason) from None
        return size


def install() -> None:
    """Replace stdout by a stream that is written completely; writing to a closed
    stdout fails.
    """
    if not _IS_POSIX or isinstance(getattr(sys.stdout, "buffer", None), _Whole):
        return
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - libraries expect one
    encoding, errors = (
        (sys.stdout.encoding, sys.stdout.errors) if sys.stdout else ("utf-8", "strict")
    )
    whole: io.RawIOBase = _Whole(1 if sys.stdout else -1)
    sys.stdout = io.TextIOWrapper(whole, encoding, errors, write_through=True)


def emit(result: bytes | Iterable[str]) -> None:
    """Write the result, or its parts, to stdout, in UTF-8; raise RougeError if it is
    closed or full.
    """
    if isinstance(result, str):
        result = encode(result)
    elif not isinstance(result, bytes):
        for part in files.encoded(result):
            emit(part)
        return
    if sys.stdout is None:
        raise _failure(OSError(errno.EBADF, os.strerror(errno.EBADF)))
    try:
        sys.stdout.flush()
        stream = sys.stdout.buffer
        if isinstance(stream, io.FileIO):
            stream = _Whole(stream.fileno())
        stream.write(result)
        stream.flush()
    except OSError as reason:
        raise _failure(reason) from None


def say(
    message: str,
    program: str = "rouge-cli",
    *,
    is_whole: bool = False,
    has_lines: bool = False,
) -> None:
    """Print a message on stderr after the program's name, on one line.

    If stderr is closed or full, the message is lost without an error.

    Args:
        is_whole: Do not cut very long lines.
        has_lines: The line ends in the message are the program's own.
    """
    if sys.stderr is not None:
        try:
            safe = printable(message) if has_lines else escape(message)
            lines = safe.split("\n")
            if not is_whole:
                lines = [_shortened(line) for line in lines]
            print(f"{program}:", "\n".join(lines), file=sys.stderr)
        except OSError:
            sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - so that it is not flushed again at exit


def _shortened(line: str) -> str:
    """Return the line without its middle if it is very long.

    A long line quotes an input or an option, such as a text that was read as a file
    list. Without its middle the message fits into a pipe.
    """
    if len(line) <= 2 * MOST:
        return line
    return f"{line[:MOST]} ... {line[-MOST:]}"


def are_merged() -> bool:
    """Return True if stdout and stderr are one file or pipe, as after `2>&1`.

    A terminal is not: a person reads it. Nor are streams without a file descriptor.
    """
    try:
        output, errors = (
            os.fstat(stream.fileno()) for stream in (sys.stdout, sys.stderr)
        )
        if os.isatty(sys.stdout.fileno()):
            return False
    except (AttributeError, OSError, ValueError):  # none, closed, or in memory
        return False
    # Windows numbers files, but not pipes: all of them are 0 there.
    return output.st_ino != 0 and os.path.samestat(output, errors)


def _failure(reason: OSError) -> RougeError:
    # Windows calls it an invalid argument.
    if isinstance(reason, BrokenPipeError) or (
        reason.errno == errno.EINVAL and not _IS_POSIX
    ):
        return ReaderGone("the reader of stdout has gone")
    what = (
        "stdout is closed"
        if reason.errno == errno.EBADF
        else reason.strerror or str(reason)
    )
    return RougeError(f"cannot write the report: {what}")


class Notices:
    """Collects notices, and prints the first of every kind and the number of the
    others.

    A context manager: notices are printed at its end, unless the run fails. Messages
    are of one kind if they differ only in digits, and in the file or eval before the
    first `: `.

    Args:
        print_line: Prints a message on stderr; by default after `rouge-cli: `.
        quiet: Print nothing.
    """

    def __init__(
        self, print_line: Callable[[str], None] | None = None, *, quiet: bool = False
    ) -> None:
        self._print = (lambda _: None) if quiet else print_line or say
        self._bytes_left = MOST_BYTES
        self._messages: list[str] = []  # within the limits
        self._of_kind: Counter[str] = Counter()
        self._omitted: Counter[str] = Counter()
        self._examples: dict[str, str] = {}
        self._others = 0

    def __call__(self, notice: Notice) -> None:
        """Collect the notice, or only count it if there were too many of its kind or
        in total.
        """
        message = escape(notice.message)
        what = message.partition(": ")[2] or message
        kind = what.translate(_DIGITS)
        size = len(message.encode("ascii", "backslashreplace")) + _AROUND
        if self._of_kind[kind] < MOST_OF_A_KIND and size <= self._bytes_left:
            self._of_kind[kind] += 1
            self._examples.setdefault(kind, what)
            self._bytes_left -= size
            self._messages.append(message)
        elif kind in self._examples:
            self._omitted[kind] += 1
        else:
            self._others += 1

    def __enter__(self) -> Notices:  # noqa: PYI034 - Self is not in Python 3.10
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        # `| head` is not a failure
        if error is not None and not isinstance(error, ReaderGone):
            return
        for message in self._messages:
            self._print(message)
        for kind, count in self._omitted.items():
            self._print(f'... and {count} more like "{self._examples[kind]}"')
        if self._others:
            self._print(
                f"... and {self._others} more warning{'s' * (self._others > 1)}"
            )
