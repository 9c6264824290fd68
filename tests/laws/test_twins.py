"""Twins: the readable and the compiled half of a function give the same results.

A new twin needs a generator of its arguments here; the first test names it.
"""

import json
import lzma
import random
import re
import tempfile
from array import array
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest
from compiled_runs import readable
from everyday import share

import rouge_cli
from rouge_cli import data, twins
from rouge_cli.core import (
    Average,
    Counts,
    Estimate,
    EvalResult,
    Result,
    Score,
    Text,
    ignore_notice,
)
from rouge_cli.data import wordnet
from rouge_cli.dialects.google import rouge_scorer
from rouge_cli.dialects.pltrdy import PathWords
from rouge_cli.dialects.rouge2.preparation import Form, Preprocessing
from rouge_cli.dialects.rouge155.setup import Rounded, Setup
from rouge_cli.dialects.tilse.counts import SideDays
from rouge_cli.errors import RougeError
from rouge_cli.io import files
from rouge_cli.jobs.overlaps import Overlap
from rouge_cli.jobs.texts import FlatTexts
from rouge_cli.metrics import Metric
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.mead_lcs import MeadLcs
from rouge_cli.metrics.ngram import DistinctNGram, NGram
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.metrics.skip_bigram import SkipBigram
from rouge_cli.scoring.columns import Column, Columns
from rouge_cli.scoring.formula import Formula, Harmonic, Unrounded
from rouge_cli.studies import draws
from rouge_cli.tasks.columns import ColumnNames
from rouge_cli.tasks.records import RecordFile, RecordReading
from rouge_cli.tasks.streams import Batch, Lookahead
from rouge_cli.text import tagging

Call = tuple[tuple[Any, ...], dict[str, Any]]  # the arguments of a call


def imported_twins() -> dict[str, twins.Twin[..., object]]:
    """Import every module of the package, and return the twins that they declare."""
    for module in walk_packages(rouge_cli.__path__, "rouge_cli."):
        if not module.name.startswith(("rouge_cli.native", "rouge_cli.data.spawned")):
            import_module(module.name)
    return twins.TABLE


def words(chance: random.Random, most: int = 9) -> list[int]:
    """Return numbers of words, many of them repeated."""
    return chance.choices(range(5), k=chance.randrange(most))


def text(chance: random.Random) -> Text:
    """Return a text of up to three sentences."""
    sentences = [words(chance) for _ in range(chance.randrange(4))]
    return Text([word for sentence in sentences for word in sentence], sentences)


def column(chance: random.Random, size: int) -> list[float]:
    """Return scores with ties and zeros."""
    return [chance.choice([0.0, 0.25, chance.random()]) for _ in range(size)]


def count_all(chance: random.Random) -> Call:
    """Metrics with and without a kernel, in any order."""
    metrics = [
        NGram(1),
        NGram(3),
        Lcs(),
        SentenceLcs(),
        WeightedLcs(1.2),
        WeightedLcs(2.5),
        MeadLcs(),
        SkipBigram(4, unigrams=True),
        SkipBigram(None, unigrams=False),
    ]
    chosen = chance.sample(metrics, chance.randrange(1, len(metrics)))
    references = [text(chance) for _ in range(chance.randrange(3))]
    return (chosen, references, text(chance)), {}


def drawn_sums(chance: random.Random) -> Call:
    """Columns of equal length, few samples, any seed."""
    size = chance.choice([1, 2, 7, 40])
    columns = [column(chance, size) for _ in range(chance.randrange(1, 6))]
    jobs = chance.randrange(1, 3)
    return (
        columns,
        chance.randrange(1, 30),
        chance.choice([0, 7, 2**32 - 3]),
        jobs,
    ), {}


def drawn_estimates(chance: random.Random) -> Call:
    """The same, with whole and broken numbers of samples."""
    (columns, times, first, jobs), _ = drawn_sums(chance)
    confidence = chance.choice([95.0, 99.9, 50.0])
    samples = times + chance.choice([0.0, 0.5])
    return (columns, samples, confidence, first, jobs), {}


