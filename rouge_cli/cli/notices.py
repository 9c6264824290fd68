"""Notices on stderr, capped by kind: nobody reads the thousandth, and a caller may read none at all."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from rouge_cli.core import Notice

MOST_OF_A_KIND = 5
# A pipe that nobody reads blocks its writer when it is full, at 64 KiB on Linux. All notices of a run and
# their counts, each of which repeats a notice, stay below a quarter of that.
MOST_BYTES = 6000
_AROUND = 60  # bytes around a message: the program's name, or the words of a count

_DIGITS = str.maketrans("", "", "0123456789")


class Notices:
    """Print the first notices of each kind; `close` prints how many others there were.

    A kind is the message without its place (all up to the first `: `) and without digits.
    print_line: prints a message on stderr; by default in the name of `rouge-cli`. quiet: print nothing.
    """

    def __init__(self, print_line: Callable[[str], None] | None = None, *, quiet: bool = False) -> None:
        self._print = (lambda _: None) if quiet else print_line or echo
        self._bytes_left = MOST_BYTES
        self._printed: Counter[str] = Counter()
        self._omitted: Counter[str] = Counter()
        self._examples: dict[str, str] = {}
        self._others = 0

    def __call__(self, notice: Notice) -> None:
        """Print the notice, unless there were too many of its kind or in total."""
        what = notice.message.partition(": ")[2] or notice.message
        kind = what.translate(_DIGITS)
        size = len(notice.message.encode("ascii", "backslashreplace")) + _AROUND
        if self._printed[kind] < MOST_OF_A_KIND and size <= self._bytes_left:
            self._printed[kind] += 1
            self._examples.setdefault(kind, what)
            self._bytes_left -= size
            self._print(notice.message)
        elif kind in self._examples:
            self._omitted[kind] += 1
        else:
            self._others += 1

    def close(self) -> None:
        """Print how many notices of each kind were not printed."""
        for kind, count in self._omitted.items():
            self._print(f'... and {count} more like "{self._examples[kind]}"')
        if self._others:
            self._print(f"... and {self._others} more notices")


def print_line(program: str, message: str) -> None:
    """Print a program's message on stderr; do nothing if that is closed or full."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"{program}: {message}", file=sys.stderr)


def echo(message: str) -> None:
    """Print a message of `rouge-cli` on stderr."""
    print_line("rouge-cli", message)
