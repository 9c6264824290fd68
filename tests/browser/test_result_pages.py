"""The pages of `explain` and of `sweep`, and leaderboards of `campaign page`, in a
real browser.
"""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import (
    HOSTILE,
    SCREENS,
    Make,
    Open,
    fits,
    run_of,
    violations,
)
from tests.conftest import ROUGE_CLI


@pytest.fixture
def page_of_texts(tmp_path: Path) -> Path:
    """Make a page of two texts with all kinds of hostile content, and an endless
    word.
    """
    text = "\n".join([*HOSTILE, "x" * 20_000, "the cat"]).replace("\0", "")
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "b.txt").write_text(text + " the cat")
    command = ["explain", "a.txt", "b.txt", "-m", "R1,RL", "--quiet", "-o", "page.html"]
    subprocess.run([ROUGE_CLI, *command], cwd=tmp_path, check=True)
    return tmp_path / "page.html"


@pytest.fixture
def page_of_variants(
    tmp_path: Path, records: Callable[[list[dict[str, Any]]], str]
) -> Path:
    """Make a page of the 24 variants of a grid, for human scores with a hostile
    name.
    """
    rows = run_of(5, 12, count=2)
    (hostile, *_) = HOSTILE
    judged = [
        {
            "eval": row["id"],
            "system": row["system"],
            hostile: -int(row["system"][-1]) + place % 3,
        }
        for place, row in enumerate(rows)
    ]
    command = [
        "sweep",
        records(rows),
        "--human",
        records(judged),
        "--trials",
        "100",
        "--quiet",
    ]
    command += [
        "--grid",
        "metric=R1|RL,stem=yes|no,references=1|all,measure=r|p|f",
        "-o",
        "page.html",
    ]
    subprocess.run([ROUGE_CLI, *command], cwd=tmp_path, check=True)
    return tmp_path / "page.html"


@SCREENS
@pytest.mark.parametrize(
    ("made", "marked"),
    [("page_of_texts", ".side .t.c"), ("page_of_variants", "tr.better")],
)
def test_it_fits_and_is_accessible(
    made: str,
    marked: str,
    width: int,
    scheme: str,
    request: pytest.FixtureRequest,
    open_page: Open,
) -> None:
    """No script of a text runs, no request is sent, nothing scrolls sideways, and
    marks have a color.
    """
    page = open_page(
        request.getfixturevalue(made), width=width, ready=False, color_scheme=scheme
    )

    assert fits(page)
    assert 0 == page.locator("img, iframe").count()
    assert not page.evaluate("window.hit")
    background = "getComputedStyle(element).backgroundColor"
    assert "rgba(0, 0, 0, 0)" != page.locator(marked).first.evaluate(
        f"element => {background}"
    )
    assert [] == violations(page, least=("serious", "critical"))


def test_variants_are_sorted_by_any_column(
    page_of_variants: Path, open_page: Open
) -> None:
    """All variants are listed, folded, the best first; a click sorts them by a
    correlation, a second reverses.
    """
    page = open_page(page_of_variants, ready=False)
    rows = page.locator("details.all tbody tr")
    assert 24 == rows.count()
    assert not rows.first.is_visible()
    page.get_by_text("All 24 variants").click()
    heads = page.locator("details.all thead th").all_inner_texts()
    column = [head.strip() for head in heads].index("kendall")

    def kendalls() -> list[float]:
        return [float(row.locator("td").nth(column).inner_text()) for row in rows.all()]

    assert 24 == len(kendalls())
    for reverse in (True, False):
        page.locator("details.all").get_by_role("button", name="kendall").click()
        assert kendalls() == sorted(kendalls(), reverse=reverse)
    assert "yes" not in page.locator("tr.better td:last-child").all_inner_texts()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_sweep_opens_with_a_sentence_and_a_picture(
    width: int, page_of_variants: Path, open_page: Open
) -> None:
    """The best variant and the shares of the options come first, then each variant as
    a dot; the shares are of the whole spread.
    """
    page = open_page(page_of_variants, width=width, ready=False)
    headline = page.locator(".headline")
    assert headline.inner_text().startswith("The best of 24 variants has Pearson's r ")
    assert "% of the spread" in headline.inner_text()
    shares = page.locator(".spread").first.locator("td.number").all_inner_texts()
    values = [float(share.rstrip("%")) for share in shares]
    assert 4 == len(values)
    assert values == sorted(values, reverse=True)
    assert sum(values) <= 100.2
    assert 24 == page.locator(".spread").nth(1).locator("circle").count()
    tops = [
        page.locator(place).first.bounding_box()["y"]
        for place in (".headline", ".spread", "table.sortable")
    ]
    assert tops == sorted(tops)
    assert page.locator("table.sortable:visible tbody tr").count() <= 10


