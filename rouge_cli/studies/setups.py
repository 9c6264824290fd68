"""The set-ups of a dialect that studies try: combinations of its options."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
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


class Space(NamedTuple):
    """The set-ups of one dialect: every combination of one element of each list."""

    counting: Sequence[Sequence[Options]]  # lists of options that change the counts
    averages: Sequence[Options] = ({},)  # options of averages over evals
    limits: Sequence[str] = ()  # length limits; empty if the dialect has none
    by_reference: Sequence[Options] = ({},)  # options that combine several references


@cache
def space(name: str) -> Space:
    """Return the set-ups of a dialect, from the options that it declares."""
    dialect = dialects.named(name)
    declared = dialect.defaults
    counting = [_stemmers(name)]
    if dialect.stop_list:
        counting.append([{}, {"stop": dialect.stop_list}])
    for option, value in _ALTERNATIVES.items():
        if option in declared:
            counting.append([{}, {option: value}])
    by_reference: list[Options] = [{}]
    for option, value in _ALTERNATIVES_BY_REFERENCE.items():
        if option in declared and declared[option] != value:
            by_reference.append({option: value})
    averages: list[Options] = [{}]
    if "average" in declared:
        averages = [
            {"samples": 0},
            {"samples": 1000},
            {"average": "micro", "samples": 0},
            {"average": "micro", "samples": 1000},
        ]
    limits = LIMITS if "limit" in declared else ()
    return Space(counting, averages, limits, by_reference)


def _stemmers(name: str) -> list[Options]:
    """Return the options of stemming, the usual ones first."""
    dialect = dialects.named(name)
    if not dialect.stemmer:
        return [{}]
    stemmed: list[Options] = [{"stemmer": dialect.stemmer}]
    if "irregular" in dialect.defaults:
        stemmed.append({"stemmer": dialect.stemmer, "irregular": "none"})
    unstemmed: Options = {"stemmer": "none"}
    if name in _USUALLY_UNSTEMMED:
        return [unstemmed, *stemmed]
    return [*stemmed, unstemmed]


def build(
    dialect: str, options: Mapping[str, object], notify: Notify = ignore_notice
) -> DialectRun:
    """Return the run of a dialect with canonical options, for texts in memory."""
    return dialects.named(dialect).build(dict(options), Counter(), notify)
