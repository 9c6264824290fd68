"""Records with named columns: jsonl, json, csv and tsv."""

import csv
import gzip
import json
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from case_tables import tabled
from hypothesis import given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli import twins
from rouge_cli.core import Document, EvalTask, Notice
from rouge_cli.errors import ErrorGroup, RougeError, UnreadableFile, UsageError
from rouge_cli.tasks import cells as record_cells
from rouge_cli.tasks import records
from rouge_cli.tasks.columns import ColumnNames
from rouge_cli.tasks.streams import Lookahead

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=9
)


def read(path: Path, data: str | bytes, **options: Any) -> list[EvalTask]:  # noqa: ANN401
    """Return the evals of a file with these contents, whose suffix gives its kind."""
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    columns = ColumnNames(**options.pop("columns", {}))
    reading = records.RecordReading(columns, **options)
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    return list(records.read({"X": str(path)}, {"X": kind}, reading))


def texts(tasks: list[EvalTask]) -> list[tuple[str, dict[str, str], list[str]]]:
    """Return the evals' ids, peers and models as texts."""

    def text(source: str | Document | None) -> str:
        assert isinstance(source, Document)
        return source.data.decode()

    return [
        (
            task.eval_id,
            {
                system: text(prediction)
                for system, prediction in task.predictions.items()
            },
            [text(reference) for _, reference in task.references],
        )
        for task in tasks
    ]


def lines(*values: object) -> str:
    """Format values as jsonl; None is a blank line."""
    return "".join(
        "\n" if value is None else f"{json.dumps(value)}\n" for value in values
    )


def table(delimiter: str, *rows: tuple[str, ...]) -> str:
    """Format rows as csv or tsv."""
    from io import StringIO

    out = StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue()


def of_kind(kind: str, *rows: dict[str, Any]) -> str:
    """Format records as a file of a kind; a list is JSON in a cell of a table."""
    if kind in ("json", "jsonl"):
        return lines(*rows) if kind == "jsonl" else json.dumps(rows)
    cells = [
        tuple(
            value if isinstance(value, str) else json.dumps(value)
            for value in row.values()
        )
        for row in rows
    ]
    return table({"csv": ",", "tsv": "\t"}[kind], tuple(rows[0]), *cells)


def test_a_record_is_an_eval(tmp_path: Path) -> None:
    """A line of jsonl is an eval: its peer, its models by number, and the line as
    the place of all.
    """
    path = tmp_path / "a.jsonl"
    (task,) = read(path, "\n" + lines({"id": "e", "hyp": "a", "refs": ["b", "c"]}))
    where = f"{path}:2"

    assert (
        EvalTask(
            "e", {"X": Document(b"a", where)},
            [("1", Document(b"b", where)), ("2", Document(b"c", where))], "spl", where,
        )
        == task
    )  # fmt: skip


@tabled
@pytest.mark.parametrize("kind", ["jsonl", "json", "csv", "tsv"])
def test_references_are_texts_lists_or_lists_of_sentences(
    kind: str, value: object, references: list[str], tmp_path: Path
) -> None:
    """A list is several references, a list in it one of several sentences; tables
    hold lists as JSON.
    """
    data = of_kind(kind, {"hyp": ["s", "t", "u"], "ref": value})

    ((_, predictions, references),) = texts(read(tmp_path / f"a.{kind}", data))
    assert ({"X": "s\nt\nu"}, references) == (predictions, references)


@given(
    pairs=st.lists(
        st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=3)),
        min_size=1,
        max_size=5,
    )
)
def test_texts_come_back(pairs: list[tuple[str, list[str]]]) -> None:
    """Any texts read back from every kind of file that Python's `json` and `csv`
    write.
    """
    rows = [
        {"id": str(number), "hyp": hyp, "ref": refs}
        for number, (hyp, refs) in enumerate(pairs)
    ]
    as_cells = [row | {"hyp": [row["hyp"]]} for row in rows]
    expected = [
        (str(number), {"X": hyp}, refs) for number, (hyp, refs) in enumerate(pairs)
    ]
    with TemporaryDirectory() as folder:
        for name, data in {
            "a.jsonl": "".join(
                f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows
            ),
            "a.json": json.dumps(rows, indent=1),
            "a.csv": of_kind("csv", *as_cells),
            "a.tsv": of_kind("tsv", *as_cells),
        }.items():
            assert expected == texts(read(Path(folder) / name, data)), name


