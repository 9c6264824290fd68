"""The README's way from a checkout to a comparison of the reader's own files."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

FIRST_STEPS = re.compile(r"## Install\n.*?```sh\n(.*?)```", re.DOTALL)
TEXTS = {
    "gold.txt": "the cat sat on the mat\nrain fell on the hills\nwe left the house\n"
    "dogs bark at night\nit was a cold day\nthe ship came home\n",
    "ours.txt": "the cat sat on a mat\nrain fell over hills\nwe left the old house\n"
    "dogs bark at night\nit was cold that day\nthe ship is home\n",
    "theirs.txt": "a cat\nit rained\nwe went away\nsome dogs\na day\nships\n",
}


@pytest.mark.slow
def test_the_first_steps_work_in_one_shell(root: Path, tmp_path: Path) -> None:
    """The first block of commands of the README works as it is written, in one shell,
    from a fresh clone to a comparison of two systems, with nothing else installed.
    """
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(root), str(clone)], check=True)
    for name, text in TEXTS.items():
        (clone / name).write_text(text)
    (steps,) = FIRST_STEPS.findall((root / "README.md").read_text("utf-8"))
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in {"PYTHONPATH", "VIRTUAL_ENV"}
    }
    done = subprocess.run(
        ["sh", "-e"],
        input=steps,
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "extract ROUGE-1 Average_R: 0.60604" in done.stdout
    assert re.search(r"^1 +ours +a +0\.\d{5}", done.stdout, re.MULTILINE)
    assert re.search(r"^ours +theirs +\+0\.\d{5}", done.stdout, re.MULTILINE)
