"""Unchanged programs that import rouge_score print the same by `python -m
rouge_cli.accelerate`.
"""

import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from everyday import sampled

import rouge_cli
from tests.conftest import ROUGE_CLI

NOTICE = f"rouge-cli {rouge_cli.__version__} stands in for rouge_score\n"
TEXTS = """
import random
chance = random.Random(3)
WORDS = "the cats sat running agreement happily ties skies 3.5 naïve . don't a of news proceed".split()
def text():
    return "\\n".join(" ".join(chance.choices(WORDS, k=chance.randint(0, 9))) for _ in range(3))
predictions, references = [text() for _ in range(30)], [text() for _ in range(30)]
"""
# The steps of evaluate's own metric, with its seed; its script is on a hub, which tests
# do not access.
METRIC = """
import sys
import evaluate
import numpy as np
metric = evaluate.load(sys.argv[1], seed=11)
several = [[reference, text()] for reference in references]
for stem in (False, True):
    print(metric.compute(predictions=predictions, references=references, use_stemmer=stem))
several = {"predictions": predictions, "references": several}
print(metric.compute(**several, use_aggregator=False))
print(metric.compute(**several, tokenizer=str.split, rouge_types=["rouge3"]))
"""
DEFINITION = """
import numpy as np
from rouge_score import rouge_scorer, scoring
several = [[reference, text()] for reference in references]
class Split:
    def tokenize(self, string):
        return string.split()

def compute(references, types=("rouge1", "rouge2", "rougeL", "rougeLsum"), aggregated=True, **options):
    scorer = rouge_scorer.RougeScorer(types, **options)
    aggregator = scoring.BootstrapAggregator()
    np.random.seed(11)
    scores = [
        (scorer.score if isinstance(targets, str) else scorer.score_multi)(targets, prediction)
        for targets, prediction in zip(references, predictions)
    ]
    for score in scores:
        aggregator.add_scores(score)
    if not aggregated:
        return {kind: [float(score[kind].fmeasure) for score in scores] for kind in types}
    return {kind: found.mid.fmeasure for kind, found in aggregator.aggregate().items()}

for stem in (False, True):
    print(compute(references, use_stemmer=stem))
print(compute(several, aggregated=False))
print(compute(several, ["rouge3"], tokenizer=Split()))
"""
HARNESS = """
import numpy as np
from lm_eval.tasks.truthfulqa import utils
np.random.seed(5)
print([float(value) for value in np.ravel(list(utils.rouge(references, predictions).values()))])
document = {"question": "q", "correct_answers": references[:3], "incorrect_answers": references[3:7]}
scores = utils.process_results_gen(document, predictions[:1])
print({name: float(value) for name, value in scores.items() if "rouge" in name})
"""


