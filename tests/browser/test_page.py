"""The page of `rouge-cli report` in a browser: every interaction, narrow and wide,
light and dark.
"""

import re
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.core import ignore_notice
from tests.browser.conftest import (
    HOSTILE,
    NARROW,
    SCREENS,
    WIDE,
    Make,
    Open,
    fits,
    run_of,
    violations,
)


def rows(page: Any) -> list[str]:  # noqa: ANN401
    """Return the evals in the list, from the top."""
    options = page.locator("#list [role=option]").evaluate_all(
        "rows => rows.sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))"
        ".map(row => row.firstChild.textContent)"
    )
    return [str(option) for option in options]


def visible_panel(page: Any, section: str) -> Any:  # noqa: ANN401
    """Return the visible panel of the section; the ranking is by all metrics."""
    place = "" if section == "ranking" else "[data-place]"
    return page.locator(
        f"section[aria-labelledby={section}] div.panel{place}:visible:not(.panel *)"
    )


def unfold(page: Any) -> None:  # noqa: ANN401
    """Open all sections, which are folded on a narrow screen."""
    page.evaluate(
        "document.querySelectorAll('details').forEach(details => { details.open ="
        " true; })"
    )


def is_open(page: Any, title: str) -> bool:  # noqa: ANN401
    """Return True if the eval with the title is open."""
    return bool(page.locator("#eval h3").all_inner_texts() == [title])


def wait_until(page: Any, is_true: Callable[[], bool]) -> None:  # noqa: ANN401
    """Wait for a condition; the page's policy forbids the expressions that
    Playwright itself would poll.
    """
    for _ in range(100):
        if is_true():
            return
        page.wait_for_timeout(50)
    pytest.fail("the page did not change within 5 seconds")


def test_a_notebook_opens_the_page(open_page: Open, tmp_path: Path) -> None:
    """What a notebook shows of `rouge_cli.report` is the page, whose tables sort and
    whose evals open.
    """
    texts = {"a": ["the cat sat", "a dog"], "b": ["the cat", "a fox"]}
    html = rouge_cli.report(
        texts, ["the cat sat", "a dog"], "R1", trials=99, notify=ignore_notice
    )
    (tmp_path / "notebook.html").write_text(
        f"<!DOCTYPE html><body>{html._repr_html_()}"
    )
    page = open_page(tmp_path / "notebook.html", ready=False)
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready]").wait_for()
    frame.locator("#list [role=option]").first.click()

    assert "ROUGE report" == frame.locator("h1").inner_text()
    assert 1 == frame.locator("#eval h3").count()
    ranking = visible_panel(frame, "ranking")
    ranking.locator("thead button").first.click()
    assert ["a", "b"] == ranking.locator("tbody th").all_inner_texts()


def test_a_table_sorts_by_its_heads(page_of_run: Path, open_page: Open) -> None:
    """A click on a header sorts by it, a second click reverses the order, and both
    are announced.
    """
    page = open_page(page_of_run)
    table = visible_panel(page, "ranking").locator("table")
    names = table.locator("tbody th")
    table.locator("thead th", has_text="System").locator("button").click()
    assert ["sys0", "sys1", "sys2"] == names.all_inner_texts()
    table.locator("thead th", has_text="System").locator("button").click()
    assert ["sys2", "sys1", "sys0"] == names.all_inner_texts()
    assert "descending" == table.locator("thead th", has_text="System").get_attribute(
        "aria-sort"
    )


def test_metric_and_figure_switch_every_section(
    page_of_run: Path, open_page: Open
) -> None:
    """One panel of each section is shown: that of the selected metric and figure."""
    page = open_page(page_of_run)
    page.select_option("#label", "1")
    page.locator(".segments span", has_text="Recall").click()
    for section in ("ranking", "pairs", "buckets", "references"):
        panel = visible_panel(page, section)
        assert 1 == panel.count(), section
        assert "R" == panel.get_attribute("data-figure")
        if section != "ranking":
            assert "1" == panel.get_attribute("data-place")
    plots = visible_panel(page, "ranking").locator("th .panel:visible")
    assert ["R-2"] == plots.locator(".of").all_inner_texts()
    assert "ROUGE-2 R" in page.locator("#scatter-figure figcaption").inner_text()


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("latex", "% signature"),
        ("csv", "system,metric"),
        (
            "markdown",
            "ROUGE F, averages over 60 evals (topics or documents); best in bold.\n\n| # | system |",
        ),
        ("signature", "dialect:"),
    ],
)
def test_buttons_copy_the_table_and_the_signature(
    name: str, start: str, page_of_run: Path, open_page: Open
) -> None:
    """Buttons copy the table in the form that `score` writes, and the signature."""
    page = open_page(page_of_run)
    page.locator("nav a", has_text="How it was made").click()
    page.locator(f"button[data-copy={name}]").click()
    page.wait_for_selector(f"[data-copy={name}]:text-is('Copied')")

    assert page.evaluate("navigator.clipboard.readText()").lstrip().startswith(start)


