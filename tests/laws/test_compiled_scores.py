"""Compiled words and scores compared with the readable ones: forms, rounding, packed
rows.
"""

import random
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from compiled_runs import (
    KNOWN_TEXT,
    Make,
    assert_same,
    program_of,
    random_tasks,
    rouge155,
    rouge_score,
    rows_of,
    task,
)

from rouge_cli.core import Counts, Document, EvalResult, Score
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.scoring.columns import Columns
from rouge_cli.scoring.formula import f_measure, five_places
from rouge_cli.text.tokens import Limit

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.mark.parametrize(
    "options",
    [
        {"stem": True, "irregular": {b"ran": b"run", b"is": b"be", b"empty": b""}},
        {"stem": True, "irregular": MappingProxyType({b"ran": b"run"})},
        {"stem": True, "stemmer": lambda raw: raw[:2]},
        {"stem_models": True, "irregular": {b"ran": b"run"}, "limit": Limit(9, in_words=False)},
        {"stem_models": True, "stemmer": lambda raw: raw[:2], "best_model": True},
        {"stop_words": frozenset({b"the", b"is"}), "drop_stop_words": True},
        {"stop_words": frozenset({b"the", b"is"}), "drop_stop_words": True, "stem": True},
        {"stop_words": frozenset({b"the"}), "drop_stop_words": True, "stem": True, "stemmer": bytes.upper},
        {"drop_stop_words": True, "limit": Limit(9, in_words=False)},
    ],
)  # fmt: skip
def test_words_are_dropped_and_stemmed_the_same(options: Mapping[str, Any]) -> None:
    """Stop words, irregular forms and custom stemmers give the same forms of every
    word.
    """
    texts = [
        b"the cats ran", b"The CAT\nis running, empty", b"the the", b"is", b"cat run 2s", b"be run runs",
    ]  # fmt: skip
    documents = [Document(text, f"x:{number}") for number, text in enumerate(texts)]
    assert_same(rouge155(**options), random_tasks(random.Random(1), documents, 25))


@pytest.mark.parametrize(
    "kind", [KeyError, RuntimeError, MemoryError, KeyboardInterrupt]
)
def test_an_exception_of_a_stemmer_leaves_the_program_usable(
    kind: type[BaseException], tmp_path: Path
) -> None:
    """A stemmer's exception reaches the caller unchanged, and later scores are
    unaffected.
    """
    error = kind("bad")

    def stemmer(raw: bytes) -> bytes:
        if raw.startswith(b"bad"):
            raise error
        return raw[:3]

    path = tmp_path / "changing"
    program, fresh = (
        program_of(rouge155(stem=True, stemmer=stemmer)) for _ in range(2)
    )
    good = [
        task(number, [str(path)], {"a": str(path), "b": KNOWN_TEXT})
        for number in range(3)
    ]
    for attempt in range(2):
        path.write_text("the cat\n")
        bad = task(4, [KNOWN_TEXT], {"a": Document(b"the bad%d" % attempt, "x")})
        with pytest.raises(kind) as raised:
            program.score([good[0], bad, *good[1:]], None)
        assert raised.value is error
        path.write_text("the cats ran\n" * (attempt + 2))

        assert rows_of(fresh, good) == rows_of(program, good)


# References with their prediction -> parts of the outcome, at least so often; or not at
# all, for 0.
BEST: dict[str, tuple[Make, list[str], str, Mapping[str, int]]] = {
    "Google's first of equal F": (
        rouge_score(metrics=("rouge1", "rouge2")), ["a b", "b a", "a b x"], "a b z z",
        {"Counts(reference=2.0, prediction=4.0, match=2.0": 1},
    ),
    "Google's best F": (
        rouge_score(metrics=("rouge1", "rouge2")), ["a b c d", "a b", "b a", "a b x"], "a b z z",
        {"Counts(reference=2.0, prediction=4.0, match=2.0": 1, "Counts(reference=4.0, prediction=4.0": 0},
    ),
    "the first of equal recall": (
        rouge155(metrics=[WeightedLcs(1.0), Lcs(), NGram(1)], best_model=True), ["a b c d", "a x"], "a b",
        {"Counts(reference=4.0, prediction=2.0, match=2.0": 3, "Counts(reference=2.0": 0},
    ),
    "the highest recall, wherever it stands": (
        rouge155(metrics=[WeightedLcs(1.2), Lcs(), NGram(1)], best_model=True),
        ["a x y z", "a b c d", "b x y z"], "a b", {"match=1.0": 0, "match=2.0": 2},
    ),
    "one with n-grams": (
        rouge155(metrics=[NGram(3)], best_model=True), ["a b", "a b c d"], "a b c",
        {"Counts(reference=2.0, prediction=1.0, match=1.0": 1},
    ),
    "one with words": (
        rouge155(metrics=[Lcs(), NGram(1)], best_model=True), ["", "a b c d"], "a z",
        {"Counts(reference=4.0, prediction=2.0, match=1.0": 2},
    ),
    "none with a common word": (
        rouge_score(metrics=("rouge1", "rougeL")), ["a b"], "c d",
        {"Score(recall=0.0, precision=0.0, f=0.0)": 2},
    ),
}  # fmt: skip