def keys_of(chance: random.Random) -> Call:
    """IDs of any letters, and any seed."""
    letters = ["1", "e", "\u00e9", "\u4e2d", "\ud800", "\x00", "\U0001f600"]
    ids = ["".join(chance.choices(letters, k=chance.randrange(6))) for _ in range(9)]
    return (ids, chance.choice([0, 7, -1, 2**32 - 1, 2**80])), {}


def add_draws(chance: random.Random) -> Call:
    """Columns of scores, or of counts, which may be too large or negative; more samples
    than are drawn at once.
    """
    size = chance.choice([0, 1, 7, 8, 20])
    columns = [column(chance, size) for _ in range(chance.randrange(4))]
    if size and columns and chance.random() < 0.5:
        columns[0][0] = chance.choice([-3.0, 2.5e6, 2.0**26])
    samples = chance.choice([1, 3, 255, 300])
    drawn = array("q", [chance.randrange(99) for _ in range(samples)])
    sums = drawn * (1 + len(columns))
    keys = array("Q", [chance.getrandbits(64) for _ in range(size)])
    return (sums, keys, columns, chance.choice([2.0**16, 2.0**30])), {}


def porter_stem(chance: random.Random) -> Call:
    """Words of letters, digits and other bytes, with endings that are stripped."""
    letters = b"aeiouybcdlsztw0\xe9"
    start = bytes(chance.choices(letters, k=chance.randrange(6)))
    endings = b"ing ed s ies ational fulness eed ement y ic".split()
    return (start + chance.choice(endings),), {}


def nltk_stem(chance: random.Random) -> Call:
    """Words of letters, digits and others, with endings that are stripped, and words
    with stems of their own.
    """
    if chance.random() < 0.1:
        return (
            chance.choice(["sky", "skies", "innings", "howe", "", "a", "ties"]),
        ), {}
    start = "".join(chance.choices("aeiouybcdlsztw0\u00e9", k=chance.randrange(6)))
    endings = "ing ed s ies ied ational fulness fulli eed ement y ic yy alli logi ion"
    return (
        start + chance.choice([*endings.split(), "ationalli", "tion", "ll", "e"]),
    ), {}


@cache
def readable_wordnet() -> wordnet.WordNet:
    """Return the package's WordNet, read by readable code."""
    short = lzma.decompress(data.read("wordnet-3.0.xz"))
    with readable():
        return wordnet.WordNet(short, "readable")


def part_of_speech(chance: random.Random) -> Call:
    """The package's own parts of speech."""
    part = readable_wordnet().parts[chance.choice("nvar")]
    return part.source, {}


def look_up(part: Any, chance: random.Random) -> object:  # noqa: ANN401 - either half
    """Return what a part of speech answers about some words."""
    known = readable_wordnet().parts[chance.choice("nvar")].senses
    answers: list[object] = []
    for word in chance.choices(list(known), k=20):
        asked = word + chance.choice([b"", b"s", b"ies", b"ed", b"er"])
        answers.append((part.bases(asked), part.count(asked), part.is_name(asked)))
        answers.append(sorted({*part.near(asked, 1)}))
        answers.append(sorted({*part.by_program(asked, "n")}))
    return answers


def brill(_: random.Random) -> Call:
    """The package's rules and lexicon."""
    return (list(tagging.parse_rules()), tagging.Lexicon(readable_wordnet())), {}


def tag_words(tag: Any, chance: random.Random) -> object:  # noqa: ANN401 - either half
    """Return the tags of some sentences."""
    listed = [
        "the",
        "a",
        "to",
        "that",
        "her",
        "is",
        "was",
        "have",
        "do",
        "light",
        "works",
        "put",
        "broken",
        "London",
        "I",
        ",",
        "s",
    ]
    sentences = [chance.choices(listed, k=chance.randrange(9)) for _ in range(20)]
    return [list(tag(sentence)) for sentence in sentences]


