"""Options of commands as fields of frozen records: a field declares the option, and contains its value.

    class InputOptions(OptionGroup):
        encoding: str = option("--encoding NAME", "Encoding of texts (default UTF-8).", default="utf-8")

A command is a function of such records, `@takes(InputOptions, ReportOptions)`.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, TypeVar, cast

import click

from rouge_cli.cli import values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

F = TypeVar("F", bound="Callable[..., None]")
G = TypeVar("G", bound="OptionGroup")


class Field(NamedTuple):
    """An option or, without names, an argument; settings are those of click."""

    names: list[str]
    settings: dict[str, Any]
    default: object = None
    of_dialect: bool = False


class OptionGroup:
    """A frozen record; its fields are those of its class and of the classes before it."""

    # Not a data class: making those of one command takes a tenth of a short run.
    fields: ClassVar[dict[str, Field]] = {}

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
        cls.fields = {**cls.fields, **own}

    def __init__(self, **options: object) -> None:
        if unknown := options.keys() - self.fields:
            raise TypeError(f"{type(self).__name__} has no {', '.join(unknown)}")
        vars(self).update({name: field.default for name, field in self.fields.items()}, **options)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot set {name}: options are frozen")

    def replace(self: G, **options: object) -> G:  # noqa: PYI019 - Self is not in Python 3.10
        """Return a copy with other values of these options."""
        return type(self)(**{**vars(self), **options})


def option(
    declaration: str,
    text: str | None = None,
    *,
    default: object = None,
    of_dialect: bool = False,
    **settings: object,
) -> Any:  # noqa: ANN401 - the type of the field
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
    return Field(names, settings, default, of_dialect)


def argument(**settings: object) -> Any:  # noqa: ANN401 - as above
    """Declare a field for an argument; settings: further arguments of `click.argument`."""
    return Field([], settings)


def takes(*groups: type[OptionGroup]) -> Callable[[F], F]:
    """Add the options that the groups declare to a command, in their order, and pass it the groups."""

    def decorate(command: F) -> F:
        @wraps(command)
        def run(*arguments: object, **parameters: object) -> None:
            records = [group(**{name: parameters.pop(name) for name in group.fields}) for group in groups]
            command(*arguments, *records, **parameters)

        declared: Callable[..., None] = run
        for name, field in reversed([item for group in groups for item in group.fields.items()]):
            settings = field.settings
            if complete := values.completion(field.names, settings.get("metavar") or name.upper()):
                settings = {"shell_complete": complete, **settings}
            declare = click.option if field.names else click.argument
            declared = declare(*field.names, name, **settings)(declared)
        return cast("F", declared)

    return decorate


def of_dialect(group: OptionGroup) -> Iterator[tuple[str, object]]:
    """Yield the options for the dialect that were typed."""
    for name, field in group.fields.items():
        value = getattr(group, name)
        if field.of_dialect and value is not None and value is not False:
            yield name, value


def is_given(group: OptionGroup, name: str) -> bool:
    """Return True if the group has an option of that name whose value is not the default."""
    return name in group.fields and getattr(group, name) != group.fields[name].default
