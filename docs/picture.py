"""Draw the picture of the landing page from scores of the demo: it has the colours of
the reader's scheme, and its letters have the size of the text on a phone.
"""

from __future__ import annotations

import json
import re
import runpy
import tempfile
from html import escape
from math import ceil, floor
from pathlib import Path
from typing import Any

from rouge_cli.cli import main

WIDTH, ROW = 360, 28  # of the picture; a phone of 390 pixels shows it unscaled
LEFT, RIGHT = 84, 300  # where the scale begins and ends


def on_page_markdown(markdown: str, **_: Any) -> str:  # noqa: ANN401 - the hook's other arguments
    """Replace `<!-- picture -->` and the line below it, which has a picture for readers
    of the source.
    """
    return re.sub(
        r"<!-- picture -->\n.*\n",
        lambda _: f'<a class="picture" href="demo.html">{drawn(scores())}</a>\n',
        markdown,
    )


def scores() -> list[tuple[str, float, float, float]]:
    """Return the systems of the demo, the best first: name, ROUGE-1 F, its interval."""
    with tempfile.TemporaryDirectory() as folder:
        data = runpy.run_path(str(Path(__file__).with_name("demo_data.py")))
        data["main"](Path(folder))
        report = Path(folder) / "report.json"
        words = ["score", f"{folder}/run.jsonl", "-m", "R1", "--stem", "--sort"]
        words += ["--quiet", "--format", "json", "-o", str(report)]
        main.group(words, standalone_mode=False)
        results = json.loads(report.read_text("utf-8"))["results"]
    return [
        (
            result["system"],
            *(100 * result["f"][key] for key in ("value", "low", "high")),
        )
        for result in results
    ]


def drawn(systems: list[tuple[str, float, float, float]]) -> str:
    """Return the picture as SVG: a row per system with its interval and score."""
    least = 10 * floor(min(low for _, _, low, _ in systems) / 10)
    most = 10 * ceil(max(high for *_, high in systems) / 10)

    def across(score: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * (score - least) / (most - least), 1)

    bottom = 30 + ROW * len(systems)
    parts = ['<text x="0" y="14">ROUGE-1 F with 95% intervals</text>']
    for tick in range(least, most + 1, 10):
        x = across(tick)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="26" y2="{bottom}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{bottom + 16}">{tick}</text>')
    for place, (name, score, low, high) in enumerate(systems):
        y = 30 + ROW * place + ROW // 2
        ends = f'x1="{across(low)}" x2="{across(high)}" y1="{y}" y2="{y}"'
        parts.append(f'<text x="0" y="{y + 5}">{escape(name)}</text>')
        parts.append(f'<line class="interval" {ends}/>')
        parts.append(f'<circle cx="{across(score)}" cy="{y}" r="5"/>')
        parts.append(f'<text class="score" x="{WIDTH}" y="{y + 5}">{score:.2f}</text>')
    told = "; ".join(f"{name} {score:.2f}" for name, score, *_ in systems)
    label = f"ROUGE-1 F of five systems, with intervals: {told}"
    return (
        f'<svg role="img" aria-label="{escape(label)}"'
        f' viewBox="0 0 {WIDTH} {bottom + 24}">{"".join(parts)}</svg>'
    )
