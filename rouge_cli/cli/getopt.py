"""Options and numbers as a Perl program reads them from its command line.

Python's own getopt and argparse read neither joined clusters nor values that start with a dash as
Perl's Getopt::Std does, and twenty years of command lines rely on it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUMBER = r"[ \t\n\v\f\r]*([+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|nan))"


class Parsed(NamedTuple):
    """A parsed command line.

    values: letter -> value as typed, of options with a value. flags: the letters of the others.
    unknown: letters that are not options. arguments: the remaining words.
    """

    values: dict[str, str]
    flags: set[str]
    unknown: list[str]
    arguments: list[str]


def parse(words: Sequence[str], letters: str) -> Parsed:
    """Read options up to the first word that is not one, or up to `--`.

    letters: the options' letters, with a colon after those that have a value. Flags may be clustered; a
    value may be joined or be the next word, even with a dash; of a repeated option the last value counts.
    Raises UsageError for an option whose value is missing.
    """
    parsed = Parsed({}, set(), [], list(words))
    rest = parsed.arguments
    while rest and len(rest[0]) > 1 and rest[0].startswith("-"):
        cluster = rest.pop(0)[1:]
        while cluster:
            if cluster == "-":  # also the rest of a cluster, as in `-a-`
                return parsed
            letter, cluster = cluster[0], cluster[1:]
            place = letters.find(letter) if letter != ":" else -1
            if place < 0:
                parsed.unknown.append(letter)
            elif letters[place + 1 : place + 2] != ":":
                parsed.flags.add(letter)
            else:
                if not cluster and not rest:
                    raise UsageError(f"option -{letter} needs a value")
                parsed.values[letter] = cluster or rest.pop(0)
                break
    return parsed


def is_number(text: str) -> bool:
    """Return True if a value is a number with nothing after it."""
    return re.fullmatch(_NUMBER, text, re.IGNORECASE) is not None


def number(text: str) -> float:
    """Return the longest numeric prefix, as Perl converts a string to a number; 0 if there is none."""
    if text.isascii() and text.isdecimal():
        return float(text)  # the usual case; compiling the expression takes a millisecond
    match = re.match(_NUMBER, text, re.IGNORECASE)
    return float(match[1]) if match else 0.0
