"""The options of `rouge-cli score --dialect pltrdy`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rouge_cli.dialects.pltrdy.program import Pltrdy
from rouge_cli.pairwise import get_scores, program

if TYPE_CHECKING:
    from collections import Counter

    from rouge_cli.core import Notify
    from rouge_cli.options import Options

DEFAULTS = get_scores.DEFAULTS
STEMMER = STOP_LIST = ""  # the package has neither
parse = partial(get_scores.parse, "pltrdy")


def canonical(options: Options) -> Options:
    """Return the options as in the signature."""
    return program.canonical(options, parse)


def command_line(_: Options) -> None:
    """Return None: ROUGE-1.5.5 cannot print these scores."""
    return


def build(options: Options, uses: Counter[str], notify: Notify) -> Pltrdy:
    """Build the dialect for a run; raise UsageError for invalid values."""
    return Pltrdy(options, uses, notify)
