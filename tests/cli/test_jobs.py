"""All cores, parts and machines: the same report to the last byte, and clear errors."""

import json
from itertools import chain, groupby
from pathlib import Path

import pytest
from everyday import THOROUGH

from tests.conftest import DROP_IN, ROUGE_CLI, Program

WORDS = [
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
    "h",
    "i",
    "j",
    "running",
    "cats",
    "agreed",
    "the",
    "of",
    "to",
]
JOBS = "1320" if THOROUGH else "13"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Write records of two systems, one without tokens and one missing in places;
    and settings.
    """
    with (tmp_path / "all.jsonl").open("w") as file:
        for number in range(53):
            words = [WORDS[number * step % len(WORDS)] for step in range(1, 12)]
            record = {
                "id": f"e{number}",
                "references": [" ".join(words), " ".join(words[3:] + words[:2])],
            }
            for system in ("x", "y"):
                text = (
                    "…"
                    if number == 7
                    else " ".join(sorted(words, key=lambda word: (system + word)[::-1]))
                )
                if system == "x" or number % 5:
                    file.write(
                        json.dumps(record | {"system": system, "prediction": text})
                        + "\n"
                    )
    evals = []
    for number in range(17):
        for name in ("p", "q", "m"):
            text = " ".join(
                WORDS[(number + ord(name)) * step % len(WORDS)] for step in range(9)
            )
            (tmp_path / f"{name}{number}").write_text(text + "\n")
        predictions = f'<P ID="2">p{number}</P>' + (
            f'<P ID="10">q{number}</P>' if number % 4 else ""
        )
        evals.append(
            f'<EVAL ID="{number}"><INPUT-FORMAT TYPE="SPL"/><PEER-ROOT>.</PEER-ROOT>'
            f"<MODEL-ROOT>.</MODEL-ROOT><PEERS>{predictions}</PEERS><MODELS>"
            f'<M ID="A">m{number}</M><M ID="B">m{(number + 1) % 17}</M></MODELS></EVAL>'
        )
    (tmp_path / "s.xml").write_text(f"<ROUGE-EVAL>{''.join(evals)}</ROUGE-EVAL>")
    return tmp_path


OPTIONS = (
    "-m R1,R2,RL,RW-1.2,RSU4 --stem", "--jackknife --formula best --per-eval --format csv",
    "--average micro --samples 50 --format json", "--dialect google --samples 20 --format tsv",
)  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("source", ["all.jsonl", "s.xml"])
def test_jobs_change_nothing(
    options: str, source: str, corpus: Path, program: Program
) -> None:
    """For any number of processes, output and notices are the same to the last byte."""
    serial, *others = (
        program(ROUGE_CLI, "score", source, *options.split(), "-j", jobs, cwd=corpus)
        for jobs in JOBS
    )

    assert serial.status == 0
    assert serial.stdout
    assert [serial] * len(others) == others


@pytest.mark.parametrize(
    "options", ["-n 2 -m -a", "-a -d -t 1 -w 1.2", "-n 1 -f B 2", "-n 1 -x -t 2 -a"]
)
def test_the_drop_ins_jobs_change_nothing(
    options: str, corpus: Path, program: Program
) -> None:
    """With ROUGE_CLI_JOBS the drop-in prints the same bytes."""
    words = options.split()
    place = len(words) - (words[-1] == "2")
    words.insert(place, "s.xml")
    serial, *others = (
        program(DROP_IN, *words, cwd=corpus, environment={"ROUGE_CLI_JOBS": jobs})
        for jobs in JOBS
    )

    assert serial.status == 0
    assert serial.stdout
    assert [serial] * len(others) == others


@pytest.mark.parametrize("options", OPTIONS)
def test_parts_add_up(options: str, corpus: Path, program: Program) -> None:
    """Parts that are scored separately and merged give the report of one run, to the
    last byte.
    """
    lines = (corpus / "all.jsonl").read_text().splitlines(keepends=True)
    words = options.split()
    shown = [
        word
        for word in words
        if word in ("--per-eval", "--format", "csv", "json", "tsv")
    ]
    remaining = [word for word in words if word not in shown]
    by_eval = [
        list(group) for _, group in groupby(lines, lambda line: json.loads(line)["id"])
    ]
    for name, evals in (
        ("1", by_eval[:20]),
        ("2", by_eval[20:21]),
        ("3", by_eval[21:]),
    ):
        part = chain.from_iterable(evals)
        (corpus / f"{name}.jsonl").write_text("".join(part))
        counted = program(
            ROUGE_CLI,
            "score",
            f"{name}.jsonl",
            *remaining,
            "--counts",
            "-o",
            f"{name}.part",
            cwd=corpus,
        )
        assert (0, b"") == counted[:2]
    whole = program(ROUGE_CLI, "score", "all.jsonl", *words, "--quiet", cwd=corpus)
    merged = program(
        ROUGE_CLI, "merge", *(f"{n}.part" for n in "123"), *shown, "--quiet", cwd=corpus
    )

    assert 0 == whole.status == merged.status
    assert whole.stdout == merged.stdout
