"""The command line of ROUGE-1.5.5: its letters and numbers as Perl reads them, and their meaning.

Python's getopt and argparse do not read clusters and values that begin with a dash as Perl's Getopt::Std
does, and twenty years of command lines rely on Perl's way.
"""

from __future__ import annotations

import os
import re
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import data
from rouge_cli.dialects import rouge155
from rouge_cli.errors import UsageError
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.skip_bigram import SkipBigram

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.metrics import Metric
    from rouge_cli.text.tokens import Limit


_NUMBER = r"[ \t\n\v\f\r]*([+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|nan))"


class Parsed(NamedTuple):
    """A parsed command line."""

    values: dict[str, str]  # letter -> value as typed, for options with a value
    flags: set[str]  # letters of options without a value
    unknown: list[str]  # letters that are not options
    arguments: list[str]  # the words after the options


def parse(words: Sequence[str], letters: str) -> Parsed:
    """Parse options up to the first word that is not an option, or up to `--`.

    Flags may be clustered. A value is the rest of its word or the next word, even if it begins with a dash.
    The last value of a repeated option wins.

    Args:
        words: The command line.
        letters: The letters of the options; a colon follows a letter that has a value.

    Raises:
        UsageError: The value of the last option is missing.
    """
    parsed = Parsed({}, set(), [], list(words))
    rest = parsed.arguments
    while rest and len(rest[0]) > 1 and rest[0].startswith("-"):
        cluster = rest.pop(0)[1:]
        while cluster:
            if cluster == "-":  # `--`, or the end of a cluster such as `-a-`
                return parsed
            letter, cluster = cluster[0], cluster[1:]
            index = letters.find(letter) if letter != ":" else -1
            if index < 0:
                parsed.unknown.append(letter)
            elif letters[index + 1 : index + 2] != ":":
                parsed.flags.add(letter)
            else:
                if not cluster and not rest:
                    raise UsageError(f"option -{letter} needs a value")
                parsed.values[letter] = cluster or rest.pop(0)
                break
    return parsed


def is_number(text: str) -> bool:
    """Return True if Perl reads the whole value as a number."""
    return re.fullmatch(_NUMBER, text, re.IGNORECASE) is not None


def number(text: str) -> float:
    """Return the number at the beginning of a string, as Perl converts it; 0 if there is none."""
    if text.isascii() and text.isdecimal():
        return float(text)  # the usual case; compiling the expression takes a millisecond
    match = re.match(_NUMBER, text, re.IGNORECASE)
    return float(match[1]) if match else 0.0


# Larger numbers are probably typing errors, and would exhaust the memory.
LONGEST_NGRAM = 100_000
MOST_SAMPLES = 10_000_000


class Options(NamedTuple):
    """A command line and its meaning."""

    setup: rouge155.Setup
    config: str  # the settings file, or the file list
    system: str | None
    every_system: bool
    list_format: str | None  # of a file list; None for settings
    confidence: str  # as typed
    per_eval: bool
    debug: bool


def interpret(parsed: Parsed, home: str | None) -> Options:
    """Return the options of a parsed command line; raise UsageError for invalid values."""
    typed, flags = parsed.values, parsed.flags
    if not parsed.arguments:
        remedy = swallowed_remedy(typed)
        raise UsageError("no settings file (or file list) given", remedy=remedy)
    config, *rest = parsed.arguments
    list_format = typed.get("z")
    if list_format is not None and list_format.lower() not in rouge155.FORMATS:
        raise UsageError(f"-z {list_format}: unknown format; use SEE, SPL, ISI or SIMPLE")
    if list_format is None and "a" not in flags and not rest:
        remedy = swallowed_remedy(typed) or "give its ID after the settings file, or -a for all systems"
        raise UsageError("no system named", remedy=remedy)
    best = typed.get("f") == "B"
    averaging = _number(typed, "t", 0)
    setup = rouge155.Setup(
        metrics=list(_metrics(typed, flags)),
        stem="m" in flags,
        stem_references="M" in flags,
        drop_stop_words="s" in flags,
        limit=_limit(typed),
        best_reference=best,
        alpha=_in_range(typed, "p", 0.5, 1, "weight of precision in F"),
        averaging=int(averaging) if averaging in (1, 2) else rouge155.MEAN_OF_SCORES,
        confidence=_in_range(typed, "c", 95, 100, "confidence level in percent"),
        samples=_samples(typed),
        data_folder=_data_folder(typed, home),
    )
    return Options(
        setup=setup,
        config=config,
        system=rest[0] if rest else None,
        every_system="a" in flags,
        list_format=list_format and list_format.lower(),
        confidence=typed.get("c", "95"),
        per_eval="d" in flags,
        debug="v" in flags,
    )


