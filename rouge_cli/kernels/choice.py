"""Which kernels run: the compiled twin where it was built, else the readable ones.

ROUGE_CLI_KERNELS=python asks for the readable ones, ROUGE_CLI_KERNELS=compiled insists on the others.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any

from rouge_cli.errors import UsageError

VARIABLE = "ROUGE_CLI_KERNELS"


@cache
def compiled() -> Any:  # noqa: ANN401 - an extension module
    """The compiled kernels; None where the readable ones run.

    Raises UsageError where the variable insists on kernels that were not built.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "python", "compiled"):
        raise UsageError(f"{VARIABLE}={wanted}: the kernels are `python` or `compiled`")
    if wanted == "python":
        return None
    try:
        return import_module("rouge_cli.kernels._compiled")
    except ImportError:
        if wanted == "compiled":
            raise UsageError(
                f"{VARIABLE}=compiled, but they were not built",
                remedy="install with a C++ compiler at hand, or unset the variable",
            ) from None
        return None


def name() -> str:
    """`compiled` or `python`."""
    return "compiled" if compiled() else "python"
