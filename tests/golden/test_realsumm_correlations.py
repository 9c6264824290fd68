"""REALSumm (Bhandari et al. 2020): correlations of ROUGE with LitePyramid for 12
abstractive systems.

The data are not part of the project; without them these tests are skipped.
"""

from itertools import chain
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import rouge_cli
from rouge_cli.results.correlation import LEVELS, SweepPlan
from rouge_cli.results.scores import Results
from rouge_cli.studies import sweeping
from rouge_cli.tasks import judgements

LABELS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
FIGURES = {"R": "recall", "F": "f"}
COEFFICIENTS = {"pearson": scipy.stats.pearsonr, "kendall": scipy.stats.kendalltau}
Key = tuple[str, str, str]


@pytest.fixture(scope="module")
def people(records: dict[str, list[dict[str, Any]]]) -> dict[str, dict[str, float]]:
    """Return system -> document -> LitePyramid recall."""
    return {
        system: {record["id"]: record["litepyramid_recall"] for record in some}
        for system, some in records.items()
    }


def score(records: dict[str, list[dict[str, Any]]], **options: Any) -> Results:  # noqa: ANN401
    """Score the systems one by one, since the references are tokenized differently
    for each system.
    """
    reports = [
        rouge_cli.score(
            {system: ["\n".join(record["prediction"]) for record in some]},
            ["\n".join(record["reference"]) for record in some], ids=[record["id"] for record in some],
            samples=0, **options,
        )
        for system, some in records.items()
    ]  # fmt: skip
    results = list(chain.from_iterable(report.results for report in reports))
    return Results(results, reports[0].signature, {})


@pytest.fixture(scope="module")
def ours(
    records: dict[str, list[dict[str, Any]]], people: dict[str, dict[str, float]]
) -> dict[Key, float]:
    """Return (metric, level, coefficient) -> the correlation that `correlate`
    computes from the texts.
    """
    report = score(records, recipe="cnndm-pyrouge", sentences="newline")
    columns = [f"{label}.{letter}" for label in LABELS for letter in FIGURES]
    correlations = rouge_cli.correlate(
        report, people, columns, samples=0, notify=lambda _: None
    )
    return {
        (row.metric, row.level, row.coefficient): row.value.value
        for row in correlations.correlations
        if row.coefficient in COEFFICIENTS
    }


def theirs(
    records: dict[str, list[dict[str, Any]]], metric: str, level: str, coefficient: str
) -> float:
    """Compute the correlation of the published scores with scipy: of means, or the
    mean over documents.
    """
    label, _, letter = metric.partition(" ")
    some = list(records.values())
    rouge = np.array(
        [[each["published"][label][FIGURES[letter]] for each in row] for row in some]
    )
    people = np.array([[each["litepyramid_recall"] for each in row] for row in some])
    correlation = COEFFICIENTS[coefficient]
    if level == "system":
        return float(correlation(rouge.mean(axis=1), people.mean(axis=1))[0])
    if level == "pooled":
        return float(correlation(rouge.ravel(), people.ravel())[0])
    defined = [
        correlation(x, y)[0]
        for x, y in zip(rouge.T, people.T, strict=True)
        if np.ptp(x) and np.ptp(y)
    ]
    return float(np.mean(defined))


def test_correlations_are_those_of_the_published_scores(
    records: dict[str, list[dict[str, Any]]], ours: dict[Key, float]
) -> None:
    """Correlations from the texts are those of the published scores and judgements
    by scipy.
    """
    assert 6 * 3 * 2 == len(ours)
    for key, value in ours.items():
        assert not isnan(value)
        # `correlate` treats means that differ only in their twelfth digit as equal.
        assert pytest.approx(theirs(records, *key), abs=1e-9) == value


def test_the_page_has_these_correlations(ours: dict[Key, float], root: Path) -> None:
    """docs/reference/reproductions.md has these correlations to three decimals."""
    page = (root / "docs" / "reference" / "reproductions.md").read_text()
    places = [(level, name) for level in ("system", "summary") for name in COEFFICIENTS]

    for metric in dict.fromkeys(metric for metric, _, _ in ours):
        cells = " | ".join(f"{ours[metric, level, name]:.3f}" for level, name in places)
        assert f"| {metric} | {cells} |\n" in page


def test_a_sweep_of_96_variants(
    records: dict[str, list[dict[str, Any]]], people: dict[str, dict[str, float]]
) -> None:
    """Graham's variants of one reference: those that were published correlate as
    their published scores.
    """
    grid = sweeping.usual_grid("rouge155")
    scored = []
    for setup in sweeping.of_grid(grid, "rouge155"):
        options = {**setup.options}
        del options["samples"]
        scored.append((setup.values, score(records, **options)))
    judged = [judgements.of_mapping(people)]
    swept = sweeping.rank(
        scored, grid, judged, SweepPlan(levels=LEVELS, trials=100), lambda _: None
    )

    assert 3 * 96 == len(swept.variants)
    assert 3 * 2 * 3 == sum(
        variant.settings["metric"] in LABELS
        and variant.settings["measure"] in FIGURES
        and variant.settings["stem"] == "yes"
        and variant.settings["stop"] == "no"
        and [
            pytest.approx(
                theirs(
                    records,
                    "{metric} {measure}".format(**variant.settings),
                    variant.level,
                    name,
                )
            )
            for name in COEFFICIENTS
        ]
        == [variant.values[name] for name in COEFFICIENTS]
        for variant in swept.variants
    )
    for _, variants in swept.groups():
        assert not swept.is_worse(variants[0])
        assert swept.is_worse(variants[-1])
