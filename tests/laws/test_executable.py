"""The executable ROUGE-1.5.5.pl: it prints what the program in Python prints, or hands
the run over to it.

Here a stand-in takes the place of the program in Python: its status tells that a run
was handed over. So the executable itself gave every other answer.
"""

from __future__ import annotations

import bz2
import errno
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import time
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import executable
import pytest
from everyday import share
from running import PATIENCE, wait_for_work

from rouge_cli import data
from rouge_cli.data import word_lists

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import SimpleNamespace

    from tests.conftest import Program

STAND_IN = f"#!/bin/sh\nexit {executable.HANDED_OVER}\n"
HANDED_OVER = (executable.HANDED_OVER, b"", b"")
NOT_HANDED_OVER = 126  # with ROUGE_CLI_HANDOVER=fail
FIXTURES = executable.ROOT / "fixtures" / "rouge155"
SETUPS = share(1000, 60)
XML = (
    '<ROUGE-EVAL version="1.0">\n<EVAL'
    ' ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT'
    ' TYPE="SPL"/><PEERS><P ID="A">p</P></PEERS><MODELS><M'
    ' ID="1">m</M></MODELS></EVAL></ROUGE-EVAL>'
)
USUAL = ["-n", "2", "-m", "-a", "settings.xml"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no executable")


@pytest.fixture(scope="module")
def program_alone(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the executable beside a stand-in for the program in Python; skip
    without a compiler.
    """
    if executable.build() is None:
        pytest.skip("no compiler here")
    return executable.install(tmp_path_factory.mktemp("installed") / "bin", STAND_IN)


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """A folder with two texts, and settings and a file list for them."""
    (tmp_path / "p").write_text("the cats went home\n")
    (tmp_path / "m").write_text("the cat has gone home early\n")
    (tmp_path / "list").write_text("p m\n")
    (tmp_path / "settings.xml").write_text(XML)
    return tmp_path


def run(
    program: str,
    words: Sequence[str | bytes],
    folder: Path,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, bytes, bytes]:
    """Return the status and the output of a run in the folder."""
    clean = {name: value for name, value in os.environ.items() if "ROUGE" not in name}
    ended = subprocess.run(
        [program, *words], cwd=folder, env={**clean, **(environment or {})}, capture_output=True,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return ended.returncode, ended.stdout, ended.stderr


def golden_cases() -> list[dict[str, Any]]:
    """Return the golden cases with a report."""
    files = chain(
        *(
            FIXTURES.joinpath(name).read_text("utf-8").splitlines()
            for name in ("targeted.jsonl", "campaigns.jsonl")
        ),
        *(
            bz2.decompress(FIXTURES.joinpath(name).read_bytes())
            .decode("utf-8")
            .splitlines()
            for name in ("random.jsonl.bz2", "exact.jsonl.bz2")
        ),
    )
    return list(map(json.loads, files))


ORDINARY = FIXTURES / "ordinary.tsv"
PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
def test_ordinary_setups_are_answered_with_the_originals_bytes(
    part: int, program_alone: str, kit: SimpleNamespace, tmp_path: Path
) -> None:
    """Of 1,200 ordinary set-ups that the original ran, the executable answers at least
    1,080 itself, nine in ten, and all of them with the original's bytes.
    """
    answered = 0
    digests = kit.digests.load(ORDINARY)[part::PARTS]
    for digest in digests:
        case = digest.case()
        folder = tmp_path / str(digest.number)
        case.write_files(folder)
        words = [word.encode("latin-1") for word in case.argv]
        status, stdout, stderr = run(
            program_alone, words, folder, {"ROUGE_CLI_HANDOVER": "fail"}
        )
        if status != NOT_HANDED_OVER:
            answered += 1
            report = hashlib.sha256(stdout).hexdigest()
            assert (0, digest.report, b"") == (status, report, stderr), case.id

    assert len(digests) == 1200 / PARTS
    assert answered >= 0.9 * len(digests)


def test_golden_cases_are_answered_or_handed_over(
    program_alone: str, tmp_path: Path
) -> None:
    """In golden cases the executable prints the original's bytes or nothing, and it
    answers 190 of 561.
    """
    answered = 0
    cases = golden_cases()
    for index, case in enumerate(cases):
        folder = tmp_path / str(index)
        for name, content in case["files"].items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("latin-1"))
        ended = run(
            program_alone, [word.encode("latin-1") for word in case["argv"]], folder
        )
        if ended != HANDED_OVER:
            answered += 1
            assert ("ok", 0, case["stdout"].encode("latin-1"), b"") == (
                case["outcome"],
                *ended,
            ), case["id"]

    assert (len(cases), answered >= 190) == (561, True)


@pytest.mark.parametrize("kind", ["ordinary", "unusual"])
def test_random_setups_are_those_of_the_program_in_python(
    kind: str,
    program_alone: str,
    kit: SimpleNamespace,
    drop_in: Program,
    tmp_path: Path,
) -> None:
    """On seeded set-ups the executable prints what Python prints; it answers nearly
    all ordinary ones.
    """
    answered = 0
    for index in range(SETUPS):
        case = kit.setups.draw("executable", index, plain=kind == "ordinary")
        folder = tmp_path / str(index)
        case.write_files(folder)
        words = [word.encode("latin-1") for word in case.argv]
        ended = run(program_alone, words, folder, {"ROUGE_CLI_JOBS": str(index % 5)})
        if ended != HANDED_OVER:
            answered += 1
            status, stdout, stderr = drop_in(*map(os.fsdecode, words), cwd=folder)
            assert (status, stdout, stderr.encode()) == ended, case.id

    assert kind == "unusual" or answered > 0.9 * SETUPS


UNUSUAL = {
    "no options": "",
    "help": "-h",
    "debugging": "-v -n 1 -a settings.xml",
    "both kinds of stems": "-m -M -n 1 -a settings.xml",
    "basic elements": "-3 HM -z SIMPLE list",
    "an unknown option": "-n 1 -q -a settings.xml",
    "a missing value": "-n",
    "no system": "-n 1 settings.xml",
    "no metric": "-x -a settings.xml",
    "a value that is not a number": "-n 1x -a settings.xml",
    "a value out of range": "-n 1 -p 2 -a settings.xml",
    "an average of another kind": "-n 1 -t 3 -a settings.xml",
    "both limits": "-n 1 -l 1 -b 1 -a settings.xml",
    "-u without -2": "-n 1 -u -a settings.xml",
    "a level that is probably not in percent": "-n 1 -c 0.95 -a settings.xml",
    "a weight of large numbers": "-x -w 3 -a settings.xml",
    "words after the settings": "-n 1 -a settings.xml A",
    "a system that no eval has": "-n 1 settings.xml B",
    "settings that are missing": "-n 1 -a none.xml",
    "settings in a folder's place": "-n 1 -a .",
    "a list from stdin": "-n 1 -z SPL -",
    "a list of another format": "-n 1 -z ISI list",
    "settings as a list": "-n 1 -z SPL settings.xml",
    "a data folder": "-n 1 -m -e . -a settings.xml",
    "the version of the rest": "--version -n",
}


@pytest.mark.parametrize("words", UNUSUAL.values(), ids=UNUSUAL)
def test_unusual_runs_are_handed_over(
    words: str, program_alone: str, pair: Path
) -> None:
    """Everything that is reported, and everything rare, is left to Python before
    anything is printed.
    """
    assert HANDED_OVER == run(program_alone, words.split(), pair)


FAULTS = {
    "a text that is missing": ("m", None),
    "an empty text": ("m", b"\n"),
    "a text without tokens": ("p", "\u6587".encode()),
    "a NUL": ("m", b"a\0b"),
    "SPL that looks like SEE": ("p", b'<a name="1">a'),
    "letters that are lost": (
        "p",
        "nai\u0308ve \u00e9t\u00e9s \u00e0 \u00cele".encode(),
    ),
    "malformed settings": ("settings.xml", b"<ROUGE-EVAL>"),
    "settings without evals": ("settings.xml", b"<ROUGE-EVAL></ROUGE-EVAL>"),
    "an eval twice": (
        "settings.xml",
        XML.replace("</ROUGE-EVAL>", XML.partition("\n")[2]).encode(),
    ),
    "an unknown format": ("settings.xml", XML.replace("SPL", "TXT").encode()),
}


@pytest.mark.parametrize(("name", "content"), FAULTS.values(), ids=FAULTS)
def test_faults_of_input_are_handed_over(
    name: str, content: bytes | None, program_alone: str, pair: Path
) -> None:
    """Input that is wrong, or that Python warns of, is handed over."""
    assert run(program_alone, USUAL, pair) != HANDED_OVER
    if content is None:
        (pair / name).unlink()
    else:
        (pair / name).write_bytes(content)

    assert HANDED_OVER == run(program_alone, USUAL, pair)


@pytest.mark.parametrize(
    ("line", "is_reported"),
    [
        ("{}", False),
        ("<body>\n{}\n</body>", False),
        ("<body>{}", True),
        (" {}", True),
        ("{} {}", True),
        ("<A name=1>the cat", True),
    ],
)
def test_sentences_that_are_not_read_are_handed_over(
    line: str, is_reported: bool, program_alone: str, drop_in: Program, pair: Path
) -> None:
    """A file in SEE is handed over if a sentence of it is not read, and no other is."""
    sentence = '<a name="1">[1]</a> <a href="#1" id=1>the cat sat</a>'
    (pair / "p").write_text(f"{sentence}\n{line.format(sentence, sentence)}\n")
    (pair / "m").write_text(sentence)
    (pair / "list").write_text("p m\n")
    words = ["-n", "1", "-z", "SEE", "list"]

    assert is_reported is ("not read (the first" in drop_in(*words, cwd=pair).stderr)
    assert is_reported is (run(program_alone, words, pair) == HANDED_OVER)


@pytest.mark.parametrize(
    ("text", "cut_up", "evals", "is_reported"),
    [
        ("abcdefghi\xe9 a", 1, 50, True),
        ("abcdefghi\xe9 a", 1, 51, False),  # fewer than 1 in 50
        ("\xe9 a", 10, 10, True),
        ("\xe9 a", 9, 9, False),  # short texts without 10 lost letters
    ],
)
def test_lost_letters_are_handed_over_from_the_number_that_python_reports(
    text: str,
    cut_up: int,
    evals: int,
    is_reported: bool,
    program_alone: str,
    drop_in: Program,
    pair: Path,
) -> None:
    """Runs in which so many letters are lost that Python warns of them are handed
    over, and no others.
    """
    (pair / "lost").write_text(text, "utf-8")
    (pair / "list").write_text("lost m\n" * cut_up + "p m\n" * (evals - cut_up))
    words = ["-n", "1", "-z", "SPL", "list"]

    assert is_reported is ("letters outside ASCII" in drop_in(*words, cwd=pair).stderr)
    assert is_reported is (run(program_alone, words, pair) == HANDED_OVER)


@pytest.mark.parametrize(
    ("name", "value", "is_handed_over"),
    [
        ("ROUGE_CLI_JOBS", "two", True),
        ("ROUGE_CLI_JOBS", "2000", True),
        ("ROUGE_CLI_JOBS", "2", False),
        ("ROUGE_CLI_JOBS", "1", False),
        ("ROUGE_CLI_KERNELS", "python", True),
        ("ROUGE_CLI_KERNELS", "compiled", False),
        ("ROUGE_CLI_QUIET", "1", False),
        ("ROUGE_CLI_HANDOVER", "never", True),
        ("ROUGE_CLI_HANDOVER", "fail", False),
        ("ROUGE_EVAL_HOME", ".", True),
        ("RED_EVAL_HOME", ".", True),
    ],
)
def test_variables_that_change_a_run_hand_it_over(
    name: str, value: str, is_handed_over: bool, program_alone: str, pair: Path
) -> None:
    """Values that only Python honours hand a run over; values that change nothing do
    not.
    """
    assert is_handed_over is (
        run(program_alone, USUAL, pair, {name: value}) == HANDED_OVER
    )


@pytest.mark.parametrize("jobs", ["1", "2", "3", "7", "0", ""])
def test_threads_change_no_byte(
    jobs: str, program_alone: str, drop_in: Program, pair: Path
) -> None:
    """Any number of threads of either program prints the report of one, with the
    evals in its order.
    """
    rows = ["p m", "m p p", "p m m", "m m", "p p m"]
    (pair / "list").write_text(
        "".join(f"{rows[number * number % 5]}\n" for number in range(331))
    )
    words = ["-n", "2", "-2", "4", "-m", "-d", "-z", "SPL", "list"]
    alone, threads = ({"ROUGE_CLI_JOBS": number} for number in ("1", jobs))
    expected = drop_in(*words, cwd=pair, environment=alone)

    assert (0, expected.stdout, b"") == run(program_alone, words, pair, threads)
    assert expected == drop_in(*words, cwd=pair, environment=threads)


@pytest.mark.parametrize("place", [0, 100, 199])
@pytest.mark.parametrize("reference", ["missing", "empty", "lost"])
def test_an_eval_that_no_thread_can_score_hands_the_run_over(
    place: int, reference: str, program_alone: str, drop_in: Program, pair: Path
) -> None:
    """An eval of another kind hands the run over, whichever thread meets it, and
    Python reports it.
    """
    evals = ["p m"] * 200
    evals[place:] = [f"p {reference}", f"{reference} m", *evals[place + 2 :]]
    (pair / "list").write_text("\n".join(evals))
    (pair / "empty").touch()
    (pair / "lost").write_text("\xe9 \xe8 a\n\0", "utf-8")
    words, (alone, threads) = (
        ["-n", "1", "-z", "SPL", "list"],
        ({"ROUGE_CLI_JOBS": n} for n in "13"),
    )
    expected = drop_in(*words, cwd=pair, environment=alone)

    assert HANDED_OVER == run(program_alone, words, pair, threads)
    assert reference in expected.stderr
    assert expected == drop_in(*words, cwd=pair, environment=threads)


def test_a_run_that_is_handed_over_scores_nothing_more(
    program_alone: str, pair: Path
) -> None:
    """Behind an eval that cannot be scored no text is read."""
    (pair / "list").write_text("".join(f"p m{number}\n" for number in range(1200)))
    for number in range(1200):
        (pair / f"m{number}").write_text("a b\n" if number else "\n")
        os.utime(
            pair / f"m{number}", (0, 1)
        )  # any use is later, if the file system records uses

    assert HANDED_OVER == run(
        program_alone, ["-n1", "-zSPL", "list"], pair, {"ROUGE_CLI_JOBS": "1"}
    )
    assert {0} == {(pair / f"m{number}").stat().st_atime for number in range(1, 1200)}


def test_word_lists_in_the_current_folder_are_handed_over(
    program_alone: str, pair: Path
) -> None:
    """A list in the current folder counts as in Python, if the run needs any."""
    (pair / "smart_common_words.txt").write_text("home\n")

    assert HANDED_OVER == run(program_alone, USUAL, pair)
    assert run(program_alone, ["-n", "2", "-a", "settings.xml"], pair) != HANDED_OVER


def test_the_lists_of_a_home_are_the_built_in_ones(
    program_alone: str, pair: Path
) -> None:
    """With the folder of its home as -e a run is answered, unless a list there was
    replaced.
    """
    lists = pair / "home" / "data"
    lists.mkdir(parents=True)
    (lists / word_lists.STOP_LIST).write_bytes(data.read("stop_words.txt"))
    words, home = ["-e", "home/data", "-s", *USUAL], {"ROUGE_CLI_HOME": "home"}
    before = run(program_alone, words, pair, home)

    assert (0, b"") == before[::2]
    assert HANDED_OVER == run(program_alone, words, pair)
    (lists / word_lists.STOP_LIST).write_text("home\n")
    assert HANDED_OVER == run(program_alone, words, pair, home)
    (lists / word_lists.STOP_LIST).unlink()
    assert before == run(program_alone, words, pair, home)
    (lists / word_lists.IRREGULAR_FORMS).write_bytes(b"")
    assert HANDED_OVER == run(program_alone, words, pair, home)


def test_every_irregular_form_and_stop_word_is_known(
    program_alone: str, drop_in: Program, tmp_path: Path
) -> None:
    """Each word of the two lists is found, and words beside them are not."""
    words = [
        *data.read("irregular_forms.tsv").split()[::2],
        *data.read("stop_words.txt").split(),
    ]
    words += [word + b"x" for word in words[::9]]
    (tmp_path / "p").write_bytes(b"\n".join(words))
    (tmp_path / "m").write_bytes(b"\n".join(data.read("irregular_forms.tsv").split()))
    (tmp_path / "list").write_text("p m\n")
    for options in (["-m"], ["-s"], ["-m", "-s"]):
        command = ["-n1", "-x", *options, "-z", "SPL", "list"]
        assert (0, drop_in(*command).stdout, b"") == run(
            program_alone, command, tmp_path
        )


def test_a_run_that_may_not_be_handed_over_fails(
    program_alone: str, pair: Path
) -> None:
    """With ROUGE_CLI_HANDOVER=fail a run is answered as always, or ends with status 126
    and a line on stderr.
    """
    strict = {"ROUGE_CLI_HANDOVER": "fail"}

    assert run(program_alone, USUAL, pair) == run(program_alone, USUAL, pair, strict)
    for words in UNUSUAL.values():
        status, stdout, stderr = run(program_alone, words.split(), pair, strict)
        assert (NOT_HANDED_OVER, b"") == (status, stdout)
        assert stderr.startswith(b"ROUGE-1.5.5.pl: ")
        assert stderr.count(b"\n") == 1


def test_the_program_in_python_knows_the_variable_of_handovers(
    drop_in: Program, pair: Path
) -> None:
    """ROUGE_CLI_HANDOVER=fail changes nothing in Python, which hands nothing over; other
    values are refused.
    """
    words = ["-n", "1", "-z", "SPL", "list"]
    strict, unknown = (
        drop_in(*words, cwd=pair, environment={"ROUGE_CLI_HANDOVER": value})
        for value in ("fail", "never")
    )

    assert strict == drop_in(*words, cwd=pair)
    assert (255, b"") == unknown[:2]
    assert "ROUGE_CLI_HANDOVER=never: unknown; use fail" in unknown.stderr


def test_the_version_names_the_executable(program_alone: str, pair: Path) -> None:
    """`--version` tells the executable from the program in Python."""
    assert run(program_alone, ["--version"], pair)[1].endswith(b", executable\n")


@pytest.mark.parametrize("stream", [0, 1, 2])
def test_closed_streams_are_handed_over(
    stream: int, program_alone: str, pair: Path
) -> None:
    """If a standard stream is closed, Python ends the run as always."""
    command = f"'{program_alone}' {' '.join(USUAL)} {stream}>&-"

    assert (
        executable.HANDED_OVER
        == subprocess.run(["sh", "-c", command], cwd=pair, check=False).returncode
    )


def test_a_report_that_cannot_be_written(program_alone: str, pair: Path) -> None:
    """A full disk is Python's message, if nothing was written, or else the same
    message.
    """
    words = ["-n", "900", "-x", "-a", "settings.xml"]
    with (pair / "report").open("wb") as report:
        ended = subprocess.run(
            [program_alone, *words], cwd=pair, check=False, stdout=report, stderr=subprocess.PIPE,
            preexec_fn=partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4096, 4096)),
        )  # fmt: skip

    reason = os.strerror(errno.EFBIG)
    assert (
        f"ROUGE-1.5.5.pl: cannot write the report: {reason}\n".encode() == ended.stderr
    )
    assert ended.returncode == 255
    if Path("/dev/full").exists():
        with Path("/dev/full").open("wb") as full:
            ended = subprocess.run(
                [program_alone, *words], cwd=pair, check=False, stdout=full
            )
        assert executable.HANDED_OVER == ended.returncode


def test_a_reader_that_leaves_is_status_141(program_alone: str, pair: Path) -> None:
    """A closed pipe is status 141 without a message."""
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [program_alone, *USUAL],
        cwd=pair,
        check=False,
        stdout=writing,
        stderr=subprocess.PIPE,
    )
    os.close(writing)

    assert (141, b"") == (ended.returncode, ended.stderr)


def test_a_slow_reader_gets_the_whole_report(program_alone: str, pair: Path) -> None:
    """A pipe that does not block gets everything."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    running = subprocess.Popen(
        [program_alone, "-n", "2000", "-x", "-a", "settings.xml"],
        cwd=pair,
        stdout=writing,
    )
    os.close(writing)
    time.sleep(0.2)
    with os.fdopen(reading, "rb") as pipe:
        report = pipe.read()

    assert running.wait() == 0
    assert 2000 * 4 == report.count(b"\n")


@pytest.mark.parametrize("is_ignored", [False, True])
def test_an_interrupt_is_status_130(
    is_ignored: bool, program_alone: str, pair: Path
) -> None:
    """Ctrl-C ends a run with one line; if it is ignored, it stays ignored."""
    for name in "pm":  # a second of work, or many
        text = "a b c d " * (5_000 if is_ignored else 20_000)
        (pair / name).write_text(text + name)  # a common end would be quick
    running = subprocess.Popen(
        [program_alone, "-x", "-w", "1.2", "-a", "settings.xml"],
        cwd=pair, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_IGN) if is_ignored else None,  # noqa: PLW1509
    )  # fmt: skip
    wait_for_work(running.pid, 0.02)
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=PATIENCE)

    if is_ignored:
        assert (0, True, b"") == (running.returncode, b"ROUGE-W" in stdout, stderr)
    else:
        assert (130, b"", b"ROUGE-1.5.5.pl: interrupted\n") == (
            running.returncode,
            stdout,
            stderr,
        )


