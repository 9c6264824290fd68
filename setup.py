"""Build the extension and the executable: which flags each compiler takes, and what
happens without one.

The executable is ROUGE-1.5.5.pl for ordinary runs. It is installed as a script of the
wheel, with the program in Python beside it as ROUGE-1.5.5.py. On Windows and without a
compiler, ROUGE-1.5.5.pl is the program in Python.

ROUGE_CLI_KERNELS says at installation what it says at run time: `compiled` requires the
extension, `python` does without it. If it is not set, the extension is built if the
machine has a C++ compiler. If that compiler fails, a warning says so, and the readable
program is installed: the numbers are the same.
"""

from __future__ import annotations

import os
import platform
import re
import runpy
import shlex
import shutil
import sys
import sysconfig
from concurrent.futures import Future, ThreadPoolExecutor
from glob import glob
from pathlib import Path
from typing import ClassVar

from setuptools import Command, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, LinkError, PlatformError

# This is setuptools' copy of distutils, by the name under which it raises the errors
# above.
from distutils.ccompiler import CCompiler, new_compiler  # isort: skip
from distutils.sysconfig import customize_compiler  # isort: skip

VARIABLE = "ROUGE_CLI_KERNELS"
NATIVE = "rouge_cli/native"
GLUE = f"{NATIVE}/_compiled.pyx"  # includes the pages of native/glue
SHARED = f"{NATIVE}/program.cpp"  # of the extension and the executable
MAIN = f"{NATIVE}/rouge155.cpp"
PROGRAM = "rouge_cli.__main__:rouge155"
FAILED = (
    f"rouge-cli: the C++ compiler failed; to install without it set {VARIABLE}=python:"
    " the numbers\nrouge-cli: are the same, and long runs take several times as long"
)
FELL_BACK = (
    "rouge-cli: warning: the C++ compiler failed, so the readable program is installed:"
    " the numbers\nrouge-cli: are the same, and long runs take several times as long;"
    f" {VARIABLE}=compiled stops instead"
)
NO_EXECUTABLE = (
    "rouge-cli: warning: the executable ROUGE-1.5.5.pl could not be built; the program"
    " in Python\nrouge-cli: takes its place and prints the same"
)
# What stands for the executable if it could not be built.
LAUNCHER = """#!/bin/sh
# The executable could not be built: this runs the program in Python.
self=$(readlink -f -- "$0" 2>/dev/null) || self=$0
exec "$(dirname -- "$self")/ROUGE-1.5.5.py" "$@"
"""
# Whoever sets flags may want to debug, and has a reason for another level: counts of
# lines are true without optimization only.
OWN_FLAGS = os.environ.get("CFLAGS", "")
DEBUGGING = [] if OWN_FLAGS else ["-g0"]
# What both programs share counts and reads, and gains a quarter by -O3. The rest takes
# a quarter less time to compile without it, and is as fast with what -O3 does to loops
# and small functions.
HAS_OWN_LEVEL = re.search(r"(^|\s)-O", OWN_FLAGS) is not None
FASTEST = ["-O3"]
FAST = ["-O2", "-fvect-cost-model=dynamic", "-fpeel-loops", "-funswitch-loops"]
for limit in (
    "max-inline-insns-auto=30",
    "max-inline-insns-single=200",
    "early-inlining-insns=14",
    "inline-min-speedup=15",
):
    FAST += ["--param", limit]
# Nothing may fuse or reorder operations on floating-point numbers: the scores' last
# digits depend on it. These follow the user's flags; `exact.hpp` tests their effect.
EXACT = [
    "-ffp-contract=off",
    "-fno-fast-math",
    "-fno-unsafe-math-optimizations",
    "-fno-associative-math",
    "-fno-reciprocal-math",
    "-fno-finite-math-only",
    "-fsigned-zeros",
]
# Processors of 32 bits would compute sums with more digits.
if sys.maxsize < 2**32 and platform.machine() in {"i386", "i586", "i686", "x86_64"}:
    EXACT += ["-msse2", "-mfpmath=sse"]
# Symbols for debuggers would be three quarters of the file.
UNIX = [
    "-std=c++17",
    *EXACT,
    "-fvisibility=hidden",
    "-pthread",
    *DEBUGGING,
]
# Kind of compiler -> its flags and its linker's. With -ffast-math among the user's,
# linkers add a start that makes small numbers 0.
FLAGS = {
    "msvc": (["/std:c++17", "/O2", "/EHsc", "/fp:precise", "/utf-8", "/DNOMINMAX"], []),
    "unix": (UNIX, ["-pthread", "-O2", *EXACT[1:3]]),
}
# Loading shared libraries takes half of a short run of the executable. Not all systems
# have static ones.
STATIC = ["-static-libstdc++", "-static-libgcc"]
LIBRARIES = [STATIC, []] if sys.platform.startswith("linux") else [[]]


