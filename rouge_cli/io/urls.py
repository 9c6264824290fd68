"""Inputs by URL, such as s3://, gs://, hf://, memory:// and https://, read by the
library fsspec.

A path that exists here is never a URL. Whatever error a library of a protocol raises is
an OSError, as of a file.
"""

from __future__ import annotations

import errno
import os
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError, UnreadableFile, require

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, BinaryIO, TypeVar

    from typing_extensions import Buffer

    T = TypeVar("T")

MARK = "://"
_BUFFER = 1 << 18  # bytes that are requested together
# Their servers may only send whole files, which cannot be read in parts then.
_STREAMED = ("http", "https")


def is_url(path: str) -> bool:
    """Return True for a URL, unless there is a file or folder of this name."""
    scheme, mark, _ = path.partition(MARK)
    if not mark:
        return False
    is_scheme = scheme[:1].isalpha() and all(
        letter.isalnum() or letter in "+.-:" for letter in scheme
    )
    return is_scheme and scheme.isascii() and not os.path.exists(path)


def opened(path: str, *, whole: bool = False) -> BinaryIO:
    """Open a file, by its path or URL, to read bytes; raise OSError.

    Args:
        whole: It is read from its start to its end, which every server can do.

    Raises:
        RougeError: The library of a URL is missing.
    """
    if not is_url(path):
        return open(path, "rb")
    system, name = _located(path)
    settings: dict[str, int] = {}
    if whole and path.partition(MARK)[0] in _STREAMED:
        settings["block_size"] = 0
    file = _guarded(lambda: system.open(name, "rb", **settings))
    return BufferedReader(_RemoteFile(file), _BUFFER)


def is_pattern(path: str) -> bool:
    """Return True for a URL with `*`, of a protocol that lists files."""
    if "*" not in path or not is_url(path):
        return False
    return path.partition(MARK)[0] not in _STREAMED


def matches(pattern: str) -> list[str]:
    """Return the URLs that match a pattern with `*`, sorted; none for a URL that is no
    pattern. May raise UnreadableFile.
    """
    if not is_pattern(pattern):
        return []
    try:
        system, name = _located(pattern)
        names = _guarded(lambda: system.glob(name))
    except OSError as reason:
        raise UnreadableFile(pattern, reason, role="input") from None
    return sorted(map(system.unstrip_protocol, names))


def _located(path: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the name of the file there."""
    require("reading URLs needs", "fsspec", extra="remote")
    from fsspec.core import url_to_fs

    try:
        located: tuple[Any, str] = _guarded(lambda: url_to_fs(path))
    except ImportError as error:  # fsspec names the library that a protocol needs
        scheme = path.partition(MARK)[0]
        library = _library(scheme)
        what = f"reading {scheme}{MARK} needs the library {library}"
        remedy = f"pip install {library}"
        raise RougeError(what if library else str(error), remedy=remedy) from None
    return located


def _library(scheme: str) -> str:
    """Return the library that has a protocol of fsspec."""
    from fsspec.registry import known_implementations

    known = known_implementations.get(scheme, {})
    module = str(known.get("class", scheme)).partition(".")[0]
    return {"fsspec": f"fsspec[{scheme}]"}.get(module, module)


def _guarded(call: Callable[[], T]) -> T:
    """Return the result of a call; raise OSError for what libraries raise."""
    try:
        return call()
    except (ImportError, MemoryError):
        raise
    except FileNotFoundError as error:
        if isinstance(error.__cause__, Exception):  # such as a server that is down
            raise OSError(_message(error.__cause__)) from None
        raise OSError(errno.ENOENT, os.strerror(errno.ENOENT)) from None
    except OSError as error:
        if error.errno:
            raise
        raise OSError(_message(error)) from None
    except Exception as error:  # noqa: BLE001 - each library has its own
        raise OSError(_message(error)) from None


def _message(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text:.200}" if text else type(error).__name__


class _RemoteFile(RawIOBase):
    """A file that fsspec has opened; raises OSError only."""

    def __init__(self, file: Any) -> None:  # noqa: ANN401 - of any library
        self._file = file

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True if the server can send parts of the file."""
        return bool(self._file.seekable())

    def readinto(self, buffer: Buffer) -> int:
        """Read the next bytes; return their number, 0 at the end."""
        view = memoryview(buffer)
        data: bytes = _guarded(lambda: self._file.read(len(view)))
        view[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to an offset, and return it."""
        place: int = _guarded(lambda: self._file.seek(offset, whence))
        return place

    def tell(self) -> int:
        """Return the offset of the next byte."""
        return int(self._file.tell())

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            self._file.close()
        super().close()
