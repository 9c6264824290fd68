"""The tests that need torch, in an environment of their own."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

PYTHON = ROOT / "build" / "torch" / "bin" / "python"
FILES = ("test_torchmetrics.py", "test_rewards.py")


@pytest.mark.slow
@pytest.mark.skipif(
    not PYTHON.is_file(), reason="no torch in build/torch; make clients installs it"
)
def test_tests_pass_where_torch_is_installed(tmp_path: Path) -> None:
    """Beside torch, torchmetrics, trl and verl, no test of these is skipped, and all
    pass.
    """
    paths = [str(ROOT / "tests" / "clients" / name) for name in FILES]
    result = subprocess.run(
        [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", *paths],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "HF_HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert 0 == result.returncode, result.stdout
    assert "is not installed; make clients" not in result.stdout
