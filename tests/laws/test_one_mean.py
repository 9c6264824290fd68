"""Law of averages: whatever shows a system's average shows the same, and differences
are theirs.

For every registered dialect, command and format.
"""

import csv
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from everyday import sampled

import rouge_cli
from rouge_cli import dialects, plugins
from rouge_cli.api import DialectName
from rouge_cli.core import Counts, ignore_notice
from rouge_cli.errors import UsageError
from rouge_cli.scoring.formula import BEST, SUM
from tests.conftest import Program

SYSTEMS = {"good": 0.8, "fair": 0.55, "poor": 0.3}
DIALECTS = plugins.names(dialects.__name__)
DRAWING = [name for name in DIALECTS if "seed" in dialects.named(name).defaults]
# Dialect, and options of both `score` and `compare`.
RUNS = [(name, "") for name in DIALECTS]
RUNS += [(name, "--samples 30 --seed 3") for name in DRAWING]
RUNS += [
    ("rouge155", "--samples 0"),
    ("rouge155", "--jackknife"),
    ("google", "--jackknife --samples 300"),
]
Averages = dict[tuple[str, str], tuple[float, float, float]]


def record(
    dialect: str, eval_id: str, system: str, prediction: str, references: list[str]
) -> str:
    """Return a line of jsonl; days in the texts if the dialect scores timelines."""
    dated = (
        (lambda text: f"2010-05-0{1 + len(text) % 3}\n{text}")
        if dialect == "tilse"
        else str
    )
    sides = {
        "prediction": dated(prediction),
        "references": list(map(dated, references)),
    }
    return json.dumps({"id": eval_id, "system": system, **sides}) + "\n"


