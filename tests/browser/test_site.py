"""The documentation site in a browser, opened from a folder."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import SCREENS, fits, violations
from tests.meta.test_site import build

pytest.importorskip("material")
# A page of each kind: picture and cards, tabs, wide tables, options, docstrings, notes.
KINDS = (
    "index", "tutorials/first-score", "how-to/inputs", "how-to/significance", "reference/names",
    "reference/commands-score", "reference/python", "reference/quirks",
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder: Path = tmp_path_factory.mktemp("site")
    assert (
        0
        == build(folder, repository="https://example.org/somebody/rouge-cli").returncode
    )
    return folder


@pytest.mark.parametrize("width", [360, 1440])
def test_search_needs_no_server(width: int, site: Path, browser: Any) -> None:  # noqa: ANN401 - Playwright's
    """Search finds a page and leads to it, although browsers refuse workers to pages
    of a folder.
    """
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto((site / "index.html").as_uri())
    page.click(
        "label.md-header__button[for=__search]" if width < 900 else ".md-search__input"
    )
    page.keyboard.type("errno")
    page.click(".md-search-result__link >> nth=0")
    page.wait_for_url("**/reliability.html*")


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize(
    ("typed", "page_found", "address"),
    [
        ("--limit", "commands-score.html", "#score--limit"),
        ("--fail-under R2.F=0.4", "commands-score.html", "#score--fail-under"),
        ("huggingface", "migrate-from-python-packages.html", "#evaluate-hugging-face"),
        ("bleu", "other-metrics.html", ""),
    ],
)
def test_search_finds_options_and_names_as_they_are_typed(
    typed: str,
    page_found: str,
    address: str,
    width: int,
    site: Path,
    browser: Any,  # noqa: ANN401
) -> None:
    """An option with its hyphens leads to its row, other programs' names to their
    guides, and the console has no message.
    """
    page = browser.new_page(viewport={"width": width, "height": 900})
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto((site / "index.html").as_uri())
    page.click(
        "label.md-header__button[for=__search]" if width < 900 else ".md-search__input"
    )
    page.keyboard.type(typed)
    link = f".md-search-result__link[href*='{page_found}{address}']"
    page.wait_for_selector(link, state="attached")
    found = page.locator(link).first
    page.goto(found.evaluate("link => link.href"))
    if typed.startswith("-"):
        row = page.locator(address)
        assert typed.partition(" ")[0] in row.inner_text()
        assert row.evaluate(
            "row => row.getBoundingClientRect().top >="
            " document.querySelector('.md-header').getBoundingClientRect().bottom"
        )
    assert [] == messages


@SCREENS
@pytest.mark.parametrize("kind", KINDS)
def test_everybody_can_use_a_page(
    kind: str,
    width: int,
    scheme: str,
    site: Path,
    browser: Any,  # noqa: ANN401
) -> None:
    """Axe finds nothing: names, contrast, links that differ by more than colour, boxes
    that the keyboard scrolls.
    """
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    page.goto((site / f"{kind}.html").as_uri())

    assert [] == violations(page)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_everybody_can_use_every_page(
    width: int,
    scheme: str,
    site: Path,
    browser: Any,  # noqa: ANN401
) -> None:
    """Axe finds nothing on any page, as opened and with results of a search."""
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    # The 404 is served from the root only; the report page has tests of its own.
    paths = [
        path
        for path in sorted(site.rglob("*.html"))
        if path.name not in ("404.html", "demo.html")
    ]
    assert len(paths) > 40
    for path in paths:
        page.goto(path.as_uri())
        assert [] == violations(page), path
    page.click(
        "label.md-header__button[for=__search]" if width < 900 else ".md-search__input"
    )
    page.keyboard.type("--limit")
    page.wait_for_selector(".md-search-result__link")
    page.wait_for_timeout(500)  # until the box is open
    assert [] == violations(page)


def test_the_keyboard_scrolls_a_wide_table(site: Path, browser: Any) -> None:  # noqa: ANN401
    """A table that is wider than a phone has the focus and obeys the arrows."""
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.goto((site / "reference" / "benchmarks.html").as_uri())
    table = page.locator(".md-typeset__scrollwrap[tabindex]").first
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "[...document.querySelectorAll('.md-typeset__scrollwrap')].some(box =>"
        " box.scrollLeft > 0)"
    )


@SCREENS
def test_no_page_scrolls_sideways(
    width: int,
    scheme: str,
    site: Path,
    browser: Any,  # noqa: ANN401
) -> None:
    """Wide tables and reports scroll by themselves, and no script of a page fails."""
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    for path in sorted(site.rglob("*.html")):
        page.goto(path.as_uri())
        assert fits(page), path

    assert [] == errors


@SCREENS
def test_the_landing_page_leads_on(
    width: int,
    scheme: str,
    site: Path,
    browser: Any,  # noqa: ANN401
) -> None:
    """It has a picture of the demo page, which opens, four doors, and a link to the
    repository.
    """
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    page.goto((site / "index.html").as_uri())
    assert 4 == page.locator(".grid.cards > ul > li").count()
    assert (
        page.locator("a[title=Repository]")
        .get_attribute("href")
        .endswith("/somebody/rouge-cli")
    )
    letters = page.locator(".picture text").first
    assert letters.bounding_box()["height"] >= 12
    shade = letters.evaluate("text => getComputedStyle(text).fill")
    assert (int(re.findall(r"\d+", shade)[0]) > 128) == (scheme == "dark"), shade
    assert {"pip install", "import rouge_cli"} <= {
        start
        for start in ("pip install", "import rouge_cli")
        for block in page.locator("pre").all_text_contents()
        if start in block
    }
    page.click(".picture")
    page.wait_for_selector("html[data-ready]")
    assert page.inner_text("h1") == "Five systems, 40 stories"
    assert page.locator(".headline:visible").inner_text().startswith("extract leads")
    page.go_back()
    page.locator(".md-footer__link--next").click()
    page.wait_for_selector("h1:has-text('Your first score')")
    if width > 1000:  # other sections are folded
        links = page.locator(".md-nav--primary .md-nav__link:visible").all_inner_texts()
        assert "A table for a paper" in links
        assert "Signature" not in links


def test_blocks_have_tabs_and_copy_their_commands(site: Path, browser: Any) -> None:  # noqa: ANN401
    """The copy button leaves out prompts and output; a choice of Python holds for
    all tabs of the page.
    """
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto((site / "tutorials" / "first-score.html").as_uri())
    blocks = page.locator(".tabbed-block:visible pre")
    assert 2 == blocks.count()
    page.wait_for_selector("[data-clipboard-target]", state="attached")
    blocks.nth(1).locator("[data-clipboard-target]").click(force=True)
    page.wait_for_function(
        "navigator.clipboard.readText().then(text => text.startsWith('rouge-cli"
        " explain'))"
    )
    assert page.evaluate("navigator.clipboard.readText()").endswith(
        "'The cat sat on the red mat.' -m ROUGE-2"
    )
    page.locator(".tabbed-labels label", has_text="Python").first.click()
    page.wait_for_function(
        "document.querySelectorAll('.tabbed-block pre').length === 4"
    )
    assert all("import rouge_cli" in text for text in blocks.all_inner_texts())
    context.close()
