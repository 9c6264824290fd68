"""Scripts for Google's rouge_score print the same if only their import line changes."""

import random
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from everyday import sampled

from rouge_cli.dialects.google import rouge_scorer as ours

theirs = pytest.importorskip(
    "rouge_score.rouge_scorer",
    reason="rouge-score is not installed: pip install '.[clients]'",
)

SCRIPT = """
import sys
import numpy as np
from PACKAGE import rouge_scorer, scoring

class Words:
    def tokenize(self, text):
        return text.split()

np.random.seed(7)
lines = open(sys.argv[1], encoding="utf-8").read().split("\\x00")
pairs = list(zip(lines[::2], lines[1::2]))
for stem in (False, True):
    kinds = ["rouge1", "rouge2", "rouge5", "rougeL", "rougeLsum"]
    scorer = rouge_scorer.RougeScorer(kinds, use_stemmer=stem)
    aggregator = scoring.BootstrapAggregator(n_samples=50)
    for target, prediction in pairs:
        scores = scorer.score(target, prediction)
        aggregator.add_scores(scores)
        print({kind: [round(value, 9) for value in score] for kind, score in scores.items()})
        print(f"{scores['rouge1'].precision:.9f} {scores['rougeLsum'].fmeasure:.9f}")
    targets = [target for target, _ in pairs]
    print({k: round(v.fmeasure, 9) for k, v in scorer.score_multi(targets, pairs[0][1]).items()})
    for kind, aggregate in aggregator.aggregate().items():
        print(kind, *(f"{value:.9f}" for score in aggregate for value in score))
own = rouge_scorer.RougeScorer(["rouge2", "rougeLsum"], tokenizer=Words())
print([{k: round(v.recall, 9) for k, v in own.score(*pair).items()} for pair in pairs])
class Marked:
    def tokenize(self, text):
        return ["[CLS]", *text.split(), "[SEP]"]

for other in (Marked(), type("Letters", (), {"tokenize": staticmethod(list)})()):
    marked = rouge_scorer.RougeScorer(["rougeLsum", "rougeL", "rouge1"], tokenizer=other)
    print([{k: round(v.recall, 9) for k, v in marked.score(*pair).items()} for pair in pairs])
for bad in ("rouge0", "rouge10", "rougel", "rougeLSum"):
    try:
        rouge_scorer.RougeScorer([bad]).score("a", "a")
    except ValueError as error:
        print(error)
for wrong in ({"confidence_interval": 2}, {"n_samples": 0}):
    try:
        scoring.BootstrapAggregator(**wrong)
    except ValueError as error:
        print(error)
try:
    own.score_multi([], "a")
except ValueError as error:
    print(error)
print(scoring.BootstrapAggregator().aggregate(), scoring.Score(1, 2, 3))
"""
WORDS = [
    *(
        "the", "cat", "cats", "running", "agreement", "happily", "ties", "skies", "3.5", "naïve",
        "İstanbul", "Kelvin",
    ),
    *("don't", "e-mail", "他", "a", "of", "_x_", "news", "proceed", ".", "relational", "conditionally"),
]  # fmt: skip


def texts(seed: int) -> str:
    """Return random pairs of texts, with empty ones and several lines, as one
    string.
    """
    chance = random.Random(seed)
    result = []
    for _ in range(40):
        lines = [
            " ".join(chance.choices(WORDS, k=chance.randint(0, 9)))
            for _ in range(chance.randint(0, 4))
        ]
        result.append(chance.choice(["\n", "\n\n", "\r\n", " "]).join(lines))
    return "\x00".join(result)


@pytest.mark.parametrize("seed", sampled(range(3), 3))
def test_one_import_line_is_all_that_changes(seed: int, tmp_path: Path) -> None:
    """A script that uses rouge_score prints the same, errors and numpy's seed
    included.
    """
    (tmp_path / "texts").write_text(texts(seed), "utf-8", newline="")
    printed = []
    for package in ("rouge_score", "rouge_cli.dialects.google"):
        script = tmp_path / "script.py"
        script.write_text(SCRIPT.replace("PACKAGE", package))
        ended = subprocess.run(
            [sys.executable, "-X", "utf8", str(script), str(tmp_path / "texts")], capture_output=True,
            check=False, text=True, encoding="utf-8", timeout=600,
        )  # fmt: skip
        assert (0, "") == (ended.returncode, ended.stderr)
        printed.append(ended.stdout)

    assert printed[0]
    assert printed[0] == printed[1]


class Words:
    """A user's tokenizer."""

    def tokenize(self, text: str) -> list[str]:
        """Split at white space."""
        return text.split()


class Empty(Words):
    """A tokenizer that is false."""

    def __len__(self) -> int:
        return 0


@pytest.mark.usefixtures("splitter")
@pytest.mark.parametrize(
    ("split", "stem", "tokenizer"),
    sampled(product([False, True], [False, True], [None, Words(), Empty()]), 5),
)
def test_options_together_do_what_they_do_there(
    *, split: bool, stem: bool, tokenizer: Words | None
) -> None:
    """Stemmer, sentence splitter and a tokenizer have rouge_score's effect in every
    combination.
    """
    chance = random.Random(1)
    words = [
        "Zürich",
        "İzmir",
        "cats",
        "running",
        "dr. It",
        "etc. The",
        "Jan. A",
        "ran. It",
        "sat.\nWe",
    ]
    made = [
        package.RougeScorer(
            ["rouge1", "rouge2", "rougeL", "rougeLsum"], stem, split, tokenizer
        )
        for package in (ours, theirs)
    ]
    for _ in range(150):
        pair = [" ".join(chance.choices([*WORDS[:5], *words], k=20)) for _ in range(2)]
        scores, expected = (
            {
                kind: [round(value, 12) for value in score]
                for kind, score in scorer.score(*pair).items()
            }
            for scorer in made
        )
        assert expected == scores, pair
