"""Notices of the drop-in on texts and options that cost points."""

import shutil
import subprocess
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from everyday import sampled

from tests.conftest import ROOT, Program

SEE = '<html>\n<a name="1">[1]</a> <a href="#1" id=1>the cat sat</a>\n</html>\n'


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
    reference = {"SEE": SEE, "SPL": "the cat\n", "ISI": '<S SNTNO="1">the cat</S>\n', "SIMPLE": "a|b|c\n"}[
        form
    ]
    (tmp_path / "prediction").write_text(text)
    (tmp_path / "reference").write_text(reference)
    (tmp_path / "s.xml").write_text(
        '<ROUGE-EVAL><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
        f'<INPUT-FORMAT TYPE="{form}"></INPUT-FORMAT><PEERS><P ID="1">prediction</P></PEERS>'
        '<MODELS><M ID="A">reference</M></MODELS></EVAL></ROUGE-EVAL>'
    )
    words = [*(["-n", "0", "-3", "HM"] if form == "SIMPLE" else ["-n", "1"]), *limit, "-a", "s.xml"]
    theirs = subprocess.run([*original.command, *words], cwd=tmp_path, capture_output=True, check=False)
    ours = drop_in(*words, environment={"ROUGE_CLI_QUIET": "1"})

    assert theirs.stdout == ours.stdout
    assert (b"empty text" in theirs.stderr) == ("prediction: no text in it" in ours.stderr)
    assert ours.stderr.count("\n") <= 1


EVAL = (
    '<EVAL ID="{}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>'
    '<PEERS><P ID="lead">p</P><P ID="-1">p</P></PEERS><MODELS><M ID="A">m</M></MODELS></EVAL>'
)
SETTINGS = "<ROUGE-EVAL>" + EVAL.format(1)

# The command lines of `cases/notices.txt` that print a report.
COMMANDS = [
    "-n 1 s.xml nosuch", "s.xml -n 1 -a", "-n 1 s.xml lead -m", "-a s.xml -m", "-a s.xml -2 4",
    "-a s.xml lead", "-n 1 s.xml lead other", "-n 1 s.xml -1", "-z SPL list lead", "-z SPL list -m",
    "-d -z SPL list lead -m", "-z SPL none", "-a none.xml", "-n 2x -a s.xml", "-n -m -a s.xml",
    "-t 3 -a s.xml", "-f b -a s.xml", "-u -a s.xml", "-3 XYZ -a none.xml", "--max -a s.xml",
    "-n +2.0 -c 95.0 -2 -1 -w 1e0 -p .5 -f A -t 1 -U -a s.xml", "-e data -n 2 -m -a s.xml",
]  # fmt: skip


def write_inputs(folder: Path) -> None:
    """Write the inputs of the commands: settings and a list, and both without an eval."""
    (folder / "p").write_text("a b went\n")
    (folder / "m").write_text("a b goes\n")
    (folder / "s.xml").write_text(SETTINGS + "</ROUGE-EVAL>")
    (folder / "list").write_text("p p\n")
    (folder / "none").write_text("")
    (folder / "none.xml").write_text("<ROUGE-EVAL/>")
    # As in many READMEs, a stop list and a database without irregular forms (QUIRKS 63).
    (folder / "data").mkdir()
    shutil.copy(ROOT / "fixtures/rouge155/db/empty.db", folder / "data" / "WordNet-2.0.exc.db")
    shutil.copy(ROOT / "rouge_cli/data/stop_words.txt", folder / "data" / "smart_common_words.txt")


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
