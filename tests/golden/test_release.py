"""The outputs that the original's release includes for its own sample inputs."""

import hashlib
from itertools import product
from pathlib import Path

import pytest

from rouge_cli.data.berkeley_db import read_hash
from tests.conftest import Program

COMMON = "-c 95 -2 -1 -U -r 1000 -n 4 -w 1.2"
NAME = "c95-2-1-U-r1000-n4-w1.2"
COMMANDS = {
    f"ROUGE-test-{NAME}{limit}{words}.out": f"{COMMON} {split} ROUGE-test.xml"
    for limit, words in product(("", "-l10", "-b75"), ("-a", "-a-m", "-a-m-s"))
    for split in [(limit + words).replace("-", " -").replace("l10", "l 10")]
} | {
    f"verify-{NAME}-b75-a-m-s.out": f"{COMMON} -b 75 -a -m -s verify.xml",
    f"verify-spl-{NAME}-b75-a-m-s.out": f"{COMMON} -b 75 -a -m -s verify-spl.xml",
    "DUC2002-BE-F.in.26.lst.out": "-3 HM -z SIMPLE DUC2002-BE-F.in.26.lst 26",
    "DUC2002-BE-F.in.26.simple.out": "-3 HM DUC2002-BE-F.in.26.simple.xml 26",
    "DUC2002-BE-L.in.26.lst.out": "-3 HM -z SIMPLE DUC2002-BE-L.in.26.lst 26",
    "DUC2002-BE-L.in.26.simple.out": "-3 HM DUC2002-BE-L.in.26.simple.xml 26",
    "DUC2002-ROUGE.in.26.spl.lst.out": "-n 4 -z SPL DUC2002-ROUGE.in.26.spl.lst 26",
    "DUC2002-ROUGE.in.26.spl.out": "-n 4 DUC2002-ROUGE.in.26.spl.xml 26",
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("lists", ["built in", "release"])
def test_shipped_output(name: str, lists: str, release: Path, drop_in: Program) -> None:
    """Each of the 17 outputs is equal, byte for byte, with either source of word
    lists.
    """
    data = ["-e", str(release / "data")] if lists == "release" else []
    outcome = drop_in(*data, *COMMANDS[name].split(), cwd=release / "sample-test")

    assert (0, (release / "sample-output" / name).read_bytes()) == outcome[:2]


def test_no_shipped_output_is_missing(release: Path) -> None:
    """Every output of the release is tested above."""
    assert sorted(COMMANDS) == sorted(
        path.name for path in (release / "sample-output").iterdir()
    )


def test_the_shipped_database_is_read(release: Path) -> None:
    """The release's Berkeley DB file has the entries of its word lists."""
    path = release / "data" / "WordNet-2.0.exc.db"
    entries = read_hash(path.read_bytes(), str(path))
    lines = b"".join(b"%s\t%s\n" % entry for entry in sorted(entries.items()))

    assert len(entries) == 5930
    assert hashlib.sha256(lines).hexdigest() == (
        "9664417fabf7d23f3b962e76244c917f225a182b5aa703807e3588d74c026c6d"
    )


def test_its_see_files_convert_to_its_spl_files(
    release: Path, tmp_path: Path, here: Program
) -> None:
    """The release's sample files in SEE convert to its sample files in SPL, of which
    there is one more.
    """
    outcome = here(
        "convert", "--to", "spl", "-o", "spl/", str(release / "sample-test" / "Verify")
    )
    converted = {path.stem: path.read_bytes() for path in (tmp_path / "spl").iterdir()}
    shipped = {
        path.stem: path.read_bytes()
        for path in (release / "sample-test/Verify-SPL").iterdir()
    }

    assert ((0, b"", ""), 40) == (outcome, len(converted))
    assert converted.items() < shipped.items()
