"""A part with totals is merged as a whole or refused, with the reason."""

import json
from array import array
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.runs.part_lines import packed, unpacked_whole
from tests.conftest import Program

Lines = list[dict[str, Any]]
SAMPLES = 9
NUMBERS = (SAMPLES + 1) * (1 + 3)  # of one metric


@pytest.fixture
def part(here: Program, tmp_path: Path) -> Lines:
    """Return the records of a part: a head, the totals of two systems, and the end."""
    records = []
    for number in range(5):
        for system in ("x", "y"):
            texts = {"prediction": f"{system} cat sat {number}", "reference": "a cat"}
            records.append({"id": str(number), "system": system, **texts})
    text = "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / "run.jsonl").write_text(text)
    words = ("--samples", str(SAMPLES), "--totals", "--counts", "-o", "part")
    assert here("score", "run.jsonl", "-m", "R1", *words).status == 0
    return [json.loads(line) for line in (tmp_path / "part").read_text().splitlines()]


def with_sum(*doubles: Any) -> Callable[[Lines], object]:  # noqa: ANN401 - any JSON
    """Edit the sum of recalls of the first system."""
    return lambda lines: lines[1]["sums"]["ROUGE-1"].update(recall=list(doubles))


def with_drawn(place: int, value: int) -> Callable[[Lines], object]:
    """Edit a number of the samples of the first system."""

    def edit(lines: Lines) -> None:
        drawn = unpacked_whole(lines[1]["drawn"], NUMBERS)
        drawn[place] = value
        lines[1]["drawn"] = packed(drawn)

    return edit


# how a part is changed -> the message
SPOILED: dict[str, tuple[Callable[[Lines], object], str]] = {
    "a sum too high": (
        with_sum(5.5),
        "part:2: recall under ROUGE-1 cannot add up to 5.5 of 5 evals",
    ),
    "a sum below 0": (with_sum(-0.5), "recall under ROUGE-1 cannot add up to -0.5"),
    "an edited sum": (
        with_sum(2.0),
        "part:2: recall under ROUGE-1 adds up to 2, but as evals are drawn to 2.5",
    ),
    "a sum in another form": (with_sum(2.0, 0.5), "recall cannot be [2.0, 0.5]"),
    "no number": (with_sum("2.5"), 'recall cannot be ["2.5"]'),
    "more evals in a sample": (
        with_drawn(3, 41),
        "part:2: 41 evals in sample 3 are not possible",
    ),
    "fewer evals before all samples": (
        with_drawn(0, 4),
        "part:2: 4 evals in sample 0 are not possible",
    ),
    "an edited sample": (
        with_drawn(SAMPLES + 1 + 2, -1_000_000_000),
        "part:2: recall under ROUGE-1 cannot add up to -1 in sample 2",
    ),
    "a sample less": (
        lambda lines: lines[1].update(drawn=packed(array("q", [5]))),
        f"part:2: not {NUMBERS} packed numbers",
    ),
    "a bomb": (
        lambda lines: lines[1].update(drawn=packed(array("q", [0]) * 10**6)),
        f"part:2: not {NUMBERS} packed numbers",
    ),
    "more samples than are kept": (
        lambda lines: lines[0]["options"].update(samples=10**12),
        "part:1: options cannot be those of totals",
    ),
    "an ID less": (
        lambda lines: lines[1].update(ids=["0", "1", "2", "3"]),
        "part:2: ids has 4 IDs, which is not possible",
    ),
    "an ID twice": (
        lambda lines: lines[1].update(ids=["0", "1", "2", "3", "3"]),
        "part:2: ids has 5 IDs, which is not possible",
    ),
    "a system twice": (
        lambda lines: lines.insert(1, lines[1]),
        "part:3: system x has totals already",
    ),
    "a system less": (
        lambda lines: lines.pop(1),
        "part: incomplete part: 0 evals of system x, not 5",
    ),
    "fewer evals than a system has": (
        lambda lines: lines[0].update(evals=4),
        "part: states 4 evals, and has 5",
    ),
    "evals in place of totals": (
        lambda lines: lines[0].pop("totals"),
        "part:2: not a record of results: ",
    ),
    "no statement of totals": (
        lambda lines: lines[0].update(totals=1),
        "part:1: totals cannot be 1",
    ),
}


@pytest.mark.parametrize("how", SPOILED)
def test_a_part_with_totals_is_whole_or_refused(
    how: str, part: Lines, here: Program, tmp_path: Path
) -> None:
    """A part with totals that are edited, doubled or lost is refused, even with a valid
    digest, and nothing is printed.
    """
    spoil, message = SPOILED[how]
    assert here("merge", "part").status == 0
    spoil(part)
    text = "".join(json.dumps(record) + "\n" for record in part[:-1])
    end = {**part[-1], "sha256": sha256(text.encode()).hexdigest()}
    (tmp_path / "part").write_text(text + json.dumps(end) + "\n")
    outcome = here("merge", "part")

    assert (1, b"") == outcome[:2]
    assert message in outcome.stderr
    assert outcome.stderr.count("\n") == 1
