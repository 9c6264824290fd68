"""Damaged input of every kind gives a documented status, one message, and never NaN.

Each case has its own seed, which a failure names.
"""

import json
import os
import random
import re
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest
from everyday import share

from tests.conftest import ROUGE_CLI, Outcome, inside

CASES = share(500, 200)  # in total
HUGE = "9" * 5000
VALUES: Sequence[Any] = (
    *(
        None,
        True,
        "",
        [],
        {},
        -1,
        0,
        17.5,
        1e300,
        float("nan"),
        float("-inf"),
        10**400,
        "\x1b[31mred",
    ),
    *(
        "\ud800",
        "a\nb",
        ["a"],
        [["a"], 1],
        {"a": {}},
        "os:system",
        2**63,
        -0.0,
        5e-324,
        "x" * 5000,
    ),
)
PIECES = (
    *(
        b"NaN", b"1e999", b"-1", b"17.5", b"9" * 400, HUGE.encode(), b"0..5", b"null", b'"', b'""', b",",
        b"\t",
    ),
    *(b"\n", b"\r", b"\n\n", b"\0", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\x1b[31m", b"[", b"{", b"}", b":"),
    *(b"[" * 3000, b"%7C", b"\xe2\x80\xae", b"f,f", b"1_0", b" Eval ", b"--"),
)  # fmt: skip


class Kind(NamedTuple):
    """An input to damage: the name of a file, and the words of the command that
    reads it.
    """

    name: str
    command: str


KINDS = (
    *(
        Kind(f"run.{suffix}", "score {} --samples 0")
        for suffix in ("csv", "tsv", "json", "jsonl", "parquet")
    ),
    *(
        Kind(f"saved.{suffix}", "compare {} --trials 50")
        for suffix in ("csv", "tsv", "json", "jsonl", "txt")
    ),
    *(
        Kind(f"x100.{suffix}", "compare {} saved.csv -m R1 --trials 50")
        for suffix in ("csv", "jsonl")
    ),
    Kind("saved.csv", "correlate {} human.csv"),
    *(
        Kind(f"human.{suffix}", "correlate saved.csv {}")
        for suffix in ("csv", "txt", "jsonl")
    ),
    Kind("a.part", "merge {} b.part"),
    Kind("micro.part", "merge {}"),
)


def run(folder: Path, command: str) -> Outcome:
    """Run `rouge-cli` in this process, in the folder."""
    return inside(ROUGE_CLI, command.split(), folder, os.environ, b"")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create valid files: records, saved scores, human scores and parts."""
    folder = tmp_path_factory.mktemp("spoiled")
    records = [
        {
            "id": f"e{number}",
            "system": system,
            "prediction": f"{system} sat on {number}",
            "reference": text,
        }
        for number, text in enumerate(
            ("a cat sat on 1", "the b sat down", "a mat on 2 b", "no word")
        )
        for system in "ab"
    ]
    (folder / "run.jsonl").write_text(
        "".join(json.dumps(record) + "\n" for record in records)
    )
    (folder / "other.jsonl").write_text(
        "".join(
            json.dumps({**record, "system": f"other {record['system']}"}) + "\n"
            for record in records
        )
    )
    (folder / "run.json").write_text(json.dumps(records, indent=1))
    for suffix, mark in (("csv", ","), ("tsv", "\t")):
        rows = [list(records[0]), *(list(record.values()) for record in records)]
        (folder / f"run.{suffix}").write_text(
            "".join(mark.join(row) + "\n" for row in rows)
        )
    pyarrow, parquet = (
        pytest.importorskip(name) for name in ("pyarrow", "pyarrow.parquet")
    )
    parquet.write_table(pyarrow.Table.from_pylist(records), folder / "run.parquet")
    humans = [
        (record["id"], record["system"], str(1 + len(record["prediction"]) % 5))
        for record in records
    ]
    (folder / "human.csv").write_text(
        "".join(",".join(row) + "\n" for row in [("eval", "system", "s"), *humans])
    )
    (folder / "human.txt").write_text("".join(" ".join(row) + "\n" for row in humans))
    (folder / "human.jsonl").write_text(
        "".join(
            json.dumps(dict(zip(("eval", "system", "s"), row, strict=True))) + "\n"
            for row in humans
        )
    )
    for suffix in ("csv", "tsv", "json", "jsonl"):
        made = run(folder, f"score run.jsonl --samples 0 --per-eval --format {suffix}")
        (folder / f"saved.{suffix}").write_bytes(made[1])
        made = run(
            folder,
            f"score other.jsonl --samples 0 --per-eval --format {suffix} --scale 100",
        )
        (folder / f"x100.{suffix}").write_bytes(made[1])
    (folder / "saved.txt").write_bytes(
        run(folder, "score run.jsonl --samples 9 --per-eval --format classic")[1]
    )
    lines = (folder / "run.jsonl").read_text().splitlines(keepends=True)
    (folder / "half.jsonl").write_text("".join(lines[:4]))
    (folder / "rest.jsonl").write_text("".join(lines[4:]))
    (folder / "a.part").write_bytes(
        run(folder, "score half.jsonl --samples 9 --counts")[1]
    )
    (folder / "b.part").write_bytes(
        run(folder, "score rest.jsonl --samples 9 --counts")[1]
    )
    (folder / "micro.part").write_bytes(
        run(folder, "score half.jsonl --samples 9 --average micro --counts")[1]
    )
    return folder


# Ways to damage files.


def spoil_bytes(data: bytes, chance: random.Random) -> bytes:
    """Cut, repeat, flip, insert or replace a few bytes."""
    start = chance.randrange(len(data))
    end = min(len(data), start + chance.choice((1, 1, 2, 8, 60, len(data))))
    return chance.choice((
        data[:start] + data[end:], data[:end] + data[start:end] + data[end:],
        data[:start] + bytes([data[start] ^ 1 << chance.randrange(8)]) + data[start + 1 :],
        data[:start] + chance.choice(PIECES) + data[start:],
        data[:start] + chance.choice(PIECES) + data[end:],
    ))  # fmt: skip


def spoil_lines(data: bytes, chance: random.Random) -> bytes:
    """Drop, repeat, move or blank a line, or replace one of its cells."""
    lines = data.splitlines(keepends=True)
    place = chance.randrange(len(lines))
    line = lines.pop(place)
    cells = re.split(rb"([,\t: ])", line)
    cells[chance.randrange(len(cells))] = chance.choice(PIECES)
    several = chance.choice(
        ([], [line] * 2, [b"\n"], [b"".join(cells)], [b"".join(cells)])
    )
    lines[place:place] = several
    if not several and chance.random() < 0.5:
        lines.insert(chance.randrange(len(lines) + 1), line)
    return b"".join(lines)


def spoil_json(data: bytes, chance: random.Random) -> bytes:
    """Change, drop, add or rename a value in one of the documents; a part gets a
    valid digest.
    """
    try:
        texts = [data] if data.startswith((b"[", b"{\n")) else data.splitlines()
        documents = [json.loads(text) for text in texts]
    except (ValueError, RecursionError):  # damaged before
        return spoil_bytes(data, chance)
    node, steps = documents[chance.randrange(len(documents))], chance.randrange(1, 6)
    for _ in range(steps):
        keys = (
            list(node)
            if isinstance(node, dict)
            else list(range(len(node))) * isinstance(node, list)
        )
        if not keys:
            break
        key = chance.choice(keys)
        if isinstance(node[key], dict | list) and chance.random() < 0.8:
            node = node[key]
            continue
        change = chance.randrange(4)
        if change == 0:
            del node[key]
        elif change == 1 and isinstance(node, dict):
            node[chance.choice(("x", "evals", "end", "eval", "f"))] = chance.choice(
                VALUES
            )
        else:
            node[key] = chance.choice(VALUES)
        break
    lines = [json.dumps(document) + "\n" for document in documents]
    if isinstance(documents[-1], dict) and "sha256" in documents[-1]:
        digest = sha256("".join(lines[:-1]).encode()).hexdigest()
        lines[-1] = json.dumps({**documents[-1], "sha256": digest}) + "\n"
    return "".join(lines).encode()


def spoilers(name: str) -> list[Callable[[bytes, random.Random], bytes]]:
    """Return the ways to damage a file of this name."""
    suffix = name.rpartition(".")[2]
    if suffix == "parquet":
        return [spoil_bytes]
    return [
        spoil_bytes,
        spoil_lines,
        *[spoil_json] * 2 * (suffix in {"json", "jsonl", "part"}),
    ]


def refuse(constant: str) -> NoReturn:
    pytest.fail(f"{constant} in the output")


@pytest.mark.parametrize(
    "kind", KINDS, ids=lambda kind: f"{kind.command.split()[0]}-{kind.name}"
)
def test_spoiled_input(kind: Kind, folder: Path) -> None:
    """For any damage to a file, the run ends as documented, and everything it prints
    is correct.
    """
    whole = (folder / kind.name).read_bytes()
    _, _, suffix = kind.name.rpartition(".")
    statuses = set()
    for seed in range(CASES // len(KINDS)):
        chance = random.Random(f"{kind} {seed}")
        data = whole
        for _ in range(chance.choice((0, 1, 1, 1, 2, 4)) if seed else 0):
            data = chance.choice(spoilers(kind.name))(data, chance) or b"\n"
        (folder / f"spoiled.{suffix}").write_bytes(data)
        layout = chance.choice((" --format json", ""))
        try:
            status, printed, message = run(
                folder, kind.command.format(f"spoiled.{suffix}") + layout
            )
        except BaseException as error:
            raise AssertionError(f"{kind.name}, seed {seed}: {error!r}") from error
        assert status in {0, 1, 2}, (seed, message)
        assert "Traceback" not in message, seed
        assert all(c == "\n" or c.isprintable() for c in message), (seed, message)
        if status:
            assert (b"", True) == (printed, message.count("\n") > 0), (seed, message)
        elif layout:
            json.loads(printed, parse_constant=partial(refuse))
        else:
            assert not re.search(rb"(?<![\w.])(nan|inf)\b|\x1b", printed), (
                seed,
                printed,
            )
        if not status and layout and kind.command.startswith(("merge", "score")):
            figures = [
                result[name]
                for result in json.loads(printed)["results"]
                for name in ("recall", "f")
            ]
            assert all(
                figure is None or figure["value"] is not None for figure in figures
            ), seed
        statuses.add(status)
    assert statuses >= {0, 1} or CASES < 200
