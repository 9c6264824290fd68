"""Shared fixtures: the installed drop-in, and the golden cases as the originals
wrote them.
"""

import gc
import importlib
import os
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from everyday import THOROUGH, share
from hypothesis import HealthCheck, settings
from programs import (
    DROP_IN,
    ROOT,
    ROUGE_CLI,
    Outcome,
    Program,
    in_folder,
    in_this_process,
    inside,
    run,
)

__all__ = ["DROP_IN", "ROOT", "ROUGE_CLI", "Outcome", "Program", "inside"]

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

MEMORY, ROOM = (
    Path("/dev/shm"),  # noqa: S108 - pytest makes a folder in it that nobody else can read
    2**30,
)

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


@pytest.fixture(scope="session")
def program() -> Program:
    """Run any program, named by the first argument."""
    return run


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


@pytest.fixture
def changed_here(tmp_path: Path) -> Program:
    """Run `rouge-cli` in the test's own folder and in this process, which the test has
    changed.
    """
    return partial(in_this_process, ROUGE_CLI, cwd=tmp_path)


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
