"""PyPI's tilse, written by others, with our home in place of the ROUGE in its
package.
"""

import os
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from everyday import sampled

from tests.conftest import ROOT

# Its package has a module of the name pyrouge, so that it has an environment of its
# own.
BIN = ROOT / "build" / "tilse" / "bin"
TIMELINES = ROOT / "fixtures" / "timeline"
METRICS = (
    "concat", "agreement", "align_date_costs", "align_date_content_costs",
    "align_date_content_costs_many_to_one",
)  # fmt: skip

pytestmark = pytest.mark.skipif(
    not (BIN / "python").is_file(),
    reason="no tilse in build/tilse; make clients installs it",
)


@pytest.fixture(scope="module")
def overlay(ours: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH with tilse's `pyrouge`, whose ROUGE-1.5.5 is a home of
    ours.
    """
    script = "import pyrouge; print(pyrouge.__path__[0])"
    package = subprocess.run(
        [BIN / "python", "-c", script], capture_output=True, text=True, check=True
    )
    folder = tmp_path_factory.mktemp("tilse")
    shutil.copytree(
        package.stdout.strip(),
        folder / "pyrouge",
        ignore=shutil.ignore_patterns("ROUGE-1.5.5"),
    )
    shutil.copytree(ours, folder / "pyrouge" / "tools" / "ROUGE-1.5.5")
    return folder


def evaluate(metric: str, **environment: str) -> tuple[str, str]:
    """Return what `evaluate-timelines` prints of a timeline and its reference, on
    stdout and stderr.
    """
    texts = [
        str(TIMELINES / "table1" / f"{name}.txt") for name in ("washington-post", "ap")
    ]
    ended = subprocess.run(
        [BIN / "python", BIN / "evaluate-timelines", "-p", texts[0], "-r", texts[1], "-m", metric],
        capture_output=True, text=True, check=False, timeout=300, env={**os.environ, **environment},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout, ended.stderr


@pytest.mark.parametrize("metric", sampled(METRICS, 5))
def test_the_same_line_as_with_the_script_of_the_package(
    metric: str, overlay: Path, original: SimpleNamespace
) -> None:
    """`evaluate-timelines` prints the same with our home as with its own script;
    quiet is quiet.
    """
    assert (
        original.command
    )  # what the script of the package needs, too: Perl with XML::Parser
    printed, notices = evaluate(metric, PYTHONPATH=str(overlay), ROUGE_CLI_QUIET="1")

    assert (printed, notices) == evaluate(metric)
    assert notices == ""
    assert printed.startswith("{'rouge_1': {'precision': 0.")


def test_it_runs_without_perl(overlay: Path, tmp_path: Path) -> None:
    """With our home, tilse needs no Perl: only the tools of the shell are on the
    path.
    """
    for name in ("dirname", "readlink"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    printed, _ = evaluate("concat", PYTHONPATH=str(overlay), PATH=str(tmp_path))

    assert (
        "'recall': 0.2727272727272727" in printed
    )  # as recorded: fixtures/timeline/cases.json
