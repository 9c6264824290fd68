"""The options of `rouge-cli score --dialect rouge2` and `rouge-cli rouge2`.

A label selects stop words, stems or synonyms, and an option the list or method. An option that no
label selects applies to all labels: `--stop-words FILE -m ROUGE-1` is `ROUGE-1+StopWordRemoval`.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from rouge_cli import data
from rouge_cli.data import wordnet
from rouge_cli.dialects import Dialect
from rouge_cli.dialects.rouge2 import labels, preparation
from rouge_cli.dialects.rouge2.counts import Synonyms
from rouge_cli.dialects.rouge2.preparation import Preprocessing
from rouge_cli.dialects.rouge2.program import TAGGED, Rouge2
from rouge_cli.errors import UsageError, all_of
from rouge_cli.io import files
from rouge_cli.options import in_range, one_of, percent, users_file
from rouge_cli.text import stemmers, tagging, tokenizers

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rouge_cli.core import Notify
    from rouge_cli.dialects.rouge2.labels import Measure
    from rouge_cli.options import Options

DEFAULTS: Mapping[str, Any] = {
    "metrics": ("ROUGE-1", "ROUGE-2", "ROUGE-1+Synonyms", "ROUGE-Topic{NN|JJ}", "ROUGE-TopicUniq{NN|JJ}"),
    "stemmer": "none",
    "stop": "none",
    "synonyms": "none",
    "expand": "both",
    "least_count": wordnet.LEAST,
    "tagger": "none",
    "definition": "paper",
    "tokenizer": "rouge2",
    "sentences": "newline",
    "alpha": 0.5,
    "jackknife": False,
    "confidence": 95.0,
    "samples": 0,
    "seed": 0,
}
STEMMER = "snowball:english"  # the meaning of `--stem`
STOP_LIST = "glasgow"  # the meaning of `--stop`
LISTS = {"glasgow": "stop_words_glasgow.txt", "rouge": "stop_words.txt"}
parse = labels.parse
WORDNET, TAGGER, PROGRAM = "wordnet", "embedded", "program"


def complete(options: Options) -> Options:
    """Return the options as the signature has them: only those that the labels use are named.

    A user's own stop lists and dictionaries are listed with a checksum.
    """
    measures = [parse(label) for label in options["metrics"]]
    preprocessing: dict[str, str] = {}
    for field, name, usual in (
        ("stop", "stop", STOP_LIST),
        ("stem", "stemmer", STEMMER),
        ("synonyms", "synonyms", WORDNET),
    ):
        preprocessing[name] = options[name]
        if not any(getattr(measure, field) for measure in measures):
            if options[name] != "none":
                applied: Any = {field: True}
                measures = [measure._replace(**applied) for measure in measures]
        elif options[name] == "none":
            preprocessing[name] = usual
    tagger = options["tagger"]
    if tagger not in ("none", TAGGED):
        tagging.check(tagger)  # even if no measure needs it
    if tagger != TAGGED:
        needed = (
            any(measure.kind == labels.TOPIC for measure in measures)
            or _wordnet(preprocessing["synonyms"]) is not None
        )
        tagger = "none" if not needed else TAGGER if tagger == "none" else tagger
    return {
        **options,
        "metrics": tuple(dict.fromkeys(measure.label for measure in measures)),
        **preprocessing,
        "stop": _signed(preprocessing["stop"], "stop list", (*LISTS, "none")),
        "synonyms": _signed_synonyms(preprocessing["synonyms"]),
        "tagger": tagger,
        # The program expands only the words of the system (QUIRKS 53).
        "expand": "peer" if options["definition"] == PROGRAM else options["expand"],
    }


def build(options: Options, uses: Counter[str], notify: Notify) -> Rouge2:
    """Build the dialect for a run; raise UsageError for invalid values."""
    program = one_of(options, "definition", "paper", PROGRAM) == PROGRAM
    for name in ("tokenizer", "sentences") if program else ():
        if options[name] != DEFAULTS[name]:
            raise UsageError(
                f"{name}:{options[name]} has no effect with definition:{PROGRAM}", remedy="leave it out"
            )
    for name, low, high in (
        ("alpha", 0, 1),
        ("confidence", 0, 100),
        ("samples", 0, 10_000_000),
        ("seed", 0, 2**32 // max(options["samples"], 1) - 1),
        ("least_count", 0, 10_000_000),
    ):
        in_range(options, name, low, high)
    percent(options["confidence"])
    expand = one_of(options, "expand", "both", "peer", "model")
    tokenize = tokenizer(options["tokenizer"])
    measures = [parse(label) for label in options["metrics"]]
    all_of(partial(_check_topics, measure, program=program) for measure in measures)
    stem = stemmer(options["stemmer"])
    names: dict[str, list[str]] = {}
    tag = None
    if options["tagger"] not in ("none", TAGGED):
        tagger = tagging.named(options["tagger"])
        names["tagger"] = [tagger.name]
        tag = tagger.tag
    own = _dictionary(options["synonyms"], tokenize)
    return Rouge2(
        options,
        Preprocessing(tag, _stop_words(options["stop"]), stem, program),
        Synonyms(
            _expansions(options, own, names),
            _of_stems(own, stem),
            stem,
            peer=expand != "model",
            model=expand != "peer",
        ),
        tokenize,
        uses,
        notify,
        names,
    )


def tokenizer(name: str) -> Callable[[str], Sequence[str]]:
    """Return a function that splits a line into words; raise UsageError for an unknown name."""
    if name == "rouge2":
        return preparation.words
    tokenize = tokenizers.named(name)
    return lambda line: [token.decode() for token in tokenize(line.encode())]


def _check_topics(measure: Measure, *, program: bool) -> None:
    """Raise UsageError for tags that the definition cannot read."""
    if measure.kind != labels.TOPIC or labels.PREFIXES.fullmatch(measure.tags):
        return
    what = f"{measure.label}: {measure.tags!r} is not a list of tags"
    remedy = "write beginnings of Penn tags separated by |, such as NN|JJ"
    if not program:
        raise UsageError(what, remedy=remedy)
    try:
        re.compile(measure.tags)
    except re.error as error:
        raise UsageError(f"{what}, nor a regular expression ({error})", remedy=remedy) from None


def stemmer(name: str) -> Callable[[str], str]:
    """Return the stemmer of a name, for words as text; raise UsageError for an unknown name."""
    if name == "none":
        return str
    if not name.startswith("snowball:"):
        raise UsageError(f"unknown stemmer {name!r}", remedy="use none, or snowball:LANGUAGE")
    stem = stemmers.snowball(name)
    return lru_cache(maxsize=500_000)(lambda word: stem(word.encode()).decode())


def _stop_words(name: str) -> frozenset[str]:
    if name == "none":
        return frozenset()
    if name in LISTS:
        lines = data.read(LISTS[name]).decode().splitlines()
    else:
        signed, content = users_file(name, "stop list")
        lines = files.as_text(content, _path(signed)).decode().splitlines()
    return frozenset(preparation.fold(line.strip()) for line in lines if line.strip())


def _path(signed: str) -> str:
    """Return the path in `file:PATH#0123abcd`."""
    return signed.removeprefix("file:").rpartition("#")[0]


def _signed(name: str, role: str, names: Iterable[str]) -> str:
    """Return a valid name, or `file:PATH` with its checksum; raise UsageError for others."""
    if name in names:
        return name
    if not name.startswith("file:"):
        raise UsageError(f"unknown {role} {name!r}", remedy=f"use {', '.join(names)}, or file:PATH")
    return users_file(name, role)[0]


def _wordnet(synonyms: str) -> str | None:
    """Return the folder of WordNet in `wordnet`, `wordnet:FOLDER`, or one of these with `,file:PATH`."""
    source = synonyms.partition(",file:")[0]
    kind, _, folder = source.partition(":")
    return folder if kind == WORDNET else None


def _signed_synonyms(synonyms: str) -> str:
    if synonyms == "none":
        return synonyms
    source, comma, path = synonyms.partition(",file:")
    if _wordnet(source) is None:
        return _signed(synonyms, "dictionary of synonyms", ("none", WORDNET))
    return source + (f",{users_file(f'file:{path}', 'dictionary of synonyms')[0]}" if comma else "")


def _dictionary(synonyms: str, tokenize: Callable[[str], Sequence[str]]) -> Mapping[str, frozenset[str]]:
    """Return the user's own synonyms; none if no file is named."""
    if "file:" not in synonyms:
        return {}
    signed, content = users_file(synonyms[synonyms.index("file:") :], "dictionary of synonyms")
    return preparation.dictionary(content, _path(signed), tokenize)


