"""`rouge-cli compare`: from texts or saved scores to p-values."""

import csv
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.conftest import Program

EVALS, SYSTEMS = 9, {"good": 0.75, "fair": 0.5, "poor": 0.25}


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Write records of three systems in nine evals, each with two references."""
    chance = random.Random(1)
    lines = []
    for eval_id in range(1, EVALS + 1):
        words = [f"w{eval_id}x{place}" for place in range(30)]
        references = [" ".join(chance.sample(words, 20)) for _ in range(2)]
        for system, share in SYSTEMS.items():
            prediction = [word if chance.random() < share else "other" for word in words]
            record = {"id": str(eval_id), "system": system, "prediction": " ".join(prediction)}
            lines.append(json.dumps({**record, "references": references}) + "\n")
    (tmp_path / "texts.jsonl").write_text("".join(lines))
    return tmp_path


@pytest.fixture
def compare(here: Program) -> Program:
    """Run the command in the folder of the texts."""
    return partial(here, "compare")


def save(here: Program, folder: Path, name: str, *options: str) -> None:
    """Save the scores of the texts in that file."""
    outcome = here("score", "texts.jsonl", "-m", "R1,R2", "--per-eval", "-o", name, *options, cwd=folder)
    assert 0 == outcome.status


def table(rows: Sequence[Sequence[object]]) -> str:
    """Return a table of saved scores."""
    return "".join(",".join(map(str, row)) + "\n" for row in (("eval", "system", "metric", "f"), *rows))


def test_texts_and_saved_scores_are_the_same(texts: Path, compare: Program, here: Program) -> None:
    """Inputs of `score` and its saved scores, in any format, give the same comparison."""
    words = ("-m", "R1,R2", "--format", "json", "--trials", "600", "--quiet")
    outcome = compare("texts.jsonl", *words)
    direct = json.loads(outcome.stdout)
    assert (0, "") == (outcome.status, outcome.stderr)
    for name in ("s.json", "s.jsonl", "s.csv", "s.tsv"):
        save(here, texts, name)
        saved = compare(name, "--format", "json", "--trials", "600", "--quiet")
        assert (0, "") == (saved.status, saved.stderr)
        assert direct == json.loads(saved.stdout)


def test_the_numbers(texts: Path, compare: Program, here: Program) -> None:
    """Differences and exact p are scipy's on the saved scores, intervals those of a loop over the draws."""
    save(here, texts, "s.csv", "--samples", "0")
    scores: dict[str, list[float]] = {}
    for row in csv.DictReader(StringIO((texts / "s.csv").read_text())):
        if row["metric"] == "ROUGE-2":
            scores.setdefault(row["system"], []).append(float(row["recall"]))
    printed = compare("s.csv", "-m", "ROUGE-2.R", "--baseline", "fair", "--format", "csv", "--seed", "5")
    rows = list(csv.DictReader(StringIO(printed.stdout.decode())))

    assert ["good", "poor"] == [row["system"] for row in rows]
    for row in rows:
        pair = np.array(scores[row["system"]]), np.array(scores["fair"])
        exact = stats.permutation_test(pair, lambda x, y: np.mean(x - y), permutation_type="samples")
        differences = pair[0] - pair[1]
        drawn = differences[np.random.default_rng(5).integers(0, 9, (10_000, 9))]
        errors = np.abs(drawn.mean(axis=1) - differences.mean()) / np.maximum(drawn.std(axis=1), 1e-12)
        half = np.sort(errors)[-500] * differences.std()
        assert ("ROUGE-2 R", "fair", "9", "True") == (
            row["metric"], row["other"], row["evals"], row["exact"],
        )  # fmt: skip
        assert pytest.approx(exact.pvalue) == float(row["randomization"])
        assert pytest.approx(differences.mean()) == float(row["difference"])
        ends = [differences.mean() - half, differences.mean() + half]
        assert pytest.approx(ends) == [float(row["low"]), float(row["high"])]


