"""Every conflict of options, on a command line."""

from pathlib import Path

import pytest

from rouge_cli.cli.option_groups import Conflict
from tests.conftest import Program

# Conflict -> a command line that has it; the option comes last, before its value.
LINES = {
    Conflict.RECORDS: "score x.jsonl --read-as see",
    Conflict.PARQUET: "score x.parquet --encoding utf-8",
    Conflict.SETTINGS: "score x.xml --id-column id",
    Conflict.FILE_LIST: "score --input list h --pred-pattern (.*)",
    Conflict.FOLDERS: "score --peers d --models d --input list",
    Conflict.ONE_FILE_OF_REFERENCES: "score --peers d --models h --ref-pattern #ID#",
    Conflict.LINES: "score --hyp h --ref h --read-as spl",
    Conflict.SAVED: "compare saved.csv --stem",
    Conflict.SCORE_ONLY: "score x.jsonl --score-only R1 --format json",
    Conflict.CLASSIC: "score x.jsonl --format classic --scale 100",
    Conflict.UNROUNDED: "timeline -p h -r x --format dict --digits 3",
    Conflict.EVALS_ALONE: "score x.jsonl --per-eval --average micro",
    Conflict.EVALS_RESAMPLED: "score x.jsonl --per-eval --samples 10",
    Conflict.NO_SAMPLES: "score x.jsonl --samples 0 --seed 3",
    Conflict.STDOUT: "score x.jsonl --depfile d",
    Conflict.COUNTS: "score x.jsonl --counts --format json",
    Conflict.ALL_METRICS: "merge part --format json --metric R1",
    Conflict.SCHEDULER: "score x.jsonl --scheduler local --jobs 2",
    Conflict.EVERYTHING_SHOWN: "audit x.jsonl --format json --all",
    Conflict.NOT_FOR_PAPERS: "compare saved.csv --digits 2",
    Conflict.FOR_PAPERS: "compare saved.csv --format latex --equivalence 1",
    Conflict.NO_INTERVALS: "compare saved.csv --format latex --confidence 90",
    Conflict.PEOPLE_NOT_MARKED: "compare saved.csv --human a",
    Conflict.BASELINE: "compare saved.csv --baseline a --all-pairs",
    Conflict.MEASURES_NAMED: "compare saved.csv -m R1.F --measure recall",
    Conflict.NO_HUMAN_SCORES: "report x.jsonl -o p --human-score q",
    Conflict.NO_BOOTSTRAP: "correlate saved.csv h --samples 0 --over evals",
    Conflict.NO_EVALS_DRAWN: "correlate saved.csv h --over systems --cluster topic",
    Conflict.NO_CLUSTER: "compare saved.csv --cluster-file h",
    Conflict.NO_BASELINE: "compare saved.csv --fail-if-worse 1",
    Conflict.BETWEEN_DIALECTS: "explain h h --dialects --alpha 0.3",
    Conflict.ONE_PAIR: "explain h h --id-column id",
    Conflict.CHECK: "settings --check x.xml --read-as see",
    Conflict.CHECK_OF_ALL_SYSTEMS: "settings --check x.xml -o y",
    Conflict.NO_CHECK: "settings --peers d --models d --target t",
    Conflict.NO_DEPFILE: "settings --check x.xml --system a",
    Conflict.NO_ALIGNMENTS: "timeline -p h -r x --format csv --alignments",
    Conflict.TAGGED: "rouge2 p --tagged --tagger nltk",
    Conflict.UNTAGGED: "rouge2 p --tagger nltk",
    Conflict.COMPATIBLE: "rouge2 p --compatible -D synonyms.use=true --expand prediction",
    Conflict.NO_SYNONYMS: "rouge2 p --expand prediction",
    Conflict.NO_WORDNET: "rouge2 p --synonyms groups --least-count 3",
}


@pytest.mark.parametrize("conflict", Conflict)
def test_every_conflict_is_one_message(conflict: Conflict, here: Program, tmp_path: Path) -> None:
    """An option without effect is an error that names the conflicting option and a remedy."""
    (tmp_path / "h").write_text("a b\n")
    (tmp_path / "groups").write_text("a b\n")
    (tmp_path / "d").mkdir()
    (tmp_path / "x.jsonl").write_text('{"prediction": "a", "reference": "a"}\n')
    (tmp_path / "saved.csv").write_text(
        "eval,system,metric,recall,precision,f,reference,prediction,match,signature\n"
    )
    outcome = here(*LINES[conflict].split())
    options = [word for word in LINES[conflict].split() if word.startswith("--")]
    option = "-o" if conflict is Conflict.CHECK_OF_ALL_SYSTEMS else options[-1]

    assert (2, b"", f"rouge-cli: {option} {conflict.why}; {conflict.remedy}\n") == outcome
