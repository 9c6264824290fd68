"""Reading and writing the user's files."""

import bz2
import errno
import gzip
import io
import lzma
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from case_tables import tabled
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.errors import RougeError, UnreadableFile, UnwritableFile, UsageError
from rouge_cli.io import compression, files


def zstd(data: bytes) -> bytes:
    """Compress the data with zstandard, if that is installed."""
    compressed: bytes = pytest.importorskip("zstandard").compress(data)
    return compressed


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd,
}  # fmt: skip
compressed = pytest.mark.parametrize(
    ("suffix", "compress"), COMPRESSORS.items(), ids=list(COMPRESSORS)
)


class Stdin(io.TextIOWrapper):
    """Replace standard input by these bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BufferedReader(io.BytesIO(data), 4))


def test_bytes_come_as_they_are(tmp_path: Path) -> None:
    """Nothing is decoded, and no line end is changed."""
    (tmp_path / "f").write_bytes(b"\xff\r\n\0\x1a")

    assert b"\xff\r\n\0\x1a" == files.read(str(tmp_path / "f"), "text")


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("no", errno.ENOENT),
        (".", errno.EISDIR),
        ("f/x", errno.ENOTDIR),
        ("\0", errno.EINVAL),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, number: int) -> None:
    """Whatever the reason, the error names the path, its role, and the system's
    number.
    """
    (tmp_path / "f").touch()
    path = f"{tmp_path}/{name}"

    with pytest.raises(UnreadableFile) as caught:
        files.read(path, "model 1 of eval 2")

    assert (path, number) == (caught.value.where, caught.value.errno)
    assert caught.value.what.startswith("cannot read the model 1 of eval 2: ")


def test_text_is_written_as_utf_8(tmp_path: Path) -> None:
    """Line ends are unchanged, and names that are not UTF-8 are written as their
    original bytes.
    """
    files.write(str(tmp_path / "f"), "文\r\n\udce9")

    assert b"\xe6\x96\x87\r\n\xe9" == (tmp_path / "f").read_bytes()


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    """A replaced file keeps its permissions, readers keep the old one, and no other
    file is left.
    """
    path = tmp_path / "f"
    path.write_text("old and longer")
    path.chmod(0o640)
    with path.open() as reader:
        files.write(str(path), "new")
        assert "old and longer" == reader.read()

    assert ("new", 0o640) == (path.read_text(), stat.S_IMODE(path.stat().st_mode))
    assert [path] == list(tmp_path.iterdir())


def test_a_new_file_follows_the_umask(tmp_path: Path) -> None:
    """A new file gets the permissions of the umask."""
    (tmp_path / "other").touch()
    files.write(str(tmp_path / "f"), "")

    assert (tmp_path / "other").stat().st_mode == (tmp_path / "f").stat().st_mode


def test_a_private_file_is_never_open_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a private file is replaced, no file in its folder is readable by others."""
    path = tmp_path / "f"
    path.touch(mode=0o600)
    modes: set[int] = set()
    monkeypatch.setattr(
        os,
        "fsync",
        lambda _: modes.update(
            stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()
        ),
    )
    umask = os.umask(0)
    try:
        files.write(str(path), "x")
    finally:
        os.umask(umask)

    assert ({0o600}, "x") == (modes, path.read_text())


@pytest.mark.parametrize(
    "write", [files.write, lambda path, _: files.check_target(path)]
)
@pytest.mark.parametrize("mode", [0o444, 0o400, 0])
def test_a_read_only_file_is_not_replaced(
    tmp_path: Path, mode: int, write: Callable[..., None]
) -> None:
    """A read-only file is unchanged, even if the folder's permissions would allow
    its replacement.
    """
    path = tmp_path / "f"
    path.write_text("old")
    (tmp_path / "link").symlink_to("f")
    path.chmod(mode)
    for name in ("f", "link"):
        with pytest.raises(
            UnwritableFile, match=f"{name}: cannot write: Permission denied"
        ):
            write(str(tmp_path / name), "new")

    path.chmod(0o600)
    assert "old" == path.read_text()
    assert {"f", "link"} == {path.name for path in tmp_path.iterdir()}


def test_a_relative_path_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name without a folder is a file of the working directory."""
    monkeypatch.chdir(tmp_path)
    files.write("f", "x")

    assert "x" == (tmp_path / "f").read_text()


def test_a_link_is_followed(tmp_path: Path) -> None:
    """Writing to a link changes its target, and the link stays a link."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/file")
    for text in ("first", "second"):
        files.write(str(tmp_path / "link"), text)
        assert (tmp_path / "link").is_symlink()
        assert text == (tmp_path / "folder" / "file").read_text()


