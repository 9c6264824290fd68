"""Notices of the drop-in on texts and options that cost points."""

import shutil
import subprocess
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import case_files
import pytest
from everyday import sampled

from tests.conftest import ROOT, Program

SEE = '<html>\n<a name="1">[1]</a> <a href="#1" id=1>the cat sat</a>\n</html>\n'


@pytest.mark.parametrize(
    ("form", "text", "limit"),
    # every fifth, so that each format meets each text and each limit has several
    sampled(
        product(
            ["SPL", "SEE", "ISI", "SIMPLE"],
            ["", "\n", " \n", "<html></html>\n"],
            [[], ["-l", "5"], ["-b", "5"], ["-l", "0"]],
        ),
        5,
    ),
)
def test_empty_texts_are_told_as_the_original_tells_them(
    form: str,
    text: str,
    limit: list[str],
    drop_in: Program,
    original: SimpleNamespace,
    tmp_path: Path,
) -> None:
    """With ROUGE_CLI_QUIET=1 an empty text is named if the original names it, and
    not otherwise.
    """
    reference = {
        "SEE": SEE,
        "SPL": "the cat\n",
        "ISI": '<S SNTNO="1">the cat</S>\n',
        "SIMPLE": "a|b|c\n",
    }[form]
    (tmp_path / "prediction").write_text(text)
    (tmp_path / "reference").write_text(reference)
    (tmp_path / "s.xml").write_text(
        "<ROUGE-EVAL><EVAL"
        ' ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT'
        f' TYPE="{form}"></INPUT-FORMAT><PEERS><P'
        ' ID="1">prediction</P></PEERS><MODELS><M'
        ' ID="A">reference</M></MODELS></EVAL></ROUGE-EVAL>'
    )
    words = [
        *(["-n", "0", "-3", "HM"] if form == "SIMPLE" else ["-n", "1"]),
        *limit,
        "-a",
        "s.xml",
    ]
    theirs = subprocess.run(
        [*original.command, *words], cwd=tmp_path, capture_output=True, check=False
    )
    ours = drop_in(*words, environment={"ROUGE_CLI_QUIET": "1"})

    assert theirs.stdout == ours.stdout
    assert (b"empty text" in theirs.stderr) == (
        "prediction: no text in it" in ours.stderr
    )
    assert ours.stderr.count("\n") <= 1


MISREAD = next(
    text
    for name, _, text in case_files.cases()
    if name.startswith("notices: A command that")
)
COMMANDS = [
    "ROUGE-1.5.5.pl -e data -n 2 -m -a s.xml",
    *(step.name for step in case_files.steps(MISREAD) if step.kind == "$"),
]


@pytest.mark.parametrize("command", sampled(COMMANDS, 3))
def test_such_a_command_prints_what_the_original_prints(
    command: str,
    drop_in: Program,
    original: Any,  # noqa: ANN401 - the kit's Original
    program: Program,
    tmp_path: Path,
) -> None:
    """Report and exit status of a misread command of `cases/notices.txt` are the
    live original's.
    """
    for step in case_files.steps(MISREAD):
        if step.kind != "$":
            case_files.write(step, tmp_path)
    # As in many READMEs, a stop list and a database without irregular forms (QUIRKS
    # 63).
    (tmp_path / "data").mkdir()
    shutil.copy(
        ROOT / "fixtures/rouge155/db/empty.db", tmp_path / "data" / "WordNet-2.0.exc.db"
    )
    shutil.copy(
        ROOT / "rouge_cli/data/stop_words.txt",
        tmp_path / "data" / "smart_common_words.txt",
    )
    words = command.split()[1:]
    outcome = program(*original.command, *words, cwd=tmp_path)

    assert outcome[:2] == drop_in(*words)[:2]
