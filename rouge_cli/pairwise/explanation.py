"""Explanations for dialects that score a string against a string: their words, matches and arithmetic."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import ignore_notice
from rouge_cli.explanation import (
    NOTHING_TO_DIVIDE_BY,
    Explanation,
    Source,
    Token,
    number,
    pair,
    places_of,
    share,
    terms,
)  # fmt: skip
from rouge_cli.pairwise.get_scores import EPSILON, LCS, n_gram
from rouge_cli.pairwise.program import joined, units_of
from rouge_cli.text.places import find_tokens, folding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rouge_cli.core import Counts, Document, EvalTask, Notify, Score
    from rouge_cli.explanation import Pair
    from rouge_cli.metrics._metric import Metric
    from rouge_cli.options import Options
    from rouge_cli.pairwise.program import Pairwise, Scored

    # The string that a dialect scores, and what a label reads in it.
    Read = tuple[str, Callable[[str], Source]]

# How the scores against several models are combined.
BEST, MEAN, SUM, HIGHEST = "best", "mean", "sum", "highest"


class Specification(NamedTuple):
    """The parts of an explanation that differ between dialects.

    build: constructs the dialect's program. metric: returns the metric of a label. how: BEST, MEAN, SUM or
    HIGHEST. f: returns the formula of F, in letters and figures. sentences: splits a string into sentences
    of pairs (word, counted form). best: the figure that BEST compares, F or recall. lowers: True if
    `sentences` returns words in lower case. root: returns the argument `root` of `share` for a label.
    read: reads a document of a format, in place of `sentences`.
    """

    build: Callable[[Options, Counter[str], Notify], Pairwise[Any]]
    metric: Callable[[str], Metric]
    how: str
    f: Callable[[Score], str]
    sentences: Callable[[str], Sequence[Sequence[tuple[str, str]]]] = lambda _: ()
    best: str = "F"
    lowers: bool = False
    root: Callable[[str], str] = lambda _: ""
    read: Callable[[Document, str], Read] | None = None


def rouge_specification(
    options: Options,
    build: Callable[[Options, Counter[str], Notify], Pairwise[Any]],
    sentences: Callable[[str], Sequence[Sequence[str]]],
    lcs: Metric,
) -> Specification:
    """Return the specification of `rouge` or `rouge-chinese`. lcs: the metric of rouge-l."""
    return Specification(
        build,
        lambda label: lcs if label == LCS else n_gram(label, exclusive=options["exclusive"]),
        BEST if options["formula"] == "best" else MEAN,
        partial(harmonic_f, epsilon=f" + {EPSILON:g}"),
        lambda string: [[(word, word) for word in words] for words in sentences(string)],
    )


def harmonic_f(score: Score, epsilon: str = "") -> str:
    """Return the formula of F, in letters and figures. epsilon: what is added to P + R."""
    r, p = f"{score.recall:.5f}", f"{score.precision:.5f}"
    return f"F = 2 P R / (P + R{epsilon}) = 2 x {p} x {r} / ({p} + {r}{epsilon})"


def best_model(pairs: Sequence[Pair], ranks: Sequence[float], figure: str = "F") -> str:
    """Return the step that chooses the best of several models. ranks: the figure of each."""
    best = pairs[ranks.index(max(ranks))].model_id
    named = ", ".join(f"{part.model_id} {rank:.5f}" for part, rank in zip(pairs, ranks, strict=True))
    return f"best model = {best}, the first of the highest {figure} ({named})"


def addition_steps(pairs: Sequence[Pair], whole: Counts) -> Iterator[str]:
    """Yield the steps that add up the counts of several models."""
    names = {"model": "model", "peer": "peer", "match": "match"}
    if whole.matched != whole.match:
        names["match of precision"] = "matched"
    for name, field in names.items():
        values = [number(getattr(part.counts, field)) for part in pairs]
        yield f"{name} = {terms(values)} = {number(getattr(whole, field))}"


def explainer(
    specify: Callable[[Options], Specification], options: Options
) -> Callable[[EvalTask], Mapping[str, list[Explanation]]]:
    """Return a function that explains every peer of a loaded eval."""
    specification = specify(options)
    program = specification.build(options, Counter(), ignore_notice)
    read: Callable[[Any, str], Read] = specification.read or partial(_read, options, specification)

    def explain(task: EvalTask) -> Mapping[str, list[Explanation]]:
        texts = [(model_id, *read(text, task.input_format)) for model_id, text in task.models]
        explained = {}
        for peer_id, text in task.peers.items():
            string, source = read(text, task.input_format)
            peer = program.prepare(string)
            models = [(model_id, program.prepare(model), shown) for model_id, model, shown in texts]
            scores = program.scores([model for _, model, _ in models], peer)
            single = [program.scores([model], peer) for _, model, _ in models]
            explained[peer_id] = [
                _explanation(
                    specification,
                    label,
                    peer_id,
                    [
                        pair(specification.metric(label), model_id, shown(label), source(label))
                        for model_id, _, shown in models
                    ],
                    [by_label.get(label) for by_label in single],
                    scored,
                )
                for label, scored in scores.items()
            ]
        return explained

    return explain


def forms(
    specify: Callable[[Options], Specification], options: Options, document: Document, input_format: str
) -> Sequence[tuple[str, str]]:
    """Return each token, in lower case if `lowers` is set, and the form that is counted."""
    sentences = specify(options).sentences(joined(units_of(options, document, input_format)))
    return [(word, form) for sentence in sentences for word, form in sentence if word]


def _read(options: Options, specification: Specification, document: Document, input_format: str) -> Read:
    """Return the string that the dialect scores, and its words with their places."""
    string = joined(units_of(options, document, input_format))
    data = string.encode("utf-8", "replace")
    sentences = specification.sentences(string)
    words = [word for sentence in sentences for word, _ in sentence]
    if specification.lowers:
        places = find_tokens(data, folding("google"), words)
    else:
        places = places_of(data, [word.encode("utf-8", "replace") for word in words])
    tokens: list[Token] = []
    starts = []
    for number_of_sentence, sentence in enumerate(sentences):
        starts.append(places[len(tokens)][0] if tokens and sentence else len(data) if tokens else 0)
        for word, form in sentence:
            first, last = places[len(tokens)]
            rule = "stemmer" if form != word else ""
            surface = data[first:last].decode("utf-8", "replace")
            tokens.append(Token(surface, form, first, last, number_of_sentence, rule))
    spans = list(pairwise([*starts, len(data)]))
    return string, lambda _: Source(data, spans, tokens, tokens)


def _explanation(  # noqa: PLR0913, PLR0917 - a metric and its results
    specification: Specification,
    label: str,
    peer_id: str,
    pairs: Sequence[Pair],
    single: Sequence[Scored | None],
    scored: Scored,
) -> Explanation:
    """Return the explanation of a metric.

    single: the result against each model alone; None if the dialect leaves the model out. scored: the
    result against all models.
    """
    counts, score = scored
    counted = [(part, result[1]) for part, result in zip(pairs, single, strict=True) if result]
    how = specification.how if len(counted) > 1 else BEST
    steps: list[str] = []
    if how in (MEAN, HIGHEST):
        for name in score._fields[: 3 if how == MEAN else 2]:
            parts = ", ".join(f"{getattr(model_score, name):.5f}" for _, model_score in counted)
            steps.append(f"{name} = {how} of {parts} = {getattr(score, name):.5f}".replace("f =", "F ="))
    else:
        if how == SUM:
            steps += addition_steps(pairs, counts)
        elif len(counted) > 1:
            ranks = [
                model_score.f if specification.best == "F" else model_score.recall
                for _, model_score in counted
            ]
            steps.append(best_model([part for part, _ in counted], ranks, specification.best))
        root = specification.root(label)
        steps.append(share("recall", "model", counts.match, counts.model, score.recall, root))
        steps.append(share("precision", "peer", counts.match, counts.peer, score.precision, root))
    if how != MEAN:
        steps.append(
            f"{specification.f(score)} = {score.f:.5f}" + ("" if score.f else NOTHING_TO_DIVIDE_BY)
        )
    return Explanation(label, peer_id, pairs, steps, counts, score)
