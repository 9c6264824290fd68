#!/usr/bin/env python3
"""Run a share of the tests on each Python that the package promises and this machine
has.

usage: tests/newest.py

3.14 is npm's package pyodide, CPython as WebAssembly, which runs in node with the pure
wheel. It starts no process and takes no compiled package: tests that need either are
skipped by name. The others (3.10, 3.12, 3.13) get the compiled wheel, in a virtual
environment each. An interpreter that is missing is named and left out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "newest"
PYODIDE = "pyodide@314"  # CPython 3.14
VERSIONS = ("3.10", "3.12", "3.13")  # the checkout's own environment has another
GOLDEN = ["tests/golden/test_rouge155.py", "tests/golden/test_google.py"]
UNIT = [
    f"tests/unit/{name}"
    for name in (
        "dialects",
        "formats",
        "metrics",
        "reports",
        "scoring",
        "test_api.py",
        "test_core.py",
        "test_errors.py",
        "test_evaluation.py",
        "test_explain.py",
        "test_options.py",
        "test_signature.py",
        "text",
    )
]
# Fewer would mean that nearly all were skipped.
FEWEST = 1300
PURE = "attrs click hypothesis iniconfig javaproperties markdown-it-py mdurl nltk"
PURE += " packaging pluggy pygments pytest rich snowballstemmer sortedcontainers"
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


def run(*words: str | Path, **settings: str) -> None:
    """Run a command in the checkout, with these variables; raise CalledProcessError."""
    subprocess.run(
        [str(word) for word in words], cwd=ROOT, env=os.environ | settings, check=True
    )


def wheel(kernels: str, python: str | Path) -> Path:
    """Build the wheel of these kernels for an interpreter; return its path."""
    folder = BUILD / "wheels" / Path(python).name / kernels
    shutil.rmtree(folder, ignore_errors=True)
    pip = ["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    run(python, *pip, "--wheel-dir", folder, ROOT, ROUGE_CLI_KERNELS=kernels)
    return next(folder.glob("*.whl"))


def fetch_pyodide() -> Path | None:
    """Return the folder of pyodide; None without node, npm or the package."""
    if not shutil.which("node") or not shutil.which("npm"):
        print("newest: no node or npm: Python 3.14 is skipped", file=sys.stderr)
        return None
    folder = BUILD / "node_modules" / "pyodide"
    if not folder.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        try:
            run("npm", "install", "--silent", "--prefix", BUILD, PYODIDE)
        except subprocess.CalledProcessError:
            print("newest: pyodide cannot be fetched: 3.14 is skipped", file=sys.stderr)
            return None
    return folder


def test_in_pyodide() -> bool:
    """Test the pure wheel in CPython 3.14; return True if it passed or was skipped."""
    pyodide = fetch_pyodide()
    if pyodide is None:
        return True
    packages = BUILD / "packages"
    shutil.rmtree(packages, ignore_errors=True)
    pure = ["--only-binary", ":all:", "--platform", "any", "--implementation", "py"]
    pure += ["--abi", "none", "--python-version", "3.14", "--no-deps", "--no-compile"]
    run(*PIP, "install", *pure, "--target", packages, *PURE.split())
    built = wheel("python", sys.executable)
    run(*PIP, "install", "--no-deps", "--no-compile", "--target", packages, built)
    words = ["-q", "-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin"]
    # Hypothesis warns of how this interpreter counts references.
    words += ["-W", "ignore::hypothesis.errors.HypothesisWarning"]
    words += ["-k", "not deep", *GOLDEN, *UNIT]  # its stack is shallow
    node = ["node", str(ROOT / "tests" / "support" / "newest.mjs")]
    tested = subprocess.run(
        [*node, str(pyodide), str(packages), str(ROOT), *words],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    print(tested.stdout)
    passed = re.search(r"(\d+) passed", tested.stdout)
    number = int(passed[1]) if passed else 0
    return tested.returncode == 0 and number >= FEWEST


def find_python(version: str) -> Path | None:
    """Return the interpreter of a version: of PATH, or of pyenv."""
    on_path = shutil.which(f"python{version}")
    # pyenv puts commands on the path that have no interpreter.
    if (
        on_path
        and not subprocess.run(
            [on_path, "-c", ""], stderr=subprocess.DEVNULL, check=False
        ).returncode
    ):
        return Path(on_path)
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = sorted(versions.glob(f"{version}.*/bin/python{version}"))
    return found[-1] if found else None


def test_compiled(version: str) -> bool:
    """Test the compiled wheel with a version of Python; return True if it passed or
    the version is missing.
    """
    python = find_python(version)
    if python is None:
        print(f"newest: no Python {version}: it is skipped", file=sys.stderr)
        return True
    folder = BUILD / version
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    own = folder / "bin" / "python"
    built = wheel("compiled", own)
    pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run(own, *pip, built, "hypothesis", "pytest")
    print(f"Python {version}", flush=True)
    smoke = [str(own), "tests/support/smoke.py"]
    # Not `python -m pytest`, which imports the package of this folder.
    pytest = [str(folder / "bin" / "pytest"), "-q", "-p", "no:cacheprovider"]
    pytest += ["-p", "absent_packages", *GOLDEN, *UNIT]
    settings = {"PYTHONPATH": str(ROOT / "tests" / "support")}
    for command in (smoke, pytest):
        tested = subprocess.run(
            command, cwd=ROOT, env=os.environ | settings, check=False
        )
        if tested.returncode:
            return False
    return True


def main() -> int:
    """Test all; return 1 if any failed."""
    results = {version: test_compiled(version) for version in VERSIONS}
    results["3.14"] = test_in_pyodide()
    failed = [version for version, passed in results.items() if not passed]
    if failed:
        print(f"newest: failed with Python {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
