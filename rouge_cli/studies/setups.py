"""Set-ups that studies try: every combination of the values of some axes.

An axis is what varies, such as the stemmer. Each of its values sets options of the
dialect; the usual value comes first. A sweep makes its axes from the user's grid;
identification makes them from the options that a dialect declares.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from rouge_cli import dialects
from rouge_cli.core import Notify, ignore_notice
from rouge_cli.dialects import DialectRun
from rouge_cli.options import Options

# The length limits of shared tasks and papers.
LIMITS = ("none", "75words", "100words", "250words", "665bytes", "75bytes")
# Options of dialects that have no effect on a single eval.
WITHOUT_EFFECT = ("jackknife", "average", "samples", "confidence", "seed")
# Dialects whose stemmer papers rarely use.
_USUALLY_UNSTEMMED = ("rouge2",)
# Declared options that are tried with other values than the default, too.
_ALTERNATIVES: Mapping[str, object] = {
    "blank_sentences": False,
    "case_sensitive": False,
    "exclusive": False,
    "segmenter": "whole",
    "weight_factor": 1.2,
}
_ALTERNATIVES_BY_REFERENCE: Mapping[str, object] = {
    "formula": "best",
    "accumulate": "avg",
}
# Other declared options that a space varies.
VARIED = {
    *("stemmer", "irregular", "stop", "limit", "average", "samples", "sentences"),
    *_ALTERNATIVES,
    *_ALTERNATIVES_BY_REFERENCE,
}
# Declared options that keep their defaults: of averages that papers do not print; of
# words in other languages, for which there is --language; and those that hardly any
# paper changes.
FIXED = {
    *("metrics", "confidence", "seed", "jackknife"),
    *("normalize", "tokenizer", "jieba", "lang", "min_char_length"),
    *("alpha", "beta", "max_skip", "ignore_empty", "ensure_compatibility"),
    *("synonyms", "expand", "least_count", "tagger", "definition"),
}


class Alternative(NamedTuple):
    """A value of an axis."""

    name: str  # as reports and grids have it
    options: Options  # what it sets, of the dialect's options


# What varies -> its values, the usual one first.
Axes = Mapping[str, Sequence[Alternative]]


class Combination(NamedTuple):
    """One value of each axis."""

    values: Mapping[str, str]  # axis -> the name of its value
    options: Options  # of all values
    oddity: int  # the distance from the usual values, which are the first


def combinations(axes: Axes) -> Iterator[Combination]:
    """Yield every combination of the values of the axes; the last axis varies first."""
    for chosen in product(*map(enumerate, axes.values())):
        values = {}
        options: Options = {}
        oddity = 0
        for axis, (index, alternative) in zip(axes, chosen, strict=True):
            values[axis] = alternative.name
            options |= alternative.options
            oddity += index
        yield Combination(values, options, oddity)


class Space(NamedTuple):
    """The axes of the set-ups of one dialect that papers use."""

    counting: Axes  # of options that change the counts
    # Of how several references are combined; a single value if there is one way
    by_reference: Sequence[Alternative]
    averages: Sequence[Alternative]  # of averages over evals
    limits: Sequence[str]  # length limits; only `none` if the dialect has none


@cache
def space(name: str) -> Space:
    """Return the set-ups of a dialect, from the options that it declares."""
    dialect = dialects.named(name)
    declared = dialect.defaults
    usual = Alternative("usual", {})

    counting: dict[str, list[Alternative]] = {}
    if dialect.stemmer:
        counting["stemmer"] = _stemmers(name)
    if dialect.stop_list:
        counting["stop"] = [usual, *stop_alternatives(name)[:1]]
    for option, value in _ALTERNATIVES.items():
        if option in declared:
            counting[option] = [usual, Alternative(str(value), {option: value})]

    by_reference = [usual]
    for option, value in _ALTERNATIVES_BY_REFERENCE.items():
        if option in declared and declared[option] != value:
            by_reference.append(Alternative(str(value), {option: value}))

    averages = [usual]
    if "average" in declared:
        averages = [
            Alternative("macro", {"samples": 0}),
            Alternative("macro, resampled", {"samples": 1000}),
            Alternative("micro", {"average": "micro", "samples": 0}),
            Alternative("micro, resampled", {"average": "micro", "samples": 1000}),
        ]
    limits = LIMITS if "limit" in declared else LIMITS[:1]
    return Space(counting, by_reference, averages, limits)


def _stemmers(name: str) -> list[Alternative]:
    """Return the ways to stem of a dialect with a stemmer, the usual ones first."""
    dialect = dialects.named(name)
    stemmed, unstemmed = stem_alternatives(name)
    ways = [stemmed]
    if "irregular" in dialect.defaults:
        regular = {**stemmed.options, "irregular": "none"}
        ways.append(Alternative("without irregular forms", regular))
    if name in _USUALLY_UNSTEMMED:
        return [unstemmed, *ways]
    return [*ways, unstemmed]


def stem_alternatives(name: str) -> tuple[Alternative, Alternative]:
    """Return the alternatives to stem as the dialect does, and not to stem.

    The first sets an empty value if the dialect does not stem.
    """
    stemmer = dialects.named(name).stemmer
    return Alternative("yes", {"stemmer": stemmer}), Alternative(
        "no", {"stemmer": "none"}
    )


def stop_alternatives(name: str) -> tuple[Alternative, Alternative]:
    """Return the alternatives to drop the stop words of the dialect, and to keep them.

    The first sets an empty value if the dialect has no stop words.
    """
    stop_list = dialects.named(name).stop_list
    return Alternative("yes", {"stop": stop_list}), Alternative("no", {"stop": "none"})


def build(
    dialect: str, options: Mapping[str, object], notify: Notify = ignore_notice
) -> DialectRun:
    """Return the run of a dialect with canonical options, for texts in memory."""
    return dialects.named(dialect).build(dict(options), Counter(), notify)
