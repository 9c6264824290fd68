"""The executable ROUGE-1.5.5.pl of this checkout, as the tests run it."""

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "executable"
INSTALLED = Path(sys.executable).with_name("ROUGE-1.5.5.pl")
# The name of the installed program in Python: beside the executable, or in its place.
PYTHON_PROGRAM = next(
    name
    for name in ("ROUGE-1.5.5.py", "ROUGE-1.5.5.pl")
    if name.endswith("l") or Path(sys.executable).with_name(name).exists()
)
HANDED_OVER = 99  # the status of a stand-in for the program in Python


def build() -> Path | None:
    """Build the executable if it is older than its sources; return its path, or None
    without a compiler.

    The installed one was built in the same way, so it is taken if it is of this
    checkout, as in CI.
    """
    if os.name != "posix":
        return None
    import fcntl

    program = BUILT / "ROUGE-1.5.5.pl"
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        origin = json.loads(
            distribution("rouge-cli").read_text("direct_url.json") or "{}"
        )
        is_ours = (
            origin.get("url") == ROOT.as_uri() and PYTHON_PROGRAM != INSTALLED.name
        )
        times = [
            path.stat().st_mtime if path.exists() else 0
            for path in (program, INSTALLED)
        ]
        if is_ours and times[0] < times[1]:
            shutil.copy2(INSTALLED, program)
        command = [sys.executable, "setup.py", "-q", "build_scripts", "-d", str(BUILT)]
        subprocess.run(command, cwd=ROOT, check=True)
    return program if program.exists() else None


def install(folder: Path, script: str) -> str:
    """Install the executable in a folder, with this script as the program in Python;
    return its path.
    """
    folder.mkdir()
    shutil.copy(BUILT / "ROUGE-1.5.5.pl", folder)
    (folder / "ROUGE-1.5.5.py").write_text(script)
    (folder / "ROUGE-1.5.5.py").chmod(0o755)
    return str(folder / "ROUGE-1.5.5.pl")
