"""Whole compiled runs, from files to scores, equal the readable ones to the last
bit.
"""

import random
from collections.abc import Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from compiled_runs import (
    CUT_UP,
    METRICS,
    Make,
    assert_same,
    lines,
    random_tasks,
    rouge155,
    rouge_score,
    run,
    task,
)
from everyday import sampled, share

from rouge_cli import dialects, native, twins
from rouge_cli.core import Document, EvalTask, ignore_notice
from rouge_cli.dialects.rouge155.program import Rouge155
from rouge_cli.dialects.rouge155.setup import Setup
from rouge_cli.metrics.lcs import WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.native.scorer import CompiledScorer
from rouge_cli.runs import parallel

pytestmark = pytest.mark.usefixtures("compiled")

SETUPS: list[Mapping[str, Any]] = [
    {
        "best_model": best,
        "alpha": alpha,
        "averaging": averaging,
        "stem": best,
        "stem_models": alpha == 1,
    }
    for (best, alpha), averaging in product(
        ((False, 0.0), (True, 0.3), (False, 1.0)), range(3)
    )
]


@pytest.mark.parametrize("in_memory", [False, True])
@pytest.mark.parametrize(  # three seeds cover all set-ups
    "seed",
    [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 6))],
)
def test_runs_are_the_same(seed: int, in_memory: bool, tmp_path: Path) -> None:
    """Any texts, also empty and repeated ones, score the same with every way of
    combining and averaging.
    """
    chance = random.Random(seed)
    sources: list[str | Document] = []
    for number in range(7):
        text = lines(chance)
        (tmp_path / f"{number}").write_text(text)
        sources.append(
            Document(text.encode(), f"x:{number}")
            if in_memory
            else str(tmp_path / f"{number}")
        )
    tasks = random_tasks(chance, sources, 4)
    for options in SETUPS[seed % 3 :: 3]:
        assert_same(rouge155(**options), tasks)
    for options in (
        {},
        {"stemmer": "nltk"},
        {"metrics": ("rougeLsum", "rouge9", "rouge1"), "samples": 3},
    ):
        assert_same(rouge_score(**options), tasks)
        assert_same(rouge_score(**options), tasks, ["c", "a"])
    for jackknife_make in (rouge155(**SETUPS[seed]), rouge_score()):
        assert_same(jackknife_make, tasks, jackknife=True)
        assert_same(jackknife_make, tasks, ["b", "d"], jackknife=True)


