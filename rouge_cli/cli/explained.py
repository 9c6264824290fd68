"""Explanations as text, in colours on a terminal, and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.explain import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.explain import Explanation, Match, Pair, Side, Source, Token

# How many matched units are listed, and how many notes on a text.
MOST_LISTED = 20

# kind of a piece -> what stands around it in plain text, and its style on a terminal.
MARKS = {"counted": ("[", "]"), "clipped": ("{", "}"), "dropped": ("~", "~")}
STYLES = {"counted": "bold green", "clipped": "underline yellow", "dropped": "dim strike", "head": "bold"}

# What a text must not do to a terminal; line feeds are no part of a sentence.
_CONTROLS = dict.fromkeys([*range(32), *range(127, 160)], " ")


class Piece(NamedTuple):
    """Text and what it is: a key of STYLES, or empty."""

    text: str
    kind: str = ""


def lines(explanations: Sequence[Explanation], *, every: bool) -> Iterator[list[Piece]]:
    """The explanations line by line; every: list all matches and notes."""
    most = None if every else MOST_LISTED
    notes = list(_notes(explanations, most))
    if notes:
        yield [Piece("Tokens", "head")]
        yield from ([Piece(f"  {note}")] for note in notes)
    for place, explanation in enumerate(explanations):
        if place or notes:
            yield []
        yield [Piece(explanation.label, "head")]
        for pair in explanation.pairs:
            names = f"model {pair.model_id}", f"peer {explanation.peer_id}"
            for name, side in zip(names, (pair.model, pair.peer), strict=True):
                yield from _text(name.ljust(max(map(len, names))), side)
            yield from ([Piece(f"  {line}")] for line in _matches(pair, explanation.label, most))
        yield from ([Piece(f"  {line}")] for line in explanation.arithmetic)


def plain(explanations: Sequence[Explanation], *, every: bool) -> str:
    """The lines as text, marks in brackets."""
    found = ("".join(map(_marked, line)) for line in lines(explanations, every=every))
    return "".join(f"{line}\n" for line in found)


def in_colours(explanations: Sequence[Explanation], *, every: bool) -> str:
    """The lines for this terminal, marks in its colours, or in brackets where it has none."""
    from rich.console import Console  # costs start-up time
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    if not console.color_system:
        return plain(explanations, every=every)
    with console.capture() as capture:
        for line in lines(explanations, every=every):
            console.print(Text.assemble(*((piece.text, STYLES.get(piece.kind, "")) for piece in line)))
    return capture.get()


def as_json(explanations: Sequence[Explanation]) -> str:
    """One object: every token, match and count; places are bytes of the text's file."""
    metrics = [
        {
            "metric": one.label,
            "recall": one.score.recall,
            "precision": one.score.precision,
            "f": one.score.f,
            "counts": _counts(one.counts[:3]),
            "arithmetic": one.arithmetic,
            "models": [_pair(pair) for pair in one.pairs],
        }
        for one in explanations
    ]
    peer_id = explanations[0].peer_id if explanations else None
    return json.dumps({"dialect": "rouge155", "peer_id": peer_id, "metrics": metrics}, indent=1) + "\n"


def _marked(piece: Piece) -> str:
    opening, closing = MARKS.get(piece.kind, ("", ""))
    return f"{opening}{piece.text}{closing}"


# Texts.


def _text(name: str, side: Side) -> Iterator[list[Piece]]:
    """The text, a sentence a line, behind its name."""
    by_sentence: dict[int, list[tuple[int, Token]]] = {}
    for place, token in enumerate(side.tokens):
        by_sentence.setdefault(token.sentence, []).append((place, token))
    head = f"  {name}  "
    for sentence, (start, end) in enumerate(side.source.sentences):
        yield [Piece(head), *_sentence(side, start, end, by_sentence.get(sentence, []))]
        head = " " * len(head)
    if not side.source.sentences:
        yield [Piece(f"{head}(empty)")]


