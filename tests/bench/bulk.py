#!/usr/bin/env python3
"""Measure runs of many pairs: against rouge-score-rs, with one and two workers, and
in process.
"""

import json
import os
import tempfile
import time
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from measure import (
    PYTHON,
    ROUGE_CLI,
    alone,
    apart,
    cells,
    in_turn,
    measure,
    rate,
    rounds,
    section,
    times_faster,
)

PAIRS, MORE, MOST = 11_490, 100_000, 200_000
BESIDE = """
Pairs of texts of two to four sentences in jsonl, scored by scripts of ten lines that call rouge-score-rs
and rouge-rust (which has no rougeLsum) pair by pair, and by `rouge-cli score --dialect google`. Whole
processes: medians of {} rounds. "Times faster" is the median of the ratios within a round.
"""
SCRIPT = """
import json, sys
{}
totals, pairs = [0.0] * len(TYPES), 0
for line in open(sys.argv[1]):
    record = json.loads(line)
    scores = score(record["reference"], record["prediction"])
    totals = [total + scores[name].fmeasure for total, name in zip(totals, TYPES)]
    pairs += 1
print([total / pairs for total in totals])
"""
SCORERS = {
    "rouge-score-rs": (
        """from rouge_score_rs import RougeScorer
TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
score = RougeScorer(TYPES, use_stemmer=False).score"""
    ),
    "rouge-rust": (
        """from fast_rouge import score
TYPES = ["rouge1", "rouge2", "rougeL"]"""
    ),
}
WORKERS = f"""
`rouge-cli score` of {MOST:,} such pairs with one and with two workers. Whole processes: medians of {{}}
rounds.
"""
KINDS = f"""
`rouge-cli score --dialect google` of {MORE:,} such pairs, each text on one line, in other kinds of input.
Whole processes: medians of {{}} rounds.
"""
WAYS = f"""
{PAIRS:,} such pairs in memory, on one core: the time of each call divided by that of
`RougeScorer.score_batch` with four types. Medians of {{}} rounds.
"""


def write(path: Path, count: int) -> None:
    """Write jsonl of pairs in another process, so that this one stays small."""
    apart(f"write_records(Path({str(path)!r}), {count})")


def beside(count: int) -> Iterator[list[str]]:
    """Yield a row for each number of pairs."""
    with tempfile.TemporaryDirectory() as folder:
        for name, scorer in SCORERS.items():
            Path(folder, name).write_text(SCRIPT.format(scorer))
        for pairs in (PAIRS, MORE):
            records = Path(folder, f"{pairs}.jsonl")
            write(records, pairs)
            runs = {
                name: partial(measure, [PYTHON, str(Path(folder, name)), str(records)])
                for name in SCORERS
            }
            runs["ours"] = partial(
                measure, [ROUGE_CLI, "score", str(records), "--dialect", "google"]
            )
            results = in_turn(runs, count)
            *theirs, ours = ([run.seconds for run in runs] for runs in results.values())
            shown = [", ".join(cells(runs)) for runs in results.values()]
            shown.append(rate(records.stat().st_size / 1e6, results["ours"]))
            yield [
                f"{pairs:,}",
                *shown,
                *(times_faster(times, ours) for times in theirs),
            ]


def workers(count: int) -> Iterator[list[str]]:
    """Yield a row for each dialect."""
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder, "records.jsonl")
        write(records, MOST)
        for options in ("", "--samples 0", "--dialect google"):
            command = [ROUGE_CLI, "score", str(records), *options.split()]
            results = in_turn(
                {jobs: partial(measure, [*command, "-j", jobs]) for jobs in "12"}, count
            )
            times = [[run.seconds for run in results[jobs]] for jobs in "12"]
            shown = [", ".join(cells(runs)) for runs in results.values()]
            yield [f"`{options}`" if options else "none", *shown, times_faster(*times)]


