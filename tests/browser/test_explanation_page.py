"""The page of `explain --format html` in a real browser."""

import subprocess
from pathlib import Path

import pytest

from tests.browser.conftest import AXE, HOSTILE, Open
from tests.conftest import ROUGE_CLI


@pytest.fixture
def page_of_texts(tmp_path: Path) -> Path:
    """Make a page of two texts with all kinds of hostile content, and an endless word."""
    text = "\n".join([*HOSTILE, "x" * 20_000, "the cat"]).replace("\0", "")
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "b.txt").write_text(text + " the cat")
    program = ROUGE_CLI
    command = [program, "explain", "a.txt", "b.txt", "-m", "R1,RL", "--quiet", "-o", "page.html"]
    subprocess.run(command, cwd=tmp_path, check=True)
    return tmp_path / "page.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_it_fits_and_is_accessible(width: int, scheme: str, page_of_texts: Path, open_page: Open) -> None:
    """No script runs, no request is sent, nothing scrolls sideways, and words are highlighted."""
    page = open_page(page_of_texts, width=width, ready=False, color_scheme=scheme)

    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert 0 == page.locator("img, script, iframe").count()
    word = page.locator(".side .t.c").first
    background = "getComputedStyle(word).backgroundColor"
    assert "rgba(0, 0, 0, 0)" != word.evaluate(f"word => {background}")
    if AXE.exists():
        page.evaluate(AXE.read_text("utf-8"))
        violations = page.evaluate("axe.run()")["violations"]
        assert [] == [
            violation["id"] for violation in violations if violation["impact"] in ("serious", "critical")
        ]