def days(chance: random.Random, timelines: int) -> SideDays:
    """Return days of some timelines, with frequencies of their words."""
    first = date(2010, 1, 1)
    numbers = sorted(chance.sample(range(40), chance.randrange(7)))
    by_day = []
    for _ in numbers:
        having = chance.randrange(1, timelines + 1)
        by_day.append(
            [Counter("abcd"[word % 4] for word in words(chance)) for _ in range(having)]
        )
    return SideDays([first + timedelta(number) for number in numbers], by_day)


def align_days(chance: random.Random) -> Call:
    """Days of a prediction and of one to three references."""
    timelines = chance.randrange(1, 4)
    times = chance.choice([0, timelines])
    arguments = days(chance, 1), days(chance, timelines), times
    return arguments, {"many": chance.random() < 0.5}


def one_to_one(chance: random.Random) -> Call:
    """Costs with ties, of any shape."""
    rows, columns = chance.randrange(6), chance.randrange(6)
    costs = [
        [chance.choice([0.5, 1 / 3, 0.0]) for _ in range(columns)] for _ in range(rows)
    ]
    return (costs,), {}


def studied(chance: random.Random) -> list[Any]:
    """Return scores of a metric and of people, and samples of systems and of evals.

    Arrays have any layout: rows or columns first, parts of larger ones, whole numbers.
    """
    np = pytest.importorskip("numpy")
    random_ = np.random.default_rng(chance.randrange(2**32))
    systems, evals, samples = 5, 6, 4
    metric = random_.integers(0, 5, (systems, evals)) / 4
    human = random_.integers(0, 4, (systems, evals)).astype(float)
    missing = random_.random((systems, evals)) < 0.1
    metric[missing] = human[missing] = np.nan
    drawn = [
        random_.multinomial(size, np.full(size, 1 / size), samples)
        for size in (systems, evals)
    ]
    arrays = [metric, human, *drawn]
    layouts = [
        np.asfortranarray,
        lambda array: np.repeat(array, 2, axis=1)[:, ::2],
        lambda array: np.ascontiguousarray(array, dtype=float),
    ]
    return [chance.choice(layouts)(array) for array in arrays]


def summary_level(chance: random.Random) -> Call:
    """Any coefficient."""
    coefficient = chance.choice(["pearson", "spearman", "kendall"])
    return (*studied(chance), coefficient), {}


def kendall_of_many(chance: random.Random) -> Call:
    """Rows of many points, on scales of people and of metrics."""
    np = pytest.importorskip("numpy")
    random_ = np.random.default_rng(chance.randrange(2**32))
    x = random_.random((2, 600)).round(chance.choice([1, 6]))
    y = random_.integers(0, chance.choice([4, 600]), (2, 600)).astype(float)
    return (x, np.asfortranarray(y)), {}


def sums_of(chance: random.Random) -> Call:
    """A generator of numpy."""
    np = pytest.importorskip("numpy")
    return (np.random.default_rng(chance.randrange(2**32)),), {}


def draw(sums: Any, chance: random.Random) -> object:  # noqa: ANN401 - either half
    """Return sums of drawn units, with replacement or with exchanged signs."""
    np = pytest.importorskip("numpy")
    units, trials = 300, 20
    scores = np.ones((units, 3))
    scores[:, :2] = np.random.default_rng(chance.randrange(2**32)).random((units, 2))
    totals = np.zeros((trials, 3))
    kind = chance.choice([draws.Draws, draws.Exchanges])
    numbers, chances = kind(units, trials)._occurrences()  # noqa: SLF001 - as it draws
    sums.add(scores, totals, numbers, chances)
    if len(chances):
        sums.complete(scores, totals)
    return totals.round(9)


