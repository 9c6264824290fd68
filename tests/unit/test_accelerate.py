"""rouge_cli.accelerate replaces rouge_score, in a process and around a script."""

import logging
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType, ModuleType

import pytest
from case_tables import tabled

import rouge_cli
from rouge_cli.dialects import google
from rouge_cli.errors import UsageError

NOTICE = f"rouge-cli {rouge_cli.__version__} stands in for rouge_score\n"
SCRIPT = """
import importlib.util, os, sys
import rouge_score.rouge_scorer
from rouge_score import rouge_scorer, scoring, tokenize, tokenizers
from rouge_score.tokenizers import DefaultTokenizer
assert importlib.util.find_spec("rouge_score").name == "rouge_score"
assert rouge_score.rouge_scorer.__name__ == "rouge_cli.dialects.google.rouge_scorer", __name__
assert os.path.isabs(__file__) and sys.modules["__main__"].__dict__ is globals(), __file__
import beside
print(sys.argv, __name__, beside.NAME, rouge_scorer.RougeScorer(["rouge1"]).score("a b", "a"))
sys.exit(7)
"""


@pytest.fixture
def nothing_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run as if rouge_score had not been imported, and restore its modules
    afterwards.
    """
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    for name in [
        name for name in sys.modules if name.partition(".")[0] == "rouge_score"
    ]:
        del sys.modules[name]
    for module in (
        google.rouge_scorer,
        google.scoring,
        google.tokenize,
        google.tokenizers,
    ):
        for value in vars(module).values():
            is_definition = isinstance(value, type | FunctionType)
            if is_definition and value.__module__ == module.__name__:
                monkeypatch.setattr(value, "__module__", module.__name__)


def run(*words: str, cwd: Path) -> tuple[int, str, str]:
    """Return exit status, stdout and stderr of the launcher."""
    command = [sys.executable, "-m", "rouge_cli.accelerate", *words]
    ended = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, timeout=300
    )
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.usefixtures("nothing_imported")
def test_modules_are_replaced_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """After any number of calls the modules are replaced, and one record was logged."""
    with caplog.at_level(logging.WARNING, "rouge_cli"):
        rouge_cli.install_as_rouge_score()
        rouge_cli.install_as_rouge_score()

    modules = {
        name: sys.modules[name]
        for name in sys.modules
        if name.startswith("rouge_score.")
    }
    assert (
        google.rouge_scorer
        is sys.modules["rouge_score"].rouge_scorer
        is modules["rouge_score.rouge_scorer"]
    )
    assert 4 == len(modules)
    assert [NOTICE.strip()] == caplog.messages


@pytest.mark.usefixtures("nothing_imported")
@pytest.mark.parametrize("name", ["rouge_score", "rouge_score.scoring"])
def test_an_imported_rouge_score_is_not_replaced(name: str) -> None:
    """If rouge_score is already imported the call is refused: some of its modules
    would stay in use.
    """
    sys.modules[name] = ModuleType(name)
    with pytest.raises(
        UsageError,
        match=r"was imported before .*before the first import of rouge_score",
    ):
        rouge_cli.install_as_rouge_score()

    assert [name] == [
        each for each in sys.modules if each.partition(".")[0] == "rouge_score"
    ]


@pytest.mark.parametrize("words", [["folder/script.py"], ["-m", "folder.script"]])
def test_a_script_runs_as_it_is(words: list[str], tmp_path: Path) -> None:
    """A script has the same arguments, name, neighbours and exit status as without
    the launcher.
    """
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "script.py").write_text(SCRIPT)
    beside = tmp_path if words[0] == "-m" else tmp_path / "folder"
    (beside / "beside.py").write_text("NAME = 'beside'\n")
    status, stdout, stderr = run(*words, "-x", "--help", cwd=tmp_path)
    argv = str(tmp_path / "folder" / "script.py") if words[0] == "-m" else words[0]
    score = google.Score(1.0, 0.5, 2 / 3)

    assert f"{[argv, '-x', '--help']} __main__ beside {{'rouge1': {score}}}\n" == stdout
    assert (7, NOTICE) == (status, stderr)


STARTED = """
import concurrent.futures, multiprocessing, subprocess, sys

