"""Inputs by URL: read as local files are, with the limits of these; never written."""

from __future__ import annotations

import gzip
import json
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rouge_cli.io import files
from tests.conftest import Program

if TYPE_CHECKING:
    from collections.abc import Iterator

fsspec = pytest.importorskip("fsspec")
WORDS = ("-m", "R1,RL", "--samples", "0", "--format", "csv", "--quiet")
RECORDS = [
    {"id": "x", "prediction": "the cat sat", "reference": "a cat sat down"},
    {"id": "y", "prediction": "rain fell", "reference": "it rained"},
]
PREDICTIONS, REFERENCES = "the cat sat\nrain fell\n", "a cat sat down\nit rained\n"


def contents() -> dict[str, bytes]:
    """Return the name and content of an input of each kind."""
    jsonl = "".join(json.dumps(record) + "\n" for record in RECORDS).encode()
    rows = [",".join(record.values()) for record in RECORDS]
    return {
        "run.jsonl": jsonl,
        "run.jsonl.gz": gzip.compress(jsonl),
        "run.json": json.dumps(RECORDS).encode(),
        "run.csv": "\n".join(["id,prediction,reference", *rows, ""]).encode(),
        "run": jsonl,  # told by its start
    }


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """Serve the test's folder on this machine, as whole files only."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    handler.func.log_message = lambda *_: None  # type: ignore[attr-defined]
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", contents())
def test_a_url_is_read_as_a_file(
    name: str, changed_here: Program, tmp_path: Path, served: str
) -> None:
    """Records by the URLs of three protocols give the report of the local file."""
    data = contents()[name]
    (tmp_path / name).write_bytes(data)
    fsspec.filesystem("memory").pipe(f"/urls/{name}", data)
    local = changed_here("score", name, *WORDS)
    urls = [f"memory://urls/{name}", f"file://{tmp_path}/{name}", f"{served}/{name}"]

    assert 0 == local[0]
    assert local[1]
    for url in urls:
        assert local == changed_here("score", url, *WORDS)


def test_lines_by_url(here: Program, tmp_path: Path, served: str) -> None:
    """Files with a text on each line may be URLs on either side."""
    (tmp_path / "p.txt").write_text(PREDICTIONS)
    (tmp_path / "r.txt").write_text(REFERENCES)
    local = here("score", "--pred", "p.txt", "--ref", "r.txt", *WORDS)
    remote = here("score", "--pred", f"{served}/p.txt", "--ref", "r.txt", *WORDS)

    assert (0, "") == (local[0], local[2])
    assert local == remote


def test_tables_of_parquet_by_pattern(here: Program, tmp_path: Path) -> None:
    """A pattern in a URL finds the numbered files of a table."""
    pytest.importorskip("pyarrow")
    from pyarrow import Table, parquet

    for number, record in enumerate(RECORDS):
        name = tmp_path / f"test-0000{number}-of-00002.parquet"
        parquet.write_table(Table.from_pylist([record]), name)
    local = here("score", "test-*.parquet", *WORDS)
    remote = here("score", f"file://{tmp_path}/test-*.parquet", *WORDS)

    assert (0, 0) == (local[0], remote[0])
    assert local[1] == remote[1]


def test_parts_of_an_input_by_pattern(here: Program, tmp_path: Path) -> None:
    """A pattern in a URL names the parts of one input, as a local one does."""
    for number, record in enumerate(RECORDS):
        (tmp_path / f"part-{number}.jsonl").write_text(json.dumps(record))
    local = here("score", "part-*.jsonl", *WORDS)
    remote = here("score", f"file://{tmp_path}/part-*.jsonl", *WORDS)

    assert (0, 0) == (local[0], remote[0])
    assert local[1] == remote[1]


def test_a_query_is_no_pattern(here: Program, tmp_path: Path, served: str) -> None:
    """The marks of patterns in the query of a URL are a part of it."""
    (tmp_path / "run.jsonl").write_bytes(contents()["run.jsonl"])
    local = here("score", "run.jsonl", *WORDS)

    assert local[0] == 0
    assert local == here("score", f"{served}/run.jsonl?download=*&a[]=1", *WORDS)


SETTINGS = """<ROUGE-EVAL><EVAL ID="1"><PEER-ROOT>{0}</PEER-ROOT>
<MODEL-ROOT>{0}</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="A">a.txt</P></PEERS>
<MODELS><M ID="1">m.txt</M></MODELS></EVAL></ROUGE-EVAL>"""


@pytest.mark.parametrize(
    "words",
    [
        ("rouge155", "-n", "1", "-a", "{url}.xml"),
        ("rouge155", "-n", "1", "-z", "SPL", "{url}.lst"),
        ("rouge155", "-n", "1", "-a", "local.xml"),
        ("rouge155", "-n", "1", "-z", "SPL", "local.lst"),
        ("score", "{url}.xml"),
        ("score", "local.xml"),
        ("score", "local.xml", "--encoding", "latin-1"),
        ("score", "local.lst"),
        ("score", "local.lst", "--encoding", "latin-1"),
        ("settings", "--check", "{url}.xml"),
        ("rouge2", "--properties", "{url}.properties"),
    ],
    ids=" ".join,
)
def test_settings_and_lists_fetch_no_url(
    words: tuple[str, ...],
    changed_here: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A URL in place of settings, of a list, or of a text that they name is the path of
    a file that does not exist: a program that replaces another fetches nothing.
    """
    folder = "memory://settings"
    memory = fsspec.filesystem("memory")
    for name in ("a.txt", "m.txt"):
        memory.pipe(f"/settings/{name}", b"the cat sat\n")
    memory.pipe("/settings.xml", SETTINGS.format(folder).encode())
    memory.pipe("/settings.lst", f"{folder}/a.txt {folder}/m.txt\n".encode())
    memory.pipe("/settings.properties", b"project.dir=x\n")
    (tmp_path / "local.xml").write_bytes(memory.cat("/settings.xml"))
    (tmp_path / "local.lst").write_bytes(memory.cat("/settings.lst"))
    fetched: list[str] = []
    opened = memory.__class__.open

    def noted(system: Any, path: str, *words: Any, **named: Any) -> Any:  # noqa: ANN401 - of any file system
        fetched.append(path)
        return opened(system, path, *words, **named)

    monkeypatch.setattr(memory.__class__, "open", noted)
    status, stdout, stderr = changed_here(*(word.format(url=folder) for word in words))

    assert (b"", []) == (stdout, fetched)
    assert status > 0
    assert "No such file" in stderr


