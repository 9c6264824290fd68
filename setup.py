"""Build the extension: which flags each compiler takes, and what happens without one.

ROUGE_CLI_KERNELS says at installation what it says at run time: `compiled` requires the extension, `python`
does without it. If it is not set, the extension is built if the machine has a C++ compiler; a compiler that
fails always fails the installation, so that nobody gets the slow kernels by accident.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from glob import glob

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, PlatformError

VARIABLE = "ROUGE_CLI_KERNELS"
NATIVE = "rouge_cli/native"
FAILED = (
    f"rouge-cli: the C++ compiler failed; to install without it set {VARIABLE}=python: the numbers\n"
    "rouge-cli: are the same, and long runs take several times as long"
)
DEBUGGING = [] if os.environ.get("CFLAGS") else ["-g0"]  # who sets flags may want to debug
OPTIMIZING = [] if "-O0" in os.environ.get("CFLAGS", "") else ["-O3"]  # counts of lines are true without
# Kind of compiler -> its flags and its linker's. Nothing may fuse or reorder operations on floating-point
# numbers: the scores' last digits depend on it. Symbols for debuggers would be three quarters of the file.
FLAGS = {
    "msvc": (["/std:c++17", "/O2", "/EHsc", "/fp:precise", "/utf-8", "/DNOMINMAX"], []),
    "unix": (["-std=c++17", *OPTIMIZING, "-ffp-contract=off", "-pthread", *DEBUGGING], ["-pthread"]),
}


class BuildExtension(build_ext):
    """Build the extension with the flags of the compiler at hand, or stop with what can be done."""

    def build_extension(self, ext: Extension) -> None:
        """Compile and link."""
        kind = self.compiler.compiler_type
        ext.extra_compile_args, ext.extra_link_args = FLAGS.get(kind, FLAGS["unix"])
        try:
            super().build_extension(ext)
        except CCompilerError:
            print(FAILED, file=sys.stderr)
            raise


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
    command = shlex.split(os.environ.get("CXX") or sysconfig.get_config_var("CXX") or "c++")
    return shutil.which(command[0]) is not None


def extensions() -> list[Extension]:
    """Return the extension, or nothing if it is not to be built."""
    kernels = os.environ.get(VARIABLE) or ("compiled" if has_compiler() else "python")
    if kernels not in {"compiled", "python"}:
        raise SystemExit(f"rouge-cli: {VARIABLE}={kernels}: unknown kernels; use compiled or python")
    if kernels == "python":
        print("rouge-cli: nothing is compiled: the readable kernels run", file=sys.stderr)
        return []
    headers = sorted(glob(f"{NATIVE}/*.hpp"))
    return [
        Extension(
            "rouge_cli.native._compiled", [f"{NATIVE}/_compiled.pyx"], depends=headers, language="c++"
        )
    ]


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildExtension})
