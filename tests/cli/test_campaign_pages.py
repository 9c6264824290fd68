"""Whatever pages and findings `rouge-cli campaign page` gets, its page runs only the
script of `report`.
"""

import re
from pathlib import Path

import pytest

from tests.conftest import ROUGE_CLI, Program

TEXT = "El niño comió."


@pytest.fixture(scope="module")
def page(program: Program, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the page of a language."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "a.txt").write_text(TEXT, "utf-8")
    words = "score --pred a.txt --ref a.txt -m R1 --per-eval --format json -o a.json"
    program(ROUGE_CLI, *words.split(), cwd=folder)
    words = "report a.json --quiet -o es.html"
    assert 0 == program(ROUGE_CLI, *words.split(), cwd=folder).status
    return (folder / "es.html").read_text("utf-8")


FOREIGN = (
    "<script>hit()</script>", "<SCRIPT src=x>", "<iframe src=x>", "<base href=x>",
    "<meta http-equiv=refresh content='0;url=x'>", "<Meta\nhttp-equiv='refresh'>",
    "<object data=x>", "<embed src=x>", "<form action=x>", "<frame src=x>",
)  # fmt: skip


@pytest.mark.parametrize("markup", FOREIGN)
def test_a_page_has_what_a_report_has(
    markup: str, page: str, program: Program, tmp_path: Path
) -> None:
    """A page with an element that runs, or leads elsewhere, is not in the leaderboard,
    which stays as it was.
    """
    (tmp_path / "all.html").write_text("old")
    (tmp_path / "es.html").write_text(
        page.replace("<main>", f"<main>{markup}"), "utf-8"
    )
    words = ("campaign", "page", "es.html", "-o", "all.html")
    status, _, stderr = program(ROUGE_CLI, *words, cwd=tmp_path)

    assert 1 == status
    assert stderr.startswith("rouge-cli: es.html: a page with <")
    assert 1 == stderr.count("\n")
    assert "old" == (tmp_path / "all.html").read_text()


def not_pages(page: str) -> dict[str, bytes]:
    """Return files that are not pages, by the message that they have."""
    policy = page[page.index("<meta http-equiv") : page.index("<meta name")]
    return {
        "not a page; ": f"<!-- {policy} --><p>All teams won.</p>".encode(),
        "not a page; expected": b"\0\1\2" * 100,
        "not utf-8: byte 0xff": b"\xff" * 100,
        "a page without readable scores": re.sub(
            '"scores":"[^"]*"', '"scores":"AAAA"', page
        ).encode(),
        "the page has more than 100,000,000 bytes": b"x" * 100_000_001,
    }


def test_no_other_file_is_a_page(page: str, program: Program, tmp_path: Path) -> None:
    """A file that only mentions the policy of pages, is binary or huge is one error."""
    for message, data in not_pages(page).items():
        (tmp_path / "es.html").write_bytes(data)
        words = ("campaign", "page", "es.html", "-o", "all.html")
        status, _, stderr = program(ROUGE_CLI, *words, cwd=tmp_path)

        assert (1, 1) == (status, stderr.count("\n")), stderr
        assert message in stderr
        assert not (tmp_path / "all.html").exists()


def test_titles_and_findings_are_text(
    page: str, program: Program, tmp_path: Path
) -> None:
    """Markup, control characters and endless lines of a title or of findings are shown
    as text, in part; what is not findings is named.
    """
    markup = "</title><script>hit()</script>"
    (tmp_path / "es.html").write_text(page, "utf-8")
    (tmp_path / "f").mkdir()
    line = f"{markup}\x1b[2J\u202e\u2028{'x' * 5000}\n"
    (tmp_path / "f" / "a.txt").write_text(line * 300, "utf-8")
    (tmp_path / "f" / ".rouge-cli-1.tmp").write_text("half")
    (tmp_path / "f" / "a.txt~").write_text("old")
    words = ("campaign", "page", "--title", markup, "--findings", "f", "es.html", "-o-")
    status, stdout, stderr = program(ROUGE_CLI, *words, cwd=tmp_path)
    shown = stdout.decode()

    assert 0 == status
    assert stderr.startswith("rouge-cli: f/a.txt~: skipped because its name does not")
    assert 1 == stderr.count("\n")
    assert 1 == shown.count("<script")  # that of the leaderboard
    assert shown.count("&lt;/title&gt;&lt;script&gt;hit()") > 100
    assert not set("\x1b\u202e\u2028") & set(shown)
    assert "and 199 more lines" in shown
    assert len(shown) < 400_000
    (tmp_path / "f" / "a.txt").write_bytes(b"\xff\n")
    status, _, stderr = program(ROUGE_CLI, *words, cwd=tmp_path)
    assert (1, True) == (status, "f/a.txt:1: not utf-8" in stderr), stderr
