"""The drop-in's compiled way, from files to scores, against the readable one: the same to the last bit."""

from __future__ import annotations

import os
import random
from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.core import Counts, EvalResult, EvalTask, Packed, Score
from rouge_cli.dialects.rouge155 import Rouge155, Setup
from rouge_cli.dialects.rouge155.texts import Reader
from rouge_cli.errors import UnreadableFile
from rouge_cli.evaluation import evaluate
from rouge_cli.kernels import choice
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.skip_bigram import SkipBigram
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.ratio import f_measure, five_places
from rouge_cli.text.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.skipif(
    find_spec("rouge_cli.kernels._compiled") is None, reason="the compiled kernels were not built"
)

METRICS: list[Any] = [
    NGram(1), NGram(3), Lcs(), *(WeightedLcs(weight) for weight in (1.0, 1.2, 2.0, 3.7)),
    SkipBigram(4, unigrams=True), SkipBigram(None, unigrams=False),
]  # fmt: skip


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - an extension module
    """The compiled kernels, whatever the environment asks for."""
    extension = import_module("rouge_cli.kernels._compiled")
    monkeypatch.setattr(choice, "compiled", lambda: extension)
    return extension


PIECES = (
    "the cat", "Rust-2", " ", "\n", "\r\n", "\0", "\t", "<", ">", "<b>", '<a name="', "\xe9", "\xff\xfe",
    "\x80", "<q>", "\\n", " \xc3\xbcber", "\xe4\xb8\xad" * 9, "\xed\xa0\x80", "\xe2\x82",
    "\xf0\x9d\x90\x80", "\xe0\x80\x80",
    '<a name="1">[1]</a> <a href="#1" id=1>', '<a size="3" name="12">[12]</a>\r\t<a href="#0" id=07>',
    '<a name="1">[1]</a><a href="#1" id=1>', '<a size="" name="1">[1]</a> <a href="#1" id=1>', "</a>\n",
    "x" * 70_000,
)  # fmt: skip
CONTENTS = st.lists(st.sampled_from(PIECES), max_size=8).map(
    lambda pieces: "".join(pieces).encode("latin-1")
)


def task_of(path: Path, models: int, *, see: bool = False) -> EvalTask:
    """An eval whose models are all the same file."""
    return EvalTask(
        "1", {}, [(str(number), str(path)) for number in range(models)], "see" if see else "spl", "x"
    )


def reader(path: Path, uses: int, limit: Limit | None = None) -> Reader:
    """A reader for a file that will be read so often."""
    return Reader(Setup(METRICS, limit=limit), Counter({str(path): uses}), lambda _: None)


LIMITS = st.none() | st.builds(Limit, st.sampled_from([0, 1, 2.5, 7, 30]), st.booleans())


