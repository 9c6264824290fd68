"""The package's metadata and files besides its code."""

import re
import shutil
import subprocess
import sys
import textwrap
from importlib.metadata import distribution
from pathlib import Path

import click
import pytest

import rouge_cli
from rouge_cli.cli.main import group
from rouge_cli.cli.rouge155 import help_text
from tests.conftest import ROOT, Program

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomllib")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_the_package_is_typed() -> None:
    """Type checkers read the package's annotations: `py.typed` is there, and
    declared.
    """
    assert (Path(rouge_cli.__file__).parent / "py.typed").is_file()
    assert "py.typed" in PROJECT["tool"]["setuptools"]["package-data"]["rouge_cli"]
    assert "Typing :: Typed" in distribution("rouge-cli").metadata.get_all(
        "Classifier", []
    )


def test_the_extension_imports_no_module_of_the_package() -> None:
    """Modules use the extension, never it them: the layers of imports are checked in
    Python code only.
    """
    native = ROOT / "rouge_cli/native"
    pages = [native / "_compiled.pyx", *native.glob("glue/*.pxi")]
    source = "".join(page.read_text("utf-8") for page in pages)
    assert len(pages) > 5
    assert not re.findall(
        r"^\s*(?:c?import|from)\s+(?:rouge_cli|\.).*", source, re.MULTILINE
    )


def test_every_extra_is_real() -> None:
    """Each line `pip install 'rouge-cli[EXTRA]'` of the code names an extra that
    exists.
    """
    extras = PROJECT["project"]["optional-dependencies"]
    named = {
        extra
        for path in (ROOT / "rouge_cli").rglob("*.py")
        for extra in re.findall(
            r"rouge-cli\[([a-z0-9]+)\]|extra=\"([a-z0-9]+)\"", path.read_text("utf-8")
        )
        for extra in extra
        if extra
    }

    assert named
    assert set() == named - extras.keys()


def test_the_citation_is_of_this_version() -> None:
    """CITATION.cff has the version that is installed."""
    (version,) = re.findall(
        r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE
    )

    assert rouge_cli.__version__ == version


def test_both_programs_have_man_pages(tmp_path: Path) -> None:
    """Each command and the drop-in get a page, which has all of its help."""
    pytest.importorskip("click_man")
    subprocess.run(
        [sys.executable, ROOT / "docs" / "man_pages.py", tmp_path], check=True
    )
    commands = group.list_commands(click.Context(group))

    assert {
        "rouge-cli.1",
        "ROUGE-1.5.5.pl.1",
        *(f"rouge-cli-{name}.1" for name in commands),
    } <= {path.name for path in tmp_path.iterdir()}
    if shutil.which("groff"):
        show = ["groff", "-man", "-Tascii", "-P-cbou"]
        page = tmp_path / "ROUGE-1.5.5.pl.1"
        shown = subprocess.run([*show, page], capture_output=True, check=True)
        assert b"" == shown.stderr
        assert " ".join(help_text().split()) in " ".join(shown.stdout.decode().split())
        score = subprocess.run(
            [*show, tmp_path / "rouge-cli-score.1"], capture_output=True, check=True
        )
        assert rb"'sys\.(\d+)\.txt'" in score.stdout
        settings = subprocess.run(
            [*show, tmp_path / "rouge-cli-settings.1"], capture_output=True, check=True
        )
        assert b"--ref references -o settings.xml\n" in settings.stdout


def test_hooks_run_what_is_installed() -> None:
    """The hooks before a commit are those of `make check`."""
    hooks = re.findall(
        r"entry: \.venv/bin/(\S+)",
        (ROOT / ".pre-commit-config.yaml").read_text("utf-8"),
    )
    checks = re.search(
        r"^check: .*\n((?:\t.*\n)+)",
        (ROOT / "Makefile").read_text("utf-8"),
        re.MULTILINE,
    )

    assert hooks
    assert checks
    assert [] == [hook for hook in hooks if f"$(BIN)/{hook}" not in checks[1]]


def test_the_action_and_the_hook_call_commands_that_exist(
    tmp_path: Path, program: Program
) -> None:
    """The action passes words on to rouge-cli, as of the guides; the hook of users
    runs a command.
    """
    _, _, step = (ROOT / "action.yml").read_text("utf-8").partition("run: |\n")
    step = textwrap.dedent(step)
    (entry,) = re.findall(
        r"entry: rouge-cli (\S+)", (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    )
    (tmp_path / "run 1.txt").write_text("a b\n")
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    words = "score --pred 'run 1.txt' --ref 'run 1.txt' --score-only R1"
    environment = {"PATH": path, "ARGUMENTS": words}
    outcome = program(sys.executable, "-c", step, cwd=tmp_path, environment=environment)

    assert (0, b"1.00000\n") == outcome[:2]
    for words, status in (("score no.txt", 1), ("score --no", 2), ("list 'recipes", 2)):
        environment["ARGUMENTS"] = words
        outcome = program(
            sys.executable, "-c", step, cwd=tmp_path, environment=environment
        )
        assert (status, b"") == outcome[:2]
        assert 1 == outcome.stderr.count("\n")
    shutil.copy(ROOT / "fixtures" / "demo" / "lines" / "run.jsonl", tmp_path)
    for page in ("tasks.md", "ci-thresholds.md"):
        (words,) = re.findall(
            "arguments: (.*)", (ROOT / "docs" / "how-to" / page).read_text("utf-8")
        )
        outcome = program(
            sys.executable,
            "-c",
            step,
            cwd=tmp_path,
            environment=environment | {"ARGUMENTS": words},
        )
        assert 0 == outcome.status, (page, outcome.stderr)
    assert entry in group.list_commands(click.Context(group))


def test_workflows_call_targets_that_exist() -> None:
    """Every target that a workflow makes is in the Makefile, or in the
    documentation's.
    """
    makefile = (ROOT / "Makefile").read_text("utf-8")
    called = {
        target
        for path in (ROOT / ".github" / "workflows").glob("*.yml")
        for target in re.findall(r"run: make ([a-z-]+)", path.read_text("utf-8"))
    }

    assert {"check", "dist", "test"} <= called
    assert [] == [
        target for target in called - {"docs"} if f"\n{target}:" not in makefile
    ]
