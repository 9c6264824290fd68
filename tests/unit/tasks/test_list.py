"""File lists: one eval per line."""

import errno
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from rouge_cli.core import EvalTask
from rouge_cli.errors import RougeError, UnreadableFile
from rouge_cli.tasks import kinds
from rouge_cli.tasks.kinds import list as file_list


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a test's list."""
    return tmp_path / "l.lst"


def read(path: Path, data: bytes) -> Sequence[EvalTask]:
    """Return the evals of a list of SPL files, for a prediction X."""
    path.write_bytes(data)
    return file_list.tasks(str(path), "X", kinds.Texts("spl", (), "", print))


def test_a_line_is_an_eval(path: Path) -> None:
    """The prediction is first, then references M.1, M.2, ...; evals are numbered from 1, by line."""
    assert [
        EvalTask("1", {"X": "p1"}, [("M.1", "m1"), ("M.2", "m2")], "spl", f"{path}:1"),
        EvalTask("2", {"X": "d/p2"}, [("M.1", "m1")], "spl", f"{path}:2"),
    ] == read(path, b"p1 m1 m2\nd/p2 m1\n")


def test_comments_and_blank_lines_are_not_numbered(path: Path) -> None:
    """Lines that start with # and blank lines get no eval number, but count for line numbers."""
    tasks = read(path, b"# p m\n\n#\np1 m1\n \t\r\n#p\np2 m2")

    assert [("1", f"{path}:4"), ("2", f"{path}:7")] == [(task.eval_id, task.where) for task in tasks]


@pytest.mark.parametrize(
    "line", [b"p m", b"  p   m  ", b"\tp\tm\r", b"p\vm", b"p\fm", b"p m\n", b"\n\n\np m"]
)
def test_paths_stand_between_white_space(path: Path, line: bytes) -> None:
    """Any white space separates paths, and white space around them is ignored."""
    assert [({"X": "p"}, [("M.1", "m")])] == [
        (task.predictions, task.references) for task in read(path, line)
    ]


def test_a_hash_elsewhere_is_a_path(path: Path) -> None:
    """Only in the first column does # begin a comment."""
    (task,) = read(path, b" # m #x\n")

    assert ({"X": "#"}, [("M.1", "m"), ("M.2", "#x")]) == (task.predictions, task.references)


def test_names_are_bytes(path: Path) -> None:
    """A path that is not UTF-8 opens the file with exactly these bytes."""
    (task,) = read(path, b"caf\xe9 m\xc3\xbc\n")

    assert b"caf\xe9" == os.fsencode(str(task.predictions["X"]))
    assert [b"m\xc3\xbc"] == [os.fsencode(str(name)) for _, name in task.references]


@pytest.mark.parametrize(
    ("data", "line"), [(b"alone", 1), (b"p m\n\n# c\n alone \np m\n", 4), (b"p m\n #", 2)]
)
def test_a_line_with_one_path_is_refused(path: Path, data: bytes, line: int) -> None:
    """A prediction without a reference is an error that names the line."""
    with pytest.raises(RougeError, match="only one path") as caught:
        read(path, data)

    assert f"{path}:{line}" == caught.value.where


@pytest.mark.parametrize("data", [b"", b"\n", b"# nothing\n"])
def test_a_list_of_nothing_has_no_evals(path: Path, data: bytes) -> None:
    """A list with only comments and blank lines is not an error."""
    assert [] == list(read(path, data))


def test_a_missing_list_is_an_error(path: Path) -> None:
    """A missing list is an error with the system's reason and number."""
    with pytest.raises(UnreadableFile, match="file list") as caught:
        file_list.tasks(str(path), "X", kinds.Texts("spl", (), "", print))

    assert errno.ENOENT == caught.value.errno


@pytest.mark.parametrize(
    "data", [b"<ROUGE-EVAL version='1'>\n<EVAL>\n", b"\n<ROUGE-EVAL>", b'<?xml version="1.0"?>\n']
)
def test_settings_are_not_a_list(path: Path, data: bytes) -> None:
    """Settings XML read as a list is an error that names the option to leave out."""
    with pytest.raises(RougeError, match="leave -z FORMAT out") as caught:
        read(path, data)

    assert caught.value.where.startswith(f"{path}:")


def test_a_file_may_be_called_like_an_element(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that begins with `<` is a path if such a file exists, as for the original."""
    monkeypatch.chdir(path.parent)
    (path.parent / "<a>").write_text("a b\n")

    assert {"X": "<a>"} == read(path, b"<a> <a>\n")[0].predictions
