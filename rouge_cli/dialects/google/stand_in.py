"""Replace PyPI's `rouge_score` by our modules, in one process."""

from __future__ import annotations

import logging
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from rouge_cli._version import __version__
from rouge_cli.dialects.google import rouge_scorer, scoring, tokenize, tokenizers
from rouge_cli.errors import UsageError

NAME = "rouge_score"
MODULES = {
    "rouge_scorer": rouge_scorer, "scoring": scoring, "tokenize": tokenize, "tokenizers": tokenizers
}  # fmt: skip


def install_as_rouge_score() -> None:
    """Make `import rouge_score` import rouge-cli from here on, and log that once, as a warning.

    Programs that import it then run as they are, with the same numbers, and faster. Processes that this one
    starts import what is installed, unless they are forked. Raises UsageError if rouge_score was imported
    before: whoever did so has the original.
    """
    if getattr(sys.modules.get(NAME), "__stand_in__", False):
        return
    for name, module in sys.modules.items():
        if name.partition(".")[0] == NAME:
            raise UsageError(
                f"{name} was imported before ({getattr(module, '__file__', None) or 'from nowhere'})",
                remedy="call install_as_rouge_score() before the first import of rouge_score",
            )
    package = ModuleType(NAME, f"rouge-cli {__version__} in place of rouge_score.")
    package.__spec__ = ModuleSpec(NAME, None, origin="rouge_cli", is_package=True)
    package.__path__ = []
    vars(package).update(MODULES, __stand_in__=True)
    sys.modules[NAME] = package
    sys.modules.update({f"{NAME}.{name}": module for name, module in MODULES.items()})
    logging.getLogger("rouge_cli").warning("rouge-cli %s stands in for rouge_score", __version__)