def pair_scorer(chance: random.Random) -> Call:
    """Any types, in any order."""
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    kinds = chance.sample(types, chance.randrange(1, 5))
    return (kinds,), {"stems": chance.random() < 0.5}


def score_pairs(scorer: Any, chance: random.Random) -> object:  # noqa: ANN401 - either half
    """Return the scores of some pairs; by the steps of a scorer if there is nothing."""
    (kinds,), options = pair_scorer(chance)
    steps = rouge_scorer.RougeScorer(kinds, use_stemmer=options["stems"])
    score = scorer.score if scorer else steps._score_tokens  # noqa: SLF001 - all steps
    pieces = ["Running", "runs", "a", "the cat", "\n", "naïve", ""]
    scores = []
    for _ in range(5):
        texts = [" ".join(chance.choices(pieces, k=6)) for _ in range(2)]
        scores.append(score(*texts))
    return scores


def sample_means(chance: random.Random) -> Call:
    """Tables of one to four columns, and a generator in any state."""
    np = pytest.importorskip("numpy")
    generator = np.random.RandomState(chance.randrange(2**32))
    generator.random(chance.randrange(5))
    shape = chance.randrange(1, 20), chance.randrange(1, 5)
    return (generator, generator.random(shape), chance.randrange(1, 9), np), {}


def single_words(chance: random.Random) -> Call:
    """Synonyms of a dictionary, of either text or of both."""
    dictionary = {
        "cat": frozenset(["tom", "pet"]),
        "dog": frozenset(["pet", "hound"]),
        "pet": frozenset(["cats"]),
    }
    expand = chance.choice(["both", "prediction", "reference"])
    preprocessing = Preprocessing(
        stem=lambda word: word.rstrip("s"), dictionary=dictionary, expand=expand
    )
    return (preprocessing,), {"stems": chance.random() < 0.5}


def count_words(counter: Any, chance: random.Random) -> object:  # noqa: ANN401 - either half
    """Return the counts of some texts of two lines."""
    known = [
        Form(word, ((word, ""),))
        for word in ["cat", "cats", "tom", "pet", "dog", "hound"]
    ]
    counts = []
    for _ in range(5):
        texts = [
            [chance.choices(known, k=chance.randrange(5)) for _ in range(2)]
            for _ in range(2)
        ]
        counts.append(tuple(counter.count(*texts)))
    return counts


def lines_of(chance: random.Random) -> list[bytes]:
    """Return lines with either end, some of them empty."""
    texts = [b"", b"a b", b"\xc3\xa9 \xff", b"a\rb"]
    return [chance.choice(texts) + chance.choice([b"\n", b"\r\n"]) for _ in range(4)]


def evals_of_lines(chance: random.Random) -> Call:
    """Blocks of two systems and a reference, of different lengths."""
    blocks = [b"".join(lines_of(chance)[chance.randrange(3) :]) for _ in range(3)]
    return (blocks, chance.randrange(9), ["x", "y"], ["a:", "b:", "c:"]), {}


def made(returned: Any, _: random.Random) -> object:  # noqa: ANN401 - either half
    """Return the evals, and the ends of lines."""
    evals, ends = returned
    return list(evals), ends


def evals_of_lists(chance: random.Random) -> Call:
    """Strings, and lists of strings."""
    texts = ["", "a b", "\u00e9"]
    size = chance.randrange(1, 4)
    predictions = chance.choices(texts, k=size)
    references = [chance.choice([*texts, ["a", "b"], ("a",)]) for _ in range(size)]
    ids = [f"eval {n}" for n in range(size)] if chance.random() < 0.5 else None
    input_format = chance.choice(["spl", "see"])
    return ({"x": predictions}, references, ids, input_format, ignore_notice), {}


