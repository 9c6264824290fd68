"""REALSumm's published scores (Bhandari et al. 2020), which are not part of the
project.
"""

import json
from typing import Any

import pytest

from tests.conftest import ROOT

DATA = ROOT.parent / "shared" / "golden" / "realsumm" / "abstractive.jsonl"


@pytest.fixture(scope="session")
def records() -> dict[str, list[dict[str, Any]]]:
    """Return system -> the records of its summaries, in the order of the documents."""
    if not DATA.is_file():
        pytest.skip(f"no REALSumm data at {DATA}")
    by_system: dict[str, list[dict[str, Any]]] = {}
    for record in map(json.loads, DATA.read_text(encoding="utf-8").splitlines()):
        by_system.setdefault(record["system"], []).append(record)
    assert 1 == len(
        {tuple(record["id"] for record in some) for some in by_system.values()}
    )
    return by_system