@pytest.mark.parametrize("name", ["latex", "markdown"])
def test_the_table_of_a_paper(name: str, compare: Program, texts: Path) -> None:
    """The table for a paper is selected by name or suffix, in percents or not, under the new names."""
    words = ("texts.jsonl", "-m", "R1,R2", "--baseline", "fair", "--rename", "good=our_s", "--quiet")
    outcome = compare(*words, "--format", name)
    plain = compare(*words, "--format", name, "--scale", "1", "--ranks", "--intervals").stdout.decode()
    compare(*words, "-o", "x.tex" if name == "latex" else "x.md")
    written = (texts / ("x.tex" if name == "latex" else "x.md")).read_bytes()
    rows = [row for row in outcome.stdout.decode().splitlines() if re.match(r"\W*(fair|our|poor)\b", row)]
    shown = [re.findall(r"\d+\.\d+", row.replace("4.6pt", "")) for row in rows]

    assert (0, "", written) == (outcome.status, outcome.stderr, outcome.stdout)
    assert [2, 2, 2] == [len(row) for row in shown]
    assert all(re.fullmatch(r"\d\d?\.\d\d", value) for row in shown for value in row)
    assert "our\\_s" in rows[1]
    assert re.search(r"2 (&|\|) fair", plain)
    assert re.search(r"\[0\.\d{4}, 0\.\d{4}\]", plain)


def test_jackknifing(texts: Path, compare: Program, here: Program) -> None:
    """With jackknifing, by option or saved so, people are ranked among the systems, and marked as such."""
    save(here, texts, "s.json", "--jackknife")
    direct = compare("texts.jsonl", "--jackknife", "-m", "R1,R2", "--format", "json").stdout
    comparison = json.loads(direct)
    people = {system["system"] for system in comparison["systems"] if system["human"]}

    assert {"human 1", "human 2"} == people
    assert 10 * 2 == len(comparison["pairs"])
    assert comparison == json.loads(compare("s.json", "--format", "json").stdout)


def test_jackknifed_settings(compare: Program, here: Program, root: Path, tmp_path: Path) -> None:
    """Jackknifed settings give one score per topic, equal to that of --jackknife."""
    plain = str(root / "fixtures/demo/settings.xml")
    (tmp_path / "fixtures").symlink_to(root / "fixtures")
    folder = "fixtures/demo"
    made = here(
        "settings", "--peers", f"{folder}/systems", "--models", f"{folder}/models", "-o", "j.xml",
        "--jackknife", "--pred-pattern", r"extract\.(\d+)\.txt", "--ref-pattern", r"#ID#\.([A-Z])\.txt",
    )  # fmt: skip
    assert 0 == made.status
    options = ("-m", "ROUGE-1", "--format", "json", "--samples", "0")
    comparison = json.loads(compare("j.xml", *options).stdout)
    expected = json.loads(compare(plain, "--jackknife", "--system", "extract", *options).stdout)
    means = {system["system"]: system["mean"] for system in expected["systems"]}

    assert {"A", "B"} == {system["system"] for system in comparison["systems"] if system["human"]}
    for system in comparison["systems"]:
        name = f"human {system['system']}" if system["human"] else "extract"
        assert (pytest.approx(means[name], abs=1e-5), 3) == (system["mean"], system["evals"])


def test_progress_is_shown_on_a_terminal(tmp_path: Path) -> None:
    """On a terminal's stderr, `compare` shows the progress of its tests, and erases it at the end."""
    import pty

    systems = {name: [(number * factor % 101) / 101 for number in range(400)] for name, factor in
               (("x", 7), ("y", 11), ("z", 13))}  # fmt: skip
    rows = [f"{n},{s},R1,{f}\n" for s, values in systems.items() for n, f in enumerate(values)]
    (tmp_path / "s.csv").write_text("eval,system,metric,f\n" + "".join(rows))
    script = (
        "import sys\nfrom rouge_cli.cli import main, scoring\nscoring.SECONDS_WITHOUT_PROGRESS = 0\n"
        "sys.argv = ['rouge-cli', 'compare', 's.csv', '--trials', '60000']\nmain.main()"
    )
    ours, theirs = pty.openpty()
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, check=True
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 16)

    assert b"\r1 steps of tests, " in shown
    assert shown.endswith(b"\r\x1b[K")
    assert b"steps" not in ended.stdout