@pytest.mark.parametrize(
    "odd", ["link", "missing", "folder", "empty", "pipe", "zero byte", "vanished"]
)
def test_odd_files_in_a_folder_of_many_are_not_taken_for_regular_ones(
    odd: str, program_alone: str, tmp_path: Path
) -> None:
    """A link is followed, all else is handed over. A pipe is not opened: its writer
    waits.
    """
    evals = range(100)
    for side, line in (
        ("p", "the cats went home\n"),
        ("m", "the cat has gone home early\n"),
    ):
        (tmp_path / side).mkdir()
        for number in evals:
            (tmp_path / side / str(number)).write_text(
                f"{line * (number % 3 + 1)}a word {number}\n"
            )
    (tmp_path / "list").write_text(
        "".join(f"{tmp_path}/p/{n} {tmp_path}/m/{n}\n" for n in evals)
    )
    command = ["-n", "2", "-m", "-z", "SPL", str(tmp_path / "list")]
    usual = run(program_alone, command, tmp_path)
    place = tmp_path / "p" / "50"
    place.rename(tmp_path / "link")
    writer = None
    if odd in {"link", "vanished"}:
        place.symlink_to(tmp_path / odd)
    elif odd == "folder":
        place.mkdir()
    elif odd == "pipe":
        os.mkfifo(place)
        writer = subprocess.Popen(["sh", "-c", 'echo the cat > "$0"', place])
    elif odd != "missing":
        place.write_bytes(b"" if odd == "empty" else b"the\0cat\n")
    ended = run(program_alone, command, tmp_path)

    assert (0, b"", True) == (usual[0], usual[2], b"ROUGE-2 Average_F" in usual[1])
    assert ended == (usual if odd == "link" else HANDED_OVER)
    if writer is not None:
        assert writer.poll() is None
        writer.kill()
        writer.wait()


def test_without_the_program_in_python_there_is_a_message(
    program_alone: str, pair: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """An executable that was copied elsewhere runs, and names what it lacks for the
    rest.
    """
    alone = tmp_path_factory.mktemp("alone") / "ROUGE-1.5.5.pl"
    shutil.copy(program_alone, alone)
    status, stdout, stderr = run(str(alone), ["-h"], pair, {"PATH": "/nonexistent"})

    assert (127, b"", 1) == (status, stdout, stderr.count(b"\n"))
    assert run(str(alone), USUAL, pair)[0] == 0


@pytest.mark.parametrize("how", ["a link", "the path"])
def test_the_program_in_python_is_found(
    how: str, program_alone: str, pair: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A link elsewhere, as pipx makes, and a search of PATH lead to the program
    beside the executable.
    """
    link = tmp_path_factory.mktemp("links") / "rouge"
    link.symlink_to(program_alone)
    name = str(link) if how == "a link" else "ROUGE-1.5.5.pl"
    path = f"{Path(program_alone).parent}:{os.environ['PATH']}"
    command = ["env", f"PATH={path}", name, "-h"]

    assert (
        executable.HANDED_OVER
        == subprocess.run(command, cwd=pair, check=False).returncode
    )
