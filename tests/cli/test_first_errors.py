"""Messages that do not depend on chance: blocks of files, workers, what a message is
printed by.
"""

from pathlib import Path

import pytest

import rouge_cli
from rouge_cli import errors
from rouge_cli.dialects.google.rouge_scorer import RougeScorer
from rouge_cli.errors import RougeError, RougeWarning
from rouge_cli.io import files
from rouge_cli.tasks import lines
from tests.conftest import Program


@pytest.mark.parametrize("piece", [7, 64, 1 << 18])
@pytest.mark.parametrize(
    ("first", "second", "named"), [(30, 10, "b"), (10, 30, "a"), (10, 10, "ab")]
)
def test_the_first_bad_line_is_named(
    piece: int,
    first: int,
    second: int,
    named: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two files with bad UTF-8, the one with the earlier line is named, however
    large pieces are.
    """
    monkeypatch.setattr(files, "PIECE", piece)
    for name, bad in (("a", first), ("b", second)):
        texts = [b"\xc3\xa9 cat\n"] * 40
        texts[bad - 1] = b"the \xff cat\n"
        (tmp_path / name).write_bytes(b"".join(texts))
    with pytest.raises(RougeError) as error:
        list(lines.read({"a": str(tmp_path / "a")}, [str(tmp_path / "b")]))

    assert str(error.value).splitlines() == [
        f"{tmp_path / name}:{min(first, second)}: not utf-8: byte 0xff at offset"
        f" {7 * (min(first, second) - 1) + 4}; name the file's encoding with"
        " --encoding, or save it as UTF-8"
        for name in named
    ]


def test_a_tokenizer_of_letters_is_named() -> None:
    """RougeScorer takes the letters of a string for tokens, as rouge_score does,
    with a warning.
    """

    class Letters:
        def tokenize(self, text: str) -> str:
            return text

    with pytest.warns(RougeWarning, match="each character is a token"):
        scores = RougeScorer(["rouge1"], tokenizer=Letters()).score(
            "the cat", "act eth"
        )
    assert scores["rouge1"].fmeasure == 1


def test_no_message_steers_a_terminal(here: Program, tmp_path: Path) -> None:
    """Control and bidirectional characters of an input are escapes in findings,
    errors and warnings.
    """
    (tmp_path / "s.xml").write_text(
        '<ROUGE-EVAL version="1.0"><EVAL'
        ' ID="a\u202eb"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT'
        ' TYPE="SPL"/><PEERS><P'
        ' ID="1">no\u2066ne</P></PEERS><MODELS/></EVAL></ROUGE-EVAL>'
    )
    _, stdout, stderr = here("settings", "--check", "s.xml")

    assert "\\u202e" in stdout.decode()
    assert all(
        letter.isprintable() or letter == "\n" for letter in stdout.decode() + stderr
    )
    assert str(RougeError("a\u202eb", where="c\x1b")) == "c\\x1b: a\\u202eb"
    with pytest.warns(RougeWarning) as warned:
        rouge_cli.score(
            {"\x1b\u202e": ["a", "…"], "b": ["a", "a"]}, ["a", "a"], ids=["1", "\x1b2"]
        )
    assert all(
        errors.printable(str(warning.message)) == str(warning.message)
        for warning in warned
    )
