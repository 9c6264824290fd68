"""ROUGE 2.0 (Ganesan 2015): ROUGE with synonyms, and of topics by part of speech.

ROUGE-1+Synonyms matches words with their synonyms, one to one. ROUGE-Topic{NN|JJ} and
ROUGE-TopicUniq{NN|JJ} score only words of some parts of speech. ROUGE-N, L, S and SU
exist, too. All metrics accept any combination of +StopWordRemoval, +Stemming and
+Synonyms. Units never cross the end of a line. With several references, recall and
precision are means. The definitions are the paper's, or with `definition` program those
of its Java program 1.2.2; the two differ (docs/how-to/rouge2.md). Topics and synonyms
depend on the tagger and on the WordNet: report which you used. The signature names
them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain
from math import nan
from typing import Any

from rouge_cli import data
from rouge_cli.core import (
    Average,
    Counts,
    Document,
    EvalTask,
    Notice,
    Notify,
    Score,
    Text,
    number,
    terms,
)
from rouge_cli.data import wordnet
from rouge_cli.dialects._base import Dialect, combine
from rouge_cli.dialects._run import DialectRun, MetricAndFormula
from rouge_cli.dialects.rouge2 import preparation
from rouge_cli.dialects.rouge2.counts import Units
from rouge_cli.dialects.rouge2.preparation import (
    TOPIC,
    L,
    Measure,
    Preprocessing,
    TaggedText,
    parse,
)
from rouge_cli.errors import UsageError, all_of
from rouge_cli.explanation import ByLabel
from rouge_cli.io import files
from rouge_cli.io.users_files import users_file
from rouge_cli.options import Options, in_range, one_of, percent
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.columns import Averages, KeyedColumns
from rouge_cli.scoring.formula import (
    MEAN_SHARES,
    NOTHING_TO_DIVIDE_BY,
    Formula,
    Scored,
    average,
)
from rouge_cli.text import (
    languages,
    normalization,
    reading,
    sentences,
    stemmers,
    survey,
    tagging,
    tokenizers,
)
from rouge_cli.text.tokens import Tokenize

TAGGED = "tagged"  # value of `tagger` for texts that contain tags


class Rouge2(DialectRun):
    """A run of the dialect."""

    needs_sentences = True  # units do not cross the end of a line

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        self.options = options
        program = one_of(options, "definition", "paper", PROGRAM) == PROGRAM
        for name in ("normalize", "tokenizer", "sentences"):
            if program and options[name] != DEFAULTS[name]:
                what = f"{name}:{options[name]} has no effect with definition:{PROGRAM}"
                raise UsageError(what, remedy="leave it out")
        in_range(options, "alpha", 0, 1)
        percent(in_range(options, "confidence", 0, 100))
        in_range(options, "samples", 0, 10_000_000)
        in_range(options, "seed", 0, 2**32 // max(options["samples"], 1) - 1)
        least = int(in_range(options, "least_count", 0, 10_000_000))
        expand = one_of(options, "expand", "both", "prediction", "reference")
        self.tokenize = _tokenizer(options["tokenizer"], options["normalize"])
        measures = [parse(label) for label in options["metrics"]]
        all_of(partial(_check_topics, measure, program=program) for measure in measures)
        stem = _stemmer(options["stemmer"])

        # Names of the tagger and of WordNet, for the report.
        self._names: dict[str, list[str]] = {}
        tag = None
        if options["tagger"] not in ("none", TAGGED):
            tag = tagging.named(options["tagger"])
            self._names["tagger"] = [options["tagger"]]
        stop = _stop_words(options["stop"])
        look_up = None
        folder = _wordnet(options["synonyms"])
        if folder is not None:
            database = wordnet.load(folder)
            self._names["wordnet"] = [database.name]
            look_up = partial(
                database.synonyms, rule=options["definition"], least=least
            )
        dictionary: Mapping[str, frozenset[str]] = {}
        path_of_user = options["synonyms"].partition("file:")[2]
        if path_of_user:
            _, content, path = users_file(f"file:{path_of_user}", DICTIONARY)
            dictionary = preparation.dictionary(content, path, self.tokenize)

        self.preprocessing = Preprocessing(
            tag,
            stop,
            stem,
            dictionary,
            look_up,
            expand,
            program=program,
            normalize=options["normalize"],
        )
        self.ascii_only = options["tokenizer"] == "classic"
        # In the program's definition scores without a reference are nan (QUIRKS 52).
        self.needs_references = not program
        by_label = {}
        for label, measure in zip(options["metrics"], measures, strict=True):
            # The program's L returns nan instead of dividing by 0 (QUIRKS 52).
            undefined = nan if program and measure.kind == L else 0.0
            formula = MeanShares(options["alpha"], undefined)
            units = Units(measure, self.preprocessing)
            by_label[label] = MetricAndFormula(units, formula)
        # Returns the sentences of a text; None for those of the input.
        self._divide = sentences.lines_of(options["sentences"])
        super().__init__(by_label, reading.Reader(self.read, uses), notify)

    def read(
        self, document: Document, task: EvalTask, _: str
    ) -> tuple[TaggedText, survey.Numbers]:
        """Return the prepared text of a document and its part of the tally."""
        reading.note_nuls(document, self.notify)
        reading.note_unread(document, task.input_format, self.notify)
        units = reading.units(document, task.input_format, self._divide)
        surveyed = survey.survey(
            units,
            ascii_only=self.ascii_only,
            normalize=self.options["normalize"],
        )
        return self._prepare(document, units), surveyed

    def scores(
        self,
        task: EvalTask,  # noqa: ARG002 - of all runs
        system: str,  # noqa: ARG002
        references: Sequence[Text],
        prediction: Text,
    ) -> Mapping[str, Scored]:
        """Return label -> counts and score of a prediction against all references."""
        return combine(self.measures, references, prediction)

    def _prepare(self, document: Document, units: Sequence[bytes]) -> TaggedText:
        tagged = self.options["tagger"] == TAGGED
        if self.preprocessing.program:
            return TaggedText(preparation.program_lines(document, tagged=tagged))
        lines = preparation.paper_lines(document, units, self.tokenize, tagged=tagged)
        if not any(lines) and any(map(bytes.strip, units)):
            self.notify(Notice(f"{document.where}: text, but no words"))
        return TaggedText(lines)

    def by_label(self, task: EvalTask, document: Document, side: str) -> ByLabel:
        """Return a function from a label to the words of a document, with their
        positions.
        """
        text, _ = self.read(document, task, side)
        data = document.data
        spans = []
        if self.preprocessing.program:
            is_tagged = self.options["tagger"] == TAGGED
            for start, end in preparation.program_spans(data):
                is_blank = not data[start:end].decode("latin-1").strip()
                if not (is_tagged and is_blank):
                    spans.append((start, end))
        else:
            lines = []
            for unit in reading.units(document, task.input_format, self._divide):
                lines.append(unit.replace(b"\n", b" "))
            data = b"\n".join(lines)
            start = 0
            for sentence in lines:
                spans.append((start, start + len(sentence)))
                start += len(sentence) + 1
        source = cache(partial(Units.source, text=text, data=data, spans=spans))
        return lambda label: source(self.measures[label].metric)

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return the tokens of a document (`@` for a run of digits), each with its
        counted form.
        """
        units = reading.units(document, input_format, self._divide)
        lines = preparation.paper_lines(document, units, self.tokenize, tagged=False)
        words = chain.from_iterable(lines)
        return [(word, self.preprocessing.stem(word)) for word, _ in words]

    def average(self, columns: KeyedColumns, jobs: int = 1) -> Averages:
        """Return plain means; with samples, ROUGE-1.5.5's resampled means and
        intervals.
        """
        averages = dict(super().average(columns))
        samples = self.options["samples"]
        confidence = self.options["confidence"]
        seed = self.options["seed"]
        if not samples:
            return averages

        # Columns of equal length share their draws.
        sizes = {len(column) for column in columns.values()}
        for size in sorted(sizes - {0}):
            keys = [key for key, column in columns.items() if len(column) == size]
            rows: list[Sequence[float]] = []
            for key in keys:
                rows += columns[key].scores()
            estimates = bootstrap.estimates_of_means(
                rows, samples, confidence, seed, jobs
            )
            for index, key in enumerate(keys):
                recall, precision, f = estimates[3 * index : 3 * index + 3]
                averages[key] = Average(recall, precision, f)
        return averages

    def details(self) -> Mapping[str, object]:
        """Return the numbers of texts and sentences read, and the names of the
        tagger and of WordNet.
        """
        return {**super().details(), **self._names}


