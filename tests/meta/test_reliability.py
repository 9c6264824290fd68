"""Tests that others name exist: docs/reference/reliability.md, and the judge of
changed lines.
"""

import re
from importlib import import_module

import pytest
from case_files import is_case

from tests.conftest import ROOT

ROWS = [
    line
    for line in (ROOT / "docs" / "reference" / "reliability.md")
    .read_text("utf-8")
    .splitlines()
    if line.startswith("| ")
    and not line.startswith(("| ---", "| fault |", "| status |"))
]


def test_every_fault_has_its_test() -> None:
    """Each row of docs/reference/reliability.md names tests in its last column, and
    they exist.
    """
    sources = "".join(
        path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")
    )
    tests = set(re.findall(r"^def (test_\w+)", sources, re.MULTILINE))
    named = [
        re.findall(r"`(test_\w+|\w+: [^`]+)`", row.rsplit(" | ", 1)[-1]) for row in ROWS
    ]

    assert len(ROWS) > 20
    assert [] == [row for row, names in zip(ROWS, named, strict=True) if not names]
    assert [] == [
        name
        for names in named
        for name in names
        if not (name in tests or is_case(name))
    ]


def test_every_kernel_has_tests_to_judge_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make mutants` finds tests for every file that it changes, and all of them
    exist.
    """
    monkeypatch.syspath_prepend(str(ROOT / "tests"))
    mutants = import_module("mutants")

    files = [
        str(path.relative_to(ROOT))
        for pattern in mutants.CODE
        for path in (ROOT / "rouge_cli").glob(pattern)
    ]
    tests = {
        file: mutants.tests_of(file)
        for file in files
        if not file.endswith("scoring/__init__.py")
    }

    assert [] == [file for file, names in tests.items() if not names]
    assert [] == [
        name for names in tests.values() for name in names if not (ROOT / name).exists()
    ]
