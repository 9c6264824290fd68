"""Forks and other packages called ROUGE: every recorded case through their stand-ins, to the last bit.

HELD_OUT names a folder with other cases of the same form, as NAME.json, which are compared, too.
"""

import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.dialects import korouge, py_rouge, rougeraw
from rouge_cli.text import stemmers

Case = dict[str, Any]

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "others"
HELD_OUT = os.environ.get("HELD_OUT", "")
RECORDED = 300


@cache
def golden(dialect: str) -> list[Case]:
    """Return the recorded cases of a package."""
    cases = list(map(json.loads, (FIXTURES / f"{dialect}.jsonl").read_text("utf-8").splitlines()))[1:]
    other = Path(HELD_OUT, f"{dialect}.json")
    return cases + (json.loads(other.read_text("utf-8")) if HELD_OUT and other.exists() else [])


def run_rougeraw(case: Case) -> Any:  # noqa: ANN401 - what the package returns
    """Return the scores of a document or of a corpus."""
    raw = rougeraw.RougeRaw()
    if case["options"]["method"] == "document":
        scores = raw.document(case["references"][0], case["hypothesis"])
    else:
        scores = raw.corpus(case["references"], case["hypotheses"])
    return {name: score._asdict() for name, score in scores.items()}


def run_korouge(case: Case) -> Any:  # noqa: ANN401 - as above
    """Return the scores against one reference or several."""
    options = {name: value for name, value in case["options"].items() if name != "method"}
    scorer = korouge.rouge_scorer.RougeScorer(**options)
    if case["options"]["method"] == "score":
        scores = scorer.score(case["references"][0], case["hypothesis"])
    else:
        scores = scorer.score_multi(case["references"], case["hypothesis"])
    return {name: score._asdict() for name, score in scores.items()}


def run_py_rouge(case: Case) -> Any:  # noqa: ANN401 - as above
    """Return the scores of a hypothesis or a list of them."""
    hypotheses = case["hypothesis"] if "hypothesis" in case else case["hypotheses"]
    return py_rouge.Rouge(**case["options"]).get_scores(hypotheses, case["references"])


STAND_INS: dict[str, Callable[[Case], Any]] = {
    "rougeraw": run_rougeraw,
    "korouge": run_korouge,
    "py_rouge": run_py_rouge,
}


@pytest.mark.parametrize("dialect", STAND_INS)
def test_stand_ins_have_the_packages_outcome(dialect: str) -> None:
    """Each recorded call has the package's result, or raises its error."""
    cases = golden(dialect)
    wrong = []
    for case in cases:
        if case["options"].get("split_summaries") or not case["options"].get("ensure_compatibility", True):
            pytest.importorskip("punkt", reason="the extra `punkt` is not installed")
        try:
            result = STAND_INS[dialect](case)
        except Exception as error:  # noqa: BLE001 - compared below
            result = type(error).__name__
        if result != case.get("ok", case.get("error")):
            wrong.append((case, result))

    assert len(cases) >= RECORDED
    assert [] == wrong


def command_of(dialect: str, case: Case) -> tuple[list[str], dict[str, Any]] | None:
    """Return the metrics and options by which `score` computes a case; None if it reads other texts."""
    references = case["references"] if isinstance(case["references"], list) else [case["references"]]
    texts = [case.get("hypothesis"), *references]
    if not case.get("ok") or not all(isinstance(text, str) and text == as_lines(text) for text in texts):
        return None
    options = case["options"]
    if dialect == "rougeraw":
        return [f"ROUGE-{name}" for name in case["ok"]], {}
    if dialect == "korouge":
        if options.get("split_summaries") or any("\n" in name for name in options["rouge_types"]):
            return None
        return options["rouge_types"], {"stemmer": "nltk" if options.get("use_stemmer") else "none"}
    average, best = options.get("apply_avg", True), options.get("apply_best", False)
    limit = options.get("length_limit", 665) if options.get("limit_length", True) else 0
    if limit < 0 or not (average or best) or not options.get("ensure_compatibility", True):
        return None
    return list(case["ok"]), {
        "stemmer": "py_rouge" if options.get("stemming", True) else "none",
        "limit": f"{limit}{options.get('length_limit_type', 'bytes')}" if limit else "none",
        "formula": "average" if average else "best",
        "alpha": options.get("alpha", 0.5),
        "weight_factor": options.get("weight_factor", 1.0),
    }


