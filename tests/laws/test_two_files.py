"""Files of every kind behind --pred and --ref give the score of their texts, or an
error: no name of a column, ID or mark of a format is ever counted as a word.
"""

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest
from everyday import share

from rouge_cli.io.compression import COMPRESSIONS
from rouge_cli.tasks import kinds
from tests.conftest import ROUGE_CLI, Outcome, inside

LONGEST = 300  # characters of a message
# The IDs, column names and marks are words of the other side, so that each that is
# counted changes the scores.
IDS = ("a-mat", "b-hills", "c-id")
TEXTS = {
    "--pred": ("the cat sat on the mat", "rain fell in the hills", "an id of text"),
    "--ref": (
        "a cat sat on a mat: its id and text",
        "heavy rain fell on the hills reference prediction",
        "text mat hills",
    ),
}
COLUMN = {"--pred": "prediction", "--ref": "reference"}

Records = Sequence[Mapping[str, str]]


def as_table(records: Records, delimiter: str) -> bytes:
    """Return a table with a line of names."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(records[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue().encode()


def as_jsonl(records: Records) -> bytes:
    """Return an object on each line."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def as_parquet(records: Records) -> bytes:
    """Return a table of parquet."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(records), out)
    return out.getvalue()


def texts_of(records: Records) -> list[str]:
    """Return the texts: the last column."""
    return [list(record.values())[-1] for record in records]


def by_id(records: Records) -> dict[str, Mapping[str, str]]:
    """Return the records by their IDs, or by their numbers."""
    return {
        record.get("id", str(number)): {
            name: text for name, text in record.items() if name != "id"
        }
        for number, record in enumerate(records)
    }


def by_column(records: Records) -> dict[str, dict[str, str]]:
    """Return the columns, as pandas writes them by default."""
    return {
        name: {str(row): record[name] for row, record in enumerate(records)}
        for name in records[0]
    }


# Kind -> the forms that its files have.
FORMS: Mapping[str, Mapping[str, Callable[[Records], bytes]]] = {
    "jsonl": {
        "objects": as_jsonl,
        "strings": lambda records: "".join(
            json.dumps(text) + "\n" for text in texts_of(records)
        ).encode(),
    },
    "json": {
        "array": lambda records: json.dumps(records).encode(),
        "indented": lambda records: json.dumps(records, indent=2).encode(),
        "strings": lambda records: json.dumps(texts_of(records)).encode(),
        "by ID": lambda records: json.dumps(by_id(records)).encode(),
        "by column": lambda records: json.dumps(by_column(records)).encode(),
        "texts by ID": lambda records: json.dumps(
            dict(zip(by_id(records), texts_of(records), strict=True)), indent=1
        ).encode(),
        "deeper": lambda records: json.dumps(
            {"mat": "a text of rain", "results": {"results": records}}
        ).encode(),
        "columns": lambda records: json.dumps(
            {f"{list(records[0])[-1]}s": texts_of(records)}
        ).encode(),
        "empty": lambda _: b"[]",
        "no records": lambda _: b'{"id": {"text": 1}, "mat": [1, 2]}',
        "null": lambda _: b"[null]",
    },
    "csv": {
        "commas": lambda records: as_table(records, ","),
        "semicolons": lambda records: as_table(records, ";"),
        "no names": lambda records: as_table(records, ",").partition(b"\n")[2],
        "names only": lambda records: as_table(
            [{"id": "", **record} for record in records], ","
        ).partition(b"\n")[0],
    },
    "tsv": {
        "tabs": lambda records: as_table(records, "\t"),
        "no names": lambda records: as_table(records, "\t").partition(b"\n")[2],
    },
    "parquet": {"rows": as_parquet},
    "settings": {
        "declared": lambda _: b'<?xml version="1.0"?>\n<ROUGE-EVAL></ROUGE-EVAL>\n',
        "bare": lambda _: b'<ROUGE-EVAL>\n<EVAL ID="mat"/></ROUGE-EVAL>\n',
    },
    "list": {"paths": lambda _: b"plain.txt plain.txt\n" * 3},
    kinds.LINES: {
        "lines": lambda records: ("\n".join(texts_of(records)) + "\n").encode(),
        "fairseq": lambda records: "".join(
            f"H-{number}\t-0.25\t{text}\n"
            for number, text in enumerate(texts_of(records))
        ).encode(),
        "dicts": lambda records: "".join(f"{record}\n" for record in records).encode(),
        "html": lambda _: b"<html>\n<head><title>mat</title>\n</html>\n",
        "empty": lambda _: b"",
    },
}
ZSTD = pytest.importorskip("zstandard")
COMPRESS: Mapping[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: ZSTD.ZstdCompressor().compress(data),
}


# Every content has every suffix, also a wrong one.
SUFFIXES = ("", ".txt", *(f".{kind}" for kind in kinds.names()), ".xml")


def records_of(option: str, form: str) -> Records:
    """Return the records of a side, with IDs unless the form has none."""
    column = COLUMN[option]
    if form == "without IDs":
        return [{column: text} for text in TEXTS[option]]
    return [
        {"id": name, column: text}
        for name, text in zip(IDS, TEXTS[option], strict=True)
    ]


def written(folder: Path) -> dict[str, list[str]]:
    """Write every form of every kind; return the paths of each side."""
    (folder / "plain.txt").write_text("a text\n")
    paths: dict[str, list[str]] = {}
    for option, ids in product(TEXTS, ("with IDs", "without IDs")):
        records = records_of(option, ids)
        for kind, forms in FORMS.items():
            for number, make in enumerate(forms.values()):
                data = make(records)
                for suffix, end in product(SUFFIXES, COMPRESS):
                    stem = f"{option[2:]}_{kind}{number}_{len(ids)}"
                    path = folder / f"{stem}{suffix}{end}"
                    path.write_bytes(COMPRESS[end](data))
                    paths.setdefault(option, []).append(path.name)
    for option in TEXTS:
        records = records_of(option, "with IDs")
        place = folder / f"{COLUMN[option]}_folder"
        place.mkdir()
        for record in records:
            alone = {name: text for name, text in record.items() if name != "id"}
            (place / f"{record['id']}.json").write_text(json.dumps(alone))
        paths[option].append(place.name)
    return paths


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all files."""
    return tmp_path_factory.mktemp("two_files")


