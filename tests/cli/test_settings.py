"""`rouge-cli settings`: settings written from folders, and settings checked."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Outcome, Program

ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))
TEXTS = {
    "sys/lead/1.txt": "the cat sat\n",
    "sys/lead/2.txt": "the dog ran\n",
    "sys/last/1.txt": "a cat was here\n",
    "sys/last/2.txt": "a dog was there\n",
    "mod/A/1.txt": "the cat was sitting\n",
    "mod/A/2.txt": "the dog was running\n",
    "mod/B/1.txt": "a cat sat here\n",
    "mod/B/2.txt": "a dog ran there\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create two systems and two people on two topics."""
    for name, text in TEXTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def settings(program: Program, cwd: Path, *words: str) -> Outcome:
    """Run the command in a folder."""
    return program(ROUGE_CLI, "settings", *words, cwd=cwd)


def test_folders_become_settings(folder: Path, program: Program, drop_in: Program) -> None:
    """Settings are written in the form of the original's samples, and score every system."""
    outcome = settings(program, folder, "--peers", "sys", "--models", "mod", "-o", "s.xml")

    assert (0, b"", "") == outcome
    written = (folder / "s.xml").read_text()
    assert written.startswith(
        '<ROUGE-EVAL version="1.5.5">\n'
        '  <EVAL ID="1">\n'
        "    <PEER-ROOT>sys</PEER-ROOT>\n"
        "    <MODEL-ROOT>mod</MODEL-ROOT>\n"
        '    <INPUT-FORMAT TYPE="SPL"/>\n'
        "    <PEERS>\n"
        '      <P ID="last">last/1.txt</P>\n'
        '      <P ID="lead">lead/1.txt</P>\n'
        "    </PEERS>\n"
        "    <MODELS>\n"
        '      <M ID="A">A/1.txt</M>\n'
        '      <M ID="B">B/1.txt</M>\n'
        "    </MODELS>\n"
        "  </EVAL>\n"
    )
    report = drop_in("-n1", "-x", "-d", "-a", "s.xml", cwd=folder)
    assert (0, "") == (report.status, report.stderr)
    assert b"lead ROUGE-1 Eval 2.lead R:0.50000 P:0.66667 F:0.57143\n" in report.stdout


def test_jackknifed_settings_score_people(folder: Path, program: Program, drop_in: Program) -> None:
    """Each eval comes once without each model, which is scored as a peer against the others."""
    outcome = settings(program, folder, "--peers", "sys", "--models", "mod", "--jackknife", "-o", "s.xml")
    report = drop_in("-n1", "-x", "-d", "-a", "s.xml", cwd=folder).stdout

    assert (0, b"", "") == outcome
    # 1.A: "the cat was sitting" against B's "a cat sat here" shares one word of four.
    assert b"A ROUGE-1 Eval 1.without-A.A R:0.25000 P:0.25000 F:0.25000\n" in report
    assert b"B ROUGE-1 Eval 1.without-B.B R:0.25000 P:0.25000 F:0.25000\n" in report
    assert b"lead ROUGE-1 Eval 1.without-A.lead R:0.50000 P:0.66667 F:0.57143\n" in report
    assert b"without-A.B" not in report
    checked = settings(program, folder, "--check", "s.xml")
    assert (
        "s.xml:9: info: peer A is missing in 2 of 4 evals: 1.without-B, 2.without-B\n"
        "s.xml:22: info: peer B is missing in 2 of 4 evals: 1.without-A, 2.without-A\n"
        "s.xml: 4 evals, 0 errors, 0 warnings, 2 infos\n"
    ) == checked.stdout.decode()


def test_settings_go_to_stdout(folder: Path, program: Program) -> None:
    """Without -o, or with -o -, settings are printed in the selected format."""
    outcomes = [
        settings(program, folder, "--peers", "sys", "--models", "mod", "--read-as", "see", *words)
        for words in ([], ["-o", "-"])
    ]

    assert outcomes[0] == outcomes[1]
    assert (0, "") == (outcomes[0].status, outcomes[0].stderr)
    assert outcomes[0].stdout.count(b'<INPUT-FORMAT TYPE="SEE"/>') == 2


