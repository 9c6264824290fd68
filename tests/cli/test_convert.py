"""`rouge-cli convert`: other bytes, the same scores."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Outcome, Program

ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))
SPL = b"The cat's  mat, caf\xc3\xa9 <b>bold</b> x < 3 &amp; 4.\n\n - hyphen-ated \r\n \n\xff last"
OPTIONS = ["-n", "3", "-w", "1.2", "-2", "4", "-u", "-m"]


def convert(program: Program, cwd: Path, *words: str) -> Outcome:
    """Run the command in a folder."""
    return program(ROUGE_CLI, "convert", *words, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a peer and a model in SPL."""
    (tmp_path / "spl").mkdir()
    (tmp_path / "spl" / "peer").write_bytes(SPL)
    (tmp_path / "spl" / "model").write_bytes(b"the cat is bold x 3 4\nsome hyphen ated caf last b\n")
    return tmp_path


def test_one_round_through_the_formats(folder: Path, program: Program, drop_in: Program) -> None:
    """SPL, SEE, ISI and SPL again have the same scores under every limit of words or bytes."""
    chain = [("spl", "see"), ("see", "isi"), ("isi", "spl2")]
    for source, target in chain:
        words = ["--from", source, "--to", target[:3], "-o", f"{target}/", source]
        outcome = convert(program, folder, *words)
        assert (0, b"") == outcome[:2], outcome.stderr
    (folder / "list").write_text("peer model\n")
    for limit in ([], ["-l", "7"], ["-l", "9"], ["-b", "20"], ["-b", "45"], ["-b", "60"]):
        reports = {
            name: drop_in(*OPTIONS, *limit, "-z", name[:3], "../list", cwd=folder / name).stdout
            for name in ("spl", "see", "isi", "spl2")
        }
        assert b"ROUGE-SU4 Average_F: 0." in reports["spl"]
        assert {reports["spl"]} == set(reports.values())
    assert (folder / "spl2" / "peer").read_bytes() == b"\n".join(
        line for line in SPL.replace(b"<", b"(").split(b"\n") if line
    ) + b"\n"


def test_replaced_characters_are_reported(folder: Path, program: Program) -> None:
    """A < that SEE cannot represent becomes a (, with one notice for the file."""
    outcome = convert(program, folder, "--to", "see", "-o", "-", "spl/peer")

    assert outcome.status == 0
    assert b"(b>bold(/b> x ( 3 &amp; 4.</a>\n" in outcome.stdout
    assert outcome.stdout.startswith(b"<html>\n<head><title>peer</title></head>\n<body>\n")
    assert (
        "rouge-cli: spl/peer: SEE cannot contain <; it becomes (, which scores the same\n" == outcome.stderr
    )


def test_the_line_feed_of_an_unclosed_see_sentence_is_dropped(folder: Path, program: Program) -> None:
    """The line feed of an unclosed SEE sentence is dropped, with a notice."""
    (folder / "open").write_bytes(b'<a name="1">[1]</a> <a href="#1" id=1>open\n')
    outcome = convert(program, folder, "--to", "spl", "-o", "-", "open")

    assert (0, b"open\n") == outcome[:2]
    assert "open: unclosed sentences lose their line feed, one byte under -b" in outcome.stderr


@pytest.mark.parametrize(
    ("data", "written"),
    [
        (b"one\n\ntwo", b'<S SNTNO="1">one</S>\n<S SNTNO="2">two</S>\n'),
        (b'x\n<a name="1">[1]</a> <a href="#1" id=1>one</a>\n', b'<S SNTNO="1">one</S>\n'),
        (b'<S SNTNO="1">one</S>', b'<S SNTNO="1">one</S>'),
        (b"", b""),
    ],
)
def test_the_format_is_recognized_by_content(
    data: bytes, written: bytes, folder: Path, program: Program
) -> None:
    """Without --from, SEE and ISI are recognized by their sentences; all else is lines."""
    (folder / "in").write_bytes(data)

    assert (0, written, "") == convert(program, folder, "--to", "isi", "-o", "-", "in")


def test_plain_text_is_its_lines(folder: Path, program: Program) -> None:
    """Converted to plain text and back the sentences are the same."""
    first = convert(program, folder, "--to", "plain", "-o", "text", "spl/model")
    second = convert(program, folder, "--from", "plain", "--to", "spl", "-o", "-", "text")

    assert (0, b"", "") == first
    assert (0, (folder / "spl" / "model").read_bytes(), "") == second


