"""`rouge-cli correlate`: saved scores and human scores to correlations."""

import csv
import json
import random
from functools import partial
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.conftest import Program

SYSTEMS, EVALS = ["s1", "s2", "s3", "s4", "human A"], ["D1", "D2", "D3"]
CHANCE = random.Random(4)
ONE = np.array([[CHANCE.random() for _ in EVALS] for _ in SYSTEMS])
OTHER = np.array([[CHANCE.random() for _ in EVALS] for _ in SYSTEMS])
HUMAN = ONE + np.array([[CHANCE.random() for _ in EVALS] for _ in SYSTEMS])


@pytest.fixture
def correlate(here: Program, tmp_path: Path) -> Program:
    """Run the command in the folder of scores and human scores."""
    cells = [
        (row, system, place, eval_id)
        for row, system in enumerate(SYSTEMS)
        for place, eval_id in enumerate(EVALS)
    ]
    scores = [f"{e},{s},{name},{values[row, place]}\n" for name, values in (("R1", ONE), ("R2", OTHER))
              for row, s, place, e in cells]  # fmt: skip
    (tmp_path / "s.csv").write_text("eval,system,metric,f\n" + "".join(scores))
    (tmp_path / "h.csv").write_text(
        "eval,system,content\n" + "".join(f"{e},{s},{HUMAN[row, place]}\n" for row, s, place, e in cells)
    )
    (tmp_path / "aesop").write_text(
        "".join(f"{e} {s.removeprefix('human ')} {HUMAN[row, place]}\n" for row, s, place, e in cells)
    )

    return partial(here, "correlate")


def test_the_numbers(correlate: Program) -> None:
    """JSON and csv hold scipy's correlations, with people and without; JSON has Williams' test, too."""
    outcome = correlate("s.csv", "h.csv", "--format", "json", "--samples", "50")
    document = json.loads(outcome.stdout)
    rows = list(
        csv.DictReader(
            StringIO(correlate("s.csv", "h.csv", "--format", "csv", "--samples", "50").stdout.decode())
        )
    )

    assert (0, "") == (outcome.status, outcome.stderr)
    assert 2 * 2 * 3 * 3 == len(document["correlations"]) == len(rows)
    for record, row in zip(document["correlations"], rows, strict=True):
        assert record["value"] == float(row["value"])
        if (record["metric"], record["level"]) == ("R1 F", "system"):
            size = 5 if record["summarizers"] == "all" else 4
            function = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
            x, y = ONE[:size].mean(axis=1), HUMAN[:size].mean(axis=1)
            assert pytest.approx(function[record["coefficient"]](x, y).statistic) == record["value"]
            assert record["low"] <= record["high"]
    assert [("all", 5), ("systems", 4)] == [
        (test["summarizers"], test["systems"]) for test in document["williams"]
    ]


def test_aesop_tables(correlate: Program) -> None:
    """An AESOP table, with reference IDs for people, gives the correlations of the csv."""
    options = ("--format", "json", "--samples", "0")
    csv_scores, aesop_scores = (
        json.loads(correlate("s.csv", name, *options).stdout) for name in ("h.csv", "aesop")
    )

    for left, right in zip(csv_scores["correlations"], aesop_scores["correlations"], strict=True):
        assert ("content", "score") == (left.pop("human"), right.pop("human"))
        assert left == right
