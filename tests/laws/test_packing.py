"""The compiled readers of plain jsonl, tables and lines compared with Python's own."""

import csv
import io
import json
import pickle
import tracemalloc
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli import native, twins
from rouge_cli.core import EvalTask
from rouge_cli.errors import ErrorGroup, RougeError
from rouge_cli.io import files
from rouge_cli.native import inputs
from rouge_cli.runs import assembly, evaluation, parallel
from rouge_cli.tasks import cells, containers, records
from rouge_cli.tasks import lines as aligned_lines
from rouge_cli.tasks.kinds import jsonl
from rouge_cli.tasks.kinds import parquet as parquet_kind
from rouge_cli.tasks.streams import Batch

_compiled: Any = native.extension()
if _compiled is None:
    pytest.skip("nothing was compiled", allow_module_level=True)

NAMES = ["a", "b", "id", "\u00e9", 'x"y']
_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_numbers = st.integers(-(10**17), 10**17) | st.floats(
    allow_nan=False, allow_infinity=False
)
_scalars = _texts | _numbers | st.none() | st.booleans()
_values = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=4
)
_records = st.dictionaries(st.sampled_from(NAMES) | _texts, _values, max_size=6)
_references = _texts | st.lists(_texts, min_size=1, max_size=3)
_names = _texts | st.integers(-(10**17), 10**17)


@st.composite
def _lines(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """Generate a record with the columns a (of models), b (of peers) and id, and a
    line of it.
    """
    record = {
        **draw(_records),
        "a": draw(_references),
        "b": draw(_texts),
        "id": draw(_names),
    }
    gap = draw(st.sampled_from(["", " ", "\t"]))
    separators = (f"{gap},{gap}", f"{gap}:{gap}")
    names = draw(st.permutations(list(record)))
    line = json.dumps(
        {name: record[name] for name in names},
        ensure_ascii=draw(st.booleans()),
        separators=separators,
    )
    return record, line + draw(st.sampled_from(["", " ", "\r"]))


def _read(line: bytes) -> tuple[tuple[str, bytes, list[bytes]] | None, Any]:
    """Return the ID and the texts that the compiled reader reads, and the record
    that Python reads.
    """
    assert _compiled
    parsed = next(jsonl.parse([(1, line)], "f")).record
    texts, end, number = _compiled.PlainRecords("b", "a", "id", reads_lists=True).read(
        line, 0, 1
    )
    if not texts:
        assert (end, number) == (0, 1) or line.isspace()
        return None, parsed
    assert (end, number, texts.lines()) == (len(line), 2, [1])
    _, prediction, *references = texts.row(0)
    return (texts.ids()[0], prediction, references), parsed


def _expected(record: dict[str, Any]) -> tuple[str, bytes, list[bytes]]:
    references = record["a"] if isinstance(record["a"], list) else [record["a"]]
    name = record["id"] if isinstance(record["id"], str) else json.dumps(record["id"])
    return name, record["b"].encode(), [reference.encode() for reference in references]


@pytest.mark.parametrize("eval_id", ["id", ""])
@pytest.mark.parametrize("places", [["f"], ["f", "g", "h"]])
def test_packed_evals_are_sent_to_other_processes(
    eval_id: str, places: list[str]
) -> None:
    """Unpickled evals are the same, and still packed if there is compiled code."""
    lines = (
        b'{"id": "\xc3\xa9", "b": "x y", "a": ["z", "\xc3\xa9"]}\n{"id": 7, "b": "",'
        b' "a": ["x", "q"]}\n'
    )
    reader = _compiled.PlainRecords("b", "a", eval_id, reads_lists=True)
    tasks = inputs.PackedTasks(reader.read(lines, 0, 3)[0], ["system"], places)
    sent = pickle.dumps(tasks)

    assert isinstance(pickle.loads(sent), inputs.PackedTasks)  # noqa: S301 - our own
    assert list(tasks) == list(pickle.loads(sent))  # noqa: S301
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twins, "extension", lambda: None)
        assert list(tasks) == pickle.loads(sent)  # noqa: S301


def test_machines_get_several_packed_chunks_at_once() -> None:
    """Groups keep the order of chunks, and end after a chunk that is not packed."""
    packed = [
        inputs.PackedTasks(_compiled.plain_texts([], False, 1, []), [], [])  # noqa: FBT003
        for _ in range(20)
    ]
    chunks: list[Any] = [*packed, [], *packed[:2]]
    groups = list(parallel.grouped(chunks))

    assert [16, 5, 2] == list(map(len, groups))
    assert all(
        chunk is other for chunk, other in zip(chunks, chain(*groups), strict=True)
    )


