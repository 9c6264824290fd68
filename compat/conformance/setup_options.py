"""Command lines for drawn set-ups: every option, in every form that getopt reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

Option = tuple[str, str | None]

# Values that Perl reads as the number that they start with (none: 0), with plain ones.
# Never drawn: nan and inf, which Perl reads as such (-n inf never ends); -v, whose
# output shows Perl's hash order (spec, last section); -h and -H, whose text is ours
# (spec, Golden data); --help and --version, which Perl's own Getopt::Std answers, and
# goes on.
GRAMS = (
    "1",
    "2",
    "3",
    "4",
    "0",
    "2.7",
    "1e0",
    " 2",
    "+3",
    "0x10",
    "2abc",
    "-1",
    ".5",
    "",
    "x",
)
WEIGHTS = (
    "1",
    "1.2",
    "1.20",
    "2",
    "0.5",
    "3",
    "1.5",
    " 2",
    "+1.2",
    ".5",
    "12e-1",
    "1.2abc",
    "01",
)
SKIPS = ("-1", "0", "1", "4", "9", "04", "+2", " 1", "1.5", "-5", "-0", "-0.5", "2abc", "", "x",
         "0x10", "1e0", "-2 ")  # fmt: skip
LEVELS = (
    "95",
    "0",
    "100",
    "33.3",
    "90.0",
    "99",
    "1e1",
    " 95",
    "+90",
    ".5",
    "5abc",
    "",
    "0x10",
)
# Never drawn: fewer than one sample, which this project refuses (spec, Corners); many
# only take long.
SAMPLES = (
    "1",
    "2",
    "10",
    "37",
    "100",
    "10.5",
    "1.5",
    "2.9",
    "1e1",
    " 3",
    "+4",
    "10x",
    "1000",
)
# Never drawn: negative limits, which this project refuses (spec, Corners).
WORD_LIMITS = (
    "0",
    "1",
    "2",
    "3",
    "5",
    "8",
    "13",
    "40",
    "2.5",
    ".5",
    "1e1",
    " 4",
    "6abc",
    "",
    "x",
)
BYTE_LIMITS = (
    "0",
    "1",
    "5",
    "10",
    "20",
    "33",
    "60",
    "665",
    "7.5",
    "2e1",
    " 9",
    "+12",
    "0x9",
    "",
)
ALPHAS = (
    "0",
    "1",
    "0.5",
    "0.8",
    "0.25",
    ".3",
    "1.0",
    "1e-1",
    " 0.7",
    "+.2",
    "0.9abc",
    "",
    "x",
)
FORMULAS = ("A", "B", "B", "b", "C", "", "AB")
UNITS = (
    "0",
    "1",
    "2",
    "1",
    "2",
    "9",
    "1.0",
    "2.0",
    "01",
    " 2",
    "1abc",
    "0.9",
    "",
    "x",
    "-1",
)
MODES = (
    "H",
    "HM",
    "HMR",
    "HM1",
    "HMR1",
    "HMR2",
    "HM",
    "HMR",
    "hm",
    "XX",
    "",
    "0",
    "HM ",
)

# Recall to the power of 1/W, or counts to the power of W, then have up to 64 bits or
# more. Never drawn: weights that give infinite counts, whose undefined averages come in
# the order of Perl's sort (QUIRKS 29).
HEAVY_WEIGHTS = ("0.1", "3", "4", "0.12", "5", "3", "0.15", "0.08", "6", "4", "3.5", "0.2", "3.0", "10",
                 "2.5", "12", "7", "3e0", "5x", "0.05", "33", "50", "0.01", "2.2", "9.5", " 4",
                 "6 ")  # fmt: skip

DECOYS = ("0", "1", "-1", "999", "x", "")
# Letters that are not options. In a cluster, neither is a dash; nor is a colon, but
# Perl's Getopt::Std does not even report that.
UNKNOWN = "qkgj9A?=-:"


def options(rng: Random, form: str) -> list[Option]:
    """Draw what to measure, and how; at first in no order."""
    result = _measures(rng, form)
    result += _maybe(rng, "c", LEVELS, 0.3) + _maybe(rng, "p", ALPHAS, 0.3)
    result += _maybe(rng, "t", UNITS, 0.3) + _maybe(rng, "f", FORMULAS, 0.4)
    result += _maybe(rng, "r", SAMPLES, 0.8)
    result += _maybe(rng, "d", (None,), 0.5) + _maybe(rng, "s", (None,), 0.3)
    # Never both: the two together are undefined (spec, Command line).
    stems = rng.random()
    result += [("m", None)] if stems < 0.4 else [("M", None)] if stems < 0.5 else []
    # Never both: an error, and as such one of the mishaps.
    limit = rng.random()
    if limit < 0.3:
        result += (
            _maybe(rng, "l", WORD_LIMITS)
            if limit < 0.15
            else _maybe(rng, "b", BYTE_LIMITS)
        )
    return result


def heavy_options(rng: Random) -> list[Option]:
    """Draw ROUGE-W with a heavy weight, and options that print its counts and
    averages.
    """
    result = [
        ("w", _value(rng, HEAVY_WEIGHTS)),
        ("r", rng.choice(("1", "2", "10", "37", "100", "10.5"))),
    ]
    result += _maybe(rng, "t", ("0", "1", "2", "1", "2"), 0.7) + _maybe(
        rng, "f", ("A", "B"), 0.5
    )
    result += _maybe(rng, "d", (None,), 0.9) + _maybe(rng, "x", (None,), 0.8)
    result += _maybe(rng, "p", ALPHAS, 0.3) + _maybe(rng, "c", LEVELS, 0.3)
    return (
        result
        + _maybe(rng, "m", (None,), 0.2)
        + _maybe(rng, "l", ("40", "100", "300"), 0.1)
    )


def _measures(rng: Random, form: str) -> list[Option]:
    if form == "SIMPLE":
        # BE files are an error to every other measure.
        others = _maybe(rng, "x", (None,), 0.3) + _maybe(rng, "u", (None,), 0.1)
        return [("3", _value(rng, MODES)), *others]
    result = _maybe(rng, "n", GRAMS, 0.7) + _maybe(rng, "x", (None,), 0.3)
    # Rarely: an empty model stops the original in ROUGE-W, and then there is little to
    # compare.
    result += _maybe(rng, "w", WEIGHTS, 0.25) + _maybe(rng, "2", SKIPS, 0.5)
    if result == [("x", None)] and rng.random() < 0.8:
        # Without measures nothing is printed, not even about missing files.
        result = []
    return result + _maybe(rng, "u", (None,), 0.3) + _maybe(rng, "U", (None,), 0.3)


def _maybe(
    rng: Random, letter: str, values: Sequence[str | None], chance: float = 1.0
) -> list[Option]:
    return [(letter, _value(rng, values))] if rng.random() < chance else []


def _value(rng: Random, values: Sequence[str | None]) -> str | None:
    """Return one of the values, mostly one of the plain ones, which come first."""
    return rng.choice(values[: len(values) // 2 + 1] if rng.random() < 0.7 else values)


def words(rng: Random, drawn: Sequence[Option], *, plain: bool = False) -> list[str]:
    """Return the options as words, in any order: clustered, joined to their values,
    repeated.

    The last option has its value: without it this project refuses and the original goes
    on (spec, Corners).

    plain: each once, and no unknown ones.
    """
    order = list(drawn)
    rng.shuffle(order)
    for letter, value in drawn:
        if value is not None and rng.random() < 0.04 and not plain:
            # The last one counts; the values of the others are not even read.
            place = order.index((letter, value))
            order.insert(rng.randint(0, place), (letter, rng.choice(DECOYS)))
    result: list[str] = []
    cluster = ""
    for letter, value in order:
        cluster += letter if plain else _unknown(rng) + letter
        if value is None and rng.random() < 0.4:
            continue
        result += _spelled(rng, cluster, value)
        cluster = ""
    if cluster:
        result.append(f"-{cluster}")
    return result + (["--"] if rng.random() < 0.05 else [])


def _unknown(rng: Random) -> str:
    return rng.choice(UNKNOWN) if rng.random() < 0.01 else ""


def _spelled(rng: Random, cluster: str, value: str | None) -> list[str]:
    """Return `-c VALUE`, or `-cVALUE`, which an empty value does not allow."""
    if value is None:
        return [f"-{cluster}"]
    return (
        [f"-{cluster}{value}"]
        if value and rng.random() < 0.3
        else [f"-{cluster}", value]
    )


def target(
    rng: Random, systems: Sequence[str], *, as_list: bool
) -> tuple[list[Option], list[str]]:
    """Select the system by an option (-a), and by words that follow the settings
    file.
    """
    if as_list:
        # Not two words: the original then evaluates no file, for a system that the
        # first one names.
        flag: list[Option] = [("a", None)] if rng.random() < 0.2 else []
        return flag, rng.choice(([], [], ["26"], ["my sys"], ["X"], [""], ["-d"]))
    if rng.random() < 0.6:
        return [("a", None)], rng.choice(([], [], [], [systems[0]], ["-x", "2"]))
    if rng.random() < 0.1:
        # In no evaluation: all zeros, and a warning for each.
        return [], [rng.choice(("nosuch", "-a", ""))]
    return [], [
        rng.choice(systems),
        *rng.choice(([], [], [], [], ["more"], ["-n", "1"])),
    ]
