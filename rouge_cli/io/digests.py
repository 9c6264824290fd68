"""Digests of texts and files: SHA-256, by the library that is slow to import."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import _Hash

SHORT = 8  # letters of a checksum in signatures and names


def sha256(data: bytes = b"") -> _Hash:
    """Return the hash object of the data, which more data can be added to."""
    import hashlib  # loads OpenSSL, which most runs do not need

    return hashlib.sha256(data)


def checksum(data: bytes) -> str:
    """Return the first letters of the data's digest, as signatures have them."""
    return sha256(data).hexdigest()[:SHORT]
