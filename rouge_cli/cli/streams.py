"""The standard streams: a result is written completely, or the command fails."""

from __future__ import annotations

import errno
import io
import os
import sys

from rouge_cli.core import TYPE_CHECKING
from rouge_cli.errors import RougeError, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed import ReadableBuffer

CLOSED_PIPE = 141
MOST = 5000  # characters that are kept at both ends of a long line; a path has at most 4,096
_IS_POSIX = os.name == "posix"


class ReaderGone(RougeError):
    """The reader of stdout has closed the pipe (`| head`), which needs no message."""

    exit_code = CLOSED_PIPE


class _Whole(io.RawIOBase):
    """A file descriptor that is written completely, even if the system writes only part of the data.

    Its errors are ReaderGone and other RougeErrors, which libraries do not mistake for their own.
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
                import select

                select.select([], [self._number], [])
            except OSError as reason:
                raise _failure(reason) from None
        return size


def install() -> None:
    """Replace stdout by a stream that is written completely; writing to a closed stdout fails."""
    if not _IS_POSIX or isinstance(getattr(sys.stdout, "buffer", None), _Whole):
        return
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - libraries expect one
    encoding, errors = (sys.stdout.encoding, sys.stdout.errors) if sys.stdout else ("utf-8", "strict")
    whole: io.RawIOBase = _Whole(1 if sys.stdout else -1)
    sys.stdout = io.TextIOWrapper(whole, encoding, errors, write_through=True)


def emit(result: bytes | Iterable[str]) -> None:
    """Write the result, or its parts, to stdout, in UTF-8; raise RougeError if it is closed or full."""
    if isinstance(result, str):
        result = result.encode("utf-8", "surrogateescape")
    elif not isinstance(result, bytes):
        from rouge_cli.io import files  # imported late: short runs have one part

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


def say(message: str, program: str = "rouge-cli", *, is_whole: bool = False) -> None:
    """Print a message on stderr; if stderr is closed or full, the message is lost without an error.

    Args:
        message: The message.
        program: The name of the program, which precedes the message.
        is_whole: Do not cut very long lines.
    """
    if sys.stderr is not None:
        try:
            lines = printable(message).split("\n")
            # A long line quotes an input or an option, such as a text that was read as a file list. Without
            # its middle the message fits into a pipe.
            short = (
                line if is_whole or len(line) <= 2 * MOST else f"{line[:MOST]} ... {line[-MOST:]}"
                for line in lines
            )
            print(f"{program}:", "\n".join(short), file=sys.stderr)
        except OSError:
            sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - so that it is not flushed again at exit


def _failure(reason: OSError) -> RougeError:
    # Windows calls it an invalid argument.
    if isinstance(reason, BrokenPipeError) or (reason.errno == errno.EINVAL and not _IS_POSIX):
        return ReaderGone("the reader of stdout has gone")
    what = "stdout is closed" if reason.errno == errno.EBADF else reason.strerror or str(reason)
    return RougeError(f"cannot write the report: {what}")
