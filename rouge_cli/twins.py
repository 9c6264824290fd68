"""Twins: readable functions that compiled code replaces as a whole.

    @twin
    def one_to_one(costs: Costs) -> Pairs:
        ...

The readable function stands where it belongs, complete and without a branch, as in PEP
399. A call runs its replacement in `native/replacements.py`, which has the same name,
parameters and results to the last bit. A replacement that cannot do a request returns
NotImplemented; the readable function then does it. Nothing is replaced if the extension
was not built, or if ROUGE_CLI_KERNELS=python.

`function.readable` is always the readable function, so that one process can run both.
TABLE has all twins that were imported; a law runs both halves of each on equal input.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import cache, update_wrapper
from importlib import import_module
from types import ModuleType
from typing import Generic, ParamSpec, TypeVar

from rouge_cli.core import ROW
from rouge_cli.errors import UsageError

P = ParamSpec("P")
R = TypeVar("R")

VARIABLE = "ROUGE_CLI_KERNELS"
COMPILED, PYTHON = "compiled", "python"
_PACKAGE = __name__.partition(".")[0]
_EXTENSION = f"{_PACKAGE}.native._compiled"
_REPLACEMENTS = f"{_PACKAGE}.native.replacements"


@cache
def extension() -> ModuleType | None:
    """Return the extension module, or None to run the readable functions.

    Raises:
        UsageError: VARIABLE has an unknown value, or requires an extension that was not
            built.
    """
    choice = os.environ.get(VARIABLE, "")
    if choice not in ("", PYTHON, COMPILED):
        raise UsageError(
            f"{VARIABLE}={choice}: unknown kernels",
            remedy=f"use {PYTHON} or {COMPILED}",
        )
    if choice == PYTHON:
        return None
    try:
        compiled = import_module(_EXTENSION)
    except ModuleNotFoundError:
        if choice == COMPILED:
            raise UsageError(
                f"{VARIABLE}={COMPILED}, but they were not built",
                remedy="install with a C++ compiler at hand, or unset the variable",
            ) from None
        return None
    except ImportError as error:
        if choice == COMPILED:
            raise UsageError(
                f"{VARIABLE}={COMPILED}, but they cannot be used: {error}",
                remedy="install rouge-cli again, or unset the variable",
            ) from None
        sys.stderr.write(
            f"rouge-cli: warning: the compiled kernels cannot be used: {error}; the"
            " readable ones run, with the same numbers: install rouge-cli again\n"
        )
        return None
    if compiled.ROW != ROW:
        raise ImportError(
            f"the extension has rows of {compiled.ROW}, not of {ROW}; install"
            " rouge-cli again"
        )
    return compiled


def kernels() -> str:
    """Return the kernels that run: `compiled` or `python`."""
    return COMPILED if extension() else PYTHON


@cache
def _replacements() -> Mapping[str, Callable[..., object]]:
    """Return the replacements by the names of twins; imported at the first call."""
    table: Mapping[str, Callable[..., object]]
    table = import_module(_REPLACEMENTS).TABLE
    return table


class Twin(Generic[P, R]):
    """A readable function that may have a compiled replacement.

    Args:
        readable: The function, defined at the top of a module of this package.
    """

    def __init__(self, readable: Callable[P, R]) -> None:
        self.readable = readable
        self.name = f"{readable.__module__}.{readable.__qualname__}"
        update_wrapper(self, readable)

    @property
    def compiled(self) -> Callable[..., object] | None:
        """The replacement, or None if readable code runs."""
        if extension() is None:
            return None
        return _replacements()[self.name]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return the result of the replacement, or else of the readable function."""
        if compiled := self.compiled:
            result = compiled(*args, **kwargs)
            if result is not NotImplemented:
                return result  # type: ignore[return-value]  # the law holds it to R
        return self.readable(*args, **kwargs)

    def __reduce__(self) -> str:
        """Pickle the twin by its name, as functions are pickled."""
        return self.readable.__qualname__


# Name, such as `rouge_cli.scoring.bootstrap.resampled_sums` -> twin.
TABLE: dict[str, Twin[..., object]] = {}


def twin(readable: Callable[P, R]) -> Twin[P, R]:
    """Declare that a function has a compiled replacement of the same name."""
    declared = Twin(readable)
    TABLE[declared.name] = declared  # type: ignore[assignment]  # of any parameters
    return declared
