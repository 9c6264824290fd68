"""A part of a run is merged as a whole or refused, and runs no code that the user
did not name.
"""

import copy
import functools
import json
import operator
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from everyday import THOROUGH

from rouge_cli.cli.main import group
from rouge_cli.core import Counts, EvalResult, Score, ignore_notice
from rouge_cli.errors import RougeError
from rouge_cli.runs.evaluation import Collected
from rouge_cli.runs.part_lines import MOST_EVALS, lines, packed
from rouge_cli.runs.parts import read
from rouge_cli.scoring.columns import Columns
from rouge_cli.scoring.perl_numbers import Number
from tests.conftest import ROOT, Program

DATABASE = ROOT / "fixtures/rouge155/db/small.db"
RECORDS = [
    {
        "id": str(number),
        "system": system,
        "prediction": f"{system} cat sat {number}",
        "reference": "a cat",
    }
    for number in range(3)
    for system in ("x", "y")
]


@pytest.fixture
def part(here: Program, tmp_path: Path) -> list[str]:
    """Return the lines of a part: a head, the results of two systems, and the end."""
    (tmp_path / "run.jsonl").write_text(
        "".join(json.dumps(record) + "\n" for record in RECORDS)
    )
    assert (
        here("score", "run.jsonl", "-m", "R1,RL", "--counts", "-o", "part").status == 0
    )
    return (tmp_path / "part").read_text().splitlines(keepends=True)


def signed(lines: Sequence[str]) -> list[str]:
    """Return the lines with a valid digest."""
    end = {
        **json.loads(lines[-1]),
        "sha256": sha256("".join(lines[:-1]).encode()).hexdigest(),
    }
    return [*lines[:-1], json.dumps(end) + "\n"]


def edited(place: int, **fields: Any) -> Callable[[list[str]], list[str]]:  # noqa: ANN401 - any JSON
    """Edit the fields of a line, and return the lines with a valid digest."""

    def edit(lines: list[str]) -> list[str]:
        line = json.dumps({**json.loads(lines[place]), **fields}) + "\n"
        return signed([*lines[:place], line, *lines[place + 1 :]])

    return edit


def column(metric: str, **columns: Sequence[float]) -> Callable[[list[str]], list[str]]:
    """Edit columns of a metric in the results of the first system."""

    def edit(lines: list[str]) -> list[str]:
        metrics = json.loads(lines[1])["metrics"]
        for name, values in columns.items():
            metrics[metric][name] = packed(array("d", values))
        return edited(1, metrics=metrics)(lines)

    return edit


def without(field: str) -> Callable[[list[str]], list[str]]:
    """Leave a column out."""

    def edit(lines: list[str]) -> list[str]:
        metrics = json.loads(lines[1])["metrics"]
        del metrics["ROUGE-1"][field]
        return edited(1, metrics=metrics)(lines)

    return edit


def of_metric(value: object) -> Callable[[list[str]], list[str]]:
    """Put a value into the place of a column."""

    def edit(lines: list[str]) -> list[str]:
        metrics = json.loads(lines[1])["metrics"]
        metrics["ROUGE-1"]["match"] = value
        return edited(1, metrics=metrics)(lines)

    return edit


