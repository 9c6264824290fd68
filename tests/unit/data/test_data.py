"""The two word lists: the package's, and those of a data folder."""

import hashlib
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from case_tables import tabled

from rouge_cli import data
from rouge_cli.core import Notice
from rouge_cli.data.word_lists import (
    exception_lists,
    has_lists,
    irregular_forms,
    stop_words,
)
from rouge_cli.errors import RougeError, UnreadableFile

DATABASES = Path(__file__).parents[3] / "fixtures" / "rouge155" / "db"
STOP, FORMS = "smart_common_words.txt", "WordNet-2.0.exc.db"


@pytest.fixture
def notices() -> list[Notice]:
    """Collect a test's notices."""
    return []


def test_the_stop_list_is_the_originals(notices: list[Notice]) -> None:
    """The package's list has the original's 598 lines, 596 of them distinct, byte
    for byte.
    """
    content = data.read("stop_words.txt")

    assert len(content.splitlines()) == 598
    assert len(stop_words(None, notices.append) - {b""}) == 596
    assert (
        hashlib.sha256(content).hexdigest()
        == "d8f6cc2db1084fc04b6269c3c6d20bfacbbb0832d2df3fefe76a9ddac350e766"
    )
    assert notices == []


def test_the_irregular_forms_are_the_originals(notices: list[Notice]) -> None:
    """The package's forms are the 5,930 entries of the original's database, by their
    hash.
    """
    forms = irregular_forms(None, notices.append)
    lines = b"".join(b"%b\t%b\n" % entry for entry in sorted(forms.items()))

    assert len(forms) == 5930
    assert (
        hashlib.sha256(lines).hexdigest()
        == "9664417fabf7d23f3b962e76244c917f225a182b5aa703807e3588d74c026c6d"
    )
    assert notices == []


@tabled
def test_later_lists_replace_earlier_ones(form: bytes, base: bytes) -> None:
    """A form that is in several WordNet lists, or in one list twice, has the last
    entry.
    """
    assert base == irregular_forms(None, lambda _: None)[form]


def test_lists_in_a_data_folder_win(tmp_path: Path, notices: list[Notice]) -> None:
    """The lists of a data folder are used unchanged; different irregular forms are
    reported.
    """
    (tmp_path / STOP).write_bytes(b"foo\nThe\nbar \r\nlast")
    shutil.copy(DATABASES / "small.db", tmp_path / FORMS)
    entries = (DATABASES / "small.db.tsv").read_bytes().splitlines()

    assert {b"foo", b"The", b"bar \r", b"last"} == stop_words(
        str(tmp_path), notices.append
    )
    assert notices == []
    assert dict(entry.split(b"\t") for entry in entries) == irregular_forms(
        str(tmp_path), notices.append
    )
    assert [str(tmp_path / FORMS)] == [
        notice.message.split(": ")[0] for notice in notices
    ]


def test_each_list_wins_for_itself(tmp_path: Path, notices: list[Notice]) -> None:
    """A list that the folder lacks is the package's, and its path is in a notice
    (QUIRKS 2).
    """
    (tmp_path / STOP).write_bytes(b"foo\n")

    assert b"foo" in stop_words(str(tmp_path), notices.append)
    assert len(irregular_forms(str(tmp_path), notices.append)) == 5930
    assert [str(tmp_path / FORMS)] == [
        notice.message.split(": ")[0] for notice in notices
    ]
    assert [False] == [notice.of_the_original for notice in notices]


def test_the_four_lists_are_the_whole_file() -> None:
    """The release's lists split the package's file at each restart of its order, up
    to its end.
    """
    contents = [content for _, content in exception_lists()]
    lines = [content.splitlines() for content in contents]

    assert data.read("irregular_forms.tsv").replace(b"\t", b" ") == b"".join(contents)
    assert all(part == sorted(part) for part in lines)
    assert all(before[-1] > after[0] for before, after in pairwise(lines))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (STOP, data.read("stop_words.txt"), False),
        (STOP, b"the\n", True),
        (FORMS, b"", True),
    ],
)
def test_lists_of_the_user_are_recognized(
    name: str, content: bytes, tmp_path: Path, *, expected: bool
) -> None:
    """A copy of the package's stop list does not count as the user's own list; any
    other list does.
    """
    (tmp_path / name).write_bytes(content)

    assert expected == has_lists(str(tmp_path), replaced=True)


@pytest.mark.parametrize(
    ("names", "expected"), [([], False), ([STOP], True), ([FORMS], True)]
)
def test_a_data_folder_holds_one_list_at_least(
    names: list[str], tmp_path: Path, *, expected: bool
) -> None:
    """A folder is a data folder if either of the two files is in it."""
    for name in names:
        (tmp_path / name).touch()

    assert expected == has_lists(str(tmp_path))


def test_lists_that_cannot_be_read_are_errors(tmp_path: Path) -> None:
    """An unreadable list is an error, and never silently replaced by the package's."""
    (tmp_path / STOP).mkdir()
    (tmp_path / FORMS).write_bytes(b"no database\n")

    with pytest.raises(UnreadableFile, match=STOP):
        stop_words(str(tmp_path), lambda _: None)
    with pytest.raises(RougeError, match="not a Berkeley DB file"):
        irregular_forms(str(tmp_path), lambda _: None)