class MeanShares(Formula):
    """Means of recall and of precision over the references, and the F of these means
    (QUIRKS 50).

    Args:
        undefined: The recall or precision of a side without units.
    """

    def __init__(self, alpha: float, undefined: float) -> None:
        super().__init__(MEAN_SHARES)
        self._alpha = alpha
        self._undefined = undefined

    def share(self, match: float, whole: float) -> float:
        """Return recall or precision against one reference."""
        return match / whole if whole else self._undefined

    def combine(self, pairs: Sequence[Counts]) -> Scored:
        """Return the sum of the counts, and the score of the means; nan if there are
        no references.
        """
        recall = precision = nan
        if pairs:
            recalls, precisions, _ = zip(*map(self.score, pairs), strict=True)
            recall = self.mean(recalls)
            precision = self.mean(precisions)
        return average(pairs), Score(recall, precision, self.f(recall, precision))

    def f(self, recall: float, precision: float) -> float:
        """Return (1 + b^2) R P / (b^2 P + R), b^2 = (1 - alpha) / alpha; 0 unless R
        or P is above 0.
        """
        if not (recall > 0 or precision > 0):
            return 0.0
        if not self._alpha:
            return recall
        square = (1 - self._alpha) / self._alpha
        return (1 + square) * recall * precision / (square * precision + recall)

    def lines(
        self,
        names: Sequence[str],  # noqa: ARG002 - all count
        pairs: Sequence[Counts],
        scored: Scored,
    ) -> Iterator[str]:
        """Yield the means and their F."""
        _, score = scored
        recalls = [(pair.match, pair.reference) for pair in pairs]
        yield self._mean_line("recall", "reference", recalls, score.recall)
        precisions = [(pair.match, pair.prediction) for pair in pairs]
        yield self._mean_line("precision", "prediction", precisions, score.precision)
        yield self.f_line(score)

    def _mean_line(
        self, name: str, side: str, shares: Sequence[tuple[float, float]], value: float
    ) -> str:
        """Return the mean of shares, each a match and the number that it is divided
        by.
        """
        if len(shares) == 1:
            return self.share_line(name, side, *shares[0], value)
        ratios = []
        note = ""
        for match, whole in shares:
            ratios.append(f"{number(match)} / {number(whole)}")
            if not whole:
                note = NOTHING_TO_DIVIDE_BY
        return (
            f"{name} = mean of match / {side} = ({terms(ratios)}) / {len(shares)} ="
            f" {value:.5f}{note}"
        )

    def f_line(self, score: Score) -> str:
        """Return the formula of F, in letters and numbers."""
        r, p = f"{score.recall:.5f}", f"{score.precision:.5f}"
        if not (score.recall > 0 or score.precision > 0):
            return f"F = {score.f:.5f}{NOTHING_TO_DIVIDE_BY}"
        if not self._alpha:
            return f"F = R, since alpha is 0, = {score.f:.5f}"
        square = f"{(1 - self._alpha) / self._alpha:g}"
        return (
            f"F = (1 + b^2) R P / (b^2 P + R), b^2 = (1 - alpha) / alpha = {square}: "
            f"(1 + {square}) x {r} x {p} / ({square} x {p} + {r}) = {score.f:.5f}"
        )


