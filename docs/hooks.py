"""Fill pages of the site from docstrings, help texts and pyproject.toml, and link
numbers of quirks.

The site also gets a page of `rouge-cli report`, of generated texts (demo_data.py).
"""

from __future__ import annotations

import re
import runpy
import tempfile
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import griffe
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

from rouge_cli.cli import main
from rouge_cli.cli.entries import all_entries
from rouge_cli.cli.rouge155 import help_text

QUIRKS = "reference/quirks.html"


def texts(kind: str, level: int) -> str:
    """Return a section for each docstring of a kind, headed by the names that it
    describes: with headings of a level.
    """
    names: dict[str, list[str]] = {}
    for entry in all_entries():
        if entry.kind == kind:
            names.setdefault(entry.text.rstrip(), []).append(f"`{entry.name}`")
    return "".join(
        f"{'#' * level} {', '.join(names[text])}\n\n{prose(text)}\n\n" for text in names
    )


def prose(text: str) -> str:
    """Return a docstring as Markdown: indented paragraphs as code, names of pages as
    links.
    """
    return "\n\n".join(
        f"```text\n{dedent(paragraph)}\n```"
        if paragraph.startswith("    ")
        else _escaped(paragraph)
        for paragraph in text.split("\n\n")
    )


def _escaped(paragraph: str) -> str:
    parts = paragraph.split("`")  # code is between backticks, where nothing is escaped
    parts[::2] = [re.sub(r"([*_<\[\]])", r"\\\1", part) for part in parts[::2]]
    return re.sub(
        r"docs/((?:how-to|reference)/[\w-]+\.md)", r"[docs/\1](../\1)", "`".join(parts)
    )


