"""Run the installed programs of this Python, on any system: the drop-in's report,
scores, several jobs, a ROUGE home.

usage: python tests/support/smoke.py
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# pip adds .exe on Windows, also to a name that ends in .pl.
SUFFIX = ".exe" if os.name == "nt" else ""


def run(program: str, *arguments: str) -> bytes:
    """Return the output of a program; raise CalledProcessError if it fails."""
    command = str(Path(sysconfig.get_path("scripts")) / f"{program}{SUFFIX}")
    return subprocess.run(
        [command, *arguments], cwd=ROOT, stdout=subprocess.PIPE, check=True
    ).stdout


def check_home(folder: Path, expected: bytes) -> None:
    """Raise AssertionError if a way to start a home prints another report; Windows
    starts a program and a command, Python the script everywhere.
    """
    options = ["-e", str(folder / "data"), "-n", "2", "-m", "-2", "4", "-u", "-a"]
    options.append("fixtures/demo/settings.xml")
    script = str(folder / "ROUGE-1.5.5.pl")
    ways = [[sys.executable, script, *options]]
    if os.name == "nt":
        ways.append([str(folder / "ROUGE-1.5.5.exe"), *options])
        command = str(folder / "ROUGE-1.5.5.cmd")
        ways.append(["cmd", "/c", command, *options])
        check_powershell(f"& '{command}' {' '.join(options)}", expected)
    else:
        ways.append([script, *options])
    for way in ways:
        outcome = subprocess.run(way, cwd=ROOT, capture_output=True, check=True)
        assert (expected, b"") == (outcome.stdout, outcome.stderr), (way, outcome)


def check_powershell(typed: str, expected: bytes) -> None:
    """Raise AssertionError if a line of PowerShell prints something else; it may end
    lines in its own way.
    """
    words = ["powershell", "-NoProfile", "-Command", typed]
    printed = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    assert expected == printed.replace(b"\r\n", b"\n"), (typed, printed)


def main() -> None:
    """Raise AssertionError if an output differs from the original's, or from another
    run's.
    """
    demo = ROOT / "fixtures" / "demo"
    settings = "fixtures/demo/settings.xml"
    printed = run("ROUGE-1.5.5.pl", "-n", "2", "-m", "-2", "4", "-u", "-a", settings)
    assert printed == (demo / "report.out").read_bytes(), printed
    score = [
        "score",
        settings,
        "--stem",
        "-m",
        "R1,R2,RL,SU4",
        "--format",
        "json",
        "--per-eval",
    ]
    assert run("rouge-cli", *score) == run("rouge-cli", *score, "-j", "2")
    google = run(
        "rouge-cli",
        "score",
        "fixtures/demo/lines/run.jsonl",
        "--dialect",
        "google",
        "--score-only",
        "R1.F",
    )
    assert google.endswith(b"\n"), google
    assert b"\r" not in google, google
    with tempfile.TemporaryDirectory() as folder:
        run("rouge-cli", "home", folder)
        check_home(Path(folder), (demo / "report.out").read_bytes())
        report = str(Path(folder) / "report.json")
        run("rouge-cli", *score, "-o", report)
        assert run("rouge-cli", *score) == Path(report).read_bytes()
    if os.name == "posix":
        assert b", executable\n" in run("ROUGE-1.5.5.pl", "--version")
    print(run("rouge-cli", "--version").decode().strip(), "works")


if __name__ == "__main__":
    main()
