"""Shell completion of the values of options and arguments: registered names, and files."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING

from rouge_cli import dialects, plugins
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import click
    from click.shell_completion import CompletionItem

    Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def starting(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Return the names that begin so; `snowball:LANGUAGE` ends before what the user has to fill in."""
    from click.shell_completion import CompletionItem

    ready = dict.fromkeys(re.sub(":[A-Z]+$", ":", name) for name in names)
    return [CompletionItem(name) for name in ready if name.startswith(incomplete)]


def _labels(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the metrics of the dialect that the command line names; behind a comma, another one."""
    from rouge_cli.cli.commands.list import all_entries

    dialect = context.params.get("dialect") or dialects.DEFAULT
    before, comma, last = incomplete.rpartition(",")
    labels = (
        entry.name for entry in all_entries() if entry.kind == "metric" and has_label(dialect, entry.name)
    )
    items = starting(labels, last)
    for item in items:
        item.value = f"{before}{comma}{item.value}"
    return items


def has_label(dialect: str, label: str) -> bool:
    """Return True if it is a label of the dialect."""
    try:
        dialects.named(dialect).parse(label)
    except UsageError:
        return False
    return True


def _modules(package: str) -> Complete:
    """Complete with the modules of a folder."""
    return lambda _context, _parameter, incomplete: starting(plugins.all_names(package), incomplete)


def _names(module: str) -> Complete:
    """Complete with the NAMES of a module, which is imported for it only."""
    return lambda _context, _parameter, incomplete: starting(import_module(module).NAMES, incomplete)


def paths(_: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Leave it to the shell, which completes files and folders."""
    shown = parameter.metavar or parameter.human_readable_name
    is_folder = "FILE" not in shown and ("DIR" in shown or "FOLDER" in shown)
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir" if is_folder else "file")]


_VALUES: dict[str, Complete] = {
    "--dialect": _modules("rouge_cli.dialects"),
    "--input": _modules("rouge_cli.tasks.kinds"),
    "--metric": _labels,
    "--read-as": _modules("rouge_cli.formats"),
    "--sentences": _names("rouge_cli.text.sentences"),
    "--stemmer": _names("rouge_cli.text.stemmers"),
    "--tokenizer": _names("rouge_cli.text.tokenizers"),
}
_FILES = ("FILE", "DIR", "FOLDER", "INPUT", "SCORES", "HUMAN", "PART", "PRED", "REF")


def completion(names: Iterable[str], metavar: str) -> Complete | None:
    """Return the function that completes a parameter with these names and this `metavar`, if any."""
    for name in names:
        if name in _VALUES:
            return _VALUES[name]
    return paths if any(word in metavar for word in _FILES) else None