def test_a_pair_opens_its_distribution(page_of_run: Path, open_page: Open) -> None:
    """A cell of the matrix shows the difference of the table below it, and links to
    the evals.
    """
    page = open_page(page_of_run)
    panel = visible_panel(page, "pairs")
    page.locator("#matrix button[data-pair='0 1']").click()
    panel.locator("summary").click()
    row = panel.locator(
        "table.sortable tbody tr", has=page.locator("th", has_text="sys0")
    ).first
    difference = row.locator("td").nth(2)

    assert difference.inner_text() in page.locator("#pair").inner_text()
    assert page.locator("#pair rect").count() > 3
    page.locator("#pair button").click()
    assert ("0", "1") == (page.input_value("#one"), page.input_value("#two"))


def test_evals_are_ordered_and_found(page_of_run: Path, open_page: Open) -> None:
    """The list is sorted by the selected key, reversed, and filtered to evals with a
    word.
    """
    page = open_page(page_of_run)
    assert "60 of 60 evals" == page.inner_text("#chosen")
    scores = []
    for order in ("one", "place"):
        page.select_option("#order", order)
        scores.append(rows(page))
    assert ["e0", "e1", "e2"] == scores[1][:3]
    assert scores[0] != scores[1]
    page.check("#reverse")
    assert "e59" == rows(page)[0]
    page.fill("#search", "e17")
    page.wait_for_selector("#chosen:text-matches('^1 of')")
    assert ["e17"] == rows(page)
    page.fill("#search", "w10")
    page.wait_for_selector("#chosen:not(:text-matches('^1 of'))")
    assert 0 < int(page.inner_text("#chosen").split()[0]) < 60
    page.click("#all")
    assert "60 of 60 evals" == page.inner_text("#chosen")


def test_the_list_is_virtual_and_obeys_keys(page_of_run: Path, open_page: Open) -> None:
    """Arrows move through all evals, of which only the visible ones are in the page;
    Enter opens one.
    """
    page = open_page(page_of_run)
    page.select_option("#order", "place")
    assert page.locator("#list [role=option]").count() < 40
    page.focus("#list")
    page.keyboard.press("End")
    assert "e59" == page.locator("#list [aria-selected=true] span").first.inner_text()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    selected = page.locator("#list [aria-selected=true]")
    assert "e1" == selected.locator("span").first.inner_text()
    assert selected.get_attribute("id") == page.get_attribute(
        "#list", "aria-activedescendant"
    )
    page.keyboard.press("Enter")
    page.wait_for_selector("#eval h3:has-text('e1')")
    assert page.url.endswith("#order=place&eval=e1")


def test_dragging_in_the_scatter_chooses_evals(
    page_of_run: Path, open_page: Open
) -> None:
    """A rectangle filters the list, and Escape resets it; a bar of the histogram
    filters it too.
    """
    page = open_page(page_of_run)
    page.locator("#scatter").scroll_into_view_if_needed()
    box = page.locator("#scatter").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] - 45, steps=4)
    page.mouse.up()
    assert 0 < int(page.inner_text("#chosen").split()[0]) < 60
    page.focus("#scatter")
    page.keyboard.press("Escape")
    assert "60 of 60 evals" == page.inner_text("#chosen")
    page.locator("#histogram rect").first.click()
    assert 0 < int(page.inner_text("#chosen").split()[0]) < 60


