"""Line-aligned files: line n of each is eval n."""

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from case_tables import tabled
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.core import Document, EvalTask
from rouge_cli.errors import ErrorGroup, RougeError, UnreadableFile, UsageError
from rouge_cli.tasks import lines

TEXTS = st.text(
    st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=9
).filter(lambda text: not text.endswith("\r") and not text.startswith("\ufeff"))


def written(folder: Path, **contents: bytes) -> dict[str, str]:
    """Write files with these contents, and return name -> path."""
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    return {name: str(folder / name) for name in contents}


def test_a_line_is_an_eval(tmp_path: Path) -> None:
    """Each system has its line of each eval, references are numbered, and each text
    has its line number.
    """
    path = written(tmp_path, a=b"a1\na2\n", b=b"b1\n\n", r=b"r1\r\nr2", s=b"s1\ns2")
    tasks = list(lines.read({"A": path["a"], "B": path["b"]}, [path["r"], path["s"]]))

    assert [
        EvalTask(
            str(number),
            {
                "A": Document(a, f"{path['a']}:{number}"),
                "B": Document(b, f"{path['b']}:{number}"),
            },
            [
                ("1", Document(r, f"{path['r']}:{number}")),
                ("2", Document(s, f"{path['s']}:{number}")),
            ],
            "spl",
            f"{path['a']}:{number}",
        )
        for number, a, b, r, s in [
            (1, b"a1", b"b1", b"r1", b"s1"),
            (2, b"a2", b"", b"r2", b"s2"),
        ]
    ] == tasks


@given(pairs=st.lists(st.tuples(TEXTS, TEXTS), min_size=1))
def test_texts_come_back(pairs: list[tuple[str, str]]) -> None:
    """Texts written one per line read back unchanged."""
    with TemporaryDirectory() as folder:
        hyps, refs = (
            "".join(f"{text}\n" for text in side).encode()
            for side in zip(*pairs, strict=True)
        )
        path = written(Path(folder), h=hyps, r=refs)
        tasks = list(lines.read({"X": path["h"]}, [path["r"]]))

    read = [(task.predictions["X"], task.references[0][1]) for task in tasks]
    assert pairs == [
        tuple(
            document.data.decode()
            for document in pair
            if isinstance(document, Document)
        )
        for pair in read
    ]


@tabled
def test_files_must_have_the_same_number_of_lines(
    hyp: bytes, ref: bytes, where: str, what: str, tmp_path: Path
) -> None:
    """If files differ in length, the error names the shortest, its last line, and
    all line counts.
    """
    path = written(tmp_path, h=hyp, r=ref)
    with pytest.raises(RougeError) as caught:
        list(lines.read({"X": path["h"]}, [path["r"]]))

    assert (where.format(**path), what.format(**path)) == (
        caught.value.where,
        caught.value.what,
    )


def test_all_missing_files_are_named(tmp_path: Path) -> None:
    """All files that cannot be read are named in one error."""
    with pytest.raises(ErrorGroup) as caught:
        list(lines.read({"X": str(tmp_path / "a")}, [str(tmp_path / "b")]))

    assert [str(tmp_path / "a"), str(tmp_path / "b")] == [
        error.where for error in caught.value.errors
    ]
    assert all(isinstance(error, UnreadableFile) for error in caught.value.errors)


def test_stdin_is_one_file() -> None:
    """Stdin for two files is a usage error before anything is read."""
    with pytest.raises(UsageError, match="is named twice"):
        lines.read({"X": "-"}, ["-"])


def test_files_may_be_compressed_and_encoded(tmp_path: Path) -> None:
    """Suffix and encoding apply to every file."""
    (tmp_path / "h.gz").write_bytes(gzip.compress(b"\xe9\n"))
    (tmp_path / "r").write_bytes(b"\xfc")
    (task,) = lines.read(
        {"X": str(tmp_path / "h.gz")}, [str(tmp_path / "r")], encoding="latin-1"
    )

    assert "é".encode() == getattr(task.predictions["X"], "data", None)
    assert [("1", Document("ü".encode(), f"{tmp_path}/r:1"))] == task.references


def test_evals_come_before_the_files_end(tmp_path: Path) -> None:
    """The first eval is returned before the second line is read."""
    path = written(tmp_path, h=b"a\n" + b"b" * 300_000 + b"\xff", r=b"a\nb")
    tasks = lines.read({"X": path["h"]}, [path["r"]])

    assert "1" == next(tasks).eval_id
    with pytest.raises(RougeError, match="byte 0xff at offset 300002"):
        next(tasks)


@tabled
def test_systems_are_named_by_stems(paths: list[str], names: list[str]) -> None:
    """A system's name is its file's stem, with as many folders as make names
    distinct, or its path.
    """
    assert dict(zip(names, paths, strict=True)) == lines.names(paths)


@pytest.mark.parametrize("paths", [["a", "a"], ["a", "./a"], ["-", "-"]])
def test_a_path_is_named_once(paths: list[str]) -> None:
    """The same file twice is a usage error, however it is spelled."""
    with pytest.raises(UsageError, match="is named twice"):
        lines.names(paths)


@tabled
def test_files_may_be_given_names(
    words: list[str],
    expected: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """NAME=FILE names a system, unless the whole is an existing file, or a path."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run=1.txt").write_text("")

    assert list(expected.items()) == list(lines.named(words).items())


@tabled
def test_names_and_files_differ(words: list[str], message: str) -> None:
    """Two systems of one name, and two names for one file, are usage errors."""
    with pytest.raises(UsageError, match=message):
        lines.named(words)
