"""Conversion of text to UTF-8, piece by piece."""

from __future__ import annotations

import codecs
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

UTF8 = "utf-8"
_START = 1000  # bytes of a file in which UTF-16 shows


def is_utf8(encoding: str) -> bool:
    """Return True if this is a name of UTF-8.

    Raises UsageError for an unknown encoding.
    """
    _decoder(encoding)
    return codecs.lookup(encoding).name == UTF8


def utf8(pieces: Iterable[bytes], place: str, named: str | None) -> Iterator[tuple[int, bytes]]:
    """Yield the pieces in UTF-8, without a byte order mark, each with the number of its first line.

    A piece never ends within a character. place: the file, for messages. named: the value of
    `--encoding`; None for UTF-8 in a command without this option.
    Raises RougeError with line and offset for bytes that are not in the encoding, UsageError for an
    unknown encoding.
    """
    encoding = UTF8 if named is None else named
    decoder = _decoder(encoding)
    is_same = is_utf8(encoding)
    position, line, begun = 0, 1, False
    for piece in chain(pieces, (None,)):
        data = piece or b""
        if is_same and not position and data[:_START].count(0) * 4 > len(data[:_START]):
            raise RougeError(
                "many NUL bytes, as in UTF-16 without a byte order mark",
                where=place,
                remedy="name the encoding (--encoding utf-16-le or utf-16-be), or save it as UTF-8",
            )
        before = decoder.getstate()[0] if is_same else b""
        try:
            if begun and is_same:  # checked, but not encoded again
                if before or not data.isascii():
                    decoder.decode(data, piece is None)
                whole = before + data
                encoded = whole[: len(whole) - len(decoder.getstate()[0])]
            else:
                decoded = decoder.decode(data, piece is None)
                if decoded and not begun:
                    decoded, begun = decoded.removeprefix("\ufeff"), True
                encoded = decoded.encode()
        except UnicodeError as error:
            what, good = _bad_bytes(error, encoding, position, len(data))
            with suppress(UnicodeError):
                valid = decoder.decode(data[:good])
                whole_lines = valid[: valid.rfind("\n") + 1]
                # First, so that errors come in the order of lines, however large the pieces are.
                yield line, (whole_lines if begun else whole_lines.removeprefix("\ufeff")).encode()
                line += whole_lines.count("\n")
            remedy = (
                "name the file's encoding with --encoding, or save it as UTF-8"
                if named
                else "save it as UTF-8"
            )
            raise RougeError(what, where=f"{place}:{line}", remedy=remedy) from None
        position += len(data)
        yield line, encoded
        line += encoded.count(b"\n")


def _bad_bytes(error: UnicodeError, encoding: str, position: int, size: int) -> tuple[str, int]:
    """Return the message for a piece of this size at this position, and the size of its valid part."""
    if not isinstance(error, UnicodeDecodeError):
        return f"not text in {encoding} ({error})", 0
    # Counted from the end, since a decoder may prepend bytes that are left from the piece before.
    back = len(error.object) - error.start
    byte = error.object[error.start]
    return f"not {encoding}: byte 0x{byte:02x} at offset {position + size - back}", max(size - back, 0)


def _decoder(encoding: str) -> codecs.IncrementalDecoder:
    try:
        with suppress(UnicodeDecodeError):
            b" ".decode(encoding)  # refuses codecs that are not text encodings
        return codecs.getincrementaldecoder(encoding)()
    except (LookupError, ValueError):
        raise UsageError(
            f"unknown encoding {encoding!r}", remedy="use one of Python's names, such as latin-1 or utf-16"
        ) from None
