"""WordNet: the extract, the user's databases, and the two rules for synonyms."""

import json
import lzma
import subprocess
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from case_tables import tabled

from rouge_cli import data
from rouge_cli.data import wordnet
from rouge_cli.errors import RougeError

DEBIAN = Path("/usr/share/wordnet")
LICENCE = "  1 This software and database is being provided to you\n"
NOUNS = """\
00000001 03 n 01 surface 0 001 ~ 00000002 n 0000 | the outer boundary
00000002 06 n 02 screen 0 cover_plate 1 003 @ 00000001 n 0000 @i 00000001 n 0000 ~ 00000003 n 0000 | glass
00000003 06 n 03 Display 0 mask 0 e=mc2 0 001 @ 00000002 n 0000 | shown
"""
ADJECTIVES = """\
00000001 00 a 01 bright(a) 0 001 & 00000002 a 0000 | head
00000002 00 s 01 vivid 0 001 & 00000001 a 0000 | satellite
"""
VERBS = "00000001 30 v 02 screen 0 shield 0 000 01 + 08 00 | protect\n"
COUNTS = """\
cover_plate%1:06:01:: 1 9
display%1:06:00:: 1 2
mask%1:06:00:: 1 1
screen%1:06:00:: 1 3
vivid%5:00:00:bright(a):00 1 7
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a WordNet database of six synsets."""
    made = tmp_path / "dict"
    made.mkdir()
    contents = {
        "data.noun": NOUNS,
        "data.verb": VERBS,
        "data.adj": ADJECTIVES,
        "data.adv": "",
    }
    for name in wordnet.NAMES:
        (made / name).write_text(
            LICENCE * name.startswith("data.") + contents.get(name, "")
        )
    (made / "cntlist.rev").write_text(COUNTS)
    (made / "noun.exc").write_text("screenes screen\n")
    return made


@tabled
def test_the_papers_rule(
    folder: Path, word: str, pos: str, least: int, synonyms: list[str]
) -> None:
    """Synonyms are the words of the word's synsets and of those one step away,
    tagged often enough.
    """
    database = wordnet.load(str(folder))

    assert f"wordnet:{folder}" == database.name
    assert {*synonyms} == database.synonyms(word, pos, least=least)


@tabled
def test_base_forms_are_wordnets(word: str, pos: str, base: str) -> None:
    """Irregular forms are looked up, others lose their endings, and words that only
    look plural stay.
    """
    assert [base.encode()] == wordnet.load("").parts[pos].bases(word.encode())


def test_the_extract_is_wordnets() -> None:
    """`display` matches `screen`, as in the paper's example; a noun always with a
    capital is a name.
    """
    ours = wordnet.load("")

    assert "wordnet-3.0-extract" == ours.name
    assert "screen" in ours.synonyms("display", "n")
    assert "screen" in ours.synonyms("display", "n", least=1)
    assert "screen" not in ours.synonyms("display", "n", least=4)
    assert [True, False, False] == list(
        map(ours.parts["n"].is_name, (b"london", b"march", b"nowhereness"))
    )


