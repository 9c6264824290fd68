"""Fill pages of the site with what the package says of itself, so that there is one text only."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import griffe

from rouge_cli.cli.catalogue import every
from rouge_cli.cli.rouge155_help import HELP


def texts(kind: str) -> str:
    """Return a section for each docstring of a kind, headed by the names that it describes."""
    names: dict[str, list[str]] = {}
    for entry in every():
        if entry.kind == kind:
            names.setdefault(entry.text.rstrip(), []).append(f"`{entry.name}`")
    return "".join(f"### {', '.join(names[text])}\n\n```text\n{text}\n```\n\n" for text in names)


def extras() -> str:
    """Return a table of the optional dependencies that users install, from pyproject.toml's comments."""
    project = (Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8")
    text = project.partition("[project.optional-dependencies]")[2].partition("\ndev = ")[0]
    extra = re.compile(r"^(?:# (.*)\n)?(\w+) = \[(?:.*\]|\n(?: .*\n)+\]) *(?:# (.*))?$", re.MULTILINE)
    rows = [
        f"| `pip install 'rouge-cli[{name}]'` | {purpose or above} |"
        for above, name, purpose in extra.findall(text)
        if name != "docs"
    ]
    return "\n".join(["| install | for |", "| --- | --- |", *rows])


def on_page_markdown(markdown: str, **_: Any) -> str:  # noqa: ANN401 - the hook's other arguments
    """Replace `<!-- texts: KIND -->`, `<!-- extras -->` and `<!-- help: ROUGE-1.5.5.pl -->`."""
    markdown = markdown.replace("<!-- extras -->", extras())
    markdown = re.sub("<!-- texts: (.*?) -->", lambda match: texts(match[1]), markdown)
    return markdown.replace("<!-- help: ROUGE-1.5.5.pl -->", f"```text\n{HELP}\n```")


class ParameterLists(griffe.Extension):
    """Show the parameters that a docstring describes, `name: what it is.`, as a list."""

    def on_function_instance(self, *, func: griffe.Function, **_: Any) -> None:  # noqa: ANN401 - as above
        """Begin an item at each parameter that begins a sentence."""
        names = "|".join(parameter.name for parameter in func.parameters)
        if func.docstring and names:
            also = rf"(?:(?:,|\s+and)\s+(?:and\s+)?(?:{names}))*"
            item = re.compile(rf"(?:^|(?<=[.)])\s+|\n)((?:{names}){also}): ")
            paragraphs = func.docstring.value.split("\n\n")
            shown = "\n\n".join(item.sub(r"\n- `\1`: ", text) for text in paragraphs)
            func.docstring.value = shown.replace("\n\n    ", "\n\n<!-- ends the list -->\n\n    ")