def compile_together(
    compiler: CCompiler, sources: list[str], folder: str, include: list[str]
) -> dict[str, Future[list[str]]]:
    """Compile sources side by side, the first ones first; return their objects, or
    errors.
    """
    flags = FLAGS.get(compiler.compiler_type, FLAGS["unix"])[0]
    has_level = HAS_OWN_LEVEL or flags is not UNIX
    if not getattr(compiler, "initialized", True):
        compiler.initialize()  # MSVC, before it has threads
    results = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for source in sources:
            level = FASTEST if source == SHARED else FAST
            results[source] = pool.submit(
                compiler.compile,
                [source],
                output_dir=folder,
                include_dirs=[NATIVE, *include],
                extra_postargs=flags if has_level else [*level, *flags],
            )
    return results


class BuildExtension(build_ext):
    """Build the extension with the flags of the compiler at hand, and the objects of
    the executable beside it.
    """

    def initialize_options(self) -> None:
        """Have no objects of the executable yet."""
        super().initialize_options()
        self.executable: dict[str, Future[list[str]]] = {}
        self.fell_back = False  # to the readable program
        self.is_in_place = False  # `run` sets `inplace` to False

    def run(self) -> None:
        """Build in the folder of the build, or beside the sources."""
        self.is_in_place = bool(self.inplace)
        super().run()

    def build_extension(self, ext: Extension) -> None:
        """Compile and link; if that fails, say what can be done."""
        from Cython.Build import cythonize

        kind = self.compiler.compiler_type
        ext.extra_link_args = FLAGS.get(kind, FLAGS["unix"])[1]
        sources = cythonize([ext], force=self.force, quiet=True)[0].sources
        others = [MAIN] if has_executable and SHARED in sources else []
        if others:
            write_word_lists(self.build_temp)
        try:
            results = compile_together(
                self.compiler,
                [*sources, *others],
                self.build_temp,
                [*self.include_dirs, self.build_temp],
            )
            # Of two copies of a function the linker takes the first: the faster one.
            linked = sorted(sources, key=[SHARED, *sources].index)
            objects = [results[source].result() for source in linked]
            ext.sources = []
            ext.extra_objects = [path for parts in objects for path in parts]
            super().build_extension(ext)
        except CCompilerError:
            print(FELL_BACK if ext.optional else FAILED, file=sys.stderr)
            self.fell_back = True
            self.remove_earlier(ext)
            raise
        if others:
            self.executable = {source: results[source] for source in (SHARED, MAIN)}

    def remove_earlier(self, ext: Extension) -> None:
        """Remove what an earlier build of an extension has left, which would be
        installed.
        """
        path = Path(self.get_ext_fullpath(ext.name))
        path.unlink(missing_ok=True)
        if self.is_in_place:
            Path(NATIVE, path.name).unlink(missing_ok=True)


class BuildScripts(Command):
    """Build the executable, which setuptools takes for a script."""

    description = "build ROUGE-1.5.5.pl as an executable"
    user_options: ClassVar[list[tuple[str, str, str]]] = [
        ("build-dir=", "d", "directory to build in"),
        ("force", "f", "build even if up to date"),
    ]
    boolean_options: ClassVar[list[str]] = ["force"]

    def initialize_options(self) -> None:
        """Leave the options to `build`."""
        self.build_dir: str | None = None
        self.force: bool | None = None

    def finalize_options(self) -> None:
        """Take the options of `build`."""
        self.set_undefined_options(
            "build", ("build_scripts", "build_dir"), ("force", "force")
        )

    def get_source_files(self) -> list[str]:
        """Return the files for the source archive."""
        return [MAIN]

    def run(self) -> None:
        """Compile what `build_ext` has not, and link."""
        if not self.distribution.scripts:
            return
        target = Path(self.build_dir or "") / "ROUGE-1.5.5.pl"
        sources = [
            MAIN,
            SHARED,
            "setup.py",
            *glob(f"{NATIVE}/*.hpp"),
            *glob("rouge_cli/data/*.t*"),
            "rouge_cli/_version.py",
        ]
        if (
            not self.force
            and target.exists()
            and target.stat().st_mtime > max(map(os.path.getmtime, sources))
        ):
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        compiler = new_compiler()
        customize_compiler(compiler)
        try:
            self.link(compiler, target)
        except CCompilerError:
            if is_required:
                print(FAILED, file=sys.stderr)
                raise
            # The first warning speaks of both
            if not self.get_finalized_command("build_ext").fell_back:
                print(NO_EXECUTABLE, file=sys.stderr)
            target.write_text(LAUNCHER)
            target.chmod(0o755)

    def link(self, compiler: CCompiler, target: Path) -> None:
        """Link the executable; raise CCompilerError if its parts or it fail."""
        compiled = self.get_finalized_command("build_ext").executable
        if not compiled:
            folder = self.get_finalized_command("build").build_temp
            write_word_lists(folder)
            compiled = compile_together(compiler, [SHARED, MAIN], folder, [folder])
        objects = [path for parts in compiled.values() for path in parts.result()]
        for libraries in LIBRARIES:
            try:
                compiler.link_executable(
                    objects,
                    str(target),
                    extra_postargs=[*FLAGS["unix"][1], *libraries],
                    target_lang="c++",
                )
                break
            except LinkError:
                if not libraries:
                    raise


