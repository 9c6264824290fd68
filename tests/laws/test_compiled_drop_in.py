"""Whole runs by the compiled way, from files to scores, against the readable one: equal to the last bit."""

from __future__ import annotations

import os
import random
from array import array
from collections import Counter
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from threading import Thread
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli import native
from rouge_cli.core import Counts, Document, EvalResult, EvalTask, Notice, Score
from rouge_cli.dialects.google import options as google
from rouge_cli.dialects.rouge155 import Rouge155, Setup
from rouge_cli.dialects.rouge155.texts import Preparation
from rouge_cli.errors import RougeError, UnreadableFile
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.metrics.skip_bigram import SkipBigram
from rouge_cli.runs import evaluation, parallel
from rouge_cli.scoring.columns import Packed
from rouge_cli.scoring.ratio import f_measure, five_places
from rouge_cli.text.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from rouge_cli.core import Dialect, Notify

    Make = Callable[[Counter[str], Notify], Dialect]

pytestmark = pytest.mark.skipif(
    find_spec("rouge_cli.native._compiled") is None, reason="the compiled kernels were not built"
)

METRICS: list[Any] = [
    NGram(1), NGram(3), Lcs(), SentenceLcs(), *(WeightedLcs(weight) for weight in (1.0, 1.2, 2.0)),
    SkipBigram(4, unigrams=True), SkipBigram(None, unigrams=False),
]  # fmt: skip


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - an extension module
    """The compiled kernels, whatever the environment asks for."""
    extension = import_module("rouge_cli.native._compiled")
    monkeypatch.setattr(native, "extension", lambda: extension)
    return extension


def rouge155(**options: Any) -> Make:  # noqa: ANN401 - a Setup's
    """Return what makes ROUGE-1.5.5's program for these options."""
    return partial(Rouge155, Setup(**{"metrics": METRICS, "samples": 7, **options}))


def rouge_score(**options: Any) -> Make:  # noqa: ANN401 - Google's options
    """Return what makes Google's program for these options."""
    return partial(google.build, {**google.DEFAULTS, **options})


def task(
    number: int,
    models: Sequence[str | Document],
    peers: Mapping[str, str | Document | None],
    input_format: str = "spl",
) -> EvalTask:
    """An eval of this number."""
    named = [(f"{place}", source) for place, source in enumerate(models)]
    return EvalTask(f"{number}", peers, named, input_format, f"x:{number}")


def run(
    make: Make,
    tasks: Sequence[EvalTask],
    peer_ids: Sequence[str] | None = None,
    *,
    jackknife: bool = False,
    jobs: int = 1,
) -> str:
    """Return all that a run gives, to the last bit: results, details and notices, or its error."""
    notices: list[Notice] = []
    work = parallel.Work(make, peer_ids, jackknife)
    try:
        collected = parallel.collected(work, tasks, notices.append, jobs=jobs)
        report = evaluation.finish(collected, peer_ids, work.dialect(notices.append), notices.append)
    except RougeError as error:
        return repr((str(error), notices))
    results = [(each.peer_id, each.label, each.average, list(each.evals)) for each in report.results]
    return repr((results, report.details, notices))


def assert_same(
    make: Make,
    tasks: Sequence[EvalTask],
    peer_ids: Sequence[str] | None = None,
    *,
    jackknife: bool = False,
    jobs: int = 1,
) -> str:
    """Check that a run is the same with the extension and without it; return what it gives."""
    assert native.program(make(Counter(), lambda _: None))
    scored = run(make, tasks, peer_ids, jackknife=jackknife, jobs=jobs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "extension", lambda: None)
        assert run(make, tasks, peer_ids, jackknife=jackknife) == scored
    return scored


def rows_of(program: native.Program, tasks: Sequence[EvalTask]) -> list[list[bytes] | None]:
    """Return the rows of each eval's peers, or None for an eval that is handed back."""
    rows, _ = program.score(tasks, None)
    return rows


