"""Decompression of streams, with the library for each suffix."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def decompress(pieces: Iterable[bytes], path: str, suffix: str) -> Iterator[bytes]:
    """Yield the bytes in one or more concatenated compressed streams.

    Raises ValueError if they are damaged, EOFError if they end too soon.
    """
    make, error = _decompressor(path, suffix)
    stream = None
    for compressed in pieces:
        rest = compressed
        while rest:
            if stream and stream.eof:
                stream, rest = None, rest.lstrip(b"\0")  # padding
                continue
            stream = stream or make()
            try:
                data = stream.decompress(rest)
            except error as reason:
                raise ValueError(f"damaged {suffix} ({reason})") from None
            rest = stream.unused_data if stream.eof else b""
            yield data
    if stream and not stream.eof:
        raise EOFError(f"damaged {suffix} (it ends too soon)")


def _decompressor(path: str, suffix: str) -> tuple[Callable[[], Any], type[Exception]]:
    """Return a function that makes a decompressor, and the error that it raises."""
    try:
        if suffix == ".gz":
            zlib = import_module("zlib")
            return partial(zlib.decompressobj, 31), zlib.error
        if suffix == ".bz2":
            return import_module("bz2").BZ2Decompressor, OSError
        if suffix == ".xz":
            lzma = import_module("lzma")
            return lzma.LZMADecompressor, lzma.LZMAError
        with suppress(ImportError):
            zstd = import_module("compression.zstd")  # Python 3.14
            return zstd.ZstdDecompressor, zstd.ZstdError
        zstandard = import_module("zstandard")
        return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError
    except ImportError:
        library, remedy = (
            ("the library zstandard, or Python 3.14", "pip install zstandard")
            if suffix == ".zst"
            else ("a Python built with it", "decompress the file")
        )
        raise RougeError(f"reading {suffix} needs {library}", where=path, remedy=remedy) from None