@given(content=CONTENTS, see=st.booleans(), limit=LIMITS)
def test_ordinary_files_are_read_the_same(
    content: bytes,
    see: bool,  # noqa: FBT001
    limit: Limit | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Any bytes under any limit become the same sentences, or are left to the readable way for a reason."""
    path = tmp_path_factory.getbasetemp() / "ordinary"
    path.write_bytes(content)
    task = task_of(path, 2, see=see)
    ours = reader(path, 2, limit)
    found = ours.ordinary(task.models, task, is_model=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "compiled", lambda: None)
        theirs = reader(path, 2, limit)
        expected = [one.plain for one in theirs.read(task.models, task, is_model=True)]

    if found is None:
        assert expected[0].wordless or expected[0].empty or (not see and b'<a name="' in content)
        tally = ours.tally()["models"]
        assert [0, 0, 0] == [tally[name] for name in ("texts", "sentences", "bytes")]
    else:
        assert [one.sentences for one in expected] == [one.sentences for one in found]
        assert [one.tokens for one in expected] == [one.tokens for one in found]
        assert theirs.tally() == ours.tally()


def test_a_file_that_is_needed_again_is_read_once(tmp_path: Path) -> None:
    """A file is kept until its last use, and no longer."""
    path = tmp_path / "once"
    path.write_text("the cat\n")
    kept, task = reader(path, 3), task_of(path, 1)
    kept.ordinary(task_of(path, 2).models, task, is_model=True)
    path.unlink()
    found = kept.ordinary(task.models, task, is_model=True)

    assert found is not None
    assert [[[0, 1]]] == [one.sentences for one in found]
    assert kept.ordinary(task.models, task, is_model=True) is None


def test_what_can_be_read_but_once_is_left_alone(tmp_path: Path) -> None:
    """A pipe is not opened by the compiled kernels, where its bytes would be lost and Ctrl-C unheard."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    task = task_of(pipe, 1)

    assert reader(pipe, 1).ordinary(task.models, task, is_model=True) is None


def test_a_name_that_no_file_can_have_is_left_to_the_readable_way() -> None:
    """Half a surrogate pair in a path is an unreadable file, with either kernels."""
    task = task_of(Path("\ud800"), 1)

    assert reader(Path("\ud800"), 1).ordinary(task.models, task, is_model=True) is None


def sentences(chance: random.Random) -> str:
    """Lines of few words or many, around the sizes of a machine word, many of them repeated."""
    sizes = chance.choices([0, 1, 2, 20, 63, 64, 65, 130], k=chance.choice([0, 1, 2, 6]))
    words = chance.choice([3, 40, 1000])
    return "".join(" ".join(f"w{chance.randrange(words)}" for _ in range(size)) + "\n" for size in sizes)


def results(setup: Setup, tasks: Sequence[EvalTask]) -> str:
    """All that a run gives, to the last bit."""
    uses = Counter(path for task in tasks for path in task.paths("ab"))
    dialect = Rouge155(setup, uses, lambda _: None)
    report = evaluate(tasks, "ab", dialect, lambda _: None)
    return repr([(one.peer_id, one.label, one.average, list(one.evals)) for one in report.results])


@pytest.mark.parametrize("seed", range(12))
def test_files_are_scored_the_same(seed: int, tmp_path: Path) -> None:
    """Any files, empty ones and one that comes twice among them, have the same counts and scores."""
    chance = random.Random(seed)
    for number in range(7):
        (tmp_path / f"{number}").write_text(sentences(chance))
    names = [str(tmp_path / f"{number}") for number in range(7)]
    tasks = [
        EvalTask(
            f"{number}",
            {"a": chance.choice(names), "b": chance.choice(names)},
            [(f"{model}", chance.choice(names)) for model in range(chance.choice([0, 1, 3]))],
            "spl",
            "x:1",
        )
        for number in range(3)
    ]
    for best_model, alpha in ((False, 0.0), (True, 0.3), (False, 1.0)):
        setup = Setup(METRICS, best_model=best_model, alpha=alpha, samples=7, stem=best_model)
        scored = results(setup, tasks)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(choice, "compiled", lambda: None)
            assert results(setup, tasks) == scored


def test_many_files_are_scored_the_same(tmp_path: Path) -> None:
    """Files that are read ahead give the scores of files read one by one: small, large and empty ones."""
    chance = random.Random(1)
    for number in range(240):
        text = "a b c\n" * 20_000 if number % 50 == 7 else sentences(chance)
        (tmp_path / f"{number}").write_text(text)
    names = [str(tmp_path / f"{number}") for number in range(240)]
    chance.shuffle(names)
    tasks = [
        EvalTask(
            f"{number}", {"a": names[number], "b": names[-1]}, [("1", names[200 - number])], "spl", "x:1"
        )
        for number in range(100)
    ]
    setup = Setup([NGram(1), NGram(2)], samples=0)
    scored = results(setup, tasks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "compiled", lambda: None)
        assert results(setup, tasks) == scored


def test_a_file_that_is_missing_among_many_is_named(tmp_path: Path) -> None:
    """What cannot be read ahead is an error at its own eval."""
    for number in range(200):
        (tmp_path / f"{number}").write_text("a b c\n")
    (tmp_path / "150").unlink()
    tasks = [
        EvalTask(
            f"{number}", {"a": str(tmp_path / f"{number}")}, [("1", str(tmp_path / "0"))], "spl", "x:1"
        )
        for number in range(200)
    ]

    with pytest.raises(UnreadableFile, match="peer a of eval 150"):
        results(Setup([NGram(1)], samples=0), tasks)


@pytest.mark.parametrize("whole", [64, 320, 1600, 8000, 40_000, 200_000])
def test_scores_near_a_tie_are_rounded_the_same(whole: int, compiled: Any) -> None:  # noqa: ANN401
    """Quotients half-way between two numbers of five places, or all but, are rounded as Python does."""
    model = compiled.Handle([0] * whole, ())
    parts = [*range(1, min(whole, 40), 2), whole // 3, whole // 2 + 1, whole - 1]
    peers = [compiled.Handle([0] * part, ()) for part in parts]
    rows = compiled.Scorer([NGram(1).unit], False, 0.3).score([model], peers)  # noqa: FBT003
    for part, row in zip(parts, rows, strict=True):
        (_, counts, score), recall = Packed("1", ["ROUGE-1"], row)["ROUGE-1"], five_places(part / whole)

        assert (whole, part, part) == counts[:3]
        assert (recall, 1.0, five_places(f_measure(recall, 1.0, 0.3))) == score


def test_packed_results_are_told_apart_by_label(compiled: Any) -> None:  # noqa: ANN401
    """Each label of what is packed has its own counts and score."""
    units = [NGram(1).unit, NGram(2).unit]
    (row,) = compiled.Scorer(units, False, 0.5).score(  # noqa: FBT003
        [compiled.Handle([1, 2, 3], ())], [compiled.Handle([1, 2], ())]
    )

    assert [
        ("ROUGE-1", EvalResult("e", Counts(3, 2, 2), Score(0.66667, 1.0, 0.8))),
        ("ROUGE-2", EvalResult("e", Counts(2, 1, 1), Score(0.5, 1.0, 0.66667))),
    ] == list(Packed("e", ["ROUGE-1", "ROUGE-2"], row).items())


@pytest.mark.parametrize("width", range(1, 21))
def test_sums_of_any_number_of_columns_are_the_same(width: int) -> None:
    """However many figures are resampled together, each gets the sums that it would get alone."""
    chance = random.Random(width)
    columns = [[chance.random() for _ in range(9)] for _ in range(width)]
    sums = bootstrap.resampled_sums(columns, 5, 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "compiled", lambda: None)
        assert bootstrap.resampled_sums(columns, 5, 3) == sums
