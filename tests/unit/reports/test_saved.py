"""Saved scores are the same when they are read again."""

import json
import re
from pathlib import Path
from time import process_time

import pytest

from rouge_cli.errors import RougeError
from rouge_cli.reports import Layout, render
from rouge_cli.results import saved
from rouge_cli.results.scores import Results
from tests.conftest import ROOT

COLUMNS = [("ROUGE-2", "F"), ("ROUGE-L", "F")]
JSONL = (
    '{"schema": "rouge-cli report 2", "signature": "s", "details": {}, "scale": 1,'
    ' "confidence": null}\n'
)


def save(report: Results, name: str, folder: Path, **layout: float | bool) -> Path:
    """Return the path of a file with the report, whose name does not tell its
    format.
    """
    text = render(report, name, Layout(COLUMNS, **layout))  # type: ignore[arg-type]
    path = folder / f"saved-{name}"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["json", "jsonl", "csv", "tsv"])
def test_every_format_comes_back(name: str, report: Results, tmp_path: Path) -> None:
    """Single evals in each machine-readable format are recognized, and read with the
    same scores.
    """
    path = str(save(report, name, tmp_path, per_eval=True))
    kind = saved.kind(path)
    scores = saved.read(path, kind)

    assert name == kind
    assert report.signature == scores.signature
    assert [result[:2] for result in report.results] == [
        result[:2] for result in scores.results
    ]
    for written, reread in zip(report.results, scores.results, strict=True):
        assert [(row.eval_id, row.score) for row in written.evals] == [
            (row.eval_id, row.score) for row in reread.evals
        ]


def test_the_signature_is_found_in_any_row(report: Results, tmp_path: Path) -> None:
    """Sorted tables keep their signature, and tables with a signature in every row
    are read too.
    """
    path = save(report, "csv", tmp_path, per_eval=True)
    header, first, *rows = path.read_text().splitlines()
    for lines in (
        [header, *rows[::-1], first],
        [header, first, *(row + report.signature for row in rows)],
    ):
        path.write_text("".join(f"{line}\n" for line in lines))
        assert report.signature == saved.read(str(path), "csv").signature


@pytest.mark.parametrize("name", ["json", "jsonl", "csv", "tsv"])
def test_scale_is_undone(name: str, report: Results, tmp_path: Path) -> None:
    """Scores that were saved times 100 are read as values between 0 and 1, in every
    format.
    """
    path = str(save(report, name, tmp_path, per_eval=True, scale=100.0))
    for written, reread in zip(
        report.results, saved.read(path, name).results, strict=True
    ):
        assert written.evals[1].score == pytest.approx(reread.evals[1].score)


@pytest.mark.parametrize("name", ["json", "jsonl", "csv", "tsv"])
def test_averages_alone_are_refused(name: str, report: Results, tmp_path: Path) -> None:
    """A report without single evals is refused, and the message names the option
    that saves them.
    """
    path = str(save(report, name, tmp_path))

    with pytest.raises(
        RougeError, match=f"saved-{name}.*without scores of single evals; .*--per-eval"
    ):
        saved.read(path, saved.kind(path))


@pytest.mark.parametrize(
    "text",
    [
        "a b\n",
        "<ROUGE-EVAL/>",
        '{"prediction": "a", "references": ["b"]}',
        "id,prediction,reference\n",
        "",
    ],
)
def test_other_files_are_not_saved_scores(text: str, tmp_path: Path) -> None:
    """Settings, lists, and records of texts are not recognized as saved scores."""
    (tmp_path / "x").write_text(text)

    assert "" == saved.kind(str(tmp_path / "x"))


def golden() -> dict[str, str]:
    """Return case -> output of the original with `-d`, except for outputs of counts
    (`-t 1`).
    """
    outputs = {}
    for name in ("targeted", "campaigns"):
        for line in (
            (ROOT / "fixtures" / "rouge155" / f"{name}.jsonl")
            .read_text("utf-8")
            .splitlines()
        ):
            case = json.loads(line)
            scores = re.findall(r" Eval .* R:(\S+) P:(\S+) F:(\S+)", case["stdout"])
            if scores and all(float(score) <= 1 for row in scores for score in row):
                outputs[case["id"]] = case["stdout"]
    return outputs


def test_what_the_original_printed(tmp_path: Path) -> None:
    """Every score of single evals in the golden outputs of ROUGE-1.5.5 -d is read,
    and nothing else.
    """
    path = tmp_path / "x"
    for case, printed in golden().items():
        path.write_text(printed)
        scores = [
            f"{result.system} {result.label} Eval {row.eval_id}.{result.system} "
            f"R:{row.score.recall:.5f} P:{row.score.precision:.5f} F:{row.score.f:.5f}"
            for result in saved.read(str(path), saved.kind(str(path))).results
            for row in result.evals
            if row.score
        ]
        assert sorted(
            line for line in printed.splitlines() if " Eval " in line
        ) == sorted(scores), case
    assert len(golden()) > 5


