"""Notices of the drop-in on texts and options that cost points."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from everyday import sampled

if TYPE_CHECKING:
    from types import SimpleNamespace

    from tests.conftest import Outcome, Program

ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))
SEE = '<html>\n<a name="1">[1]</a> <a href="#1" id=1>the cat sat</a>\n</html>\n'

# file content, format, notice
TEXTS = {
    "another alphabet": ("кошка сидела\n", "SPL", "peer: text, but no tokens"),
    "SEE as SPL": (SEE, "SPL", "peer: read as SPL, but it looks like SEE"),
    "SEE without a sentence": (
        SEE.replace("[1]", "1"),
        "SEE",
        "peer: not empty, but without sentences numbered",
    ),
    "plain text as ISI": ("the cat sat\n", "ISI", "peer: not empty, but without sentences numbered"),
}


def evaluate(drop_in: Program, tmp_path: Path, text: str, form: str, quiet: str = "0") -> Outcome:
    """Score a peer of this text against a valid model."""
    model = {"SEE": SEE, "SPL": "the cat sat\n", "ISI": '<S SNTNO="1">the cat sat</S>\n'}[form]
    (tmp_path / "peer").write_text(text, "utf-8")
    (tmp_path / "model").write_text(model)
    (tmp_path / "list").write_text("peer model\n")
    return drop_in("-n", "1", "-z", form, "list", environment={"ROUGE_CLI_QUIET": quiet})


@pytest.mark.parametrize("name", TEXTS)
def test_what_people_lose_points_to_is_said(name: str, drop_in: Program, tmp_path: Path) -> None:
    """Text that cannot score is named on stderr, and scored as by the original (QUIRKS 6)."""
    text, form, message = TEXTS[name]
    status, stdout, stderr = evaluate(drop_in, tmp_path, text, form)

    assert status == 0
    assert message in stderr
    assert stdout.startswith(b"-----")


@pytest.mark.parametrize("name", TEXTS)
def test_quiet_removes_notices_that_the_original_does_not_print(
    name: str, drop_in: Program, tmp_path: Path
) -> None:
    """With ROUGE_CLI_QUIET=1 there are no notices, and stdout is unchanged."""
    text, form, message = TEXTS[name]
    loud, quiet = (evaluate(drop_in, tmp_path, text, form, quiet) for quiet in "01")

    assert message not in quiet.stderr
    assert loud[:2] == quiet[:2]


@pytest.mark.parametrize(
    ("form", "text", "limit"),
    sampled(  # every fifth, so that each format meets each text and each limit has several
        product(
            ["SPL", "SEE", "ISI", "SIMPLE"],
            ["", "\n", " \n", "<html></html>\n"],
            [[], ["-l", "5"], ["-b", "5"], ["-l", "0"]],
        ),
        5,
    ),
)
def test_empty_texts_are_told_as_the_original_tells_them(
    form: str, text: str, limit: list[str], drop_in: Program, original: SimpleNamespace, tmp_path: Path
) -> None:
    """With ROUGE_CLI_QUIET=1 an empty text is named if the original names it, and not otherwise."""
    model = {"SEE": SEE, "SPL": "the cat\n", "ISI": '<S SNTNO="1">the cat</S>\n', "SIMPLE": "a|b|c\n"}[form]
    (tmp_path / "peer").write_text(text)
    (tmp_path / "model").write_text(model)
    (tmp_path / "s.xml").write_text(
        '<ROUGE-EVAL><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
        f'<INPUT-FORMAT TYPE="{form}"></INPUT-FORMAT><PEERS><P ID="1">peer</P></PEERS>'
        '<MODELS><M ID="A">model</M></MODELS></EVAL></ROUGE-EVAL>'
    )
    words = [*(["-n", "0", "-3", "HM"] if form == "SIMPLE" else ["-n", "1"]), *limit, "-a", "s.xml"]
    theirs = subprocess.run([*original.command, *words], cwd=tmp_path, capture_output=True, check=False)
    ours = drop_in(*words, environment={"ROUGE_CLI_QUIET": "1"})

    assert theirs.stdout == ours.stdout
    assert (b"empty text" in theirs.stderr) == ("peer: no text in it" in ours.stderr)
    assert ours.stderr.count("\n") <= 1


def test_good_text_gets_no_notice(drop_in: Program, tmp_path: Path) -> None:
    """Valid texts cause no notice."""
    assert evaluate(drop_in, tmp_path, "the cat sat\n", "SPL").stderr == ""


def test_a_model_id_used_twice_is_reported(drop_in: Program, tmp_path: Path) -> None:
    """The second of two models with one ID replaces the first, with a notice (QUIRKS 12)."""
    (tmp_path / "p").write_text("a b\n")
    (tmp_path / "s.xml").write_text(
        '<ROUGE-EVAL><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
        '<INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="1">p</P></PEERS>'
        '<MODELS><M ID="A">p</M>\n<M ID="A">p</M></MODELS></EVAL></ROUGE-EVAL>'
    )

    assert drop_in("-n1", "-a", "s.xml").stderr == (
        "ROUGE-1.5.5.pl: s.xml:2: eval 1 has the model ID A twice; its last file counts each time\n"
    )


@pytest.mark.parametrize("command", [("-n1", "-a"), ("score",)], ids=["drop-in", "score"])
def test_repeated_ids_are_reported(
    command: tuple[str, ...], drop_in: Program, program: Program, tmp_path: Path
) -> None:
    """A repeated EVAL or P ID is reported where scores are made, not only by `settings --check`."""
    (tmp_path / "p").write_text("a b\n")
    start, end = '<EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>', "</EVAL>"
    texts = '<MODELS><M ID="{}">p</M></MODELS><INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="1">p</P>'
    first, second = (start + texts.format(model) for model in "AB")
    (tmp_path / "s.xml").write_text(
        f'<ROUGE-EVAL>{first}\n<P ID="1">p</P></PEERS>{end}\n{second}</PEERS>{end}</ROUGE-EVAL>'
    )
    run = (
        program(ROUGE_CLI, "score", "s.xml", cwd=tmp_path)
        if command[0] == "score"
        else drop_in(*command, "s.xml")
    )
    name = "rouge-cli" if command[0] == "score" else "ROUGE-1.5.5.pl"

    assert run.stderr.splitlines() == [
        f"{name}: s.xml:2: eval 1 has the peer ID 1 twice; its last file counts",
        f"{name}: s.xml:3: duplicate eval ID 1; its EVALs are merged",
        f"{name}: s.xml:3: eval 1 has the peer ID 1 twice; its last file counts",
    ]


def test_both_stemming_options_are_reported(drop_in: Program, tmp_path: Path) -> None:
    """-m with -M counts as -m, with a notice, since the original's later peers differ (QUIRKS 21)."""
    (tmp_path / "p").write_text("cats\n")
    (tmp_path / "list").write_text("p p\n")
    both, alone, words = (
        drop_in(*options, "-z", "SPL", "list")
        for options in (("-m", "-M"), ("-m",), ("-m", "-M", "-x", "-n1"))
    )

    assert both.stdout == alone.stdout
    assert "-m and -M: read as -m" in both.stderr
    assert (alone.stderr, words.stderr) == ("", "")


