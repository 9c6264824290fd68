"""Predictions and references that are joined."""

from pathlib import Path
from typing import Any

import pytest

from rouge_cli.core import Document, EvalTask, Notice
from rouge_cli.errors import RougeError
from rouge_cli.tasks import contents, joining, records
from rouge_cli.tasks.columns import ColumnNames
from rouge_cli.tasks.contents import PRED, REF, Operand
from rouge_cli.tasks.kinds import AS_USUAL


def read(
    folder: Path,
    prediction: str,
    reference: str,
    notices: list[Notice] | None = None,
    **columns: Any,  # noqa: ANN401
) -> list[EvalTask]:
    """Return the evals of two files with these contents."""
    sources = []
    for option, data in ((PRED, prediction), (REF, reference)):
        path = folder / f"{option[2:]}.{'jsonl' if data[:1] in '{[' else 'csv'}"
        path.write_text(data)
        name = "X" if option == PRED else ""
        by_path = {str(path): contents.kind_of(str(path), option)}
        sources.append(Operand(option, name, str(path), by_path))
    request = ColumnNames(**columns)
    kept = [] if notices is None else notices
    reading = records.RecordReading(request, AS_USUAL, "utf-8", kept.append)
    return list(joining.read(sources[:1], sources[1:], reading))


def texts(tasks: list[EvalTask]) -> list[tuple[str, dict[str, str], list[str]]]:
    """Return IDs, predictions and references."""

    def text(source: str | Document | None) -> str:
        assert isinstance(source, Document)
        return source.data.decode()

    return [
        (
            task.eval_id,
            {name: text(source) for name, source in task.predictions.items()},
            [text(source) for _, source in task.references],
        )
        for task in tasks
    ]


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [
        ("id,text\n1,a b\n", "id,text\n1,c\n"),
        ("id,text\n1,a b\n", "doc_id,document,summary\n1,d d,c\n"),
        ("summary,id\na b,1\n", "gold,id,pages\nc,1,7\n"),
        ('{"id": 1, "n": 2, "model_answer": "a b"}\n', '{"id": "1", "refs": ["c"]}\n'),
    ],
)
def test_the_column_of_texts_is_found(
    prediction: str, reference: str, tmp_path: Path
) -> None:
    """A column of one side has a common name, or is the only one of texts."""
    assert [("1", {"X": "a b"}, ["c"])] == texts(read(tmp_path, prediction, reference))


@pytest.mark.parametrize(
    ("prediction", "message"),
    [
        ("id,text,lang\n1,a b,en\n", "no column of predictions among id, text, lang"),
        ("id,n\n1,2\n", "no column of predictions among id, n"),
        ("a b,the cat sat\n1,2\n", "first line has no names .* --no-header"),
        ("id,hyp,pred\n1,a,b\n", "columns hyp and pred"),
        ("id\n", "no record in it"),
    ],
)
def test_columns_are_not_guessed(prediction: str, message: str, tmp_path: Path) -> None:
    """Several columns of texts, or none, are an error that names them."""
    with pytest.raises(RougeError, match=message):
        read(tmp_path, prediction, "id,ref\n1,a\n")


def test_systems_have_a_column(tmp_path: Path) -> None:
    """Records of several systems are evals of the references with their IDs."""
    prediction = "id,system,hyp\n1,A,a\n2,A,b\n1,B,c\n2,B,d\n"
    tasks = texts(read(tmp_path, prediction, "id,ref\n2,y\n1,x\n"))

    assert [("1", {"A": "a", "B": "c"}, ["x"]), ("2", {"A": "b", "B": "d"}, ["y"])] == (
        tasks
    )
    by_order = read(tmp_path, prediction, "ref\ny\nx\n")
    assert [["y"], ["x"]] == [references for _, _, references in texts(by_order)]


def test_ids_join_without_a_notice(tmp_path: Path) -> None:
    """Ordinary files with the same IDs give no notice, and order gives one."""
    notices: list[Notice] = []
    read(tmp_path, "id,hyp\n1,a\n2,b\n", "id,ref\n2,a\n1,b\n", notices)
    assert not notices

    read(tmp_path, "hyp\na\nb\n", "id,ref\n2,a\n1,b\n", notices)
    (notice,) = notices
    assert "are joined by order, since" in notice.message


def test_an_id_occurs_once(tmp_path: Path) -> None:
    """A repeated ID is an error with both places."""
    with pytest.raises(
        RougeError, match=r"ID 1 of system X occurs twice; first at .*:2"
    ):
        read(tmp_path, "id,hyp\n1,a\n1,b\n", "id,ref\n1,a\n")


def test_lists_of_one_length_are_not_guessed(tmp_path: Path) -> None:
    """Lists on both sides are ambiguous, as within a record, and an option decides."""
    sides = '{"id": 1, "hyp": ["a", "b"]}\n', '{"id": 1, "hyp": ["c", "d"]}\n'
    with pytest.raises(RougeError, match="are lists of 2"):
        read(tmp_path, *sides)

    (task,) = texts(read(tmp_path, *sides, lists="sentences"))
    assert ("1", {"X": "a\nb"}, ["c\nd"]) == task
