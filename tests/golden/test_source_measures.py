"""Fragments, novel and repeated n-grams: the recorded statistics of SummEval, which runs
Newsroom's code for fragments.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rouge_cli

FIXTURE = Path(__file__).parents[2] / "fixtures" / "source" / "summ_eval.jsonl"
CASES = list(map(json.loads, FIXTURE.read_text("utf-8").splitlines()))
# The tokens of the cases: SummEval takes spaCy's, and folds their letters.
TOKENS: dict[str, Any] = {"tokenizer": "whitespace", "normalize": "casefold"}
NGRAMS = range(1, 5)
LABELS = [
    *("coverage", "density", "compression"),
    *(f"novel-{n}-types" for n in NGRAMS),
    *(f"repetition-{n}-types" for n in NGRAMS),
]


def recorded(scores: dict[str, float]) -> Iterator[float]:
    """Yield the statistics of a case in the order of LABELS; 0 for n-grams that are
    longer than the summary.
    """
    for label in LABELS[:3]:
        yield scores[label]
    for n in NGRAMS:
        yield scores.get(f"percentage_novel_{n}-gram", 0.0)
    for n in NGRAMS:
        yield scores.get(f"percentage_repeated_{n}-gram_in_summ", 0.0)


@pytest.mark.parametrize(
    ("dialect", "places"), [("rouge155", 5e-6 + 1e-12), ("google", 1e-12)]
)
def test_statistics_are_those_of_summ_eval(dialect: Any, places: float) -> None:  # noqa: ANN401 - a name
    """Each recorded value, of 240 pairs, is ours for the same tokens: in dialect google
    to the last digits, in rouge155 to five places.
    """
    results = rouge_cli.score(
        [case["summary"] for case in CASES],
        [case["source"] for case in CASES],
        LABELS,
        sources=[case["source"] for case in CASES],
        dialect=dialect,
        samples=0,
        notify=lambda _: None,
        **TOKENS,
    )
    expected = [list(recorded(case["scores"])) for case in CASES]
    ours = [[entry.score for entry in result.evals] for result in results.results]
    compared = 0
    for place, label in enumerate(LABELS):
        for case, row, score in zip(CASES, expected, ours[place], strict=True):
            assert score is not None
            assert score.f == pytest.approx(row[place], abs=places), (label, case)
            assert score.recall == score.precision == score.f
            compared += 1
    assert compared == 240 * len(LABELS)
