"""Compiled words and scores compared with the readable ones: forms, rounding, packed rows."""

import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from compiled_runs import KNOWN_TEXT, assert_same, random_tasks, rouge155, rouge_score, rows_of, task

from rouge_cli import native
from rouge_cli.core import Counts, Document, EvalResult, Score
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.scoring.columns import Columns, extend, unpack
from rouge_cli.scoring.formula import f_measure, five_places
from rouge_cli.text.tokens import Limit

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.mark.parametrize(
    "options",
    [
        {"stem": True, "irregular": {b"ran": b"run", b"is": b"be", b"empty": b""}},
        {"stem": True, "irregular": MappingProxyType({b"ran": b"run"})},
        {"stem": True, "stemmer": lambda raw: raw[:2]},
        {"stop_words": frozenset({b"the", b"is"}), "drop_stop_words": True},
        {"stop_words": frozenset({b"the", b"is"}), "drop_stop_words": True, "stem": True},
        {"stop_words": frozenset({b"the"}), "drop_stop_words": True, "stem": True, "stemmer": bytes.upper},
        {"drop_stop_words": True, "limit": Limit(9, in_words=False)},
    ],
)  # fmt: skip
def test_words_are_dropped_and_stemmed_the_same(options: Mapping[str, Any]) -> None:
    """Stop words, irregular forms and custom stemmers give the same forms of every word."""
    texts = [
        b"the cats ran", b"The CAT\nis running, empty", b"the the", b"is", b"cat run 2s", b"be run runs",
    ]  # fmt: skip
    documents = [Document(text, f"x:{number}") for number, text in enumerate(texts)]
    assert_same(rouge155(**options), random_tasks(random.Random(1), documents, 25))


@pytest.mark.parametrize("kind", [KeyError, RuntimeError, MemoryError, KeyboardInterrupt])
def test_an_exception_of_a_stemmer_leaves_the_program_usable(
    kind: type[BaseException], tmp_path: Path
) -> None:
    """A stemmer's exception reaches the caller unchanged, and later scores are unaffected."""
    error = kind("bad")

    def stemmer(raw: bytes) -> bytes:
        if raw.startswith(b"bad"):
            raise error
        return raw[:3]

    path = tmp_path / "changing"
    program, fresh = (
        native.program(rouge155(stem=True, stemmer=stemmer)(Counter(), lambda _: None).kernel_setup())
        for _ in range(2)
    )
    assert program
    assert fresh
    good = [task(number, [str(path)], {"a": str(path), "b": KNOWN_TEXT}) for number in range(3)]
    for attempt in range(2):
        path.write_text("the cat\n")
        bad = task(4, [KNOWN_TEXT], {"a": Document(b"the bad%d" % attempt, "x")})
        with pytest.raises(kind) as raised:
            program.score([good[0], bad, *good[1:]], None)
        assert raised.value is error
        path.write_text("the cats ran\n" * (attempt + 2))

        assert rows_of(fresh, good) == rows_of(program, good)


def test_the_first_of_equal_references_counts() -> None:
    """Of references with equal F, Google's counts are those of the first, and else of the best F."""
    references = [Document(text, "x") for text in (b"a b c d", b"a b", b"b a", b"a b x")]
    scored = assert_same(
        rouge_score(metrics=("rouge1", "rouge2")),
        [
            task(number, references[first:], {"a": Document(b"a b z z", "x")})
            for number, first in enumerate((0, 1))
        ],
    )
    assert "Counts(reference=4.0, prediction=4.0, match=2.0" not in scored
    assert "Counts(reference=2.0, prediction=4.0, match=2.0" in scored


def test_the_first_of_references_with_equal_recall_counts() -> None:
    """Of references with the same recall, ROUGE-1.5.5's best is the first, whatever its counts are."""
    references = [Document(text, "x") for text in (b"a b c d", b"a x")]
    program = rouge155(metrics=[WeightedLcs(1.0), Lcs(), NGram(1)], best_model=True)
    scored = assert_same(program, [task(1, references, {"a": Document(b"a b", "x")})])
    assert "Counts(reference=4.0, prediction=2.0, match=2.0" in scored
    assert "Counts(reference=2.0" not in scored


def test_ranks_that_differ_in_the_sixth_decimal_are_equal_but_for_lcs() -> None:
    """`-f B` rounds the recalls of n-grams to five decimals, so that the first counts; not LCS's."""
    shared, others = [f"s{number}" for number in range(201)], [f"x{number}" for number in range(403)]
    texts = [shared[:200] + others[:401], shared + others]  # recalls of .332779 and .332781
    references = [Document(" ".join(words).encode(), "x") for words in texts]
    prediction = {"a": Document(" ".join(shared).encode(), "x")}
    for metric, counts in ((NGram(1), "reference=601.0"), (Lcs(), "reference=604.0")):
        program = rouge155(metrics=[metric], best_model=True)
        assert counts in assert_same(program, [task(1, references, prediction)])