def evals_of_settings(chance: random.Random) -> Call:
    """Settings as programs write them, and as people do."""
    end = chance.choice(["", " ", "<!-- a comment -->"])
    evals = "".join(
        f'<EVAL ID="{n}"><PEER-ROOT>p</PEER-ROOT><MODEL-ROOT>m</MODEL-ROOT>'
        f'<INPUT-FORMAT TYPE="{chance.choice(["SPL", "SEE"])}"></INPUT-FORMAT>'
        f'<PEERS><P ID="a">{n}.txt</P>{end}</PEERS>'
        f'<MODELS><M ID="1">{n}.txt</M></MODELS></EVAL>\n'
        for n in range(3)
    )
    data = f'<ROUGE-EVAL version="1.0">\n{evals}</ROUGE-EVAL>\n'.encode()
    return (data, "settings.xml", ["spl", "see"], ignore_notice), {}


def rows_of(chance: random.Random) -> Call:
    """Files of records, plain ones and others."""
    kind = chance.choice(["jsonl", "csv", "tsv"])
    rows = [
        {"id": str(n), "p": chance.choice(["a b", "", "\u00e9"]), "r": "a c"}
        for n in range(4)
    ]
    if kind == "jsonl":
        records = [json.dumps(row) for row in rows]
        others = ["", '{"id": 7, "p": ["a", "b", "c"], "r": [["a"], ["b", "c"]]}']
        records += [chance.choice(others)]
    else:
        mark = "," if kind == "csv" else "\t"
        records = [mark.join(["id", "p", "r"])]
        records += [mark.join(row.values()) for row in rows]
        records += [mark.join(["8", chance.choice(['"a, b"', "nan", "x"]), "y"])]
    path = Path(tempfile.mkdtemp()) / f"records.{kind}"
    path.write_text("\n".join(records) + "\n")
    request = ColumnNames(chance.choice(["id", ""]), ["p"], ["r"])
    file = RecordFile(str(path), kind, "x", RecordReading(request))
    return (file, files.blocks(str(path), "records", files.UTF8)), {}


def evals_of_rows(rows: Any, chance: random.Random) -> object:  # noqa: ANN401 - either half
    """Return the evals of rows, without the folder of their file."""
    (file, _), _ = rows_of(chance)
    evals: list[str] = []
    for row in rows:
        some = row if isinstance(row, Batch) else [file._task(row)]  # noqa: SLF001
        evals += [re.sub(r"/\S*/", "", repr(task)) for task in some]
    return evals


def grouped(chance: random.Random) -> Call:
    """Records of systems and evals in any order, in one or two files; some occur twice,
    or have other references.
    """
    wrong = chance.random() < 0.3
    by_file = []
    pairs = [(name, n) for name in "ab" for n in range(4)]
    chance.shuffle(pairs)
    at = chance.choice([0, 3])
    for some in (pairs[:at], pairs[at:]):
        path = Path(tempfile.mkdtemp()) / "records.jsonl"
        rows: list[dict[str, Any]] = [
            {"id": str(n), "system": name, "p": chance.choice(["a b", "\u00e9"])}
            for name, n in some
        ]
        rows = chance.choices(rows, k=len(rows)) if wrong else rows
        for row in rows:
            row["r"] = ["a"] if wrong and chance.random() < 0.1 else ["a", "b"]
        if rows:
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
            request = ColumnNames("id", ["p"], ["r"], "system", "references")
            file = RecordFile(str(path), "jsonl", "x", RecordReading(request))
            by_file.append(Lookahead(file.rest()))
    options = {"have_ids": chance.random() < 0.7, "apart": chance.random() < 0.5}
    return (by_file,), options


def evals_of_groups(parts: Any, _: random.Random) -> object:  # noqa: ANN401 - either half
    """Return the evals of parts without the folders of their files, or the error."""
    evals: list[str] = []
    try:
        for part in parts:
            evals += map(repr, part if isinstance(part, Batch) else [part])
    except RougeError as error:
        evals = [str(error)]
    return [re.sub(r"/\S*/", "", shown) for shown in evals]


