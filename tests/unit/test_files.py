"""Reading what a user names."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from rouge_cli import files
from rouge_cli.errors import UnreadableFile

if TYPE_CHECKING:
    from pathlib import Path


def test_bytes_come_as_they_are(tmp_path: Path) -> None:
    """Nothing is decoded, and no line end is changed."""
    (tmp_path / "f").write_bytes(b"\xff\r\n\0\x1a")

    assert b"\xff\r\n\0\x1a" == files.read(str(tmp_path / "f"), "text")


@pytest.mark.parametrize(
    ("name", "number"),
    [("no", errno.ENOENT), (".", errno.EISDIR), ("f/x", errno.ENOTDIR), ("\0", errno.EINVAL)],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, number: int) -> None:
    """Whatever the reason, the error names the path, what it is to the user, and the system's number."""
    (tmp_path / "f").touch()
    path = f"{tmp_path}/{name}"

    with pytest.raises(UnreadableFile) as caught:
        files.read(path, "model 1 of eval 2")

    assert (path, number) == (caught.value.where, caught.value.errno)
    assert caught.value.what.startswith("cannot read the model 1 of eval 2: ")
