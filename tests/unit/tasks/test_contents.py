"""What files behind --pred and --ref contain."""

import json
from pathlib import Path

import pytest

from rouge_cli.errors import RougeError
from rouge_cli.tasks import contents, kinds
from rouge_cli.tasks.contents import PRED, REF


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ('{"a": "b"}\n{"a": "c"}\n', "jsonl"), ('\n {"a": "b"}', "json"),
        ('["a b"]\n["c"]\n', "jsonl"), ('["a", "b"]', "json"), ("[\n {}]", "json"),
        ('{\n"a":\n"b"}', "json"), ('[\n"a",\n"b"]', "json"), ("PAR1", "parquet"),
        ('{"a": "' + "b" * 300_000 + '"}\n', "json"),
    ],
)  # fmt: skip
def test_records_are_known_by_their_start(data: str, kind: str, tmp_path: Path) -> None:
    """JSON without a suffix is records, on a line or over several."""
    path = tmp_path / "a.txt"
    path.write_text(data)

    assert kind == contents.kind_of(str(path), PRED)


@pytest.mark.parametrize(
    "data",
    [
        "", "\n", "a b\nc\n", "{the cat} sat\nit\n", "{'the', 'cat'}\n", '{"the" cat}\n',
        "['the cat']\n['it']\n", "[1]\n[2]\n", "[1] Smith\n", "<s> a </s>\n", "<a> b\n",
        "the cat, the dog\nit, too\n", "a\tb\nc\n", "However,it\nHowever,they\n",
        "summary of it\nb\n", "H-0 a\n", "a,b\nc d\n", "12:30, then\n1:20, now\n",
        "5. a\n6. b\n", "雨,下了\n猫,睡了\n", "no,yes\n", "1;2\n",
    ],
)  # fmt: skip
def test_ordinary_texts_are_lines(data: str, tmp_path: Path) -> None:
    """Lines of text may begin with a bracket, a mark or a word before a comma."""
    path = tmp_path / "a.txt"
    path.write_text(data)

    assert kinds.LINES == contents.kind_of(str(path), REF)


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        ("S-0\ta\nH-0\t-1\tb\n", "fairseq .* cut -f2-"),
        ("H-0\t-1\tb\n", "fairseq .* cut -f3-"),
        ("{'a': 'b'}\n", "dict.* json.dumps"),
        ("[{'a': 'b'}]\n", "dict"),
        ("id;summary\n1;a\n", "table, .* --input csv --delimiter ';'"),
        ("id\tgold\n1\ta\n", "table, .* --input tsv"),
        ("reference\na b\n", "table, .* --input csv"),
        ("1\ta b\n2\tb\n", "without names .* --input tsv --no-header"),
        ("d1,a b\nd2,b\n", "without names .* --input csv --no-header"),
        ("<!DOCTYPE html>\n", "markup"),
        ('<?xml version="1.0"?>', "markup"),
        (f"{__file__} {__file__}\n", "names of files"),
    ],
)
def test_what_is_no_text_is_refused(data: str, cause: str, tmp_path: Path) -> None:
    """The message names what the file is, and what to do, in at most 300 characters
    beside the file's name.
    """
    path = tmp_path / "a.txt"
    path.write_text(data)

    with pytest.raises(RougeError, match=cause) as error:
        contents.kind_of(str(path), PRED)
    assert len(str(error.value).replace(str(path), "")) <= 300


def test_a_folder_has_records_or_texts(tmp_path: Path) -> None:
    """All files of a folder are records, or none is."""
    texts, records = tmp_path / "texts", tmp_path / "records"
    for folder in (texts, records):
        folder.mkdir()
    (texts / "a.txt").write_text("a\n")
    for name in ("b2.json", "b10.jsonl"):
        (records / name).write_text(json.dumps({"prediction": "a"}))

    assert {} == contents.files_of_folder(str(texts), PRED)
    assert ["b2.json", "b10.jsonl"] == [
        Path(path).name for path in contents.files_of_folder(str(records), PRED)
    ]
    (texts / "c.json").write_text("{}")
    with pytest.raises(RougeError, match=r"records \(.*c.json\) and other files"):
        contents.files_of_folder(str(texts), PRED)
    with pytest.raises(RougeError, match="sub-folders of records"):
        contents.files_of_folder(str(tmp_path), PRED)


def test_files_without_suffix_are_looked_into(tmp_path: Path) -> None:
    """A folder of JSON is one of records, whatever its files are called."""
    (tmp_path / "a.out").write_text('{"prediction": "a"}')

    assert ["json"] == list(contents.files_of_folder(str(tmp_path), REF).values())
