"""The JSON report: its schema, its documentation, and reading it back."""

import json
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import pytest
from case_tables import tabled
from jsonschema import Draft202012Validator

import rouge_cli
from rouge_cli.core import (
    Average,
    Counts,
    Estimate,
    EvalResult,
    Result,
    Score,
    ignore_notice,
)
from rouge_cli.errors import RougeError
from rouge_cli.reports import Layout, jsonl, render
from rouge_cli.results.saved import from_json
from rouge_cli.results.scores import Results

DOCS = Path(__file__).resolve().parents[3] / "docs"
SCHEMA = json.loads((DOCS / "reference" / "report.schema.json").read_text("utf-8"))
LAYOUT = Layout([("ROUGE-2", "F")])
VALID = Draft202012Validator(SCHEMA)


def strict(text: str) -> Any:  # noqa: ANN401 - whatever the document is
    """Parse a document with a strict reader, which rejects NaN and Infinity."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    return json.loads(text, parse_constant=refuse)


def test_the_document(means: Results) -> None:
    """A document has the fields that its version promises, with plain unrounded
    numbers.
    """
    single = means._replace(results=means.results[:1])
    shown = (Path(__file__).with_name("shown") / "document.json").read_text("utf-8")

    assert json.loads(shown) == strict(render(single, "json", LAYOUT))


def test_evals_and_scale(report: Results) -> None:
    """Evals are included on request; scores and intervals are scaled, counts are
    not.
    """
    document = strict(render(report, "json", LAYOUT._replace(per_eval=True, scale=100)))
    result = document["results"][3]

    assert (100, 95) == (document["scale"], document["confidence"])
    assert {"value": 50, "low": 25, "high": 50} == result["recall"]
    assert {
        "eval": "D2", "recall": 6.25, "precision": 25, "f": 10,
        "counts": {"reference": 8, "prediction": 2, "match": 0.5},
    } == result["evals"][1]  # fmt: skip


def test_totals(totals: Results) -> None:
    """A document of totals has null figures, and the counts."""
    (result,) = strict(render(totals, "json", LAYOUT._replace(per_eval=True)))[
        "results"
    ]

    assert (None, {"reference": 12, "prediction": 5, "match": 2.5}) == (
        result["f"],
        result["counts"],
    )
    assert {"eval": "D1", "recall": None, "precision": None, "f": None} == {
        name: value for name, value in result["evals"][0].items() if name != "counts"
    }


def odd() -> Results:
    """Return a report with values that are not finite, and with a name that is not
    UTF-8.
    """
    average = Average(
        Estimate(nan, -inf, inf), Estimate(0.0, 0.0, 0.0), Estimate(1.0, 1.0, 1.0)
    )
    evals = [
        EvalResult("1", Counts(inf, 1, 1, prediction_match=2), Score(nan, 0.5, inf))
    ]
    return Results(
        [Result("caf\udce9", "ROUGE-W-200", average, evals)],
        "",
        {"mean": nan, "of": [inf, 1]},
    )


@pytest.mark.parametrize("per_eval", [False, True])
def test_documents_keep_the_schema(
    per_eval: bool, report: Results, means: Results, totals: Results
) -> None:
    """Every document keeps to the schema, also for a report without results or with
    odd numbers.
    """
    Draft202012Validator.check_schema(SCHEMA)
    for content in (report, means, totals, odd(), Results([])):
        text = render(content, "json", LAYOUT._replace(per_eval=per_eval))
        assert text.isascii()
        VALID.validate(strict(text))


def test_scores_keep_the_schema() -> None:
    """The JSON of real scores keeps to the schema, with the details of several kinds
    of runs.
    """
    runs: list[dict[str, Any]] = [
        {},
        {"samples": 0},
        {"dialect": "google", "jackknife": True},
    ]
    for options in runs:
        scores = rouge_cli.score(
            ["a b", "c d"], ["a b", "c d"], notify=ignore_notice, **options
        )
        for per_eval in (False, True):
            VALID.validate(strict(scores.to_json(per_eval=per_eval)))


def test_the_schema_refuses_other_documents(report: Results) -> None:
    """The schema refuses a document with a field missing or of another type."""
    document = strict(render(report, "json", LAYOUT))
    broken = [
        {**document, "schema": "rouge-cli report 3"},
        {**document, "results": [{**document["results"][0], "f": 0.5}]},
        {name: value for name, value in document.items() if name != "signature"},
    ]

    assert [False] * 3 == [VALID.is_valid(variant) for variant in broken]


def test_every_field_is_explained() -> None:
    """The documentation has each field of the schema in its table, and its example
    is valid.
    """
    text = (DOCS / "reference" / "report-json.md").read_text("utf-8")
    explained = {
        cell.strip()
        for line in text.splitlines()
        if line.startswith("| `")
        for cell in [line.split("|")[1]]
    }
    fields = set(SCHEMA["properties"]) | set(
        SCHEMA["properties"]["details"]["properties"]
    )
    for kind in SCHEMA["$defs"].values():
        fields |= set(kind["properties"])
    VALID.validate(strict(text.split("```json\n")[1].split("```")[0]))

    rows = " ".join(line for line in text.splitlines() if line.startswith("| `"))
    assert explained
    assert [] == [
        field
        for field in sorted(fields)
        if f"`{field}`" not in rows and f"`details.{field}`" not in rows
    ]


def test_nan_and_infinity_are_null() -> None:
    """NaN and infinity are written as null, and read back as NaN."""
    text = render(odd(), "json", LAYOUT._replace(per_eval=True))
    document = strict(text)
    (result,) = from_json(text).results

    assert {"mean": None, "of": [None, 1]} == document["details"]
    assert {"value": None, "low": None, "high": None} == document["results"][0][
        "recall"
    ]
    assert isinstance(result.average, Average)
    assert isnan(result.average.recall.value)
    score = result.evals[0].score
    assert score
    assert (True, 0.5, True) == (isnan(score.recall), score.precision, isnan(score.f))
    assert ("caf\udce9", 2) == (result.system, result.evals[0].counts.prediction_match)


def test_lines(report: Results) -> None:
    """After the document without results, a line is a result, or with per_eval one
    eval of a result.
    """
    document = strict(render(report, "json", LAYOUT))
    first, *others = [strict(line) for line in jsonl.render(report, LAYOUT)]
    assert document == {**first, "results": others}

    layout = LAYOUT._replace(per_eval=True)
    document = strict(render(report, "json", layout))
    _, *others = [strict(line) for line in jsonl.render(report, layout)]

    assert 8 == len(others)
    assert ["eval", "system", "metric", "recall", "precision", "f", "counts"] == list(
        others[0]
    )
    for result in document["results"]:
        names = {name: result[name] for name in ("system", "metric")}
        assert [{**row, **names} for row in result["evals"]] == [
            row for row in others if names.items() <= row.items()
        ]


GOOD: dict[str, Any] = {
    "schema": "rouge-cli report 2", "signature": "", "details": {}, "scale": 1,
    "results": [
        {
            "system": "X", "metric": "ROUGE-1", "counts": None,
            **{name: {"value": 1, "low": 0, "high": 1} for name in ("recall", "precision", "f")},
        }
    ],
}  # fmt: skip
# What no row of a table holds: depth, other bytes, a number beyond doubles, and a
# result that is repeated.
HUGE = {"result": {"f": {"value": 10**400, "low": 0, "high": 0}}}
UNUSUAL: dict[str, str | bytes | dict[str, Any]] = {
    "deep": "[" * 100_000,
    "not UTF-8": b"\xff\xfe\xff",
    "huge": HUGE,
    "twice": {"results": GOOD["results"] * 2},
}


@tabled
def test_other_documents_are_refused(document: Any, message: str) -> None:  # noqa: ANN401 - a row's
    """A document that is not a report, or of another version, is an error with place
    and remedy.

    An object has fields in place of those of the valid document, or of its `result`.
    """
    text = UNUSUAL.get(document, document) if isinstance(document, str) else document
    if isinstance(text, dict):
        fields = {**text}
        result = {**GOOD["results"][0], **fields.pop("result", {})}
        text = json.dumps({**GOOD, "results": [result], **fields})
    with pytest.raises(RougeError) as caught:
        from_json(text, "r.json")

    assert message in str(caught.value)


def test_a_report_without_a_path_is_read() -> None:
    """The valid document of these tests reads back, and an error without a path
    still has a place.
    """
    assert ["X"] == [result.system for result in from_json(json.dumps(GOOD)).results]
    with pytest.raises(RougeError, match=r"^1:1: not a JSON"):
        from_json("")