@given(
    hyps=st.lists(
        TEXTS.filter(lambda text: not text.lstrip().startswith("[")),
        min_size=1,
        max_size=5,
    )
)
def test_cells_come_back(hyps: list[str]) -> None:
    """Any text in a cell reads back unchanged, with line ends and quotes."""
    with TemporaryDirectory() as folder:
        for delimiter, kind in ((",", "csv"), ("\t", "tsv")):
            data = table(delimiter, ("hyp", "ref"), *((hyp, "r") for hyp in hyps))
            cells = [
                predictions["X"]
                for _, predictions, _ in texts(read(Path(folder) / f"a.{kind}", data))
            ]
            assert hyps == cells


BATCH = [("1", "a b", ["c"]), ("2", "d", ["e", "f"])]


@pytest.mark.parametrize(
    "more",
    [{}, {"id": ["x", "y"]}, {"model_id": "M", "n": 2, "rouge_types": ["rouge1"]}],
)
def test_lists_of_predictions_and_references_are_columns(
    more: dict[str, Any], tmp_path: Path
) -> None:
    """A JSON object of evaluate's lists of predictions and references is an eval per
    prediction.
    """
    batch = {"predictions": ["a b", "d"], "references": ["c", ["e", "f"]], **more}
    tasks = read(tmp_path / "a.json", json.dumps(batch, indent=1))
    system = more.get("model_id", "X")

    assert [
        (more.get("id", "12")[place], {system: text}, refs)
        for place, (_, text, refs) in enumerate(BATCH)
    ] == texts(tasks)


def test_a_batch_is_scored_pair_by_pair(tmp_path: Path) -> None:
    """A batch has the scores that Google's scorer gives its pairs, not those of one
    long eval.
    """
    google = pytest.importorskip("rouge_score.rouge_scorer")
    batch = {
        "predictions": ["the cat sat", "a dog ran"],
        "references": ["the cat", "one dog ran off"],
    }
    tasks = read(tmp_path / "a.json", json.dumps(batch))
    scorer = google.RougeScorer(["rouge1"])
    pairs = zip(batch["references"], batch["predictions"], strict=True)

    assert [scorer.score(*pair)["rouge1"].fmeasure for pair in pairs] == [
        eval_result.score.f  # type: ignore[union-attr]
        for eval_result in rouge_cli.evaluate(tasks, "rouge1", dialect="google")
        .results[0]
        .evals
    ]


AMBIGUOUS = [
    (["a", "b"], ["c", "d"]),
    (["a", "b"], [["c"], ["d", "e"]]),
    (["a"], [["c", "d"]]),
]


@pytest.mark.parametrize(("prediction", "reference"), AMBIGUOUS)
@pytest.mark.parametrize("kind", ["jsonl", "json", "csv", "tsv"])
@pytest.mark.parametrize("names", [("predictions", "references"), ("hyp", "ref")])
def test_lists_of_one_length_are_not_guessed(
    names: tuple[str, str],
    kind: str,
    prediction: list[str],
    reference: list[Any],
    tmp_path: Path,
) -> None:
    """Lists of equal length are refused, and both readings are named: parts of one
    eval, or evals.
    """
    data = of_kind(kind, dict(zip(names, (prediction, reference), strict=True)))
    readings = (
        "either the sentences of one text, and its references, "
        f"or {len(prediction)} texts, each with its own references"
    )
    with pytest.raises(
        RougeError,
        match=f"are lists of {len(prediction)}: {readings}; .* --ref-lists sentences",
    ):
        read(tmp_path / f"a.{kind}", data)


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv"])
@tabled
def test_users_tell_what_lists_of_models_hold(
    lists: str, reference: object, expected: list[str], kind: str, tmp_path: Path
) -> None:
    """The option decides what a list of strings is: one reference, or several."""
    data = of_kind(kind, {"hyp": ["a", "b"], "ref": reference})
    ((_, predictions, references),) = texts(
        read(tmp_path / f"a.{kind}", data, columns={"lists": lists})
    )

    assert ({"X": "a\nb"}, expected) == (predictions, references)


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [(["a"], ["c"]), (["a"], [["c"]]), (["a", "b"], ["c"]), ("a", ["c"])],
)
def test_lists_that_mean_the_same_either_way_are_read(
    prediction: object, reference: object, tmp_path: Path
) -> None:
    """Lists of one text, and lists of different lengths, have one meaning and are
    read.
    """
    ((_, predictions, references),) = texts(
        read(tmp_path / "a.jsonl", lines({"hyp": prediction, "ref": reference}))
    )

    assert (
        {"X": "\n".join(prediction)}
        if isinstance(prediction, list)
        else {"X": prediction},
        ["c"],
    ) == (
        predictions,
        references,
    )


