"""Notices about a whole run, from the survey of its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.core import Notice
from rouge_cli.text.survey import MARKS, by_side, cut_up_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    # Of the peers and of the models, as `survey.record` returns them.
    Tallies = Sequence[Mapping[str, Any]]

LONG = 200  # mean bytes of texts of one line from which on they probably have several sentences
SEVERAL = 1.5  # mean sentences per text from which on texts have several
ONE_IN = 10  # one text in so many with a mark is not a coincidence
ONE_LINE = (
    "every text is one line, which the measures of sentences (ROUGE-L) take for one sentence; if there are "
    "several in it, say how to find them: --sentences mark:<q> (or another mark), or --sentences split"
)


def remarks(
    details: Mapping[str, Any], options: Mapping[str, Any], *, needs_sentences: bool
) -> Iterator[Notice]:
    """Yield notices about letters, marks and sentences that are ignored and lower the scores.

    details: of a report. options: of its dialect. needs_sentences: whether any metric uses sentences.
    """
    sides = _sides(details)
    if not sides:
        return
    yield from on_letters(details, has_tokenizers="tokenizer" in options)
    marked = [
        mark for mark in MARKS if any(side["marks"][mark] * ONE_IN >= side["texts"] for side in sides)
    ]
    for mark in marked:
        yield _on_mark(mark, sides)
    if not marked and needs_sentences:
        yield from _on_sentences(sides, options.get("sentences", ""))


def on_letters(details: Mapping[str, Any], *, has_tokenizers: bool = True) -> Iterator[Notice]:
    """Yield a notice if much of the texts is dropped because its letters are not ASCII."""
    sides = _sides(details)
    if sides and (message := cut_up_message(sides, has_tokenizers=has_tokenizers)):
        yield Notice(message)


def _sides(details: Mapping[str, Any]) -> Tallies:
    """Return the tallies of peers and models; nothing if texts were not surveyed on both sides."""
    sides = [details.get(side, {}) for side in ("peers", "models")]
    return sides if all(side.get("texts") and "marks" in side for side in sides) else []


def _on_mark(mark: str, sides: Tallies) -> Notice:
    unmarked = [side for side in sides if not side["marks"][mark]]
    remedy = (
        "delete it from the texts"
        if mark == "<s>"  # the start of a text or sentence
        else f"put line feeds in its place in the {'peers' if sides[0]['marks'][mark] else 'models'}"
        if any(_per_text(side) > SEVERAL for side in unmarked)
        else f"use --sentences 'mark:{mark}'"
    )
    texts = by_side([side["marks"][mark] for side in sides], sides)
    return Notice(
        f"{mark} is in {texts}; it is read as text and ends no sentence ({_sentences(sides)}); {remedy}"
    )


def _on_sentences(sides: Tallies, how: str) -> Iterator[Notice]:
    lone = [side["sentences"] <= side["texts"] for side in sides]
    if how == "newline" and all(lone) and all(side["bytes"] > LONG * side["texts"] for side in sides):
        yield Notice(ONE_LINE)
    if (how == "newline" or how.startswith("mark:")) and max(map(_per_text, sides)) > SEVERAL and any(lone):
        yield Notice(
            f"every text of the {'peers' if lone[0] else 'models'} is one sentence, others have several "
            f"({_sentences(sides)}); if there are several in a line, write one sentence a line on both "
            "sides, or use --sentences split"
        )


def _per_text(side: Mapping[str, Any]) -> float:
    sentences, texts = int(side["sentences"]), int(side["texts"])
    return sentences / texts


def _sentences(sides: Tallies) -> str:
    peers, models = map(_per_text, sides)
    return f"sentences per text: {peers:.1f} in peers, {models:.1f} in models"