def records_of(chance: random.Random) -> Call:
    """Results of evals by two metrics."""
    columns = Columns(["A", "B"])
    for n in range(chance.randrange(4)):
        counts = Counts(3, 4, 2)
        score = Score(*(chance.random() for _ in range(3)))
        result = EvalResult(str(n), counts, score)
        columns.append([str(n)], {"A": result, "B": result})
    return (columns,), {}


def eval_lines(chance: random.Random) -> Call:
    """Results of one or two systems by two metrics: numbers of few and of many digits,
    tiny, negative, missing and infinite ones, and other evals by system.
    """
    numbers = [0.0, 1.0, -0.0, 0.13627, 0.5, 1e-5, 1e-4, 1 / 3, -0.25, 123456.78901]
    numbers += [2.0**53, 1e22, 0.1 + 0.2, float("nan"), float("inf"), 0.00012, 5e-324]
    numbers += [chance.random(), round(chance.random(), 5), 1e9 + 0.5]
    size = chance.randrange(4)
    by_system = {}
    is_scored = chance.random() < 0.8
    for system in ["a", 'b"\u00e9'][: chance.randrange(1, 3)]:
        columns = Columns(["A", "B"])
        for n in range(size + (chance.random() < 0.1)):
            few = [chance.choice(numbers) for _ in range(8)]
            counts = Counts(
                few[0], few[1], few[2], few[3], chance.choice([None, few[4]])
            )
            score = Score(*few[5:]) if is_scored else None
            result = EvalResult(f"e\u00e9 {n % 3}", counts, score)
            columns.append([result.eval_id], {"A": result, "B": result})
        by_system[system] = columns
    average = Average(*[Estimate(0.0, None, None)] * 3)
    results = [
        Result(system, label, average, Column((), columns, place))
        for system, columns in by_system.items()
        for place, label in enumerate(columns.labels)
    ]
    return (results, chance.choice([1, 100])), {}


def flat_texts(chance: random.Random, most: int) -> FlatTexts:
    """Return texts of few words, some of them equal, some empty."""
    texts = FlatTexts([b"a", b"b", b"c", b"d", b"e"])
    for _ in range(chance.randrange(most)):
        texts.append(words(chance) for _ in range(chance.randrange(4)))
    return texts


def overlap(chance: random.Random) -> Overlap:
    """Return a metric with a formula that some dialect has, and any threshold."""
    metrics: list[Metric] = [NGram(1), NGram(2), NGram(4), DistinctNGram(1)]
    metrics += [DistinctNGram(2), Lcs(), SentenceLcs(), PathWords(exclusive=True)]
    metric = chance.choice(metrics)
    formulas: list[Formula] = [
        Harmonic(),
        Harmonic(epsilon=1e-8),
        Unrounded(0.5),
        Unrounded(0.9),
    ]
    formulas += [Rounded(Setup(), metric), Rounded(Setup(alpha=0.1), metric)]
    return Overlap(
        metric,
        chance.choice(formulas),
        chance.choice(Score._fields),
        chance.choice([1e-9, 0.3, 0.5, 2 / 3, 0.66667, 0.7, 0.8, 1.0]),
    )


def joined(chance: random.Random) -> Call:
    """Texts, or texts and others, in one part or several."""
    texts = flat_texts(chance, 30)
    against = flat_texts(chance, 20) if chance.random() < 0.5 else None
    return (texts, against, overlap(chance), parts_of(texts, chance)), {"jobs": 2}


def kept(chance: random.Random) -> Call:
    """Texts in one part or several."""
    texts = flat_texts(chance, 30)
    return (texts, overlap(chance), parts_of(texts, chance)), {}


def parts_of(texts: FlatTexts, chance: random.Random) -> list[range]:
    """Return the positions of texts in parts."""
    size = chance.randrange(1, 12)
    starts = range(0, len(texts), size)
    return [range(start, min(start + size, len(texts))) for start in starts]


def found(parts: Any, _: random.Random) -> object:  # noqa: ANN401 - either half
    """Return what all parts found, in order."""
    return sorted(item for part in parts for item in part)


