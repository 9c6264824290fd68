"""The options of dialect rouge155, for `rouge-cli score` and the Python API.

ROUGE-1.5.5.pl itself has fewer.
"""

import os
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rouge_cli import metrics
from rouge_cli.core import Notify
from rouge_cli.data import word_lists
from rouge_cli.data.berkeley_db import read_hash
from rouge_cli.dialects import Dialect
from rouge_cli.dialects.rouge155.program import Rouge155
from rouge_cli.dialects.rouge155.setup import MEAN_OF_COUNTS, MEAN_OF_SCORES, Setup
from rouge_cli.errors import UsageError
from rouge_cli.io import files
from rouge_cli.io.users_files import users_file
from rouge_cli.options import (
    Options,
    in_range,
    number_with_unit,
    one_of,
    percent,
)
from rouge_cli.text import (
    languages,
    normalization,
    sentences,
    stemmers,
    survey,
    tokenizers,
)
from rouge_cli.text.tokens import Limit

DEFAULTS: Mapping[str, object] = {
    "metrics": ("ROUGE-1", "ROUGE-2", "ROUGE-L"),
    "stemmer": "none",
    "irregular": "full",
    "stop": "none",
    "limit": "none",
    "formula": "average",
    "alpha": 0.5,
    "average": "macro",
    "jackknife": False,
    "confidence": 95.0,
    "samples": 1000,
    "seed": 0,
    "normalize": normalization.NONE,
    "tokenizer": "classic",
    "sentences": "newline",
}
STOP_LISTS = ("none", "rouge")
# The options that ROUGE-1.5.5.pl has, too. If any other option is set, no command is
# equivalent.
EXPRESSIBLE = {
    "metrics",
    "stemmer",
    "irregular",
    "stop",
    "limit",
    "formula",
    "alpha",
    "average",
    "confidence",
    "samples",
}


def complete(options: Options) -> Options:
    """Complete the options for the signature: add checksums to files."""
    irregular, _ = _irregular_forms(options["irregular"])
    stop, _, _ = languages.stop_list(options["stop"], STOP_LISTS)
    return {
        **options,
        "irregular": irregular,
        "stop": stop,
        "normalize": normalization.canonical(options["normalize"]),
    }


def setup(options: Options) -> Setup:
    """Build the setup from canonical options; raise UsageError for invalid values."""
    stemmer, irregular = options["stemmer"], options["irregular"]
    if irregular != "full" and stemmer != "rouge":
        raise UsageError(
            f"irregular:{irregular} has no effect with stemmer:{stemmer}",
            remedy="add --stem (stemmer:rouge), or leave irregular forms out",
        )
    normalize, tokenizer = options["normalize"], options["tokenizer"]
    tokenize = normalization.before(normalize, tokenizers.named(tokenizer))
    limit = None
    if options["limit"] != "none":
        length, unit = number_with_unit(options["limit"], ("words", "bytes"))
        limit = Limit(length, in_words=unit == "words")
    _, irregular_forms = _irregular_forms(irregular)
    own_stemmer = None
    if stemmer not in ("none", "rouge"):
        own_stemmer = stemmers.snowball(stemmer)
    # Beyond this seed the samples of two seeds could overlap.
    highest_seed = 2**32 // max(int(options["samples"]), 1) - 1
    is_macro = one_of(options, "average", "macro", "micro") == "macro"
    averaging = MEAN_OF_SCORES if is_macro else MEAN_OF_COUNTS
    return Setup(
        metrics=[metrics.parse(label) for label in options["metrics"]],
        stem=stemmer != "none",
        stemmer=own_stemmer,
        irregular=irregular_forms,
        drop_stop_words=options["stop"] != "none",
        stop_words=_stop_words(options["stop"], tokenize),
        limit=limit,
        best_model=one_of(options, "formula", "average", "best") == "best",
        alpha=in_range(options, "alpha", 0, 1),
        averaging=averaging,
        confidence=percent(in_range(options, "confidence", 0, 100)),
        samples=in_range(options, "samples", 0, 10_000_000),
        seed=int(in_range(options, "seed", 0, highest_seed)),
        tokenize=tokenize,
        split=sentences.named(options["sentences"]),
        survey=partial(
            survey.survey, ascii_only=tokenizer == "classic", normalize=normalize
        ),
        fold=partial(normalization.folded, tokenizer, normalize),
        tokenizer=tokenizer,
        normalize=normalize,
        sentences=options["sentences"],
    )


