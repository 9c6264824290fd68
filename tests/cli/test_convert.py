"""`rouge-cli convert`: other bytes, the same scores."""

from pathlib import Path

import pytest

from tests.conftest import Program

SPL = b"The cat's  mat, caf\xc3\xa9 <b>bold</b> x < 3 &amp; 4.\n\n - hyphen-ated \r\n \n\xff last"
OPTIONS = ["-n", "3", "-w", "1.2", "-2", "4", "-u", "-m"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a prediction and a reference in SPL."""
    (tmp_path / "spl").mkdir()
    (tmp_path / "spl" / "prediction").write_bytes(SPL)
    (tmp_path / "spl" / "reference").write_bytes(b"the cat is bold x 3 4\nsome hyphen ated caf last b\n")
    return tmp_path


def test_one_round_through_the_formats(folder: Path, here: Program, drop_in: Program) -> None:
    """SPL, SEE, ISI and SPL again have the same scores under every limit of words or bytes."""
    chain = [("spl", "see"), ("see", "isi"), ("isi", "spl2")]
    for source, target in chain:
        words = ["--from", source, "--to", target[:3], "-o", f"{target}/", source]
        outcome = here("convert", *words)
        assert (0, b"") == outcome[:2], outcome.stderr
    (folder / "list").write_text("prediction reference\n")
    for limit in ([], ["-l", "7"], ["-l", "9"], ["-b", "20"], ["-b", "45"], ["-b", "60"]):
        reports = {
            name: drop_in(*OPTIONS, *limit, "-z", name[:3], "../list", cwd=folder / name).stdout
            for name in ("spl", "see", "isi", "spl2")
        }
        assert b"ROUGE-SU4 Average_F: 0." in reports["spl"]
        assert {reports["spl"]} == set(reports.values())
    assert (folder / "spl2" / "prediction").read_bytes() == b"\n".join(
        line for line in SPL.replace(b"<", b"(").split(b"\n") if line
    ) + b"\n"


def test_the_releases_own_conversion(release: Path, tmp_path: Path, here: Program) -> None:
    """The release's sample files in SEE convert to its sample files in SPL."""
    source = release / "sample-test"
    outcome = here("convert", "--to", "spl", "-o", "spl/", str(source / "Verify"))
    shipped = {path.stem: path.read_bytes() for path in (source / "Verify-SPL").iterdir()}

    assert (0, b"", "") == outcome
    converted = {path.stem: path.read_bytes() for path in (tmp_path / "spl").iterdir()}
    assert len(converted) == 40  # there is one more file of SPL
    assert converted == {name: shipped[name] for name in converted}
