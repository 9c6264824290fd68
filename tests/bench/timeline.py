#!/usr/bin/env python3
"""Measure `rouge-cli timeline`: two long timelines, and a data set as large as
news-tls's Entities.
"""

import json
import random
import tempfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from measure import (
    KERNELS,
    ROUGE_CLI,
    by_kernels,
    cells,
    measure,
    rounds,
    section,
    summed_up,
)
from original import Missing, find
from workloads import Workload, texts, write

TEXT = """
`rouge-cli timeline`, all metrics with n = 1 and 2; there are as many topics as in news-tls's Entities.
Whole processes: medians of {} rounds. The toolkit starts ROUGE-1.5.5.pl for each pair of days that a
metric compares. The last column is an estimate: the number of different pairs times the time of one start.
"""
COLUMNS = ("data", "preset", *KERNELS, "pairs of days", "ROUGE-1.5.5.pl, estimated")
PRESETS = ("tilse", "paper")
# The options with which the toolkit calls its ROUGE-1.5.5 script, for one pair of days.
DAY = Workload("day", 1, 1, 1, 2, 20, "-a -n 2 -x -f A -d -m -s -t 2")
TOPICS, DATES, LONG = 47, (12, 48), 150
START = date(2005, 1, 1)


def timelines(chance: random.Random, dates: int) -> tuple[str, str]:
    """Return two timelines of one topic, as lines of jsonl, with half of their dates
    in common.
    """
    days = chance.sample(range(dates * 4), dates + dates // 2)
    sides: tuple[list[object], list[object]] = ([], [])
    drawn = texts(chance, len(days), sentences=2, words=20)
    for place, (day, pair) in enumerate(zip(days, drawn, strict=True)):
        for side, sentences in enumerate(pair):
            if place < dates // 2 or place % 2 == side:
                sides[side].append([f"{START + timedelta(day)}T00:00:00", sentences])
    return json.dumps(sides[0]), json.dumps(sides[1])


def write_data(folder: Path) -> None:
    """Write a folder of topics and one of predictions, and a pair of long timelines."""
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
    """Count the pairs of days that the metrics of a report compare, and one pair of
    all days joined.
    """
    records = report if isinstance(report, list) else [report]
    count = 0
    for record in records:
        if "alignments" in record:
            links = [
                (link["prediction"], link["reference"])
                for by_figure in record["alignments"].values()
                for figures in by_figure.values()
                for link in figures
                if link["prediction"] and link["reference"]
            ]
            count += len(set(links)) + 1
    return count


def rows(count: int) -> Iterator[list[str]]:
    """Yield a row for each data set and preset."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        perl = seconds_of_perl(folder, count * 4)
        for what, words in (
            (
                f"two timelines of {LONG} dates",
                ("-p", "ours.jsonl", "-r", "theirs.jsonl"),
            ),
            (
                f"{TOPICS} topics of {DATES[0]} to {DATES[1]} dates",
                ("-p", "predictions", "-r", "data"),
            ),
        ):
            paths = [
                word if word.startswith("-") else str(folder / word) for word in words
            ]
            command = [ROUGE_CLI, "timeline", *paths, "--format", "json", "--quiet"]
            measure([*command, "--alignments"], folder / "out")
            pairs = pairs_of_days(json.loads((folder / "out").read_text("utf-8")))
            theirs = f"{pairs * perl:.0f} s" if perl else "not measured"
            for preset in PRESETS:
                own = [*command, "--preset", preset]
                times = [cells(runs)[0] for runs in by_kernels(own, count).values()]
                yield [what, preset, *times, str(pairs), theirs]


def seconds_of_perl(folder: Path, count: int) -> float:
    """Return the time of ROUGE-1.5.5.pl for one pair of days; 0 if it cannot run."""
    original = find()
    if isinstance(original, Missing):
        return 0.0
    command = [*original.command, *DAY.options.split(), str(write(DAY, folder / "day"))]
    return summed_up([measure(command) for _ in range(count)])[0]


if __name__ == "__main__":
    number = rounds(3)
    command = "rouge-cli timeline -p PREDICTIONS -r DATA -m all --preset PRESET"
    without = (
        "the toolkit itself, whose time is an estimate, and files in its text format"
    )
    section("Timelines", TEXT.format(number), command, without, COLUMNS, rows(number))
