"""Tables of cases beside the tests that read them, as `tables.txt` in their folder.

    == test_words: limit, sentences (bytes), expected (bytes)
    # half a word left is one word
    2.5, ["a b", "c d"], ["a b", "c"]

A heading names the test and its parameters, and a row has their values as JSON; in a
column of bytes a character is a byte. `# ` begins a comment.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])
HEADING = re.compile(r"^== (\w+): (.*)\n", re.MULTILINE)


@cache
def tables(folder: Path) -> dict[str, tuple[str, str]]:
    """Return test -> its parameters and its rows."""
    _, *parts = HEADING.split((folder / "tables.txt").read_text("utf-8"))
    named = dict(
        zip(parts[::3], zip(parts[1::3], parts[2::3], strict=True), strict=True)
    )
    assert len(named) == len(parts) // 3, f"{folder}: two tables of one test"
    return named


def as_bytes(value: Any) -> Any:  # noqa: ANN401 - any depth
    """Return the value with its strings as bytes."""
    if isinstance(value, list):
        return [as_bytes(part) for part in value]
    return value.encode("latin-1") if isinstance(value, str) else value


def tabled(test: Test) -> Test:
    """Run the test with each row of its table."""
    heading, text = tables(Path(test.__code__.co_filename).parent)[test.__name__]
    names = heading.split(", ")
    rows = [
        json.loads(f"[{line}]")
        for line in text.split("\n")
        if line and not line.startswith("#")
    ]
    for row in rows:
        for place, (name, value) in enumerate(zip(names, row, strict=True)):
            row[place] = as_bytes(value) if name.endswith(" (bytes)") else value
    parameters = [name.removesuffix(" (bytes)") for name in names]
    marked: Test = pytest.mark.parametrize(parameters, rows)(test)
    return marked