def test_the_scatter_is_brushed_by_keyboard(page_of_run: Path, open_page: Open) -> None:
    """Shift and arrows select the evals of a rectangle and announce their number;
    Escape resets it.
    """
    page = open_page(page_of_run)
    page.focus("#scatter")
    blank = page.locator("#scatter").screenshot()
    page.keyboard.press("ArrowLeft")
    assert blank != page.locator("#scatter").screenshot()
    assert page.inner_text("#chosen").startswith("60 of 60 evals; cross at 0.")
    for key in ["ArrowRight"] * 12 + ["ArrowUp"] * 12:
        page.keyboard.press(f"Shift+{key}")
    chosen = int(page.inner_text("#chosen").split()[0])
    assert 0 < chosen < 60
    ends = [
        float(end)
        for end in page.inner_text("#chosen").partition("cross at ")[2].split(" and ")
    ]
    scores = page.locator("#list [role=option]").evaluate_all(
        "rows => rows.map(row => [row.children[2].textContent,"
        " row.children[3].textContent])"
    )
    assert scores
    assert all(
        float(score) <= end + 1e-5
        for pair in scores
        for score, end in zip(pair, ends, strict=True)
    )
    for key in ["ArrowRight"] * 60 + ["ArrowUp"] * 60:  # the ends of the axes hold
        page.keyboard.press(f"Shift+{key}")
    assert chosen < int(page.inner_text("#chosen").split()[0])
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#chosen").startswith("60 of 60 evals")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Escape")
    assert "60 of 60 evals" == page.inner_text("#chosen")


def test_a_link_opens_an_eval(page_of_run: Path, open_page: Open) -> None:
    """`#eval=` shows its texts side by side, and distinguishes matching words from
    clipped ones.
    """
    page = open_page(page_of_run)
    shown = page.evaluate(
        "(() => { const data ="
        " JSON.parse(document.getElementById('data').textContent);const other ="
        " data.evals.find((_, place) => !data.texts.flat().includes(place));return"
        " [data.evals[data.texts[0][3]], other]; })()"
    )
    with_texts, without = shown
    page = open_page(page_of_run, f"#eval={with_texts}")
    page.wait_for_selector("#eval .side.prediction")
    assert 1 == page.locator("#eval .side.source").count()
    assert 2 == page.locator("#eval .side.prediction").count()
    for kind in ("c", "x"):
        assert page.locator(f"#eval .sides .t.{kind}").count() > 0
    assert (
        "recall = match / reference" in page.locator("#eval .steps").first.inner_text()
    )
    assert "(google)" in page.locator("#eval .sides").inner_text()
    page.evaluate(f"location.hash = '#eval={without}'")
    page.wait_for_selector("#eval p:has-text('does not contain the texts')")


def test_pointing_at_a_word_lights_it_on_both_sides(
    page_of_run: Path, open_page: Open
) -> None:
    """Under ROUGE-2 two words are highlighted on either side, and under ROUGE-L the
    path is shown.
    """
    page = open_page(page_of_run)
    page.locator("#list [role=option].texts").first.click()
    page.wait_for_selector("#eval .side.prediction")
    for label, least in (("ROUGE-1", 1), ("ROUGE-2", 2)):
        page.locator("#eval .chips button", has_text=label).click()
        page.locator("#eval .side.prediction.chosen .t.c").first.hover()
        for side in (".reference", ".prediction.chosen"):
            assert page.locator(f"#eval .side{side} .lit").count() >= least, (
                label,
                side,
            )
    assert not page.locator("#lcs").count()
    page.locator("#eval .chips button", has_text="ROUGE-L").click()
    assert "\u2192" in page.inner_text("#lcs")
    page.locator("#eval .chips[aria-label=Reference] button").nth(1).click()
    assert "Reference 2" in page.locator("#eval .side.reference h4").inner_text()
    page.locator("#eval .chips[aria-label=Systems] button", has_text="sys2").click()
    assert 3 == page.locator("#eval .side.prediction").count()


def test_other_dialects_light_words_up(
    make_page: Make, records: Callable[..., str], open_page: Open
) -> None:
    """Under Google's labels words are marked, two are highlighted under rouge2, and
    rougeL has its path.
    """
    page = open_page(
        make_page(records(run_of(2, 4)), "--dialect", "google", "--trials", "100"),
        "#eval=e1",
    )
    page.wait_for_selector("#eval .side.prediction .t.c")
    page.locator("#eval .chips button", has_text="rouge2").click()
    page.locator("#eval .side.prediction.chosen .t.c").first.hover()
    assert page.locator("#eval .side.reference .lit").count() >= 2
    page.locator("#eval .chips button", has_text=re.compile("^rougeL$")).click()
    assert "\u2192" in page.inner_text("#lcs")


