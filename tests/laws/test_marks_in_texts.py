"""Ordinary texts have no marks: texts that people wrote, and programs printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rouge_cli.text.marks import MarkSample

ROOT = Path(__file__).parents[2]
# Beside the checkout, or beside the folder of its worktrees.
GOLDEN = ROOT.parent / "shared" / "golden"
if not GOLDEN.is_dir():
    GOLDEN = ROOT.parents[1] / "shared" / "golden"
BRACKETS = "-[LRlr][RSCrsc][Bb]-"
# Files of the fixtures with marks, which they are to have.
MARKED = ("fixtures/demo/lines/", "fixtures/timeline/battery/battery-5-probe-25.txt")
# Tables and tagged texts, which are not texts to score as they are.
OTHERS = ("fixtures/unicode/", "fixtures/rouge2/tagged-sample.txt", "LICENSE")


def marks_of(texts: list[bytes]) -> list[str]:
    """Return the marks of texts."""
    sample = MarkSample()
    sample.add(texts)
    return sample.marks()


def texts_of_fixtures() -> list[Path]:
    """Return the files of the fixtures that are texts."""
    texts = []
    for path in sorted((ROOT / "fixtures").rglob("*.txt")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(MARKED + OTHERS):
            texts.append(path)
    return texts


def test_texts_of_the_fixtures_have_no_marks() -> None:
    """No text of the fixtures has a mark, in a run of its own, by lines, or with all."""
    paths = texts_of_fixtures()
    assert len(paths) > 10

    for path in paths:
        data = path.read_bytes()
        assert [] == marks_of([data]), path
        assert [] == marks_of(data.splitlines()), path
    assert [] == marks_of([path.read_bytes() for path in paths])


def test_marks_of_the_demo_are_found() -> None:
    """The mark of the demo's files is found."""
    for path in (ROOT / "fixtures" / "demo" / "lines").glob("*.txt"):
        assert ["< q"] == marks_of(path.read_bytes().splitlines()), path


def test_output_of_summarizers_has_no_marks() -> None:
    """Neither the summaries of twelve systems nor their references have a mark; the
    escaped brackets of a single text are told.
    """
    path = GOLDEN / "realsumm" / "abstractive.jsonl"
    if not path.is_file():
        pytest.skip(f"no reference data at {path}")
    by_side: dict[tuple[str, str], list[bytes]] = {}
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        for side in ("prediction", "reference"):
            text = "\n".join(record[side]).encode()
            by_side.setdefault((side, record["system"]), []).append(text)

    assert len(by_side) == 24
    for of_side, texts in by_side.items():
        assert [] == marks_of(texts), of_side
        for text in texts:
            assert {*marks_of([text])} <= {BRACKETS}, text


def test_languages_have_no_marks() -> None:
    """The Universal Declaration of Human Rights has no mark in any language."""
    paths = sorted((GOLDEN / "udhr").glob("*.txt"))
    if not paths:
        pytest.skip(f"no reference data at {GOLDEN / 'udhr'}")
    for path in paths:
        data = path.read_bytes()
        assert [] == marks_of([data]), path
        assert [] == marks_of(data.splitlines()), path


def test_programs_have_no_marks() -> None:
    """The modules of the package, as a corpus of code, have no mark in common."""
    texts = [path.read_bytes() for path in sorted((ROOT / "rouge_cli").rglob("*.py"))]

    assert len(texts) > 100
    assert [] == marks_of(texts)
