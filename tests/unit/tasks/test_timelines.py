"""Timelines as evals: any of them is scored by the common pipeline as by the
command.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rouge_cli
from rouge_cli.cli.commands.timeline import command
from rouge_cli.core import Document, Notice, ignore_notice
from rouge_cli.dialects import tilse
from rouge_cli.formats import timeline
from rouge_cli.tasks.timelines import TimelineReader

READER = TimelineReader("", timeline.LAST, ignore_notice)
JSON = (
    '[[["2010-05-06", ["the oil spill", ""]]], [["2010-05-09T00:00:00", "mud stops'
    ' it"]]]'
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create files, and folders of two topics on each side, and run in it."""
    for name, text in (
        (
            "mine/bp.txt",
            f"2010-05-06\nthe oil spill\n{timeline.SEPARATOR}\n2010-05-08\nmud oil\n",
        ),
        ("mine/flu.json", JSON),
        (
            "data/bp/timelines/ap.txt",
            f"2010-05-07\nan oil spill\n{timeline.SEPARATOR}\n",
        ),
        ("data/bp/timelines/bbc.txt", f"2010-05-08\nmud\n{timeline.SEPARATOR}\n"),
        ("data/flu.jsonl", "\n".join(map(json.dumps, json.loads(JSON)))),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("each", [False, True])
@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        (["mine"], ["data"]),
        (["mine/flu.json"], ["data/flu.jsonl"]),
        (["mine/bp.txt"], ["data/bp/timelines/ap.txt", "data/bp/timelines/bbc.txt"]),
    ],
)
@pytest.mark.usefixtures("folder")
def test_the_command_prints_what_the_pipeline_scores(
    predictions: list[str], references: list[str], *, each: bool
) -> None:
    """Scores and averages of the evals in the dialect tilse are those that the
    command prints.
    """
    report = rouge_cli.evaluate(
        READER.tasks(predictions, references, each=each),
        dialect="tilse",
        notify=ignore_notice,
    )
    words = [
        "-p",
        *predictions,
        "-r",
        *references,
        *["--per-reference"] * each,
        "--format",
        "jsonl",
    ]
    printed = CliRunner().invoke(command, [*words, "--quiet"]).stdout
    lines: list[dict[str, Any]] = list(map(json.loads, printed.splitlines()))

    for result in report.results:
        measure = tilse.parse(result.label)
        by_line = [
            line[tilse.TOOLKIT[measure.metric]][f"rouge_{measure.n}"] for line in lines
        ]
        shown = [
            (figures["recall"], figures["precision"], figures["f_score"])
            for figures in by_line
        ]
        assert [entry.score for entry in result.evals] == shown[: len(result.evals)]
        if len(shown) > len(result.evals):
            averages = report.to_dict()[result.system][result.label]
            assert [tuple(averages.values())] == shown[len(result.evals) :]
    named = [line["name"] for line in lines if line.get("name", "average") != "average"]
    assert [entry.eval_id for entry in report.results[0].evals] == (named or ["bp"])


@pytest.mark.usefixtures("folder")
def test_texts_are_documents_that_every_dialect_reads() -> None:
    """A timeline of JSON, or one that was repaired, is a document which reads back
    without repairs.
    """
    tasks = list(READER.tasks(["mine"], ["data"], each=False))
    texts = [
        text
        for task in tasks
        for text in (*task.predictions.values(), *(text for _, text in task.references))
    ]
    report = rouge_cli.evaluate(
        tasks, "ROUGE-1", dialect="google", notify=ignore_notice
    )

    assert [["bp"], ["flu:1"], ["flu:2"]] == [[task.eval_id] for task in tasks]
    assert all(isinstance(text, Document) for text in texts)
    for text in texts:
        assert isinstance(text, Document)
        notices: list[Notice] = []
        assert (
            timeline.packed(timeline.only(text.data, text.where, notices.append))
            == text.data
        )
        assert [] == notices
    assert len(report.results[0].evals) == 3


@pytest.mark.usefixtures("folder")
def test_a_change_is_a_system() -> None:
    """A test of metrics is an eval: the changed copy, named after the change, and
    the original.
    """
    tasks = list(READER.tests("mine", [1]))
    report = rouge_cli.evaluate(
        tasks, "ROUGE-1-align-content", dialect="tilse", notify=ignore_notice
    )

    assert ["bp (Remove)", "bp (Add)", "bp (Merge)", "bp (Shift 1 day)"] == [
        task.eval_id for task in tasks
    ]
    shifted = report.to_dict()["Shift 1 day"]["ROUGE-1-align-content"]
    assert {"recall": 0.5, "precision": 0.5, "f": 0.5} == shifted