@tabled
def test_columns_and_ids(
    name: str,
    rows: list[Any],
    columns: dict[str, Any],
    expected: list[Any],
    tmp_path: Path,
) -> None:
    """Columns and ids are as each truth of the table says."""
    data = of_kind(name.rpartition(".")[2], *rows)

    assert [*map(tuple, expected)] == texts(
        read(tmp_path / name, data, columns=columns)
    )


@pytest.mark.parametrize(
    "name",
    [
        "messages.2.content",
        "messages.x",
        "messages.0.content.0",
        "messages.",
        "nothing.at.all",
        ".",
    ],
)
def test_nested_names_that_lead_nowhere(name: str, tmp_path: Path) -> None:
    """A nested name without a value is missing like any other column, in any record."""
    row = {"messages": [{"content": "q"}], "ref": "r"}
    for rows in ([row], [{name: "here", **row}, row]):
        with pytest.raises(
            RougeError, match=f"no column {name!r}; there are messages, ref"
        ):
            read(tmp_path / "a.jsonl", lines(*rows), columns={"predictions": [name]})


def test_one_response_of_several_is_chosen(tmp_path: Path) -> None:
    """A list of several responses, as lm-eval's, is not read as sentences."""
    row = {"doc_id": 0, "target": "r", "filtered_resps": ["a", "b"]}
    with pytest.raises(
        RougeError,
        match="'filtered_resps' contains 2 responses; choose one: --pred-column",
    ):
        read(tmp_path / "a.jsonl", lines(row))


def test_places_in_json_are_lines(tmp_path: Path) -> None:
    """A record of an array has the line where it begins, and a single object is one
    record.
    """
    tasks = read(
        tmp_path / "a.json",
        '\n[\n {"hyp": "a",\n "ref": "b"} ,\n\n {"hyp": "c", "ref": "d"}\n]\n',
    )
    assert [f"{tmp_path}/a.json:3", f"{tmp_path}/a.json:6"] == [
        task.where for task in tasks
    ]

    (task,) = read(tmp_path / "a.json", '\n{"hyp": "a", "ref": "b"}')
    assert ("1", f"{tmp_path}/a.json:2") == (task.eval_id, task.where)


GOOD = {"id": 1, "hyp": "a", "ref": "b"}


@pytest.mark.parametrize(
    "wish", [ColumnNames(predictions=("",)), ColumnNames(references=("",))]
)
def test_a_column_without_a_name_is_missing(wish: ColumnNames, tmp_path: Path) -> None:
    """With an empty name, a peer's or model's column is missing."""
    (tmp_path / "x.jsonl").write_text('{"prediction": "a", "reference": "a"}\n')

    paths = {"x": str(tmp_path / "x.jsonl")}
    with pytest.raises(
        RougeError, match="no column ''; there are prediction, reference"
    ):
        list(records.read(paths, {"x": "jsonl"}, records.RecordReading(wish)))


def test_several_bad_records_are_one_error(tmp_path: Path) -> None:
    """Up to ten bad records of a file are one error, even with good ones between
    them.
    """
    data = lines(GOOD) + "".join(
        "{\n" + lines(GOOD | {"id": n, "hyp": n}) for n in range(9)
    )
    with pytest.raises(ErrorGroup) as caught:
        read(tmp_path / "a.jsonl", data)

    assert 10 == len(caught.value.errors)
    assert [f"{tmp_path}/a.jsonl:{n}" for n in (3, 5, 7, 9, 11)] == [
        error.where for error in caught.value.errors[1::2]
    ]


@given(st.lists(st.integers(), max_size=6), st.integers(0, 7), st.integers(0, 7))
def test_what_was_looked_at_is_still_taken(
    items: list[int], taken: int, seen: int
) -> None:
    """Looking ahead takes nothing: it shows the next items, which come afterwards, each
    once and in order.
    """
    read = Lookahead(items)
    before = list(islice(read, taken))
    ahead = list(islice(read.ahead(), seen))

    assert items == [*before, *read]
    assert items[taken : taken + seen] == ahead