GENERATORS: dict[str, Callable[[random.Random], Call]] = {
    "rouge_cli.data.wordnet.part_of_speech": part_of_speech,
    "rouge_cli.dialects.google.rouge_scorer.pair_scorer": pair_scorer,
    "rouge_cli.dialects.google.scoring.sample_means": sample_means,
    "rouge_cli.dialects.rouge2.counts.single_words": single_words,
    "rouge_cli.dialects.tilse.counts.align_days": align_days,
    "rouge_cli.dialects.tilse.counts.one_to_one": one_to_one,
    "rouge_cli.jobs.join.joined": joined,
    "rouge_cli.jobs.join.kept": kept,
    "rouge_cli.metrics.count_all": count_all,
    "rouge_cli.results.single_evals.eval_lines": eval_lines,
    "rouge_cli.scoring.bootstrap.drawn_estimates": drawn_estimates,
    "rouge_cli.scoring.bootstrap.drawn_sums": drawn_sums,
    "rouge_cli.scoring.columns.records_of": records_of,
    "rouge_cli.scoring.poisson.add_draws": add_draws,
    "rouge_cli.scoring.poisson.keys_of": keys_of,
    "rouge_cli.studies.coefficients.kendall_of_many": kendall_of_many,
    "rouge_cli.studies.coefficients.pooled_level": summary_level,
    "rouge_cli.studies.coefficients.summary_level": summary_level,
    "rouge_cli.studies.draws.sums_of": sums_of,
    "rouge_cli.tasks.containers.evals_of_lists": evals_of_lists,
    "rouge_cli.tasks.kinds.settings.evals_of_settings": evals_of_settings,
    "rouge_cli.tasks.lines.evals_of_lines": evals_of_lines,
    "rouge_cli.tasks.records.grouped": grouped,
    "rouge_cli.tasks.records.rows_of": rows_of,
    "rouge_cli.text.porter.nltk_stem": nltk_stem,
    "rouge_cli.text.stemmers.porter_stem": porter_stem,
    "rouge_cli.text.tagging.brill": brill,
}
# Twins that return an object, and what is compared of it.
OBSERVERS: dict[str, Callable[[Any, random.Random], object]] = {
    "rouge_cli.data.wordnet.part_of_speech": look_up,
    "rouge_cli.dialects.google.rouge_scorer.pair_scorer": score_pairs,
    "rouge_cli.dialects.rouge2.counts.single_words": count_words,
    "rouge_cli.jobs.join.joined": found,
    "rouge_cli.jobs.join.kept": found,
    "rouge_cli.results.single_evals.eval_lines": lambda lines, _: "".join(lines),
    "rouge_cli.studies.draws.sums_of": draw,
    "rouge_cli.tasks.containers.evals_of_lists": lambda evals, _: list(evals),
    "rouge_cli.tasks.lines.evals_of_lines": made,
    "rouge_cli.tasks.records.grouped": evals_of_groups,
    "rouge_cli.tasks.records.rows_of": evals_of_rows,
    "rouge_cli.text.tagging.brill": tag_words,
}
EXAMPLES = 30
# Reading a part of speech takes a tenth of a second, and there are four.
FEWER = {"rouge_cli.data.wordnet.part_of_speech": share(EXAMPLES, 6)}


def test_every_twin_has_a_replacement_and_a_generator() -> None:
    """Each twin of the package has a compiled half and a generator here; there are no
    others.
    """
    declared = imported_twins().keys()
    replacements = import_module("rouge_cli.native.replacements").TABLE

    assert [] == sorted(declared - GENERATORS.keys()), "twins without a generator here"
    assert [] == sorted(declared - replacements.keys()), "twins without a replacement"
    assert [] == sorted(replacements.keys() - declared), "replacements of nothing"


