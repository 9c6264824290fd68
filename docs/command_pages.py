"""Write the pages of commands from the commands themselves, in the sections of their
help.

Every option is a row with an address of its own, which search finds.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rouge_cli.cli import main
from rouge_cli.cli.option_groups import option_sections

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = "reference"


class Row(NamedTuple):
    """An option of a command: the address within its page, the option as `--help`
    shows it, and what it does.
    """

    command: str
    anchor: str
    shown: str
    text: str

    def html(self) -> str:
        """Return the row of the table."""
        link = f'<a href="#{self.anchor}"><code>{escape(self.shown)}</code></a>'
        return (
            f'<tr id="{self.anchor}"><td>{link}</td><td>{_with_code(self.text)}</td>'
            "</tr>"
        )


# What search finds besides headings and texts: page -> its options.
_rows: dict[str, list[Row]] = {}


def page_of(section: str) -> str:
    """Return the name of the page of a section of the help, without a suffix."""
    return f"commands-{section.lower().replace(' ', '-')}"


def on_page_markdown(markdown: str, **_: Any) -> str:  # noqa: ANN401 - the hook's other arguments
    """Replace `<!-- commands: SECTION -->` by the commands of a section of the help."""
    return re.sub(
        "<!-- commands: (.*?) -->", lambda match: commands(match[1]), markdown
    )


def commands(section: str) -> str:
    """Return the commands of a section of the help, as Markdown."""
    rows: list[Row] = []
    parts: list[str] = []
    outer = click.Context(main.group, info_name="rouge-cli")
    for name in main.sections()[section]:
        command = main.group.get_command(outer, name)
        if command:
            context = click.Context(command, info_name=name, parent=outer)
            parts += _described(command, context, rows, level=2)
    _rows[f"{FOLDER}/{page_of(section)}.html"] = rows
    return "\n\n".join(parts)


def _described(
    command: click.Command, context: click.Context, rows: list[Row], *, level: int
) -> Iterator[str]:
    """Yield the paragraphs about a command and about its commands, and collect their
    options.
    """
    path = context.command_path
    anchor = path.replace(" ", "-")
    yield f"{'#' * level} {path} {{ #{anchor} }}"
    yield from map(_paragraph, (command.help or "").split("\n\n"))
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```"
    for title, options in option_sections(command, context).items():
        own = []
        for option in options:
            record = option.get_help_record(context)
            if "--help" not in option.opts and record:
                name = f"{anchor.partition('-cli-')[2]}{_longest(option)}"
                own.append(Row(path, name, *record))
        if own:
            heading = f"{anchor}-{title.lower().replace(' ', '-')}"
            yield f"{'#' * (level + 1)} {title} {{ #{heading} }}"
            yield _table(own)
            rows += own
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner:
                below = click.Context(inner, info_name=name, parent=context)
                yield from _described(inner, below, rows, level=level + 1)


def _longest(option: click.Option) -> str:
    """Return the name of an option that scripts should use, with two hyphens."""
    name = max(option.opts, key=len)
    return name if name.startswith("--") else f"-{name}"


def _table(rows: list[Row]) -> str:
    # Search has the rows one by one.
    lines = "\n".join(row.html() for row in rows)
    return (
        "<table data-search-exclude><thead><tr><th>option</th><th>meaning</th></tr>"
        f"</thead><tbody>\n{lines}\n</tbody></table>"
    )


def _with_code(text: str) -> str:
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def _paragraph(text: str) -> str:
    """Return a paragraph of a command's description; its examples are code."""
    before, word, lines = re.fullmatch(
        r"\s*(?:\x08\n)?(.*?)(?:(Examples?): (.*))?", text, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    parts = []
    if before.strip():
        # Code is between backticks, where nothing is escaped.
        pieces = before.strip().split("`")
        pieces[::2] = [re.sub(r"([*_<\[\]])", r"\\\1", piece) for piece in pieces[::2]]
        parts.append("`".join(pieces))
    if lines:
        code = "\n".join(line.strip() for line in lines.splitlines())
        parts.append(f"{word}:\n\n```sh\n{code}\n```")
    return "\n\n".join(parts)


def on_page_content(html: str, page: Any, **_: Any) -> str:  # noqa: ANN401 - as above
    """Link each command in the list of all commands to its description."""
    if page.url == f"{FOLDER}/commands.html":
        for section, names in main.sections().items():
            for name in names:
                link = f"{page_of(section)}.html#rouge-cli-{name}"
                html = html.replace(
                    f"<td><code>{name}</code></td>",
                    f'<td><a href="{link}"><code>{name}</code></a></td>',
                )
    return html


def on_post_build(config: Any, **_: Any) -> None:  # noqa: ANN401 - of mkdocs
    """Add the options to what search finds; the plugin that copies the index for pages
    of a folder runs later.
    """
    path = Path(config["site_dir"]) / "search" / "search_index.json"
    if not path.exists():
        return
    index = json.loads(path.read_text("utf-8"))
    for page, rows in _rows.items():
        for row in rows:
            location = f"{page}#{row.anchor}"
            title = f"{row.command} {escape(row.shown)}"
            text = f"<p>{_with_code(row.text)}</p>"
            index["docs"].append({"location": location, "title": title, "text": text})
    path.write_text(json.dumps(index, separators=(",", ":")), "utf-8")
