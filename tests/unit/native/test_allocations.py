# ruff: noqa: ANN401
"""Compiled code without memory raises MemoryError, and works again with memory."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest

MOST = 2000
ROUGE_CLI = str(
    Path(sys.executable).with_name("rouge-cli")
)  # this file is a script, too, which has no conftest
NAMES = (
    "stem", "a new program", "a program", "threads", "a limited program", "a program that asks",
    "a program over records", "new pairs", "pairs", "batches", "count", "settings", "records", "tables", "lines", "sums", "estimates", "draws", "days", "texts",
)  # fmt: skip
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("g++"),
    reason="needs g++, and LD_PRELOAD",
)
# In place of the library's: the allocation of that number fails, and if `lasting` all
# after it.
SHIM = r"""
#include <atomic>
#include <cstdlib>
#include <new>

static std::atomic<long> left{-1};
static bool lasting = false;

// A program may be told at its start.
[[gnu::constructor]] static void begin() {
    if (const char* number = std::getenv("FAIL_AT")) left = std::atol(number);
}

extern "C" void fail_at(long number, bool all) { lasting = all; left = number; }
extern "C" long not_reached() { return left > 0; }

void* operator new(std::size_t size) {
    if (left >= 0 && (left > 0 ? --left == 0 : lasting)) throw std::bad_alloc();
    void* made = std::malloc(size ? size : 1);
    if (made == nullptr) throw std::bad_alloc();
    return made;
}
void operator delete(void* made) noexcept { std::free(made); }
void operator delete(void* made, std::size_t) noexcept { std::free(made); }
"""


def calls(folder: Path) -> dict[str, Callable[[], Callable[[], Any]]]:
    """Return makers of calls into the extension; a call gives the same result as
    often as it is made.
    """
    from rouge_cli.core import EvalTask
    from rouge_cli.native import _compiled as compiled
    from rouge_cli.native.kernels import (
        LCS,
        NGRAM,
        SENTENCE_LCS,
        SKIP_BIGRAM,
        WEIGHTED_LCS,
        KernelSpec,
    )
    from rouge_cli.native.setups import KernelSetup, ReadingRules
    from rouge_cli.text.stemmers import RougeStemmer
    from rouge_cli.text.tokens import Limit, Normalizer

    kinds = (NGRAM, SKIP_BIGRAM, LCS, WEIGHTED_LCS, SENTENCE_LCS)
    specs = [KernelSpec(kind, 2, unigrams=True, weight=1.2) for kind in kinds]
    text = "\n".join(
        " ".join(f"wordofalength{place * line % 31}" for place in range(9))
        for line in range(1, 4)
    )
    paths = [str(folder / f"{number}.txt") for number in range(70)]
    for number, path in enumerate(paths):
        Path(path).write_text(text[number:], "ascii")
    tasks = [
        EvalTask("1", {"1": paths[0]}, [(path, path) for path in paths], "spl", "-")
    ]  # a listed folder
    tasks += [
        EvalTask(path, {"1": path}, [("A", paths[-1]), ("B", paths[0])], "spl", "-")
        for path in paths[:3]
    ]
    record = (
        b'{"id": "a long identifier of an eval", "b": "the text of the peer", "a":'
        b' ["one model", "a second model"]}\n'
    )
    table = (
        b'peer,model,id\n"the text ""of"" the peer","the text\nof the model",an'
        b" identifier that is long\n" * 3
    )
    settings = (
        b'<ROUGE-EVAL version="1.5.5"><EVAL ID="1"><PEER-ROOT>a long name of a'
        b' folder</PEER-ROOT><PEERS><P ID="1">a long name of a'
        b" file.txt</P></PEERS></EVAL></ROUGE-EVAL>"
    )
    columns = [[place * 0.01 for place in range(50)], [1.0] * 50]
    normalize = Normalizer(frozenset([b"the"]), RougeStemmer({b"running": b"run"}), 4)

    def program(threads: int = 1, **options: Any) -> Any:
        labels = ["a metric"] * len(specs)
        setup = KernelSetup(labels, specs, normalize, best_reference=True, **options)
        made = compiled.Program(setup, 10**6)
        made.use_threads(threads)
        return made

    asking = ReadingRules(
        bytes.split,
        is_separable=True,
        split=lambda lines: lines.split(b"a"),
        normalize=lambda whole: [whole],
    )

    def read(reader: Any, block: bytes) -> Any:
        texts, end, number = reader.read(block, 0, 1)
        read = [texts.row(place) for place in range(len(texts))]
        return read, texts.ids(), texts.numbers_of_references(), end, number

    def pairs() -> Any:
        names = list("abcde")
        return compiled.Pairs(
            ReadingRules(),
            normalize,
            10**6,
            names,
            specs,
            tuple,
            lambda *arguments: arguments,
        )

    dates = [date(2010, 5, day) for day in range(1, 31)]
    days = dates, [[{f"w{day.day % 4}": 2, "a": 1}] for day in dates]

    def plain() -> Any:
        return compiled.PlainRecords("b", "a", "id", reads_lists=True).read(
            record * 20, 0, 1
        )[0]

    def strings() -> Any:
        packed = compiled.plain_texts([], True, 1, [])  # noqa: FBT003
        packed.add(["1", "\xe9"], [["a b", "\xe9" * 40]], ["c" * 40, ("a", "\xe9")])
        return packed.part(1, 2).row(0)

    def reused(make: Callable[[], Any], use: Callable[[Any], Any]) -> Callable[[], Any]:
        made = make()
        return lambda: use(made)

    return {
        "stem": lambda: lambda: compiled.stem(b"internationalizations" * 3),
        "a new program": lambda: (
            lambda: program(limit=Limit(100, in_words=False)).score(tasks[1:], None)
        ),
        "a program": lambda: reused(
            program, lambda program: program.score(tasks, None)
        ),
        "threads": lambda: lambda: program(threads=2).score(tasks, None),
        "a limited program": lambda: reused(
            lambda: program(limit=Limit(100, in_words=False)),
            lambda program: program.score(tasks[1:], None),
        ),
        "a program that asks": lambda: reused(
            lambda: program(reading=asking),
            lambda program: program.score(tasks[1:], None),
        ),
        "a program over records": lambda: reused(
            program, lambda program: program.score_plain(plain())
        ),
        "new pairs": lambda: lambda: pairs().score(text, text[30:]),
        "pairs": lambda: reused(pairs, lambda pairs: pairs.score(text, text[30:])),
        "batches": lambda: reused(
            pairs, lambda pairs: pairs.score_batch([text, "a"], [text[30:], "b\u0130"])
        ),
        "count": lambda: (
            lambda: compiled.count([([1, 2, 3], [[1, 2], [3]])], [([2], [[2]])], specs)
        ),
        "settings": lambda: (
            lambda: compiled.plain_settings(settings, "-", {"spl"}, EvalTask)
        ),
        "records": lambda: (
            lambda: read(
                compiled.PlainRecords("b", "a", "id", reads_lists=True), record * 3
            )
        ),
        "tables": lambda: lambda: read(compiled.PlainTable(",", 3, 0, [1], 2), table),
        "lines": lambda: (
            lambda: compiled.plain_lines(
                [b"the text\nof lines\n", b"models\nof them"], 1, 1
            )[1]
        ),
        "sums": lambda: lambda: compiled.resampled_sums(columns, 40, 7, 2),
        "estimates": lambda: lambda: compiled.estimates(columns, 40, 40.0, 95.0, 7, 2),
        "days": lambda: (
            lambda: [
                compiled.align_days(days, days, 1, many=many) for many in (False, True)
            ]
        ),
        "texts": lambda: (
            lambda: compiled.plain_texts(
                [4, 9],
                True,  # noqa: FBT003
                1,
                [[b"1", b"a b", b"c"]] * 2,
            ).row(1)
        ),
        "strings": lambda: strings,
        "draws": lambda: (
            lambda: compiled.resampled_means(
                [0.5] * 60, 3, 50, bytes(range(208)) * 12, 7
            )
        ),
    }


def fail_everywhere(name: str, folder: Path) -> None:
    """Make the call with each allocation failing in turn: it alone, and it with all
    after it.
    """
    library = ctypes.CDLL(None)
    library.fail_at.argtypes = [ctypes.c_long, ctypes.c_bool]
    call = calls(folder)[name]()
    expected = call()
    failures = 0
    for lasting, number in product((False, True), range(1, MOST + 1)):
        library.fail_at(number, lasting)
        try:
            assert expected == call()
        except MemoryError:
            failures += 1
        is_over = library.not_reached()
        library.fail_at(-1, False)  # noqa: FBT003 - a function of C
        assert expected == call(), (number, "with memory again")
        if is_over and lasting:
            break
    assert failures > 0


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the library whose allocations fail."""
    folder = tmp_path_factory.mktemp("shim")
    (folder / "shim.cpp").write_text(SHIM)
    command = [
        "g++", "-std=c++17", "-O1", "-shared", "-fPIC", str(folder / "shim.cpp"), "-o",
        str(folder / "shim.so"),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    return str(folder / "shim.so")


def start(
    shim: str, words: list[str], **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program with the library."""
    environment = {**os.environ, "LD_PRELOAD": shim, **variables}
    return subprocess.run(
        words, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_allocation_may_fail(name: str, shim: str, tmp_path: Path) -> None:
    """If an allocation of compiled code fails, MemoryError is raised, and the next
    call is right.
    """
    pytest.importorskip(
        "rouge_cli.native._compiled", reason="the compiled kernels were not built"
    )
    ended = start(shim, [sys.executable, __file__, name, str(tmp_path)])

    assert (0, "") == (ended.returncode, ended.stderr)


@pytest.mark.slow
def test_a_command_without_memory_says_so(shim: str, tmp_path: Path) -> None:
    """If an allocation of compiled code fails, a command prints one line, or does
    without compiled code.
    """
    (tmp_path / "texts").write_text("the text of a peer\n" * 50)
    words = [
        "score",
        "--hyp",
        str(tmp_path / "texts"),
        "--ref",
        str(tmp_path / "texts"),
        "-j",
        "1",
    ]
    command = [ROUGE_CLI, *words]
    whole = start(shim, command, ROUGE_CLI_KERNELS="compiled")
    outcomes = set()
    for number in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 10**6):
        ended = start(shim, command, ROUGE_CLI_KERNELS="compiled", FAIL_AT=str(number))
        outcomes.add((ended.returncode, ended.stdout, ended.stderr))

    # One file on both sides, which is said in each run that is not ended.
    assert "the same file" in whole.stderr
    assert {
        (1, "", "rouge-cli: out of memory\n"),
        (0, whole.stdout, whole.stderr),
    } == outcomes


if __name__ == "__main__":
    fail_everywhere(sys.argv[1], Path(sys.argv[2]))