@given(_lines())
def test_plain_lines_are_read(drawn: tuple[dict[str, Any], str]) -> None:
    """The compiled reader reads every record without objects unless surrogates are
    escaped in it.
    """
    record, line = drawn
    read, parsed = _read(line.encode())

    assert record == parsed
    if "\\ud" not in line:
        assert read == _expected(record)


@pytest.mark.parametrize("control", ["\x00", "\x01", "\t", "\x1f"])
def test_a_control_character_in_a_string_is_left_to_python(control: str) -> None:
    """JSON has no raw control characters: Python reads a line with one, whatever
    stands around it.
    """
    for place in range(17):
        text = "ABCDEFGHIJKLMNOPQ 12345678 ABCDEFGH"
        line = f'{{"id": "", "a": "x", "b": "{text[:place]}{control}{text[place:]}"}}'.encode()
        texts, end, number = _compiled.PlainRecords(
            "b", "a", "id", reads_lists=True
        ).read(line, 0, 1)
        assert (0, 0, 1) == (len(texts), end, number)


@given(_lines(), st.data())
@example(({}, '{"id": "", "a": "x", "b": "y", "b": "z"}'), None)
@example(({}, '{"id": "", "a": "x", "b": "y", "c": "z", "\\u0063": "z"}'), None)
@example(({}, '{"id": "", "a": "x", "b": "y", "c": {"d": 1, "d": 2}}'), None)
@example(({}, '{"id": "", "a": "x", "b": "\\ud83d"}'), None)
@example(({}, '{"id": "", "a": "x", "b": "y",}'), None)
@example(({}, '{"id": "", "a": "x", "b": "y"} {}'), None)
@example(({}, '{"id": "", "a": "x", "b": NaN}'), None)
@example(({}, '{"id": "", "a": "x\ty", "b": "y"}'), None)
@example(({}, '{"id": "", "a": "x", "b": "\\u+123"}'), None)
@example(({}, '{"id": "", "a": "x", "b": "y\t}'), None)
@example(({}, '{"id": "", "a": "x", "b": "y\\q}'), None)
@example(({}, '{"id": "", "a": "x", "b": "y\\\0"}'), None)
@example(({}, '{"id": "", "a": "x", "b": "y", "c": [01}'), None)
@example(({}, '{"id": "", "a": [], "b": "y"}'), None)
@example(({}, '{"id": "", "a": ["x",], "b": "y"}'), None)
@example(({}, '{"id": "\\q12, "a": "x", "b": "y"}'), None)
@example(({}, '{"id": -0, "a": "x", "b": "y"}'), None)
@example(({}, '{"id": 1.0, "a": "x", "b": "y"}'), None)
@example(({}, '{"id": 007, "a": "x", "b": "y"}'), None)
@example(({}, '{"id": 1, "a": "x", "b": "y", "c": 01}'), None)
@example(({}, '{"id": 1, "a": "x", "b": "y", "c": 1.}'), None)
@example(({}, '{"id": 1, "a": "x", "b": "y", "c": -}'), None)
@example(({}, '{"id": 1, "a": "x", "b": "y", "c": 1e}'), None)
@example(({}, '{"id": 1, "a": "x", "b": "y", "c": [1,]}'), None)
@example(({}, '{"id": 1, "a": "x", "b": "y", "c": nul}'), None)
@example(({}, '{"id": 1, "a": "x", "b": "y", "c": ' + "9" * 5000 + "}"), None)
@example(
    ({}, '{"id": 1, "a": "x", "b": "y", "c": ' + "[" * 3000 + "]" * 3000 + "}"), None
)
def test_no_damaged_line_is_read_otherwise(
    drawn: tuple[dict[str, Any], str], data: st.DataObject | None
) -> None:
    """Whatever the compiled reader reads of a damaged line, Python reads the same."""
    _, line = drawn
    if data is not None:
        at = data.draw(st.integers(0, len(line)))
        size = data.draw(st.integers(0, 3))
        line = (
            line[:at]
            + data.draw(st.text('{}[]",:\\uend0 1.-\x00\x1f', max_size=3))
            + line[at + size :]
        )
    read, parsed = _read(line.encode())

    if read is not None:
        assert not isinstance(parsed, RougeError)
        assert read == _expected(parsed)


