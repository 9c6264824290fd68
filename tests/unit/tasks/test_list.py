"""File lists: one eval per line."""

import errno
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from case_tables import tabled

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


@tabled
def test_a_line_is_an_eval(
    lists: list[bytes], expected: list[tuple[str, str, list[str], int]], path: Path
) -> None:
    """Lists have the evals that each truth of the table says; references are M.1,
    M.2, ...
    """
    evals = [
        EvalTask(
            eval_id, {"X": prediction}, [(f"M.{n}", name) for n, name in enumerate(references, 1)], "spl",
            f"{path}:{line}",
        )
        for eval_id, prediction, references, line in expected
    ]  # fmt: skip

    assert [evals] * len(lists) == [read(path, data) for data in lists]


def test_names_are_bytes(path: Path) -> None:
    """A path that is not UTF-8 opens the file with exactly these bytes."""
    (task,) = read(path, b"caf\xe9 m\xc3\xbc\n")

    assert b"caf\xe9" == os.fsencode(str(task.predictions["X"]))
    assert [b"m\xc3\xbc"] == [os.fsencode(str(name)) for _, name in task.references]


@tabled
def test_other_lines_are_refused(
    path: Path, data: bytes, line: int, message: str
) -> None:
    """A prediction without a reference, and XML, are errors that name line and
    remedy.
    """
    with pytest.raises(RougeError, match=message) as caught:
        read(path, data)

    assert f"{path}:{line}" == caught.value.where


def test_a_missing_list_is_an_error(path: Path) -> None:
    """A missing list is an error with the system's reason and number."""
    with pytest.raises(UnreadableFile, match="file list") as caught:
        file_list.tasks(str(path), "X", kinds.Texts("spl", (), "", print))

    assert errno.ENOENT == caught.value.errno


def test_a_file_may_be_called_like_an_element(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path that begins with `<` is a path if such a file exists, as for the
    original.
    """
    monkeypatch.chdir(path.parent)
    (path.parent / "<a>").write_text("a b\n")

    assert {"X": "<a>"} == read(path, b"<a> <a>\n")[0].predictions
