"""The picture of the pipeline in the README shows the code that runs."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from everyday import sampled

from rouge_cli import twins

TRACED = """
import json, sys, threading
entered = set()
def enter(frame, event, _):
    module = frame.f_globals.get("__name__", "")
    if event == "call" and module.startswith("rouge_cli.") and frame.f_code.co_name != "<module>":
        entered.add((module, frame.f_code.co_name))
from rouge_cli.__main__ import rouge_cli
sys.setprofile(enter)
threading.setprofile(enter)
try:
    rouge_cli()
except SystemExit as end:
    status = end.code
sys.setprofile(None)
json.dump([status, sorted(entered)], sys.stderr)
"""
STEPS = ("tasks", "formats", "text", "metrics", "scoring", "reports")
# Modules around a run, and in no step of the picture: the start of the program, and
# Ctrl-C.
AROUND = {"__main__", "interrupts"}
DEMO = "fixtures/demo/settings.xml"
SCORED = f"score {DEMO} -m R2,RL,W1.2,SU4 --stem --limit 20words"
RUNS = (
    SCORED, "score fixtures/demo/lines/run.jsonl", "score fixtures/demo/lines/run.jsonl --dialect google",
    f"compare {DEMO} -m R2 --baseline lead --quiet", "explain --pred-text cat --ref-text cats -m R1,RL --stem",
    f"rouge155 -n 2 -m -2 4 -u -a {DEMO}",
)  # fmt: skip


def picture(root: Path) -> str:
    """Return the picture."""
    text = (root / "README.md").read_text().partition("## The pipeline")[2]
    return text.partition("```\n")[2].partition("```")[0]


def entered(root: Path, kernels: str, words: str = SCORED) -> set[tuple[str, str]]:
    """Return the functions that a run calls: (module, function)."""
    outcome = subprocess.run(
        [sys.executable, "-c", TRACED, *words.split()], cwd=root, env={"ROUGE_CLI_KERNELS": kernels},
        capture_output=True, check=True,
    )  # fmt: skip
    status, calls = json.loads(outcome.stderr)
    assert not status
    return {(module.removeprefix("rouge_cli."), name) for module, name in calls}


@pytest.mark.parametrize("words", sampled(RUNS, 2))
def test_the_readable_program_is_the_picture(words: str, root: Path) -> None:
    """A readable run passes every step of the picture, and no module that the
    picture does not name.
    """
    modules = {module for module, _ in entered(root, "python", words)}
    named = set(re.findall(r"([\w/]+)(?:/|\.py)", picture(root)))

    assert set(STEPS) <= {module.partition(".")[0] for module in modules}
    assert set() == {
        module for module in modules - AROUND if module.partition(".")[0] not in named
    }


@pytest.mark.skipif(twins.kernels() != "compiled", reason="the extension was not built")
def test_the_compiled_program_takes_the_place_of_its_steps(root: Path) -> None:
    """A compiled run parses no text and counts nothing in Python; other modules are
    the same.
    """
    calls = entered(root, "")

    assert set() == {call for call in calls if call[0].startswith("formats")}
    assert set() == {call for call in calls if call[1] == "count"}
    assert set() == {
        call
        for call in calls
        if call[0] == "text.tokens" and call[1].endswith("_reading")
    }
    assert {"native", "runs.evaluation", "scoring.columns"} <= {
        module for module, _ in calls
    }
