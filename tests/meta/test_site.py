"""The documentation site needs no network, and its build fails for a broken link."""

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import click
import pytest

from rouge_cli.cli import main
from rouge_cli.cli.main import SECTIONS
from rouge_cli.cli.option_groups import option_sections
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
        ("reference/commands-score", 'id="score--fail-under"'),
        ("404", 'role="dialog" aria-label="Search"'),
        ("reference/commands", 'href="commands-score.html#rouge-cli-score"'),
        ("search/search_index.json", "rouge-cli score --limit N"),
        ("demo", "extract"),
        ("reference/python", "score_rows"),
        ("reference/metrics", "section 2"),
        ("reference/drop-in", "-2"),
        ("reference/extras", "rouge-cli[report]"),
        ("reference/quirks", "Word lists without a folder"),
    ):
        name = page if page.endswith(".json") else f"{page}.html"
        assert text in (tmp_path / name).read_text("utf-8"), page


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


def _with_inner(context: click.Context) -> Iterator[click.Context]:
    """Yield a command, and the commands of a command such as `campaign`."""
    yield context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            inner = context.command.get_command(context, name)
            assert inner is not None
            yield click.Context(inner, info_name=name, parent=context)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_option_is_a_row_in_the_group_of_its_help(section: str) -> None:
    """A page of commands has each option once, below the title that it has in
    `--help`, with an address of its own.
    """
    page = runpy.run_path(str(ROOT / "docs" / "command_pages.py"))["commands"](section)
    groups = re.split(r"^#{3,4} .*\{ #(\S+) \}$", page, flags=re.MULTILINE)
    shown = {
        (heading, unescape(code), unescape(text))
        for heading, rows in zip(groups[1::2], groups[2::2], strict=True)
        for code, text in re.findall(
            r"<code>([^<]+)</code></a></td><td>(.*?)</td></tr>", rows
        )
    }
    outer = click.Context(main.group, info_name="rouge-cli")
    expected = set()
    for name in main.sections()[section]:
        command = main.group.get_command(outer, name)
        assert command is not None
        for context in _with_inner(
            click.Context(command, info_name=name, parent=outer)
        ):
            titled = option_sections(context.command, context).items()
            for title, options in titled:
                heading = f"{context.command_path} {title}".lower().replace(" ", "-")
                for option in options:
                    record = option.get_help_record(context)
                    assert record is not None
                    text = re.sub("`([^`]+)`", r"<code>\1</code>", record[1])
                    if "--help" not in option.opts:
                        expected.add((heading, record[0], text))
    addresses = re.findall('<tr id="([^"]+)"', page)

    assert expected == shown
    assert sorted(set(addresses)) == sorted(addresses)
    assert len(addresses) == len(expected)
