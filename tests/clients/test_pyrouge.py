"""PyPI's pyrouge with a rouge-cli home gives the same dictionaries as with the
original.
"""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import ROOT

# pyrouge runs `HOME/ROUGE-1.5.5.pl -e HOME/data ...` and parses what it prints.
SCRIPT = r"""
import json, logging, sys
logging.disable(logging.CRITICAL)
from pyrouge import Rouge155
home, systems, models = sys.argv[1:4]
rouge = Rouge155(rouge_dir=home, rouge_args=sys.argv[4] or None)
rouge.system_dir, rouge.model_dir = systems, models
rouge.system_filename_pattern = r"lead.(\d+).txt"
rouge.model_filename_pattern = "#ID#.[A-Z].txt"
output = rouge.convert_and_evaluate()
json.dump([output, rouge.output_to_dict(output)], sys.stdout)
"""

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyrouge") is None,
    reason="pyrouge is not installed; make setup brings it",
)


def through_pyrouge(home: Path, arguments: str) -> tuple[str, dict[str, float]]:
    """Return pyrouge's output and parsed results, with the ROUGE in a home."""
    demo = ROOT / "fixtures" / "demo"
    command: Sequence[str] = [
        sys.executable, "-W", "ignore", "-c", SCRIPT,
        str(home), str(demo / "systems"), str(demo / "models"), arguments,
    ]  # fmt: skip
    ended = subprocess.run(command, capture_output=True, check=False, timeout=600)
    assert ended.returncode == 0, ended.stderr.decode()
    output, scores = json.loads(ended.stdout.decode().splitlines()[-1])
    return output, scores


# pyrouge's own arguments; those that users pass instead; those of PreSumm and BertSum,
# and of files2rouge.
ARGUMENTS = {
    "its own": "",
    "given": "-e {data} -a -n 2 -m -c 95 -r 500 -2 4 -U -l 20",
    "PreSumm": "-e {data} -c 95 -m -r 1000 -n 2 -a",
    "files2rouge": "-e {data} -c 95 -r 1000 -n 2 -a",
}


@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
def test_the_same_dictionaries_as_with_the_original(
    arguments: str, ours: Path, theirs: Path
) -> None:
    """`convert_and_evaluate` and `output_to_dict` give the same text and the same
    numbers with either.
    """
    with_ours = through_pyrouge(ours, arguments.format(data=ours / "data"))
    with_theirs = through_pyrouge(theirs, arguments.format(data=theirs / "data"))

    assert with_theirs == with_ours
    assert with_ours[1]["rouge_1_f_score"] > 0


def test_pyrouge_works_with_our_home_alone(ours: Path) -> None:
    """Without any Perl module, pyrouge finds a program and parses its report."""
    _, scores = through_pyrouge(ours, "")

    assert {
        "rouge_1_recall", "rouge_l_f_score", "rouge_su*_precision", "rouge_w_1.2_f_score",
    } <= scores.keys()  # fmt: skip
