"""Dask's schedulers: the same report, a local one is private, and a wrong address is
one message.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from everyday import sampled
from running import PATIENCE, wait_until

from tests.conftest import ROOT, ROUGE_CLI, Program

OPTIONS = ("-m", "R1,RL", "--stem", "--format", "csv", "--quiet")
# A run on a local scheduler, which prints the addresses that its processes listen on to
# stderr.
LISTENERS = """
import sys
import psutil
from rouge_cli.cli import main
from rouge_cli.runs import pools

connect = pools._client

def client_of(address):
    client = connect(address)
    me = psutil.Process()
    ours = {me.pid, *(process.pid for process in me.children(recursive=True))}
    for connection in psutil.net_connections("inet"):
        if connection.status == "LISTEN" and connection.pid in ours:
            print(connection.laddr.ip, file=sys.stderr)
    return client

if __name__ == "__main__":
    pools._client = client_of
    main.main()
"""
IMPATIENT = """
import sys
import time
from rouge_cli.runs import pools
from rouge_cli.cli import main
pools._PATIENCE = 2
sys.argv = ["rouge-cli", "score", "--hyp", "h", "--ref", "h", "--scheduler", "{address}"]
main.main()
"""


LOUD = """
import logging
import sys
import warnings
from rouge_cli.cli import main
from rouge_cli.runs import pools

submit = pools.Machines._submit

def loud(machines, chunk):
    logging.getLogger("distributed.client").critical("a log of the client")
    warnings.warn("a warning of the client")
    return submit(machines, chunk)

if __name__ == "__main__":
    pools.Machines._submit = loud
    main.main()