def _sentence(side: Side, start: int, end: int, tokens: Sequence[tuple[int, Token]]) -> Iterator[Piece]:
    for place, token in tokens:
        yield Piece(_shown(side.source.data[start : token.start]))
        yield Piece(token.surface.translate(_CONTROLS), _kind(side, place, token))
        start = token.end
    yield Piece(_shown(side.source.data[start:end]).rstrip())


def _kind(side: Side, place: int, token: Token) -> str:
    if token.why_dropped:
        return "dropped"
    if place in side.counted:
        return "counted"
    return "clipped" if place in side.clipped else ""


def _shown(data: bytes) -> str:
    return data.decode("utf-8", "replace").translate(_CONTROLS)


# Matches.


def _matches(pair: Pair, label: str, most: int | None) -> Iterator[str]:
    """The list of units, and the counts that they add up to."""
    found = sorted(pair.matches, key=lambda match: -match.counted * match.worth)
    yield from (f"  {_match(match, label)}" for match in found[:most])
    if most is not None and len(found) > most:
        yield f"  and {len(found) - most} more (--all shows them)"
    model, peer, match = map(number, pair.counts[:3])
    yield from pair.steps or [f"model {model}, peer {peer}, match {match}"]


def _match(match: Match, label: str) -> str:
    unit = ("|" if label.startswith("ROUGE-BE") else " ").join(match.unit).translate(_CONTROLS)
    if match.in_peer is None:
        return f"{number(match.worth)} for {unit}"
    where = "on an LCS" if label == "ROUGE-L" else "model"
    unequal = f" ({where} {match.in_model}, peer {match.in_peer})"
    return f"{match.counted} x {unit}{unequal if match.in_model != match.in_peer else ''}"


# Notes on tokens.


def _notes(explanations: Sequence[Explanation], most: int | None) -> Iterator[str]:
    """What became of words on the way, a line a text."""
    if not explanations:
        return
    first = explanations[0]
    sources = [(f"model {pair.model_id}", pair.model.source) for pair in first.pairs]
    sources.extend((f"peer {first.peer_id}", pair.peer.source) for pair in first.pairs[:1])
    for name, source in sources:
        by_reason: dict[str, dict[str, None]] = {}
        for reason, what in _remarks(source):
            by_reason.setdefault(reason, {})[what.translate(_CONTROLS)] = None
        if by_reason:
            yield f"{name}: " + "; ".join(
                f"{reason}: {', '.join(_listed(list(found), most))}" for reason, found in by_reason.items()
            )


def _listed(found: Sequence[str], most: int | None) -> Sequence[str]:
    if most is None or len(found) <= most:
        return found
    return [*found[:most], f"and {len(found) - most} more (--all shows them)"]


def _remarks(source: Source) -> Iterator[tuple[str, str]]:
    """Why something was dropped, changed or taken apart, and what."""
    for token in source.tokens:
        if token.why_dropped:
            yield f"dropped ({token.why_dropped})", token.surface
        elif token.rule:
            yield token.rule, f"{token.surface} -> {token.form}"
    for separator in source.separators:
        yield f"separates ({separator.kind})", separator.surface


# JSON.


def _pair(pair: Pair) -> dict[str, object]:
    return {
        "model_id": pair.model_id,
        "counts": _counts(pair.counts[:3]),
        "steps": pair.steps,
        "matches": [match._asdict() for match in pair.matches],
        "model": _side(pair.model),
        "peer": _side(pair.peer),
    }


def _side(side: Side) -> dict[str, object]:
    return {
        "sentences": side.source.sentences,
        "tokens": [
            {**token._asdict(), "mark": _kind(side, place, token)}
            for place, token in enumerate(side.tokens)
        ],
        "separators": [separator._asdict() for separator in side.source.separators],
    }


def _counts(figures: Sequence[float]) -> dict[str, float]:
    return dict(zip(("model", "peer", "match"), figures, strict=True))