@pytest.mark.parametrize("words", [("-o", "memory://a.csv"), ("--depfile", "s3://b/d")])
def test_outputs_are_local(
    words: tuple[str, ...], here: Program, tmp_path: Path
) -> None:
    """No output is written to a URL."""
    (tmp_path / "run.jsonl").write_bytes(contents()["run.jsonl"])
    words = words if "-o" in words else (*words, "-o", "a.csv")
    status, stdout, stderr = here("score", "run.jsonl", "--quiet", *words)

    assert (1, b"") == (status, stdout)
    assert "cannot write: a URL; write to a local file" in stderr


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("memory://none.jsonl", "No such file or directory"),
        ("http://127.0.0.1:1/run.jsonl", "Cannot connect"),
        ("nosuch://a/run.jsonl", "Protocol not known"),
    ],
)
def test_a_url_that_cannot_be_read_is_one_message(
    url: str, reason: str, here: Program
) -> None:
    """A missing file, server or protocol is one line with the URL."""
    status, stdout, stderr = here("score", url, *WORDS)

    assert (b"", True) == (stdout, status > 0)
    assert stderr.startswith(f"rouge-cli: {url}: cannot read")
    assert reason in stderr
    assert 1 == stderr.count("\n")


def test_without_fsspec_the_extra_is_named(
    changed_here: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the library is missing, the message says what installs it."""
    monkeypatch.setitem(sys.modules, "fsspec", None)
    status, _, stderr = changed_here("score", "memory://none.jsonl", *WORDS)

    assert 1 == status
    assert "pip install 'rouge-cli[remote]'" in stderr


def test_a_protocol_names_its_library(
    changed_here: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the library of a protocol is missing, the message says which it is."""
    monkeypatch.setitem(sys.modules, "s3fs", None)
    status, _, stderr = changed_here("score", "s3://bucket/run.jsonl", *WORDS)

    assert 1 == status
    assert "reading s3:// needs the library s3fs; pip install s3fs" in stderr


def test_a_bomb_by_url_is_refused(changed_here: Program) -> None:
    """A compressed document that grows beyond the limit is refused, as a local one."""
    limit = {files.RECORD_VARIABLE: "1"}
    bomb = gzip.compress(b"[" + b" " * (5 * files.MB) + b"]")
    fsspec.filesystem("memory").pipe("/urls/bomb.json.gz", bomb)
    status, stdout, stderr = changed_here(
        "score", "memory://urls/bomb.json.gz", *WORDS, environment=limit
    )

    assert (1, b"") == (status, stdout)
    assert "decompressed, the " in stderr


def test_a_lock_has_the_digest_of_a_url(here: Program, tmp_path: Path) -> None:
    """`--lock` stores the digest of the content, and a depfile leaves URLs out."""
    data = contents()["run.jsonl"]
    (tmp_path / "run.jsonl").write_bytes(data)
    outputs = ("-o", "a.csv", "--depfile", "d", "--lock")
    url = f"file://{tmp_path}/run.jsonl"
    digests = []
    for name in ("run.jsonl", url):
        ended = here("score", name, *WORDS, *outputs, "lock")
        assert (0, b"", "") == ended[:3]
        lock = json.loads((tmp_path / "lock").read_bytes())
        digests.append(lock["texts"][name])

    assert digests[0] == digests[1]
    assert "://" not in (tmp_path / "d").read_text()
