"""The standard streams of a command: results are written completely or the command fails."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError, printable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

CLOSED_PIPE = 141
MOST = 5000  # characters at each end of a line of a message; a path has at most 4,096
_IS_POSIX = os.name == "posix"


class ReaderGone(RougeError):
    """The reader of stdout has gone (`| head`), which needs no message."""

    exit_code = CLOSED_PIPE


class _Whole(io.RawIOBase):
    """A descriptor that is written completely, also if the system writes only part of the data at a time.

    Raises:
        ReaderGone: Or RougeError, which libraries do not mistake for their own errors.
    """

    def __init__(self, number: int) -> None:
        self._number = number

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._number

    def isatty(self) -> bool:
        """Return True if it is a terminal."""
        return os.isatty(self._number)

    def writable(self) -> bool:
        """Return True, as text streams require."""
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Write all of the data."""
        left = memoryview(data).cast("B")
        size = len(left)
        while left:
            try:
                left = left[os.write(self._number, left) :]
            except BlockingIOError:  # noqa: PERF203 - a pipe that its other users do not wait for
                import select

                select.select([], [self._number], [])
            except OSError as reason:
                raise _failure(reason) from None
        return size


def install() -> None:
    """Replace this process's stdout by one that any library writes completely; fail if it is closed."""
    if not _IS_POSIX or isinstance(getattr(sys.stdout, "buffer", None), _Whole):
        return
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - libraries expect one
    encoding, errors = (sys.stdout.encoding, sys.stdout.errors) if sys.stdout else ("utf-8", "strict")
    whole: io.RawIOBase = _Whole(1 if sys.stdout else -1)
    sys.stdout = io.TextIOWrapper(whole, encoding, errors, write_through=True)


def emit(result: bytes | str) -> None:
    """Write the whole result to stdout, as UTF-8 whatever the locale.

    Raises:
        RougeError: If it cannot be written.
        ReaderGone: If it has no reader.
    """
    data = result.encode("utf-8", "surrogateescape") if isinstance(result, str) else result
    if sys.stdout is None:
        raise _failure(OSError(errno.EBADF, os.strerror(errno.EBADF)))
    try:
        sys.stdout.flush()
        stream = sys.stdout.buffer
        if isinstance(stream, io.FileIO):
            stream = _Whole(stream.fileno())
        stream.write(data)
        stream.flush()
    except OSError as reason:
        raise _failure(reason) from None


def say(message: str, program: str = "rouge-cli", *, is_whole: bool = False) -> None:
    """Print a message on stderr; if that is closed or full it is lost, and the result still counts.

    Args:
        is_whole: Do not cut very long lines.
    """
    if sys.stderr is not None:
        try:
            text = printable(message)
            print(f"{program}: {text if is_whole else _cut(text)}", file=sys.stderr)
        except OSError:
            sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - lest it is tried again at exit


def _cut(message: str) -> str:
    """Return the message with the middle of very long lines left out, so that it fits a pipe unread.

    They quote an input or an option, such as a text of one line in place of a list of files.
    """
    return "\n".join(
        line if len(line) <= 2 * MOST else f"{line[:MOST]} ... {line[-MOST:]}"
        for line in message.split("\n")
    )


def _failure(reason: OSError) -> RougeError:
    # Windows calls it an invalid argument.
    if isinstance(reason, BrokenPipeError) or (reason.errno == errno.EINVAL and not _IS_POSIX):
        return ReaderGone("the reader of stdout has gone")
    what = "stdout is closed" if reason.errno == errno.EBADF else reason.strerror or str(reason)
    return RougeError(f"cannot write the report: {what}")
