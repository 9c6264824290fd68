"""Plugins of other packages, which are found by their entry points."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "support" / "example_plugin"


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Install the example into a folder of its own; return a function that runs Python with it."""
    target = tmp_path / "installed"
    shutil.copytree(EXAMPLE / "rouge_vowels", target / "rouge_vowels")
    information = target / "rouge_vowels-1.2.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: rouge-vowels\nVersion: 1.2\n")
    head = '[project.entry-points."'
    lines = (EXAMPLE / "pyproject.toml").read_text().partition(head)[1:]
    groups = "".join(lines).replace(head, "[").replace('"]', "]").replace('"', "")
    (information / "entry_points.txt").write_text(groups)
    start = f"import sys; sys.path.append({str(target)!r}); "

    def run(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
        code = code or "from rouge_cli.__main__ import rouge_cli; rouge_cli()"
        command = [sys.executable, "-c", start + code, *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


def test_the_command_uses_what_other_packages_add(
    run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """A metric, a dialect, a text format, a kind of input and a report format are used by their names."""
    (tmp_path / "in.pairs").write_text("a cat|it sat => a dog|it sat\n")
    scored = ("score", "in.pairs", "--input", "pairs", "--samples", "0", "--quiet", "--format")
    outcome = run(*scored, "json", "--read-as", "bars", "-m", "ROUGE-V,ROUGE-L")
    assert 0 == outcome.returncode, outcome.stderr
    report = json.loads(outcome.stdout)
    shouted = run(*scored, "shout", "--dialect", "wordlists")
    explained = run("explain", "--peer", "sat", "--model", "sit at", "-m", "ROUGE-V")

    # Of the vowels a, a, i, a and a, o, i, a three are shared.
    assert [0.75, 0.75] == [result["f"]["value"] for result in report["results"]]
    assert "|read_as:bars|" in report["signature"]
    assert "ROUGE-LIST F" in shouted.stdout, shouted.stderr
    assert "recall = match / reference = 1 / 2" in explained.stdout, explained.stderr


def test_python_uses_what_other_packages_add(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    """`score` finds metrics, dialects and formats, `to` a report format."""
    outcome = run(
        code="import rouge_cli\n"
        "scores = rouge_cli.score('sat', 'sit at', 'ROUGE-V', read_as='bars', samples=0)\n"
        "print(scores.to_dict()['system']['ROUGE-V']['recall'], scores.to('shout').split()[0])\n"
        "print(rouge_cli.score('a,b', 'b,c', dialect='wordlists').to_dict())\n"
    )

    assert "0.5 SYSTEM\n{'system': {'ROUGE-list': {'recall': 0.5" in outcome.stdout, outcome.stderr


def test_lists_say_where_a_plugin_comes_from(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    """`list` and `describe` have the plugins of other packages, with the package's name and version."""
    listed = run("list").stdout

    for name in ("ROUGE-V", "wordlists", "bars", "pairs", "shout", "ROUGE-list"):
        (line,) = (line for line in listed.splitlines() if line.split()[:1] == [name])
        assert line.endswith(" (from rouge-vowels 1.2)")
    assert "ROUGE-V (metric, from rouge-vowels 1.2)\n" in run("describe", "ROUGE-V").stdout
    assert (
        "did you mean wordlists?"
        in run("explain", "--peer", "a", "--model", "a", "--dialect", "wordlist").stderr
    )


def test_names_that_are_ours_are_not_looked_up_elsewhere(
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    """A run without foreign names does not import the module that finds entry points."""
    call = "rouge_cli.score('a', 'a', 'R1,RL', dialect='google', notify=print); "
    outcome = run(code=f"import rouge_cli; {call}print('importlib.metadata' in sys.modules)")

    assert "False\n" == outcome.stdout, outcome.stderr


def test_a_broken_plugin_is_named_with_its_package(
    run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """If a plugin cannot be imported, the error names it, its package and the reason."""
    (tmp_path / "installed" / "rouge_vowels" / "metric.py").write_text("import no_such_module\n")
    outcome = run("explain", "--peer", "a", "--model", "a", "-m", "ROUGE-V")

    message = "vowels, which comes from rouge-vowels 1.2, cannot be imported (ModuleNotFoundError"

    assert 1 == outcome.returncode
    assert message in outcome.stderr
