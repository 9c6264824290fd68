"""The golden cases of ROUGE-1.5.5: all in this process, a sample through the
installed command.
"""

import bz2
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from everyday import sampled

from rouge_cli import twins
from rouge_cli.cli import rouge155
from tests.conftest import Program

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "rouge155"

FILES: list[tuple[str, Callable[[bytes], bytes]]] = [
    (name, bytes) for name in ("targeted.jsonl", "campaigns.jsonl")
]
FILES += [(name, bz2.decompress) for name in ("random.jsonl.bz2", "exact.jsonl.bz2")]
CASES = {
    case["id"]: case
    for name, read in FILES
    for case in map(json.loads, read((FIXTURES / name).read_bytes()).splitlines())
}


def with_outcome(outcome: str) -> list[str]:
    """Return the ids of the cases with that outcome under the original."""
    return [name for name, case in CASES.items() if case["outcome"] == outcome]


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """Return a case, with its files in the test's folder; a character is a byte."""
    case: dict[str, Any] = CASES[request.param]
    for name, content in case["files"].items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("latin-1"))
    return case


def test_no_case_is_missing() -> None:
    """All 560 cases are there, with the original's outcomes."""
    outcomes = [case["outcome"] for case in CASES.values()]

    assert (498, 28, 35) == tuple(map(outcomes.count, ("ok", "error", "crash")))


@pytest.fixture
def in_process(
    case: dict[str, Any],
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[], tuple[int, bytes]]:
    """Run the case in this process; return its exit status and stdout."""
    monkeypatch.chdir(tmp_path)
    return lambda: (rouge155.main(case["argv"]), capfdbinary.readouterr().out)


@pytest.mark.parametrize("case", with_outcome("ok"), indirect=True)
def test_stdout_is_the_originals(
    case: dict[str, Any], in_process: Callable[[], tuple[int, bytes]]
) -> None:
    """If the original prints a report, rouge-cli prints the same bytes and returns
    0.
    """
    assert (0, case["stdout"].encode("latin-1")) == in_process()


@pytest.mark.parametrize("case", sampled(with_outcome("ok"), 16), indirect=True)
def test_the_command_prints_the_same(case: dict[str, Any], drop_in: Program) -> None:
    """The installed command prints what its function prints: a sample of the cases
    shows it.
    """
    outcome = drop_in(*case["argv"])

    assert (0, case["stdout"].encode("latin-1")) == outcome[:2]


@pytest.mark.parametrize("case", sampled(with_outcome("ok"), 10), indirect=True)
def test_the_readable_kernels_print_the_same(
    case: dict[str, Any],
    in_process: Callable[[], tuple[int, bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The readable kernels print the original's bytes too."""
    monkeypatch.setattr(twins, "extension", lambda: None)

    assert (0, case["stdout"].encode("latin-1")) == in_process()


@pytest.mark.parametrize("case", sampled(with_outcome("error"), 3), indirect=True)
def test_errors_are_one_clear_message(case: dict[str, Any], drop_in: Program) -> None:
    """If the original fails, rouge-cli does: a message on stderr, no traceback,
    nothing on stdout.
    """
    status, stdout, stderr = drop_in(
        *case["argv"], environment={"ROUGE_CLI_QUIET": "1"}
    )

    assert status != 0
    assert stdout == b""
    assert stderr.startswith("ROUGE-1.5.5.pl: ")
    assert "Traceback" not in stderr


@pytest.mark.parametrize("case", sampled(with_outcome("crash"), 3), indirect=True)
def test_division_by_zero_counts_nothing(
    case: dict[str, Any], drop_in: Program
) -> None:
    """If the original divides by zero, rouge-cli reports that the pair counts 0 and
    goes on (QUIRKS 3).
    """
    status, stdout, stderr = drop_in(*case["argv"])

    assert status == 0
    assert b"ROUGE-W" in stdout
    assert "the original divides by zero" in stderr


@pytest.mark.parametrize(
    "case",
    [f"campaign-{name}" for name in ("pyrouge", "pythonrouge", "sacrerouge", "tilse")],
    indirect=True,
)
def test_a_data_folder_without_lists_changes_nothing(
    case: dict[str, Any], drop_in: Program, tmp_path: Path
) -> None:
    """Wrappers name a data folder with `-e`; a folder without lists gives the same
    bytes (QUIRKS 2).
    """
    (tmp_path / "D").mkdir()
    outcome = drop_in("-e", "D", *case["argv"])

    assert (0, case["stdout"].encode("latin-1")) == outcome[:2]


def test_every_stem_through_the_command(
    drop_in: Program, root: Path, tmp_path: Path
) -> None:
    """Each word of the golden list has the original's stem, as `-v` prints it."""
    lines = (root / "fixtures/rouge155/stems.tsv").read_text("latin-1").splitlines()
    words, stems = zip(*(line.split("\t") for line in lines), strict=True)
    (tmp_path / "words").write_text("\n".join(words) + "\n", "latin-1")
    (tmp_path / "list").write_text("words words\n")

    _, _, stderr = drop_in("-v", "-x", "-n1", "-m", "-z", "SPL", "list")
    shown = next(
        line
        for line in stderr.splitlines()
        if line.startswith("ROUGE-1.5.5.pl: words: ")
    )

    assert list(stems) == shown.removeprefix("ROUGE-1.5.5.pl: words: ").split()
