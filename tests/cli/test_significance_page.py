"""The examples of docs/how-to/significance.md."""

import json
import random
import re
import runpy
from pathlib import Path

import pytest
from pages import python_blocks

from tests.conftest import ROOT, Program

PAGE = (ROOT / "docs" / "how-to" / "significance.md").read_text("utf-8")
BENCHMARKS = (ROOT / "docs" / "reference" / "benchmarks.md").read_text("utf-8")


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The page's Python runs unchanged, and warns of three evals."""
    section = PAGE.partition("\n## From Python\n")[
        2
    ]  # the other blocks run in tests/meta/test_pages.py
    block = python_blocks(section)[0]
    exec(compile(block, "significance.md", "exec"), {})  # noqa: S102 - the project's own document

    output = capsys.readouterr().out
    assert "only 3 evals" in output
    assert output.endswith("0.5\n")


def test_the_pages_table_is_the_benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both pages have the table of `make calibrate`, whose shares are 5%, or less
    with a warning.
    """
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "bench"))
    script = runpy.run_path(str(ROOT / "tests" / "bench" / "significance_rates.py"))
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", PAGE, re.MULTILINE)
    shares = {int(evals): shares.split(" | ") for evals, shares in rows}
    two_errors = 2 * (0.05 * 0.95 / script["PAIRS"]) ** 0.5

    assert script["SIZES"] == tuple(shares)
    for evals, by_test in shares.items():
        for place, share in enumerate(by_test):
            # REALSumm's differences are skewed, which ten evals do not hide: 0.055.
            excess = 0.002 if (evals, place) == (10, 3) else 0
            assert float(share.strip("*")) < 0.05 + two_errors + excess
            assert share.endswith("*") or place >= 4 or float(share) > 0.05 - two_errors
        assert f"| {evals} | {' | '.join(by_test)} |" in BENCHMARKS
    drawn = [script["rates"](name, 10, 400) for name in script["NAMES"][:3]]
    assert pytest.approx(
        [float(rate.strip("*")) for rate in shares[10][:3]], abs=0.03
    ) == [float(rate.strip("*")) for rate, _ in drawn]
    assert [rate.endswith("*") for rate, _ in drawn] == [False, False, True]


def test_every_field_is_explained(here: Program, tmp_path: Path) -> None:
    """The page names every field of the records in JSON."""
    chance = random.Random(1)
    rows = [
        f"{e},s{s},{m},{chance.random()}\n"
        for e in range(5)
        for s in range(4)
        for m in ("M", "N")
    ]
    (tmp_path / "s.csv").write_text("eval,system,metric,f\n" + "".join(rows))
    (tmp_path / "h").write_text("".join(f"s{s} {s * s}\n" for s in range(4)))
    compared = json.loads(here("compare", "s.csv", "--format", "json").stdout)
    correlated = json.loads(here("correlate", "s.csv", "h", "--format", "json").stdout)
    planned = json.loads(here("plan", "s.csv", "--format", "json").stdout)
    swept = json.loads(
        here("sweep", "s.csv", "--human", "h", "--format", "json").stdout
    )
    records = [
        *compared["systems"], *compared["pairs"], *correlated["correlations"], *correlated["williams"],
        *planned["metrics"], *planned["pairs"], *planned["stability"], *swept["variants"],
    ]  # fmt: skip
    fields = {name.removesuffix("_corrected") for record in records for name in record}

    assert set() == {name for name in fields if f"`{name}`" not in PAGE}
    for result in (compared, correlated, planned, swept):
        assert f"`{result['schema']}`" in PAGE
