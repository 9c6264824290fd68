"""Every rule about options without effect, on a command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rouge_cli.cli.applicability import RULES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Program

# Rule -> a command line that breaks it; the option comes last, before its value.
LINES = {
    "records": "score x.jsonl --read-as see",
    "parquet": "score x.parquet --encoding utf-8",
    "settings": "score x.xml --id-column id",
    "list": "score --input list h --peer-pattern (.*)",
    "--peers and --models": "score --peers d --models d --input list",
    "one file of models": "score --peers d --models h --model-pattern #ID#",
    "--hyp and --ref": "score --hyp h --ref h --read-as spl",
    "saved": "compare saved.csv --stem",
    "score_only": "score x.jsonl --score-only R1 --format json",
    "classic": "score x.jsonl --format classic --scale 100",
    "unrounded": "timeline -p h -r x --format dict --digits 3",
    "evals alone": "score x.jsonl --per-eval --average micro",
    "evals resampled": "score x.jsonl --per-eval --samples 10",
    "no samples": "score x.jsonl --samples 0 --seed 3",
    "stdout": "score x.jsonl --depfile d",
    "counts": "score x.jsonl --counts --format json",
    "all metrics": "merge part --format json --metric R1",
    "scheduler": "score x.jsonl --scheduler local --jobs 2",
    "everything shown": "audit x.jsonl --format json --all",
    "not for papers": "compare saved.csv --digits 2",
    "no paper's table": "score x.jsonl --intervals",
    "intervals left out": "compare saved.csv --format latex --confidence 90",
    "people not marked": "compare saved.csv --human a",
    "baseline": "compare saved.csv --baseline a --all-pairs",
    "figures named": "compare saved.csv -m R1.F --measure recall",
    "no human scores": "report x.jsonl -o p --human-score q",
    "no bootstrap": "correlate saved.csv h --samples 0 --over evals",
    "dialects": "explain h h --dialects --alpha 0.3",
    "texts of one pair": "explain h h --id-column id",
    "check": "settings --check x.xml --read-as see",
    "check of all systems": "settings --check x.xml -o y",
    "no check": "settings --peers d --models d --target t",
    "no depfile": "settings --check x.xml --system a",
    "no alignments": "timeline -p h -r x --format csv --alignments",
    "tagged": "rouge2 p --tagged --tagger nltk",
    "untagged": "rouge2 p --tagger nltk",
    "program": "rouge2 p --compatible -D synonyms.use=true --expand peer",
    "no synonyms": "rouge2 p --expand peer",
    "no WordNet": "rouge2 p --synonyms groups --least-count 3",
}


@pytest.mark.parametrize("name", RULES)
def test_every_rule_is_one_message(name: str, here: Program, tmp_path: Path) -> None:
    """An option without effect is an error that names the conflicting option and a remedy."""
    (tmp_path / "h").write_text("a b\n")
    (tmp_path / "groups").write_text("a b\n")
    (tmp_path / "d").mkdir()
    (tmp_path / "x.jsonl").write_text('{"prediction": "a", "reference": "a"}\n')
    (tmp_path / "saved.csv").write_text(
        "eval,system,metric,recall,precision,f,model,peer,match,signature\n"
    )
    outcome = here(*LINES[name].split())
    options = [word for word in LINES[name].split() if word.startswith("--")]
    option = "-o" if RULES[name].options == "-o" else options[-1]

    assert (2, b"", f"rouge-cli: {option} {RULES[name].why}; {RULES[name].remedy}\n") == outcome
