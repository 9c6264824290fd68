"""Fill pages of the site with what the package says of itself, so that there is one text only."""

from __future__ import annotations

import re
from typing import Any

from rouge_cli.cli.describing import every
from rouge_cli.cli.rouge155_help import HELP


def texts(kind: str) -> str:
    """Return a section for each docstring of a kind, headed by the names that it describes."""
    names: dict[str, list[str]] = {}
    for entry in every():
        if entry.kind == kind:
            names.setdefault(entry.text.rstrip(), []).append(f"`{entry.name}`")
    return "".join(f"### {', '.join(names[text])}\n\n```text\n{text}\n```\n\n" for text in names)


def on_page_markdown(markdown: str, **_: Any) -> str:  # noqa: ANN401 - the hook's other arguments
    """Replace `<!-- texts: KIND -->` and `<!-- help: ROUGE-1.5.5.pl -->`."""
    markdown = re.sub("<!-- texts: (.*?) -->", lambda match: texts(match[1]), markdown)
    return markdown.replace("<!-- help: ROUGE-1.5.5.pl -->", f"```text\n{HELP}\n```")