def test_evals_come_before_the_files_end(tmp_path: Path) -> None:
    """A stream yields its first eval before a later error is raised."""
    (tmp_path / "a.jsonl").write_bytes(lines(GOOD).encode() + b"{\n" * 9)
    tasks = records.read(
        {"X": str(tmp_path / "a.jsonl")},
        kinds={"X": "jsonl"},
        reading=records.RecordReading(),
    )

    assert "1" == next(tasks).eval_id
    with pytest.raises(ErrorGroup):
        next(tasks)


def test_files_may_be_compressed_and_encoded(tmp_path: Path) -> None:
    """Suffix and encoding apply to records too."""
    data = gzip.compress("hyp,ref\né,ü\n".encode("utf-16"))

    assert [("2", {"X": "é"}, ["ü"])] == texts(
        read(tmp_path / "a.csv.gz", data, encoding="utf-16")
    )


def of_two(
    folder: Path, a: list[Any], b: list[Any], ids: str | None = None
) -> list[EvalTask]:
    """Return the evals of two jsonl files, the systems A and B."""
    (folder / "A").write_text(lines(*a))
    (folder / "B").write_text(lines(*b))
    paths = {name: str(folder / name) for name in "AB"}
    return list(
        records.read(
            paths,
            kinds=dict.fromkeys("AB", "jsonl"),
            reading=records.RecordReading(ColumnNames(ids)),
        )
    )


@tabled
def test_files_are_systems(
    a: list[Any], b: list[Any], ids: str | None, expected: list[Any], tmp_path: Path
) -> None:
    """Records of two files are matched as each truth of the table says."""
    assert [*map(tuple, expected)] == texts(of_two(tmp_path, a, b, ids))


@tabled
def test_files_must_match(
    a: list[Any], b: list[Any], where: str, message: str, tmp_path: Path
) -> None:
    """Files that do not match are refused as each truth of the table says."""
    with pytest.raises(RougeError, match=message.format(tmp_path)) as caught:
        of_two(tmp_path, a, b)

    assert f"{tmp_path}/{where}" == caught.value.where


def test_all_files_are_looked_for(tmp_path: Path) -> None:
    """All files that cannot be read are named in one error, and stdin is allowed
    once.
    """
    paths = {"A": f"{tmp_path}/a", "B": f"{tmp_path}/b"}
    with pytest.raises(ErrorGroup) as caught:
        list(
            records.read(
                paths,
                kinds=dict.fromkeys(paths, "csv"),
                reading=records.RecordReading(),
            )
        )
    assert list(paths.values()) == [error.where for error in caught.value.errors]
    assert all(isinstance(error, UnreadableFile) for error in caught.value.errors)

    with pytest.raises(UsageError, match="named twice"):
        next(
            records.read(
                {"A": "-", "B": "-"},
                kinds={"A": "csv", "B": "csv"},
                reading=records.RecordReading(),
            )
        )


@pytest.mark.parametrize("kind", ["csv", "tsv"])
@pytest.mark.parametrize("is_compiled", [True, False])
@pytest.mark.parametrize("cell", sorted(record_cells.MISSING))
def test_missing_texts_are_empty(
    cell: str,
    is_compiled: bool,
    kind: str,
    tmp_path: Path,
    monkeypatch: Any,  # noqa: ANN401
) -> None:
    """A cell that pandas writes for a missing text is an empty one, and a single notice
    has the number, with compiled code and without.
    """
    if not is_compiled:
        monkeypatch.setattr(twins, "extension", lambda: None)
    rows = [("a", "b"), (cell, "c"), ("d", cell), ("none", "NA")]
    header = ("hyp", "ref")
    notices: list[Notice] = []
    read_cells = read(
        tmp_path / f"a.{kind}",
        table({"csv": ",", "tsv": "\t"}[kind], header, *rows),
        notify=notices.append,
    )

    assert [({"X": "a"}, ["b"]), ({"X": ""}, ["c"]), ({"X": "d"}, [""])] == [
        (hyp, refs) for _, hyp, refs in texts(read_cells)[:3]
    ]
    assert ({"X": "none"}, ["NA"]) == texts(read_cells)[3][1:]
    (notice,) = notices
    assert (
        f"2 cells stand for missing texts, and are read as empty (first {cell!r} in"
        in (notice.message)
    )


def test_records_of_json_keep_words_like_missing_ones(tmp_path: Path) -> None:
    """In jsonl, whose missing texts are null, "None" is a word."""
    notices: list[Notice] = []
    data = lines({"hyp": "None", "ref": "nan"})
    (task,) = read(tmp_path / "a.jsonl", data, notify=notices.append)

    assert [("1", {"X": "None"}, ["nan"])] == texts([task])
    assert not notices