@SCREENS
def test_an_explanation_opens_with_both_texts(
    width: int,
    scheme: str,
    records: Callable[[list[dict[str, Any]]], str],
    tmp_path: Path,
    open_page: Open,
) -> None:
    """The title has the eval, the texts are side by side where there is room, and
    lists are folded.
    """
    command = ["explain", records(run_of(2, 3)), "--eval", "e1", "--system", "sys1"]
    command += ["-m", "R1,R2", "--quiet", "-o", "e.html"]
    subprocess.run([ROUGE_CLI, *command], cwd=tmp_path, check=True)
    page = open_page(tmp_path / "e.html", width=width, ready=False, color_scheme=scheme)
    assert "Explanation of eval e1, system sys1" == page.locator("h1").inner_text()
    assert page.title() == page.locator("h1").inner_text()
    sides = [side.bounding_box() for side in page.locator(".side").all()[:2]]
    assert (width > 1000) == (sides[0]["y"] == sides[1]["y"])
    assert not page.locator(".steps").first.is_visible()
    page.locator("summary").first.click()
    assert page.locator(".steps").first.is_visible()
    assert [] == violations(page)


@pytest.fixture
def leaderboard(
    make_page: Make, records: Callable[[list[dict[str, Any]]], str], tmp_path: Path
) -> Path:
    """Make a leaderboard of two languages; one of three teams took part in one."""
    for code, systems in (("el", 3), ("th", 2)):
        command = ["score", records(run_of(systems, 9)), "--per-eval", "--quiet"]
        subprocess.run(
            [ROUGE_CLI, *command, "-o", f"{code}.json"], cwd=tmp_path, check=True
        )
        make_page(str(tmp_path / f"{code}.json")).rename(tmp_path / f"{code}.html")
    (tmp_path / "zips").mkdir()
    (tmp_path / "zips" / "sys0.zip").write_text("")
    os.utime(tmp_path / "zips" / "sys0.zip", (1_800_000_000, 1_800_000_000))
    command = ["campaign", "page", "el.html", "th.html", "--submissions", "zips"]
    subprocess.run([ROUGE_CLI, *command, "-o", "all.html"], cwd=tmp_path, check=True)
    return tmp_path / "all.html"


@SCREENS
def test_a_leaderboard_is_a_table_that_links_to_reports(
    width: int, scheme: str, leaderboard: Path, open_page: Open
) -> None:
    """Teams have ranks by language, mean ranks with intervals, and dates; each language
    has a link to its report, and there are no frames.
    """
    page = open_page(leaderboard, width=width, ready=False, color_scheme=scheme)
    assert fits(page)
    assert 0 == page.locator("iframe").count()
    heads = page.locator("thead th").all_inner_texts()
    assert ["#", "Team", "Mean rank", "Greek", "Thai", "Date"] == heads
    rows = [
        [" ".join(cell.inner_text().split()) for cell in row.locator("td, th").all()]
        for row in page.locator("tbody tr").all()
    ]
    assert ["sys0", "sys1", "sys2"] == [row[1] for row in rows]
    assert ["1.00", "2.00", "3.00"] == [row[2].split(" ")[0] for row in rows]
    assert all("[" in row[2] for row in rows)
    assert ["#1", "#2", "#3"] == [row[3].split(" ")[0] for row in rows]
    assert "-" == rows[2][4]
    assert ["2027-01-15", "-", "-"] == [row[5] for row in rows]
    page.get_by_role("button", name="Team").click()
    page.get_by_role("button", name="Team").click()
    assert "sys2" == page.locator("tbody th").first.inner_text()
    assert [] == violations(page)
    links = page.locator("nav a").evaluate_all(
        "links => links.map(link => link.getAttribute('href'))"
    )
    assert ["el.html", "th.html"] == links
