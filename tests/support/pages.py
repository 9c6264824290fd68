"""Read the blocks of a documentation page and the tags of a page in HTML, and
compare lines with output.
"""

import re
from html.parser import HTMLParser
from typing import NamedTuple

# They install, or run all tests.
_NOT_RUN = ("make demo", "make setup", "make test")


class Command(NamedTuple):
    """A command of a page, and the lines below it."""

    line: str
    shown: list[str]


def console_blocks(page: str) -> list[list[Command]]:
    """Return the commands of each console block, without those that install or run
    all tests.
    """
    blocks = []
    for block in re.findall(
        r"^ *```console\n(.*?)^ *```", page, re.DOTALL | re.MULTILINE
    ):
        commands: list[Command] = []
        # A command may go over several lines
        for line in block.replace("\\\n", "").splitlines():
            if line.lstrip().startswith("$ "):
                commands.append(Command(line.lstrip()[2:], []))
            else:
                commands[-1].shown.append(line.rstrip())
        blocks.append(
            [command for command in commands if not command.line.startswith(_NOT_RUN)]
        )
    return [block for block in blocks if block]


def python_blocks(page: str) -> list[str]:
    """Return the page's Python blocks."""
    return re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def difference(shown: list[str], printed: list[str]) -> str:
    """Return the lines on the page that were not printed, or the opposite; empty if
    they agree.

    A line `...` stands for any lines, and one that ends in `...` for any end. An empty
    block agrees with any output.
    """
    if not shown:
        return ""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else f"{_line(line)}\n"
        for line in shown
        if line or shown[-1]
    )
    if re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)):
        return ""
    return "\n".join(["shown:", *shown, "printed:", *printed])


def _line(line: str) -> str:
    return f"{re.escape(line[:-3])}.*" if line.endswith("...") else re.escape(line)


class Tags(HTMLParser):
    """Collect the tags of a page in HTML, and their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a tag."""
        self.tags.append(tag)
        self.attributes += attrs