def test_good_settings_have_no_findings(root: Path, program: Program) -> None:
    """Valid settings give one line that counts their content."""
    outcome = settings(program, root, "--check", "fixtures/demo/settings.xml")

    assert (0, b"fixtures/demo/settings.xml: 3 evals, 0 errors, 0 warnings, 0 infos\n", "") == outcome


FAULTY = """\
<ROUGE-EVAL version="1.5.5">
<EVAL><PEERS/></EVAL>
<EVAL ID="1">
<PEER-ROOT>t</PEER-ROOT><MODEL-ROOT>t</MODEL-ROOT>
<INPUT-FORMAT TYPE="TXT"/>
<PEERS>
<P ID="a">nosuch</P>
<P>good</P>
</PEERS>
<MODELS>
<M>good</M>
</MODELS>
</EVAL>
<EVAL ID="2">
<PEER-ROOT>t</PEER-ROOT><MODEL-ROOT>t</MODEL-ROOT>
<INPUT-FORMAT TYPE="SPL"/>
<PEERS>
<P ID="a">good</P>
<P ID="b"/>
<P ID="c">empty</P>
<P ID="d">folder</P>
<P ID="d">folder</P>
<P ID="e">see</P>
<P ID="f">greek</P>
</PEERS>
<MODELS>
<M ID="A">good</M>
<M ID="B">../t/good</M>
<M ID="C">latin1</M>
<M ID="C">latin1</M>
<M ID="D">czech</M>
</MODELS>
<MODEL ID="E">good</MODEL>
</EVAL>
<EVAL ID="2"/>
<EVAL ID="3">
<INPUT-FORMAT TYPE="SEE"/>
<PEER-ROOT>t</PEER-ROOT><MODEL-ROOT>t</MODEL-ROOT>
<PEERS>
<P ID="a">other</P>
</PEERS>
<MODELS>
<M ID="A">see</M>
</MODELS>
</EVAL>
<PEERS/>
<EVAL ID="4">
<INPUT-FORMAT TYPE="SIMPLE"/>
<PEER-ROOT>t</PEER-ROOT><MODEL-ROOT>t</MODEL-ROOT>
<PEERS>
<P ID="a">elements</P>
<P ID="d">elements</P>
</PEERS>
<MODELS><M ID="A">whole</M></MODELS>
</EVAL>
</ROUGE-EVAL>
"""
FINDINGS = """\
2: error: EVAL has no ID; write <EVAL ID="...">
2: error: eval (in line 2) has no peers
2: error: eval (in line 2) has no models
2: error: eval (in line 2) has no INPUT-FORMAT; add <INPUT-FORMAT TYPE="SPL"/> or another
5: error: eval 1 has the unknown input format 'TXT'; use one of ISI, SEE, SIMPLE, SPL
7: warning: peer a is missing in 1 of 5 evals: (in line 2)
7: error: t/nosuch: cannot read the peer a of eval 1: No such file or directory
8: error: P has no ID; write <P ID="...">
8: warning: eval 1: peer (in line 8) is scored against itself, as model (in line 11): t/good
11: error: M has no ID; write <M ID="...">
18: warning: eval 2: peer a is scored against itself, as model A: t/good
19: warning: eval 2: peer b has no file, and no score here
19: warning: peer b is missing in 4 of 5 evals: (in line 2), 1, 3, 4
20: warning: peer c is missing in 4 of 5 evals: (in line 2), 1, 3, 4
20: warning: t/empty: no text in it
22: warning: eval 2 has the peer ID d twice; its last file counts
22: warning: peer d is missing in 3 of 5 evals: (in line 2), 1, 3
22: error: t/folder: cannot read the peer d of eval 2: Is a directory
23: warning: peer e is missing in 4 of 5 evals: (in line 2), 1, 3, 4
23: warning: t/see: read as SPL, but it looks like SEE; its tags count as words
24: warning: peer f is missing in 4 of 5 evals: (in line 2), 1, 3, 4
24: warning: t/greek: text, but no tokens: only ASCII letters and digits count \
(for other alphabets: rouge-cli score --tokenizer unicode, or char)
28: warning: eval 2: models A and B are one file: t/../t/good
30: warning: eval 2 has the model ID C twice; its last file counts each time
30: info: t/latin1: not UTF-8 (byte 4); bytes outside ASCII separate words
31: warning: t/czech: 9 of 19 letters and digits are outside ASCII, and only separate words
33: warning: eval 2: MODEL is unknown here; ignored
35: warning: duplicate eval ID 2; its EVALs are merged
40: warning: t/other: no text in it
40: warning: t/other: not empty, but without sentences numbered as in SEE
46: error: PEERS is outside an EVAL
51: error: t/elements:2: not a basic element: 'only|two'; write HEAD|MODIFIER|RELATION in each line \
(and in 1 more place)
51: error: t/elements:4: not a basic element: ''; write HEAD|MODIFIER|RELATION in each line \
(and in 1 more place)
"""


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """Write settings with every possible error."""
    texts = {
        "good": "the cat\n",
        "empty": "",
        "see": '<a name="1">[1]</a> <a href="#1" id=1>the cat</a>\n',
        "greek": "η γάτα\n",
        "czech": "příliš žluťoučký kůň 1\n",
        "other": "no anchors\n",
        "elements": "a|b|c\nonly|two\nd|e|f\n\n",
        "whole": "a|b|c\n",
    }
    (tmp_path / "t" / "folder").mkdir(parents=True)
    for name, text in texts.items():
        (tmp_path / "t" / name).write_text(text, "utf-8")
    (tmp_path / "t" / "latin1").write_bytes(b"caf\xe9 au lait\n")
    (tmp_path / "s.xml").write_text(FAULTY)
    return tmp_path


