"""The timeline metrics as a dialect: labels, files that are read once, and refusals."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from case_tables import tabled

import rouge_cli
from rouge_cli import api, signature
from rouge_cli.api import DialectName
from rouge_cli.core import Document, EvalTask, Notice
from rouge_cli.dialects import tilse
from rouge_cli.dialects.tilse import counts
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.tasks.timelines import copies

END = "-" * 32
DAY = f"2010-05-06\nthe oil spill\n{END}\n"


def task(
    prediction: str | Document,
    reference: str | Document,
    input_format: str = "timeline",
) -> EvalTask:
    """Return a task with one peer and one model."""
    return EvalTask("7", {"X": prediction}, [("A", reference)], input_format, "tasks:3")


@pytest.mark.parametrize("metric", counts.METRICS)
@pytest.mark.parametrize("n", [1, 2, 9])
def test_labels_parse_back(metric: str, n: int) -> None:
    """A label parses back, alone and in a signature, and so do the names of the
    paper and the toolkit.
    """
    label = tilse.TimelineMeasure(n, metric).label
    written = signature.parse(signature.render({"metrics": [label, "ROUGE-1-concat"]}))[
        "metrics"
    ]

    assert [label, "ROUGE-1-concat"] == written.split("+")
    for name in (metric, tilse.PAPER[metric], tilse.TOOLKIT[metric]):
        for spelling in (
            f"ROUGE-{n}-{name}",
            f"R{n}-{name}",
            f"rouge_{n}-{name}".upper(),
        ):
            assert label == tilse.parse(spelling).label


@pytest.mark.parametrize(
    "label",
    ["ROUGE-1", "ROUGE-0-align", "ROUGE-10-align", "align", "ROUGE-1-alignment"],
)
def test_other_labels_are_refused(label: str) -> None:
    """A label with an unknown n or an unknown metric is a usage error."""
    with pytest.raises(UsageError, match="unknown metric"):
        tilse.parse(label)


def test_a_file_is_read_once(tmp_path: Path) -> None:
    """Two tasks that share a file read it once, and a repair in it is reported once."""
    path = str(tmp_path / "x")
    (tmp_path / "x").write_text("2010-05-06\nmud\n")
    notices: list[Notice] = []
    tasks = [
        task(Document(DAY.encode(), "y"), path)._replace(eval_id=str(number))
        for number in range(3)
    ]
    report = api.evaluate(
        tasks, "ROUGE-1-concat", dialect="tilse", notify=notices.append
    )

    assert [
        (
            f"{path}:1: no line of 32 hyphens after the last block; the block counts all"
            " the same"
        )
    ] == [notice.message for notice in notices]
    assert [0, 0, 0] == [
        eval_result.score.f
        for eval_result in report.results[0].evals
        if eval_result.score
    ]


def test_formats_without_dates_are_refused() -> None:
    """A text in a format without dates is an error that names the task and the
    remedy.
    """
    with pytest.raises(
        RougeError,
        match=r"^tasks:3: eval 7: no dates in format SEE; use --read-as timeline",
    ):
        api.evaluate([task("a", "b", "see")], dialect="tilse")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no date in it"),
        (f"2010-05-06\nof the\n{END}", "no token that counts in it"),
    ],
)
def test_a_timeline_without_a_date_or_a_token_is_reported(
    text: str, reason: str
) -> None:
    """An empty text scores 0 with a notice, and a task's missing peer is left out."""
    notices: list[Notice] = []
    empty = task(Document(text.encode(), "nothing"), Document(DAY.encode(), "y"))
    tasks = [empty, empty._replace(eval_id="8", predictions={})]
    report = api.evaluate(
        tasks, "R1-align", dialect="tilse", systems=["X"], notify=notices.append
    )

    assert f"nothing: {reason}" in [notice.message for notice in notices]
    assert [0] == [
        eval_result.score.f
        for eval_result in report.results[0].evals
        if eval_result.score
    ]


def test_the_average_is_of_precision_and_recall() -> None:
    """A system's F is computed from its mean precision and its mean recall."""
    other = f"2010-05-06\nthe oil mud gulf pipe kill\n{END}\n"
    tasks = [
        task(Document(DAY.encode(), "x"), Document(text.encode(), "y"))._replace(
            eval_id=text
        )
        for text in (DAY, other)
    ]
    figures = api.evaluate(tasks, "R1-concat", dialect="tilse").to_dict()["X"][
        "ROUGE-1-concat"
    ]

    # Of two counted words: both, both; and one, one of five.
    assert (
        pytest.approx({"precision": 0.75, "recall": 0.6, "f": 2 * 0.75 * 0.6 / 1.35})
        == figures
    )


@pytest.mark.parametrize("words", ["rouge", "none"])
def test_concat_counts_what_rouge155_counts(words: str, root: Path) -> None:
    """Concatenated days have ROUGE-1.5.5's counts of their sentences, also with
    stemmer and stop list.
    """
    paths = [
        str(path)
        for path in sorted((root / "fixtures" / "timeline" / "battery").glob("*.txt"))
    ]
    tasks = [task(paths[0], path)._replace(eval_id=path) for path in paths]
    ours, theirs = (
        api.evaluate(
            tasks,
            labels,
            dialect=DialectName(dialect),
            stemmer=words,
            stop=words,
            samples=0,
        ).results
        for dialect, labels in (("tilse", "R1-concat,R2-concat"), ("rouge155", "R1,R2"))
    )

    for left, right in zip(ours, theirs, strict=True):
        counted = [
            [eval_result.counts[:3] for eval_result in result.evals]
            for result in (left, right)
        ]
        assert counted[0] == counted[1]
        assert len(counted[0]) == 8


def test_the_calendar_ends() -> None:
    """No date is moved out of the years 1 to 9999, the calendar of Python."""
    with pytest.raises(RougeError, match="beyond the years"):
        copies({date(1, 1, 1): ["a"], date(1, 1, 2): ["b"]}, [-1])


@tabled
def test_days_apart_count_less(label: str, matched: int) -> None:
    """All days joined share 3 words, equal dates 1; the words of a day apart count a
    half each.
    """
    reference, prediction = (
        "".join(f"2010-01-0{day}\n{words}\n{'-' * 32}\n" for day, words in days)
        for days in (((1, "a b"), (2, "c d")), ((1, "a c"), (3, "c d")))
    )
    options: Any = {
        "dialect": "tilse",
        "read_as": "timeline",
        "stemmer": "none",
        "stop": "none",
    }
    report = rouge_cli.score(prediction, [reference], label, **options)

    assert report.results[0].evals[0].counts[:3] == (4, 4, matched)