def test_a_zip_is_read_as_its_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`nltk` finds the database in nltk_data, also in the zip file that nltk's
    downloader leaves.
    """
    corpora = tmp_path / "nltk_data" / "corpora"
    corpora.mkdir(parents=True)
    with ZipFile(corpora / "wordnet.zip", "w") as archive:
        for name in wordnet.NAMES:
            archive.write(folder / name, f"wordnet/{name}")
    monkeypatch.setattr("nltk.data.path", [str(tmp_path / "nltk_data")])

    assert "wordnet:nltk" == wordnet.load("nltk").name
    assert {"screen", "display", "mask"} == wordnet.load("nltk").synonyms("screen", "n")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "data.noun",
            NOUNS.replace("02 screen", "zz screen"),
            "data.noun:2: not a line of a WordNet",
        ),
        (
            "data.noun",
            NOUNS.replace("@ 00000001", "@ 00000009"),
            "data.noun:2: not a line of a WordNet",
        ),
        (
            "data.adj",
            "00000001 00 s 01 alone 0 000 | no head\n",
            "data.adj:1: not a line of a WordNet",
        ),
        ("data.verb", "00000001\n", "data.verb:1: not a line of a WordNet"),
        ("cntlist.rev", COUNTS + "a b\n", "cntlist.rev:6: not a line of a WordNet"),
    ],
)
def test_damaged_databases_are_refused(
    folder: Path, name: str, content: str, message: str
) -> None:
    """A line that does not belong in a database is refused with its file and line."""
    (folder / name).write_text(content)
    with pytest.raises(RougeError) as error:
        wordnet.load(str(folder))

    assert f"{folder}/{message} database; copy the database again" == str(error.value)


def test_folders_without_a_database(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder or zip file without a database is refused with what is missing and
    what to do.
    """
    (folder / "cntlist.rev").unlink()
    (tmp_path / "bad.zip").write_text("no zip")
    with ZipFile(tmp_path / "cut.zip", "w", ZIP_DEFLATED) as archive:
        archive.write(folder / "data.noun", "data.noun")
    cut = bytearray((tmp_path / "cut.zip").read_bytes())
    cut[45:90] = bytes(45)
    (tmp_path / "cut.zip").write_bytes(cut)
    ZipFile(tmp_path / "empty.zip", "w").close()
    expected = {
        str(folder): "no WordNet database (cntlist.rev is missing); name a folder",
        str(
            tmp_path / "none"
        ): "no WordNet database (data.noun is missing); name a folder",
        str(
            tmp_path / "empty.zip"
        ): "no WordNet database (data.noun is missing); name a folder",
        str(
            tmp_path / "bad.zip"
        ): "cannot read the WordNet database: File is not a zip file",
        str(
            tmp_path / "cut.zip"
        ): "cannot read the WordNet database: Error -3 while decompressing data",
    }
    for path, message in expected.items():
        with pytest.raises(RougeError) as error:
            wordnet.load(path)
        assert str(error.value).startswith(f"{path}: {message}")

    monkeypatch.setattr("nltk.data.path", [str(tmp_path)])
    wordnet.load.cache_clear()
    with pytest.raises(RougeError, match="no WordNet in nltk_data; python -m nltk"):
        wordnet.load("nltk")


@pytest.mark.skipif(
    not (DEBIAN / "cntlist.rev").exists(),
    reason="Debian's wordnet-base is not installed",
)
def test_the_extract_is_made_by_its_script(root: Path) -> None:
    """The script makes the extract from Debian's WordNet, and the result gives the
    same synonyms.
    """
    extract = lzma.decompress(data.read("wordnet-3.0.xz"))
    golden = json.loads(
        (root / "fixtures/rouge2/wordnet30-expansions.json").read_text("utf-8")
    )
    made = wordnet.short_form(str(DEBIAN))
    ours, theirs = wordnet.load(""), wordnet.WordNet(made, "debian")

    assert extract == made
    for word in golden["expansions"]:
        for rule in ("paper", "program"):
            query = word["word"], word["pos"][0], rule
            assert ours.synonyms(*query) == theirs.synonyms(*query)


@pytest.mark.skipif(
    not (DEBIAN / "cntlist.rev").exists(),
    reason="Debian's wordnet-base is not installed",
)
@pytest.mark.slow
def test_the_extract_has_the_same_bytes(root: Path) -> None:
    """The script writes the same bytes as those in the package."""
    before = data.read("wordnet-3.0.xz")
    code = (
        "import extract_wordnet, sys;"
        " sys.stdout.buffer.write(extract_wordnet.compressed(sys.argv[1]))"
    )
    made = subprocess.run(
        [sys.executable, "-c", code, str(DEBIAN)],
        cwd=root / "docs",
        capture_output=True,
        check=True,
    )

    assert before == made.stdout


def test_the_extract_is_small() -> None:
    """The extract is smaller than 1.2 MB, with its licence beside it."""
    assert len(data.read("wordnet-3.0.xz")) < 1_200_000
    assert b"WordNet 3.0 Copyright 2006 by Princeton University" in data.read(
        "WORDNET-LICENSE.txt"
    )


def test_data_are_read_lazily() -> None:
    """Importing the modules reads neither the extract nor nltk."""
    code = (
        "import sys, rouge_cli.data.wordnet, rouge_cli.text.tagging;print([name for"
        " name in ('nltk', 'lzma', 'zipfile', 'numpy') if name in sys.modules])"
    )

    assert (
        b"[]\n"
        == subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True
        ).stdout
    )


def test_every_expansion_of_the_program(root: Path) -> None:
    """Under the program's rule the extract gives each of the golden words the
    program's synonyms.
    """
    golden = json.loads(
        (root / "fixtures/rouge2/wordnet30-expansions.json").read_text("utf-8")
    )
    ours = wordnet.load("")
    others = [
        (word["word"], word["pos"])
        for word in golden["expansions"]
        if set(word["expansion"])
        != ours.synonyms(word["word"], word["pos"][0], "program")
    ]

    assert golden["expansions"]
    assert [] == others