PIECES = (
    "the cat", "Rust-2", " ", "\n", "\r\n", "\0", "\t", "<", ">", "<b>", '<a name="', "\xe9", "\xff\xfe",
    "\x80", "<q>", "\\n", " \xc3\xbcber", "\xe4\xb8\xad" * 9, "\xed\xa0\x80", "\xe2\x82",
    "\xf0\x9d\x90\x80", "\xe0\x80\x80", "\xe2\x84\xaa", "\xc4\xb0s", "\xf0\xe2\x84\xaa", "a z0.A",
    '<a name="1">[1]</a> <a href="#1" id=1>', '<a size="3" name="12">[12]</a>\r\t<a href="#0" id=07>',
    '<a name="1">[1]</a><a href="#1" id=1>', '<a size="" name="1">[1]</a> <a href="#1" id=1>', "</a>\n",
    "x" * 70_000,
)  # fmt: skip
CONTENTS = st.lists(st.sampled_from(PIECES), max_size=8).map(
    lambda pieces: "".join(pieces).encode("latin-1")
)
KNOWN_TEXT = Document(b"the cat is a rust 2 z0 k\nber the name 1 cat\nx i s", "known")
LIMITS = st.none() | st.builds(Limit, st.sampled_from([0, 1, 2.5, 7, 30]), st.booleans())


