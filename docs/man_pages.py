#!/usr/bin/env python3
"""Write the man pages of rouge-cli, of each of its commands and of ROUGE-1.5.5.pl, from
`--help`.

usage: docs/man_pages.py FOLDER
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
from click_man.core import write_man_pages

import rouge_cli
from rouge_cli.cli.main import group
from rouge_cli.cli.rouge155 import help_text

DROP_IN = "ROUGE-1.5.5.pl"
# This page is made by hand, since the drop-in is not a click command. Its help is shown
# unchanged.
PAGE = f"""\
.TH "{DROP_IN}" "1" "" "{rouge_cli.__version__}" "rouge-cli Manual"
.SH NAME
{DROP_IN} \\- ROUGE\\-1.5.5 byte for byte, without Perl
.SH DESCRIPTION
.nf
%s
.fi
.SH SEE ALSO
.BR rouge\\-cli (1)
"""


def main(folder: str) -> None:
    """Write the pages; click-man looks for commands that are already loaded."""
    context = click.Context(group)
    group.commands = {
        name: group.get_command(context, name) for name in group.list_commands(context)
    }
    for command in group.commands.values():
        for option in command.params:
            if isinstance(option, click.Option) and option.help:
                option.help = option.help.replace("\\", "\\e")
    write_man_pages(
        "rouge-cli", group, version=rouge_cli.__version__, target_dir=folder
    )
    for path in Path(folder).glob("*.1"):
        path.write_text(_unfilled(path.read_text("utf-8")), "utf-8")
    (Path(folder) / f"{DROP_IN}.1").write_text(PAGE % _verbatim(help_text()), "utf-8")


def _unfilled(page: str) -> str:
    """Return a page without hyphenation, whose examples keep their lines."""
    title, _, text = page.partition("\n")
    examples = re.compile(r"^(?:INPUT .*\n)?Examples?:.*\n(?: +.*\n)*", re.MULTILINE)
    return f"{title}\n.nh\n.ad l\n" + examples.sub(
        lambda match: f".nf\n{match[0]}.fi\n", text
    )


def _verbatim(text: str) -> str:
    """Return text that roff prints unchanged: without escapes and requests."""
    escaped = text.rstrip().replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" for line in escaped.splitlines())


if __name__ == "__main__":
    main(sys.argv[1])
