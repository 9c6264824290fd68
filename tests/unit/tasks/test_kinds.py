"""Kinds of inputs, by suffix and by content."""

import gzip
import io
import sys
from pathlib import Path

import pytest
from case_tables import tabled

from rouge_cli.errors import UnreadableFile
from rouge_cli.io import files
from rouge_cli.tasks import kinds
from rouge_cli.tasks.kinds import parquet


@tabled
def test_the_suffix_decides(name: str, kind: str) -> None:
    """A known suffix, also before that of a compression, gives the kind, and no file
    is opened.
    """
    assert kind == kinds.detect(f"no/such/folder/{name}")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        *((b"<ROUGE-EVAL/>", "settings"), (b'\n {"a": 1}', "jsonl"), (b"[]", "json"), (b"p m\n", "list")),
        *(
            (b"\xef\xbb\xbf<a/>", "settings"), (b"", "list"), (b" \n", "list"),
            (b" " * 300_000 + b"[", "json"),
        ),
    ],
)  # fmt: skip
def test_else_the_content_decides(
    data: bytes, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first non-blank byte gives the kind, of stdin too, from which nothing is
    lost.
    """
    (tmp_path / "a.txt").write_bytes(data)
    (tmp_path / "a.gz").write_bytes(gzip.compress(data))
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)))
    )

    assert [kind] * 3 == [
        kinds.detect(path) for path in (f"{tmp_path}/a.txt", f"{tmp_path}/a.gz", "-")
    ]
    assert data.removeprefix(b"\xef\xbb\xbf") == files.text("-", "text")


def test_a_folder_of_datasets_is_a_table(tmp_path: Path) -> None:
    """What `save_to_disk` of Hugging Face's datasets writes has the records of the
    data set, in order.
    """
    datasets = pytest.importorskip("datasets")
    records = [
        {"prediction": f"a{number}", "references": ["b", "c"]} for number in range(5)
    ]
    rows = datasets.Dataset.from_list(records)
    rows.save_to_disk(tmp_path / "rows", num_shards=3)
    datasets.DatasetDict(test=rows).save_to_disk(tmp_path / "splits")
    rows.to_parquet(tmp_path / "rows.parquet")
    datasets.load_from_disk(tmp_path / "rows").map(
        lambda row: row | {"more": 1}
    )  # leaves a cache

    for name in ("rows", "splits", "splits/test", "rows.parquet"):
        path = str(tmp_path / name)
        assert "parquet" == kinds.detect(path)
        assert list(enumerate(records, 1)) == [
            (row.number, row.record) for row in parquet.rows(path, None)
        ]


def test_an_unreadable_file_has_no_kind(tmp_path: Path) -> None:
    """A missing file without a known suffix is an error that names it."""
    with pytest.raises(UnreadableFile, match="cannot read the input"):
        kinds.detect(str(tmp_path / "a"))
