"""The examples of docs/how-to/significance.md."""

import json
import random
import re
import runpy
from pathlib import Path

import pytest

from tests.conftest import ROOT, Program

PAGE = (ROOT / "docs" / "how-to" / "significance.md").read_text("utf-8")


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The page's Python runs unchanged, and warns of three evals."""
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(block, "significance.md", "exec"), {})  # noqa: S102 - the project's own document

    output = capsys.readouterr().out
    assert "only 3 evals" in output
    assert output.endswith("0.5\n")


def test_the_pages_table_is_the_benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's rates for 44 evals are those of the benchmark, and of equal systems 3% to 7%."""
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "bench"))
    rates = runpy.run_path(str(ROOT / "tests" / "bench" / "significance.py"))["rates"]
    (row,) = re.findall(r"^\| 44 \| (.*) \|$", PAGE, re.MULTILINE)
    shown = [float(rate) for rate in row.split(" | ")]

    assert pytest.approx([*rates(44, 0), *rates(44, 0.02)], abs=0.01) == shown
    assert all(0.03 <= rate <= 0.07 for rate in shown[:2])


def test_every_field_is_explained(here: Program, tmp_path: Path) -> None:
    """The page names every field of the records in JSON."""
    chance = random.Random(1)
    rows = [f"{e},s{s},{m},{chance.random()}\n" for e in range(5) for s in range(4) for m in ("M", "N")]
    (tmp_path / "s.csv").write_text("eval,system,metric,f\n" + "".join(rows))
    (tmp_path / "h").write_text("".join(f"s{s} {s * s}\n" for s in range(4)))
    compared = json.loads(here("compare", "s.csv", "--format", "json").stdout)
    correlated = json.loads(here("correlate", "s.csv", "h", "--format", "json").stdout)
    records = [
        *compared["systems"], *compared["pairs"], *correlated["correlations"], *correlated["williams"],
    ]  # fmt: skip
    fields = {name.removesuffix("_corrected") for record in records for name in record}

    assert set() == {name for name in fields if f"`{name}`" not in PAGE}
    assert {"rouge-cli comparison 1", "rouge-cli correlation 2"} == {
        compared["schema"],
        correlated["schema"],
    }