def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    """A special file, such as /dev/null or a pipe, is written to and not replaced."""
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
    """Whatever the reason, the error names the path, and no file is left behind."""
    (tmp_path / "f").touch()
    path = f"{tmp_path}/{name}"
    with pytest.raises(UnwritableFile) as caught:
        files.write(path, "x")

    assert path == caught.value.where
    assert [tmp_path / "f"] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "reason", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()]
)
def test_a_failed_write_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: BaseException
) -> None:
    """If the disk is full or the user interrupts, the old file is unchanged and the
    new one is removed.
    """
    (tmp_path / "f").write_text("old")

    def fail(_: int) -> None:
        raise reason

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(
        UnwritableFile if isinstance(reason, OSError) else KeyboardInterrupt
    ):
        files.write(str(tmp_path / "f"), "new")

    assert ["old"] == [path.read_text() for path in tmp_path.iterdir()]


def test_files_of_killed_processes_are_removed(tmp_path: Path) -> None:
    """The next process that writes into a folder removes the temporary files of dead
    processes of its machine, and no others.
    """
    killed = (
        "import os, signal, sys\n"
        "from rouge_cli.io import files\n"
        "def parts():\n"
        "    yield b'a'\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "files.write_bytes(sys.argv[1], parts())\n"
    )
    path = tmp_path / "f"
    subprocess.run([sys.executable, "-c", killed, str(path)], check=False)
    (left,) = tmp_path.iterdir()
    _, machine, _, number = left.name.removesuffix(".tmp").rsplit("-", 3)
    others = {
        f".rouge-cli-{machine}-{os.getpid()}-{number}.tmp",
        f".rouge-cli-{int(machine, 16) ^ 1:08x}-4194304-{number}.tmp",
        ".rouge-cli-mine.tmp",
    }
    for name in others:
        (tmp_path / name).write_bytes(b"")
    files.write_bytes(str(path), b"whole")

    assert {"f", *others} == {entry.name for entry in tmp_path.iterdir()}


def test_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    """Bytes are written like text: completely, unchanged, and without other files
    left.
    """
    (tmp_path / "f").write_bytes(b"old")
    files.write_bytes(str(tmp_path / "f"), b"\xff\r\n\0")

    assert (tmp_path / "f").read_bytes() == b"\xff\r\n\0"
    assert ["f"] == [path.name for path in tmp_path.iterdir()]
    with pytest.raises(UnwritableFile, match="cannot write: "):
        files.write_bytes(str(tmp_path / "no" / "f"), b"new")


