"""The check for options that have no effect together with the rest of a command line, by RULES.

A command names its circumstances; an option that does not always apply must be in one of these rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping


class Rule(NamedTuple):
    """Options without an effect: their names, separated by blanks.

    why: the end of the message, after the option's name, as in "with csv, which is unrounded".
    """

    options: str
    why: str
    remedy: str = "leave it out"


_PATTERNS = "--peer-pattern --model-pattern"
_COLUMNS = "--peer-column --model-column --model-lists --id-column --system-column"
_INPUTS = f"--peers --models --hyp --ref --input --read-as --encoding {_PATTERNS} {_COLUMNS}"
_SCORING = (
    "--dialect --stemmer --stop --stop-words --limit --tokenizer --sentences --formula --alpha --beta "
    "--jackknife --set --like --recipe"
)
_REPORT = "--format --per-eval --score-only --baseline --digits --scale --intervals --ranks --plot"
_NO_AVERAGES = "with --per-eval in this format, which leaves averages out"

RULES: Mapping[str, Rule] = {
    # Inputs.
    "records": Rule(
        f"--read-as {_PATTERNS}", "with jsonl, json, csv, tsv or parquet, whose texts are in columns"
    ),
    "parquet": Rule("--encoding", "with parquet, whose texts are UTF-8"),
    "settings": Rule(
        f"--read-as {_PATTERNS} {_COLUMNS}", "with settings XML, which names files and their format"
    ),
    "list": Rule(f"{_PATTERNS} {_COLUMNS}", "with a file list, which names files"),
    "--peers and --models": Rule(f"--input {_COLUMNS}", "with --peers and --models"),
    "one file of models": Rule(_PATTERNS, "with one file of models, which is one eval"),
    "--hyp and --ref": Rule(
        f"--input --read-as {_PATTERNS} {_COLUMNS}", "with --hyp and --ref, a text a line"
    ),
    "saved": Rule(
        f"{_INPUTS} {_SCORING} --stem --irregular --normalize --samples",
        "with saved scores, which are not scored again",
        "leave it out, or name the texts",
    ),
    # Reports of scores.
    "score_only": Rule(
        "--format --per-eval --metric --confidence", "with --score-only, which prints one bare average"
    ),
    "classic": Rule(
        "--baseline --digits --scale", "with the classic report, which has its own order and digits"
    ),
    "unrounded": Rule("--digits", "with a format that does not round"),
    "evals alone": Rule("--average --confidence --seed", _NO_AVERAGES, "use --format json"),
    "evals resampled": Rule("--samples", _NO_AVERAGES, "use --format json"),
    "no samples": Rule(
        "--confidence --seed --intervals", "without resampling", "leave it out, or add --samples 1000"
    ),
    "stdout": Rule("--depfile", "with a report on stdout", "name its file with -o"),
    "counts": Rule(_REPORT, "with --counts, which writes no report", "give it to merge"),
    "all metrics": Rule(
        "--metric",
        "with a format that has all metrics",
        "leave it out, or use text or latex",
    ),
    "scheduler": Rule("--jobs", "with --scheduler, which has workers of its own"),
    # Other commands.
    "everything shown": Rule("--all", "with a format that always holds everything"),
    "not for papers": Rule(
        "--digits --scale --intervals --ranks",
        "with a format that is not a paper's table",
        "use --format latex or markdown",
    ),
    "no paper's table": Rule(
        "--intervals --ranks", "with a format that is not a paper's table", "use --format latex or markdown"
    ),
    "intervals left out": Rule("--confidence", "without intervals", "leave it out, or add --intervals"),
    "people not marked": Rule(
        "--human", "in a table or csv, where people are not marked", "use --format json or --plot"
    ),
    "baseline": Rule("--all-pairs --plot-matrix", "with --baseline, which leaves pairs out", "give one"),
    "figures named": Rule("--measure", "with figures that -m names already"),
    "no human scores": Rule(
        "--human-score --human-id-column --human-system-column --human-encoding", "without --human FILE"
    ),
    "no bootstrap": Rule("--confidence --over --seed", "with --samples 0"),
    "dialects": Rule(
        f"--metric --all {_SCORING}", "with --dialects, which prints default scores as a table"
    ),
    "texts of one pair": Rule(
        f"--peers --models --hyp --ref --input --encoding {_PATTERNS} {_COLUMNS} --system --rename --eval "
        "--peer-id",
        "with the texts of one pair",
        "leave it out, or name an eval of an input by --eval",
    ),
    "check": Rule(
        f"--peers --models --jackknife --read-as {_PATTERNS}",
        "with --check, which reads settings and writes none",
    ),
    "check of all systems": Rule(
        "-o",
        "with --check, which reads settings and writes none",
        "leave it out, or name a system with --system, whose part is written",
    ),
    "no check": Rule("--format --depfile --target --system", "without --check FILE"),
    "no depfile": Rule("--target --system", "without --depfile FILE"),
    "no alignments": Rule("--alignments", "with a format that has no alignments", "use text or json"),
    "tagged": Rule("--tagger", "with --tagged texts, which need no tagger"),
    "untagged": Rule("--tagger", "without topics or synonyms of WordNet, which alone need tags"),
    "program": Rule("--expand --least-count", "with --compatible, which expands as the Java program does"),
    "no synonyms": Rule("--expand --least-count", "without synonyms", "add --synonyms wordnet"),
    "no WordNet": Rule("--least-count", "without WordNet, whose words alone are counted"),
}


def check(*circumstances: str) -> None:
    """Raise UsageError for the first typed option that has no effect under one of these circumstances."""
    context = click.get_current_context()
    typed = {
        name: param.opts[-1]
        for param in context.command.params
        if context.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        for name in (param.opts if isinstance(param, click.Option) else ())
    }
    for rule in (RULES[name] for name in circumstances if name in RULES):
        for option in rule.options.split():
            if option in typed:
                raise UsageError(f"{option} {rule.why}", remedy=rule.remedy)