def build(options: Options, uses: Counter[str], notify: Notify) -> Rouge155:
    """Build a run of the dialect from canonical options; raise UsageError for
    invalid values.
    """
    run_setup = setup(options)
    if run_setup.irregular is not None and options["irregular"] != "none":
        remedy = (
            "leave irregular out for the release's scores, or use irregular:none for"
            " none of the forms"
        )
        word_lists.report_other_forms(
            _path(options["irregular"]), run_setup.irregular, remedy, notify
        )
    return Rouge155(run_setup, uses, notify)


def command_line(options: Options) -> str | None:
    """Return the ROUGE-1.5.5.pl command that prints the same numbers, or None if
    there is none.
    """
    arguments = _metric_arguments(
        [metrics.parse(label) for label in options["metrics"]]
    )
    if (
        arguments is None
        or any(options[name] != DEFAULTS[name] for name in options.keys() - EXPRESSIBLE)
        or options["samples"] < 1
        or options["stemmer"] not in ("none", "rouge")
        or options["stop"] not in STOP_LISTS
    ):
        return None
    if options["irregular"] != "full":
        folder, name = os.path.split(_path(options["irregular"]))
        # -e takes both lists from the folder. The database must have the release's file
        # name.
        if name != word_lists.IRREGULAR_FORMS or options["stop"] != "none":
            return None
        arguments += ["-e", folder or "."]
    if options["stemmer"] == "rouge":
        arguments.append("-m")
    if options["stop"] == "rouge":
        arguments.append("-s")
    if options["limit"] != "none":
        length, unit = number_with_unit(options["limit"], ("words", "bytes"))
        arguments += ["-l" if unit == "words" else "-b", f"{length:g}"]
    if options["average"] == "micro":
        arguments += ["-t", "1"]
    for letter, name in (("c", "confidence"), ("r", "samples"), ("p", "alpha")):
        arguments += [f"-{letter}", f"{options[name]:.15g}"]
    arguments += ["-f", "B" if options["formula"] == "best" else "A"]
    arguments += ["-a", "settings.xml"]
    return shlex.join(["ROUGE-1.5.5.pl", *arguments])


def _metric_arguments(chosen: Sequence[metrics.Metric]) -> list[str] | None:
    """Return the arguments that select the metrics, or None if no arguments do.

    The arguments may select further metrics: -n 3 selects ROUGE-1 and ROUGE-2, too.
    """
    values: dict[str, set[str]] = {"-n": set(), "-w": set(), "-2": set(), "-3": set()}
    has_rouge_l = False
    skips_with_unigrams = set()  # whether a ROUGE-S has them, of all
    for metric in chosen:
        if metric.command_words is None:
            return None
        if not metric.command_words:
            has_rouge_l = True
            continue
        option, value, *flags = metric.command_words
        if option not in values:
            return None
        values[option].add(value)
        if option == "-2":
            skips_with_unigrams.add("-u" in flags)

    longest = max(map(int, values.pop("-n")), default=0)
    command = []
    if longest:
        command += ["-n", str(longest)]
    # ROUGE-L has no argument: it is computed unless -x is set.
    if not has_rouge_l:
        command.append("-x")
    for option, distinct in values.items():
        if len(distinct) > 1:
            return None
        for value in distinct:
            command += [option, value]
        if option == "-2" and True in skips_with_unigrams:
            command.append("-U" if len(skips_with_unigrams) > 1 else "-u")
    return command


def _path(signed: str) -> str:
    """Return the path of a value `file:PATH#CHECKSUM`; empty for other values."""
    return signed.removeprefix("file:").rpartition("#")[0]


def _irregular_forms(name: str) -> tuple[str, Mapping[bytes, bytes] | None]:
    """Return the value for the signature, and the forms; None instead of the
    package's forms.
    """
    if name == "full":
        return name, None
    if name == "none":
        return name, {}
    if not name.startswith("file:"):
        raise UsageError(
            f"unknown irregular forms {name!r}", remedy="use full, none, or file:PATH"
        )
    signed, content, path = users_file(name, "database of irregular forms")
    return signed, read_hash(content, path)


def _stop_words(
    name: str, tokenize: Callable[[bytes], Sequence[bytes]]
) -> frozenset[bytes] | None:
    """Return the token of each line of a list, or the line unless it is one token;
    None for our lists.
    """
    _, content, path = languages.stop_list(name, STOP_LISTS)
    if not path:
        return None
    words = set()
    for line in files.as_text(content, path).splitlines():
        tokens = tokenize(line)
        words.add(tokens[0] if len(tokens) == 1 else line.strip())
    return frozenset(words)


DIALECT = Dialect(
    DEFAULTS,
    lambda label: metrics.parse(label).label,
    build,
    complete,
    stemmer="rouge",
    stop_list="rouge",
    draws_by_id=True,  # QUIRKS 28
    command_line=command_line,
)
