"""Similar texts: the join finds the pairs that comparing each with each finds."""

from __future__ import annotations

import pickle
import random
from itertools import chain, combinations, product
from math import nextafter
from threading import Thread
from typing import Any

import pytest
from everyday import share

import rouge_cli
from rouge_cli import dialects as folder
from rouge_cli import plugins
from rouge_cli.core import Document
from rouge_cli.errors import UsageError
from rouge_cli.jobs import join, similar
from rouge_cli.metrics import figure
from rouge_cli.options import DialectName

REFUSED = {"rouge2", "tilse"}
DIALECTS = sorted(set(plugins.names(folder.__name__)) - REFUSED)
METRICS = ("R1", "R2", "R3", "RL", "RL-sentence", "Lsum")
MEASURES = "RPF"
THRESHOLDS = (1e-9, 0.3, 0.7, 1.0)


def labels_of(dialect: str) -> list[str]:
    """Return the labels that the dialect has of METRICS."""
    known = []
    for label in METRICS:
        spelled = {"Lsum": "rougeLsum"}.get(label, label)
        try:
            folder.named(dialect).parse(spelled)
        except UsageError:
            continue
        known.append(spelled)
    return known


CASES = [(dialect, label) for dialect in DIALECTS for label in labels_of(dialect)]


def texts_of(chance: random.Random, number: int) -> list[str]:
    """Return texts of few words, many of them repeated, some empty, some nearly equal,
    some of several sentences.
    """
    words = "abcdefg"
    texts: list[str] = []
    while len(texts) < number:
        if texts and chance.random() < 0.4:
            changed = list(chance.choice(texts))
            if changed:
                changed[chance.randrange(len(changed))] = chance.choice("abh ")
            texts.append("".join(changed))
            continue
        size = chance.choice([0, 1, 2, 5, 9, 14])
        between = chance.choice([" ", " ", " ", "\n", ". "])
        texts.append(between.join(chance.choices(words, k=size)))
    return texts


def brute_force(
    pairs: list[tuple[int, int]],
    references: list[str],
    predictions: list[str],
    metric: str,
    dialect: str,
) -> list[tuple[int, int, float]]:
    """Return the score of each pair, as `score_rows` gives it."""
    label, letter = figure(metric)
    rows = rouge_cli.score_rows(
        [predictions[second] for _, second in pairs],
        [references[first] for first, _ in pairs],
        label,
        dialect=DialectName(dialect),
        notify=_ignore,
    )
    measure = {"R": "recall", "P": "precision", "F": "f"}[letter]
    scored = []
    for (first, second), row in zip(pairs, rows, strict=True):
        (score,) = [value for name, value in row.items() if name.endswith(measure)]
        scored.append((first, second, score))
    return scored


def thresholds_of(
    scores: list[tuple[int, int, float]], chance: random.Random
) -> list[float]:
    """Return THRESHOLDS, some of the scores, and the numbers behind these."""
    found = sorted({score for _, _, score in scores if score > 0})
    some = chance.sample(found, min(len(found), 3))
    behind = [nextafter(score, 2) for score in some if score < 1]
    return [*THRESHOLDS, *some, *behind]


@pytest.mark.parametrize("kernels", ["compiled", "python"])
@pytest.mark.parametrize(("dialect", "label"), CASES)
def test_the_join_finds_the_pairs_of_brute_force(
    dialect: str, label: str, kernels: str
) -> None:
    """Within a set and between two, for each measure, at any threshold, also one that
    is a score, compiled and readable.
    """
    chance = random.Random(f"{dialect} {label}")
    find = join.joined if kernels == "compiled" else join.joined.readable
    for _ in range(share(20, 1)):
        texts, others = texts_of(chance, 24), texts_of(chance, 12)
        within = list(combinations(range(len(texts)), 2))
        between = list(product(range(len(texts)), range(len(others))))
        for letter in MEASURES:
            metric = f"{label}.{letter}"
            same = brute_force(within, texts, texts, metric, dialect)
            two = brute_force(between, texts, others, metric, dialect)
            run, measure = similar.prepare(metric, DialectName(dialect), None, None, {})
            for threshold in thresholds_of([*same, *two], chance):
                comparison = similar.PairReading(
                    run, measure, threshold, "spl", _ignore
                )
                read, read_others = map(
                    comparison.read, map(documents, (texts, others))
                )
                for against, scored in ((None, same), (read_others, two)):
                    parts = join.parts_of(len(read))
                    found = find(read, against, comparison.overlap, parts, 2)
                    expected = [pair for pair in scored if pair[2] >= threshold]
                    assert sorted(chain.from_iterable(found)) == expected