# how a part is changed -> the message
SPOILED: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "a line cut out": (
        lambda lines: lines[:1] + lines[2:],
        "part:3: changed since it was written: its digest",
    ),
    "cut out and signed": (
        lambda lines: signed(lines[:1] + lines[2:]),
        "part: incomplete part: 0 evals of system x, not 3",
    ),
    "its head": (lambda lines: lines[:2], "part: incomplete part: no last line"),
    "its first line": (lambda lines: lines[:1], "part: incomplete part: no last line"),
    "nothing": (
        lambda _: [],
        "part: empty file; expected the output of `score --counts`",
    ),
    "a line twice": (lambda lines: lines[:2] + lines[1:], "its digest differs"),
    "twice and signed": (
        lambda lines: signed(lines[:2] + lines[1:]),
        "part: incomplete part: 6 evals of system x, not 3",
    ),
    "more after the end": (
        lambda lines: [*lines, lines[1]],
        "part:5: a line after the end",
    ),
    "an eval twice": (edited(1, evals=["0", "0", "2"]), "system x has an eval twice"),
    "fewer evals": (edited(1, evals=["0", "1"]), "part:2: not 2 packed numbers"),
    "an edited ID": (
        lambda lines: [line.replace('["0",', '["3",') for line in lines],
        "its digest differs",
    ),
    "a recall of 17.5": (
        column("ROUGE-1", recall=[17.5, 1, 1]),
        "part:2: recall of eval 0 under ROUGE-1 cannot be 17.5",
    ),
    "nan": (
        column("ROUGE-L", f=[1, float("nan"), 1]),
        "part:2: f of eval 1 under ROUGE-L cannot be nan",
    ),
    "infinity": (
        column("ROUGE-1", rank=[1, 1, float("inf")]),
        "part:2: rank of eval 2 under ROUGE-1 cannot be inf",
    ),
    "no numbers": (of_metric(None), "part:2: metrics.ROUGE-1: match cannot be null"),
    "no base64": (of_metric("?"), "part:2: not packed numbers"),
    "not deflated": (of_metric("AAAA"), "part:2: not packed numbers"),
    "a bomb": (
        of_metric(packed(array("d", [0.0]) * 10**6)),
        "part:2: not 3 packed numbers",
    ),
    "a negative count": (
        column("ROUGE-1", match=[-1, 1, 1]),
        "part:2: match of eval 0 under ROUGE-1 cannot be -1",
    ),
    "another metric": (
        edited(1, metrics={}),
        "part:2: not a record of these metrics: missing field 'ROUGE-1'",
    ),
    "no column": (
        without("rank"),
        "part:2: not a record of ROUGE-1: missing field 'rank'",
    ),
    "another field": (
        edited(1, g=1),
        "part:2: not a record of results: unexpected field 'g'",
    ),
    "a large number that is none": (
        edited(1, large={"0": [1.0, None, True, False]}),
        "part:2: large has 1.0, but the column 2",
    ),
    "a large number beyond the end": (
        edited(1, large={"99": [1.0, None, True, False]}),
        "part:2: large has no number 99",
    ),
    "other options": (
        edited(0, options={"metrics": ["ROUGE-1", "ROUGE-L"]}),
        "part: not the options of a run",
    ),
    "no options": (edited(0, options=[]), "part:1: options cannot be []"),
    "another dialect": (edited(0, dialect="x"), "part: unknown dialect 'x'"),
    "more matches than units": (
        column("ROUGE-1", match=[9, 1, 1], prediction_match=[9, 1, 1]),
        "part: eval 0 of system x under ROUGE-1: match is 9, more than reference, 2",
    ),
    "more matches than words": (
        column("ROUGE-1", prediction=[0, 1, 1], prediction_match=[1, 1, 1]),
        "part: eval 0 of system x under ROUGE-1: match is 1, more than prediction, 0",
    ),
    "a score that its counts do not give": (
        column("ROUGE-1", recall=[0.25, 0.25, 0.25]),
        "part: eval 0 of system x under ROUGE-1: recall is 0.25, but its counts give",
    ),
    "another number of evals": (edited(0, evals=4), "part: states 4 evals, and has"),
    "a system more": (
        edited(0, systems={"x": 3, "y": 3, "z": 3}),
        "part: incomplete part: 0 evals of system z, not 3",
    ),
    "a system less": (
        edited(0, systems={"x": 3}),
        "part: results that the first line does not count",
    ),
    "evals without results": (
        edited(0, unscored=["7"]),
        "part: states 3 evals, and has 4",
    ),
    "no version": (edited(0, version=None), "part:1: version cannot be null"),
    "an older schema": (
        edited(0, schema="rouge-cli counts 1"),
        "part:1: not a part of a run (its schema",
    ),
    "other details": (
        edited(0, details={"references_per_eval": 3}),
        "part:1: details cannot be",
    ),
}


@pytest.mark.parametrize("how", SPOILED)
def test_a_part_is_whole_or_refused(
    how: str, part: list[str], here: Program, tmp_path: Path
) -> None:
    """A part with anything missing, doubled or edited is refused, and nothing is
    printed.
    """
    spoil, message = SPOILED[how]
    assert here("merge", "part").status == 0
    (tmp_path / "part").write_text("".join(spoil(part)))
    outcome = here("merge", "part")

    assert (1, b"") == outcome[:2]
    assert message in outcome.stderr
    assert outcome.stderr.count("\n") == 1


