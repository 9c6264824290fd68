"""What results show at a prompt, in a notebook and in a browser."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import rouge_cli

TEXTS = {"a": ["the cat sat"], "b": ["a dog"]}


def test_a_prompt_shows_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """At an interactive prompt a result is its tables; elsewhere, as in a log, it is one
    line.
    """
    report = rouge_cli.score(TEXTS, ["the cat"], "R1", samples=0)
    monkeypatch.delattr(sys, "ps1", raising=False)
    line = repr(report)
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)

    assert "\n" not in line
    assert repr(report) == str(report) == report.to_text().rstrip("\n")
    assert repr(rouge_cli.explain("a cat", ["a cat"])).startswith("ROUGE-1\n")


def test_ipython_shows_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPython's printer gets what the prompt shows, and one line within a cycle."""
    monkeypatch.setattr(sys, "ps1", "In : ", raising=False)
    report = rouge_cli.score(TEXTS, ["the cat"], "R1", samples=0)
    shown: list[str] = []

    class Printer:
        text = staticmethod(shown.append)

    report._repr_pretty_(Printer, is_cycle=False)
    report._repr_pretty_(Printer, is_cycle=True)

    assert shown[0] == str(report)
    assert "\n" not in shown[1]


def test_a_cell_shows_the_marked_texts() -> None:
    """A notebook marks the words of an explanation as the plain text does, and escapes
    the others.
    """
    explanation = rouge_cli.explain("a <cat> the the & the", ["the cat sat"], "R1")
    html = explanation._repr_html_()
    texts = html[html.index("<dl>") : html.index("</dl>")]
    marked = re.sub('<mark style="[^"]*">(.*?)</mark>', r"[\1]", texts)
    marked = re.sub('<u style="[^"]*">(.*?)</u>', r"{\1}", marked)

    assert "<dd>[the] [cat] sat</dd>" in marked
    assert "<dd>a &lt;[cat]&gt; [the] {the} &amp; {the}</dd>" in marked
    assert "recall = match / reference = 2 / 3" in html


def test_show_opens_a_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`show` writes the page to a file that stays, and gives it to the browser."""
    pytest.importorskip("jinja2")
    opened = tmp_path / "opened"
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr("webbrowser._tryorder", None)
    monkeypatch.setenv("BROWSER", f"{program} %s")

    explanation = rouge_cli.explain("the cat", ["the cat sat"], "R1")
    path = Path(explanation.show())

    assert path.read_text("utf-8") == explanation.to_html()
    assert opened.read_text("utf-8").strip() == path.as_uri()
    assert "show" in dir(explanation)