def test_a_folder_keeps_its_names(folder: Path, program: Program) -> None:
    """Folders are converted with their sub-folders and all file names, except hidden files."""
    (folder / "spl" / "sub").mkdir()
    (folder / "spl" / "sub" / "a.txt").write_text("a\n")
    (folder / "spl" / ".hidden").write_text("a\n")
    outcome = convert(program, folder, "--to", "isi", "-o", "new/isi", "spl")

    assert (0, b"") == outcome[:2]
    written = {str(path.relative_to(folder / "new")) for path in (folder / "new").rglob("*")}
    assert {"isi", "isi/model", "isi/peer", "isi/sub", "isi/sub/a.txt"} == written


def test_existing_files_are_not_overwritten(folder: Path, program: Program) -> None:
    """Without --force no file is overwritten, and if one exists none is written."""
    (folder / "out").mkdir()
    (folder / "out" / "peer").write_text("mine")
    refused = convert(program, folder, "--to", "see", "-o", "out", "spl")

    assert (1, b"") == refused[:2]
    assert refused.stderr == "rouge-cli: out/peer: file exists; use --force to overwrite it\n"
    assert ["peer"] == [path.name for path in (folder / "out").iterdir()]
    assert convert(program, folder, "--force", "--to", "see", "-o", "out", "spl").status == 0
    assert (folder / "out" / "peer").read_bytes().startswith(b"<html>")


def test_a_folder_can_be_converted_in_its_place(folder: Path, program: Program) -> None:
    """With --force a folder may be its own output, since all is read before anything is written."""
    assert convert(program, folder, "--force", "--to", "isi", "-o", "spl", "spl").status == 0

    assert (folder / "spl" / "model").read_bytes().startswith(b'<S SNTNO="1">the cat')
    assert {"model", "peer"} == {path.name for path in (folder / "spl").iterdir()}


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--to", "see", "-o", "x", "nosuch"], 1, "nosuch: cannot read the summary: No such file or"),
        (["--to", "see", "-o", "-", "spl"], 2, "stdout takes only one summary; name a folder with -o"),
        (["--to", "see", "-o", "x/", "-"], 2, "stdin has no name in a folder; name a file with -o"),
        (["--to", "see", "-o", "x", "spl", "spl/peer"], 2, "spl/peer and other/peer"),
        (["--to", "see", "-o", "x", "empty"], 1, "empty: no summary in this folder"),
        (["--to", "see", "-o", "spl/peer/x", "spl/model"], 1, "spl/peer/x: cannot write: "),
        (
            ["--from", "isi", "--to", "see", "-o", "x", "spl/model"],
            1,
            "spl/model: not empty, but without sent",
        ),
        (["--to", "spl", "-o", "x", "broken"], 1, "broken: it looks like SEE or ISI, but has no sentences"),
        (
            ["--to", "doc", "-o", "x", "spl/model"],
            2,
            "convert: invalid value for '--to': 'doc' is not one of",
        ),
    ],
)
def test_bad_input_is_refused(
    words: list[str], status: int, message: str, folder: Path, program: Program
) -> None:
    """Bad input is one clear message, nothing on stdout, and nothing written."""
    (folder / "empty").mkdir()
    (folder / "broken").write_bytes(b'<a name="1">1</a> one\n')
    if "other" in message:
        (folder / "other").mkdir()
        (folder / "other" / "peer").write_text("x\n")
        words = [*words[:-1], "other/peer"]
    outcome = convert(program, folder, *words)

    assert (status, b"") == outcome[:2]
    assert message in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert not (folder / "x").exists()


def test_the_releases_own_conversion(release: Path, tmp_path: Path, program: Program) -> None:
    """The release's sample files in SEE convert to its sample files in SPL."""
    source = release / "sample-test"
    outcome = convert(program, tmp_path, "--to", "spl", "-o", "spl/", str(source / "Verify"))
    shipped = {path.stem: path.read_bytes() for path in (source / "Verify-SPL").iterdir()}

    assert (0, b"", "") == outcome
    converted = {path.stem: path.read_bytes() for path in (tmp_path / "spl").iterdir()}
    assert len(converted) == 40  # there is one more file of SPL
    assert converted == {name: shipped[name] for name in converted}