def swallowed_remedy(values: Mapping[str, str]) -> str:
    """Return the remedy if an option took the settings file or another option as its value; else ''."""
    for letter, value in values.items():
        is_option = value.startswith("-") and value[1:2].isalpha()
        if is_option or os.path.isfile(value) or value.endswith(".xml"):
            return f"option -{letter} took {value!r} as its value: give it one of its own"
    return ""


def _metrics(typed: Mapping[str, str], flags: set[str]) -> Iterator[Metric]:
    """Yield the metrics in the report's order."""
    longest = _number(typed, "n", 0)
    if longest > LONGEST_NGRAM:
        raise UsageError(f"-n {typed['n']}: n-grams longer than {LONGEST_NGRAM} are not counted")
    for n in range(1, int(longest) + 1):
        yield NGram(n)
    if "x" not in flags and "3" not in typed:
        yield Lcs()
    if "w" in typed:
        weight = _number(typed, "w", 0)
        if weight <= 0:
            raise UsageError(f"-w {typed['w']}: ROUGE-W's weight must be above 0")
        yield WeightedLcs(weight, typed["w"])
    if "2" in typed:
        yield from _skip_bigrams(_number(typed, "2", 0), typed["2"], flags)
    if "3" in typed:
        from rouge_cli.metrics.basic_elements import BasicElements

        yield BasicElements(typed["3"])


def _skip_bigrams(value: float, typed: str, flags: set[str]) -> Iterator[SkipBigram]:
    distance = int(value) if value >= 0 else None
    if "u" not in flags:
        yield SkipBigram(distance, unigrams=False, as_typed=typed)
    if flags & {"u", "U"}:
        yield SkipBigram(distance, unigrams=True, as_typed=typed)


def _number(typed: Mapping[str, str], letter: str, default: float) -> float:
    value = number(typed[letter]) if letter in typed else default
    if not isfinite(value):
        raise UsageError(f"-{letter} {typed[letter]}: a finite number is needed")
    return value


def _in_range(typed: Mapping[str, str], letter: str, default: float, highest: float, what: str) -> float:
    value = _number(typed, letter, default)
    if not 0 <= value <= highest:
        raise UsageError(f"-{letter} {typed[letter]}: the {what} must be between 0 and {highest}")
    return value


def _samples(typed: Mapping[str, str]) -> float:
    samples = _number(typed, "r", 1000)
    if samples < 1:
        raise UsageError(f"-r {typed['r']}: the number of bootstrap samples must be at least 1")
    if samples > MOST_SAMPLES:
        raise UsageError(f"-r {typed['r']}: more than {MOST_SAMPLES} bootstrap samples are not drawn")
    return samples


def _limit(typed: Mapping[str, str]) -> Limit | None:
    if "l" in typed and "b" in typed:
        raise UsageError("-l and -b together: limit the length in words or in bytes, not in both")
    for letter in {"l", "b"} & typed.keys():
        from rouge_cli.text.tokens import Limit

        count = _number(typed, letter, 0)
        if count < 0:
            raise UsageError(f"-{letter} {typed[letter]}: the length limit must not be negative")
        return Limit(count, in_words=letter == "l")
    return None


def _data_folder(typed: Mapping[str, str], home: str | None) -> str | None:
    """Return the data folder whose word lists are used; None for the package's lists.

    It is the folder of -e or of the environment, or else the current folder if it has a list. The data
    folder of a home that `rouge-cli home` wrote counts only if a list in it was replaced (QUIRKS 2).
    """
    requested = typed.get("e") or os.environ.get("ROUGE_EVAL_HOME") or os.environ.get("RED_EVAL_HOME")
    folder = requested or "."
    is_ours = home is not None and os.path.realpath(folder) == os.path.join(home, "data")
    if is_ours:
        return folder if data.has_other_lists(folder) else None
    return folder if requested or data.in_folder(folder) else None
