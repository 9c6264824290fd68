"""The documentation site needs no network, and its build fails for a broken link."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rouge_cli.cli.main import SECTIONS
from tests.conftest import ROOT

pytest.importorskip("material")
LOADED = re.compile(
    r"""<(?:script|img|iframe)[^>]*\ssrc="?([^" >]+)"""
    r"""|<link[^>]*\srel="?(?:stylesheet|icon|preconnect|preload)[^>]*\shref="?([^" >]+)"""
)


def build(
    folder: Path, *options: str, repository: str = ""
) -> subprocess.CompletedProcess[str]:
    """Build the site into a folder, with the address of a repository."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder), *options],
        cwd=ROOT, env={"NO_MKDOCS_2_WARNING": "1", "PATH": "/usr/bin:/bin", "REPOSITORY_URL": repository},
        capture_output=True, check=False, text=True,
    )  # fmt: skip


@pytest.mark.slow
def test_no_page_loads_anything_from_elsewhere(tmp_path: Path) -> None:
    """The site builds without a warning; scripts, styles, pictures and generated
    parts are in it.
    """
    ended = build(tmp_path)
    assert (0, []) == (
        ended.returncode,
        re.findall("(?:WARNING|ERROR).*", ended.stderr),
    )
    pages = list(tmp_path.rglob("*.html"))
    loaded = {
        name
        for page in pages
        for group in LOADED.findall(page.read_text("utf-8"))
        for name in group
    }

    assert len(pages) > 30
    assert "distinct_words" in (tmp_path / "how-to" / "contribute.html").read_text(
        "utf-8"
    )
    assert 'id="quirk-1"' in (tmp_path / "reference" / "quirks.html").read_text("utf-8")
    tasks = (tmp_path / "how-to" / "tasks.html").read_text("utf-8")
    assert tasks.count('class="tabbed-set') == tasks.count(">Command line</label>") == 4
    assert [] == [
        page for page in pages if re.search('href="[^"]*OWNER', page.read_text("utf-8"))
    ]
    assert len(loaded) > 2
    assert [] == [name for name in loaded if re.match("(?:https?:)?//", name)]
    styles = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.css"))
    assert not re.search(r"url\([\"']?(?:https?:)?//|@import", styles)
    for page, text in (
        ("reference/commands-doubt", "--published"),
        ("reference/commands-score", "--fail-under"),
        ("demo", "extract"),
        ("reference/python", "score_rows"),
        ("reference/metrics", "section 2"),
        ("reference/drop-in", "-2"),
        ("reference/extras", "rouge-cli[report]"),
        ("reference/quirks", "Word lists without a folder"),
    ):
        assert text in (tmp_path / f"{page}.html").read_text("utf-8"), page


def test_a_broken_link_fails_the_build(tmp_path: Path) -> None:
    """A link to a missing page or heading fails the build."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# A\n[b](b.md) [c](#c)\n")
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    text = re.sub(
        r"^(?:hooks|extra_css):.*\n",
        "",
        text.partition("\nnav:")[0],
        flags=re.MULTILINE,
    )
    (tmp_path / "mkdocs.yml").write_text(f"{text}\n")
    ended = build(tmp_path / "site", "--config-file", str(tmp_path / "mkdocs.yml"))

    assert ended.returncode
    assert "b.md" in ended.stderr
    assert "#c" in ended.stderr


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_of_commands_has_a_page(section: str) -> None:
    """The page of commands links a page for each section of the help, which shows it."""
    folder = ROOT / "docs" / "reference"
    name = f"commands-{section.lower().replace(' ', '-')}.md"

    assert f"]({name})" in (folder / "commands.md").read_text("utf-8")
    assert f"<!-- commands: {section} -->" in (folder / name).read_text("utf-8")
