"""Every command prints all of its result or fails: full disks, closed streams, early
readers.
"""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click import Context
from everyday import sampled

from rouge_cli.cli.main import group
from tests.conftest import DROP_IN, ROOT, ROUGE_CLI, Outcome, Program

DEMO = "fixtures/demo/settings.xml"

# A command line of each command that prints something. In everyday runs every second
# one has a process, and those that take longest are others.
COMMANDS = dict(
    re.findall(
        r"^([a-z0-9-]+):(.*)$",
        Path(__file__).with_name("full_disks.txt").read_text("utf-8"),
        re.MULTILINE,
    )
)
LINES = {
    **{name: [ROUGE_CLI, name, *options.split()] for name, options in COMMANDS.items()},
    "drop-in": [DROP_IN, "-a", DEMO],
    "drop-in's help": [DROP_IN, "-h"],
    "drop-in's version": [DROP_IN, "--version"],
    "help": [ROUGE_CLI, "--help"],
    "help of a command": [ROUGE_CLI, "score", "--help"],
    "version": [ROUGE_CLI, "--version"],
}
# One for each way to print: a report, a table, the drop-in, click's help. The others
# print by the same functions, as the law of full disks shows; for the everyday tests
# these suffice as new processes.
VARIED = ("score", "list", "drop-in", "help")
# The environment of the tests, and one that is unbuffered as in containers, for which
# Python does not check whether all was written; or a buffered one, if the tests' own is
# unbuffered.
PLAIN = {"COLUMNS": "80"}
OTHER = {
    "COLUMNS": "80",
    "PYTHONUNBUFFERED": "" if os.environ.get("PYTHONUNBUFFERED") else "1",
}
# As forks in the first, as new processes in the other.
SOME = [
    pytest.param(name, OTHER, marks=[pytest.mark.slow] * (name not in VARIED))
    for name in LINES
]


