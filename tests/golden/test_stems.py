"""Stems of 12,633 words under `-m`, as the original computes them."""

from pathlib import Path

from tests.conftest import Program


def test_every_stem_through_the_command(drop_in: Program, root: Path, tmp_path: Path) -> None:
    """Each word of the golden list has the original's stem, as `-v` prints it."""
    lines = (root / "fixtures/rouge155/stems.tsv").read_text("latin-1").splitlines()
    words, stems = zip(*(line.split("\t") for line in lines), strict=True)
    (tmp_path / "words").write_text("\n".join(words) + "\n", "latin-1")
    (tmp_path / "list").write_text("words words\n")

    _, _, stderr = drop_in("-v", "-x", "-n1", "-m", "-z", "SPL", "list")
    shown = next(line for line in stderr.splitlines() if line.startswith("ROUGE-1.5.5.pl: words: "))

    assert list(stems) == shown.removeprefix("ROUGE-1.5.5.pl: words: ").split()