DEFAULTS: Mapping[str, object] = {
    "metrics": (
        "ROUGE-1",
        "ROUGE-2",
        "ROUGE-1+Synonyms",
        "ROUGE-Topic{NN|JJ}",
        "ROUGE-TopicUniq{NN|JJ}",
    ),
    "stemmer": "none",
    "stop": "none",
    "synonyms": "none",
    "expand": "both",
    "least_count": wordnet.LEAST,
    "tagger": "none",
    "definition": "paper",
    "normalize": normalization.NONE,
    "tokenizer": "rouge2",
    "sentences": "newline",
    "alpha": 0.5,
    "jackknife": False,
    "confidence": 95.0,
    "samples": 0,
    "seed": 0,
}
STEMMER = "snowball:english"  # selected by `--stem`
STOP_LIST = "glasgow"  # selected by `--stop`
LISTS = {"glasgow": "stop_words_glasgow.txt", "rouge": "stop_words.txt"}
STOP_LISTS = (*LISTS, "none")
WORDNET, TAGGER, PROGRAM = "wordnet", "embedded", "program"
DICTIONARY = "dictionary of synonyms"


def complete(options: Options) -> Options:
    """Complete the options for the signature.

    Set default word lists for the modifiers of the labels and add modifiers for the
    word lists. Add checksums to the user's files.
    """
    options = {**options}
    measures = [parse(label) for label in options["metrics"]]
    defaults = (
        ("stop", "stop", STOP_LIST),
        ("stem", "stemmer", STEMMER),
        ("synonyms", "synonyms", WORDNET),
    )
    for field, name, default in defaults:
        if any(getattr(measure, field) for measure in measures):
            if options[name] == "none":
                options[name] = default
        elif options[name] != "none":
            applied: Any = {field: True}
            measures = [measure._replace(**applied) for measure in measures]
    tagger = options["tagger"]
    if tagger not in ("none", TAGGED):
        tagging.check(tagger)  # even if no metric needs a tagger
    if tagger != TAGGED:
        has_topics = any(measure.kind == TOPIC for measure in measures)
        needs_tags = has_topics or _wordnet(options["synonyms"]) is not None
        if not needs_tags:
            tagger = "none"
        elif tagger == "none":
            tagger = TAGGER
    synonyms, comma, path = options["synonyms"].partition(",file:")
    if _wordnet(synonyms) is None:
        written = options["synonyms"]
        synonyms, _, _ = users_file(written, DICTIONARY, ("none", WORDNET))
    elif comma:
        signed, _, _ = users_file(f"file:{path}", DICTIONARY)
        synonyms = f"{synonyms},{signed}"
    stop, _, _ = languages.stop_list(options["stop"], STOP_LISTS)
    expand = options["expand"]
    if options["definition"] == PROGRAM:
        expand = "prediction"  # the program expands no other words (QUIRKS 53)
    labels = dict.fromkeys(measure.label for measure in measures)
    return {
        **options,
        "metrics": tuple(labels),
        "stop": stop,
        "synonyms": synonyms,
        "tagger": tagger,
        "expand": expand,
        "normalize": normalization.canonical(options["normalize"]),
    }