def documents(texts: list[str]) -> list[Document]:
    """Return texts as they are read."""
    return [Document(text.encode(), "text") for text in texts]


@pytest.mark.parametrize(("dialect", "label"), CASES)
def test_an_index_finds_the_pairs_of_the_join(dialect: str, label: str) -> None:
    """A text that is added after others is similar to those with which it is a pair,
    also in an index that was pickled.
    """
    chance = random.Random(f"index {dialect} {label}")
    texts = texts_of(chance, 20)
    threshold = chance.choice(THRESHOLDS)
    options: dict[str, Any] = {"dialect": dialect}
    silent: Any = {"notify": _ignore}
    index = rouge_cli.SimilarIndex(label, **options, **silent)
    found = []
    for second, text in enumerate(texts):
        if second == len(texts) // 2:
            index = pickle.loads(pickle.dumps(index))  # noqa: S301 - our own
        for first, score in index.most_similar(text, threshold):
            found.append((first, second, score))
        index.add(text)

    pairs = rouge_cli.similar(
        texts, metric=label, threshold=threshold, **options, **silent
    )
    assert sorted(found) == pairs


def _ignore(_: object) -> None:
    """Receive a notice."""


@pytest.mark.parametrize("dialect", ["rouge155", "google"])
@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_what_is_kept_first_is_that_of_the_loop(dialect: str, threshold: float) -> None:
    """The filter keeps a text if none that it kept before is similar; so do the pairs,
    and the loop with an index.
    """
    chance = random.Random(f"{dialect} {threshold}")
    for _ in range(share(20, 2)):
        texts = texts_of(chance, 40)
        options: dict[str, Any] = {"dialect": dialect, "notify": _ignore}
        index = rouge_cli.SimilarIndex("RL", **options)
        kept = []
        for position, text in enumerate(texts):
            if not index.most_similar(text, threshold):
                index.add(text)
                kept.append(position)

        pairs = rouge_cli.similar(texts, threshold=threshold, **options)
        assert kept == pairs.keep_first()


def test_groups_are_connected_by_pairs() -> None:
    """Two texts are in one group if and only if a chain of pairs leads from one to the
    other.
    """
    chance = random.Random(5)
    for _ in range(share(100)):
        number = chance.randrange(1, 12)
        edges = [
            pair for pair in combinations(range(number), 2) if chance.random() < 0.15
        ]
        pairs = [join.SimilarPair(*edge, 1.0) for edge in edges]
        groups = join.groups(number, pairs)
        reached = {text: {text} for text in range(number)}
        for _ in range(number):
            for one, other in edges:
                joined = reached[one] | reached[other]
                for text in joined:
                    reached[text] |= joined

        assert sorted(text for group in groups for text in group) == list(range(number))
        assert groups == sorted(groups)
        for group in groups:
            assert set(group) == reached[group[0]]


def test_threads_may_share_an_index() -> None:
    """Texts that several threads add are all found, each once."""
    index = rouge_cli.SimilarIndex("R1")

    def add(start: int) -> None:
        for number in range(start, start + 50):
            index.add(f"word{number} common")
            index.most_similar("common", 0.5)

    threads = [Thread(target=add, args=(start,)) for start in (0, 50, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = index.most_similar("common", 0.5)

    assert [similar.position for similar in found] == list(range(150))
