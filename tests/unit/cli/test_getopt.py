"""Options are parsed as Perl's Getopt::Std does, and numbers as Perl does."""

import math

import pytest
from case_tables import tabled

from rouge_cli.cli.rouge155 import Parsed, number, parse
from rouge_cli.errors import UsageError

LETTERS = "ahc:n:z2:"  # z is the last flag, 2 the last option with a value


def parsed(*words: str) -> tuple[dict[str, str], str, str, list[str]]:
    """Return values, flags, unknown letters and arguments."""
    values, flags, unknown, arguments = parse(words, LETTERS)
    return values, "".join(sorted(flags)), "".join(unknown), arguments


@tabled
def test_options_are_read_as_perl_does(
    words: str, values: dict[str, str], flags: str, arguments: str
) -> None:
    """Clusters, joined values, values with dashes and both ends of the options are
    Getopt::Std's.
    """
    assert (values, flags, "", arguments.split()) == parsed(*words.split())


def test_words_may_hold_anything() -> None:
    """A value may be empty or contain blanks, and an empty word is an argument."""
    assert ({"n": "", "c": "9 5"}, "a", "", ["", "-h"]) == parsed(
        "-n", "", "-c9 5", "-a", "", "-h"
    )


@tabled
def test_unknown_letters_are_skipped(
    words: str, unknown: str, flags: str, arguments: str
) -> None:
    """A letter that is not an option is reported, and consumes nothing else."""
    assert ({}, flags, unknown, arguments.split()) == parsed(*words.split())


@pytest.mark.parametrize("words", ["-a- -h x", "-q- -h x", "--- -h x"])
def test_a_dash_at_a_clusters_end_ends_the_options(words: str) -> None:
    """The rest of a cluster is read as a word of its own, so that `-a-` is `-a --`."""
    _, flags, _, arguments = parsed(*words.split())

    assert ("h" in flags, ["-h", "x"]) == (False, arguments)


@pytest.mark.parametrize("words", [["-n"], ["-an"], ["-c", "1", "-2"]])
def test_a_missing_value_is_refused(words: list[str]) -> None:
    """An option without its value at the end of the command line is a usage error
    that names it.
    """
    with pytest.raises(UsageError, match=f"option -{words[-1][-1]} needs a value"):
        parse(words, LETTERS)


def test_the_words_are_left_alone() -> None:
    """Parsing options does not change the list that is passed."""
    words = ["-a", "x"]

    assert Parsed({}, {"a"}, [], ["x"]) == parse(words, LETTERS)
    assert words == ["-a", "x"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4.0), ("-1", -1.0), ("+1.20", 1.2), (" \t\n2", 2.0), (".5", 0.5), ("5.", 5.0), ("1e1", 10.0),
        ("1E-1x", 0.1), ("2abc", 2.0), ("2.7.1", 2.7), ("1e", 1.0), ("1e+", 1.0), ("1_000", 1.0),
        ("0x10", 0.0), ("1,5", 1.0), ("", 0.0), ("x1", 0.0), (".", 0.0), ("-", 0.0), ("- 1", 0.0),
        ("--1", 0.0), ("e5", 0.0), ("٣", 0.0), ("1e999", math.inf), ("-Infinity", -math.inf),
        ("inf", math.inf),
    ],
)  # fmt: skip
def test_numbers_are_longest_prefixes(text: str, value: float) -> None:
    """A string is the number that it starts with, as Perl reads it, and 0 if there
    is none.
    """
    assert value == number(text)[0]


def test_nan_is_recognizable() -> None:
    """Perl reads nan as a number, and the caller can tell so and refuse it."""
    assert math.isnan(number("NaN")[0])