@compressed
def test_the_suffix_selects_the_compression(
    suffix: str, compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """Compressed files, of several streams too, are decompressed by suffix in any
    case of letters.
    """
    for name in (f"f{suffix}", f"f{suffix.upper()}"):
        (tmp_path / name).write_bytes(compress(b"a\nb") + compress(b"c\n"))

        assert b"a\nbc\n" == files.text(str(tmp_path / name), "text")
        assert [(1, b"a"), (2, b"bc")] == list(
            files.lines(str(tmp_path / name), "text")
        )


@compressed
def test_damaged_files_are_errors(
    suffix: str, compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """A truncated compressed file, or one followed by other bytes, is an error that
    names its path.
    """
    path = tmp_path / f"f{suffix}"
    whole = compress(bytes(range(128)) * 9)
    for data in (whole[:-7], whole[: len(whole) // 2], whole + b"x" * 40):
        path.write_bytes(data)
        with pytest.raises(
            UnreadableFile, match=f"cannot read the text: damaged {suffix}"
        ) as caught:
            files.text(str(path), "text")
        assert str(path) == caught.value.where


@compressed
def test_the_content_decides(
    suffix: str, compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """A file with a suffix of compression is read by its actual compression, or as
    plain text.
    """
    path = tmp_path / f"f{suffix}"
    for content in (
        b"plain\n",
        gzip.compress(b"plain\n"),
        bz2.compress(b"plain\n"),
        compress(b"plain\n"),
    ):
        path.write_bytes(content)

        assert (
            b"plain\n"
            == files.text(str(path), "text")
            == files.read_any(str(path), "text")
        )
        assert b"plain\n" == files.head(str(path), "text")


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
def test_padding_after_a_stream_is_ignored(suffix: str, tmp_path: Path) -> None:
    """Zero bytes after the data, which tapes and block devices add, are ignored."""
    (tmp_path / f"f{suffix}").write_bytes(COMPRESSORS[suffix](b"a\n") + bytes(8))

    assert b"a\n" == files.text(str(tmp_path / f"f{suffix}"), "text")


@compressed
def test_nothing_compressed_is_nothing(
    suffix: str, compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """A compressed empty text is an empty text, and so is an empty file."""
    for data in (b"", compress(b"")):
        (tmp_path / f"f{suffix}").write_bytes(data)

        assert b"" == files.text(str(tmp_path / f"f{suffix}"), "text")
        assert [] == list(files.lines(str(tmp_path / f"f{suffix}"), "text"))


def test_without_zstandard_the_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no module can read zst, the error names the package to install."""
    for name in ("zstandard", "compression.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    (tmp_path / "f.zst").write_bytes(b"\x28\xb5\x2f\xfdx")

    with pytest.raises(
        RougeError, match=r"f\.zst: reading \.zst needs .*; pip install zstandard"
    ):
        files.text(str(tmp_path / "f.zst"), "text")


@given(data=st.binary(max_size=40), size=st.integers(1, 9))
def test_only_line_feeds_end_lines(data: bytes, size: int) -> None:
    """However a file is split into pieces, its lines are those between LF, without
    one CR before each.
    """
    # Many NUL bytes at the start are an error, as in UTF-16.
    text = data.decode("latin-1").replace("\x80", "\r").replace("\0", "x").encode()
    expected = [line.removesuffix(b"\r") for line in text.split(b"\n")[:-1]]
    rest = text.split(b"\n")[-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "PIECE", size)
        patch.setattr(sys, "stdin", Stdin(text))
        read = list(files.lines("-", "text"))
        patch.setattr(sys, "stdin", Stdin(text))
        blocks = list(files.blocks("-", "text"))

    assert [*expected, *([rest] if rest else [])] == [line for _, line in read]
    assert list(range(1, len(read) + 1)) == [number for number, _ in read]
    assert text == b"".join(block for _, block in blocks)
    assert all(block.endswith(b"\n") for _, block in blocks[:-1])
    before = [
        text[: sum(len(block) for _, block in blocks[:at])] for at in range(len(blocks))
    ]
    assert [1 + start.count(b"\n") for start in before] == [
        number for number, _ in blocks
    ]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-16", "utf-16-le", "utf-32-be", "utf-8-sig"]
)
def test_a_byte_order_mark_is_dropped(encoding: str, tmp_path: Path) -> None:
    """A byte order mark at the start is dropped in every encoding, and only there."""
    (tmp_path / "f").write_bytes("\ufeffa\ufeff\n".encode(encoding))

    assert "a\ufeff\n".encode() == files.text(str(tmp_path / "f"), "text", encoding)


@pytest.mark.parametrize(
    "encoding", ["latin-1", "cp1252", "utf-16", "utf-8", "gb18030", "shift_jis"]
)
def test_text_becomes_utf8(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text in any encoding becomes UTF-8, line by line if LF is in the text."""
    monkeypatch.setattr(files, "PIECE", 3)
    text = (
        "\u3042\n\u4e00" if encoding in {"gb18030", "shift_jis"} else "\xe9t\xe9\n\xfc"
    )
    (tmp_path / "f").write_bytes(text.encode(encoding))

    assert text.encode() == files.text(str(tmp_path / "f"), "text", encoding)
    assert text.encode().split(b"\n") == [
        line for _, line in files.lines(str(tmp_path / "f"), "text", encoding)
    ]


@pytest.mark.parametrize("piece", [1, 2, 3, 5, 100])
@tabled
def test_bytes_of_another_encoding_have_a_place(
    data: bytes,
    encoding: str,
    line: int,
    message: str,
    piece: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The error names the line, the byte and its offset, however the file is split
    into pieces.
    """
    monkeypatch.setattr(files, "PIECE", piece)
    (tmp_path / "f").write_bytes(data)

    with pytest.raises(RougeError) as caught:
        files.text(str(tmp_path / "f"), "text", encoding)

    assert (f"{tmp_path}/f:{line}", message) == (caught.value.where, caught.value.what)
    assert "--encoding" in caught.value.remedy


@pytest.mark.parametrize(
    "encoding", ["nosuch", "base64", "rot13", "undefined", "a\0b", ""]
)
def test_unknown_encodings_are_wrong_usage(encoding: str, tmp_path: Path) -> None:
    """An unknown text encoding is a usage error with an example of a known one."""
    (tmp_path / "f").write_bytes(b"a")

    with pytest.raises(UsageError, match="unknown encoding"):
        files.text(str(tmp_path / "f"), "text", encoding)


@pytest.mark.parametrize(
    "data", [b"", b"\n \n\n\n\n\r\n  {a\n}\n", b"{", b"\xef\xbb\xbf{"]
)
def test_looking_at_stdin_takes_nothing_from_it(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a look at the start of stdin all of it is still read, including blank
    lines at its start.
    """
    monkeypatch.setattr(sys, "stdin", Stdin(data))
    start = files.head("-", "text")

    assert data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == start[:1]
    assert data.removeprefix(b"\xef\xbb\xbf") == files.text("-", "text")


def test_a_closed_stdin_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    """If stdin is closed, the error has the system's number."""
    monkeypatch.setattr(sys, "stdin", None)
    for read in (files.head, files.text, files.read_any):
        with pytest.raises(UnreadableFile) as caught:
            read("-", "text")
        assert ("stdin", errno.EBADF) == (caught.value.where, caught.value.errno)


def test_blocks_of_compressed_files_are_small(tmp_path: Path) -> None:
    """A file that is a thousand times its compressed size comes in blocks of the
    usual size.
    """
    path = tmp_path / "f.gz"
    path.write_bytes(gzip.compress(b"a line\n" * 100_000))

    sizes = [len(block) for _, block in files.blocks(str(path), "file")]

    assert sum(sizes) == 700_000
    assert max(sizes) < compression.PIECE + len(b"a line\n")


def test_lines_are_read_lazily(tmp_path: Path) -> None:
    """Reading the first lines of a large file holds only one piece of it in memory."""
    path = tmp_path / "f.gz"
    path.write_bytes(gzip.compress(b"x" * 99 + b"\n") * 20_000)
    call = (
        "import sys, tracemalloc; from rouge_cli.io import files; tracemalloc.start()\n"
        "assert sum(1 for _ in files.lines(sys.argv[1], 'text')) == 20_000\n"
        "peak = tracemalloc.get_traced_memory()[1]\n"
        "assert peak < 4 * files.PIECE, peak"
    )

    subprocess.run([sys.executable, "-c", call, str(path)], check=True)


@tabled
def test_stems_lack_suffixes_but_keep_numbers(path: str, stem: str) -> None:
    """A stem is the path without the suffix of a compression and one more, unless
    that is a number.
    """
    assert stem == files.stem(path)


def test_an_encoding_is_advised_only_where_it_can_be_named(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 lead to --encoding if there is such an option, else
    to UTF-8 alone.
    """
    path = tmp_path / "latin"
    path.write_bytes(b"caf\xe9\n")
    for encoding, has_option in ((files.UTF8, True), (None, False)):
        for read in (
            lambda: files.text(str(path), "text", encoding),  # noqa: B023 - called at once
            lambda: list(files.lines(str(path), "text", encoding)),  # noqa: B023
            lambda: files.as_text(path.read_bytes(), str(path), encoding),  # noqa: B023
        ):
            with pytest.raises(RougeError, match="byte 0xe9 at offset 3; ") as error:
                read()
            assert has_option == ("--encoding" in error.value.remedy)
            assert "save it as UTF-8" in error.value.remedy


@compressed
def test_a_bomb_is_refused_if_it_is_read_whole(
    suffix: str,
    compress: Callable[[bytes], bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A compressed file that is read whole may not exceed a limit; one that is read
    in pieces may.
    """
    monkeypatch.setattr(files, "RECORDS_OF_A_FILE", 1)
    monkeypatch.setenv(files.RECORD_VARIABLE, "1")
    path = tmp_path / f"a{suffix}"
    path.write_bytes(compress(b"a b\n" * (1 << 18)))
    whole = [files.text(str(path), "text"), files.read_any(str(path), "text")]
    path.write_bytes(compress(b"a b\n" * (1 << 18) + b"c"))

    assert [1 << 20] * 2 == list(map(len, whole))
    for read in (files.text, files.read_any):
        with pytest.raises(
            RougeError, match="decompressed, the text has more than 1 MB; if it"
        ):
            read(str(path), "text")
    assert (1 << 18) + 1 == sum(1 for _ in files.lines(str(path), "text"))
