"""What lists of references hold, by the tells of the records."""

import json
from pathlib import Path

import pytest
from case_tables import tabled

from rouge_cli import twins
from rouge_cli.core import Notice
from rouge_cli.tasks import records
from rouge_cli.tasks.columns import (
    REFERENCES,
    SENTENCES,
    ColumnNames,
    TextCells,
    decide_lists,
)

READINGS = {SENTENCES: 1, REFERENCES: 2}


def read(
    path: Path, rows: list[dict[str, object]], meaning: str | None = None
) -> tuple[list[int], list[Notice]]:
    """Return the number of references of each record, and the notices on lists."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    notices: list[Notice] = []
    columns = ColumnNames(predictions=["p"], lists=meaning)
    columns = columns._replace(references=[name for name in rows[0] if name != "p"])
    tasks = records.read(
        {"s": str(path)},
        {"s": "jsonl"},
        records.RecordReading(columns, notify=notices.append),
    )
    return [len(task.references) for task in tasks], notices


@tabled
def test_lists_are_read_by_the_tells(
    name: str, predictions: list[object], sizes: list[int], reading: str, stated: bool
) -> None:
    """A singular name beside predictions in lists has lists of sentences; what is not
    clear is stated with both options.
    """
    notices: list[Notice] = []
    rows = [
        TextCells([prediction], [["a b"] * size])
        for prediction, size in zip(predictions, sizes, strict=True)
    ]
    columns = ColumnNames(predictions=["p"], references=[name])
    result = decide_lists(rows, columns, "f", notices.append)

    assert result.lists == {"sentences": SENTENCES, "references": None}[reading]
    assert bool(notices) == stated
    for notice in notices:
        assert f"are read as the {SENTENCES}" in notice.message or reading == REFERENCES
        assert f"--ref-lists {SENTENCES} or --ref-lists {REFERENCES}" in notice.message


@pytest.mark.parametrize("kernels", ["compiled", "python"])
def test_a_file_is_read_as_its_first_records(
    kernels: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled code and Python read lists alike, and the user's choice is silent."""
    if kernels == "python":
        monkeypatch.setattr(twins, "extension", lambda: None)
    first: dict[str, object] = {"p": ["a", "b"], "summary": ["a", "c", "d"]}
    rows: list[dict[str, object]] = [first, {"p": ["a"], "summary": ["x", "y"]}]
    path = tmp_path / "f"

    found, notices = read(path, rows)
    assert found == [1, 1]
    assert len(notices) == 1
    assert read(path, rows, SENTENCES) == ([1, 1], [])
    assert read(path, rows, REFERENCES) == ([3, 2], [])
    plural: list[dict[str, object]] = [{"p": "a", "summaries": ["a", "b"]}] * 2
    assert read(path, plural) == ([2, 2], [])


def test_a_list_of_lists_holds_references(tmp_path: Path) -> None:
    """References whose sentences are lists are no other thing."""
    rows: list[dict[str, object]] = [
        {"p": ["a", "b", "e"], "summary": [["a", "c"], ["d"]]}
    ]
    rows += [{"p": ["a", "b", "c"], "summary": [["a", "c"], ["d"]]}]

    assert read(tmp_path / "f", rows) == ([2, 2], [])