@pytest.fixture(scope="module")
def folder(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a part to merge, scores and judgements to correlate, and a place for a
    home.
    """
    folder = tmp_path_factory.mktemp("full")
    (folder / "de.html").touch()
    for option, name in (("--counts", "PART"), ("--per-eval", "SCORES.json")):
        words = ("score", DEMO, "-m", "R1", option, "-o", str(folder / name))
        assert 0 == program(ROUGE_CLI, *words, cwd=ROOT).status
    locked = program(
        ROUGE_CLI,
        "score",
        DEMO,
        "--score-only",
        "R1",
        "--lock",
        str(folder / "LOCK"),
        cwd=ROOT,
    )
    assert 0 == locked.status
    judged = [
        f"{system} {number}\n"
        for number, system in enumerate(("extract", "lead", "random"))
    ]
    (folder / "HUMAN").write_text("".join(judged))
    return folder


@pytest.fixture
def line(name: str, folder: Path) -> list[str]:
    """Return the command line."""
    own = ("HOME", "HUMAN", "LOCK", "METRIC", "PART", "SCORES.json", "de.html")
    return [str(folder / word) if word in own else word for word in LINES[name]]


@pytest.fixture
def whole(line: list[str], program: Program) -> Outcome:
    """Return the complete output of an undisturbed run."""
    outcome = program(*line, cwd=ROOT, environment=PLAIN)
    assert 0 == outcome.status
    return outcome


def failure(name: str) -> int:
    """Return the exit status of a command that cannot write."""
    return 255 if "drop-in" in name or name == "rouge155" else 1


@pytest.mark.parametrize("name", group.list_commands(Context(group)))
def test_every_command_is_here(name: str) -> None:
    """The law below covers all commands of `rouge-cli`."""
    assert name in COMMANDS, f"{name}: tests/cli/full_disks.txt has no line of it"


@pytest.mark.parametrize(
    ("name", "environment"), [*sampled(((name, PLAIN) for name in LINES), 2), *SOME]
)
def test_a_result_is_whole_or_the_command_fails(
    environment: Mapping[str, str],
    name: str,
    line: list[str],
    whole: Outcome,
    program: Program,
    tmp_path: Path,
) -> None:
    """If the disk is full after half of the result, a command reports it and fails,
    buffered or not.
    """
    half = len(whole.stdout) // 2
    with (tmp_path / "report").open("wb") as report:
        ended = program(
            *line,
            cwd=ROOT,
            environment=environment,
            stdout=report.fileno(),
            file_size=half,
        )

    assert half
    assert failure(name) == ended.status
    message, *others = ended.stderr.replace(whole.stderr, "").splitlines()
    assert ([], True) == (others, message.endswith(": File too large")), message
    assert ": cannot write" in message


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name not in VARIED))
        for name in LINES
    ],
)
def test_a_closed_stdout_is_an_error(
    name: str, line: list[str], program: Program
) -> None:
    """If stdout is closed, a command cannot print its result, reports that and
    fails.
    """
    status, _, stderr = program(
        "sh", "-c", '"$@" <&- >&-', "sh", *line, cwd=ROOT, environment=OTHER
    )

    assert failure(name) == status
    assert stderr.endswith(": cannot write the report: stdout is closed\n")


@pytest.fixture
def left() -> Iterator[int]:
    """Return the descriptor of a pipe whose reader has left."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@pytest.mark.parametrize(("name", "environment"), SOME)
def test_a_closed_pipe_is_status_141(
    environment: Mapping[str, str],
    name: str,
    line: list[str],
    whole: Outcome,
    left: int,
    program: Program,
) -> None:
    """If the reader of its pipe has left, a command ends with 141, as in shells, and
    without a message.
    """
    assert name
    outcome = program(*line, cwd=ROOT, environment=environment, stdout=left)

    assert (141, whole.stderr) == (outcome.status, outcome.stderr)


def test_a_slow_reader_gets_everything(program: Program, tmp_path: Path) -> None:
    """A non-blocking pipe is written to the end."""
    (tmp_path / "h").write_text("a b\n" * 3000)
    line = [
        ROUGE_CLI,
        "score",
        "--hyp",
        "h",
        "--ref",
        "h",
        "--per-eval",
        "--format",
        "csv",
        "--quiet",
    ]
    whole = program(*line, cwd=tmp_path).stdout
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with subprocess.Popen(line, cwd=tmp_path, stdout=writing) as running:
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            received = pipe.read()

    assert len(whole) > 1 << 16
    assert (0, whole) == (running.returncode, received)


def test_other_errors_of_the_system_are_not_about_writing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unexpected system error names its own file and reason."""
    from rouge_cli.cli import main

    def fail(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files", "some/file")

    monkeypatch.setattr(main.group, "main", fail)
    with pytest.raises(SystemExit) as ended:
        main.main()

    assert ended.value.code == 1
    assert capsys.readouterr().err == "rouge-cli: some/file: Too many open files\n"


# Command lines whose runs have notices.
NOTICED = {
    "score": (
        "score --hyp fixtures/demo/lines/lead.txt --ref fixtures/demo/lines/lead.txt"
        " --samples 0"
    ),
    "report": f"report {DEMO} -o - -m R1 --trials 10",
    "compare": f"compare {DEMO} -m R1 --trials 10",
}


@pytest.mark.parametrize("name", [*sampled(NOTICED, 2)])
def test_notices_go_with_a_result(name: str, left: int, program: Program) -> None:
    """The notices of a run are printed if its result is, or if its reader left, but
    not beside an error.
    """
    command = [ROUGE_CLI, *NOTICED[name].split()]
    notices = program(*command, cwd=ROOT).stderr
    unread = program(*command, cwd=ROOT, stdout=left)
    with open("/dev/full", "wb") as full:
        failed = program(*command, cwd=ROOT, stdout=full.fileno())

    assert notices
    assert (141, notices) == (unread.status, unread.stderr)
    assert (1, "rouge-cli: cannot write the report: No space left on device\n") == (
        failed.status,
        failed.stderr,
    )