def test_words_lead_to_their_evals(page_of_run: Path, open_page: Open) -> None:
    """Units that only one system matches are listed for any pair, each with links to
    its evals.
    """
    page = open_page(page_of_run)
    page.select_option("#units-one", "2")
    page.select_option("#units-two", "0")
    link = page.locator("#units-live a").first
    name = link.inner_text()
    link.click()
    page.wait_for_selector(f"#eval h3:has-text('{name}')")


@SCREENS
def test_it_fits_and_is_accessible(
    width: int, scheme: str, page_of_run: Path, open_page: Open
) -> None:
    """In either scheme nothing scrolls sideways, and axe finds nothing, with an eval
    and a pair open.
    """
    page = open_page(page_of_run, width=width, color_scheme=scheme)
    assert fits(page)
    unfold(page)
    page.locator("#list [role=option].texts").first.click()
    page.wait_for_selector("#eval .side.prediction")
    page.locator("#matrix button[data-pair]").first.click()
    assert fits(page)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (scheme == "light") == (paper == "rgb(255, 255, 255)")
    unfold(page)
    assert [] == violations(page)


def test_tables_are_there_without_javascript(
    page_of_run: Path, open_page: Open
) -> None:
    """Without JavaScript every table of the selected figure is readable, without
    inactive controls.
    """
    page = open_page(page_of_run, ready=False, java_script_enabled=False)
    for section in ("ranking", "pairs", "buckets", "references"):
        panels = 1 if section == "ranking" else 3
        assert panels == visible_panel(page, section).count(), section
    assert 3 == page.locator("table.ranking:visible th[data-label]").count()
    for name in ("ranking", "pairs", "units", "buckets", "human", "references"):
        assert page.locator(f"#{name}").is_visible(), name
    assert not page.locator("#label").is_visible()
    assert not page.locator("#list").is_visible()
    assert fits(page)


def test_hostile_texts_do_nothing(
    make_page: Make, records: Callable[..., str], open_page: Open
) -> None:
    """Markup, control codes and endless words in every field are plain text."""
    long = "x" * 1_000_000
    evals = [*HOSTILE, long]
    lines = [
        {"id": eval_id, "system": system, "prediction": f"{eval_id} {system}\nthe cat",
         "references": [f"{system} is", f"the cat {eval_id}"], "article": f"{eval_id} {HOSTILE[0]}"}
        for eval_id in evals
        for system in (*HOSTILE[:4], long[:5000])
    ]  # fmt: skip
    for line in lines:  # the references of an eval are the same for all systems
        line["references"] = lines[evals.index(str(line["id"])) * 5]["references"]
    human = [
        {"eval": line["id"], "system": line["system"], HOSTILE[1]: place % 5}
        for place, line in enumerate(lines)
    ]
    path = make_page(
        records(lines), "--source", "article", "--human", records(human), "--title",
        "".join(HOSTILE).replace("\0", ""), "--trials", "200",
    )  # fmt: skip
    for width in (NARROW, WIDE):
        page = open_page(path, width=width)
        assert fits(page)
        unfold(page)
        for number in range(len(evals)):
            page.locator("#list [role=option]").nth(number).click()
            page.wait_for_selector("#eval .side.prediction")
            assert fits(page), evals[number][:40]
            page.locator("#eval .t").first.hover()
        page.locator("#matrix button[data-pair]").first.click()
        page.fill("#search", HOSTILE[1])
        page.wait_for_timeout(300)
        assert fits(page)
        assert 0 == page.locator("img, iframe, object, embed").count()
        assert 2 == page.locator("script").count()
    assert path.stat().st_size < 12_000_000


