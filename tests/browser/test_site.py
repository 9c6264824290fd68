"""The documentation site in a browser, opened from a folder."""

from pathlib import Path
from typing import Any

import pytest

from tests.meta.test_site import build

pytest.importorskip("material")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder: Path = tmp_path_factory.mktemp("site")
    assert 0 == build(folder).returncode
    return folder


@pytest.mark.parametrize("width", [360, 1440])
def test_search_needs_no_server(width: int, site: Path, browser: Any) -> None:  # noqa: ANN401 - Playwright's
    """Search finds a page and leads to it, although browsers refuse workers to pages of a folder."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto((site / "index.html").as_uri())
    page.click("label.md-header__button[for=__search]" if width < 900 else ".md-search__input")
    page.keyboard.type("errno")
    page.click(".md-search-result__link >> nth=0")
    page.wait_for_url("**/reliability.html*")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_no_page_scrolls_sideways(width: int, scheme: str, site: Path, browser: Any) -> None:  # noqa: ANN401
    """Wide tables and reports scroll by themselves, and no script of a page fails."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    for path in sorted(site.rglob("*/*.html")):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path

    assert [] == errors