_ids = st.none() | st.integers(0, 3).map(str)
CUT = "x " + "\u00e9" * 12  # the tokenizer drops most of its letters
_short = st.sampled_from(["", "a", "b c", "a b. c\nd", CUT, "don't", '"', "7 $"])
_plain = st.fixed_dictionaries({"hyp": _short, "ref": _short}).map(json.dumps)
_lists = st.lists(_short, max_size=2) | st.just([["a", "b"], ["x"]])
_other = st.fixed_dictionaries({"hyp": _short, "ref": _lists}).map(json.dumps)
_good = st.one_of(_plain, _plain, _plain, _plain, _other, st.sampled_from(["", " \r"]))
_bad = st.sampled_from(["{", '{"hyp": 1, "ref": ""}', "[]"])
_files = st.lists(_good, max_size=30) | st.lists(_good | _bad, max_size=30)


@st.composite
def _with_ids(draw: st.DrawFn) -> list[str]:
    """Generate the lines of a file whose records may have IDs, some of them twice."""
    lines = draw(_files)
    if not draw(st.booleans()):
        return lines
    ids = draw(st.permutations(range(40)))
    doubled = draw(st.booleans())
    return [
        line.replace(
            '"hyp"', f'"id": "{7 if doubled and number == 20 else ids[number]}", "hyp"'
        )
        for number, line in enumerate(lines)
    ]


def _outcome(read: Callable[[], Iterable[EvalTask]], **options: Any) -> Any:  # noqa: ANN401 - of `evaluate`
    """Return a run's results, its notices, and its errors."""
    notices: list[str] = []
    try:
        run = rouge_cli.evaluate(
            read(),
            "R1,RL",
            samples=0,
            notify=lambda notice: notices.append(notice.message),
            **options,
        )
    except ErrorGroup as group:
        return sorted(map(str, group.errors))
    except RougeError as error:
        return str(error)
    return [*run.results], run.signature, run.details, notices