def _expansions(
    options: Options, own: Mapping[str, frozenset[str]], names: dict[str, list[str]]
) -> Callable[[str, str], Iterable[str]]:
    """Return a function from a word and its part of speech to synonyms from the dictionary and WordNet."""
    folder = _wordnet(options["synonyms"])
    nothing: frozenset[str] = frozenset()
    if folder is None:
        return lambda word, _: own.get(word, nothing)
    database = wordnet.load(folder)
    names["wordnet"] = [database.name]
    rule, least = options["definition"], int(options["least_count"])

    def both(word: str, part: str) -> frozenset[str]:
        synonyms = database.synonyms(word, part, rule, least) if part else nothing
        return synonyms | own.get(word, nothing)

    return both


def _of_stems(
    own: Mapping[str, frozenset[str]], stem: Callable[[str], str]
) -> Mapping[str, frozenset[str]]:
    """Return the dictionary by stems, so that it has inflected words too."""
    synonyms: dict[str, set[str]] = {}
    for word, others in own.items():
        synonyms.setdefault(stem(word), set()).update(map(stem, others))
    return {word: frozenset(others) for word, others in synonyms.items()}


DIALECT = Dialect(
    DEFAULTS,
    parse,
    build,
    complete,
    labels=labels.LABELS,
    help=labels.__doc__ or "",
    stemmer=STEMMER,
    stop_list=STOP_LIST,
)
