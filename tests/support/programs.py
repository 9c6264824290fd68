"""How tests run the project's programs, and others: in this process or in one of their
own.

A program of the project runs in the tests' own process, by click's runner, since a new
process takes ten times as long: Python starts, and imports the package. That process is
made like a new one as far as commands can tell: the folder, the variables, `sys.argv`
and `sys.path` are the command's, warnings are errors, as a user would see them on
stderr, and the modules of a test's own tokenizers are forgotten.

A process of its own is needed by

- any program that is not the project's;
- a command that starts processes, or that asks a variable once in a process: PROCESSES;
- variables that Python and its libraries read before a program starts: EARLY;
- a test that gives stdout a descriptor, or limits the size of files.

In a thorough run one command in eight has a process, too, so that what only the tests'
own process would allow is found. A test that changes this process, or that puts files
into its memory, runs its commands by `in_this_process`, which draws none.
"""

import os
import re
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from zlib import crc32

import pytest
from click.testing import CliRunner
from everyday import THOROUGH
from executable import PYTHON_PROGRAM

ROOT = Path(__file__).resolve().parents[2]
# The drop-in is the program in Python; tests/laws/test_executable.py holds the
# executable to it.
DROP_IN, ROUGE_CLI = (
    str(Path(sys.executable).with_name(name)) for name in (PYTHON_PROGRAM, "rouge-cli")
)
if os.name == "nt":
    DROP_IN, ROUGE_CLI = f"{DROP_IN}.exe", f"{ROUGE_CLI}.exe"
# Words of command lines, and variables, that start processes or that matter once in a
# process.
PROCESSES = {"-j", "--jobs", "--scheduler", "ROUGE_CLI_JOBS", "ROUGE_CLI_KERNELS"}
# Beginnings of variables that Python and its libraries read before a program starts.
EARLY = ("LANG", "LC_", "LD_", "NLTK_DATA", "PYTHON")


class Outcome(NamedTuple):
    """The result of a program: exit status and the two streams."""

    status: int
    stdout: bytes
    stderr: str


class Program(Protocol):
    """Run a program to its end in a folder, without the caller's variables of ROUGE and
    make.

    stdout: a descriptor, whose output is not in the outcome.
    file_size: bytes in a file after which the program cannot write, as on a full disk.

    The project's programs run in this process, which takes a tenth of the time of a new
    one, unless the command needs a process of its own. A thorough run starts a process
    for one command in eight.
    """

    def __call__(
        self,
        *arguments: str,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        stdout: int | None = None,
        file_size: int | None = None,
    ) -> Outcome: ...


def limit_files(size: int) -> None:
    """Limit the files that this process may write to a size in bytes."""
    import resource  # which Windows lacks

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class _Ours:
    """A program of the project, for click's runner of commands."""

    def __init__(self, path: str) -> None:
        self.name = Path(path).name
        self._is_drop_in = path == DROP_IN

    def main(self, args: Sequence[str], **_: object) -> None:
        from rouge_cli.cli import main, rouge155

        if self._is_drop_in:
            sys.exit(rouge155.main(args))
        sys.argv[1:] = args
        main.main()


def forget_modules() -> None:
    """Forget the modules of tests, as tokenizers are: another test's may have the
    same name.
    """
    for name, module in [*sys.modules.items()]:
        if "pytest-of-" in (getattr(module, "__file__", None) or ""):
            del sys.modules[name]


def inside(
    program: str,
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    stdin: bytes,
) -> Outcome:
    """Run a program of the project in this process."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("error")  # a process would print them
        for kind in (
            DeprecationWarning,
            PendingDeprecationWarning,
            ImportWarning,
            ResourceWarning,
        ):
            warnings.simplefilter("ignore", kind)
        patch.chdir(folder)
        patch.setattr(sys, "argv", [program])
        patch.setattr(sys, "path", [*sys.path])
        for name in os.environ.keys() - environment.keys():
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        if "--tokenizer" in arguments:
            forget_modules()
        ended = CliRunner().invoke(
            _Ours(program),  # type: ignore[arg-type]
            arguments,
            BufferedReader(BytesIO(stdin)),
        )
        if "--tokenizer" in arguments:
            forget_modules()
    if not isinstance(ended.exception, SystemExit | None):
        raise ended.exception
    return Outcome(ended.exit_code, ended.stdout_bytes, ended.stderr)


def run(
    *arguments: str,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    stdout: int | None = None,
    file_size: int | None = None,
) -> Outcome:
    """Run a program, named by the first argument; see `Program`."""
    # A make that a test runs would print its folders below the make that runs the
    # tests.
    left_out = re.compile("ROUGE|^MAKE|^MFLAGS")
    clean = {
        name: value for name, value in os.environ.items() if not left_out.search(name)
    }
    # Python would install what it could write of a module's bytecode
    if file_size is not None:
        clean["PYTHONDONTWRITEBYTECODE"] = "1"
    variables, own = (
        clean | dict(environment or {}),
        {*arguments, *(environment or {})},
    )
    needs_process = PROCESSES & own or any(
        name.startswith(EARLY) for name in environment or {}
    )
    is_drawn = (
        THOROUGH
        and crc32("\0".join(sorted(own)).encode("utf-8", "surrogatepass")) % 8 == 0
    )
    is_plain = (
        (stdout, file_size) == (None, None) and not needs_process and not is_drawn
    )
    if arguments[0] in {DROP_IN, ROUGE_CLI} and is_plain:
        return inside(arguments[0], arguments[1:], cwd or Path.cwd(), variables, stdin)
    ended = subprocess.run(
        arguments, cwd=cwd, env=variables, input=stdin, check=False, timeout=600,
        stdout=subprocess.PIPE if stdout is None else stdout, stderr=subprocess.PIPE,
        preexec_fn=None if file_size is None else partial(limit_files, file_size),
    )  # fmt: skip
    return Outcome(
        ended.returncode,
        ended.stdout or b"",
        ended.stderr.decode("utf-8", "replace"),
    )


def in_this_process(
    program: str,
    *arguments: str,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Run a program of the project in this process, in a thorough run, too: for tests
    that change modules, or whose files are in this process's memory.
    """
    variables = {
        name: value for name, value in os.environ.items() if "ROUGE" not in name
    }
    variables.update(environment or {})
    return inside(program, arguments, cwd, variables, b"")


def in_folder(
    program: Program,
    name: str,
    folder: Path,
    /,
    *arguments: str,
    cwd: Path | None = None,
    **options: Any,  # noqa: ANN401 - the others of Program
) -> Outcome:
    """Run a program in a folder, unless another is named."""
    return program(name, *arguments, cwd=cwd or folder, **options)