def _assert_packed_as_single(
    read: Callable[[], Iterable[EvalTask]], size: int, systems: list[str] | None
) -> None:
    """Compare packed evals, by one worker and by two, with those that Python reads
    one by one.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "PIECE", size)
        patch.setattr(evaluation, "FEW", 2)
        packed = [_outcome(read, systems=systems, jobs=jobs) for jobs in (1, 2)]
        patch.setattr(
            parallel, "WORTH_THREADS", 9
        )  # fewer texts are scored by one worker
        packed.append(_outcome(read, systems=systems, jobs=2))
        patch.setattr(twins, "extension", lambda: None)
        single = _outcome(read, systems=systems)

    assert packed == [single, single, single]


ONE = '{"id": "o", "hyp": "x b", "ref": ["b", "a", "x"]}'
TWO = '{"id": "t", "hyp": "x b", "ref": [["b"], ["x"]]}'


def _records_of(*texts: str) -> list[str]:
    return [
        json.dumps({"id": str(n), "hyp": text, "ref": f"a x {n}"})
        for n, text in enumerate(texts)
    ]


@example(_records_of(CUT, CUT, "a", "b"), 1 << 17, None)
@example(_records_of("a", "", "", "x 3", CUT, "", "5 a", "6"), 1 << 17, None)
@example(
    [*_records_of("a", "b", "c", "d"), _records_of("x")[0], *_records_of("x", "y")],
    1 << 17,
    None,
)
@example([*_records_of("a", "b", "c", "d", "e"), _records_of("x")[0]], 100, None)
@example(["[]", *_records_of("a", "b", "c"), "{}"], 7, None)
@example([ONE, *_records_of("a", "b"), ONE.replace("o", "p"), ""], 1 << 17, ["T", "S"])
@example(
    [TWO, *_records_of("a", "b", "c")[1:], TWO.replace("t", "u")], 1 << 17, ["T", "S"]
)
@given(
    _with_ids(),
    st.sampled_from([7, 100, 1 << 17]),
    st.sampled_from([None, ["S"], ["T", "S"]]),
)
def test_packed_evals_are_scored_as_single_ones(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[str],
    size: int,
    systems: list[str] | None,
) -> None:
    """Packed lines give the results, details, notices and errors of lines read one
    by one in Python.
    """
    path = tmp_path_factory.mktemp("packed") / "f.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
    _assert_packed_as_single(
        lambda: records.read(
            {"S": str(path)}, kinds={"S": "jsonl"}, reading=records.RecordReading()
        ),
        size,
        systems,
    )


_edits = st.lists(
    st.tuples(
        st.integers(0, 12), st.sampled_from([[], [""], [ONE], [TWO], _records_of("a")])
    ),
    max_size=2,
)
EIGHT = _records_of("a", "", "", "x 3", CUT, "", "5 a", "6")


@example(EIGHT, [], 100, ["S", "T"], {})
@example(EIGHT, [(5, [])], 100, None, {})
@example([*EIGHT, ""] * 2, [(0, [""])], 100, None, {"apart": True})
@example(
    [line.replace('"id"', '"n"') for line in ["", *EIGHT]], [(6, [])], 100, None, {}
)
@given(
    _with_ids(), _edits, st.sampled_from([7, 100, 1 << 17]),
    st.sampled_from([None, ["S"], ["S", "T"], ["T", "S"]]), st.sampled_from([{}, {"apart": True}]),
)  # fmt: skip
def test_files_read_in_step_are_scored_as_single_records(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[str],
    edits: list[tuple[int, list[str]]],
    size: int,
    systems: list[str] | None,
    options: dict[str, Any],
) -> None:
    """Files of systems give what their records give one by one, wherever a line
    first differs.
    """
    others = [line.replace('"hyp": "', '"hyp": "a ') for line in lines]
    for place, edited in edits:
        others[place : place + 1] = edited
    folder = tmp_path_factory.mktemp("step")
    paths = {"S": str(folder / "s"), "T": str(folder / "t")}
    for path, of_file in zip(paths.values(), (lines, others), strict=True):
        Path(path).write_text("\n".join(of_file), encoding="utf-8", newline="")
    kinds = dict.fromkeys(paths, "jsonl")
    _assert_packed_as_single(
        lambda: records.read(
            paths, kinds=kinds, reading=records.RecordReading(), **options
        ),
        size,
        systems,
    )


_of_systems = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["1", "2", "3", 4, "\u00e9"]),
        "system": st.sampled_from(["S", "T", "U", 7, "\u00e9"]),
        "hyp": _short,
        "ref": st.sampled_from(["a", "a b", CUT])
        | st.just(["a", "b"])
        | st.just([["a"]]),
    }
)


@st.composite
def _system_records(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Generate records with a column of systems; most are right: each system of an eval
    once, with the same references, perhaps without IDs, in any order.
    """
    records_ = draw(st.lists(_of_systems, max_size=20))
    if draw(st.integers(0, 9)):
        first: dict[object, dict[str, Any]] = {}
        by_key = {}
        for record in records_:
            ref = first.setdefault(str(record["id"]), record)["ref"]
            by_key[str(record["id"]), str(record["system"])] = {**record, "ref": ref}
        records_ = list(by_key.values())
    if not draw(st.integers(0, 3)):
        records_ = [{**record, "ref": "a"} for record in records_]
        for record in records_:
            del record["id"]
    return records_


@given(
    _system_records(),
    st.sampled_from(["jsonl", "csv"]),
    st.sampled_from([7, 100, 1 << 17]),
    st.sampled_from([None, ["S"], ["T", "S"]]),
    st.booleans(),
    st.booleans(),
)
def test_records_that_name_their_systems_are_scored_as_single_ones(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[dict[str, Any]],
    kind: str,
    size: int,
    systems: list[str] | None,
    apart: bool,
    is_pickled: bool,
) -> None:
    """Packed records with a column of systems are grouped as those that Python reads
    one by one, also when they were sent to another process.
    """
    out = io.StringIO(newline="")
    if kind == "csv":
        names = ["id", "system", "hyp", "ref"]
        writer = csv.DictWriter(out, names[rows[:1] != [] and "id" not in rows[0] :])
        writer.writeheader()
        for row in rows:
            ref = row["ref"]
            writer.writerow(
                {**row, "ref": json.dumps(ref) if isinstance(ref, list) else ref}
            )
    else:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    path = tmp_path_factory.mktemp("packed") / "f"
    path.write_text(out.getvalue(), encoding="utf-8", newline="")

    def read() -> Iterable[EvalTask]:
        stream = records.read(
            {"S": str(path)},
            kinds={"S": kind},
            reading=records.RecordReading(),
            apart=apart,
        )
        if not is_pickled:
            return stream
        return chain.from_iterable(
            pickle.loads(pickle.dumps(part)) if isinstance(part, Batch) else [part]  # noqa: S301 - our own
            for part in stream.parts
        )

    _assert_packed_as_single(read, size, systems)