# Words of many scripts, and what joins, divides and marks them.
PIECES = (
    "Human beings are born free", "na\xefve Z\xfcrich co\xf6perate",
    "\u041b\u044e\u0434\u0438 \u0440\u043e\u0436\u0434\u0430\u044e\u0442\u0441\u044f",
    "\u038c\u03bb\u03bf\u03b9 \u039f\u0394\u039f\u03a3 \u03a3 \u03b0",
    "\u4eba\u4eba\u751f\u800c\u81ea\u7531\uff0c\u5728",
    "\u3059\u3079\u3066\u306e\u4eba\u9593\u306f\u30ab\u30e1\u30e9\u30fc",
    "\uc0ac\ub78c\uc740 \u1100\u1161", "\u0e21\u0e19\u0e38\u0e29\u0e22\u0e4c\u0e17\u0e31\u0e49\u0e07",
    "\u0938\u092d\u0940 \u092e\u0928\u0941\u0937\u094d\u092f\u094b\u0902",
    "\u05d1\u05b0\u05bc\u05e0\u05b5\u05d9 \u05d0\u05f3\u05d1",
    "\u064a\u0648\u0644\u062f \u062c\u0645\u064a\u0639", "\U00020000\U0001f468\u200d\U0001f469",
    "can't 3.14 1,000 a_b", "I see IT", "\u1e9e\xdf \u0e01\u0e33 \u0e40\u0e01\u0e32\u0e30",
    "<q>", "[SEP]", "\n", "\r\n", "\t", " ", "  ", ". ", "\u0301", "\u3099",
    "\u1001\u103b\u1025\u102e\u1039\u1000\u102b\u1038a\u103a1\u101e\u1010\u103a", "\u0e31", "\u0e4d",
    "\u1781\u17d2\u1798\u17c2\u179aA\u17b6b\u1799\u17e1\u17b6\u1780\u17d7\u17d4", "\u17b6", "\u103a",
    "\u0ea7\u0eb1\u0e99\u0eb0\u0eba\u0ec0", "\u0938\u094d\u17b8\u1782",
    "\u200d", "\u0d4e", "\xad", "\u2028", "\u3000", "\u212a", "\u0130", "\ufb01", "\u2460", "\uff21",
    "e\u0301", "\u304b", "\u3005", "\u6587", "\u012fI\u0131\u0133l\u0140\u0149\u017e\u017f",
)  # fmt: skip
TOKENIZERS = ("own", "unicode", "char", "whitespace", "zh", "classic")
HOW: list[Mapping[str, Any]] = [
    {}, {"stem": True}, {"sentences": "mark:<q>"}, {"sentences": "none"}, {"sentences": "mark:e"},
    {"normalize": "nfkc"}, {"normalize": "nfkc+diacritics", "sentences": "mark:\n"},
    {"normalize": "nfkc+casefold"}, {"normalize": "nfkc+turkic+casefold", "sentences": "none"},
    {"limit": "7words"}, {"limit": "30bytes", "normalize": "diacritics"},
]  # fmt: skip


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("name", ["rouge155", "google"])
def test_every_reading_is_the_same(name: str, tokenizer: str) -> None:
    """Every tokenizer, normalization and sentence rule reads any script the same,
    and is compiled.
    """
    dialect = dialects.named(name)
    chance = random.Random(share(4, 1))
    documents = [
        Document(
            "".join(chance.choices(PIECES, k=chance.choice([1, 4, 30]))).encode(),
            f"x:{number}",
        )
        for number in range(share(60, 6))
    ]
    documents += [
        Document(b"\xef\xbb\xbfa b", "mark"),
        Document(b"caf\xe9 a b", "latin"),
    ]
    for how in HOW:
        options = {
            **dialect.defaults,
            **({} if tokenizer == "own" else {"tokenizer": tokenizer}),
            **how,
        }
        if options.pop("stem", False):
            options["stemmer"] = dialect.stemmer
        if "limit" in options and "limit" not in dialect.defaults:
            continue
        make = partial(dialect.build, dialect.canonical(options))
        for first in range(0, len(documents), 6):
            assert_same(make, random_tasks(chance, documents[first : first + 6], 4))


