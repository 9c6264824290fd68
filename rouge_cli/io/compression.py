"""Compressed files: told by suffix and content, decompressed a bounded number of bytes
at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError, install_command

if TYPE_CHECKING:
    from typing import Any

_LEVELS = tuple(b"BZh%d" % level for level in range(1, 10))
# A .zst may start with a frame that decompressors skip.
_SKIPPED = tuple(bytes([kind]) + b"\x2a\x4d\x18" for kind in range(0x50, 0x60))
# Suffix -> starts of compressed content
COMPRESSIONS = {
    ".gz": (b"\x1f\x8b",),
    ".bz2": _LEVELS,
    ".xz": (b"\xfd7zXZ\0",),
    ".zst": (b"\x28\xb5\x2f\xfd", *_SKIPPED),
}
_FAST = 1  # the level of `deflated`: columns of counts hardly get smaller by more
WRITTEN = (".gz", ".zst")  # suffixes of files that are written compressed
_GZIP_LEVEL = 6  # the usual one; 9 takes three times as long for 2% less
PIECE = 1 << 18  # bytes that are read at a time
# zstandard has no limit for what comes of a piece, which may be 32,768 times as long.
_PIECE_OF_ZSTANDARD = 256
# Bytes of memory that xz may take for its window; `xz -9` takes 65 MiB.
_MOST_OF_XZ = 1 << 28


def compression(path: str) -> str:
    """Return the path's suffix if it is one of COMPRESSIONS, in lower case; else
    empty.
    """
    suffix = os.path.splitext(path)[1].lower()
    return suffix if suffix in COMPRESSIONS else ""


def compress(parts: Iterable[bytes], suffix: str, path: str) -> Iterator[bytes]:
    """Yield the parts compressed, the same bytes for the same parts.

    Args:
        parts: The content.
        suffix: One of WRITTEN.
        path: The file, for messages.

    Raises:
        RougeError: If the library is not installed.
    """
    compressor = _compressor(suffix, path)
    for part in parts:
        data = compressor.compress(part)
        if data:
            yield data
    yield compressor.flush()


def _compressor(suffix: str, path: str) -> Any:  # noqa: ANN401 - of any library
    try:
        if suffix == ".gz":
            import zlib  # a Python may lack it, as the other modules here

            return zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, 31)  # without a date
        with suppress(ImportError):
            return import_module("compression.zstd").ZstdCompressor()  # Python 3.14
        return import_module("zstandard").ZstdCompressor().compressobj()
    except ImportError:
        library, remedy = "a Python built with it", f"leave {suffix} out"
        if suffix == ".zst":
            library = "the library zstandard, or Python 3.14"
            remedy = f"{install_command('zstandard')}, or name a .gz"
        raise RougeError(
            f"writing {suffix} needs {library}", where=path, remedy=remedy
        ) from None


def suffix_of(start: bytes) -> str:
    """Return the suffix of a compressed content by its start; empty for another."""
    for suffix, magics in COMPRESSIONS.items():
        if start.startswith(magics):
            return suffix
    return ""


def decompress(pieces: Iterable[bytes], path: str, suffix: str) -> Iterator[bytes]:
    """Yield the bytes of concatenated streams, a bounded number at a time; raise
    ValueError if damaged, EOFError if cut short.
    """
    make, error = _decompressor(path, suffix)
    stream = None
    if suffix == ".zst":
        pieces = cut(pieces, _PIECE_OF_ZSTANDARD)
    for compressed in pieces:
        rest = compressed
        while rest:
            if stream and stream.eof:
                stream, rest = None, rest.lstrip(b"\0")  # padding
                continue
            stream = stream or make()
            try:
                yield from _expand(stream, rest, suffix)
            except error as reason:
                raise ValueError(f"damaged {suffix} ({reason})") from None
            rest = stream.unused_data if stream.eof else b""
    if stream and not stream.eof:
        raise EOFError(f"damaged {suffix} (it ends too soon)")


def _expand(stream: Any, data: bytes, suffix: str) -> Iterator[bytes]:  # noqa: ANN401 - of any library
    """Yield what comes of the data, at most PIECE bytes at a time, if the library can
    stop so soon.
    """
    if suffix == ".gz":
        piece = stream.decompress(data, PIECE)
        yield piece
        while len(piece) == PIECE and not stream.eof:
            piece = stream.decompress(stream.unconsumed_tail, PIECE)
            yield piece
    elif hasattr(stream, "needs_input"):  # of the other modules of Python
        yield stream.decompress(data, PIECE)
        while not (stream.eof or stream.needs_input):
            yield stream.decompress(b"", PIECE)
    else:  # of zstandard
        yield stream.decompress(data)


def cut(pieces: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Yield the pieces, divided into pieces of at most so many bytes."""
    for piece in pieces:
        for start in range(0, len(piece), most):
            yield piece[start : start + most]


def deflated(data: bytes) -> bytes:
    """Return data compressed by Deflate (zlib), fast rather than small."""
    import zlib  # a Python may lack it, as the other modules here

    return zlib.compress(data, _FAST)


def inflated(data: bytes, most: int) -> bytes:
    """Return at most so many bytes of what `deflated` compressed; raise ValueError for
    other data.
    """
    import zlib  # as above

    try:
        return zlib.decompressobj().decompress(data, most)
    except zlib.error as error:
        raise ValueError(str(error)) from None


def _decompressor(path: str, suffix: str) -> tuple[Callable[[], Any], type[Exception]]:
    """Return a function that makes a decompressor, and the error that it raises."""
    try:
        if suffix == ".gz":
            import zlib  # a Python may lack it, as the other modules here

            return partial(zlib.decompressobj, 31), zlib.error
        if suffix == ".bz2":
            return import_module("bz2").BZ2Decompressor, OSError
        if suffix == ".xz":
            import lzma

            limited = partial(lzma.LZMADecompressor, memlimit=_MOST_OF_XZ)
            return limited, lzma.LZMAError
        with suppress(ImportError):
            zstd = import_module("compression.zstd")  # Python 3.14
            return zstd.ZstdDecompressor, zstd.ZstdError
        zstandard = import_module("zstandard")
        return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError
    except ImportError:
        library, remedy = "a Python built with it", "decompress the file"
        if suffix == ".zst":
            library, remedy = (
                "the library zstandard, or Python 3.14",
                install_command("zstandard"),
            )
        raise RougeError(
            f"reading {suffix} needs {library}", where=path, remedy=remedy
        ) from None