@pytest.mark.parametrize("order", [1, -1])
def test_records_of_two_systems_are_packed(tmp_path: Path, order: int) -> None:
    """Compiled code groups consecutive or interleaved records of two systems, with a
    few that only Python reads.
    """
    path = tmp_path / "f.jsonl"
    lines = [
        json.dumps({"id": n, "system": name, "hyp": f"a {name}", "ref": "a b"})
        for name, n in sorted(product("ST", range(40)), key=lambda row: row[::order])
    ]
    lines[7] = lines[7].replace("{", '{"other": {}, ')
    path.write_text("\n".join(lines), encoding="utf-8")
    stream = records.read(
        {"x": str(path)}, kinds={"x": "jsonl"}, reading=records.RecordReading()
    )

    (part,) = stream.parts
    assert isinstance(part, inputs.GroupedTasks)
    assert (40, ["S", "T"]) == (len(part), part.systems)
    texts: Any = part[3].predictions.values()
    where = [part[3].where, *(text.where for text in texts)]
    numbers = [4, 4, 44] if order == 1 else [7, 7, 8]
    assert [f"{path}:{number}" for number in numbers] == where
    assert part.where(3) == where[0]


def test_evals_of_several_files_are_packed(tmp_path: Path) -> None:
    """Compiled code scores what several files have in common, with the texts of all
    systems.
    """
    paths = {name: str(tmp_path / name) for name in "STU"}
    for path in paths.values():
        Path(path).write_text("\n".join([*EIGHT, ""]), encoding="utf-8")
    stream = records.read(
        paths, kinds=dict.fromkeys(paths, "jsonl"), reading=records.RecordReading()
    )

    (part,) = stream.parts
    assert isinstance(part, inputs.PackedTasks)
    assert (8, ["S", "T", "U"]) == (len(part), part.systems)


def test_only_ids_are_kept_of_what_was_read(tmp_path: Path) -> None:
    """Files of systems without IDs are streamed, and an ID is one string for all who
    keep it.
    """
    paths = {name: str(tmp_path / name) for name in "ST"}
    for path in paths.values():
        Path(path).write_text('{"hyp": "a", "ref": "b"}\n' * 60_000, encoding="utf-8")
    parts = records.read(
        paths, kinds=dict.fromkeys(paths, "jsonl"), reading=records.RecordReading()
    ).parts
    sizes = []
    tracemalloc.start()
    for part in parts:
        assert isinstance(part, inputs.PackedTasks)
        assert part.ids is part.ids
        del part
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()

    assert len(sizes) > 2
    assert sizes[-1] < sizes[0] + (1 << 22)


_cells = st.lists(
    st.sampled_from(
        [
            "a",
            "b c",
            "[",
            "[]",
            '["a", "b"]',
            '"',
            ",",
            "\t",
            "\n",
            "\r",
            "\u3000",
            "\u00a0",
            CUT,
        ]
    ),
    max_size=3,
).map("".join)
_tables = st.lists(st.tuples(_cells, _cells, _cells), max_size=12)
_HEADS = ["id,hyp,ref", "ref_1,hyp,ref_2", "hyp,x,reference"]


