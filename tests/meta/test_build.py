"""Installation from source with a compiler, without one, and with one that fails."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

pytest.importorskip("setuptools")
BUILDERS = ("distutils", "setuptools", "_distutils_hack")


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Set the variables of setup.py, run in the checkout; `setup` holds its arguments
    to setuptools.

    setuptools replaces Python's distutils, which other tests may have loaded: both are
    loaded anew.
    """
    for name in list(sys.modules):
        if name.partition(".")[0] in BUILDERS or name.startswith(
            ("Cython.Build", "Cython.Distutils")
        ):
            monkeypatch.delitem(sys.modules, name)
    passed: dict[str, Any] = {"setuptools": import_module("setuptools")}
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(passed["setuptools"], "setup", passed.update)
    return passed


def run() -> dict[str, Any]:
    """Run setup.py."""
    return runpy.run_path("setup.py")


@pytest.mark.parametrize(
    ("kernels", "compiler", "built"),
    [
        ("", "sh", ["rouge_cli.native._compiled"]),  # any program that exists
        ("", "/nonexistent/c++", []),
        ("compiled", "/nonexistent/c++", ["rouge_cli.native._compiled"]),
        ("python", "sh", []),
    ],
)
def test_the_extension_is_built_if_there_is_a_compiler(
    kernels: str,
    compiler: str,
    built: list[str],
    build: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a compiler the readable kernels are installed, unless
    ROUGE_CLI_KERNELS requires others.
    """
    monkeypatch.setenv("ROUGE_CLI_KERNELS", kernels)
    monkeypatch.setenv("CXX", compiler)
    run()

    assert built == [extension.name for extension in build["ext_modules"]]
    names = [
        name.partition(" ")[0] for name in build["entry_points"]["console_scripts"]
    ]
    assert names == ["rouge-cli", f"ROUGE-1.5.5.{'py' if built else 'pl'}"]
    assert bool(built) is bool(build["scripts"])


def failing(
    build: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Any:  # noqa: ANN401 - setuptools has no types
    """Return the command that builds an extension with a compiler that fails."""
    for name in ("CC", "CXX"):
        monkeypatch.setenv(name, "false")
    run()
    source = tmp_path / "number.cpp"
    source.write_text("int number;\n")
    (extension,) = build["ext_modules"]
    extension.sources, extension.depends = [str(source)], []
    command = build["cmdclass"]["build_ext"](
        build["setuptools"].Distribution({"ext_modules": [extension]})
    )
    command.build_lib = command.build_temp = str(tmp_path)
    command.ensure_finalized()
    return command


def test_a_compiler_that_fails_leaves_the_readable_program(
    build: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without ROUGE_CLI_KERNELS a compiler's failure gives one warning, and no
    extension.
    """
    monkeypatch.delenv("ROUGE_CLI_KERNELS", raising=False)
    failing(build, monkeypatch, tmp_path).run()

    assert 1 == capsys.readouterr().err.count("rouge-cli: warning: the C++ compiler")
    assert [] == list(tmp_path.rglob("*.so"))


@pytest.mark.parametrize("is_in_place", [False, True])
def test_no_extension_of_an_earlier_build_is_installed(
    is_in_place: bool,
    build: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """If the compiler fails, what an earlier build has left is removed: the warning is
    true, and no old kernels score beside new Python.
    """
    monkeypatch.delenv("ROUGE_CLI_KERNELS", raising=False)
    command = failing(build, monkeypatch, tmp_path)
    monkeypatch.chdir(tmp_path)
    command.inplace = is_in_place
    (extension,) = build["ext_modules"]
    left = [Path(command.get_ext_fullpath(extension.name))]
    if is_in_place:
        command.inplace = False
        left.append(Path(command.get_ext_fullpath(extension.name)))
        command.inplace = True
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"of an earlier build")
    command.run()

    assert not any(path.exists() for path in left)


def test_a_compiler_that_fails_is_told_of_once(
    build: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One warning tells that neither the extension nor the executable is built."""
    monkeypatch.delenv("ROUGE_CLI_KERNELS", raising=False)
    command = failing(build, monkeypatch, tmp_path)
    command.distribution.scripts = ["rouge155"]
    command.distribution.command_obj["build_ext"] = command
    command.distribution.have_run["build_ext"] = 1
    command.run()
    scripts = build["cmdclass"]["build_scripts"](command.distribution)
    scripts.build_dir, scripts.force = str(tmp_path), True
    scripts.run()

    assert (tmp_path / "ROUGE-1.5.5.pl").read_text().startswith("#!/bin/sh\n")
    assert 1 == capsys.readouterr().err.count("rouge-cli: warning: ")


def test_required_kernels_that_cannot_be_compiled_fail_the_installation(
    build: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With ROUGE_CLI_KERNELS=compiled a compiler's failure fails the installation,
    and the message names the variable.
    """
    monkeypatch.setenv("ROUGE_CLI_KERNELS", "compiled")
    command = failing(build, monkeypatch, tmp_path)

    with pytest.raises(build["setuptools"].errors.CompileError):
        command.run()
    assert "ROUGE_CLI_KERNELS=python" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="Windows has no executable")
def test_an_executable_that_cannot_be_built_is_the_program_in_python(
    build: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If the executable cannot be compiled, ROUGE-1.5.5.pl starts ROUGE-1.5.5.py, also
    through a link.
    """
    monkeypatch.delenv("ROUGE_CLI_KERNELS", raising=False)
    for name in ("CC", "CXX"):
        monkeypatch.setenv(name, "false")
    run()
    distribution = build["setuptools"].Distribution(
        {"scripts": build["scripts"], "cmdclass": build["cmdclass"]}
    )
    command = distribution.get_command_obj("build_scripts")
    command.build_dir = str(tmp_path / "bin")
    distribution.get_command_obj("build").build_temp = str(tmp_path)
    command.ensure_finalized()
    command.run()
    program = tmp_path / "bin" / "ROUGE-1.5.5.py"
    program.write_text('#!/bin/sh\necho "Python: $1"\n')
    program.chmod(0o755)
    (tmp_path / "link").symlink_to("bin/ROUGE-1.5.5.pl")
    ended = subprocess.run(
        [tmp_path / "link", "a b"], capture_output=True, check=True, text=True
    )

    assert "Python: a b\n" == ended.stdout


@pytest.mark.usefixtures("build")
@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
@pytest.mark.parametrize(
    "flags", ["-O2", "-ffast-math -O3", "-Ofast", "-funsafe-math-optimizations -O3"]
)
def test_numbers_are_computed_as_written_with_any_flags(
    flags: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Behind the user's flags come those that keep floating-point numbers as written;
    the check in exact.hpp passes with them.
    """
    monkeypatch.setenv("CFLAGS", flags)
    own, linker = run()["FLAGS"]["unix"]

    assert "exact" == checked(
        tmp_path, [*flags.split(), *own], [*flags.split(), *linker]
    )


@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
@pytest.mark.parametrize(
    "flags", ["-ffast-math -O3", "-Ofast", "-ffinite-math-only -O2"]
)
def test_inexact_arithmetic_is_found(flags: str, tmp_path: Path) -> None:
    """The check in exact.hpp finds code whose flags allow other results."""
    assert "exact" != checked(tmp_path, flags.split(), flags.split())


def checked(folder: Path, compiling: list[str], linking: list[str]) -> str:
    """Return what exact.hpp finds in a program that is compiled with these flags."""
    source, compiled, program = (folder / f"check{end}" for end in (".cpp", ".o", ""))
    source.write_text(
        '#include <cstdio>\n#include "exact.hpp"\nint main() {'
        " const char* what = rouge::inexact_arithmetic();"
        ' std::printf("%s", what == nullptr ? "exact" : what); }\n'
    )
    include = f"-I{ROOT / 'rouge_cli' / 'native'}"
    subprocess.run(
        ["g++", *compiling, include, "-c", source, "-o", compiled], check=True
    )
    subprocess.run(["g++", *linking, compiled, "-o", program], check=True)
    return subprocess.run([program], capture_output=True, check=True, text=True).stdout


@pytest.mark.usefixtures("build")
def test_flags_are_the_compilers() -> None:
    """MSVC and the others get C++17, exceptions, and floating-point numbers as
    written.
    """
    flags = run()["FLAGS"]

    assert {"/std:c++17", "/EHsc", "/fp:precise"} < set(flags["msvc"][0])
    assert {"-std=c++17", "-ffp-contract=off"} < set(flags["unix"][0])
    allowed = {"-fno-fast-math", "-ffp-contract=off"}
    assert {"-fno-fast-math", "-fsigned-zeros"} < set(flags["unix"][0])
    assert not any(
        "fast" in flag and flag not in allowed
        for kind in flags.values()
        for flag in kind[0]
    )


def test_kernels_that_do_not_exist_are_refused(
    build: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A misspelt ROUGE_CLI_KERNELS stops the installation."""
    monkeypatch.setenv("ROUGE_CLI_KERNELS", "compield")

    with pytest.raises(SystemExit, match="use compiled or python"):
        run()
    assert "ext_modules" not in build


def test_no_annotation_is_read_from_a_class_body() -> None:
    """No module reads `__annotations__` of a name space: on Python 3.14 a class body
    has none.
    """
    subscripts = re.compile(r"""["']__annotations__["']""")
    modules = (ROOT / "rouge_cli").rglob("*.py")

    assert [] == [
        str(path) for path in modules if subscripts.search(path.read_text("utf-8"))
    ]


def test_every_promised_python_is_tested() -> None:
    """The classifiers name each Python that `make test-newest`, or an environment of
    the workflow, tests.
    """
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    promised = set(re.findall(r"Python :: (3\.\d+)\"", project))
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    in_workflow = re.search(r"python: (\[.*\])", workflow)
    newest = runpy.run_path(str(ROOT / "tests" / "newest.py"))

    assert in_workflow
    assert promised == set(re.findall(r"3\.\d+", in_workflow[1]))
    assert promised == {*newest["VERSIONS"], "3.11", "3.14"}
