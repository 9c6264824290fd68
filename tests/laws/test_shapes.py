"""Results of stand-ins have the packages' types, and their keys in the same order.

A program that prints a result, writes it as JSON or makes columns of it sees the order
of keys. `fixtures/others/shapes/` has what the packages return (`compat/shapes.py`).
"""

import importlib.util
import json
from functools import cache, partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from rouge_cli.dialects import (
    chinese,
    coco,
    google,
    korouge,
    pltrdy,
    py_rouge,
    rouge_metric,
    rougeraw,
    xlsum,
)

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures" / "others"


@cache
def recorder() -> ModuleType:
    """Return the script that recorded the packages."""
    spec = importlib.util.spec_from_file_location("shapes", ROOT / "compat/shapes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def without_blank_sentences() -> SimpleNamespace:
    """Return the stand-in with the option of the fork of `rouge`."""
    rouge: Any = partial(pltrdy.Rouge, blank_sentences=False)
    for name in recorder().NAMES:
        if hasattr(pltrdy.Rouge, name):
            setattr(rouge, name, getattr(pltrdy.Rouge, name))
    return SimpleNamespace(Rouge=rouge)


STAND_INS: dict[str, Any] = {
    "rouge": pltrdy,
    "rouge_fork": without_blank_sentences(),
    "rouge_chinese": chinese,
    "py_rouge": py_rouge,
    "rouge_metric": rouge_metric,
    "rouge_score": google.rouge_scorer,
    "korouge_score": korouge.rouge_scorer,
    "multilingual_rouge": xlsum.rouge_scorer,
    "pycocoevalcap": coco,
}


@pytest.mark.parametrize("package", STAND_INS)
def test_results_have_the_packages_shape(package: str) -> None:
    """Types and the order of keys are the package's, in every mode."""
    recorded = json.loads((FIXTURES / "shapes" / f"{package}.json").read_text())
    ours = recorder().shapes(STAND_INS[package], recorder().PACKAGES[package][2])
    wrong = {
        name: (shape, ours.get(name))
        for name, shape in recorded["shapes"].items()
        if ours.get(name) != shape
    }

    assert {} == wrong


def test_every_recorded_package_has_a_stand_in() -> None:
    """No package is recorded without being compared."""
    recorded = {path.stem for path in (FIXTURES / "shapes").iterdir()}
    assert recorded == set(STAND_INS) == set(recorder().PACKAGES)


def test_rougeraws_scores_are_in_its_order() -> None:
    """The script that could not be run here has records of its results."""
    lines = (FIXTURES / "rougeraw.jsonl").read_text("utf-8").splitlines()[1:]
    (case, *_) = (case for case in map(json.loads, lines) if "ok" in case)
    scores = rougeraw.RougeRaw().document("a b", "a")

    assert list(case["ok"]) == list(scores)
    assert [list(record) for record in case["ok"].values()] == [
        list(record._fields) for record in scores.values()
    ]