def document(text: str) -> Document:
    """Return a text."""
    return Document(text.encode(), "x")


@pytest.mark.parametrize("name", BEST)
def test_the_best_reference_counts(name: str) -> None:
    """Of several references the one with the best F or recall counts, the first of
    equal ones.
    """
    make, references, prediction, expected = BEST[name]
    scored = assert_same(
        make, [task(1, list(map(document, references)), {"a": document(prediction)})]
    )

    for text, count in expected.items():
        assert scored.count(text) >= count
        assert count or text not in scored


def test_ranks_that_differ_in_the_sixth_decimal_are_equal_but_for_lcs() -> None:
    """`-f B` rounds the recalls of n-grams to five decimals, so that the first
    counts; not LCS's.
    """
    shared, others = (
        [f"s{number}" for number in range(201)],
        [f"x{number}" for number in range(403)],
    )
    texts = [
        shared[:200] + others[:401],
        shared + others,
    ]  # recalls of .332779 and .332781
    references = [" ".join(words) for words in texts]
    for metric, counts in ((NGram(1), "reference=601.0"), (Lcs(), "reference=604.0")):
        program = rouge155(metrics=[metric], best_model=True)
        assert counts in assert_same(
            program,
            [
                task(
                    1,
                    list(map(document, references)),
                    {"a": document(" ".join(shared))},
                )
            ],
        )


@pytest.mark.parametrize("size", [64, 65, 128, 129, 192, 193, 256, 257, 320, 321])
def test_lcs_of_any_number_of_machine_words(size: int) -> None:
    """Texts of one to six machine words of bits, full or not quite, have the LCS of
    the obvious program.
    """
    chance = random.Random(size)
    references, predictions = (
        [
            Document(" ".join(chance.choices("abcdef", k=size)).encode(), "x")
            for _ in range(4)
        ]
        for _ in "rp"
    )
    tasks = [
        task(number, [pair[0]], {"a": pair[1]})
        for number, pair in enumerate(zip(references, predictions, strict=True))
    ]
    assert_same(rouge_score(metrics=("rougeL",)), tasks)


@pytest.mark.parametrize("whole", [64, 320, 1600, 8000, 40_000, 200_000])
def test_scores_near_a_tie_are_rounded_the_same(whole: int) -> None:
    """Quotients at or near a tie of five decimals are rounded as Python does."""
    parts = [*range(1, min(whole, 40), 2), whole // 3, whole // 2 + 1, whole - 1]
    predictions = {
        f"{place}": Document(b"a " * part, "x") for place, part in enumerate(parts)
    }
    program = program_of(rouge155(metrics=[NGram(1)], alpha=0.3))
    (rows,) = rows_of(program, [task(1, [Document(b"a " * whole, "x")], predictions)])
    assert rows
    for part, row in zip(parts, rows, strict=True):
        (columns := Columns()).append(["1"], row)
        (_, counts, score), *_ = columns.columns[0]
        recall = five_places(part / whole)

        assert (whole, part, part) == counts[:3]
        assert (recall, 1.0, five_places(f_measure(recall, 1.0, 0.3))) == score


def test_packed_results_are_separate_for_each_label() -> None:
    """Each label of a packed result has its own counts and score, or none if it
    holds only counts.
    """
    eval_task = task(1, [Document(b"a b c", "x")], {"a": Document(b"a b", "x")})
    expected = {
        "ROUGE-1": (Counts(3, 2, 2), Score(0.66667, 1.0, 0.8)),
        "ROUGE-2": (Counts(2, 1, 1), Score(0.5, 1.0, 0.66667)),
    }
    for averaging in range(3):
        program = program_of(
            rouge155(metrics=[NGram(1), NGram(2)], averaging=averaging)
        )
        ((row,),) = [rows or [] for rows in rows_of(program, [eval_task])]
        packed = Columns(expected, is_scored=averaging == 0)
        packed.append(["e"], row)

        assert packed.columns == [
            [EvalResult("e", counts, None if averaging else score)]
            for counts, score in expected.values()
        ]