def test_everything_is_found_at_once(faulty: Path, program: Program) -> None:
    """All errors in settings and their files are reported in one run, each at its line."""
    outcome = settings(program, faulty, "--check", "s.xml")
    lines = outcome.stdout.decode().splitlines()

    assert [f"s.xml:{line}" for line in FINDINGS.splitlines()] == lines[:-1]
    assert lines[-1].startswith("s.xml: 5 evals, ")
    assert (1, "") == (outcome.status, outcome.stderr)


def test_findings_as_json(faulty: Path, program: Program) -> None:
    """With --format json the same findings are records."""
    outcome = settings(program, faulty, "--check", "s.xml", "--format", "json")
    document = json.loads(outcome.stdout)

    assert outcome.status == 1
    assert [f"s.xml:{line}" for line in FINDINGS.splitlines()] == [
        f"{finding['where']}: {finding['level']}: {finding['message']}" for finding in document["findings"]
    ]
    levels = [finding["level"] for finding in document["findings"]]
    assert ("s.xml", 5) == (document["settings"], document["evals"])
    for level in ("error", "warning", "info"):
        assert levels.count(level) == document[f"{level}s"]


MISMATCH = "not well-formed XML (mismatched tag: EVAL of line 2 is open); close it: </EVAL>"


@pytest.mark.parametrize(
    ("text", "stdout"),
    [
        (
            "<ROUGE-EVAL>\n<EVAL ID='1'>\n</ROUGE-EVAL>\n",
            f"s.xml:3:3: error: {MISMATCH}\ns.xml: 0 evals, 1 error, 0 warnings, 0 infos\n",
        ),
        (
            "<ROUGE-EVAL/>\n",
            "s.xml:1: error: no EVAL in it\ns.xml: 0 evals, 1 error, 0 warnings, 0 infos\n",
        ),
    ],
)
def test_files_without_evals_are_one_error(
    text: str, stdout: str, tmp_path: Path, program: Program
) -> None:
    """A file that is not well-formed XML, or has no EVAL, is one error."""
    (tmp_path / "s.xml").write_text(text)

    assert (1, stdout.encode(), "") == settings(program, tmp_path, "--check", "s.xml")


def test_warnings_alone_are_not_a_failure(folder: Path, program: Program) -> None:
    """A check that finds no error exits with 0, whatever its warnings."""
    settings(program, folder, "--peers", "sys", "--models", "mod", "-o", "s.xml")
    (folder / "sys" / "lead" / "2.txt").write_text("")
    outcome = settings(program, folder, "--check", "s.xml")

    assert (
        0,
        b"s.xml:21: warning: sys/lead/2.txt: no text in it\ns.xml: 2 evals, 0 errors, 1 warning, 0 infos\n",
        "",
    ) == outcome