def test_texts_run_in_their_own_direction(
    make_page: Make, records: Callable[..., str], open_page: Open
) -> None:
    """Arabic is aligned to the right, English beside it to the left."""
    lines = [
        {
            "id": "1", "system": system, "prediction": text,
            "reference": "\u0642\u0637\u0629 \u0639\u0644\u0649 \u0627\u0644\u0633\u0631\u064a\u0631",
        }
        for system, text in (("a", "\u0642\u0637\u0629 \u0639\u0644\u0649"), ("b", "a cat on"))
    ]  # fmt: skip
    page = open_page(make_page(records(lines), "--tokenizer", "unicode"), "#eval=1")
    page.wait_for_selector("#eval .side.prediction")
    directions = page.locator("#eval .side p[dir]").evaluate_all(
        "lines => lines.map(line => getComputedStyle(line).direction)"
    )

    assert ["rtl", "rtl", "ltr"] == directions
    assert page.locator("#eval .t.c").count() > 0


def test_it_prints(page_of_run: Path, open_page: Open) -> None:
    """A printed page has tables and no controls."""
    page = open_page(page_of_run)
    page.emulate_media(media="print")

    assert not page.locator("#label").is_visible()
    ranking = visible_panel(page, "ranking")
    assert ranking.locator("h3").is_visible()
    assert ranking.locator("thead button").first.is_visible()


def test_pages_are_small_and_open_at_once(
    make_page: Make, records: Callable[..., str], open_page: Open
) -> None:
    """12 systems x 100 evals take less than 5 MB, 3 x 11,490 less than 15 MB; each
    opens in a second.
    """
    many = make_page(
        records(run_of(12, 100)),
        "-m",
        "R1,R2,RL",
        "--source",
        "article",
        "--trials",
        "200",
    )
    long = make_page(
        records(run_of(3, 11_490)),
        "-m",
        "R1,R2,RL",
        "--trials",
        "200",
        "--samples",
        "0",
    )
    for path, most in ((many, 5_000_000), (long, 15_000_000)):
        assert path.stat().st_size < most
        seconds = []
        for _ in range(3):
            start = time.monotonic()
            page = open_page(path)
            seconds.append(time.monotonic() - start)
        assert min(seconds) < 1, seconds
    assert "11490 of 11490 evals" == page.inner_text("#chosen")
    start = time.monotonic()
    page.select_option("#label", "2")
    assert time.monotonic() - start < 2


def test_it_opens_with_the_result(page_of_run: Path, open_page: Open) -> None:
    """A sentence names the leader, then one table has all metrics with intervals; how
    it was made is folded at the end.
    """
    page = open_page(page_of_run)
    headline = page.locator(".headline:visible")
    assert headline.inner_text().startswith("sys0 leads at ")
    assert "significantly better than both others" in headline.inner_text()
    table = page.locator("section[aria-labelledby=ranking] table:visible")
    assert ["#", "System", "R-1", "R-2", "R-L"] == table.locator(
        "thead th:not(.plot)"
    ).all_inner_texts()
    shown = table.locator("tbody tr").first.locator(".interval").all_inner_texts()
    assert 3 == len(shown)
    assert all(re.fullmatch(r"\[\d+\.\d\d, \d+\.\d\d\]", text) for text in shown)
    assert ["a", "a", "a"] == table.locator("tbody tr").first.locator(
        ".mark"
    ).all_inner_texts()
    table.locator("thead button", has_text="R-2").click()
    table.locator("thead button", has_text="R-2").click()
    assert "sys2" == table.locator("tbody th").first.inner_text()
    assert headline.bounding_box()["y"] + headline.bounding_box()["height"] < 300
    assert not page.locator("#signature").is_visible()
    assert "made" == page.locator("main > section").last.get_attribute(
        "aria-labelledby"
    )


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_the_list_has_the_beginning_of_each_text(
    width: int, page_of_run: Path, open_page: Open
) -> None:
    """Evals without texts in the file have the beginning of their reference, too, in
    even rows.
    """
    page = open_page(page_of_run, "#order=place", width=width)
    unfold(page)
    options = page.locator("#list [role=option]")
    texts = options.locator(".start").all_inner_texts()
    assert len(texts) > 8
    assert all(re.match(r"w\d+ w\d+ w\d+", text) for text in texts)
    boxes = options.locator(".start").evaluate_all(
        "rows => rows.map(row => row.getBoundingClientRect().top)"
    )
    gaps = {round(second - first) for first, second in pairwise(boxes)}
    assert gaps == {48 if width == NARROW else 30}
    assert {"none"} != {
        *options.locator(".start").evaluate_all(
            "rows => rows.map(row => getComputedStyle(row).display)"
        )
    }