def extras() -> str:
    """Return a table of the optional dependencies that users install, from
    pyproject.toml's comments.
    """
    project = (Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8")
    text = project.partition("[project.optional-dependencies]")[2].partition(
        "\ndev = "
    )[0]
    extra = re.compile(
        r"^(?:# (.*)\n)?(\w+) = \[(?:.*\]|\n(?: .*\n)+\]) *(?:# (.*))?$", re.MULTILINE
    )
    rows = [
        f"| `pip install 'rouge-cli[{name}]'` | {purpose or above} |"
        for above, name, purpose in extra.findall(text)
        if name != "docs"
    ]
    return "\n".join(["| install | for |", "| --- | --- |", *rows])


def on_config(config: Any) -> Any:  # noqa: ANN401 - of mkdocs
    """Link the repository, if its address is set."""
    if address := config["extra"]["repository"]:
        config["extra"]["social"] = [
            {
                "icon": "fontawesome/brands/git-alt",
                "link": address,
                "name": "Repository",
            }
        ]
    return config


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401 - of mkdocs
    """Add the page of the example, `demo.html`."""
    with tempfile.TemporaryDirectory() as folder:
        runpy.run_path(str(Path(__file__).with_name("demo_data.py")))["main"](
            Path(folder)
        )
        page = Path(folder) / "demo.html"
        options = [
            "-m",
            "R1,R2,RL",
            "--stem",
            "--source",
            "article",
            "--human",
            f"{folder}/human.csv",
        ]
        title = ["--title", "Five systems, 40 stories", "--quiet", "-o", str(page)]
        main.group(
            ["report", f"{folder}/run.jsonl", *options, *title], standalone_mode=False
        )
        files.append(
            File.generated(config, "demo.html", content=page.read_text("utf-8"))
        )
    return files


_TABS = re.compile(
    r"<!-- tabs -->\n(```console\n.*?^```\n)\n*(```python\n.*?^```\n)",
    re.DOTALL | re.MULTILINE,
)


def _tabs(match: re.Match[str]) -> str:
    """Return two blocks as tabs; readers of the source see them one below the other."""
    titles = ("Command line", "Python")
    tabs = (
        f'=== "{title}"\n\n{indent(block, " " * 4)}\n'
        for title, block in zip(titles, match.groups(), strict=True)
    )
    return "".join(tabs)


def on_page_markdown(markdown: str, config: Any, **_: Any) -> str:  # noqa: ANN401 - the hook's other arguments
    """Replace `<!-- texts: KIND -->`, `<!-- extras -->` and `<!-- help: ROUGE-1.5.5.pl
    -->`.

    Also `<!-- repository -->`, which stays a comment if its address is not set; `<!--
    tabs -->` before a console and a Python block, and `<!-- include:
    FILE:LINE -->` and the line below it, which names the file to readers of the source.
    """
    if address := config["extra"]["repository"]:
        link = f"The source code is in the [repository]({address})."
        markdown = markdown.replace("<!-- repository -->", link)
        markdown = markdown.replace(
            "OWNER/rouge-cli", "/".join(address.rstrip("/").split("/")[-2:])
        )
    markdown = _TABS.sub(_tabs, markdown)
    markdown = re.sub(
        r"<!-- include: (.*):(\d+) -->\n.*\n",
        lambda match: _rest(*match.groups()),
        markdown,
    )
    markdown = markdown.replace("<!-- extras -->", extras())
    level = 3 if "\n## " in markdown else 2  # no level is left out
    markdown = re.sub(
        "<!-- texts: (.*?) -->", lambda match: texts(match[1], level), markdown
    )
    return markdown.replace(
        "<!-- help: ROUGE-1.5.5.pl -->", f"```text\n{help_text()}\n```"
    )


def _rest(path: str, line: str) -> str:
    """Return a file of the checkout from a line on."""
    lines = (
        (Path(__file__).parents[1] / path).read_text("utf-8").splitlines(keepends=True)
    )
    return "".join(lines[int(line) - 1 :])


def on_page_content(html: str, page: Any, **_: Any) -> str:  # noqa: ANN401 - as above
    """Give quirks anchors, link citations to them, and mend tables and code."""
    if page.url == QUIRKS:
        html = re.sub(r"<p><strong>(\d+)\. ", r'<p id="quirk-\1"><strong>\1. ', html)
    html = re.sub(
        r"<td[^>]*>.*?</td>", lambda match: match[0].replace("\\|", "|"), html
    )
    html = re.sub("<th([^>]*)></th>", r"<td\1></td>", html)  # heads no column
    html = re.sub(r"(?<!</span>)(?<!<pre>)<code>([^<\n]+)</code>", _inline_code, html)
    target = get_relative_url(QUIRKS, page.url)
    return re.sub(
        r"\bQUIRKS\s+(\d+)", rf'<a href="{target}#quirk-\1">QUIRKS \1</a>', html
    )


def _inline_code(match: re.Match[str]) -> str:
    """Return inline code with a class for style.css: options are never broken, long
    texts always may be.
    """
    text = match[1]
    kind = (
        "option"
        if re.fullmatch(r"-.{1,24}", text)
        else "long"
        if len(text) > 40 and " " in text
        else ""
    )
    return f'<code class="{kind}">{text}</code>' if kind else match[0]


def on_post_page(output: str, **_: Any) -> str:  # noqa: ANN401 - as above
    """Name what screen readers announce and the theme leaves without a name; lists
    within a list of contents are not announced as navigations of their own.
    """
    output = output.replace(
        'data-md-component="search" role="dialog"',
        'data-md-component="search" role="dialog" aria-label="Search"',
    )
    return re.sub(
        '<nav class="md-nav" aria-label="[^"]*">',
        '<nav class="md-nav" role="presentation">',
        output,
    )


def on_post_template(output_content: str, **_: Any) -> str:  # noqa: ANN401 - as above
    """Do the same for the page that tells that there is no such page."""
    return on_post_page(output_content)


class ParameterLists(griffe.Extension):
    """Show the parameters that a docstring describes, `name: what it is.`, as a
    list.
    """

    def on_function_instance(self, *, func: griffe.Function, **_: Any) -> None:  # noqa: ANN401 - as above
        """List the parameters of a function."""
        _list(func, [parameter.name for parameter in func.parameters])

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:  # noqa: ANN401 - as above
        """List the attributes of a class."""
        _list(cls, list(cls.members))


def _list(described: griffe.Object, words: list[str]) -> None:
    """Begin an item at each of the words that begins a sentence and ends with a
    colon.
    """
    names = "|".join(words)
    if described.docstring and names:
        also = rf"(?:(?:,|\s+and)\s+(?:and\s+)?(?:{names}))*"
        item = re.compile(rf"(?:^|(?<=[.)])\s+|\n)((?:{names}){also}): ")
        name = re.compile(rf"\b({names})\b")
        paragraphs = described.docstring.value.split("\n\n")
        shown = "\n\n".join(
            item.sub(lambda match: "\n- " + name.sub(r"`\1`", match[1]) + ": ", text)
            for text in paragraphs
        )
        described.docstring.value = shown.replace(
            "\n\n    ", "\n\n<!-- ends the list -->\n\n    "
        )