def as_lines(text: str) -> str:
    """Return the text as a file of sentences reads back, without empty lines."""
    return "\n".join(line for line in text.split("\n") if line)


@pytest.mark.parametrize("dialect", STAND_INS)
@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_command_scores_as_the_packages(dialect: str) -> None:
    """`score` has the package's precision, recall and F of every text that it can read."""
    compared = 0
    for case in golden(dialect):
        if (chosen := command_of(dialect, case)) is None:
            continue
        labels, options = chosen
        report = rouge_cli.score(
            [case["hypothesis"]], [case["references"]], labels, dialect=DialectName(dialect), **options
        ).to_dict()["system"]
        expected = {name.removeprefix("ROUGE-"): sorted(score.values()) for name, score in report.items()}
        assert expected == {name: sorted(score.values()) for name, score in case["ok"].items()}, case
        compared += 1

    assert compared > 25


def test_stems_are_py_rouges() -> None:
    """Irregular forms, listed words, and words for every rule of the stemmer have both recorded stems."""
    stems: list[Any] = list(golden("py_rouge_stems"))

    assert len(stems) > 1000
    assert [] == [
        stem for stem in stems if stem[1:] != [stemmers.py_rouge(stem[0], mode) for mode in (True, False)]
    ]


def test_py_rouge_has_no_state() -> None:
    """`cannot` and stems are an object's own, whatever objects were made before."""
    for compatible, matches in ((True, 1), (False, 2), (True, 1)):
        rouge = py_rouge.Rouge(["rouge-n"], 1, ensure_compatibility=compatible, apply_avg=False)
        scores = rouge.get_scores("cannot enjoy", "can not enjoi")
        assert [matches / 3] == scores["rouge-1"][0]["r"]


def test_punctuation_is_apart_in_sixteen_words() -> None:
    """RougeRaw splits at 32 word boundaries and joins 32 runs of white space; the rest stays as it is."""
    words = [f"w{number}" for number in range(20)]
    tokens = rougeraw.tokens(", ".join(words))
    late = rougeraw.tokens("a " * 35 + "b\nc  d\te")

    assert [part for word in words[:16] for part in (word, ",")] == tokens[:32]
    assert ["w16,", "w17,", "w18,", "w19"] == tokens[32:]
    assert ["b\nc", "", "d\te"] == late[-3:]
    assert ["...", "x_1", "-", "\u00c9".lower()] == rougeraw.tokens("... X_1 - \u00c9")
    assert [1.0, 0.0, 1.0] == [score.f for score in rougeraw.RougeRaw().document("", " \n").values()]


def test_tabs_join_the_n_grams_of_rougeraw() -> None:
    """After 32 runs of white space tokens may contain tabs, and different pairs of them may be equal."""
    start = "x " * 40
    scores = rougeraw.RougeRaw().document(f"{start}a b\tc", f"{start}a\tb c")

    assert 80 / 82 == scores["2"].f  # all but `x a`
    assert (0.5, 0.25, 1 / 3) == rougeraw.RougeRaw().corpus(["a b", "d"], ["a", "c"])["1"]


def test_white_space_at_the_ends_is_a_word_of_korouge() -> None:
    """An empty token stands before and after a text that begins and ends with white space."""
    scorer = korouge.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], use_stemmer=True)
    nothing, shifted = scorer.score("", ""), scorer.score(" a b", "a b ")

    assert [1.0, 0.0, 1.0, 0] == [score.fmeasure for score in nothing.values()]
    assert (1.0, 2 / 3) == (shifted["rouge1"].fmeasure, shifted["rougeL"].fmeasure)
    assert 0.5 == scorer.score("running. ran", "runs. ran")["rouge1"].fmeasure
    assert 1.0 == scorer.score("running ai\ub97c", "run AI\ub97c")["rouge1"].fmeasure