def _tokenizer(name: str, steps: str) -> Callable[[str], Sequence[str]]:
    """Return the function that normalizes a line and divides it into words.

    Args:
        name: The name of the tokenizer.
        steps: The steps of the normalization.

    Raises:
        UsageError: There is no tokenizer of that name.
    """
    divide: Callable[[str], list[str]] = preparation.words
    if name != "rouge2":
        divide = partial(_divide, tokenizers.named(name))
    if steps == normalization.NONE:
        return divide
    return lambda line: divide(normalization.normalize(steps, line))


def _divide(split: Tokenize, line: str) -> list[str]:
    return [token.decode() for token in split(line.encode())]


def _stemmer(name: str) -> Callable[[str], str]:
    """Return the function from words to stems; raise UsageError for an unknown name."""
    if name == "none":
        return str
    if not name.startswith("snowball:"):
        raise UsageError(
            f"unknown stemmer {name!r}", remedy="use none, or snowball:LANGUAGE"
        )
    snowball = stemmers.nltk_snowball(name)

    @lru_cache(maxsize=500_000)
    def stem(word: str) -> str:
        return snowball(word.encode()).decode()

    return stem


def _stop_words(option: str) -> frozenset[str]:
    """Return the stop words of a list."""
    name, content, path = languages.stop_list(option, STOP_LISTS)
    if name in LISTS:
        content = data.read(LISTS[name])
    words = set()
    for raw in files.as_text(content, path).splitlines():  # only CR and LF end lines
        line = raw.strip().decode()
        if line:
            words.add(preparation.fold(line))
    return frozenset(words)


def _check_topics(measure: Measure, *, program: bool) -> None:
    """Raise UsageError for tags that are invalid in the definition."""
    if measure.kind != TOPIC or preparation.PREFIXES.fullmatch(measure.tags):
        return
    what = f"{measure.label}: {measure.tags!r} is not a list of tags"
    remedy = "write beginnings of Penn tags separated by |, such as NN|JJ"
    if not program:
        raise UsageError(what, remedy=remedy)
    try:
        re.compile(measure.tags)
    except re.error as error:
        raise UsageError(
            f"{what}, nor a regular expression ({error})", remedy=remedy
        ) from None


def _wordnet(synonyms: str) -> str | None:
    """Return the FOLDER of `wordnet[:FOLDER][,file:PATH]`, empty without one; None
    for other values.
    """
    kind, _, folder = synonyms.partition(",file:")[0].partition(":")
    return folder if kind == WORDNET else None


DIALECT = Dialect(
    DEFAULTS,
    lambda label: parse(label).label,
    Rouge2,
    complete,
    labels=preparation.LABELS,
    help="""ROUGE 2.0: n-grams with synonyms, and topics by part of speech (--dialect rouge2).

The metrics and their labels:

    ROUGE-1  ROUGE-2  ROUGE-L  ROUGE-S4  ROUGE-SU4  ROUGE-S*
    ROUGE-Topic{NN|JJ}  ROUGE-TopicUniq{NN|JJ}  ROUGE-1Uniq

You may add any of `+StopWordRemoval`, `+Stemming` and `+Synonyms`. `ROUGE-1Uniq` counts repeated n-grams
once (`rouge.type` normalCompressed of the Java program, an undocumented setting).
""",  # noqa: E501 - columns of a table, and its first line is a sentence
    stemmer=STEMMER,
    stop_list=STOP_LIST,
    packages=partial(tokenizers.packages, of_stems="nltk"),
)
