"""PyPI's rouge-score-rs prints what Google's rouge_score prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GOLDEN = Path(__file__).resolve().parents[2] / "fixtures" / "google" / "cases.json"


def test_rouge_score_rs_is_rouge_score() -> None:
    """Every golden case of rouge_score has its scores from rouge-score-rs, with and without stemming."""
    rouge_scorer = pytest.importorskip("rouge_score_rs").rouge_scorer
    golden = json.loads(GOLDEN.read_text("utf-8"))
    scored = 0
    for case in golden["cases"]:
        for mode, stem in (("plain", False), ("stem", True)):
            scorer = rouge_scorer.RougeScorer(golden["rouge_types"], use_stemmer=stem)
            scores = scorer.score_multi(case["references"], case["prediction"])
            for label, expected in case["expected"][mode].items():
                score = scores[label]
                figures = [score.precision, score.recall, score.fmeasure]
                assert pytest.approx(expected, abs=1e-9) == figures
            scored += 1

    assert scored == 240
