"""What type checkers know of every public function and result; it is never run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from typing_extensions import assert_type

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.core import (
    Average,
    Counts,
    Document,
    EvalResult,
    EvalTask,
    Result,
    Score,
)
from rouge_cli.dialects import google
from rouge_cli.dialects.google import rouge_scorer, scoring
from rouge_cli.jobs.join import SimilarPair
from rouge_cli.jobs.similar import SimilarPairs, SimilarText
from rouge_cli.results.comparison import (
    ComparedPair,
    Comparison,
)
from rouge_cli.results.correlation import Correlations, Sweep
from rouge_cli.results.explanations import Explanations
from rouge_cli.results.planning import PlannedMetric, Planning
from rouge_cli.results.scores import Results
from rouge_cli.results.system_scores import SystemScores
from rouge_cli.studies.page_html import Html

PREDICTIONS = {
    "lead": ["the cat sat", "a dog ran"],
    "best": ["the cat sat down", "the dog ran far"],
}
REFERENCES = [["the cat sat down", "a cat sat"], ["the dog ran away"]]
REPORT = rouge_cli.score(PREDICTIONS, REFERENCES, "R1,R2", samples=0)


def scores() -> None:
    """`score`, `score_rows`, `score_files`, `evaluate` and `Accumulator`."""
    assert_type(REPORT, Results)
    assert_type(rouge_cli.score("a b", "a c", "R1", dialect="google"), Results)
    assert_type(rouge_cli.score("a b", "a", dialect=DialectName("own")), Results)
    rows = rouge_cli.score_rows(["a b"], ["a c"], ["ROUGE-1"], limit="100words")
    assert_type(rows, list[dict[str, float]])
    task = EvalTask("1", {"X": Document(b"a", "here")}, [], "spl", "here")
    assert_type(rouge_cli.evaluate([task], "R1", systems=["X"], jobs=1), Results)
    files = rouge_cli.score_files({"a": "a.txt"}, ["b.txt"], "R1", samples=0)
    assert_type(files, Results)
    batches = rouge_cli.Accumulator("R1", samples=0)
    batches.add(["the cat sat"], ["the cat sat down"])
    batches.merge(rouge_cli.Accumulator("R1"))
    assert_type(batches.report(), Results)


def averages() -> None:
    """Scores of a system, of the only system, and of single evals."""
    assert_type(REPORT["lead"], SystemScores)
    assert_type(REPORT["lead"]["R1"], Score)
    assert_type(REPORT["lead"]["R1"].f, float)
    assert_type(REPORT["lead"]["any label"].recall, float)
    assert_type(REPORT["R1"].precision, float)
    assert_type(REPORT["rougeLsum"].f, float)
    assert_type(REPORT.results, Sequence[Result])
    assert_type(REPORT.results[0].average, Average | Counts)
    assert_type(REPORT.results[0].evals, Sequence[EvalResult])
    assert_type(REPORT.results[0].evals[0].score, Score | None)
    assert_type(REPORT.signature, str)
    assert_type(REPORT.short_signature, str)
    assert_type(REPORT.details, Mapping[str, object])
    assert_type(REPORT.to_dict(), dict[str, dict[str, dict[str, float]]])


def studies() -> None:
    """`compare`, `plan`, `correlate`, `sweep`, `explain` and `report`."""
    compared = rouge_cli.compare(REPORT, baseline="lead", trials=99, correction="bh")
    assert_type(compared, Comparison)
    assert_type(compared.pairs, Sequence[ComparedPair])
    assert_type(compared.pairs[0].difference.value, float)
    assert_type(rouge_cli.compare(PREDICTIONS, REFERENCES, "R1.R"), Comparison)
    planned = rouge_cli.plan(REPORT, detect=0.5, power=0.9, trials=9)
    assert_type(planned, Planning)
    assert_type(planned.metrics, Sequence[PlannedMetric])
    human = {"lead": 2, "best": 5}
    assert_type(rouge_cli.correlate(REPORT, human, samples=0), Correlations)
    swept = rouge_cli.sweep(PREDICTIONS, REFERENCES, human=human, trials=9)
    assert_type(swept, Sweep)
    assert_type(rouge_cli.explain("he swims", ["he swam"], "ROUGE-1"), Explanations)
    page = rouge_cli.report(PREDICTIONS, REFERENCES, "R1.R", trials=99)
    assert_type(page, Html)
    page.save("report.html")


def similar() -> None:
    """Pairs of similar texts, and an index."""
    pairs = rouge_cli.similar(["a b", "a c"], metric="R1", threshold=0.5)
    assert_type(pairs, SimilarPairs)
    assert_type(pairs[0], SimilarPair)
    assert_type(pairs.keep_first(), list[int])
    assert_type(pairs.groups(), list[list[int]])
    assert_type(pairs.signature, str)
    index = rouge_cli.SimilarIndex("RL", dialect="google")
    assert_type(index.add("a b"), int)
    assert_type(index.most_similar("a b", 0.7), list[SimilarText])


def reports() -> None:
    """Results in every format."""
    assert_type(REPORT.to("text"), str)
    assert_type(REPORT.to_text(digits=2, scale=100), str)
    assert_type(REPORT.to_json(per_eval=True), str)
    assert_type(REPORT.to_jsonl(), str)
    assert_type(REPORT.to_csv(), str)
    assert_type(REPORT.to_tsv(), str)
    assert_type(REPORT.to_latex(), str)
    assert_type(REPORT.to_markdown(), str)
    assert_type(REPORT.to_classic(), str)
    assert_type(REPORT.to_junit(bounds=[("ROUGE-1", "F", 0.5)]), str)
    assert_type(rouge_cli.explain("a", "b").to_html(), str)


def stand_in() -> None:
    """The drop-in of rouge_score, and of evaluate's metric."""
    scorer = rouge_scorer.RougeScorer(["rouge1", "rougeLsum"], use_stemmer=True)
    scored = scorer.score("the cats", "a cat")
    assert_type(scored, dict[str, scoring.Score])
    assert_type(scored["rouge1"].fmeasure, float)
    assert_type(scorer.score_multi(["a", "b"], "a"), dict[str, scoring.Score])
    assert_type(scorer.score_batch(["a"], ["b"]), list[dict[str, scoring.Score]])
    aggregator = scoring.BootstrapAggregator(seed=1)
    aggregator.add_scores(scored)
    assert_type(aggregator.aggregate(), dict[str, scoring.AggregateScore])
    google.compute(["a"], ["b"])
    rouge_cli.install_as_rouge_score()


def oracles() -> None:
    """The labels of sentences."""
    oracles = rouge_cli.oracle([["a b", "c"]], ["a"], metric="R1", method="exact")
    assert_type(oracles.signature, str)
    assert_type(oracles[0].sentences, tuple[int, ...])
    assert_type(oracles[0].labels, list[int])
    assert_type(oracles[0].score, float)
    assert_type(oracles[0].gap, float | None)


def others() -> None:
    """The version, and the class of warnings."""
    assert_type(rouge_cli.__version__, str)
    assert_type(rouge_cli.RougeWarning("said"), rouge_cli.RougeWarning)
