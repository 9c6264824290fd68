"""Pages in a real browser: Chromium of the machine, driven by Playwright without a
download.
"""

import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, ROUGE_CLI

Make = Callable[..., Path]
Open = Callable[..., Any]

AXE = ROOT / "build" / "axe.min.js"
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)
WIDE, NARROW = 1440, 360
SCREENS = pytest.mark.parametrize(
    ("width", "scheme"), [*product([NARROW, WIDE], ["light", "dark"])]
)
HOSTILE = (
    "</script><script>window.hit=1</script>", "<img src=x onerror=window.hit=1>",
    "\x1b[31m red \x1b]0;title\x07", "\u202eevil\u202c \u2066mixed", "nul \x00 and \x7f \x9b2J",
    "{{ 7 * 7 }} {% raw %} ${1}", "' onmouseover='window.hit=1' \"",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and skip them without a browser."""
    here = str(Path(__file__).parent)
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="no Chromium on this machine"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Start the machine's Chromium, without a window."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="pip install 'rouge-cli[browser]'"
    )
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        yield running
        running.close()


@pytest.fixture(scope="session")
def make_page(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Run `rouge-cli report` and return its file."""
    folder = tmp_path_factory.mktemp("pages")

    def make(*arguments: str) -> Path:
        path = folder / f"{len(list(folder.iterdir()))}.html"
        program = ROUGE_CLI
        command = [program, "report", *arguments, "--quiet", "-o", str(path)]
        subprocess.run(
            command, cwd=ROOT, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"}
        )
        return path

    return make


@pytest.fixture(scope="session")
def records(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[list[dict[str, Any]]], str]:
    """Write records and return the path."""
    folder = tmp_path_factory.mktemp("records")

    def write(rows: list[dict[str, Any]]) -> str:
        path = folder / f"{len(list(folder.iterdir()))}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)

    return write


def fits(page: Any) -> bool:  # noqa: ANN401 - Playwright's
    """Return True if nothing makes the page scroll sideways."""
    return bool(
        page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    )


def violations(
    page: Any,  # noqa: ANN401
    within: str = "html",
    *,
    least: tuple[str, ...] = (),
) -> list[Any]:
    """Return what axe-core reports of a page, if `make test-browser` fetched it: each
    ID and its elements.

    least: the impacts to report, by default any.
    """
    if not AXE.exists():
        return []
    page.evaluate(AXE.read_text("utf-8"))
    return [
        (violation["id"], [node["html"][:200] for node in violation["nodes"][:3]])
        for violation in page.evaluate(f"axe.run('{within}')")["violations"]
        if not least or violation["impact"] in least
    ]


def run_of(
    systems: int, evals: int, count: int = 1, words: int = 40
) -> list[dict[str, Any]]:
    """Return records of systems that are the better the lower their number."""
    chance = random.Random(1)
    vocabulary = [f"w{number}" for number in range(500)]
    rows = []
    for eval_id in range(evals):
        text = [chance.choice(vocabulary) for _ in range(words)]
        references = [" ".join(chance.choices(text, k=words)) for _ in range(count)]
        for system in range(systems):
            share = 0.8 - 0.1 * system
            drawn = [
                word if chance.random() < share else chance.choice(vocabulary)
                for word in text
            ]
            prediction = (
                " ".join(drawn[: words // 2]) + "\n" + " ".join(drawn[words // 2 :])
            )
            record = {
                "id": f"e{eval_id}",
                "system": f"sys{system}",
                "prediction": prediction,
            }
            rows.append(
                {**record, "references": references, "article": " ".join(text * 3)}
            )
    return rows


@pytest.fixture(scope="session")
def page_of_run(
    make_page: Make, records: Callable[[list[dict[str, Any]]], str]
) -> Path:
    """Make a page with every section: 3 systems, 60 evals of which 40 show texts, 2
    references.
    """
    rows = run_of(3, 60, count=2)
    human = [
        {"eval": row["id"], "system": row["system"], "quality": place % 7}
        for place, row in enumerate(rows)
    ]
    options = (
        "-m",
        "R1,R2,RL",
        "--source",
        "article",
        "--evals",
        "40",
        "--trials",
        "1000",
    )
    return make_page(records(rows), "--human", records(human), *options)


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:  # noqa: ANN401 - Playwright's
    """Open a file, wait for its script, and check at the end that there was no error
    and no request.
    """
    opened = []

    def open_(
        path: Path,
        fragment: str = "",
        *,
        width: int = 1440,
        ready: bool = True,
        **options: object,
    ) -> Any:  # noqa: ANN401
        context = browser.new_context(
            viewport={"width": width, "height": 900}, **options
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        messages: list[str] = []
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on(
            "request",
            lambda request: (
                messages.append(request.url)
                if not request.url.startswith(path.as_uri())
                else None
            ),
        )
        page.goto(path.as_uri() + fragment)
        if ready:
            page.wait_for_selector("html[data-ready]")
        opened.append((context, page, messages))
        return page

    yield open_
    for context, page, messages in opened:
        assert page.evaluate("window.hit") is None
        context.close()
        assert [] == [
            message for message in messages if not message.startswith("data:")
        ]
