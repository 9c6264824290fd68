"""Shared fixtures: the installed drop-in, and the golden cases as the originals
wrote them.
"""

import gc
import importlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from io import BufferedReader, BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol
from zlib import crc32

import pytest
from click.testing import CliRunner
from everyday import THOROUGH, share
from executable import PYTHON_PROGRAM
from hypothesis import HealthCheck, settings

# As in the programs, which run in this process, too: the last digits depend on the
# number of threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A script's background jobs, and nohup's, as these tests may be, ignore them, and so
# would what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
# Before the folder that pytest puts there, as in programs: `make coverage` measures a
# copy of the package.
sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
ROOT = Path(__file__).resolve().parents[1]
# The drop-in is the program in Python; tests/laws/test_executable.py holds the
# executable to it.
DROP_IN, ROUGE_CLI = (
    str(Path(sys.executable).with_name(name)) for name in (PYTHON_PROGRAM, "rouge-cli")
)
if os.name == "nt":
    DROP_IN, ROUGE_CLI = f"{DROP_IN}.exe", f"{ROUGE_CLI}.exe"

MEMORY, ROOM = (
    Path("/dev/shm"),  # noqa: S108 - pytest makes a folder in it that nobody else can read
    2**30,
)
# Words of command lines, and variables, that start processes or that matter once in a
# process.
PROCESSES = {"-j", "--jobs", "--scheduler", "ROUGE_CLI_JOBS", "ROUGE_CLI_KERNELS"}
# Beginnings of variables that Python and its libraries read before a program starts.
EARLY = ("LANG", "LC_", "LD_", "NLTK_DATA", "PYTHON")

# No deadline, since machines differ, and no database of examples. All changes are
# judged by the same ones.
settings.register_profile(
    "laws", max_examples=share(60), deadline=None, database=None, derandomize=THOROUGH <= 1,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.load_profile("laws")


def in_memory() -> str | None:
    """Return a folder in memory for the tests' files, of which a disk writes thousands;
    None without room.

    Programs that tests start there must be executable.
    """
    if not os.access(MEMORY, os.W_OK):
        return None
    system = os.statvfs(MEMORY)
    has_room = system.f_bavail * system.f_frsize >= ROOM
    return str(MEMORY) if has_room and not system.f_flag & os.ST_NOEXEC else None


tempfile.tempdir = (
    in_memory()
)  # of this process, hence of pytest; programs have their own


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


def pytest_collection() -> None:
    """Collect tests without collecting garbage, of which there is none yet."""
    gc.disable()


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Leave slow tests out of an everyday run."""
    slow = (
        [] if THOROUGH else [item for item in items if item.get_closest_marker("slow")]
    )
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


@pytest.fixture(autouse=True, scope="session")
def divide_small_inputs() -> None:
    """Let the small inputs of tests be divided among threads, too."""
    from rouge_cli.runs import parallel

    parallel.WORTH_THREADS = 0


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end: thousands of tests and
    all modules.
    """
    gc.freeze()
    gc.enable()


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


@pytest.fixture(scope="session")
def program() -> Program:
    """Run any program, named by the first argument."""

    def call(
        *arguments: str,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        stdout: int | None = None,
        file_size: int | None = None,
    ) -> Outcome:
        # A make that a test runs would print its folders below the make that runs the
        # tests.
        left_out = re.compile("ROUGE|^MAKE|^MFLAGS")
        clean = {
            name: value
            for name, value in os.environ.items()
            if not left_out.search(name)
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
            return inside(
                arguments[0], arguments[1:], cwd or Path.cwd(), variables, stdin
            )
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

    return call


@pytest.fixture(params=["default", "python"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with compiled code, and without."""
    if request.param == "python":
        monkeypatch.setattr("rouge_cli.twins.extension", lambda: None)
    return str(request.param)


@pytest.fixture
def drop_in(program: Program, tmp_path: Path) -> Program:
    """Run the installed `ROUGE-1.5.5.pl` in the test's own folder."""
    return partial(in_folder, program, DROP_IN, tmp_path)


@pytest.fixture
def here(program: Program, tmp_path: Path) -> Program:
    """Run the installed `rouge-cli` in the test's own folder."""
    return partial(in_folder, program, ROUGE_CLI, tmp_path)


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


@pytest.fixture(scope="session")
def kit() -> SimpleNamespace:
    """Return the modules of the conformance kit, which import each other from one
    folder.
    """
    folder = ROOT / "compat" / "conformance"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        names = [path.stem for path in folder.glob("*.py")]
        return SimpleNamespace(
            **{name: importlib.import_module(name) for name in names}
        )


@pytest.fixture(scope="session")
def original(kit: SimpleNamespace) -> Any:  # noqa: ANN401 - the kit's Original
    """Return the live original: its command and its data folder; skip if it is not
    available.
    """
    live = kit.original.find()
    if isinstance(live, kit.original.Missing):
        pytest.skip(str(live))
    return live


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def release() -> Path:
    """Return the sample inputs and outputs of the original's release, which are not
    in the project.
    """
    folder = ROOT.parent / "shared" / "golden" / "rouge155" / "release"
    if not folder.is_dir():
        pytest.skip(f"no reference data at {folder}")
    return folder