@pytest.fixture(params=sampled([(run,) for run in RUNS], 3), ids=" ".join)
def words(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """Write texts, of which lengths differ much; return the options that read and
    score them.
    """
    dialect, options = request.param
    chance = random.Random(7)
    lines = []
    for place in range(14):
        words = [
            f"w{chance.randrange(9)}{end}"
            for end in ("", "ed")
            for _ in range(chance.randint(2, 12))
        ]
        references = [
            " ".join(words),
            " ".join(chance.sample(words, len(words) // 2 + 1)),
        ]
        for system, share in SYSTEMS.items():
            # Precise or complete by turns, so that the F of mean R and mean P is far
            # from the mean F.
            words_kept = [word for word in words if chance.random() < share]
            words_kept = (
                [*words_kept, *["other"] * 150] if place % 2 else words_kept[:2]
            )
            lines.append(
                record(
                    dialect,
                    f"e{place}",
                    system,
                    " ".join([*words_kept, "end"]),
                    references,
                )
            )
    (tmp_path / "t.jsonl").write_text("".join(lines))
    return ["--dialect", dialect, *options.split()]


@pytest.fixture
def run(here: Program, tmp_path: Path) -> Callable[..., str]:
    """Run a command in the folder of the texts; it must succeed."""

    def run(*arguments: str) -> str:
        outcome = here(*arguments, "--quiet", cwd=tmp_path)
        assert 0 == outcome.status, outcome.stderr
        return outcome.stdout.decode()

    return run


def averages_of(report: dict[str, Any]) -> Averages:
    """Return the averages in a JSON report: recall, precision and F."""
    return {
        (row["system"], row["metric"]): tuple(
            row[name]["value"] for name in ("recall", "precision", "f")
        )
        for row in report["results"]
    }


def check_comparison(
    averages: Averages, compared: dict[str, Any], letter: str = "F"
) -> None:
    """Check that a comparison has these averages, and their differences; all to the
    last digit.
    """
    place = "RPF".index(letter)
    names = sorted({row["system"] for row in compared["systems"]})
    means = {(row["system"], row["metric"]): row["mean"] for row in compared["systems"]}
    assert {
        (name, f"{label} {letter}"): row[place]
        for (name, label), row in averages.items()
    } == means
    for row in compared["systems"]:
        # Scores that are nearly all equal have no interval.
        assert (
            row["low"] is None
            or row["low"] - 1e-12 <= row["mean"] <= row["high"] + 1e-12
        )
        others = [means[name, row["metric"]] for name in names]
        assert 1 + sum(other > row["mean"] for other in others) == row["rank"]
    assert compared["pairs"]
    for pair in compared["pairs"]:
        first, second = (
            means[pair[name], pair["metric"]] for name in ("system", "other")
        )
        humans = [
            name
            for name in (pair["system"], pair["other"])
            if name.startswith("human ")
        ]
        if pair["evals"] == 14 and not humans:
            assert first - second == pair["difference"]
            low, high = pair["low"], pair["high"]
            assert low is None or low - 1e-12 <= pair["difference"] <= high + 1e-12


def test_every_command_shows_the_same_averages(
    words: list[str], run: Callable[..., str]
) -> None:
    """Averages and their differences are the same in `score`, `merge` and `compare`,
    of texts or saved.
    """
    score, compare = (
        partial(run, "score", "t.jsonl", *words),
        partial(run, "compare", "--trials", "99"),
    )
    averages = averages_of(json.loads(score("--format", "json")))
    table = csv.DictReader(score("--format", "csv").splitlines())
    assert averages == {
        (row["system"], row["metric"]): tuple(
            float(row[name]) for name in ("recall", "precision", "f")
        )
        for row in table
    }
    score("--counts", "-o", "t.part")
    assert averages == averages_of(
        json.loads(run("merge", "t.part", "--format", "json"))
    )

    direct = compare("t.jsonl", *words, "--format", "json")
    check_comparison(averages, json.loads(direct))
    recalls = compare("t.jsonl", *words, "--format", "json", "--measure", "recall")
    check_comparison(averages, json.loads(recalls), "R")
    for name in (
        "s.json",
        *(() if "--samples" in words else ("s.jsonl", "s.csv", "s.tsv")),
    ):
        score("--per-eval", "-o", name)
        saved = json.loads(compare(name, "--format", "json"))
        check_comparison(averages, saved)
        assert json.loads(direct)["signature"] == saved["signature"]


def test_every_table_shows_the_same_digits(
    words: list[str], run: Callable[..., str]
) -> None:
    """Tables of `score` and `compare` print the same averages, also those for papers
    by default.
    """
    for name in ("text", "latex", "markdown"):
        shown = [
            cells(run(*command, "t.jsonl", *words, "--format", name), name)
            for command in (("score",), ("compare", "--trials", "99"))
        ]
        assert shown[0] == shown[1]
        assert len(SYSTEMS) <= len(shown[0])


def cells(text: str, name: str) -> dict[str, list[str]]:
    """Return the averages in a table of `score`, or in the rankings of `compare`, by
    system.
    """
    rows: dict[str, list[str]] = {}
    separator = {"text": r"\s{2,}", "latex": "&", "markdown": r"(?<!\\)\|"}[name]
    for line in text.splitlines():
        parts = [part.strip() for part in re.split(separator, line) if part.strip()]
        system = next(
            (
                part
                for part in parts[:2]
                if part in SYSTEMS or part.startswith("human ")
            ),
            None,
        )
        if system is None or (name == "text" and not parts[0].isdigit()):  # a pair
            continue
        after = line[line.index(system) + len(system) :]
        after = re.sub(r"\[.*?\]|<sup>.*?</sup>|makebox\[.*?\]", "", after)
        rows.setdefault(system, []).extend(re.findall(r"\d+\.\d+", after))
    return rows


def test_a_page_shows_the_same_averages(
    words: list[str], run: Callable[..., str], tmp_path: Path
) -> None:
    """A page's ranking, tables to copy and comparisons have the averages of `score`."""
    averages = averages_of(
        json.loads(run("score", "t.jsonl", *words, "--format", "json"))
    )
    run("report", "t.jsonl", *words, "-o", "t.html", "--trials", "99", "--evals", "0")
    page = (tmp_path / "t.html").read_text()
    data = json.loads(re.findall(r'id="data">(.*?)</script>', page, re.DOTALL)[0])

    assert averages == averages_of({"results": data["averages"]})
    for letter in "RPF":
        check_comparison(averages, data["comparisons"][letter], letter)
    best, second = (data["systems"][place] for place in data["best"])
    letter = "RPF"[data["first"][1]]
    label = data["labels"][data["first"][0]]
    ranked = sorted(
        (row["RPF".index(letter)] for key, row in averages.items() if key[1] == label)
    )
    assert ranked[-2:] == [
        averages[name, label]["RPF".index(letter)] for name in (second, best)
    ]
    assert f"{ranked[-1]:.5f}" in page


def test_python_shows_the_same_averages(words: list[str], tmp_path: Path) -> None:
    """`rouge_cli.compare` of texts, of the result of `score` and of its file has the
    result's averages.
    """
    predictions: dict[str, list[str]] = {name: [] for name in SYSTEMS}
    references: dict[str, list[str]] = {}
    for line in (tmp_path / "t.jsonl").read_text().splitlines():
        row = json.loads(line)
        predictions[row["system"]].append(row["prediction"])
        references[row["id"]] = row["references"]
    values = (
        dict(zip(words[2::2], words[3::2], strict=False))
        if "--jackknife" not in words
        else {}
    )
    options: dict[str, Any] = {name[2:]: int(value) for name, value in values.items()}
    if "--jackknife" in words:
        options = {"jackknife": True}
    if words[1] == "tilse":
        options["read_as"] = "timeline"
    texts = predictions, list(references.values())
    report = rouge_cli.score(
        *texts, dialect=DialectName(words[1]), notify=ignore_notice, **options
    )
    averages = averages_of(json.loads(report.to_json()))
    (tmp_path / "r.json").write_text(report.to_json(per_eval=True))
    for scores in (report, tmp_path / "r.json"):
        compared = rouge_cli.compare(scores, trials=99, notify=ignore_notice)
        check_comparison(averages, json.loads(compared.to_json()))
    compared = rouge_cli.compare(
        *texts,
        dialect=DialectName(words[1]),
        trials=99,
        notify=ignore_notice,
        **options,
    )
    check_comparison(averages, json.loads(compared.to_json()))


@pytest.mark.parametrize("dialect", DRAWING)
def test_a_confidence_below_one_is_refused(
    dialect: str, here: Program, tmp_path: Path
) -> None:
    """A share in place of a percentage is refused with the remedy, by every command
    and function.
    """
    (tmp_path / "t.jsonl").write_text(record(dialect, "1", "a", "x y", ["x y"]))
    scored = ["t.jsonl", "--dialect", dialect, "--samples", "9", "--confidence", "0.95"]
    report = rouge_cli.score(
        {"a": ["x"], "b": ["y"]}, ["x"], dialect=DialectName(dialect), samples=9
    )
    wanted = "confidence is 0.95; give it in percent, as in 95"
    commands = [["score", *scored], ["report", *scored, "-o", "p.html"]]
    commands += [["compare", "t.jsonl", "--confidence", "0.95"]]
    commands += [["correlate", "t.jsonl", "t.jsonl", "--confidence", "0.95"]]
    for command in commands:
        outcome = here(*command, cwd=tmp_path)
        assert (2, "") == (outcome.status, outcome.stdout.decode())
        assert wanted in outcome.stderr
    calls: list[Callable[[], object]] = [
        lambda: rouge_cli.score(
            "x", "x", dialect=DialectName(dialect), samples=9, confidence=0.95
        ),
        lambda: rouge_cli.compare(report, confidence=0.95),
        lambda: rouge_cli.correlate(report, {"a": 1.0}, confidence=0.95),
        lambda: report.to_text(confidence=0.95),
    ]
    for call in calls:
        with pytest.raises(UsageError, match=wanted):
            call()


def test_papers_print_points_by_default() -> None:
    """Tables for papers have points with two decimals, from `score` as from
    `compare`; others have not.
    """
    report = rouge_cli.score(
        {"a": ["x y"] * 6, "b": ["x"] * 6},
        ["x y"] * 6,
        "R1",
        samples=0,
        notify=ignore_notice,
    )
    for result in (report, rouge_cli.compare(report, notify=ignore_notice)):
        assert "66.67" in result.to_latex()
        assert "66.67" in result.to_markdown()
        assert "0.6667" in result.to_latex(scale=1)
        assert "0.66667" in result.to_text()
    assert "0.66667" in report.to_latex(per_eval=True)


def test_the_classic_report_keeps_its_averages(here: Program, tmp_path: Path) -> None:
    """A comparison of the output of `ROUGE-1.5.5.pl -d` has the averages that it
    prints.
    """
    chance = random.Random(3)
    lines = [
        record(
            "rouge155",
            str(place),
            system,
            " ".join(chance.choices("abcd", k=9)),
            ["a b c d"],
        )
        for place in range(9)
        for system in SYSTEMS
    ]
    (tmp_path / "t.jsonl").write_text("".join(lines))
    classic = here(
        "score",
        "t.jsonl",
        "--format",
        "classic",
        "--per-eval",
        "-m",
        "R1",
        cwd=tmp_path,
    )
    (tmp_path / "t.out").write_bytes(classic.stdout)
    printed = re.findall(r"(\S+) ROUGE-1 Average_F: (\S+)", classic.stdout.decode())
    compared = json.loads(
        here("compare", "t.out", "--format", "json", cwd=tmp_path).stdout
    )
    assert {name: float(value) for name, value in printed} == {
        row["system"]: row["mean"] for row in compared["systems"]
    }


@pytest.mark.parametrize("dialect", DIALECTS)
def test_counts_have_the_score_of_their_eval(dialect: str) -> None:
    """A run makes the score of an eval of its counts, or says that they do not
    determine it; it always does so for one that adds counts.
    """
    program = dialects.named(dialect)
    options = program.canonical(dict(program.defaults))
    run = program.build(options, Counter(), ignore_notice)
    generator = random.Random(3)
    for label, (_, formula) in run.measures.items():
        for size in (1, 2, 3, 3, 3):
            pairs = []
            for _ in range(size):
                reference, prediction = generator.choices(range(1, 9), k=2)
                match = generator.randint(0, min(reference, prediction))
                pairs.append(Counts.of(reference, prediction, match))
            counts, score = formula.combine(pairs)
            assert run.score_of(label, counts) in (
                (score,) if formula.several in {SUM, BEST} else (None, score)
            )