@example(
    [("1", "a", "a b"), ("2", "b", ""), ("3", "c", "c")],
    ",",
    "\n",
    _HEADS[1],
    None,
    1 << 17,
)
@example(
    [("1", "a\nb", "a"), ("2", 'b"c', "b"), ("3", "c", "\u3000[1]"), ("4", "d", "d")], ",", "\r\n",
    _HEADS[0], None, 9,
)  # fmt: skip
@example(
    [("1", "a", "a"), ("2", "b", "b"), ("1", "c", "c")], "\t", "\n", _HEADS[0], None, 9
)
@example(
    [("1", "a", "a"), ("2", "b", "b"), ("3", "c", "c")],
    ",",
    "\n",
    _HEADS[0],
    (20, '"'),
    1 << 17,
)
@example(
    [("1", "a", "a"), ("2", "b", "b"), ("3", "c", "c")],
    ",",
    "\n",
    _HEADS[0],
    (20, ","),
    1 << 17,
)
@example(
    [("1", "a", "a"), ("2", "b", "b"), ("3", "c", "c")],
    ",",
    "\n",
    _HEADS[0],
    (3, "\r"),
    1 << 17,
)
@example(
    [("1", "a", "a"), ("2", "b", "b"), ("3", "c", "c")],
    ",",
    "\n\n",
    _HEADS[0],
    (0, " \n"),
    1 << 17,
)
@example(
    [("1", "a", "a"), ("2", "b", "b"), ("3", "c", "c")],
    ",",
    "\n",
    _HEADS[1],
    (0, "\n\n\n"),
    1,
)
@example(
    [("1", "a", "a"), ("2", "b", "b"), ("3", "c", "c")],
    ",",
    "\n",
    "ref_1,hyp,\0",
    (0, "\n\n\n"),
    40,
)
@given(
    _tables, st.sampled_from(",\t"), st.sampled_from(["\n", "\r\n"]), st.sampled_from(_HEADS),
    st.none() | st.tuples(st.integers(0, 60), st.sampled_from(['"', ",", "\t", "\n", "\r", "\0", " "])),
    st.sampled_from([5, 40, 1 << 17]),
)  # fmt: skip
def test_packed_rows_of_tables_are_scored_as_single_ones(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str, str]],
    delimiter: str,
    end: str,
    head: str,
    damage: tuple[int, str] | None,
    size: int,
) -> None:
    """Packed rows give the results, details, notices and errors of rows read one by
    one, damaged or not.
    """
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    text = (
        head.replace(",", delimiter) + end + out.getvalue()
    )  # Python writes NUL only since 3.11
    if damage is not None:
        at, wrong = damage
        text = text[:at] + wrong + text[at:]
    path = tmp_path_factory.mktemp("packed") / "f"
    path.write_text(text, encoding="utf-8", newline="")
    kind = {",": "csv", "\t": "tsv"}[delimiter]
    _assert_packed_as_single(
        lambda: records.read(
            {"S": str(path)}, kinds={"S": kind}, reading=records.RecordReading()
        ),
        size,
        None,
    )


@pytest.mark.parametrize(
    "damaged",
    [
        b"hyp,ref\na,a\n" + b"a\n" * 15 + b"a,\xff\n", b'hyp,ref\na,a\na,"b"cc\na,a\na,a\n' + b"a,\xff\n",
        b'hyp,ref\na,a\n"a\nb,c\n' + b"a,\xff\n", b"id,hyp,ref\n" + b"1,a,[b]\n" * 2 + b"2,a,\xff\n",
    ],
)  # fmt: skip
def test_rows_are_read_before_a_later_block(tmp_path: Path, damaged: bytes) -> None:
    """An error in a row comes before one in a block behind it."""
    path = tmp_path / "f.csv"
    path.write_bytes(damaged)
    _assert_packed_as_single(
        lambda: records.read(
            {"S": str(path)}, kinds={"S": "csv"}, reading=records.RecordReading()
        ),
        9,
        None,
    )


