"""Records inside JSON documents."""

import json
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.errors import RougeError, UsageError
from rouge_cli.tasks import nesting
from rouge_cli.tasks.kinds import json as json_kind

RECORDS = [{"prediction": "a"}, {"prediction": "b"}]


def read(path: Path, document: Any, *records: str) -> list[Any]:  # noqa: ANN401
    """Return the line and the record of each row."""
    path.write_text(json.dumps(document, indent=1))
    rows = json_kind.rows(str(path), None, records)
    return [(row.line, row.record) for row in rows]


@pytest.mark.parametrize(
    ("document", "steps"),
    [
        (RECORDS, []), ({"a": {"b": RECORDS}}, ["a", "b"]), ({"a": "x y", "b": RECORDS}, ["b"]),
        ({"prediction": "a", "b": RECORDS}, []), ({"text": "a", "b": [1]}, []),
        ({"1": {"text": "a"}, "2": {"text": "b"}}, ["records"]),
        ({"id": {"0": "x"}, "prediction": {"0": "a"}}, []),
        ({"log": [{"step": 1}], "b": RECORDS}, ["b"]), ("a", []),
    ],
)  # fmt: skip
def test_the_only_list_of_records_is_found(
    document: object, steps: list[str], tmp_path: Path
) -> None:
    """Records are found in objects, unless the document is itself a record or rows by
    ID or column.
    """
    (tmp_path / "a.json").write_text("")
    expected = [] if steps == ["records"] else steps
    assert expected == nesting.find(document, [], "a.json")


def test_records_have_their_lines(tmp_path: Path) -> None:
    """A record deep in a document has the line where it begins."""
    rows = read(tmp_path / "a.json", {"a": {"b": RECORDS}})

    assert list(zip((4, 7), RECORDS, strict=True)) == rows


def test_names_of_records_are_ids(tmp_path: Path) -> None:
    """A record by ID gets the ID as a column, unless it has one."""
    document = {"x": {"text": "a"}, "y": {"text": "b", "doc_id": 3}}

    assert [
        (2, {"id": "x", "text": "a"}),
        (5, {"text": "b", "doc_id": 3}),
    ] == read(tmp_path / "a.json", document)


def test_columns_of_pandas_are_rows(tmp_path: Path) -> None:
    """What `DataFrame.to_json` writes by default has a record for each row."""
    document = {"prediction": {"0": "a", "7": "b"}, "n": {"0": 1, "7": 2}}

    assert [
        (1, {"prediction": "a", "n": 1}),
        (1, {"prediction": "b", "n": 2}),
    ] == read(tmp_path / "a.json", document)


def test_users_choose_among_lists(tmp_path: Path) -> None:
    """Several lists are named with the option, whose first path that exists is taken;
    the top is a dot.
    """
    document = {"a": RECORDS, "b": {"c": RECORDS[:1]}}
    path = tmp_path / "a.json"

    with pytest.raises(RougeError, match=r"2 lists of records: a, b.c; .*--records a"):
        read(path, document)
    assert RECORDS[:1] == [record for _, record in read(path, document, "x", "b.c")]
    assert [(1, document)] == read(path, document, ".")
    with pytest.raises(UsageError, match="no 'd' in b; there are c"):
        read(path, document, "b.d")
    with pytest.raises(nesting.NothingInside, match="the file is an array"):
        read(path, RECORDS, "b")


def test_strings_inside_are_named() -> None:
    """The dotted names of the strings in a value, and of the last of several objects."""
    value = {"a": "x", "b": {"c": "y", "d": 1}, "e": [{"f": "z"}, {"g": "w"}]}

    assert ["v.a", "v.b.c", "v.e.-1.g"] == nesting.text_paths(value, "v")
