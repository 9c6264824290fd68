"""Processes of a run: none outlives it, none blocks it, and it works with as few as
the system allows.
"""

import errno
import io
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

import pytest
from everyday import sampled
from running import PATIENCE, wait_until

import rouge_cli
from rouge_cli import twins
from rouge_cli.core import Document, EvalTask, Notice
from rouge_cli.dialects.rouge155.program import Rouge155
from rouge_cli.dialects.rouge155.setup import Setup
from rouge_cli.errors import RougeError
from rouge_cli.runs import parallel, pools
from tests.conftest import DROP_IN, ROUGE_CLI

# The readable programs run in processes, the compiled ones in threads.
READABLE = {"ROUGE_CLI_KERNELS": "python"}
Result = TypeVar("Result")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a few evals that take many minutes each, and many that take no time."""
    line = " ".join(str(number % 9973) for number in range(30_000))
    (tmp_path / "long").write_text(f"{line}\n")
    (tmp_path / "h").write_text("a b c d e f g h i j k l m n\n" * 2000)
    settings = "".join(
        f'<EVAL ID="{number}"><INPUT-FORMAT'
        ' TYPE="SPL"/><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><PEERS><P'
        ' ID="1">long</P></PEERS><MODELS><M ID="A">long</M></MODELS></EVAL>'
        for number in range(3)
    )
    (tmp_path / "long.xml").write_text(f"<ROUGE-EVAL>{settings}</ROUGE-EVAL>")
    return tmp_path


SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT)
LONG = {
    "rouge-cli": [ROUGE_CLI, "score", "long.xml", "-m", "RS*", "-j", "60"],
    "drop-in": [DROP_IN, "-x", "-2", "-1", "-a", "long.xml"],
}
SHORT = [
    ROUGE_CLI,
    "score",
    "--hyp",
    "h",
    "--ref",
    "h",
    "-m",
    "R1",
    "--quiet",
    "--samples",
    "0",
]


def children(process: int) -> list[int]:
    """Return the child processes of a process."""
    return list(
        map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())
    )


def start(program: str, folder: Path) -> tuple[subprocess.Popen[bytes], list[int]]:
    """Start a long run, and wait for its processes."""
    running = subprocess.Popen(
        LONG[program], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | READABLE | {"ROUGE_CLI_JOBS": "60"},
    )  # fmt: skip
    wait_until(lambda: len(children(running.pid)) >= 3)
    time.sleep(0.5)
    return running, children(running.pid)


def is_alive(process: int) -> bool:
    """Return True if the process exists and is not a zombie."""
    try:
        return (
            Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
            != "Z"
        )
    except OSError:
        return False


# Every day each signal, with the programs in turn.
@pytest.mark.parametrize(
    ("program", "number"),
    sampled(
        zip(
            [*LONG, *[*LONG][::-1]] * 2,
            [each for each in SIGNALS for _ in LONG],
            strict=True,
        ),
        2,
    ),
)
def test_no_process_outlives_its_run(
    program: str, number: signal.Signals, folder: Path
) -> None:
    """However a run ends, its processes end, and keep neither stdout nor stderr
    open.
    """
    running, workers = start(program, folder)
    running.send_signal(number)
    stdout, _ = running.communicate(timeout=PATIENCE)

    assert 3 == len(workers)  # and not 60 for three evals
    assert (130 if number == signal.SIGINT else -number, b"") == (
        running.returncode,
        stdout,
    )
    wait_until(lambda: not any(map(is_alive, workers)))


def test_processes_do_not_hold_stdout(folder: Path) -> None:
    """A process of a run has neither the run's stdin nor its stdout, for which
    readers would wait.
    """
    running, workers = start("rouge-cli", folder)
    held = {
        os.readlink(f"/proc/{worker}/fd/{number}")
        for worker in workers
        for number in (0, 1)
    }
    running.kill()
    running.communicate(timeout=PATIENCE)

    assert {os.devnull} == held


@pytest.mark.parametrize("limit", [8, 14, pytest.param(24, marks=pytest.mark.slow)])
def test_few_descriptors_are_enough(limit: int, folder: Path) -> None:
    """However few files may be open, a run of many processes ends with the same
    report.
    """
    environment = os.environ | READABLE
    whole = subprocess.run(
        SHORT, cwd=folder, capture_output=True, check=True, env=environment
    )
    ended = subprocess.run(
        ["sh", "-c", f'ulimit -n {limit} && exec "$@"', "sh", *SHORT[:-3], "--samples", "0", "-j", "8"],
        cwd=folder, capture_output=True, check=False, timeout=PATIENCE, env=environment,
    )  # fmt: skip
    messages = [
        line
        for line in ended.stderr.decode().splitlines()
        if "one line of several sentences" not in line
        and "the same file has the predictions and the references" not in line
    ]

    assert (0, whole.stdout) == (ended.returncode, ended.stdout)
    assert limit > 14 or any(
        "cannot start more processes (Too many open files)" in m for m in messages
    )
    assert len(messages) <= 1


def double(number: int) -> int:
    """Return twice the number."""
    return 2 * number


def on_processes(
    work: Callable[[int], Result],
    chunks: Iterable[int],
    most: int,
    notify: Callable[[Notice], None] = print,
) -> Iterator[Result]:
    """Yield the results of the chunks, each of which a process computes."""
    return pools.Processes(lambda: work, most, notify).run(chunks)


def limited(
    begin: Callable[..., Any], possible: float, error: Exception
) -> Callable[..., Any]:
    """Return the function that starts a process or a thread, for so many; then it
    raises the error.
    """
    number = count()

    def start_or_refuse(
        *arguments: object,
    ) -> Any:  # noqa: ANN401 - what starting returns
        if next(number) >= possible:
            raise error
        return begin(*arguments)

    return start_or_refuse


@pytest.mark.parametrize("possible", [0, 1, 2])
def test_few_processes_are_enough(
    possible: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the system refuses a process, a run continues with those that it has, or by
    itself.
    """
    notices: list[Notice] = []
    error = OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    monkeypatch.setattr(os, "fork", limited(os.fork, possible, error))
    results = list(on_processes(double, range(100), 8, notices.append))

    assert [2 * number for number in range(100)] == results
    assert 1 == len(notices)
    assert (
        "cannot start more processes (Resource temporarily unavailable)"
        in notices[0].message
    )