@pytest.mark.parametrize(
    ("cell", "is_plain"),
    [
        ("", True), ("abc", True), ("abc[", True), ("a [", True), ("\u200b[", True), ("\u2010[", True),
        ("[", False), (" [", False), ("\u2000[", False), ("\u200a [", False), ("\u3000\u00a0[", False),
        *((cell, False) for cell in sorted(cells.MISSING)),
        *((cell, True) for cell in ("none", "NA", "null", "N/A", " nan", "nan ", "nanny", "NAN")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_plain_rows_are_read(cell: str, is_plain: bool, end: str) -> None:
    """A cell is left to Python only if it may be a list or stands for a missing text; a
    last row needs no line end, and lines count.
    """
    names, row = b"hyp,ref\n", f'{cell},"b\n"{end}'.encode()
    texts, stop, number = _compiled.PlainTable(",", 2, 0, [1], 2).read(
        names + row, 0, 1
    )
    read = (len(names + row), 4, [2]) if is_plain else (len(names), 2, [])
    assert read == (stop, number, texts.lines())
    if is_plain:
        assert [cell.encode(), b"b\n"] == texts.row(0)


def test_the_rest_of_a_stream_is_scored(tmp_path: Path) -> None:
    """Evals that were taken from a stream are not scored, but all others are."""
    path = tmp_path / "f"
    path.write_text("a\nb\n" * 20, encoding="utf-8")
    stream = aligned_lines.read({"S": str(path)}, [str(path)])
    assert next(stream).eval_id == "1"

    report = rouge_cli.evaluate(stream, "R1", samples=0)

    assert report.details["evals"] == 39


_aligned = st.lists(st.sampled_from(["", "a", "b c", CUT, "a\r", "\r"]), max_size=8)


@example([["a", ""] * 1025] * 4, [True] * 4, None, 1 << 17)
@example(
    [["a", "b", CUT], ["a", "b", "c"], [CUT, "b", "c"], ["", "b", "c"]],
    [True] * 4,
    None,
    1 << 17,
)
@example(
    [["a", "b", "c"], ["a", "", "c"], ["a", "b", "c"], ["a", "b", "c"]],
    [False] * 4,
    ["B", "A"],
    7,
)
@example(
    [["a", "b", "c"], ["a", "", "c"], ["a", "b", "c"], ["a", "b"]], [True] * 4, None, 5
)
@given(
    st.lists(_aligned, min_size=4, max_size=4)
    | st.integers(1, 8).flatmap(
        lambda size: st.lists(
            _aligned.map(lambda texts: (texts * 8 or [""] * 8)[:size]),
            min_size=4,
            max_size=4,
        )
    ),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.sampled_from([None, ["A"], ["A", "B"], ["B", "A"], ["C", "A"]]),
    st.sampled_from([5, 1 << 17]),
)
def test_packed_lines_of_files_are_scored_as_single_ones(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[list[str]],
    ends: list[bool],
    systems: list[str] | None,
    size: int,
) -> None:
    """Packed lines of two systems and two files of models are scored as those read
    one by one.
    """
    folder = tmp_path_factory.mktemp("packed")
    paths = [str(folder / name) for name in "abcd"]
    for path, of_file, ended in zip(paths, texts, ends, strict=True):
        Path(path).write_text(
            "\n".join(of_file) + "\n" * ended, encoding="utf-8", newline=""
        )
    hyps = dict(zip("AB", paths[:2], strict=True))
    _assert_packed_as_single(lambda: aligned_lines.read(hyps, paths[2:]), size, systems)


def test_escapes_are_those_of_json() -> None:
    """Escaped characters and pairs of halves are read as json reads them; halves are
    left to json.
    """
    halves = [
        "\ud7ff",
        "\ud800",
        "\ud83d",
        "\udbff",
        "\udc00",
        "\ude00",
        "\udfff",
        "\ue000",
        "u",
        "\n",
    ]
    wrong = []
    for characters in (
        *map(chr, range(1 << 16)),
        *map("".join, product(halves, repeat=3)),
    ):
        line = b'{"b": %s, "a": "x"}' % json.dumps(characters).encode()
        meant = json.loads(line)["b"]
        texts = _compiled.PlainRecords("b", "a", "", reads_lists=True).read(line, 0, 1)[
            0
        ]
        has_half = any("\ud800" <= character <= "\udfff" for character in meant)
        if ([] if has_half else [meant.encode()]) != (
            texts.row(0)[:1] if len(texts) else []
        ):
            wrong.append(characters)

    assert [] == wrong


_strings = st.text(max_size=6) | st.sampled_from(["a b", CUT, "x\ny", "\ud83d", "\0"])
_of_evals = st.lists(
    st.tuples(
        _strings,
        _strings,
        _strings | st.lists(_strings, max_size=2) | st.just(("a", "b")) | st.none(),
    ),
    max_size=5,
)


@example([("\ud83d", "a", ["b", CUT]), ("", CUT, "x")], ["\xe9", "\ud83d"])
@given(_of_evals, st.none() | st.lists(_texts, min_size=5, max_size=5, unique=True))
def test_strings_in_memory_are_packed_as_they_are_read_one_by_one(
    evals: list[tuple[str, str, Any]], ids: list[str] | None
) -> None:
    """Evals of strings are the same with compiled code and without, whole, in part,
    and if refused.
    """

    def read() -> Any:  # noqa: ANN401 - evals or an error
        given = None if ids is None else ids[: len(evals)]
        predictions, others, references = (
            (list(side) for side in zip(*evals, strict=True)) if evals else ([],) * 3
        )
        try:
            tasks = containers.tasks({"A": predictions, "B": others}, references, given)
        except RougeError as error:
            return str(error)
        return [
            list(tasks),
            *(list(tasks[start:end]) for start in range(4) for end in (-1, 2, 9)),
            tasks[::-1],
        ]

    packed = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twins, "extension", lambda: None)
        assert packed == read()


def test_calls_of_one_set_up_do_not_know_of_each_other() -> None:
    """A repeated call, from several threads too, gives what the first one gave, with
    its warnings.
    """
    texts = {
        "plain": "a b c. d",
        "marked": "a<q>b",
        "cut": CUT,
        "nul": "a\0b",
        "words": " ".join(map(str, range(51_000))),
    }

    def outcome(text: str, dialect: Any) -> Any:  # noqa: ANN401 - as a dialect's name
        notices: list[str] = []
        notify = lambda notice: notices.append(notice.message)  # noqa: E731
        report = rouge_cli.score(
            [text, "b"], ["a b c", text], dialect=dialect, notify=notify
        )
        rows = rouge_cli.score_rows(
            [text, "b"], ["a b c", text], dialect=dialect, notify=notify
        )
        return [*report.results], report.signature, report.details, rows, notices

    calls = [
        (text, dialect) for dialect in ("rouge155", "google") for text in texts.values()
    ]
    first = []
    for call in calls:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(assembly, "_KEPT", {})
            first.append(outcome(*call))
    with ThreadPoolExecutor(4) as pool:
        assert first * 6 == list(pool.map(outcome, *zip(*calls * 6, strict=True)))


_texts_or_none = st.sampled_from(["", "a", "b c", CUT, "\u00e9", "a b", "a c", None])
_types = st.sampled_from(["string", "large_string", "dictionary", "binary"])


@st.composite
def _arrow_tables(draw: st.DrawFn) -> dict[str, tuple[list[Any], str]]:
    """Generate columns of a table: values, and the name of their type."""
    size = draw(st.integers(1, 12))

    def values(of: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(of, min_size=size, max_size=size))

    usual = st.sampled_from(["a", "b c", "a b", CUT, "\u00e9"])
    texts = draw(st.sampled_from([usual, usual, _texts_or_none]))
    columns = {
        "hyp": (values(texts), draw(_types)),
        "ref": (values(texts), draw(_types)),
    }
    if draw(st.booleans()):
        lists = st.lists(texts, max_size=3) | st.none()
        kind = draw(st.sampled_from(["lists", "large lists", "lists of a dictionary"]))
        columns["ref"] = values(lists), kind
    if draw(st.booleans()):
        ids: list[Any] = draw(st.permutations(range(size)))
        kind = draw(st.sampled_from(["int64", "uint8", "string", "dictionary"]))
        columns["id"] = ids if "int" in kind else list(map(str, ids)), kind
    if draw(st.booleans()):
        columns["system"] = values(st.sampled_from(["S", "T"])), draw(_types)
    return columns


def _arrow_array(values: list[Any], kind: str) -> Any:  # noqa: ANN401 - of pyarrow
    import pyarrow as pa  # an extra

    lists = {"lists": pa.list_, "large lists": pa.large_list}
    if kind == "dictionary":
        return pa.array(values, pa.string()).dictionary_encode()
    if kind == "lists of a dictionary":
        return pa.array(values, pa.list_(pa.dictionary(pa.int32(), pa.string())))
    if kind in lists:
        return pa.array(values, lists[kind](pa.string()))
    return pa.array(values, getattr(pa, kind)())


@given(_arrow_tables(), st.integers(0, 3), st.sampled_from([3, 1 << 14]), st.booleans())
def test_packed_columns_are_scored_as_single_rows(
    tmp_path_factory: pytest.TempPathFactory,
    columns: dict[str, tuple[list[Any], str]],
    skipped: int,
    size: int,
    is_parquet: bool,
) -> None:
    """Columns of Parquet and Arrow of any type, also parts of larger ones, give what
    their rows give one by one.
    """
    pa = pytest.importorskip("pyarrow")
    from pyarrow import ipc, parquet  # an extra

    arrays = {name: _arrow_array(*column) for name, column in columns.items()}
    table = pa.table(arrays).slice(skipped)
    path = tmp_path_factory.mktemp("packed") / "f.parquet"
    if is_parquet:
        parquet.write_table(table, path, row_group_size=5)
    else:
        with ipc.new_file(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_kind, "_ROWS", size)
        _assert_packed_as_single(
            lambda: records.read(
                {"S": str(path)},
                kinds={"S": "parquet"},
                reading=records.RecordReading(),
                apart=True,
            ),
            size,
            None,
        )


def test_columns_of_texts_are_packed(tmp_path: Path) -> None:
    """Compiled code reads a file of Parquet, but for a row that lacks a text."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet  # an extra

    texts = ["a"] * 50
    table = pa.table({"id": range(50), "hyp": texts, "refs": [["a", "b"]] * 50})
    parquet.write_table(table, tmp_path / "f.parquet")
    paths = {"S": str(tmp_path / "f.parquet")}
    reading = records.RecordReading()

    (part,) = records.read(paths, kinds={"S": "parquet"}, reading=reading).parts
    assert isinstance(part, inputs.PackedTasks)
    assert (50, "3", f"{paths['S']}:4") == (len(part), part.ids[3], part.where(3))
