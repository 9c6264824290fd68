"""Options of commands, kept as data: names, and what click wants to know of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click

Command = Callable[..., None]
Option = tuple[tuple[str, ...], Mapping[str, Any]]


def declare(command: Command, options: Iterable[Option]) -> Command:
    """The command with the options, which its help lists in this order."""
    for names, settings in reversed([*options]):
        command = click.option(*names, **settings)(command)
    return command