def result(name: str, half: str, seed: int) -> object:
    """Return what a half of a twin returns for the arguments of this seed."""
    twin = imported_twins()[name]
    arguments, options = GENERATORS[name](random.Random(seed))
    function: Any = twin.readable if half == "python" else twin
    returned = function(*arguments, **options)
    if name in OBSERVERS:
        returned = OBSERVERS[name](returned, random.Random(seed))
    return returned


def laid_out(array: Any, layout: str) -> Any:  # noqa: ANN401 - an array
    """Return an equal array of another layout or of another type of numbers."""
    np = pytest.importorskip("numpy")
    if layout == "columns first":
        return np.asfortranarray(array)
    if layout == "strided":
        return np.repeat(array, 2, axis=-1)[..., ::2]
    if layout == "backwards":
        return array[::-1].copy()[::-1]
    if layout == "other bytes":
        return array.astype(array.dtype.newbyteorder())
    return array


LAYOUTS = ["columns first", "strided", "backwards", "other bytes"]
OF_ARRAYS = [
    "rouge_cli.dialects.google.scoring.sample_means",
    "rouge_cli.studies.coefficients.kendall_of_many",
    "rouge_cli.studies.coefficients.pooled_level",
    "rouge_cli.studies.coefficients.summary_level",
]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", OF_ARRAYS)
def test_arrays_have_any_layout(
    name: str,
    layout: str,
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """Compiled functions take rows or columns first, parts of larger arrays, arrays
    from back to front and swapped bytes, and return the same.
    """
    np = pytest.importorskip("numpy")
    twin = imported_twins()[name]
    for seed in range(EXAMPLES // 3):
        arguments, options = GENERATORS[name](random.Random(seed))
        of_layout = [
            laid_out(argument, layout) if isinstance(argument, np.ndarray) else argument
            for argument in arguments
        ]
        returned = twin(*of_layout, **options)
        arguments, options = GENERATORS[name](random.Random(seed))  # not yet drawn from
        np.testing.assert_array_equal(twin.readable(*arguments, **options), returned)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sums_are_added_in_any_layout(
    layout: str,
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """Compiled sums of drawn units are the same in arrays of any layout."""
    np = pytest.importorskip("numpy")
    scores = np.ones((300, 3))
    scores[:, :2] = np.random.default_rng(1).random((300, 2))
    for kind in (draws.Draws, draws.Exchanges):
        numbers, chances = kind(300, 20)._occurrences()  # noqa: SLF001 - as it draws
        results = []
        for of_layout in ("rows first", layout):
            totals = laid_out(np.zeros((20, 3)), of_layout)
            sums = draws.sums_of(np.random.default_rng(2))
            arrays = [laid_out(array, of_layout) for array in (numbers, chances)]
            sums.add(laid_out(scores, of_layout), totals, *arrays)
            if len(chances):
                sums.complete(laid_out(scores, of_layout), totals)
            results.append(totals)
        np.testing.assert_array_equal(*results)


def test_every_compiled_function_of_arrays_is_tried() -> None:
    """The twins that get arrays are those whose layouts are tried above, and the sums."""
    np = pytest.importorskip("numpy")
    found = []
    for name, generate in GENERATORS.items():
        arguments, _ = generate(random.Random(1))
        if any(isinstance(argument, np.ndarray) for argument in arguments):
            found.append(name)
    assert OF_ARRAYS == sorted(found)


@pytest.mark.parametrize("half", ["compiled", "python"])
@pytest.mark.parametrize("name", GENERATORS)
def test_both_halves_return_the_same(
    name: str,
    half: str,
    compiled: object,  # noqa: ARG001 - the extension, which is selected
) -> None:
    """Each half of each twin returns what the readable half returns without any
    compiled code, on generated arguments, in one process.
    """
    for seed in range(FEWER.get(name, EXAMPLES)):
        with readable():
            expected = result(name, "python", seed)
        same = result(name, half, seed)
        assert repr(expected) == repr(same), f"arguments of seed {seed}"
