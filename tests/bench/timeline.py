#!/usr/bin/env python3
"""Measure `rouge-cli timeline`: a pair of long timelines, and a data set as large as news-tls's Entities.

Whole processes, medians of some rounds, with either kernels. Beside them the cost of one comparison of two
days by ROUGE-1.5.5.pl, which the toolkit starts once for each pair of days, and how many pairs there are.

usage: tests/bench/timeline.py [ROUNDS]
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "compat" / "conformance"))

from measure import KERNELS, ROUGE_CLI, measure
from original import Missing, find
from workloads import Workload, texts, write

# What the toolkit asks of its ROUGE-1.5.5 script, for one pair of days.
DAY = Workload("day", 1, 1, 1, 2, 20, "-a -n 2 -x -f A -d -m -s -t 2")
TOPICS, DATES, LONG = 47, (12, 48), 150
START = date(2005, 1, 1)


def timelines(chance: random.Random, dates: int) -> tuple[str, str]:
    """Two timelines of one topic, as lines of jsonl: half of their dates are common."""
    days = chance.sample(range(dates * 4), dates + dates // 2)
    sides: tuple[list[object], list[object]] = ([], [])
    found = texts(chance, len(days), sentences=2, words=20)
    for place, (day, pair) in enumerate(zip(days, found, strict=True)):
        for side, sentences in enumerate(pair):
            if place < dates // 2 or place % 2 == side:
                sides[side].append([f"{START + timedelta(day)}T00:00:00", sentences])
    return json.dumps(sides[0]), json.dumps(sides[1])


def write_data(folder: Path) -> None:
    """A folder of topics and one of predictions, and a pair of long timelines."""
    chance = random.Random(3)
    (folder / "predictions").mkdir()
    for number in range(1, TOPICS + 1):
        ours, theirs = timelines(chance, chance.randint(*DATES))
        topic = folder / "data" / f"topic{number:02}"
        topic.mkdir(parents=True)
        (topic / "timelines.jsonl").write_text(theirs + "\n")
        (folder / "predictions" / f"{topic.name}.jsonl").write_text(ours + "\n")
    for name, line in zip(("ours", "theirs"), timelines(chance, LONG), strict=True):
        (folder / f"{name}.jsonl").write_text(line + "\n")


def pairs_of_days(report: Any) -> int:  # noqa: ANN401 - JSON
    """How many different pairs of days the metrics of a report compare, and one of all days joined."""
    records = report if isinstance(report, list) else [report]
    found = 0
    for record in records:
        if "alignments" in record:
            links = [
                (link["prediction"], link["reference"])
                for by_figure in record["alignments"].values()
                for figures in by_figure.values()
                for link in figures
                if link["prediction"] and link["reference"]
            ]
            found += len(set(links)) + 1
    return found


def main(arguments: list[str]) -> None:
    """Measure and print the rows of a table."""
    count = int(arguments[0]) if arguments else 5
    original = find()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        perl = 0.0
        if not isinstance(original, Missing):
            settings = str(write(DAY, folder / "day"))
            command = [*original.command, *DAY.options.split(), settings]
            perl = statistics.median(measure(command, folder / "out", "").seconds for _ in range(count * 4))
            print(f"one comparison by ROUGE-1.5.5.pl: {perl * 1000:.0f} ms")
        print("| data | preset | kernels | seconds | pairs of days | ROUGE-1.5.5.pl for these |")
        for what, words in (
            (f"two timelines, {LONG} dates each", ("-p", "ours.jsonl", "-r", "theirs.jsonl")),
            (f"{TOPICS} topics", ("-p", "predictions", "-r", "data")),
        ):
            paths = [word if word.startswith("-") else str(folder / word) for word in words]
            command = [ROUGE_CLI, "timeline", *paths, "--format", "json", "--quiet"]
            measure([*command, "--alignments"], folder / "out", "")
            pairs = pairs_of_days(json.loads((folder / "out").read_text("utf-8")))
            for preset in ("tilse", "paper"):
                for kernels in KERNELS:
                    runs = [
                        measure([*command, "--preset", preset], folder / "out", kernels).seconds
                        for _ in range(count)
                    ]
                    theirs = f"{pairs * perl:.0f} s" if perl else "not measured"
                    seconds = statistics.median(runs)
                    print(f"| {what} | {preset} | {kernels} | {seconds:.2f} | {pairs} | {theirs} |")


if __name__ == "__main__":
    main(sys.argv[1:])