"""


def test_a_quiet_run_on_a_scheduler_is_quiet(tmp_path: Path) -> None:
    """What Dask logs and warns of are notices of the run: on one line each, and none
    with `--quiet`.
    """
    pytest.importorskip("dask.distributed")
    (tmp_path / "loud.py").write_text(LOUD)
    (tmp_path / "h").write_text("a b\n")
    words = [
        "loud.py",
        "score",
        "--pred",
        "h",
        "--ref",
        "h",
        "--scheduler",
        "local",
        "--samples",
        "0",
        "-m",
        "R1",
    ]
    loud = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    quiet = subprocess.run(
        [sys.executable, *words, "--quiet"], cwd=tmp_path, capture_output=True,
        text=True, check=True,
    )  # fmt: skip

    assert "rouge-cli: Dask: a log of the client\n" in loud.stderr
    assert "rouge-cli: Dask: a warning of the client\n" in loud.stderr
    assert (loud.stdout, "") == (quiet.stdout, quiet.stderr)


def test_a_local_scheduler_listens_to_nobody_else(
    here: Program, tmp_path: Path
) -> None:
    """With `--scheduler local` the report is that of one process, and only the
    loopback is listened on.
    """
    pytest.importorskip("dask.distributed")
    (tmp_path / "listeners.py").write_text(LISTENERS)
    for name, step in (("h", 3), ("r", 5)):
        lines = (
            " ".join(f"w{place * step % 11}" for place in range(line % 7 + 1))
            for line in range(50)
        )
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    words = ("score", "--hyp", "h", "--ref", "r", *OPTIONS)
    ended = subprocess.run(
        [sys.executable, "listeners.py", *words, "--scheduler", "local"],
        cwd=tmp_path, capture_output=True, check=True, timeout=300,
    )  # fmt: skip

    assert ended.stdout
    assert here(*words)[:2] == (0, ended.stdout)
    assert {"127.0.0.1"} == set(ended.stderr.decode().split())


@pytest.mark.parametrize(
    "answer", sampled([b"\x7f" * 4096, b"SSH-2.0-OpenSSH_9.2\r\n", b""], 3)
)
def test_a_server_that_is_no_scheduler(answer: bytes, tmp_path: Path) -> None:
    """A server of another protocol, or one that does not answer, is soon reported as
    a wrong address.
    """
    pytest.importorskip("dask.distributed")
    (tmp_path / "h").write_text("a b\n")
    held = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                    connection.sendall(answer)
                except OSError:
                    return
                held.append(connection)

        Thread(target=serve, daemon=True).start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        ended = subprocess.run(
            [sys.executable, "-c", IMPATIENT.format(address=address)],
            cwd=tmp_path, capture_output=True, check=False, timeout=300,
        )  # fmt: skip
    for connection in held:
        connection.close()
    last = ended.stderr.decode().splitlines()[-1]

    assert (1, b"") == (ended.returncode, ended.stdout)
    assert last.startswith(f"rouge-cli: cannot reach the scheduler {address}: ")
    assert last.endswith("; give the address that `dask scheduler` prints, or local")
    assert "Traceback" not in ended.stderr.decode()


@pytest.mark.parametrize(
    ("seconds", "stopped"),
    sampled([(0, False), (4, False), (4, True), (0.5, True), (0.5, False)], 3),
)
def test_an_interrupt_ends_a_local_scheduler(
    seconds: float, stopped: bool, tmp_path: Path
) -> None:
    """Ctrl-C ends a run on `--scheduler local` with 130 and one line, and its processes
    at once.

    A pipe that they hold is closed soon, also while they import modules, or cannot end
    by themselves.
    """
    pytest.importorskip("dask.distributed")
    import psutil

    (tmp_path / "h").write_text("a b\n" * (2_000_000 if seconds > 1 else 100_000))
    running = subprocess.Popen(
        [ROUGE_CLI, "score", "--hyp", "h", "--ref", "h", "--scheduler", "local"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    process = psutil.Process(running.pid)

    def workers() -> list[Any]:
        return [
            each
            for each in process.children()
            if "--multiprocessing-fork" in each.cmdline()
        ]

    wait_until(workers)
    time.sleep(seconds)
    for worker in workers() if stopped else ():
        worker.suspend()
    os.killpg(running.pid, signal.SIGINT)
    stdout, stderr = running.communicate(timeout=20)

    assert (130, b"", b"rouge-cli: interrupted\n") == (
        running.returncode,
        stdout,
        stderr,
    )


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
def test_the_documented_certificates_let_in_who_has_one(tmp_path: Path) -> None:
    """With TLS as the page on many machines has it a client with a certificate is
    served, and one of another authority, or without encryption, has one message.
    """
    pytest.importorskip("dask.distributed")
    text = (ROOT / "docs" / "how-to" / "many-machines.md").read_text("utf-8")
    making, running = re.findall(r"```sh\n((?:openssl|export).*?)```", text, re.DOTALL)
    settings = "".join(re.findall(r"export .*\n", running))
    (tmp_path / "run.jsonl").write_text('{"prediction": "a b", "reference": "a"}\n')
    other = (
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout o.key -out o.crt -subj /CN=o"
    )
    both = f"{making}\n{other}\ncat o.crt o.key > other.pem"
    subprocess.run(["sh", "-ec", both], cwd=tmp_path, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = f"127.0.0.1:{server.getsockname()[1]}"
    dask = f"exec {sys.executable} -m distributed.cli.dask_"
    servers = [
        f"{dask}scheduler --protocol tls --host {place} --no-dashboard",
        f"{dask}worker tls://{place} --no-dashboard --no-nanny",
    ]
    certificate = "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT"
    score = f"exec {ROUGE_CLI} score run.jsonl --score-only R1 --quiet --scheduler"
    started = [
        subprocess.Popen(
            ["sh", "-c", f"{settings}{command}"],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for command in servers
    ]
    try:
        served, foreign, plain = (
            subprocess.run(
                ["sh", "-c", f"{settings}{command}"],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE,
            )
            for command in (
                f"{score} tls://{place}",
                f"{certificate}=other.pem; {score} tls://{place}",
                f"{score} tcp://{place}",
            )
        )
    finally:
        for process in started:
            process.terminate()
            process.wait()

    assert (0, "0.66667\n", "") == (served.returncode, served.stdout, served.stderr)
    for refused in (foreign, plain):
        assert (1, "") == (refused.returncode, refused.stdout)
        assert refused.stderr.startswith("rouge-cli: cannot reach the scheduler ")
        assert 1 == refused.stderr.count("\n")


@pytest.mark.slow
def test_an_error_on_a_local_scheduler_comes_alone(tmp_path: Path) -> None:
    """An error in the input is the only line on stderr: the scheduler's own warnings
    are not printed.
    """
    pytest.importorskip("dask.distributed")
    (tmp_path / "warns.py").write_text(
        "import logging, sys\n"
        "from rouge_cli.runs import pools\n"
        "from rouge_cli.cli.main import main\n"
        "close = pools.Machines._result\n"
        "def warn(self, future):\n"
        "    logging.getLogger('distributed.client').warning('lost a worker')\n"
        "    logging.getLogger('distributed.scheduler').warning('lost a worker')\n"
        "    return close(self, future)\n"
        "pools.Machines._result = warn\n"
        "if __name__ == '__main__':\n"
        "    sys.argv[1:] = ['score', 'list', '--scheduler', 'local']\n"
        "    main()\n"
    )
    (tmp_path / "text").write_text("a b\n")
    (tmp_path / "list").write_text("text missing\n")
    command = [sys.executable, "warns.py"]
    ended = subprocess.run(
        command, cwd=tmp_path, capture_output=True, check=False, timeout=300
    )

    assert (1, b"") == (ended.returncode, ended.stdout)
    assert 1 == ended.stderr.count(b"\n")
    assert b"rouge-cli: missing: cannot read" in ended.stderr
