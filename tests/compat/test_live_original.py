"""Ours against the live original, on set-ups that nobody has seen before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNNER = str(ROOT / "compat" / "conformance" / "run.py")
OURS = str(Path(sys.executable).with_name("ROUGE-1.5.5.pl"))
SETUPS = 200


def test_random_setups_are_equal_to_the_live_originals() -> None:
    """Seeded set-ups end as under the original, byte for byte; `make conformance` draws more."""
    ended = subprocess.run(
        [sys.executable, RUNNER, OURS, "--random", str(SETUPS), "--seed", "everyday", "--require-original",
         "--jobs", str(os.cpu_count() or 1)],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    if ended.returncode == 3:
        pytest.skip(ended.stderr.strip() or ended.stdout.strip())

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"{SETUPS} passed, 0 failed" in ended.stdout
