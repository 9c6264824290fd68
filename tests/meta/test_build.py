"""Installation from source with a compiler, without one, and with one that fails."""

import runpy
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


def test_a_compiler_that_fails_fails_the_installation(
    build: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A compiler's failure fails the installation, and the message names the
    variable.
    """
    for name in ("CC", "CXX"):
        monkeypatch.setenv(name, "false")
    run()
    source = tmp_path / "one.cpp"
    source.write_text("int one;\n")
    (extension,) = build["ext_modules"]
    extension.sources, extension.depends = [str(source)], []
    command = build["cmdclass"]["build_ext"](
        build["setuptools"].Distribution({"ext_modules": [extension]})
    )
    command.build_lib = command.build_temp = str(tmp_path)
    command.ensure_finalized()

    with pytest.raises(build["setuptools"].errors.CompileError):
        command.run()
    assert "ROUGE_CLI_KERNELS=python" in capsys.readouterr().err


@pytest.mark.usefixtures("build")
def test_flags_are_the_compilers() -> None:
    """MSVC and the others get C++17, exceptions, and floating-point numbers as
    written.
    """
    flags = run()["FLAGS"]

    assert {"/std:c++17", "/EHsc", "/fp:precise"} < set(flags["msvc"][0])
    assert {"-std=c++17", "-ffp-contract=off"} < set(flags["unix"][0])
    assert not any("fast" in flag for kind in flags.values() for flag in kind[0])


def test_kernels_that_do_not_exist_are_refused(
    build: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A misspelt ROUGE_CLI_KERNELS stops the installation."""
    monkeypatch.setenv("ROUGE_CLI_KERNELS", "compield")

    with pytest.raises(SystemExit, match="use compiled or python"):
        run()
    assert "ext_modules" not in build
