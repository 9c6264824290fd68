#!/usr/bin/env python3
"""Write a man page for rouge-cli and for each of its commands, from the text of `--help`.

usage: docs/man_pages.py FOLDER
"""

from __future__ import annotations

import sys

import click
from click_man.core import write_man_pages

import rouge_cli
from rouge_cli.cli.main import group


def main(folder: str) -> None:
    """Write the pages; click-man looks for commands that are already loaded."""
    context = click.Context(group)
    group.commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    write_man_pages("rouge-cli", group, version=rouge_cli.__version__, target_dir=folder)


if __name__ == "__main__":
    main(sys.argv[1])
