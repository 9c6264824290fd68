"""Options of commands as fields of frozen records: a field declares the option, and holds its value.

A command is a function of such records, `@takes(InputOptions, ReportOptions)`; only this module makes them.
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


def option(
    declaration: str,
    text: str | None = None,
    *,
    default: object = None,
    of_dialect: bool = False,
    **settings: object,
) -> Any:  # noqa: ANN401 - as `dataclasses.field`
    """Declare a field for an option with a value.

    declaration: its names, and the value in help texts, as in `-o --output FILE`. text: its help text.
    of_dialect: True if the option's value is passed to the dialect, under the field's name.
    settings: further arguments of `click.option`.
    """
    if not settings.get("required"):  # click counts a default, None too, as a value
        settings = {"default": default, **settings}
    return _field(declaration, text, default, settings, of_dialect=of_dialect)


def flag(declaration: str, text: str, *, of_dialect: bool = False) -> Any:  # noqa: ANN401 - as above
    """Declare a field for an option without a value: True if it is given."""
    return _field(declaration, text, False, {"is_flag": True}, of_dialect=of_dialect)  # noqa: FBT003


def several(declaration: str, text: str, **settings: object) -> Any:  # noqa: ANN401 - as above
    """Declare a field for an option that may be repeated: a tuple of its values."""
    return _field(declaration, text, (), {"multiple": True, **settings})


def _field(
    declaration: str,
    text: str | None,
    default: object,
    settings: dict[str, object],
    *,
    of_dialect: bool = False,
) -> Any:  # noqa: ANN401 - as above
    words = declaration.split()
    names = [word for word in words if word.startswith("-")]
    settings = {"metavar": " ".join(words[len(names) :]) or None, "help": text, **settings}
    return field(default=default, metadata={_CLICK: (names, settings), _OF_DIALECT: of_dialect})


def argument(**settings: object) -> Any:  # noqa: ANN401 - as `dataclasses.field`
    """Declare a field for an argument; settings: further arguments of `click.argument`."""
    return field(metadata={_CLICK: ((), settings)})


def takes(*records: type) -> Callable[[F], F]:
    """Add the options that the records declare to a command, in their order, and pass it the records."""

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
    """Yield the options for the dialect that were typed."""
    for each in fields(record):
        value = getattr(record, each.name)
        if each.metadata[_OF_DIALECT] and value is not None and value is not False:
            yield each.name, value


def is_given(record: Any, name: str) -> bool:  # noqa: ANN401 - any data class
    """Return True if the record has a field of that name whose value is not the default."""
    return any(each.name == name and getattr(record, name) != each.default for each in fields(record))