def state_of(page: Any) -> list[Any]:  # noqa: ANN401
    """Return what the page shows."""
    values = [
        page.input_value(f"#{name}")
        for name in ("label", "one", "two", "units-one", "units-two")
    ]
    values += [
        page.input_value("#correction"),
        page.locator("input[name=figure]:checked").input_value(),
    ]
    shown = [
        page.locator(place).inner_text()
        for place in ("#pair h3", "#chosen", "#eval h3")
    ]
    return [*values, *shown, rows(page), page.is_checked("#stop")]


def test_a_link_shows_what_its_sender_saw(page_of_run: Path, open_page: Open) -> None:
    """The address keeps metric, measure, pair, correction, brush, order and eval,
    and history goes back.
    """
    page = open_page(page_of_run)
    page.select_option("#label", "1")
    page.locator(".segments span", has_text="Recall").click()
    page.select_option("#correction", "own")
    page.locator("#matrix button[data-pair='0 2']").click()
    assert ["0", "2"] == [
        page.input_value(f"#{name}") for name in ("units-one", "units-two")
    ]
    assert ["0", "2"] == [page.input_value(f"#{name}") for name in ("one", "two")]
    assert "corrected over 3 comparisons" in page.inner_text("#pair")
    page.check("#stop")
    page.focus("#scatter")
    for key in (
        ["ArrowLeft"] * 20
        + ["ArrowDown"] * 24
        + ["Shift+ArrowRight"] * 30
        + ["Shift+ArrowUp"] * 60
    ):
        page.keyboard.press(key)
    page.select_option("#order", "one")
    assert 0 < int(page.inner_text("#chosen").split()[0]) < 60
    page.locator("#list [role=option]").nth(1).click()
    page.wait_for_selector("#eval h3")
    first = page.inner_text("#eval h3")
    seen, link = state_of(page), page.evaluate("location.hash")
    assert seen == state_of(open_page(page_of_run, link))
    page.keyboard.press("j")
    wait_until(page, lambda: not is_open(page, first))
    page.go_back()
    wait_until(page, lambda: is_open(page, first))
    assert seen == state_of(page)
    page.locator("nav a", has_text="Buckets").click()
    assert link == page.evaluate("location.hash")


def test_letters_and_arrows_go_through_evals(
    page_of_run: Path, open_page: Open
) -> None:
    """The letters j and k go through evals, arrows too if one is open; not while a
    word is typed.
    """
    page = open_page(page_of_run, "#order=place")
    for key, name in (
        ("j", "e0"),
        ("j", "e1"),
        ("ArrowRight", "e2"),
        ("ArrowLeft", "e1"),
        ("k", "e0"),
    ):
        page.keyboard.press(key)
        wait_until(page, partial(is_open, page, f"Eval {name}"))
    page.focus("#search")
    page.keyboard.type("j")
    assert "j" == page.input_value("#search")
    assert "Eval e0" == page.inner_text("#eval h3")