def printed(script: Path, *arguments: str, accelerated: bool) -> tuple[str, str]:
    """Return the output and the messages of a script, which never accesses a hub."""
    launcher = ["-m", "rouge_cli.accelerate"] if accelerated else []
    ended = subprocess.run(
        [sys.executable, "-X", "utf8", *launcher, str(script), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
        env=os.environ
        | {
            "HF_HOME": str(script.parent / "hub"),
            "HF_HUB_OFFLINE": "1",
            "PYTHONWARNINGS": "",
        },
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout, ended.stderr


@cache
def definition_by_rouge_score() -> tuple[str, str]:
    """Return what rouge_score prints for DEFINITION: output and messages."""
    with TemporaryDirectory() as folder:
        script = Path(folder) / "definition.py"
        script.write_text(TEXTS + DEFINITION, "utf-8")
        return printed(script, accelerated=False)


@pytest.mark.slow  # importing evaluate takes seconds
def test_evaluate_loads_the_module(tmp_path: Path) -> None:
    """`evaluate.load` loads the folder offline; the figures are rouge_score's, as
    evaluate calls it.
    """
    pytest.importorskip("rouge_score")
    if not find_spec("evaluate"):
        pytest.skip("evaluate is not installed: pip install '.[clients]'")
    subprocess.run(
        [ROUGE_CLI, "evaluate-module", str(tmp_path / "rouge")],
        check=True,
        capture_output=True,
    )
    script = tmp_path / "metric.py"
    script.write_text(TEXTS + METRIC, "utf-8")
    figures, _ = printed(script, str(tmp_path / "rouge"), accelerated=False)
    expected, _ = definition_by_rouge_score()

    assert 4 == len(expected.splitlines())
    assert expected == figures


@pytest.mark.parametrize(
    ("needs", "text"), [("numpy", DEFINITION), ("lm_eval", HARNESS)]
)
def test_an_unchanged_script_prints_the_same(
    needs: str, text: str, tmp_path: Path
) -> None:
    """A user's script prints the same figures, to the last digit, as does one of
    lm-eval's functions.
    """
    pytest.importorskip("rouge_score")
    if not find_spec(needs):
        pytest.skip(f"{needs} is not installed")
    script = tmp_path / "script.py"
    script.write_text(TEXTS + text, "utf-8")
    if text == DEFINITION:
        theirs, messages = definition_by_rouge_score()
    else:
        theirs, messages = printed(script, accelerated=False)
    ours, our_messages = printed(script, accelerated=True)

    assert theirs
    assert theirs == ours
    assert (True, False) == (NOTICE in our_messages, NOTICE in messages)


FILES = {
    "target-1.txt": "The cats sat.\nA dog ran far\n\nThe end\n",
    "target-2.txt": "birds sing\n",
    "prediction-1.txt": "a cat sat\nThe dogs ran\nx\nAn end\n",
    "prediction-2.txt": "the bird sings\n",
    "odd-1.txt": "one line\n",
}
OPTIONS = [
    ["--use_stemmer=true"],
    ["--aggregate=false", "--rouge_types=rouge1,rougeLsum"],
    ["--delimiter=.", "--aggregate=no"],
    ["--target_filepattern=odd-*.txt", "--prediction_filepattern=target-1.txt"],
    ["--rouge_types=rouge9x"],
    ["--unknown"],
]


@pytest.mark.parametrize("options", sampled(OPTIONS, 3), ids=" ".join)
def test_the_packages_program_writes_the_same_bytes(
    options: list[str], tmp_path: Path
) -> None:
    """`python -m rouge_score.rouge`, which is in many scripts, runs under the stand-in
    and writes the same csv.
    """
    pytest.importorskip("rouge_score")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    seeded = tmp_path / "seeded"
    seeded.mkdir()
    # Python imports it first: the program itself has no seed.
    (seeded / "sitecustomize.py").write_text("import numpy; numpy.random.seed(1)")
    written = []
    for launcher in ([], ["-m", "rouge_cli.accelerate"]):
        command = [
            *(sys.executable, *launcher, "-m", "rouge_score.rouge"),
            "--target_filepattern=target-*.txt",
            "--prediction_filepattern=prediction-*.txt",
            "--output_filename=scores.csv",
            *options,
        ]
        ended = subprocess.run(
            command,
            cwd=tmp_path,
            capture_output=True,
            check=False,
            timeout=300,
            env=os.environ | {"PYTHONPATH": str(seeded)},
        )
        output = tmp_path / "scores.csv"
        data = output.read_bytes() if output.exists() else None
        written.append((ended.returncode, data))
        output.unlink(missing_ok=True)

    assert written[0] == written[1]


PICKLING = """
import pickle, sys
import numpy as np
from rouge_score import rouge_scorer, scoring
from rouge_score.rouge_scorer import _score_lcs
scorers = [rouge_scorer.RougeScorer(["rouge1", "rougeLsum"], stem) for stem in (False, True)]
aggregator = scoring.BootstrapAggregator(n_samples=9)
for scorer in scorers:
    aggregator.add_scores(scorer.score("the cats", "a cat"))
objects = [*scorers, aggregator, scorers[0].score("a b", "a"), aggregator.aggregate(), _score_lcs]
with open(sys.argv[1], "wb") as file:
    pickle.dump(objects, file)
"""
OPENING = """
import pickle, sys
import numpy as np
if sys.argv[2] == "without":
    sys.modules["rouge_cli"] = None
with open(sys.argv[1], "rb") as file:
    plain, stemming, aggregator, scores, aggregate, function = pickle.load(file)
print([scorer.score("running cats", "runs, cat") for scorer in (plain, stemming)])
np.random.seed(1)
print(aggregator.aggregate(), scores, type(aggregate), function("ab", "ab"))
"""


def test_pickles_are_opened_by_either(tmp_path: Path) -> None:
    """Scores, scorers and aggregators that were pickled under the stand-in open
    without rouge-cli, and those of rouge_score open under it.
    """
    pytest.importorskip("rouge_score")
    pickling, opening = tmp_path / "pickling.py", tmp_path / "opening.py"
    pickling.write_text(PICKLING)
    opening.write_text(OPENING)
    results = set()
    for name, accelerated in (("theirs", False), ("ours", True)):
        file = str(tmp_path / name)
        printed(pickling, file, accelerated=accelerated)
        assert b"rouge_cli" not in Path(file).read_bytes()
        results.add(printed(opening, file, "without", accelerated=False)[0])
        results.add(printed(opening, file, "with", accelerated=True)[0])

    assert 1 == len(results)


PATCHING = """
from unittest import mock
from rouge_score import rouge_scorer, scoring, tokenize, tokenizers
import nltk

TEXTS = "The cats were running", "the cat ran. Running cats"

def show(title, scorer, texts=TEXTS):
    scores = scorer.score(*texts)
    print(title, {kind: round(score.fmeasure, 9) for kind, score in scores.items()})

def new(**options):
    return rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], **options)

def words(text, *_):
    return text.lower().split()

class Short:
    def stem(self, word):
        return word[:3]

scorer = new(use_stemmer=True)
show("as it is", scorer)
scorer._tokenizer.tokenize = words
show("an instance's tokenize", scorer)
show("another scorer", new(use_stemmer=True))
scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"])
scorer._tokenizer.tokenize = lambda tokens: tokens
show("lists of tokens", scorer, (["a", "b", "c"], ["a", "c"]))
scorer = new(use_stemmer=True)
scorer._tokenizer._stemmer = Short()
show("a stemmer", scorer)
scorer._tokenizer._stemmer = nltk.stem.SnowballStemmer("english")
show("nltk's stemmer", scorer)
for target, value in (
    ("rouge_score.tokenize.tokenize", words),
    ("rouge_score.rouge_scorer.tokenizers.DefaultTokenizer.tokenize", lambda _, text: words(text)),
    ("rouge_score.rouge_scorer._score_lcs", lambda *_: scoring.Score(0.1, 0.2, 0.3)),
    ("rouge_score.scoring.fmeasure", lambda precision, recall: precision),
    ("rouge_score.tokenizers.porter.PorterStemmer.stem", lambda _, word: word[:2]),
):
    with mock.patch(target, value):
        show(target, new(use_stemmer=True))
show("as it was", new(use_stemmer=True))
"""


def test_a_patched_script_prints_the_same(tmp_path: Path) -> None:
    """Patches of rouge_score that are in public scripts have the same effect under the
    stand-in.
    """
    pytest.importorskip("rouge_score")
    script = tmp_path / "patching.py"
    script.write_text(PATCHING)
    theirs, _ = printed(script, accelerated=False)
    ours, _ = printed(script, accelerated=True)

    assert 12 == len(theirs.splitlines())
    assert theirs == ours