def work(text):
    from rouge_score import rouge_scorer
    return rouge_scorer.__name__, rouge_scorer.RougeScorer(["rouge1"]).score("a b", text)["rouge1"].recall

if __name__ == "__main__":
    for method in ("spawn", "forkserver"):
        context = multiprocessing.get_context(method)
        with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
            print(method, *pool.submit(work, "a").result())
    for options in ([], ["-I"]):
        command = "import rouge_score.scoring as s, sys; print(s.__name__, 'rouge_cli' in sys.modules)"
        ended = subprocess.run([sys.executable, *options, "-c", command], capture_output=True, text=True)
        print("subprocess", *options, ended.stdout.strip() or ended.stderr.splitlines()[-1])
"""
OURS = "rouge_cli.dialects.google"


def test_processes_that_a_script_starts_have_the_replacement(tmp_path: Path) -> None:
    """Processes of any method import rouge-cli, and those that ignore PYTHONPATH
    what is installed.
    """
    (tmp_path / "script.py").write_text(STARTED)
    status, stdout, stderr = run("script.py", cwd=tmp_path)
    spawned, forked, new, isolated = stdout.splitlines()

    assert (0, NOTICE * 3) == (status, stderr)
    assert [f"{name} {OURS}.rouge_scorer 0.5" for name in ("spawn", "forkserver")] == [
        spawned,
        forked,
    ]
    assert f"subprocess {OURS}.scoring True" == new
    assert "rouge_cli" not in isolated


def test_the_path_serves_programs_that_others_start(tmp_path: Path) -> None:
    """With the printed path, `import rouge_score` alone imports rouge-cli, or the
    original without it.
    """
    _, path, _ = run("--path", cwd=tmp_path)
    folder, *others = path.strip().split(os.pathsep)
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed" / "rouge_score.py").write_text("NAME = 'original'")
    program = (
        "import sys; before = 'rouge_cli' in sys.modules\nimport rouge_score;"
        " print(before, getattr(rouge_score, 'NAME', 'rouge_cli' in sys.modules))"
    )
    installed = ["-S"], [folder, str(tmp_path / "installed")], "False original"
    for options, paths, expected in (([], [folder, *others], "False True"), installed):
        command = [sys.executable, *options, "-c", program]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        ended = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert expected == ended.stdout.strip()


@tabled
def test_without_a_program_there_is_one_message(
    words: list[str], message: str, tmp_path: Path
) -> None:
    """Without a program the launcher prints one message and exits with 2."""
    assert (2, "", f"rouge_cli.accelerate: {message}\n") == run(*words, cwd=tmp_path)


def test_help_is_printed(tmp_path: Path) -> None:
    """`--help` prints the usage."""
    status, stdout, stderr = run("--help", cwd=tmp_path)

    assert (0, "") == (status, stderr)
    assert stdout.partition("\n\n")[2].startswith(
        "Usage: python -m rouge_cli.accelerate SCRIPT"
    )


def test_the_packages_program_needs_the_package(tmp_path: Path) -> None:
    """Without an installed rouge_score, its own program is one message with the
    remedy.
    """
    command = [
        *(sys.executable, "-S", "-m", "rouge_cli.accelerate"),
        *("-m", "rouge_score.rouge"),
    ]
    root = Path(rouge_cli.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    ended = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    message = (
        "rouge_cli.accelerate: no module named 'rouge_score.rouge', which is"
        " rouge_score's own; pip install rouge-score, or use `rouge-cli score`\n"
    )

    assert (2, "") == (ended.returncode, ended.stdout)
    assert NOTICE + message == ended.stderr