def test_a_depfile_names_all_files_of_the_settings(folder: Path, program: Program) -> None:
    """Make rules name the settings and all files; with --system only those that this system requires."""
    settings(program, folder, "--peers", "sys", "--models", "mod", "-o", "s.xml")
    for words in (
        ["--depfile", "s.xml.d"],
        ["--depfile", "l.d", "--target", "l.out", "--system", "lead"],
    ):
        assert settings(program, folder, "--check", "s.xml", *words).status == 0

    every = (folder / "s.xml.d").read_text().split("\n\n")
    rules = (folder / "l.d").read_text().split("\n\n")
    assert every[0].startswith("s.xml: \\\n")
    assert set(TEXTS) == set(every[0].replace("\\\n", " ").split()[1:])
    assert rules[0].replace("\\\n", " ").split() == [
        "l.out:",
        "s.xml",
        *("sys/lead/1.txt", "mod/A/1.txt", "mod/B/1.txt"),
        *("sys/lead/2.txt", "mod/A/2.txt", "mod/B/2.txt"),
    ]
    assert "s.xml:" in rules


def test_the_part_of_a_system_is_written(folder: Path, program: Program, drop_in: Program) -> None:
    """With --check and --system, -o writes the evals that have the system, and the rule names this file."""
    settings(program, folder, "--peers", "sys", "--models", "mod", "-o", "s.xml")
    text = (folder / "s.xml").read_text()
    (folder / "s.xml").write_text(text.replace('<P ID="lead">lead/2.txt</P>', '<P ID="lead"/>'))
    words = ["--check", "s.xml", "--system", "lead", "-o", "lead.xml", "--depfile", "l.d"]
    assert settings(program, folder, *words).status == 0

    part = (folder / "lead.xml").read_text()
    assert part.count("<EVAL ") == part.count("<P ") == 1
    assert drop_in("-a", "lead.xml").stdout == drop_in("s.xml", "lead").stdout != b""
    assert "  lead.xml" in (folder / "l.d").read_text()
    assert "s.xml \\" not in (folder / "l.d").read_text().replace("lead.xml", "")


def test_faulty_settings_give_no_part(faulty: Path, program: Program) -> None:
    """After an error in the settings an earlier part is unchanged."""
    (faulty / "part.xml").write_text("before")

    assert settings(program, faulty, "--check", "s.xml", "--system", "a", "-o", "part.xml").status == 1
    assert (faulty / "part.xml").read_text() == "before"


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([], 2, "nothing to write; name --peers DIR and --models DIR, or --check FILE"),
        (["--peers", "sys"], 2, "nothing to write"),
        (["--check", "s.xml", "-o", "x"], 2, "-o with --check, which reads settings and writes none"),
        (["--check", "s.xml", "--system", "a", "-o", "-"], 2, "-o with --check, which reads settings"),
        (["--check", "s.xml", "--target", "x"], 2, "--target without --depfile FILE; leave it out"),
        (["--peers", "sys", "--models", "mod", "--depfile", "x"], 2, "--depfile without --check FILE"),
        (["--check", "no.xml"], 1, "no.xml: cannot read the settings file: No such file or directory"),
        (
            ["--check", "s.xml", "--depfile", "x", "--system", "q"],
            2,
            "s.xml has no system q; use one of (in line 8), a, b",
        ),
        (["--peers", "nosuch", "--models", "mod"], 1, "nosuch: "),
        (["--peers", "sys", "--models", "mod", "-o", "no/x"], 1, "no/x: cannot write: No such file"),
    ],
)
def test_bad_usage(
    words: list[str], status: int, message: str, folder: Path, faulty: Path, program: Program
) -> None:
    """Bad input is one clear message and the documented status, with nothing on stdout."""
    assert folder == faulty
    outcome = settings(program, folder, *words)

    assert (status, b"") == outcome[:2]
    assert outcome.stderr.startswith("rouge-cli: ")
    assert message in outcome.stderr
    assert outcome.stderr.count("\n") == 1
    assert not (folder / "x").exists()


@pytest.mark.parametrize("command", ["settings", "convert"])
def test_help_shows_examples_as_typed(command: str, program: Program) -> None:
    """The examples of a command's help are on lines of their own."""
    stdout = program(ROUGE_CLI, command, "-h").stdout.decode()

    assert f"\n  Examples: rouge-cli {command} --" in stdout
    assert f"\n            rouge-cli {command} --" in stdout
    assert "\\b" not in stdout
