"""Reading what a user names."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import pytest

from rouge_cli import files
from rouge_cli.errors import UnreadableFile, UnwritableFile

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


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    """What stood there is replaced, a link's target too, and no draft is left."""
    (tmp_path / "f").write_bytes(b"old")
    (tmp_path / "link").symlink_to("f")
    files.write_bytes(str(tmp_path / "link"), b"\xff\r\n")

    assert (tmp_path / "f").read_bytes() == b"\xff\r\n"
    assert (tmp_path / "link").is_symlink()
    assert {"f", "link"} == {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("name", [".", "no/f", "f/x", "\0"])
def test_what_cannot_be_written_is_named(name: str, tmp_path: Path) -> None:
    """Whatever the reason, the error names the path, and nothing is left behind."""
    (tmp_path / "f").write_bytes(b"old")
    with pytest.raises(UnwritableFile, match="cannot write: ") as caught:
        files.write_bytes(f"{tmp_path}/{name}", b"new")

    assert f"{tmp_path}/{name}" == caught.value.where
    assert ["f"] == [path.name for path in tmp_path.iterdir()]
    assert (tmp_path / "f").read_bytes() == b"old"


def test_devices_are_written_to() -> None:
    """What is no file, such as /dev/null, stays what it is."""
    files.write_bytes("/dev/null", b"x")

    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