def test_the_originals_averages_and_counts_are_refused(tmp_path: Path) -> None:
    """Output of the original without -d, or with counts instead of scores, is
    refused.
    """
    (tmp_path / "x").write_text(
        "-----\nX ROUGE-1 Average_R: 0.5 (95%-conf.int. 0.5 - 0.5)\n"
    )
    (tmp_path / "y").write_text(
        "-----\nX ROUGE-1 Average_R: 0.5\nX ROUGE-1 Eval 1.X R:45 P:40 F:24\n"
    )

    with pytest.raises(
        RougeError, match="x: averages without scores of single evals; score with -d"
    ):
        saved.read(str(tmp_path / "x"), saved.kind(str(tmp_path / "x")))
    with pytest.raises(
        RougeError, match="y:3: counts instead of scores; score without -t 1"
    ):
        saved.read(str(tmp_path / "y"), saved.kind(str(tmp_path / "y")))


@pytest.mark.parametrize("eval_id", ["Eval 1", "Eval Eval", "a Eval Eval b", "R:1"])
def test_an_eval_may_be_called_eval(tmp_path: Path, eval_id: str) -> None:
    """An eval of the original's report counts, even if its ID begins with the word
    before it.
    """
    path = tmp_path / "report"
    path.write_text(
        f"a b R1 Average_R: 0.1\na b R1 Eval {eval_id}.a b R:0.50000 P:0.50000"
        " F:0.50000\n"
    )
    (result,) = saved.read(str(path), "classic").results

    assert ("a b", "R1", [eval_id]) == (
        *result[:2],
        [score.eval_id for score in result.evals],
    )


@pytest.mark.parametrize("part", [" Eval ", " M Eval x.", " M Average_R: 0.12345 ("])
def test_no_line_takes_long(tmp_path: Path, part: str) -> None:
    """A line that repeats a mark of the original's report 20,000 times is read in a
    moment.
    """
    (tmp_path / "x").write_text(f"{part * 20_000} R:0 P:0 F:0\n")
    start = process_time()
    with pytest.raises(RougeError):
        saved.read(str(tmp_path / "x"), "classic")
    assert process_time() - start < 2


def test_a_table_of_others(tmp_path: Path) -> None:
    """A table with eval, system, metric and one figure is enough; missing figures
    are NaN.
    """
    (tmp_path / "x").write_text("metric,system,eval,f\nBLEU,a,1,0.25\nBLEU,a,2,\n")
    (result,) = saved.read(str(tmp_path / "x"), saved.kind(str(tmp_path / "x"))).results

    assert ("a", "BLEU") == result[:2]
    assert [0.25, None] == [
        eval_result.score and eval_result.score.f for eval_result in result.evals
    ]


@pytest.mark.parametrize("wrong", ["nan,1", "-0.1,1", "0.5,-1", "x,1", "1,1,1"])
@pytest.mark.parametrize("line", [2, 700, 1201])
def test_the_first_wrong_row_is_named(wrong: str, line: int, tmp_path: Path) -> None:
    """A wrong row has its own error, with its line, wherever it is and whatever is
    wrong below it.
    """
    rows = [f"{number},a,ROUGE-1,0.5,1" for number in range(1, 1201)]
    path, name = tmp_path / "x", f"{line - 1},a,ROUGE-1,"
    errors = []
    for table in (
        [*rows[: line - 2], name + wrong, *rows[line - 1 :], "2,a,ROUGE-1,y,1"],
        [name + wrong],
    ):
        path.write_bytes(
            "\n".join(["eval,system,metric,f,match", *table, ""]).encode() + b"\xff\n"
        )
        with pytest.raises(RougeError) as error:
            saved.read(str(path), "csv")
        errors.append(error.value)

    assert f"{path}:{line}" == errors[0].where
    assert errors[0].what == errors[1].what


def test_undefined_scores_of_others_are_read(tmp_path: Path) -> None:
    """NaN in the lines of another program is an undefined score, as null is."""
    counts = '"counts": {"reference": 1, "prediction": null, "match": NaN}'
    row = (
        '{"eval": "1", "system": "a", "metric": "M", "recall": NaN, "precision":'
        f' null, "f": 0, {counts}}}'
    )
    (tmp_path / "x").write_text(JSONL + row)
    (result,) = saved.read(str(tmp_path / "x"), "jsonl").results
    (score,) = result.evals

    assert ["nan", "nan", "0.0"] == list(map(str, score.score or ()))
    assert ["1.0", "nan", "nan"] == list(map(str, score.counts[:3]))
