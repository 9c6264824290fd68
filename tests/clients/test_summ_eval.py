"""PyPI's summ-eval (SummEval), written by others, on our home: the same numbers as
with the original.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

# Its dependencies are those of many metrics, so that it has an environment of its own,
# without them.
PYTHON = ROOT / "build" / "summ-eval" / "bin" / "python"
DEMO = ROOT / "fixtures" / "demo"

pytestmark = pytest.mark.skipif(
    not PYTHON.is_file(),
    reason="no summ-eval in build/summ-eval; make clients installs it",
)

# It is written for a later pyrouge than PyPI's, whose constructor also takes log_level.
SCRIPT = """
import json, logging, sys
import pyrouge
construct = pyrouge.Rouge155.__init__
def accept_log_level(self, rouge_dir=None, rouge_args=None, log_level=None):
    logging.disable(log_level)
    construct(self, rouge_dir, rouge_args)
if "accept" in sys.argv:
    pyrouge.Rouge155.__init__ = accept_log_level
from summ_eval.rouge_metric import RougeMetric
peers, models = json.load(sys.stdin)
default, given = RougeMetric(), RougeMetric(rouge_args="-e %s/data -c 95 -r 1000 -n 2 -a" % sys.argv[1])
print(json.dumps([
    default.evaluate_batch(peers, models), default.evaluate_batch(peers, models, aggregate=False),
    default.evaluate_example(peers[0], models[0]), given.evaluate_batch(peers, models),
]))
"""


def through_summ_eval(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the script with ROUGE_HOME, on the summaries of the demo's first system."""
    predictions = [
        (DEMO / "systems" / f"lead.{number}.txt").read_text() for number in (1, 2, 3)
    ]
    references = [
        [(DEMO / "models" / f"{number}.{author}.txt").read_text() for author in "AB"]
        for number in (1, 2, 3)
    ]
    return subprocess.run(
        [str(PYTHON), "-W", "ignore", "-c", SCRIPT, str(home), *words],
        input=json.dumps([predictions, references]), env={**os.environ, "ROUGE_HOME": str(home)},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def scores(home: Path) -> Any:  # noqa: ANN401 - dictionaries of summ-eval's
    """Return what RougeMetric returns: for all, for each, for one, and with
    arguments of one's own.
    """
    ended = through_summ_eval(home, "accept")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1])


def test_the_same_dictionaries_as_with_the_original(ours: Path, theirs: Path) -> None:
    """`RougeMetric` returns the same numbers from our home as from the original's."""
    results = scores(ours)

    assert scores(theirs) == results
    assert results[0]["rouge"]["rouge_1_f_score"] > 0
    assert len(results[1]) == 3


def test_it_needs_another_pyrouge(ours: Path) -> None:
    """With PyPI's pyrouge as it is, summ-eval asks for pyrouge's own repository, as
    our guide tells.
    """
    ended = through_summ_eval(ours)

    assert (
        "pip install -U  git+https://github.com/bheinzerling/pyrouge.git"
        in ended.stdout + ended.stderr
    )
    assert "rouge_1_f_score" not in ended.stdout