def write_word_lists(folder: str) -> None:
    """Write the header with the version and the word lists into a folder."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(folder, "word_lists.hpp").write_text(word_lists())


def word_lists() -> str:
    """Return the header with the version and the word lists: lines of a key, a tab
    and its value.
    """
    data = Path("rouge_cli/data")
    stop_list = (data / "stop_words.txt").read_text("ascii")
    forms = dict(
        line.split()
        for line in (data / "irregular_forms.tsv").read_text("ascii").splitlines()
    )
    version = runpy.run_path("rouge_cli/_version.py")["__version__"]
    return "".join(
        [
            '// Written by setup.py.\n#pragma once\n#include "word_forms.hpp"\n\n',
            "namespace rouge {\n",
            f'constexpr char VERSION[] = "{version}";\n',
            f'constexpr std::string_view STOP_LIST = R"~({stop_list})~";\n',
            word_list("STOP_WORDS", dict.fromkeys(stop_list.split("\n"), "")),
            word_list("IRREGULAR_FORMS", forms),
            "}  // namespace rouge\n",
        ]
    )


def word_list(name: str, values: dict[str, str]) -> str:
    """Return the lines of a word list and their table, by open addressing."""
    lines = [f"{word}\t{value}\n" for word, value in sorted(values.items())]
    mask = 2 ** (2 * len(lines)).bit_length() - 1
    starts, start = {}, 0
    for line in lines:
        place = 2166136261  # FNV-1a of 32 bits
        for byte in line.partition("\t")[0].encode():
            place = (place ^ byte) * 16777619 % 2**32
        while place & mask in starts:
            place += 1
        starts[place & mask] = start
        start += len(line)
    table = ",".join(str(starts.get(place, start)) for place in range(mask + 1))
    return (
        f'constexpr char {name}_LINES[] = R"~({"".join(lines)})~";\nconstexpr'
        f" std::uint32_t {name}_STARTS[] = {{{table}}};\nconstexpr WordList {name} ="
        f" {{{{{name}_LINES, {start}}}, {name}_STARTS, {mask}}};\n"
    )


def has_compiler() -> bool:
    """Return whether there is a C++ compiler."""
    if sys.platform == "win32":
        from setuptools._distutils import ccompiler

        try:
            compiler = ccompiler.new_compiler()
            compiler.initialize()
        except PlatformError:
            return False
        return True
    command = shlex.split(
        os.environ.get("CXX") or sysconfig.get_config_var("CXX") or "c++"
    )
    return shutil.which(command[0]) is not None


def chosen_kernels() -> str:
    """Return `compiled` or `python`; exit if the variable has another value."""
    kernels = os.environ.get(VARIABLE) or ("compiled" if has_compiler() else "python")
    if kernels not in {"compiled", "python"}:
        raise SystemExit(
            f"rouge-cli: {VARIABLE}={kernels}: unknown kernels; use compiled or python"
        )
    return kernels


def extensions() -> list[Extension]:
    """Return the extension, or nothing if it is not to be built."""
    if chosen_kernels() == "python":
        print(
            "rouge-cli: nothing is compiled: the readable kernels run", file=sys.stderr
        )
        return []
    return [
        Extension(
            "rouge_cli.native._compiled",
            [GLUE, SHARED],
            depends=sorted([*glob(f"{NATIVE}/*.hpp"), *glob(f"{NATIVE}/glue/*.pxi")]),
            language="c++",
            optional=not is_required,
        )
    ]


is_required = os.environ.get(VARIABLE) == "compiled"
modules = extensions()
has_executable = bool(modules) and os.name == "posix"
setup(
    ext_modules=modules,
    cmdclass={"build_ext": BuildExtension, "build_scripts": BuildScripts},
    scripts=[MAIN] if has_executable else [],
    # The executable finds the program in Python by its name beside itself. It is no
    # script of our own: in the first line of one, installers write the interpreter's
    # path as it is, even if long or with blanks.
    entry_points={
        "console_scripts": [
            "rouge-cli = rouge_cli.__main__:rouge_cli",
            f"ROUGE-1.5.5.{'py' if has_executable else 'pl'} = {PROGRAM}",
        ]
    },
)
