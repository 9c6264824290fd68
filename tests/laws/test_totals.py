"""Totals: the averages of a plain run, and intervals that do not depend on how a run was
divided.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from everyday import share

from rouge_cli import dialects, plugins
from rouge_cli.core import Counts, EvalResult, Score
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.totals import Drawing, Totals
from tests.conftest import Program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SETUPS = (
    "-m R1,RL,RW1.2",
    "-m R1,RSU4 --average micro",
    "-m R1,RW1.2 --average micro --samples 0",
    "-m R1,R2 --jackknife --samples 40",
    "--dialect google --samples 60 --seed 5",
    "--dialect rouge2 -m ROUGE-1 --samples 30",
    "--dialect pltrdy",
)
EVALS = 23


def records(chance: random.Random) -> list[dict[str, Any]]:
    """Return records of two systems, one of which lacks some evals."""
    words = ["a", "b", "c", "d", "e", "f", "g"]

    def text() -> str:
        return " ".join(chance.choices(words, k=chance.randrange(1, 9)))

    made = []
    for number in range(EVALS):
        references = [text() for _ in range(chance.randrange(1, 3))]
        for system in "xy":
            if system == "x" or chance.random() < 0.8:
                record = {"id": f"e{number}", "system": system, "prediction": text()}
                made.append({**record, "references": references})
    return made


def write(path: Path, some: Sequence[dict[str, Any]]) -> None:
    """Write records as jsonl."""
    path.write_text("".join(json.dumps(record) + "\n" for record in some))


def printed(here: Program, *words: str) -> dict[str, Any]:
    """Return the document that a command prints."""
    outcome = here(*words, "--quiet", "--format", "json")
    assert outcome.status == 0, outcome.stderr
    document: dict[str, Any] = json.loads(outcome.stdout)
    return document


@pytest.mark.parametrize("setup", SETUPS)
def test_any_division_has_the_totals_of_the_whole(
    setup: str, here: Program, tmp_path: Path
) -> None:
    """Totals of any division into parts, merged in any order, scored in one or two
    workers, print the report of the whole; its averages are those without samples.
    """
    chance = random.Random(setup)
    words = setup.split()
    every = records(chance)
    write(tmp_path / "all.jsonl", every)
    whole = printed(here, "score", "all.jsonl", *words, "--totals")
    assert whole == printed(here, "score", "all.jsonl", *words, "--totals", "-j", "2")

    for _ in range(share(20, 2)):
        homes = {f"e{number}": chance.randrange(3) for number in range(EVALS)}
        names = []
        for part in {*homes.values()}:
            some = [record for record in every if homes[record["id"]] == part]
            write(tmp_path / f"{part}.jsonl", some)
            names.append(f"{part}.part")
            kept = ("--totals", "--counts", "-o", names[-1])
            made = here("score", f"{part}.jsonl", *words, *kept, "--quiet")
            assert made.status == 0, made.stderr
        chance.shuffle(names)
        merged = printed(here, "merge", *names)
        by_name = {(row["system"], row["metric"]): row for row in whole["results"]}
        assert len(by_name) == len(merged["results"])
        for row in merged["results"]:
            assert by_name[row["system"], row["metric"]] == row
        assert whole["signature"] == merged["signature"]

    if "--samples" in words:
        at = words.index("--samples")
        del words[at : at + 2]
    if "--seed" in words:
        at = words.index("--seed")
        del words[at : at + 2]
    plain = printed(here, "score", "all.jsonl", *words, "--samples", "0")
    for row, expected in zip(whole["results"], plain["results"], strict=True):
        for measure in ("recall", "precision", "f"):
            assert row[measure]["value"] == expected[measure]["value"]


@pytest.mark.parametrize("dialect", plugins.names(dialects.__name__))
def test_totals_have_the_averages_of_each_dialect(
    dialect: str, here: Program, tmp_path: Path
) -> None:
    """Without samples, a run with totals prints what the run with evals prints, to the
    last digit, or the same error.
    """
    write(tmp_path / "run.jsonl", records(random.Random(dialect)))
    words = ("score", "run.jsonl", "--dialect", dialect, "--samples", "0", "--quiet")
    plain = here(*words, "--format", "json")
    totals = here(*words, "--format", "json", "--totals")

    assert (plain.status, plain.stdout) == (totals.status, totals.stdout)
    assert plain.stderr == totals.stderr


def totals_interval(values: Sequence[float], seed: int) -> tuple[float, float]:
    """Return the interval of totals of these scores."""
    totals = Totals(["m"], Drawing(400, seed))
    counts = Counts(1, 1, 1)
    for number, value in enumerate(values):
        name = f"e{number}"
        row = EvalResult(name, counts, Score(value, value, value))
        totals.append([name], {"m": row})
    means = [sums[2] / size for size, sums in totals.samples_of_metric(0) if size]
    estimate = bootstrap.estimate(means, len(means), 95.0)
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high


def dialect_interval(values: Sequence[float], seed: int) -> tuple[float, float]:
    """Return the interval of ROUGE-1.5.5's bootstrap."""
    (estimate,) = bootstrap.estimates_of_means([list(values)], 400, 95.0, seed)
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high


@pytest.mark.slow
@pytest.mark.parametrize("size", [20, 200])
@pytest.mark.parametrize("power", [1.0, 4.0])
def test_intervals_cover_as_often_as_the_dialects(size: int, power: float) -> None:
    """Over 1,000 simulated runs of even and of skewed scores, intervals of totals have
    the true mean as often as ROUGE-1.5.5's, within 2.5 points, and are as wide within 5
    per cent.
    """
    chance = random.Random(size)
    truth = 1 / (power + 1)
    covered = [0, 0]
    widths = [0.0, 0.0]
    trials = 1000
    for trial in range(1, trials + 1):
        values = [chance.random() ** power for _ in range(size)]
        for index, interval in enumerate((totals_interval, dialect_interval)):
            low, high = interval(values, trial)
            covered[index] += low <= truth <= high
            widths[index] += high - low

    assert abs(covered[0] - covered[1]) <= 0.025 * trials, covered
    assert 0.95 < widths[0] / widths[1] < 1.05
