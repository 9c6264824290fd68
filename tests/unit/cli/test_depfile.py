"""Make rules, read back by GNU make itself."""

import os
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest
from everyday import sampled

from rouge_cli.cli.inputs import depfile
from rouge_cli.errors import RougeError

NAMES = [
    "plain.txt", "a blank", " leading", "#hash", "mid#dle", "$dollar$", "100%", "a%b%c", "C:colon",
    "back\\slash", "back\\ blank", "two\\\\#", "back\\%", "a=b", "star*", "what?", "[ab]", "~tilde",
    "pi|pe", "quote'", 'double"', "(paren)", "a&b", "é",
]  # fmt: skip


def test_a_rule_and_an_empty_rule_for_each_path() -> None:
    """The rule names each path once, in order, and each path except the target has
    an empty rule.
    """
    assert depfile("t", ["b", "a", "b"]) == "t: \\\n  b \\\n  a\n\nb:\n\na:\n"
    assert depfile("t", []) == "t:\n"
    assert depfile("t", ["t"]) == "t: \\\n  t\n"


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
@pytest.mark.parametrize(
    ("side", "name"), sampled(product(["path", "target"], NAMES), 5)
)
def test_make_reads_names_back(side: str, name: str, tmp_path: Path) -> None:
    """Make builds a target of any name once, and again if a dependency changes or is
    removed.
    """
    target, path = ("out", name) if side == "path" else (name, "in")
    rules = depfile(target, [path, "other"])
    recipe = rules.partition(": \\\n")[0] + ":\n\t@echo made\n"
    (tmp_path / "Makefile").write_text(depfile("all", [target]) + rules + recipe)
    for dependency in (path, "other"):
        (tmp_path / dependency).touch()
        os.utime(tmp_path / dependency, (1000, 1000))

    def make(time: int) -> str:
        """Run make on the target, and set the target's date."""
        ended = subprocess.run(
            ["make", "-s"], cwd=tmp_path, capture_output=True, check=False, text=True
        )
        assert ended.stderr == ""
        (tmp_path / target).touch()
        os.utime(tmp_path / target, (time, time))
        return ended.stdout

    assert ["made\n", ""] == [make(2000), make(2000)]
    os.utime(tmp_path / path, (3000, 3000))
    assert make(4000) == "made\n"
    assert make(4000) == ""
    (tmp_path / path).unlink()
    assert make(4000) == "made\n"


@pytest.mark.parametrize(
    "name", ["a;b", "a\tb", "a\nb", "blank ", "back\\", "and&", ""]
)
def test_names_that_make_cannot_represent_are_refused(name: str) -> None:
    """A name that make cannot represent, however quoted, is an error that names it."""
    with pytest.raises(RougeError, match="make cannot name the file") as caught:
        depfile("t", ["a", name])

    assert repr(name) in caught.value.what
    assert caught.value.remedy