def kinds(count: int) -> Iterator[list[str]]:
    """Yield a row for each kind of input."""
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder, "records.jsonl")
        write(records, MORE)
        apart(f"write_kinds(Path({str(records)!r}), Path({folder!r}))")
        inputs = {
            "jsonl, a list of references": f"{folder}/lists.jsonl",
            "csv": f"{folder}/table.csv",
            "`--pred` and `--ref`, a text per line": (
                f"--pred {folder}/hyp.txt --ref {folder}/ref.txt"
            ),
        }
        command = [ROUGE_CLI, "score", "--dialect", "google", "--quiet"]
        runs = {
            name: partial(measure, [*command, *words.split()])
            for name, words in inputs.items()
        }
        for name, results in in_turn(runs, count).items():
            yield [name, ", ".join(cells(results))]


def ways(path: str, count: int) -> list[list[str]]:
    """Return a row for each way to score all pairs in this process."""
    import rouge_cli
    from rouge_cli.dialects.google import RougeScorer, compute

    warnings.simplefilter("ignore")
    records = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    predictions, references = (
        [record[name] for record in records] for name in ("prediction", "reference")
    )
    texts = predictions, references
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    metrics = ["ROUGE-1", "ROUGE-2", "ROUGE-L"]
    calls: dict[str, Any] = {
        "RougeScorer.score_batch": (
            lambda: RougeScorer(types).score_batch(references, predictions)
        ),
        'rouge_cli.score(dialect="google")': lambda: rouge_cli.score(
            *texts, dialect="google"
        ),
        'rouge_cli.score_rows(dialect="google")': lambda: rouge_cli.score_rows(
            *texts, dialect="google"
        ),
        "rouge_cli.score(samples=0)": lambda: rouge_cli.score(
            *texts, metrics, samples=0
        ),
        "rouge_cli.score_rows()": lambda: rouge_cli.score_rows(*texts, metrics),
        "rouge_cli.score(), 1,000 samples": lambda: rouge_cli.score(*texts, metrics),
        "compute(), with its bootstrap": lambda: compute(*texts),
    }
    for call in calls.values():
        call()  # imports
    results = in_turn(
        {name: partial(_seconds, call) for name, call in calls.items()}, count
    )
    batch = results["RougeScorer.score_batch"]
    return [
        [f"`{name}`", times_faster(times, batch)] for name, times in results.items()
    ]


def _seconds(call: Any) -> float:  # noqa: ANN401 - any function
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def in_process(count: int) -> list[list[str]]:
    """Return the rows of `ways`, measured in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder, "records.jsonl")
        write(records, PAIRS)
        return alone("compiled", ways, str(records), count)


if __name__ == "__main__":
    number = rounds(5)
    command = "rouge-cli score RECORDS --dialect google"
    columns = (
        "pairs", *(f"script with {name}" for name in SCORERS), "rouge-cli", "rouge-cli, MB/s",
        *(f"times faster than {name}" for name in SCORERS),
    )  # fmt: skip
    without = (
        "stemming, resampling, several references, and batches or threads of the peers"
    )
    section(
        "Many pairs", BESIDE.format(number), command, without, columns, beside(number)
    )
    columns = ("input", "rouge-cli")
    without = "other dialects, compressed files, parquet, and other programs"
    command = "rouge-cli score INPUT --dialect google --quiet"
    section(
        "Many pairs: kinds of input",
        KINDS.format(number),
        command,
        without,
        columns,
        kinds(number),
    )
    if len(os.sched_getaffinity(0)) > 1:
        columns = ("options", "`-j 1`", "`-j 2`", "times faster")
        few = min(number, 3)
        command = "rouge-cli score RECORDS OPTIONS -j JOBS"
        without = "more than two workers, other inputs, and other programs"
        section(
            "Many pairs: workers",
            WORKERS.format(few),
            command,
            without,
            columns,
            workers(few),
        )
    columns = ("call", "time relative to score_batch")
    command = "RougeScorer(types).score_batch(references, predictions)"
    without = "imports, reading of files, stemming, and calls for single pairs"
    section(
        "Many pairs: in process",
        WAYS.format(number),
        command,
        without,
        columns,
        in_process(number),
    )
