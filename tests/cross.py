#!/usr/bin/env python3
"""Compile the native code as for other systems and processors, and run the golden
cases where the result runs here.

usage: tests/cross.py

Each row of COMPILERS is a compiler that this machine may have (Debian's packages are in
CONTRIBUTING.md); one that is missing is named and left out. All compile the headers and
program.cpp without a warning; where there is POSIX, they also build the executable,
which runs the golden cases here, or under qemu.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
NATIVE = ROOT / "rouge_cli" / "native"
BUILD = ROOT / "build" / "cross"
FLAGS = [
    "-std=c++17",
    "-O1",
    "-ffp-contract=off",
    "-pthread",
    "-Wall",
    "-Wextra",
    "-Werror",
]
# libstdc++ as configured for glibc, over the headers of musl: what it expects of glibc
# is declared. So the code is compiled, and not linked.
MUSL = """
#include <locale.h>
#include <pthread.h>
#define __GLIBC_PREREQ(major, minor) 0
#define __locale_t locale_t
extern "C" int pthread_cond_clockwait(pthread_cond_t*, pthread_mutex_t*, clockid_t,
                                      const struct timespec*);
extern "C" int pthread_mutex_clocklock(pthread_mutex_t*, clockid_t,
                                       const struct timespec*);
"""


class Target(NamedTuple):
    """A system to compile for."""

    name: str
    compiler: str
    flags: Sequence[str] = ()
    has_executable: bool = True
    # The program that runs the executable; None to run it as it is.
    emulator: Sequence[str] | None = None


def musl_flags() -> list[str]:
    """Return the flags of g++ for the headers of musl."""
    shim = BUILD / "musl.hpp"
    shim.write_text(MUSL)
    version = subprocess.run(
        ["g++", "-dumpversion"], capture_output=True, text=True, check=True
    ).stdout.strip()
    folders = [
        f"/usr/include/c++/{version}",
        f"/usr/include/x86_64-linux-gnu/c++/{version}",
        "/usr/include/x86_64-linux-musl",
        f"/usr/lib/gcc/x86_64-linux-gnu/{version}/include",
    ]
    includes = [word for folder in folders for word in ("-isystem", folder)]
    return ["-nostdinc", *includes, "-include", str(shim)]


def targets() -> list[Target]:
    """Return the targets, of which this machine may lack some."""
    rows = [Target("clang", "clang++")]
    rows.append(Target("Windows", "x86_64-w64-mingw32-g++-posix", has_executable=False))
    if shutil.which("musl-gcc") and shutil.which("g++"):
        rows.append(Target("musl", "g++", musl_flags(), has_executable=False))
    else:
        print("cross: no musl-gcc: the headers of musl are skipped", file=sys.stderr)
    exact = ["-msse2", "-mfpmath=sse", "-static"]
    rows.append(Target("x86 of 32 bits", "i686-linux-gnu-g++", exact))
    for processor, name in (("aarch64", "ARM"), ("s390x", "big endian")):
        emulator = [f"qemu-{processor}"]
        compiler = f"{processor}-linux-gnu-g++"
        rows.append(Target(name, compiler, ["-static"], emulator=emulator))
    return rows


def compile_for(target: Target, folder: Path) -> Path | None:
    """Compile everything; return the executable if the target has one."""
    names = sorted(path.name for path in NATIVE.glob("*.hpp"))
    everything = folder / "headers.cpp"
    everything.write_text("".join(f'#include "{name}"\n' for name in names))
    command = [target.compiler, *FLAGS, *target.flags]
    command += [f"-I{NATIVE}", f"-I{BUILD}"]
    shared = str(NATIVE / "program.cpp")
    subprocess.run([*command, "-fsyntax-only", str(everything)], check=True)
    if not target.has_executable:
        subprocess.run([*command, "-c", "-o", os.devnull, shared], check=True)
        return None
    program = folder / "ROUGE-1.5.5.pl"
    main = str(NATIVE / "rouge155.cpp")
    subprocess.run([*command, shared, main, "-o", str(program)], check=True)
    return program


def runs(program: Path, emulator: Sequence[str] | None, name: str) -> bool:
    """Hold an executable to the golden cases; return True if it passed or cannot run
    here.
    """
    if emulator and not shutil.which(emulator[0]):
        print(f"cross: {name}: no {emulator[0]}: compiled only", file=sys.stderr)
        return True
    command = " ".join([*(emulator or []), str(program)])
    # What it hands over is for the program in Python, which is beside the interpreter.
    beside = program.with_name("ROUGE-1.5.5.py")
    beside.unlink(missing_ok=True)
    beside.symlink_to(Path(sys.executable).with_name("ROUGE-1.5.5.py"))
    kit = str(ROOT / "compat" / "conformance" / "run.py")
    return not subprocess.run([sys.executable, kit, command], check=False).returncode


def try_target(target: Target) -> bool:
    """Compile and test for one target; return True if all passed."""
    folder = BUILD / target.name.replace(" ", "-")
    folder.mkdir(exist_ok=True)
    print(f"cross: {target.name} ({target.compiler})", flush=True)
    try:
        program = compile_for(target, folder)
    except subprocess.CalledProcessError:
        return False
    return program is None or runs(program, target.emulator, target.name)


def write_word_lists() -> None:
    """Write the header that setup.py compiles into the executable."""
    setuptools = import_module("setuptools")
    setuptools.setup = lambda **_: None  # type: ignore[attr-defined]
    lists = runpy.run_path("setup.py")["word_lists"]()
    (BUILD / "word_lists.hpp").write_text(lists)


def main() -> int:
    """Try every target whose compiler is here; return 1 if any failed."""
    BUILD.mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    write_word_lists()
    failed = []
    for target in targets():
        if not shutil.which(target.compiler):
            print(
                f"cross: no {target.compiler}: {target.name} is skipped",
                file=sys.stderr,
            )
        elif not try_target(target):
            failed.append(target.name)
    if failed:
        print(f"cross: failed for {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
