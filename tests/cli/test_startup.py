"""The imports of a small run, which take most of its time."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = ("numpy", "scipy", "nltk", "click", "rich", "pandas", "unittest", "asyncio", "email", "http")


def test_a_small_run_imports_no_heavy_library(root: Path) -> None:
    """The drop-in scores a small settings file without numpy, scipy, nltk, click or their like."""
    script = (
        "import json, sys\n"
        "from rouge_cli.cli.rouge155 import main\n"
        "main(['-n', '2', '-m', '-s', '-w', '1.2', '-2', '4', '-u', '-a', 'fixtures/demo/settings.xml'])\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})), file=sys.stderr)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, check=True)

    assert [] == sorted(set(HEAVY) & set(json.loads(ended.stderr)))


def test_importing_the_package_imports_nothing() -> None:
    """`import rouge_cli` loads that one module and no other of the package."""
    script = "import sys, rouge_cli; print([name for name in sys.modules if name.startswith('rouge_cli')])"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)

    assert ended.stdout.decode().strip() == "['rouge_cli']"
