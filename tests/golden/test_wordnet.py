"""Synonyms from WordNet 3.0 as the Java program of ROUGE 2.0 computes them."""

import json
from pathlib import Path

from rouge_cli.data import wordnet


def test_every_expansion_of_the_program(root: Path) -> None:
    """Under the program's rule the extract gives each of the golden words the program's synonyms."""
    golden = json.loads((root / "fixtures/rouge2/wordnet30-expansions.json").read_text("utf-8"))
    ours = wordnet.load()
    others = [
        (word["word"], word["pos"])
        for word in golden["expansions"]
        if set(word["expansion"]) != ours.synonyms(word["word"], word["pos"][0], "program")
    ]

    assert golden["expansions"]
    assert [] == others
