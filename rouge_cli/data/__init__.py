"""Word lists that come with the package; README.md beside them says where each is from."""

from __future__ import annotations

from pathlib import Path


def read(name: str) -> bytes:
    """The bytes of one of this folder's files."""
    return Path(__file__).with_name(name).read_bytes()