def test_what_perl_stores_of_a_number_is_read_back(tmp_path: Path) -> None:
    """Integers beyond 53 bits, doubles of the same value and printed numbers are read
    back from any line of a part as they were written.
    """
    numbers = [Number(2**60 + 1), Number(2.0**60), Number.of_text(2.0**60)]
    columns = Columns(["ROUGE-1", "ROUGE-L"])
    for place in range(MOST_EVALS + 3):
        count = numbers[place % 3] if place > MOST_EVALS - 3 else 2.0
        counts = Counts(reference=count, prediction=count, match=count)
        result = EvalResult(str(place), counts, Score(1.0, 1.0, 1.0))
        columns.append([str(place)], {"ROUGE-1": result, "ROUGE-L": result})
    collected = Collected({"x": columns}, len(columns.ids), [1], {})
    options = {"metrics": ("ROUGE-1", "ROUGE-L")}
    (tmp_path / "part").write_text("".join(lines("rouge155", options, collected)))
    merged = read([str(tmp_path / "part")], ignore_notice).collected.by_eval["x"]

    def states(of: Columns) -> dict[int, tuple[object, ...]]:
        states: dict[int, tuple[object, ...]] = {}
        for index, number in of.large.items():
            assert isinstance(number, Number)
            stored = (number.whole, number.is_double, number.is_text)
            states[index] = (float(number), *stored)
        return states

    assert 5 * 2 * 3 == len(columns.large)
    assert states(columns) == states(merged)
    assert columns.columns == merged.columns


def test_parts_with_other_details_are_refused(
    part: list[str], here: Program, tmp_path: Path
) -> None:
    """Parts whose details differ in kind, so that they do not add up, are refused
    with a message.
    """
    (tmp_path / "other").write_text("".join(edited(0, details={"humans": ["a"]})(part)))
    outcome = here("merge", "part", "other")

    assert (1, b"") == outcome[:2]
    assert "other: its details differ from those in" in outcome.stderr


def places_of(
    value: Any,  # noqa: ANN401 - any JSON
    place: tuple[str | int, ...] = (),
) -> Iterator[tuple[str | int, ...]]:
    """Yield the place of every value in a JSON document."""
    if place:
        yield place
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for name, item in items:
        yield from places_of(item, (*place, name))


OTHERS: tuple[Any, ...] = (None, True, 0, -1, 0.5, 10**400, "x", [], [[]], {}, {"x": 0})


@pytest.mark.parametrize("line", [0, 1])
def test_any_field_may_be_anything(
    line: int,
    part: list[str],
    monkeypatch: Any,  # noqa: ANN401
    tmp_path: Path,
) -> None:
    """A signed part in which any value is another, or missing, is merged or refused
    with one message.
    """
    monkeypatch.chdir(tmp_path)
    document = json.loads(part[line])
    for place in [*places_of(document)][:: 1 if THOROUGH else 3]:
        for other in (*OTHERS, KeyError):
            changed = copy.deepcopy(document)
            parent = functools.reduce(operator.getitem, place[:-1], changed)
            if other is KeyError:
                del parent[place[-1]]
            else:
                parent[place[-1]] = other
            (tmp_path / "part").write_text(
                "".join(
                    signed(
                        [*part[:line], json.dumps(changed) + "\n", *part[line + 1 :]]
                    )
                )
            )
            outcome = CliRunner().invoke(group, ["merge", "part"])

            assert outcome.exception is None or isinstance(
                outcome.exception, RougeError
            ), (place, other)
            assert "\n" not in str(outcome.exception), (place, other)
            assert (outcome.exception is None) == bool(outcome.stdout), (place, other)


@pytest.mark.parametrize("files", ["stop:file:{0}", "stemmer:rouge|irregular:file:{0}"])
def test_a_part_opens_no_file(files: str, here: Program, tmp_path: Path) -> None:
    """Merging needs no word list, so that a pipe or device that a part names is not
    opened.
    """
    (tmp_path / "run.jsonl").write_text(json.dumps(RECORDS[0]) + "\n")
    content = files.startswith("stemmer") and DATABASE.read_bytes()
    (tmp_path / "own").write_bytes(content or b"")
    options = dict(field.split(":", 1) for field in files.format("own").split("|"))
    settings = [word for item in options.items() for word in ("--set", "=".join(item))]
    assert here("score", "run.jsonl", "--counts", "-o", "part", *settings).status == 0
    before = here("merge", "part")
    (tmp_path / "own").unlink()
    os.mkfifo(tmp_path / "own")
    head = json.loads((tmp_path / "part").read_text().partition("\n")[0])
    merged = here("merge", "part")
    unsigned = edited(0, options={**head["options"], **options})
    (tmp_path / "part").write_text(
        "".join(unsigned((tmp_path / "part").read_text().splitlines(keepends=True)))
    )
    refused = here("merge", "part")

    assert before == merged
    assert merged.status == 0
    assert b"file:own#" in merged.stdout
    assert (1, b"") == refused[:2]
    assert "part: not the options of a run" in refused.stderr
