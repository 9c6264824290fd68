"""The scores of single evals as records of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rouge_cli.results import base
from rouge_cli.scoring.columns import ids_of
from rouge_cli.twins import twin

if TYPE_CHECKING:
    from rouge_cli.core import Counts, EvalResult, Result, Score
    from rouge_cli.results.base import Layout, Record

FIGURES = ("recall", "precision", "f")
COUNTS = ("reference", "prediction", "match")
NO_SCORE = (None, None, None)


def by_eval(results: Sequence[Result]) -> Iterator[tuple[EvalResult, Result]]:
    """Yield the results of single evals, eval by eval, so that the systems of an
    eval are together.
    """
    if not results:
        return
    first, *others = [ids_of(result.evals) for result in results]
    has_repeats = len(set(first)) < len(first)
    if not has_repeats and all(ids == first for ids in others):
        for place in range(len(first)):
            for result in results:
                yield result.evals[place], result
        return
    groups: dict[str, list[tuple[EvalResult, Result]]] = {}
    for result in results:
        for entry in result.evals:
            groups.setdefault(entry.eval_id, []).append((entry, result))
    for group in groups.values():
        yield from group


@twin
def eval_lines(results: Sequence[Result], scale: float) -> Iterator[str]:
    """Yield the records of evals as lines of JSON, or several lines together."""
    for record in eval_records(results, scale):
        yield base.dump(record) + "\n"


def eval_records(results: Sequence[Result], scale: float) -> Iterator[Record]:
    """Yield the record of each eval, system and metric."""
    for entry, result in by_eval(results):
        names = {
            "eval": entry.eval_id,
            "system": result.system,
            "metric": result.label,
        }
        yield {**names, **eval_record(entry, scale)}


def eval_record(result: EvalResult, scale: float) -> Record:
    """Return the record of a system in one eval; only counts leave R, P and F null."""
    scores = dict(zip(FIGURES, scaled(result.score, scale), strict=True))
    return {"eval": result.eval_id, **scores, "counts": counts_record(result.counts)}


def counts_record(counts: Counts) -> Record:
    """Return the record of counts, with those of matched units if they are others."""
    record: Record = exact(counts)
    if counts.prediction_match is not None:
        record["prediction_match"] = base.number(counts.prediction_match)
    return record


def exact(counts: Counts) -> dict[str, float | None]:
    """Return the three counts by name, for JSON."""
    return {name: base.number(getattr(counts, name)) for name in COUNTS}


def scaled(score: Score | None, scale: float) -> Sequence[float | None]:
    """Return recall, precision and F for JSON; None for each if there is no score."""
    if score is None:
        return NO_SCORE
    return [base.number(value * scale) for value in score]


def format_count(count: float, layout: Layout) -> str:
    """Format a count for tables: whole numbers in full, others with as many digits
    as scores.
    """
    if not abs(count) < 1e15:  # large, or nan
        return f"{count:.15g}"
    if float(count).is_integer():
        return str(int(count))
    return f"{count:.{layout.digits}f}"
