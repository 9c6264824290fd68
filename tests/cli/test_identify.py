"""`rouge-cli identify`: its output, its errors, and the examples of its page."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rouge_cli import reports

if TYPE_CHECKING:
    from tests.conftest import Program

ROOT = Path(__file__).resolve().parents[2]
ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))
DEMO = "fixtures/demo/settings.xml"
PAGE = (ROOT / "docs" / "how-to" / "identify.md").read_text("utf-8")
LEAD = ("identify", DEMO, "--system", "lead", "--published")


def identified(here: Program, *words: str) -> dict[str, Any]:
    """Return the result as JSON."""
    status, stdout, stderr = here(*words, "--format", "json", cwd=ROOT)
    assert (0, "") == (status, stderr)
    result: dict[str, Any] = json.loads(stdout)
    return result


def test_the_page_s_examples_run(program: Program) -> None:
    """Every command of the page runs in the checkout, and prints the lines on the page."""
    blocks = re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", PAGE)
    assert len(blocks) >= 2
    for command, shown in blocks:
        outcome = program(ROUGE_CLI, *command.replace("'", "").split()[1:], cwd=ROOT)
        printed = iter(outcome.stdout.decode().splitlines())
        assert (0, "") == (outcome.status, outcome.stderr), command
        for line in shown.splitlines():
            assert line == "..." or line in printed, (command, line)


@pytest.mark.parametrize("name", reports.names_for("identification"))
def test_every_format_names_the_set_up(name: str, here: Program, tmp_path: Path) -> None:
    """Every format has the signature that fits, on stdout and in a file of its suffix."""
    words = (*LEAD, "ROUGE-1.F=0.62,RL.R=0.51", "--dialect", "google")
    status, stdout, stderr = here(*words, "--format", name, cwd=ROOT)
    here(*words, "--format", name, "-o", str(tmp_path / "report"), cwd=ROOT)

    assert (0, "") == (status, stderr)
    assert b"dialect:google" in stdout
    assert stdout == (tmp_path / "report").read_bytes()


def test_like_accepts_the_first_signature(here: Program) -> None:
    """`score --like` with the first signature prints the published digits."""
    report = here(
        "score", DEMO, "--stem", "--samples", "0", "-m", "R1,R2,RL", "--digits", "5", cwd=ROOT
    ).stdout.decode()
    numbers = re.findall(r"0\.\d{5}", next(line for line in report.splitlines() if " lead " in line))
    result = identified(here, *LEAD, ",".join(map("=".join, zip(("R1", "R2", "RL"), numbers, strict=True))))
    first = result["candidates"][0]
    again = here("score", DEMO, "--like", first["signature"], "--quiet", cwd=ROOT).stdout.decode()

    assert (True, "F", 1) == (first["fit"], first["figure"], result["scale"])
    assert numbers == re.findall(r"0\.\d{5}", next(line for line in again.splitlines() if " lead " in line))


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


def test_nothing_fits(here: Program) -> None:
    """Numbers that no set-up gives are reported as such, with exit status 0."""
    status, stdout, _ = here(*LEAD, "R1=0.99,R2=0.98", cwd=ROOT)

    assert status == 0
    assert stdout.startswith(b"no set-up tried gives the published numbers of lead; the nearest:\n")
    assert b"by chance" not in stdout


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("{demo}", 2, "no published number; write --published R1=44.16,R2=21.28,RL=40.90"),
        (
            "--published R1=44",
            2,
            "nothing to score; name INPUT, or --peers and --models, or --hyp and --ref",
        ),
        (
            "{demo} --published R1=144",
            2,
            "--published R1 is '144'; a published score is a number from 0 to 1",
        ),
        ("{demo} --published R1=-1", 2, "--published R1 is '-1'"),
        ("{demo} --published R1=nan", 2, "--published R1 is 'nan'"),
        ("{demo} --published R1=high", 2, "--published R1 is 'high'"),
        ("{demo} --published RQ=44", 2, "unknown metric 'RQ'"),
        ("{demo} --published R1.X=44", 2, "unknown metric 'R1.X'"),
        (
            "{demo} --published R1=44",
            2,
            "3 systems in the input (lead, extract, random); name the published",
        ),
        ("{demo} --published R1=44 --system laed", 2, "no system 'laed' in the input; did you mean lead"),
        (
            "{demo} --published R1=44 --dialect gogle",
            2,
            "identify tries no set-ups of dialect 'gogle'; did you",
        ),
        ("{demo} --published R1=44 --dialect tilse", 2, "identify tries no set-ups of dialect 'tilse'"),
        ("{demo} --published SU4=44 --system lead --dialect google", 2, "dialect google has no ROUGE-SU4;"),
        ("{demo} --published nosuch.csv", 1, "nosuch.csv: cannot read the file of records: No such file"),
        ("{demo} --published {demo}", 2, "--published {demo}: neither METRIC=NUMBER nor a file of numbers"),
        (
            "{demo} --published {folder}/other.csv",
            1,
            "{folder}/other.csv:2: no system 'a' in the input; use one of lead",
        ),
        (
            "{demo} --published {folder}/evals.csv",
            1,
            "{folder}/evals.csv:2: no eval '9' of lead in the input; use one of 1, 2",
        ),
        ("{folder}/empty.jsonl --published R1=44", 1, "{folder}/empty.jsonl: no record in it"),
    ],
)
def test_errors_are_one_message(
    words: str, status: int, message: str, here: Program, tmp_path: Path
) -> None:
    """Each error is one clear message, nothing on stdout, and the documented status."""
    (tmp_path / "other.csv").write_text("system,metric,f\na,R1,0.5\n")
    (tmp_path / "evals.csv").write_text("eval,system,metric,f\n9,lead,R1,0.5\n")
    (tmp_path / "empty.jsonl").write_text("")
    outcome = here("identify", *words.format(demo=DEMO, folder=tmp_path).split(), cwd=ROOT)

    assert (status, b"") == (outcome.status, outcome.stdout)
    assert outcome.stderr.startswith(f"rouge-cli: {message.format(demo=DEMO, folder=tmp_path)}")
    assert outcome.stderr.count("\n") == 1
