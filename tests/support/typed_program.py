"""A program that calls every public function: type checkers know all of its values."""

# ruff: noqa: F821 - type checkers define reveal_type
from __future__ import annotations

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.core import Document, EvalTask

PREDICTIONS = {
    "lead": ["the cat sat", "a dog ran"],
    "best": ["the cat sat down", "the dog ran far"],
}
REFERENCES = [["the cat sat down", "a cat sat"], ["the dog ran away"]]


def main(dialect: str) -> None:
    """Print scores, differences, correlations and matches; read a dialect that is
    named at run time.
    """
    scores = rouge_cli.score(
        PREDICTIONS, REFERENCES, "R1,R2", dialect="google", stemmer="nltk", samples=0
    )
    for system, by_label in scores.to_dict().items():
        for label, measures in by_label.items():
            print(system, label, measures["f"])
    reveal_type(scores.results[0].evals)
    reveal_type(scores.results[0].average)
    reveal_type(scores.to_text(digits=2, scale=100))
    reveal_type(scores.to_json(per_eval=True))
    reveal_type(scores.signature)

    rows = rouge_cli.score_rows(["a b"], ["a c"], ["ROUGE-1"], limit="100words", jobs=1)
    reveal_type(rows)

    texts = {"X": Document(b"a b", "here")}
    task = EvalTask("1", texts, [("A", Document(b"a c", "here"))], "spl", "here")
    evaluated = rouge_cli.evaluate(
        [task], "R1", systems=["X"], jobs=1, confidence=90, seed=7
    )
    reveal_type(evaluated)
    reveal_type(evaluated.to_dict())

    named = rouge_cli.score("a b", "a c", dialect=DialectName(dialect), notify=print)
    reveal_type(named.details)

    compared = rouge_cli.compare(scores, baseline="lead", trials=99, correction="bh")
    reveal_type(compared)
    reveal_type(compared.pairs[0].difference)
    reveal_type(compared.to_latex(ranks=True))
    reveal_type(
        rouge_cli.compare(PREDICTIONS, REFERENCES, "R1.R", alpha=0.8, trials=99).pairs
    )

    planned = rouge_cli.plan(scores, detect=0.5, power=0.9, baseline="lead", trials=9)
    reveal_type(planned)
    reveal_type(planned.metrics[0].needed)

    correlated = rouge_cli.correlate(
        scores, {"lead": 2, "best": 5}, samples=0, levels=["system"]
    )
    reveal_type(correlated)
    reveal_type(correlated.to_csv())

    explained = rouge_cli.explain("he swims", ["he swam"], "ROUGE-1", stemmer="rouge")
    reveal_type(explained)
    reveal_type(explained.to_html())
    reveal_type(explained.to_markdown())

    page = rouge_cli.report(
        PREDICTIONS, REFERENCES, "R1.R", baseline="lead", trials=99, alpha=0.8
    )
    reveal_type(page)
    page.save("report.html")

    print(rouge_cli.__version__, rouge_cli.RougeWarning.__name__)
    rouge_cli.install_as_rouge_score()


def mistakes() -> None:
    """Make mistakes that type checkers find."""
    rouge_cli.score("a", "b", dialect="googel")  # type: ignore[arg-type]
    rouge_cli.score("a", "b", stemer="rouge")  # type: ignore[call-arg]
    rouge_cli.compare({}, [], average="micro")  # type: ignore[call-arg]
