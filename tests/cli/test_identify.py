"""`rouge-cli identify`: its output, its errors, and the examples of its page."""

import json
from pathlib import Path
from typing import Any

import pytest

from rouge_cli import reports
from tests.conftest import ROOT, ROUGE_CLI, Program

DEMO = "fixtures/demo/settings.xml"
LEAD = ("identify", DEMO, "--system", "lead", "--published")


def identified(here: Program, *words: str) -> dict[str, Any]:
    """Return the result as JSON."""
    status, stdout, stderr = here(*words, "--format", "json", cwd=ROOT)
    assert (0, "") == (status, stderr)
    result: dict[str, Any] = json.loads(stdout)
    return result


@pytest.mark.parametrize("name", reports.names_for("identification"))
def test_every_format_names_the_set_up(name: str, here: Program, tmp_path: Path) -> None:
    """Every format has the signature that fits, on stdout and in a file of its suffix."""
    words = (*LEAD, "ROUGE-1.F=0.62,RL.R=0.51", "--dialect", "google")
    status, stdout, stderr = here(*words, "--format", name, cwd=ROOT)
    here(*words, "--format", name, "-o", str(tmp_path / "report"), cwd=ROOT)

    assert (0, "") == (status, stderr)
    assert b"dialect:google" in stdout
    assert stdout == (tmp_path / "report").read_bytes()


def test_numbers_of_several_systems_in_one_file(here: Program, tmp_path: Path) -> None:
    """A file with a column of systems holds averages of all of them, which one set-up must fit."""
    saved = here(
        "score", DEMO, "--stem", "--average", "micro", "--samples", "0", "--format", "json", cwd=ROOT
    ).stdout
    rows = [
        f"{result['system']},{result['metric']},{result['recall']['value']:.4f},{result['f']['value']:.4f}\n"
        for result in json.loads(saved)["results"]
    ]
    (tmp_path / "numbers.csv").write_text("system,metric,recall,f\n" + "".join(rows))
    result = identified(here, "identify", DEMO, "--published", str(tmp_path / "numbers.csv"))

    assert 2 * len(rows) == len(result["published"]) > 12
    assert result["candidates"][0]["fit"]
    assert "stemmer:rouge|average:micro|samples:0" in result["candidates"][0]["signature"]


def test_either_kernels_give_the_same(program: Program) -> None:
    """The readable programs give the results of the compiled ones, to the last digit."""
    words = [ROUGE_CLI, *LEAD, "R1=47.11,RL=40.69", "--format", "json", "--all"]
    outcomes = [
        program(*words, cwd=ROOT, environment={"ROUGE_CLI_KERNELS": kernels})
        for kernels in ("python", "compiled")
    ]

    assert outcomes[0].status == 0
    assert outcomes[0] == outcomes[1]


def test_all_shows_every_set_up(here: Program) -> None:
    """The five nearest set-ups are shown, or with --all each that gives its own numbers."""
    few, every = (identified(here, *LEAD, "R1=0.99", *words) for words in ((), ("--all",)))

    assert (0, 5) == (few["fitting"], len(few["candidates"]))
    assert every["distinct"] == len(every["candidates"]) > 5
    assert few["candidates"] == every["candidates"][:5]
