r"""Run the case files in `cases/`: files, commands on them, and all that the commands
print.

    == One sentence, the truth that the case protects.
    --- name.txt
    the content of a file
    $ rouge-cli score --hyp name.txt --ref name.txt --score-only R1
    1.00000
    ! a line of stderr
    ? 1

Below a command is its complete stdout, then its stderr, then its exit status if it is
not 0. `...` is any text in a line; on a line of its own it is any lines of stdout, and
`! ...` any lines of stderr. What stands above the first `==` begins each case of the
file. `+++` in place of `---` heads a file with escapes such as `\xff` and `\n`, whose
line ends are left out. `# ` begins a comment. `== [slow] ` begins a case that is not
part of the everyday suite, and `== [NAME] ` one that needs a program or a module of
that name.

The project's programs may follow `cd FOLDER &&` and variables (`NAME=value`), and
precede `< file`, `> file` and `| command`. The shell runs all other commands.
"""

import re
import shlex
import shutil
from importlib.util import find_spec
from pathlib import Path

import case_files
import pytest

from tests.conftest import DROP_IN, ROOT, ROUGE_CLI, Outcome, Program

PROGRAMS = {"rouge-cli": ROUGE_CLI, "ROUGE-1.5.5.pl": DROP_IN}
ELLIPSIS = re.compile(r"(?<!\.)\.\.\.(?!\.)")  # not within a line of dots
# Any lines of stdout, or of stderr.
ANY = {"...": r"(?:(?![!?] ).*\n)*?", "! ...": r"(?:! .*\n)*?"}


def shell(command: str, program: Program, folder: Path, stdin: bytes = b"") -> Outcome:
    """Run a shell's command in a folder."""
    path = f"{Path(ROUGE_CLI).parent}:/usr/bin:/bin"
    return program(
        "sh", "-c", command, cwd=folder, environment={"PATH": path}, stdin=stdin
    )


def execute(command: str, program: Program, folder: Path) -> Outcome:
    """Run a command in a folder."""
    if command.startswith("cd "):
        name, _, command = command[3:].partition(" && ")
        folder /= name
    words = shlex.split(command)
    environment = {}
    while "=" in words[0]:
        name, _, environment[name] = words.pop(0).partition("=")
    first, pipe, rest = command.partition(" | ")
    if words[0] in PROGRAMS and pipe and not re.search("[$>&`]", first):
        left = execute(first, program, folder)
        right = shell(rest, program, folder, left.stdout)
        return right._replace(stderr=left.stderr + right.stderr)
    if words[0] not in PROGRAMS or "|" in words:
        return shell(command, program, folder)
    stdin, target = b"", ""
    if words[-2:-1] == [">"]:
        *words, _, target = words
    if words[-2:-1] == ["<"]:
        *words, _, source = words
        stdin = (folder / source).read_bytes()
    outcome = program(
        PROGRAMS[words[0]], *words[1:], cwd=folder, environment=environment, stdin=stdin
    )
    if target:
        (folder / target).write_bytes(outcome.stdout)
        return outcome._replace(stdout=b"")
    return outcome


def shown(outcome: Outcome) -> list[str]:
    """Return stdout, stderr and exit status as the lines below a command."""
    lines = [
        line.rstrip()
        for line in outcome.stdout.decode("utf-8", "backslashreplace").split("\n")
    ]
    while lines and not lines[-1]:
        lines.pop()
    lines += [f"! {line}".rstrip() for line in outcome.stderr.splitlines()]
    return [*lines, f"? {outcome.status}"] if outcome.status else lines


def pattern(lines: list[str]) -> str:
    """Return a regular expression for expected lines."""
    return "".join(
        ANY.get(line) or ".*?".join(map(re.escape, ELLIPSIS.split(line))) + "\n"
        for line in lines
    )


def condition(mark: str) -> pytest.MarkDecorator:
    """Return the mark of a case that is slow, or that needs a program or a module."""
    if mark == "slow":
        return pytest.mark.slow
    return pytest.mark.skipif(
        not (shutil.which(mark) or find_spec(mark)), reason=f"no {mark} here"
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=name, marks=[condition(mark)] if mark else [])
        for name, mark, text in case_files.cases()
    ],
)
def test_a_case(text: str, program: Program, tmp_path: Path) -> None:
    """Every command of the case prints what its case file has below it, and ends as
    stated.
    """
    for name in ("compat", "docs", "fixtures", "tests"):
        if f"{name}/" in text:
            (tmp_path / name).symlink_to(ROOT / name)
    for step in case_files.steps(text):
        if step.kind != "$":
            case_files.write(step, tmp_path)
            continue
        printed = shown(execute(step.name, program, tmp_path))
        if not re.fullmatch(
            pattern(step.lines), "".join(f"{line}\n" for line in printed)
        ):
            pytest.fail(
                "\n".join([f"$ {step.name}", *printed, "-- expected:", *step.lines]),
                pytrace=False,
            )
