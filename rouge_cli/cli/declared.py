"""Options of commands as fields of frozen records: a field says what click shows, and holds what it reads.

A command is a function of such records, `@takes(InputOptions, ReportOptions)`, which are made here alone.
"""

from __future__ import annotations

from dataclasses import field, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from rouge_cli.cli import values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

F = TypeVar("F", bound="Callable[..., None]")
_CLICK = "click"
_OF_DIALECT = "of dialect"


def option(*names: str, default: object = None, of_dialect: bool = False, **settings: object) -> Any:  # noqa: ANN401 - as `dataclasses.field`
    """Declare a field that an option fills: a flag if its default is a truth, repeatable if it is a tuple.

    of_dialect: whether the option's value is one of the dialect's, under the field's name.
    settings: what `click.option` takes besides.
    """
    if default is False:
        settings["is_flag"] = True
    elif default == ():
        settings["multiple"] = True
    else:
        settings["default"] = default
    return field(default=default, metadata={_CLICK: (names, settings), _OF_DIALECT: of_dialect})


def argument(**settings: object) -> Any:  # noqa: ANN401 - as `dataclasses.field`
    """Declare a field that an argument fills; settings: what `click.argument` takes."""
    return field(metadata={_CLICK: ((), settings)})


def takes(*records: type) -> Callable[[F], F]:
    """Give a command the options that the records declare, in their order, and its function the records."""

    def decorate(command: F) -> F:
        @wraps(command)
        def run(*arguments: object, **parameters: object) -> None:
            groups = (
                record(**{each.name: parameters.pop(each.name) for each in fields(record)})
                for record in records
            )
            command(*arguments, *groups, **parameters)

        declared: Callable[..., None] = run
        for each in reversed([each for record in records for each in fields(record)]):
            names, settings = each.metadata[_CLICK]
            if complete := values.completion(names, settings.get("metavar") or each.name.upper()):
                settings = {"shell_complete": complete, **settings}
            declare = click.option if names else click.argument
            declared = declare(*names, each.name, **settings)(declared)
        return cast("F", declared)

    return decorate


def of_dialect(record: Any) -> Iterator[tuple[str, object]]:  # noqa: ANN401 - any data class
    """Yield the options of the dialect that were given."""
    for each in fields(record):
        value = getattr(record, each.name)
        if each.metadata[_OF_DIALECT] and value is not None and value is not False:
            yield each.name, value


def is_given(record: Any, name: str) -> bool:  # noqa: ANN401 - any data class
    """Return whether the record has a field of that name with another value than by default."""
    return any(each.name == name and getattr(record, name) != each.default for each in fields(record))
