"""Hostile input: no traceback, no terminal escape codes, no quadratic time."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import ROUGE_CLI, Program

DIGITS = ("9" * 400, "9" * 5000)
ESCAPE = "\x1b]0;owned\x07"


@pytest.fixture(scope="module")
def saved(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write two evals of names with escape codes, as their system's is, and all that
    is saved of them.
    """
    folder = tmp_path_factory.mktemp("saved")
    records = [
        {
            "id": f"{ESCAPE}{number}", "system": f"a{ESCAPE}", "prediction": text,
            "reference": "cats ran here",
        }
        for number, text in enumerate(("the cat's ran\x1b[2J", "…"))
    ]  # fmt: skip
    (folder / "run.jsonl").write_text(
        "".join(json.dumps(record) + "\n" for record in records)
    )
    score = partial(program, ROUGE_CLI, "score", "run.jsonl", cwd=folder)
    for form in ("json", "csv"):
        score("--samples", "0", "--per-eval", "--format", form, "-o", f"saved.{form}")
    score("--samples", "9", "--counts", "-o", "a.part")
    rows = f"{ESCAPE}1,a{ESCAPE},3\n{ESCAPE}1,a{ESCAPE},4\n"
    (folder / "human.csv").write_text(f"eval,system,s\n{rows}")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        *(
            f"score run.jsonl --samples 0 --format {name}"
            for name in ("text", "markdown", "latex", "json", "jsonl")
        ),
        "score run.jsonl --samples 0 --per-eval",
        "score run.jsonl --system typo",
        "audit run.jsonl --stem --threshold 0",
        "audit run.jsonl --stem --threshold 0 --format json",
        "audit run.jsonl --system typo",
        "compare run.jsonl",
        "identify run.jsonl --published R1=0.5",
        "identify run.jsonl --published R1=0.5 --dialect google --system typo",
        "explain run.jsonl --eval typo -m R1",
        "correlate saved.json run.jsonl",
        "correlate saved.json human.csv",
        "merge saved.json",
        "merge a.part",
    ],
)
def test_no_terminal_is_steered(command: str, saved: Path, program: Program) -> None:
    """Escape codes in IDs and texts are never printed unchanged, in reports and in
    messages.
    """
    outcome = program(ROUGE_CLI, *command.split(), cwd=saved)

    assert b"\x1b" not in outcome.stdout
    assert all(c == "\n" or c.isprintable() for c in outcome.stderr)
    assert outcome.status in {0, 1, 2}
    assert outcome.stdout or outcome.stderr


@pytest.mark.parametrize("digits", DIGITS, ids=len)
@pytest.mark.parametrize(
    "words",
    [
        *(
            "--samples {}", "--seed {}", "--set samples={}", "--limit {}words", "--confidence {}",
            "--alpha {}",
        ),
        *("-m ROUGE-{}", "-m RSU{}", "-m RW-{}", "--dialect google --seed {}", "-j {}", "--digits {}"),
        *("--dialect rouge2 --set least_count={}", "--dialect rouge2 -m ROUGE-SU{}"),
    ],
)  # fmt: skip
def test_numbers_of_many_digits(
    words: str, digits: str, here: Program, tmp_path: Path
) -> None:
    """A number of hundreds of digits in an option is used or refused, without a
    traceback.
    """
    (tmp_path / "run.jsonl").write_text('{"prediction": "a b", "reference": "a c"}\n')
    outcome = here("score", "run.jsonl", "--quiet", *words.format(digits).split())

    assert outcome.status in {0, 1, 2}
    assert (outcome.status == 0) == bool(outcome.stdout)
