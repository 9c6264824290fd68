"""Sentence boundaries: `newline`, `mark:TEXT`, `split` or `split:LANGUAGE`, `none`.

ROUGE-L and ROUGE-W look at sentences one by one. In files that is a line; in a field of a table, or in a
line-aligned file, sentences may be marked (`<q>`), or have to be found.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from rouge_cli import folders
from rouge_cli.errors import RougeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    # A text, its sentences in whatever way its format had them joined by LF, to its sentences.
    Split = Callable[[bytes], Sequence[bytes]]

NAMES = ("newline", "mark:TEXT", "split", "split:LANGUAGE", "none")


def named(name: str) -> Split | None:
    """Return the splitter of that name; None for `newline`, which is what the input formats do.

    Raises UsageError for a name that is none.
    """
    kind, _, argument = name.partition(":")
    if name == "newline":
        return None
    if name == "none":
        return _whole
    if kind == "mark" and argument:
        with suppress(UnicodeEncodeError):  # half a surrogate pair, which no text has
            return partial(_marked, argument.encode("utf-8", "surrogateescape"))
    if kind == "split":
        return partial(_found, argument or "en")
    raise UsageError(
        f"unknown way to find sentences {name!r}", remedy=folders.suggestion(name, list(NAMES))
    )


def _whole(text: bytes) -> Sequence[bytes]:
    return [text] if text.strip() else []


def _marked(mark: bytes, text: bytes) -> Sequence[bytes]:
    return [sentence for sentence in text.split(mark) if sentence.strip()]


def _found(language: str, text: bytes) -> Sequence[bytes]:
    try:
        from sentencex import segment
    except ImportError:
        raise RougeError(
            "finding sentences needs the library sentencex", remedy="pip install 'rouge-cli[sentences]'"
        ) from None
    lines = text.decode("utf-8", "replace").split("\n")
    return [sentence.encode() for line in lines for sentence in segment(language, line) if sentence.strip()]