@pytest.fixture(scope="module")
def paths(folder: Path) -> dict[str, list[str]]:
    """Write all files."""
    return written(folder)


def score(folder: Path, *words: str) -> Outcome:
    """Run `rouge-cli score` in this process."""
    command = ["score", *words, "-m", "R1,R2,RL", "--samples", "0", "--scale", "1"]
    return inside(ROUGE_CLI, [*command, "--format", "csv"], folder, os.environ, b"")


def numbers(outcome: Outcome) -> list[str]:
    """Return the scores, without the names of systems."""
    return [line.partition(",")[2] for line in outcome.stdout.decode().splitlines()]


def check(folder: Path, expected: list[str], prediction: str, reference: str) -> bool:
    """Check the outcome of two files; return True if it is a score."""
    outcome = score(folder, "--pred", prediction, "--ref", reference)
    stderr = outcome.stderr
    pair = f"--pred {prediction} --ref {reference}"
    for message in stderr.splitlines():
        assert len(message) <= LONGEST, (pair, message)
    if outcome.status == 0:
        assert expected == numbers(outcome), (pair, stderr)
        return True
    assert outcome.status in {1, 2}, (pair, stderr)
    assert stderr, pair
    assert not outcome.stdout, pair
    assert "Traceback" not in stderr, pair
    return False


def test_every_kind_has_forms() -> None:
    """The law tries every kind of input that is registered, and every compression."""
    for kind in sorted({*kinds.names(), kinds.LINES} ^ {*FORMS}):
        raise AssertionError(f"{kind}: add the forms of its files to FORMS")
    for suffix in sorted({"", *COMPRESSIONS} ^ {*COMPRESS}):
        raise AssertionError(f"{suffix}: add the function that compresses to COMPRESS")


def test_no_structure_is_a_word(folder: Path, paths: dict[str, list[str]]) -> None:
    """Two files of any kinds, compressed or not, give the score of the same texts as
    lines, or an error.
    """
    plain = {}
    for option, texts in TEXTS.items():
        plain[option] = f"{COLUMN[option]}_lines.txt"
        (folder / plain[option]).write_text("".join(f"{text}\n" for text in texts))
    right = numbers(score(folder, "--pred", plain["--pred"], "--ref", plain["--ref"]))
    chance = random.Random("two files")
    pairs = [(path, plain["--ref"]) for path in paths["--pred"]]
    pairs += [(plain["--pred"], path) for path in paths["--ref"]]
    pairs += product(paths["--pred"], paths["--ref"])
    alone = len(paths["--pred"]) + len(paths["--ref"])
    chosen = chance.sample(range(alone), min(alone, share(alone, 300)))
    chosen += chance.sample(range(alone, len(pairs)), share(3000, 200))
    scored = 0
    for index in chosen:
        prediction, reference = pairs[index]
        scored += check(folder, right, prediction, reference)

    # Most files have a wrong suffix, the more so the more kinds there are.
    assert scored > len(chosen) / 20


@pytest.mark.parametrize("ids", ["with IDs", "without IDs"])
@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("jsonl", "objects"), ("json", "array"), ("json", "by ID"), ("json", "deeper"),
        ("json", "texts by ID"), ("csv", "commas"), ("tsv", "tabs"), ("parquet", "rows"),
    ],
)  # fmt: skip
def test_records_are_joined(kind: str, form: str, ids: str, tmp_path: Path) -> None:
    """Records with IDs are joined in any order, and without IDs in theirs with a
    notice.
    """
    for option, texts in TEXTS.items():
        (tmp_path / COLUMN[option]).write_text("".join(f"{text}\n" for text in texts))
        records = records_of(option, ids)
        if option == "--ref" and ids == "with IDs":
            records = records[::-1]
        made = FORMS[kind][form](records)
        (tmp_path / f"{COLUMN[option]}.{kind}").write_bytes(made)
    right = score(tmp_path, "--pred", "prediction", "--ref", "reference")
    outcome = score(
        tmp_path, "--pred", f"prediction.{kind}", "--ref", f"reference.{kind}"
    )

    assert numbers(right) == numbers(outcome)
    has_ids = ids == "with IDs" or "by ID" in form
    assert has_ids != ("joined by order" in outcome.stderr)