@pytest.fixture(scope="module")
def page_of_words(
    make_page: Make,
    records: Callable[..., str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Make a page of two systems with sources, stop words, a third metric, and
    references by system.
    """
    rows: list[dict[str, Any]] = []
    for number in range(8):
        reference = (
            f"the minister said in the house that taxes will rise by {number} percent"
        )
        source = (
            "In parliament, the minister said that all taxes will rise soon.\nBy"
            f" {number} percent."
        )
        for system, text in (
            ("plain", f"the minister said in the house that rates climb {number}"),
            (
                "other",
                (
                    "minister said that all taxes will rise"
                    f" {'a lot' if number % 2 else 'soon'}"
                ),
            ),
        ):
            own = (
                reference.replace("percent", "per cent")
                if system == "other" and number < 3
                else reference
            )
            row = {
                "id": f"e{number}",
                "system": system,
                "prediction": text,
                "reference": own,
            }
            rows.append({**row, "article": source})
    scores = [
        f"{row['id']},{row['system']},chrF,{0.4 + len(row['prediction']) / 200}"
        for row in rows
    ]
    saved = tmp_path_factory.mktemp("scores") / "scores.csv"
    saved.write_text("\n".join(["eval,system,metric,f", *scores]))
    options = (
        "-m",
        "R1,R2",
        "--source",
        "article",
        "--scores",
        str(saved),
        "--trials",
        "200",
    )
    return make_page(records(rows), *options)


def test_stop_words_are_left_out_unless_wanted(
    page_of_words: Path, open_page: Open
) -> None:
    """Units of stop words alone do not lead the list of units until a switch adds
    them.
    """
    page = open_page(page_of_words, "#metric=ROUGE-2&one=plain&two=other")
    words = page.locator("#units-live b")
    assert "in the" not in words.all_inner_texts()
    assert "the minister" in words.all_inner_texts()
    page.check("#stop")
    assert "in the" in words.all_inner_texts()


def test_the_source_shows_what_was_copied(page_of_words: Path, open_page: Open) -> None:
    """In the source, words that the chosen system copied in a row are marked, in
    predictions new words.
    """
    page = open_page(page_of_words, "#one=other&two=plain&eval=e3", width=1280)
    page.wait_for_selector("#eval .source mark")
    assert ["minister said that all taxes will rise"] == page.locator(
        ".source .text mark"
    ).all_inner_texts()
    novel = page.locator(".side.prediction").nth(1).locator(".novel").all_inner_texts()
    assert ["house", "rates", "climb"] == [
        word for word in novel if word not in ("in", "the")
    ]
    page.locator("button", has_text="Mark the reference by this system").click()
    page.wait_for_selector("#eval .source .note:has-text('plain')")
    assert ["the minister said"] == page.locator(".source .text mark").all_inner_texts()
    tops = page.locator("#eval .side").evaluate_all(
        "sides => sides.map(side => side.getBoundingClientRect().top)"
    )
    assert 4 == len(tops)
    assert 1 == len({*tops})  # beside each other


def test_other_metrics_and_references_by_system(
    page_of_words: Path, open_page: Open
) -> None:
    """A metric with F alone offers no recall; a system is shown beside its own
    references.
    """
    page = open_page(
        page_of_words, "#metric=chrF&measure=R&eval=e1&one=plain&two=other"
    )
    page.wait_for_selector("#eval .side.prediction")
    assert "chrF F" in page.locator("#scatter-figure figcaption").inner_text()
    assert page.locator("input[name=figure][value=R]").is_disabled()
    assert "1 percent" in page.inner_text("#eval .side.reference .text")
    page.locator("button", has_text="Mark the reference by this system").click()
    page.wait_for_selector("#eval .side.reference .text:has-text('per cent')")
    assert "references differ by system" in page.inner_text("#eval .side.reference")


def test_numbers_and_orders(page_of_run: Path, open_page: Open) -> None:
    """No number is -0.0; buckets and rankings by references have the order of the
    ranking.
    """
    page = open_page(page_of_run)
    page.evaluate(
        "document.querySelectorAll('details').forEach(details => { details.open ="
        " true; })"
    )
    assert [] == re.findall(r".*-0\.0+\b.*", page.inner_text("main"))
    for section in ("buckets", "references"):
        names = (
            visible_panel(page, section)
            .locator("table")
            .first.locator("tbody th")
            .all_inner_texts()
        )
        assert ["sys0", "sys1", "sys2"] == names[:3]


def test_the_copied_latex_is_the_table_of_compare(
    page_of_run: Path, open_page: Open
) -> None:
    """It has the marks and the caption of compare, of the metric alone if that is
    how p is corrected.
    """
    page = open_page(page_of_run)
    for correction, text, columns in (
        ("all", "over 9 comparisons", 3),
        ("own", "over 3 comparisons", 1),
    ):
        page.select_option("#correction", correction)
        page.locator("button[data-copy=latex]").click()
        wait_until(
            page, lambda: "tabular" in page.evaluate("navigator.clipboard.readText()")
        )
        table = page.evaluate("navigator.clipboard.readText()")
        assert text in table.replace(r"\allowbreak{}", "")
        assert columns == table.count("R-")
        assert (
            text.split()[1]
            in page.locator("section[aria-labelledby=ranking] .note").first.inner_text()
        )


@pytest.fixture(scope="module")
def page_of_twelve(make_page: Make, records: Callable[..., str]) -> Path:
    """Make a page of twelve systems with hyphens in their names, counted by stems."""
    rows = run_of(12, 30)
    for row in rows:
        row["system"] = f"seq2seq-{row['system']}-large"
        row["id"] = f"news-2023-{row['id']}"
        number = int(row["id"].rpartition("e")[2])
        row["references"] = [f"{row['references'][0]} economies"]
        if row["system"] == "seq2seq-sys0-large":
            row["prediction"] += " economies" if number else " economy"
    return make_page(
        records(rows), "-m", "R1,R2,RL", "--stem", "--source", "article",
        "--trials", "200",
    )  # fmt: skip


@pytest.mark.parametrize("width", [1280, WIDE])
def test_the_picture_is_in_the_rows_of_the_only_table(
    width: int, page_of_twelve: Path, open_page: Open
) -> None:
    """Twelve systems fill twelve rows of one line, each with its dot; ticks of the
    axis are round numbers in the scale of the table.
    """
    page = open_page(page_of_twelve, width=width)
    table = page.locator("section[aria-labelledby=ranking] table:visible")
    assert 1 == table.count()
    names = table.locator("tbody th .id")
    assert 12 == names.count()
    heights = names.evaluate_all("names => names.map(name => name.clientHeight)")
    assert max(heights) < 30
    dots = table.locator("tbody circle:visible")
    assert 12 == dots.count()
    for name, dot in zip(names.all(), dots.all(), strict=True):
        row, mark = name.bounding_box(), dot.bounding_box()
        assert row["y"] <= mark["y"] + mark["height"] / 2 <= row["y"] + row["height"]
    ticks = table.locator("thead svg:visible text").all_text_contents()
    steps = {round(float(b) - float(a), 9) for a, b in pairwise(ticks)}
    assert len(ticks) > 2
    assert 1 == len(steps)
    assert steps <= {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0}
    box = table.locator("xpath=..")
    assert not box.evaluate("box => box.classList.contains('scrolls')")


def test_the_ranking_follows_the_metric(page_of_run: Path, open_page: Open) -> None:
    """Another metric sorts the table by its means, and back."""
    page = open_page(page_of_run)
    for label in ("1", "0"):
        page.select_option("#label", label)
        column = f"tbody td:nth-child({3 + int(label)})"
        cells = page.locator(f"table.ranking:visible {column}")
        means = [float(cell.get_attribute("data-value")) for cell in cells.all()]
        assert means == sorted(means, reverse=True)
        first = page.locator("table.ranking:visible tbody td:nth-child(1)")
        assert "1" == first.first.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [NARROW, 390])
def test_a_narrow_page_is_folded(
    width: int, scheme: str, page_of_twelve: Path, open_page: Open
) -> None:
    """The bar is one line; sections are folded, and open when they are chosen; a
    table that scrolls says so.
    """
    page = open_page(page_of_twelve, width=width, color_scheme=scheme)
    bar = page.locator(".switch:not(.local)")
    assert bar.bounding_box()["height"] < 60
    controls = bar.locator("select, .segments").all()
    assert 1 == len({round(box.bounding_box()["y"] / 8) for box in controls})
    assert page.locator("#ranking").is_visible()
    assert not page.locator("#list").is_visible()
    said = "getComputedStyle(box, '::before').content"
    wide = page.locator("section[aria-labelledby=ranking] .wide:visible")
    wait_until(page, lambda: "Scrolls" in wide.evaluate(f"box => {said}"))
    page.locator("nav a", has_text="Evals").click()
    assert page.locator("#list").is_visible()
    assert page.locator("#scatter").evaluate("canvas => canvas.width") > 300
    page.locator("#list [role=option].texts").first.click()
    page.wait_for_selector("#eval .side.prediction")
    assert fits(page)
    assert [] == violations(page)


def test_stems_are_shown_as_words(page_of_twelve: Path, open_page: Open) -> None:
    """A unit is the word that its stem came from most often."""
    page = open_page(
        page_of_twelve,
        "#metric=ROUGE-1&one=seq2seq-sys0-large&two=seq2seq-sys9-large",
    )
    words = page.locator("#units-live b").all_inner_texts()
    assert "economies" in words
    assert "economi" not in words
