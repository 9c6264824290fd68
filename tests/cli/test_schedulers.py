"""Dask's schedulers: one of our own listens to nobody else, and a wrong address is one clear message."""

from __future__ import annotations

import socket
import subprocess
import sys
from threading import Thread
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

LISTENERS = """
import psutil
from rouge_cli import parallel
if __name__ == "__main__":
    with parallel._client("local"):
        me = psutil.Process()
        ours = {me.pid, *(process.pid for process in me.children(recursive=True))}
        for connection in psutil.net_connections("inet"):
            if connection.status == "LISTEN" and connection.pid in ours:
                print(connection.laddr.ip)
"""
IMPATIENT = """
import sys
from rouge_cli import parallel
from rouge_cli.cli import main
parallel._PATIENCE = 2
sys.argv = ["rouge-cli", "score", "--hyp", "h", "--ref", "h", "--scheduler", "{address}"]
main.main()
"""


def test_a_local_scheduler_listens_to_nobody_else(tmp_path: Path) -> None:
    """What `--scheduler local` starts listens on the loopback interface only, its dashboard too."""
    pytest.importorskip("dask.distributed")
    (tmp_path / "listeners.py").write_text(LISTENERS)
    ended = subprocess.run(
        [sys.executable, "listeners.py"], cwd=tmp_path, stdout=subprocess.PIPE, check=True, timeout=120
    )

    assert {"127.0.0.1"} == set(ended.stdout.decode().split())


@pytest.mark.parametrize("answer", [b"\x7f" * 4096, b"SSH-2.0-OpenSSH_9.2\r\n", b""])
def test_a_server_that_is_no_scheduler(answer: bytes, tmp_path: Path) -> None:
    """A server of another protocol, or one that says nothing, is a wrong address, and soon."""
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
            cwd=tmp_path, capture_output=True, check=False, timeout=60,
        )  # fmt: skip
    for connection in held:
        connection.close()
    last = ended.stderr.decode().splitlines()[-1]

    assert (1, b"") == (ended.returncode, ended.stdout)
    assert last.startswith(f"rouge-cli: cannot reach the scheduler {address}: ")
    assert last.endswith("; give the address that `dask scheduler` prints, or local")
    assert "Traceback" not in ended.stderr.decode()
