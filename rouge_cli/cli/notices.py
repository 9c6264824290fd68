"""Warnings on stderr: limited per kind, and printed only if the run succeeds.

The limits keep readers from being flooded, and keep a caller's pipe from filling up unread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from rouge_cli.cli import streams
from rouge_cli.core import Notice

MOST_OF_A_KIND = 5
# If nobody reads a pipe, its writer blocks when it is full, at 64 KiB on Linux. All messages of a run and
# the counts, which repeat messages, stay below a quarter of that.
MOST_BYTES = 6000
_AROUND = 60  # bytes around a message: the program's name, or the words of a count

_DIGITS = str.maketrans("", "", "0123456789")


class Notices:
    """Collects notices, and prints the first of every kind and the number of the others.

    A context manager: notices are printed at its end, unless the run fails. Messages are of one kind if
    they differ only in digits, and in the file or eval before the first `: `.

    Args:
        print_line: Prints a message on stderr; by default after `rouge-cli: `.
        quiet: Print nothing.
    """

    def __init__(self, print_line: Callable[[str], None] | None = None, *, quiet: bool = False) -> None:
        self._print = (lambda _: None) if quiet else print_line or streams.say
        self._bytes_left = MOST_BYTES
        self._messages: list[str] = []  # within the limits
        self._of_kind: Counter[str] = Counter()
        self._omitted: Counter[str] = Counter()
        self._examples: dict[str, str] = {}
        self._others = 0

    def __call__(self, notice: Notice) -> None:
        """Collect the notice, or only count it if there were too many of its kind or in total."""
        what = notice.message.partition(": ")[2] or notice.message
        kind = what.translate(_DIGITS)
        size = len(notice.message.encode("ascii", "backslashreplace")) + _AROUND
        if self._of_kind[kind] < MOST_OF_A_KIND and size <= self._bytes_left:
            self._of_kind[kind] += 1
            self._examples.setdefault(kind, what)
            self._bytes_left -= size
            self._messages.append(notice.message)
        elif kind in self._examples:
            self._omitted[kind] += 1
        else:
            self._others += 1

    def __enter__(self) -> Notices:  # noqa: PYI034 - Self is not in Python 3.10
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is not None and not isinstance(error, streams.ReaderGone):  # `| head` is not a failure
            return
        for message in self._messages:
            self._print(message)
        for kind, count in self._omitted.items():
            self._print(f'... and {count} more like "{self._examples[kind]}"')
        if self._others:
            self._print(f"... and {self._others} more warning{'s' * (self._others > 1)}")
