"""Reading and writing what a user names."""

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


def test_text_is_written_as_utf_8(tmp_path: Path) -> None:
    """Line ends stay as they are, and names that are no UTF-8 become the bytes that they were."""
    files.write(str(tmp_path / "f"), "文\r\n\udce9")

    assert b"\xe6\x96\x87\r\n\xe9" == (tmp_path / "f").read_bytes()


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    """A file keeps its permissions, who reads it meanwhile has the old one, and nothing else is left."""
    path = tmp_path / "f"
    path.write_text("old and longer")
    path.chmod(0o640)
    with path.open() as reader:
        files.write(str(path), "new")
        assert "old and longer" == reader.read()

    assert ("new", 0o640) == (path.read_text(), stat.S_IMODE(path.stat().st_mode))
    assert [path] == list(tmp_path.iterdir())


def test_a_new_file_follows_the_umask(tmp_path: Path) -> None:
    """A new file is as readable as any that the user makes."""
    (tmp_path / "other").touch()
    files.write(str(tmp_path / "f"), "")

    assert (tmp_path / "other").stat().st_mode == (tmp_path / "f").stat().st_mode


def test_a_relative_path_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name without a folder is a file of the working directory."""
    monkeypatch.chdir(tmp_path)
    files.write("f", "x")

    assert "x" == (tmp_path / "f").read_text()


def test_a_link_is_followed(tmp_path: Path) -> None:
    """Writing to a link changes what it points to, and the link stays one."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/file")
    for text in ("first", "second"):
        files.write(str(tmp_path / "link"), text)
        assert (tmp_path / "link").is_symlink()
        assert text == (tmp_path / "folder" / "file").read_text()


def test_a_pipe_is_no_file_to_replace(tmp_path: Path) -> None:
    """What is no regular file, such as /dev/null or a pipe, is written to and stays what it is."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        files.write(str(path), "x")
        assert b"x" == os.read(reader, 9)
    finally:
        os.close(reader)

    assert path.is_fifo()


@pytest.mark.parametrize("name", ["no/f", ".", "f/x", "\0", "x" * 300])
def test_what_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    """Whatever the reason, the error names the path, and nothing is left behind."""
    (tmp_path / "f").touch()
    path = f"{tmp_path}/{name}"
    with pytest.raises(UnwritableFile) as caught:
        files.write(path, "x")

    assert path == caught.value.where
    assert [tmp_path / "f"] == list(tmp_path.iterdir())


@pytest.mark.parametrize("reason", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_a_failed_write_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: BaseException
) -> None:
    """Where the disk is full or the user interrupts, the old file stays and the new one is removed."""
    (tmp_path / "f").write_text("old")

    def fail(_: int) -> None:
        raise reason

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(UnwritableFile if isinstance(reason, OSError) else KeyboardInterrupt):
        files.write(str(tmp_path / "f"), "new")

    assert ["old"] == [path.read_text() for path in tmp_path.iterdir()]


def test_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    """What is no text is written like text: whole, byte for byte, and nothing is left beside it."""
    (tmp_path / "f").write_bytes(b"old")
    files.write_bytes(str(tmp_path / "f"), b"\xff\r\n\0")

    assert (tmp_path / "f").read_bytes() == b"\xff\r\n\0"
    assert ["f"] == [path.name for path in tmp_path.iterdir()]
    with pytest.raises(UnwritableFile, match="cannot write: "):
        files.write_bytes(str(tmp_path / "no" / "f"), b"new")