def test_a_folder_is_an_empty_text(drop_in: Program, tmp_path: Path) -> None:
    """A path that is a folder scores nothing, as in the original, with a notice (QUIRKS 13)."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "model").write_text("a b\n")
    (tmp_path / "list").write_text("folder model\n")
    status, stdout, stderr = drop_in("-n", "1", "-x", "-z", "SPL", "list")

    assert status == 0
    assert b"X ROUGE-1 Average_F: 0.00000" in stdout
    assert "folder: a folder, read as an empty text: peer X of eval 1 (list:1)" in stderr


def test_a_missing_peer_is_reported_even_when_quiet(drop_in: Program, tmp_path: Path) -> None:
    """The original warns of a system that an eval lacks, and so does the drop-in, always (QUIRKS 14)."""
    write_inputs(tmp_path)
    text = SETTINGS + EVAL.format(2).replace('<P ID="lead">p</P>', "") + "</ROUGE-EVAL>"
    (tmp_path / "s.xml").write_text(text)
    outcome = drop_in("-n1", "s.xml", "lead", environment={"ROUGE_CLI_QUIET": "1"})

    assert outcome.status == 0
    assert outcome.stderr == "ROUGE-1.5.5.pl: eval 2: no peer lead; it is averaged over the other evals\n"


EVAL = (
    '<EVAL ID="{}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>'
    '<PEERS><P ID="lead">p</P><P ID="-1">p</P></PEERS><MODELS><M ID="A">p</M></MODELS></EVAL>'
)
SETTINGS = "<ROUGE-EVAL>" + EVAL.format(1)
ZEROS = "s.xml: no system {!r}, so that it gets zeros; there are -1, lead"
AFTER = "{}: options after s.xml are not read; write them before it"

# command line -> all notices
COMMANDS = {
    "-n 1 s.xml nosuch": [ZEROS.format("nosuch")],
    "s.xml -n 1 -a": [AFTER.format("-n 1 -a"), ZEROS.format("-n")],
    "-n 1 s.xml lead -m": [AFTER.format("lead -m")],
    "-a s.xml -m": [AFTER.format("-m")],
    "-a s.xml -2 4": [AFTER.format("-2 4")],
    "-a s.xml lead": ["lead: ignored, since -a scores all systems"],
    "-n 1 s.xml lead other": ["other: ignored, since lead alone is scored"],
    "-n 1 s.xml -1": [],
    "-z SPL list lead": [],
    "-z SPL list -m": ["-m: options after list are not read; write them before it"],
    "-d -z SPL list lead -m": [
        "lead -m: name one system after the list; more words give zeros (QUIRKS 15)"
    ],
    "-z SPL none": ["none: no eval has a peer"],
    "-a none.xml": ["none.xml: no eval has a peer"],
    "-n 2x -a s.xml": ["-n 2x: not a number; read as 2"],
    "-n -m -a s.xml": ["-n -m: not a number; read as 0"],
    "-t 3 -a s.xml": ["-t 3: none of 0, 1 and 2; read as 0"],
    "-f b -a s.xml": ["-f b: neither A nor B; read as A"],
    "-u -a s.xml": ["-u and -U: without -2 there is no ROUGE-S"],
    "-3 XYZ -a none.xml": [
        "-3 XYZ: unknown mode, which counts nothing; use H, HM, HMR, HM1, HMR1, HMR2",
        "none.xml: no eval has a peer",
    ],
    "--max -a s.xml": [
        "unknown option -- is skipped (an option is one letter: the others of this word are options, too)"
    ],
    "-n +2.0 -c 95.0 -2 -1 -w 1e0 -p .5 -f A -t 1 -U -a s.xml": [],
}


def write_inputs(folder: Path) -> None:
    """Write the inputs of the commands: settings and a list, and both without an eval."""
    (folder / "p").write_text("a b\n")
    (folder / "s.xml").write_text(SETTINGS + "</ROUGE-EVAL>")
    (folder / "list").write_text("p p\n")
    (folder / "none").write_text("")
    (folder / "none.xml").write_text("<ROUGE-EVAL/>")


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_that_nobody_means_is_said(line: str, drop_in: Program, tmp_path: Path) -> None:
    """A command that the original silently misreads is scored in the same way, with a notice."""
    write_inputs(tmp_path)
    outcome = drop_in(*line.split())

    assert outcome.status == 0
    assert [f"ROUGE-1.5.5.pl: {notice}" for notice in COMMANDS[line]] == outcome.stderr.splitlines()


@pytest.mark.parametrize("line", sampled(COMMANDS, 3))
def test_such_a_command_prints_what_the_original_prints(
    line: str,
    drop_in: Program,
    original: Any,  # noqa: ANN401 - the kit's Original
    program: Program,
    tmp_path: Path,
) -> None:
    """Report and exit status of a misread command are the live original's."""
    write_inputs(tmp_path)
    outcome = program(*original.command, *line.split(), cwd=tmp_path)

    assert outcome[:2] == drop_in(*line.split())[:2]