def test_a_tokenizer_of_ones_own_is_asked_for_each_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tokenizer that reads whole sentences is given whole sentences, and what it
    raises is reported.
    """
    (tmp_path / "own.py").write_text(
        "def tokens(text):\n"
        "    if 'raise' in text: raise ValueError('no')\n"
        "    return [text[:3], text[-3:].replace('!', chr(0))]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    dialect = dialects.named("rouge155")
    options = {**dialect.defaults, "tokenizer": "own:tokens", "sentences": "mark:."}
    make = partial(dialect.build, dialect.canonical(options))
    texts = [
        Document(text, "x")
        for text in (b"one of us. two of us", b"one for us. too of us", b"please raise")
    ]
    assert "match=3.0" in assert_same(make, [task(1, [texts[0]], {"a": texts[1]})])
    assert "ValueError" in assert_same(make, [task(1, [texts[0]], {"a": texts[2]})])
    # us and us\0 differ.
    assert "match=0.0" in assert_same(
        make, [task(1, [Document(b"us", "x")], {"a": Document(b"us!", "x")})]
    )


@pytest.mark.parametrize("systems", ["ab", "ba", "aab", "", None])
def test_evaluate_is_the_same(systems: str | None, tmp_path: Path) -> None:
    """The loop itself, with a dialect that tracks the uses of files, gives the same
    report and notices.
    """
    chance = random.Random(5)
    for number in range(7):
        (tmp_path / f"{number}").write_text(lines(chance))
    tasks = random_tasks(
        chance, [str(tmp_path / f"{number}") for number in range(7)], 6
    )

    def report() -> str:
        return run(partial(Rouge155, Setup(METRICS, samples=7)), iter(tasks), systems)

    scored = report()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twins, "extension", lambda: None)
        assert report() == scored


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    "make", [rouge155(samples=0), rouge_score()], ids=["rouge155", "google"]
)
@pytest.mark.parametrize("seed", sampled(range(4), 2))
def test_tallies_and_notices_are_the_same(seed: int, make: Make, jobs: int) -> None:
    """The run's first split text is named, even if evals are handed back or
    distributed.
    """
    chance = random.Random(seed)
    documents = [
        Document(text.format(place).encode(), f"{place}:{text[:9]}")
        for place in range(4)
        for text in CUT_UP
    ]
    tasks = [
        task(
            number,
            chance.choices(documents, k=2),
            {"a": chance.choice(documents), "b": chance.choice(documents)},
        )
        for number in range(30)
    ]
    assert_same(make, tasks, jobs=jobs)
    assert_same(make, tasks, ["b", "z"], jobs=jobs)


@pytest.mark.parametrize(
    "make",
    [rouge155(metrics=[NGram(1)]), rouge_score(metrics=("rouge1",))],
    ids=["rouge155", "google"],
)
def test_the_first_text_of_a_thread_is_not_the_first_of_the_run(make: Make) -> None:
    """While one thread is busy with long texts, an earlier split text is still the
    run's first.
    """
    long = Document(b"the cat sat\n" * 20_000, "long")
    texts = [
        Document(CUT_UP[0].format(number).encode(), f"x:{number}")
        for number in range(14)
    ]
    assert_same(
        make,
        [
            task(number, [each], {"a": each})
            for number, each in enumerate([long] * 2 + texts)
        ],
        jobs=2,
    )


@pytest.mark.parametrize(
    "make", [rouge155(), rouge_score()], ids=["rouge155", "google"]
)
def test_threads_keep_the_order(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow evals keep their positions, with their notices, whichever thread finishes
    first.
    """
    monkeypatch.setattr(CompiledScorer, "most_at_once", 3)
    monkeypatch.setattr(parallel, "MOST_AT_ONCE", 3)
    chance = random.Random(2)
    documents = [
        Document(("w1 \u00fc w2\n" * size).encode(), f"x:{size}")
        for size in (0, 1, 2, 400)
    ]
    documents += [
        Document(lines(chance).encode(), f"y:{number}") for number in range(5)
    ]
    tasks = random_tasks(chance, documents, share(40, 16))
    for systems, jackknife in ((None, False), (["c", "a"], False), (None, True)):
        assert_same(make, tasks, systems, jackknife=jackknife, jobs=2)


@pytest.mark.parametrize(
    "make", [rouge155(stem_models=True), rouge_score()], ids=["rouge155", "google"]
)
def test_a_vocabulary_begun_anew_changes_nothing(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results and tallies are the same if the program resets its vocabulary again
    and again.
    """
    monkeypatch.setattr(native, "MOST_FORMS", 5)
    monkeypatch.setattr(CompiledScorer, "most_at_once", 2)
    monkeypatch.setattr(parallel, "MOST_AT_ONCE", 2)
    chance = random.Random(4)
    texts = [
        lines(chance) + text.format(number)
        for number in range(3)
        for text in CUT_UP[:4]
    ]
    documents = [
        Document(text.encode(), f"x:{number}") for number, text in enumerate(texts)
    ]
    assert_same(make, random_tasks(chance, documents, 15))


def test_work_with_a_metric_without_a_kernel_is_scored() -> None:
    """Work that does not say what plain Python scores has all metrics, also those that
    compiled code lacks.
    """
    make = partial(Rouge155, Setup(metrics=[NGram(1), WeightedLcs(2.5)], samples=0))
    texts = {"a": Document(b"x y", "p")}
    task = EvalTask("1", texts, [("1", Document(b"x", "r"))], "spl", "eval 1")
    collected = parallel.collected(parallel.Work(make, None), [task], ignore_notice)

    assert ("ROUGE-1", "ROUGE-W-2.5") == collected.systems["a"].labels