@pytest.mark.skipif(
    twins.kernels() != "compiled", reason="only compiled programs run in threads"
)
@pytest.mark.parametrize("possible", [0, 1, 2])
def test_few_threads_are_enough(possible: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the system refuses a thread, a run continues with those that it has, or by
    itself.
    """
    notices: list[Notice] = []
    texts = [Document(b"a b c " * number, "here") for number in range(1, 100)]
    tasks = [
        EvalTask(str(number), {"x": text}, [("m", texts[0])], "spl", "here")
        for number, text in enumerate(texts)
    ]
    alone = rouge_cli.evaluate(tasks, notify=notices.append)
    notices.clear()
    error = RuntimeError("can't start new thread")
    monkeypatch.setattr(
        threading.Thread, "start", limited(threading.Thread.start, possible, error)
    )

    assert alone == rouge_cli.evaluate(tasks, jobs=8, notify=notices.append)
    assert 1 == len(notices)
    assert "cannot start more threads (can't start new thread)" in notices[0].message


def test_a_process_without_a_thread_works_and_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process of a run that cannot start a thread of its own scores all the same."""
    process, begin = os.getpid(), threading.Thread.start

    def refuse(thread: threading.Thread) -> None:
        if os.getpid() != process:
            raise RuntimeError("can't start new thread")
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)

    assert [2 * number for number in range(100)] == list(
        on_processes(double, range(100), 3)
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_first_error_of_an_input_comes_first(jobs: int) -> None:
    """For any number of jobs, an error in scoring comes before one of the input
    further on.
    """

    def tasks() -> Iterator[EvalTask]:
        yield EvalTask("1", {"x": "missing"}, [("m", "missing")], "spl", "here")
        raise RougeError("broken")

    with pytest.raises(RougeError, match="missing: cannot read"):
        rouge_cli.evaluate(tasks(), jobs=jobs)


def test_no_more_processes_than_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three chunks never start more than three processes, and an empty input starts
    none.
    """
    fork = os.fork
    for chunks in ([], [1], [1, 2, 3]):
        monkeypatch.setattr(
            os, "fork", limited(fork, len(chunks), AssertionError("a process too many"))
        )
        assert [2 * number for number in chunks] == list(
            on_processes(double, chunks, 60)
        )


@pytest.mark.parametrize("length", [0, 50_000_000])
def test_a_killed_worker_is_an_error(
    length: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is killed, also after half of its result is sent, ends the run
    with a message.
    """
    read: Callable[[object, int], io.BytesIO] = getattr(Connection, "_recv")  # noqa: B009 - not its interface
    killed = tmp_path / "killed"

    def work(number: int) -> bytes:
        if number == 3:
            killed.write_text(str(os.getpid()))
            if not length:
                os.kill(os.getpid(), signal.SIGKILL)
        return b"a" * (length if number == 3 else 10)

    def read_of_the_dead(pipe: object, size: int) -> io.BytesIO:
        if size >= length > 0:  # of which its process can send the beginning only
            os.kill(int(killed.read_text()), signal.SIGKILL)
            wait_until(lambda: not is_alive(int(killed.read_text())))
        return read(pipe, size)

    monkeypatch.setattr(Connection, "_recv", read_of_the_dead)
    with pytest.raises(RougeError, match="a worker process died"):
        list(on_processes(work, range(8), 2))


def test_a_process_without_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that runs out of memory sends an error, which ends the run with a
    message.
    """

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(parallel, "collect", fail)
    work = parallel.Work(partial(Rouge155, Setup()), None)
    with pytest.raises(RougeError, match="out of memory; try again with fewer jobs"):
        parallel.collected(work, [EvalTask("1", {}, [], "spl", "here")], print, jobs=2)


def test_results_come_in_order_and_not_too_early() -> None:
    """Results are in the order of the chunks, and chunks are not read far ahead of
    them.
    """
    read: list[int] = []

    def chunks() -> Iterator[int]:
        for number in range(200):
            read.append(number)
            yield number

    for place, result in enumerate(on_processes(late, chunks(), 4)):
        assert 2 * place == result
        assert len(read) - place < 20


def late(number: int) -> int:
    """Return twice the number, every seventh time late."""
    time.sleep(0.02 * (number % 7 == 0))
    return 2 * number
