"""Build the extension and the executable: which flags each compiler takes, and what
happens without one.

The executable is ROUGE-1.5.5.pl for ordinary runs. It is installed as a script of the
wheel, with the program in Python beside it as ROUGE-1.5.5.py. On Windows and without a
compiler, ROUGE-1.5.5.pl is the program in Python.

ROUGE_CLI_KERNELS says at installation what it says at run time: `compiled` requires the
extension, `python` does without it. If it is not set, the extension is built if the
machine has a C++ compiler; a compiler that fails always fails the installation, so that
nobody gets the slow kernels by accident.
"""

from __future__ import annotations

import os
import runpy
import shlex
import shutil
import sys
import sysconfig
from glob import glob
from pathlib import Path
from typing import ClassVar

from setuptools import Command, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, LinkError, PlatformError

# This is setuptools' copy of distutils, by the name under which it raises the errors
# above.
from distutils.ccompiler import new_compiler  # isort: skip
from distutils.sysconfig import customize_compiler  # isort: skip

VARIABLE = "ROUGE_CLI_KERNELS"
NATIVE = "rouge_cli/native"
MAIN = f"{NATIVE}/rouge155.cpp"
PROGRAM = "rouge_cli.__main__:rouge155"
FAILED = (
    f"rouge-cli: the C++ compiler failed; to install without it set {VARIABLE}=python:"
    " the numbers\nrouge-cli: are the same, and long runs take several times as long"
)
DEBUGGING = (
    [] if os.environ.get("CFLAGS") else ["-g0"]
)  # who sets flags may want to debug
OPTIMIZING = (
    [] if "-O0" in os.environ.get("CFLAGS", "") else ["-O3"]
)  # counts of lines are true without
# Kind of compiler -> its flags and its linker's. Nothing may fuse or reorder operations
# on floating-point numbers: the scores' last digits depend on it. Symbols for debuggers
# would be three quarters of the file.
UNIX = [
    "-std=c++17",
    *OPTIMIZING,
    "-ffp-contract=off",
    "-fvisibility=hidden",
    "-pthread",
    *DEBUGGING,
]
FLAGS = {
    "msvc": (["/std:c++17", "/O2", "/EHsc", "/fp:precise", "/utf-8", "/DNOMINMAX"], []),
    "unix": (UNIX, ["-pthread"]),
}
# Loading shared libraries takes half of a short run of the executable. Not all systems
# have static ones.
STATIC = ["-static-libstdc++", "-static-libgcc"]
LIBRARIES = [STATIC, []] if sys.platform.startswith("linux") else [[]]


class BuildExtension(build_ext):
    """Build the extension with the flags of the compiler at hand, or stop with what
    can be done.
    """

    def build_extension(self, ext: Extension) -> None:
        """Compile and link."""
        kind = self.compiler.compiler_type
        ext.extra_compile_args, ext.extra_link_args = FLAGS.get(kind, FLAGS["unix"])
        try:
            super().build_extension(ext)
        except CCompilerError:
            print(FAILED, file=sys.stderr)
            raise


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
        """Compile and link."""
        if not self.distribution.scripts:
            return
        build = self.get_finalized_command("build")
        target = Path(self.build_dir or "") / "ROUGE-1.5.5.pl"
        lists = Path(build.build_temp, "word_lists.hpp")
        sources = [
            MAIN,
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
        for folder in (lists.parent, target.parent):
            folder.mkdir(parents=True, exist_ok=True)
        lists.write_text(word_lists())
        compiler = new_compiler()
        customize_compiler(compiler)
        compile_flags, link_flags = FLAGS["unix"]
        try:
            objects = compiler.compile(
                [MAIN],
                output_dir=build.build_temp,
                include_dirs=[str(lists.parent), NATIVE],
                extra_preargs=compile_flags,
                depends=sources,
            )
            for libraries in LIBRARIES:
                try:
                    compiler.link_executable(
                        objects,
                        str(target),
                        extra_postargs=[*link_flags, *libraries],
                        target_lang="c++",
                    )
                    break
                except LinkError:
                    if not libraries:
                        raise
        except CCompilerError:
            print(FAILED, file=sys.stderr)
            raise


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


def extensions() -> list[Extension]:
    """Return the extension, or nothing if it is not to be built."""
    kernels = os.environ.get(VARIABLE) or ("compiled" if has_compiler() else "python")
    if kernels not in {"compiled", "python"}:
        raise SystemExit(
            f"rouge-cli: {VARIABLE}={kernels}: unknown kernels; use compiled or python"
        )
    if kernels == "python":
        print(
            "rouge-cli: nothing is compiled: the readable kernels run", file=sys.stderr
        )
        return []
    headers = sorted(glob(f"{NATIVE}/*.hpp"))
    return [
        Extension(
            "rouge_cli.native._compiled",
            [f"{NATIVE}/_compiled.pyx"],
            depends=headers,
            language="c++",
        )
    ]


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
