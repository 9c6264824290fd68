"""`rouge-cli explain --format html`: a page of one eval with the marks and numbers
of json.
"""

import hashlib
import json
import re
from base64 import b64encode
from html import unescape
from pathlib import Path

import pytest
from pages import Tags

from tests.conftest import Program

TEXTS = (
    "--pred-text",
    "the cat sat\nthe flies",
    "--ref-text",
    "a cat, the cat",
    "--ref-text",
    "sat",
)
OPTIONS = ("--stem", "--stop", "-m", "R1,R2,RL,W-1.2")
BAD = (
    "cat </script><img src=x onerror=alert(1)>\x1b[31m{{ 7 * 7 }}\x07 '"
    ' onmouseover=x "'
)


def marked(page: str) -> list[tuple[str, str]]:
    """Return the marks of a page and their words."""
    body = page.partition("<main>")[2].partition("</p>")[2]  # without the legend
    spans = re.findall('<span class="t (.)"[^>]*>([^<]*)', body)
    return [(mark, unescape(word)) for mark, word in spans]


@pytest.mark.parametrize("dialect", ["rouge155", "google", "rouge2"])
def test_marks_are_those_of_json(dialect: str, here: Program) -> None:
    """Every marked word, every step and every score of the page is json's, in its
    order.
    """
    options = OPTIONS if dialect == "rouge155" else ("--dialect", dialect)
    page = here("explain", *TEXTS, *options, "--format", "html").stdout.decode()
    metrics = json.loads(here("explain", *TEXTS, *options, "--format", "json").stdout)[
        "metrics"
    ]

    letters = {"counted": "c", "clipped": "x", "dropped": "d"}
    expected = [
        (letters[token["mark"]], token["surface"])
        for metric in metrics
        for reference in metric["references"]
        for side in ("reference", "prediction")
        for token in reference[side]["tokens"]
        if token["mark"]
    ]
    assert expected
    assert expected == marked(page)
    for metric in metrics:
        for line in [
            *metric["arithmetic"],
            *(
                step
                for reference in metric["references"]
                for step in reference["steps"]
            ),
        ]:
            assert f"<li>{line}</li>" in page
        assert (
            f"R {metric['recall']:.5f}, P {metric['precision']:.5f}, F"
            f" {metric['f']:.5f}" in page
        )


def test_the_suffix_names_the_format(here: Program, tmp_path: Path) -> None:
    """`-o x.html` writes the page, with every match and with a policy that allows
    its style alone.
    """
    words = " ".join(f"w{number}" for number in range(23))
    outcome = here(
        "explain", "--pred-text", words, "--ref-text", words, "-m", "R1", "-o", "x.html"
    )
    assert (0, b"", "") == outcome
    page = (tmp_path / "x.html").read_text()
    (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()

    assert 23 == page.count("<li><bdi>1 x w")
    assert f"default-src 'none'; style-src 'sha256-{digest}';" in page
    assert "<script" not in page
    assert not re.search(r"""(?:src|href)=["'](?!data:,|#)""", page)


def test_hostile_texts_are_text(here: Program, tmp_path: Path) -> None:
    """Markup and control codes in texts and names are escaped."""
    record = {"id": BAD, "system": BAD, "prediction": BAD, "reference": BAD}
    (tmp_path / "run.jsonl").write_text(json.dumps(record) + "\n")
    outcome = here("explain", "run.jsonl", "--eval", BAD, "--format", "html")
    page = Tags(outcome.stdout.decode())

    assert (0, "") == (outcome.status, outcome.stderr)
    assert not {"script", "img"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert b"49" not in outcome.stdout.partition(b"<main>")[2]
    assert not set(b"\x1b\x07") & set(outcome.stdout)
    assert ("c", "script") in marked(outcome.stdout.decode())
