"""Calls of other packages and of ours, whose results or errors are compared."""

from collections.abc import Callable
from typing import Any


def outcome(call: Callable[..., Any], *arguments: object, **options: object) -> object:
    """Return the result of a call, or the name of its error."""
    try:
        return call(*arguments, **options)
    except Exception as error:  # noqa: BLE001 - compared
        return type(error).__name__