@given(contents=st.tuples(CONTENTS, CONTENTS), see=st.booleans(), limit=LIMITS)
def test_files_of_any_bytes_are_scored_the_same(
    contents: tuple[bytes, bytes],
    see: bool,  # noqa: FBT001
    limit: Limit | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Any bytes under any limit have the same scores, tallies and notices, in files and in memory."""
    paths = [tmp_path_factory.getbasetemp() / name for name in ("first", "second")]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    names, format_name = list(map(str, paths)), "see" if see else "spl"
    documents = [Document(content, f"line {number}") for number, content in enumerate(contents)]
    for first, second in (names, documents):
        tasks = [
            task(1, [first, second], {"a": first, "b": second}, format_name),
            task(2, [second], {"a": first}, format_name),
            task(3, [first], {"b": first}, format_name),
        ]
        if not see:
            tasks.append(task(4, [KNOWN_TEXT], {"a": first, "b": second}))
        assert_same(rouge155(limit=limit), tasks)
        assert_same(rouge_score(), tasks)


@given(content=CONTENTS, see=st.booleans(), limit=LIMITS)
def test_files_are_handed_back_for_a_reason(
    content: bytes,
    see: bool,  # noqa: FBT001
    limit: Limit | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """What is left to the readable way has no word, or tags that look odd; nothing of it is tallied."""
    path = tmp_path_factory.getbasetemp() / "ordinary"
    path.write_bytes(content)
    ordinary = task(1, [str(path)] * 2, {"a": str(path)}, "see" if see else "spl")
    setup = Setup(METRICS, limit=limit)
    program = native.program(Rouge155(setup, Counter(), lambda _: None))
    assert program
    (rows,) = rows_of(program, [ordinary])
    texts = [numbers[0] for numbers in program.tally()]
    text = Preparation(setup, lambda _: None).prepare(Document(content, "x"), ordinary)[0]

    if rows is None:
        assert text.plain.wordless or text.plain.empty or (not see and b'<a name="' in content)
        assert [0, 0] == texts
    else:
        assert (1, [1, 2]) == (len(rows), texts)


def test_a_file_is_read_once_and_kept_until_its_last_use(tmp_path: Path) -> None:
    """Within a batch the same file has the same text; the next batch reads it again."""
    path = tmp_path / "once"
    path.write_text("the cat\n")
    program = native.program(Rouge155(Setup([NGram(1)]), Counter(), lambda _: None))
    assert program
    several = [task(1, [str(path)] * 2, {"a": str(path)})] * 2
    first = rows_of(program, several)
    path.write_text("the cat sat\n")
    second = rows_of(program, several)
    path.unlink()

    assert [[4.0, 4.0], [6.0, 6.0]] == [
        [array("d", rows[0])[0] for rows in each if rows] for each in (first, second)
    ]
    assert [None, None] == rows_of(program, several)


def test_what_can_be_read_but_once_is_left_alone(tmp_path: Path) -> None:
    """A pipe is not opened by the compiled kernels, where its bytes would be lost and Ctrl-C unheard."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for make in (rouge155(), rouge_score()):
        program = native.program(make(Counter(), lambda _: None))
        assert program
        assert [None] == rows_of(program, [task(1, [KNOWN_TEXT], {"a": str(pipe)})])
        writer = Thread(target=pipe.write_text, args=("the cat\n",), daemon=True)
        writer.start()
        scored = run(make, [task(1, [KNOWN_TEXT], {"a": str(pipe)})])
        writer.join()

        assert run(make, [task(1, [KNOWN_TEXT], {"a": Document(b"the cat\n", "x")})]) == scored


@pytest.mark.parametrize("make", [rouge155(), rouge_score()], ids=["rouge155", "google"])
@pytest.mark.parametrize("odd", ["\ud800", "a\0b", "missing", ".", "", "\u00fc", None])
@pytest.mark.parametrize("side", ["peer", "model"])
def test_what_is_not_a_file_is_the_same(
    make: Make, odd: str | None, side: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Impossible names, missing files, folders and peers without a file give the same error or notice."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "\u00fc").write_text("the cat\n")
    if side == "model" and not odd:
        pytest.skip("a model is always named")
    models = [KNOWN_TEXT, odd or KNOWN_TEXT] if side == "model" else [KNOWN_TEXT]
    peers = {"a": odd if side == "peer" else KNOWN_TEXT, "b": KNOWN_TEXT}
    ordinary = task(1, [KNOWN_TEXT], {"a": KNOWN_TEXT, "b": KNOWN_TEXT})
    tasks = [ordinary, task(2, models, peers), ordinary._replace(eval_id="3")]
    for peer_ids in (None, ["b", "a", "c"], ["b"]):
        assert_same(make, tasks, peer_ids)


@pytest.mark.parametrize("make", [rouge155(), rouge_score()], ids=["rouge155", "google"])
def test_a_path_of_a_class_of_its_own_is_a_path(make: Make, tmp_path: Path) -> None:
    """A string of a subclass of str, as numpy and pandas have them, names a file."""

    class Name(str):
        __slots__ = ()

    path = Name(tmp_path / "a")
    (tmp_path / "a").write_text("the cat\n")
    assert_same(make, [task(1, [KNOWN_TEXT, path], {"a": path})])


def lines(chance: random.Random) -> str:
    """Lines of few words or many, around the sizes of a machine word, many of them repeated."""
    sizes = chance.choices([0, 1, 2, 20, 63, 64, 65, 130], k=chance.choice([0, 1, 2, 6]))
    words = chance.choice([3, 40, 1000])
    return "".join(" ".join(f"w{chance.randrange(words)}" for _ in range(size)) + "\n" for size in sizes)


def random_tasks(chance: random.Random, sources: Sequence[Any], size: int) -> list[EvalTask]:
    """Evals of these sources, with three models, one or none, and peers that some of them do not have."""
    return [
        task(
            number,
            chance.choices(sources, k=chance.choice([0, 1, 1, 3])),
            {peer_id: chance.choice(sources) for peer_id in "abc" if chance.random() < 0.8},
        )
        for number in range(size)
    ]


SETUPS: list[Mapping[str, Any]] = [
    {"best_model": best_model, "alpha": alpha, "averaging": averaging, "stem": best_model}
    for (best_model, alpha), averaging in product(((False, 0.0), (True, 0.3), (False, 1.0)), range(3))
]


@pytest.mark.parametrize("in_memory", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_runs_are_the_same(seed: int, in_memory: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Any texts, empty ones and repeated ones among them, in every way of combining and averaging."""
    chance = random.Random(seed)
    sources: list[str | Document] = []
    for number in range(7):
        text = lines(chance)
        (tmp_path / f"{number}").write_text(text)
        sources.append(Document(text.encode(), f"x:{number}") if in_memory else str(tmp_path / f"{number}"))
    tasks = random_tasks(chance, sources, 4)
    for options in SETUPS[seed % 3 :: 3]:
        assert_same(rouge155(**options), tasks)
    for options in ({}, {"stemmer": "nltk"}, {"metrics": ("rougeLsum", "rouge9", "rouge1"), "samples": 3}):
        assert_same(rouge_score(**options), tasks)
        assert_same(rouge_score(**options), tasks, ["c", "a"])
    for jackknife_make in (rouge155(**SETUPS[seed]), rouge_score()):
        assert_same(jackknife_make, tasks, jackknife=True)
        assert_same(jackknife_make, tasks, ["b", "d"], jackknife=True)


@pytest.mark.parametrize("peer_ids", ["ab", "ba", "aab", "", None])
def test_evaluate_is_the_same(peer_ids: str | None, tmp_path: Path) -> None:
    """The loop itself, with a dialect that knows its files' uses, gives the same report and notices."""
    chance = random.Random(5)
    for number in range(7):
        (tmp_path / f"{number}").write_text(lines(chance))
    tasks = random_tasks(chance, [str(tmp_path / f"{number}") for number in range(7)], 6)

    def report() -> str:
        notices: list[Notice] = []
        uses = Counter(
            path for each in tasks for path in each.paths(each.peers if peer_ids is None else peer_ids)
        )
        dialect = Rouge155(Setup(METRICS, samples=7), uses, notices.append)
        found = evaluation.evaluate(iter(tasks), peer_ids, dialect, notices.append)
        return repr(
            ([(*result[:3], list(result.evals)) for result in found.results], found.details, notices)
        )

    scored = report()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "extension", lambda: None)
        assert report() == scored


CUT_UP = [
    "the cat \u00fcber\u00fc \u00e4rger \u00e9t\u00e9 \u00f1and\u00fa <q> {}",
    "a \u4e2d\u6587\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587 b\\n {}",
    "plain words {}",
    "",
    "\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587",
    '<a name="{}" \u00fcber\u00fc \u00e4rger \u00e9t\u00e9 \u00f1and\u00fa',
]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("make", [rouge155(samples=0), rouge_score()], ids=["rouge155", "google"])
@pytest.mark.parametrize("seed", range(4))
def test_tallies_and_notices_are_the_same(seed: int, make: Make, jobs: int) -> None:
    """The first text that is cut up is the run's first, though evals are handed back or divided."""
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
    "make", [rouge155(metrics=[NGram(1)]), rouge_score(metrics=("rouge1",))], ids=["rouge155", "google"]
)
def test_the_first_text_of_a_thread_is_not_the_first_of_the_run(make: Make) -> None:
    """While one thread is busy with long texts the others find the first that is cut up."""
    long = Document(b"the cat sat\n" * 20_000, "long")
    texts = [Document(CUT_UP[0].format(number).encode(), f"x:{number}") for number in range(14)]
    assert_same(
        make, [task(number, [each], {"a": each}) for number, each in enumerate([long] * 2 + texts)], jobs=2
    )


@pytest.mark.parametrize("make", [rouge155(), rouge_score()], ids=["rouge155", "google"])
def test_threads_keep_the_order(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Evals that take long are in their places, with the notices in theirs, whichever thread is first."""
    monkeypatch.setattr(parallel, "MOST_AT_ONCE", 3)
    chance = random.Random(2)
    documents = [Document(("w1 \u00fc w2\n" * size).encode(), f"x:{size}") for size in (0, 1, 2, 400)]
    documents += [Document(lines(chance).encode(), f"y:{number}") for number in range(5)]
    tasks = random_tasks(chance, documents, 40)
    for peer_ids, jackknife in ((None, False), (["c", "a"], False), (None, True)):
        assert_same(make, tasks, peer_ids, jackknife=jackknife, jobs=2)


@pytest.mark.parametrize("make", [rouge155(stem=True), rouge_score()], ids=["rouge155", "google"])
def test_a_vocabulary_begun_anew_changes_nothing(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results and tallies are the same though the program forgets its words again and again."""
    monkeypatch.setattr(native, "MOST_FORMS", 5)
    monkeypatch.setattr(evaluation, "MOST_AT_ONCE", 2)
    chance = random.Random(4)
    texts = [lines(chance) + text.format(number) for number in range(3) for text in CUT_UP[:4]]
    documents = [Document(text.encode(), f"x:{number}") for number, text in enumerate(texts)]
    assert_same(make, random_tasks(chance, documents, 15))


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
    """Stop words, irregular forms and stemmers of one's own make the same forms of every word."""
    texts = [
        b"the cats ran",
        b"The CAT\nis running, empty",
        b"the the",
        b"is",
        b"cat run 2s",
        b"be run runs",
    ]
    documents = [Document(text, f"x:{number}") for number, text in enumerate(texts)]
    assert_same(rouge155(**options), random_tasks(random.Random(1), documents, 25))


@pytest.mark.parametrize("kind", [KeyError, RuntimeError, MemoryError, KeyboardInterrupt])
def test_an_exception_of_a_stemmer_leaves_the_program_usable(
    kind: type[BaseException], tmp_path: Path
) -> None:
    """It reaches the caller as it was raised; what is scored after it is as if it had not been."""
    error = kind("bad")

    def stemmer(raw: bytes) -> bytes:
        if raw.startswith(b"bad"):
            raise error
        return raw[:3]

    path = tmp_path / "changing"
    program, fresh = (
        native.program(rouge155(stem=True, stemmer=stemmer)(Counter(), lambda _: None)) for _ in range(2)
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


def test_many_files_are_scored_the_same(tmp_path: Path) -> None:
    """Files that are read ahead give the scores of files read one by one: small, large and empty ones."""
    chance = random.Random(1)
    for number in range(240):
        text = "a b c\n" * 20_000 if number % 50 == 7 else lines(chance)
        (tmp_path / f"{number}").write_text(text)
    names = [str(tmp_path / f"{number}") for number in range(240)]
    chance.shuffle(names)
    tasks = [
        task(number, [names[200 - number]], {"a": names[number], "b": names[-1]}) for number in range(100)
    ]
    assert_same(rouge155(metrics=[NGram(1), NGram(2)], samples=0), tasks)


def test_a_file_that_is_missing_among_many_is_named(tmp_path: Path) -> None:
    """What cannot be read ahead is an error at its own eval."""
    for number in range(200):
        (tmp_path / f"{number}").write_text("a b c\n")
    (tmp_path / "150").unlink()
    tasks = [
        task(number, [str(tmp_path / "0")], {"a": str(tmp_path / f"{number}")}) for number in range(200)
    ]

    with pytest.raises(UnreadableFile, match="peer a of eval 150"):
        parallel.collected(parallel.Work(rouge155(), None), tasks, lambda _: None)


def test_the_first_of_equal_references_counts() -> None:
    """With references of one F, Google's counts are those of the first, and else of the best F."""
    models = [Document(text, "x") for text in (b"a b c d", b"a b", b"b a", b"a b x")]
    scored = assert_same(
        rouge_score(metrics=("rouge1", "rouge2")),
        [
            task(number, models[first:], {"a": Document(b"a b z z", "x")})
            for number, first in enumerate((0, 1))
        ],
    )
    assert "Counts(model=4.0, peer=4.0, match=2.0" not in scored
    assert "Counts(model=2.0, peer=4.0, match=2.0" in scored


@pytest.mark.parametrize("whole", [64, 320, 1600, 8000, 40_000, 200_000])
def test_scores_near_a_tie_are_rounded_the_same(whole: int) -> None:
    """Quotients half-way between two numbers of five places, or all but, are rounded as Python does."""
    parts = [*range(1, min(whole, 40), 2), whole // 3, whole // 2 + 1, whole - 1]
    peers = {f"{place}": Document(b"a " * part, "x") for place, part in enumerate(parts)}
    program = native.program(rouge155(metrics=[NGram(1)], alpha=0.3)(Counter(), lambda _: None))
    assert program
    (rows,) = rows_of(program, [task(1, [Document(b"a " * whole, "x")], peers)])
    assert rows
    for part, row in zip(parts, rows, strict=True):
        (_, counts, score), recall = Packed("1", ["ROUGE-1"], row)["ROUGE-1"], five_places(part / whole)

        assert (whole, part, part) == counts[:3]
        assert (recall, 1.0, five_places(f_measure(recall, 1.0, 0.3))) == score


def test_packed_results_are_told_apart_by_label() -> None:
    """Each label of what is packed has its own counts and score, or none where only counts are kept."""
    eval_task = task(1, [Document(b"a b c", "x")], {"a": Document(b"a b", "x")})
    expected = {
        "ROUGE-1": (Counts(3, 2, 2), Score(0.66667, 1.0, 0.8)),
        "ROUGE-2": (Counts(2, 1, 1), Score(0.5, 1.0, 0.66667)),
    }
    for averaging in range(3):
        program = native.program(
            rouge155(metrics=[NGram(1), NGram(2)], averaging=averaging)(Counter(), lambda _: None)
        )
        assert program
        assert program.is_scored == (averaging == 0)
        ((row,),) = [rows or [] for rows in rows_of(program, [eval_task])]
        packed = Packed("e", list(expected), row, is_scored=program.is_scored)

        assert list(packed.items()) == [
            (label, EvalResult("e", counts, None if averaging else score))
            for label, (counts, score) in expected.items()
        ]