@pytest.mark.parametrize("size", [64, 65, 128, 129, 192, 193, 256, 257, 320, 321])
def test_lcs_of_any_number_of_machine_words(size: int) -> None:
    """Texts of one to six machine words of bits, full or not quite, have the LCS of the obvious program."""
    chance = random.Random(size)
    references, predictions = (
        [Document(" ".join(chance.choices("abcdef", k=size)).encode(), "x") for _ in range(4)] for _ in "rp"
    )
    tasks = [
        task(number, [pair[0]], {"a": pair[1]})
        for number, pair in enumerate(zip(references, predictions, strict=True))
    ]
    assert_same(rouge_score(metrics=("rougeL",)), tasks)


def test_a_later_reference_may_be_the_best() -> None:
    """The reference with the highest recall counts wherever it stands, for every kind of metric."""
    references = [Document(text, "x") for text in (b"a x y z", b"a b c d", b"b x y z")]
    program = rouge155(metrics=[WeightedLcs(1.2), Lcs(), NGram(1)], best_model=True)
    scored = assert_same(program, [task(1, references, {"a": Document(b"a b", "x")})])
    assert ("match=1.0" in scored, scored.count("match=2.0")) == (False, 2)


def test_a_reference_without_units_is_not_the_best() -> None:
    """A reference that is shorter than an n-gram ranks below one that shares an n-gram."""
    references = [Document(text, "x") for text in (b"a b", b"a b c d")]
    scored = assert_same(
        rouge155(metrics=[NGram(3)], best_model=True),
        [task(1, references, {"a": Document(b"a b c", "x")})],
    )
    assert "Counts(reference=2.0, prediction=1.0, match=1.0" in scored


def test_an_empty_reference_is_not_the_best() -> None:
    """A reference without a word ranks below one that shares a word, under every formula of the best."""
    references = [Document(b"", "x"), Document(b"a b c d", "x")]
    scored = assert_same(
        rouge155(metrics=[WeightedLcs(1.2), Lcs(), NGram(1)], best_model=True),
        [task(1, references, {"a": Document(b"a z", "x")})],
    )
    assert "Counts(reference=4.0, prediction=2.0, match=1.0" in scored


def test_nothing_in_common_is_zero() -> None:
    """Google's recall, precision and F of a pair without a common word are 0, in batches too."""
    scored = assert_same(
        rouge_score(metrics=("rouge1", "rougeL")),
        [task(1, [Document(b"a b", "x")], {"a": Document(b"c d", "x")})],
    )
    assert "Score(recall=0.0, precision=0.0, f=0.0)" in scored


@pytest.mark.parametrize("whole", [64, 320, 1600, 8000, 40_000, 200_000])
def test_scores_near_a_tie_are_rounded_the_same(whole: int) -> None:
    """Quotients at or near a tie of five decimals are rounded as Python does."""
    parts = [*range(1, min(whole, 40), 2), whole // 3, whole // 2 + 1, whole - 1]
    predictions = {f"{place}": Document(b"a " * part, "x") for place, part in enumerate(parts)}
    program = native.program(
        rouge155(metrics=[NGram(1)], alpha=0.3)(Counter(), lambda _: None).kernel_setup()
    )
    assert program
    (rows,) = rows_of(program, [task(1, [Document(b"a " * whole, "x")], predictions)])
    assert rows
    for part, row in zip(parts, rows, strict=True):
        _, counts, score = unpack("1", ["ROUGE-1"], row)["ROUGE-1"]
        recall = five_places(part / whole)

        assert (whole, part, part) == counts[:3]
        assert (recall, 1.0, five_places(f_measure(recall, 1.0, 0.3))) == score


def test_packed_results_are_separate_for_each_label() -> None:
    """Each label of a packed result has its own counts and score, or none if it holds only counts."""
    eval_task = task(1, [Document(b"a b c", "x")], {"a": Document(b"a b", "x")})
    expected = {
        "ROUGE-1": (Counts(3, 2, 2), Score(0.66667, 1.0, 0.8)),
        "ROUGE-2": (Counts(2, 1, 1), Score(0.5, 1.0, 0.66667)),
    }
    for averaging in range(3):
        program = native.program(
            rouge155(metrics=[NGram(1), NGram(2)], averaging=averaging)(
                Counter(), lambda _: None
            ).kernel_setup()
        )
        assert program
        assert program.is_scored == (averaging == 0)
        ((row,),) = [rows or [] for rows in rows_of(program, [eval_task])]
        packed = unpack("e", list(expected), row, is_scored=program.is_scored)

        assert list(packed.items()) == [
            (label, EvalResult("e", counts, None if averaging else score))
            for label, (counts, score) in expected.items()
        ]


def test_columns_of_different_groups_are_not_extended_together() -> None:
    """Columns that share rows in the second part of a run must have shared them in the first."""
    first, second, both = (Columns(2).columns for _ in range(3))
    columns = {"a": first[0], "c": first[1], "d": second[0], "b": second[1]}
    with pytest.raises(ValueError, match="columns that do not match: a, b"):
        extend(columns, dict(zip("ab", both, strict=True)))
