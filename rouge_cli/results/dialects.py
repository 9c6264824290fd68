"""One pair of texts under every dialect: its scores, and the tokens that dialects count otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.results._records import divide
from rouge_cli.results._tables import NOTHING, Cell, Piece, Row, Table, visible
from rouge_cli.results.audit import MEASURES, described
from rouge_cli.results.scores import FIGURES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import Score
    from rouge_cli.reports import Layout
    from rouge_cli.results._records import Record
    from rouge_cli.results.audit import Audit, Difference

INDENT = 1
_EMPTY = f"{NOTHING:<26}"


class Dialects(NamedTuple):
    """The audit of one eval, every measure of it; (text's name, token, dialect -> form) for each token."""

    audit: Audit
    tokens: Sequence[tuple[str, str, Mapping[str, str | None]]]
    signature: str = ""

    @property
    def kind(self) -> str:
        """Return the name of its module in `results`."""
        return "dialects"

    @property
    def names(self) -> Sequence[str]:
        """Return the dialects."""
        return [setting.dialect for setting in self.audit.settings]

    @property
    def differences(self) -> Sequence[Difference]:
        """Return the measures in their order."""
        order = list(MEASURES)
        return sorted(self.audit.differences, key=lambda difference: order.index(difference.measure))


def prose(dialects: Dialects, layout: Layout) -> Iterator[list[Piece]]:
    """Yield the scores side by side, then the notes."""
    head = f"{'':<25}" + "".join(f"  {name:<26}" for name in dialects.names)
    yield [Piece(head.rstrip())]
    for difference in dialects.differences:
        cells = [
            "R {:.5f} P {:.5f} F {:.5f}".format(*score) if score else _EMPTY
            for score in _scores(difference, dialects)
        ]
        yield [Piece(f"{difference.measure:<25}  {'  '.join(cells)}".rstrip())]
    yield from ([Piece(line)] for line in notes(dialects, layout))


def tables(dialects: Dialects, layout: Layout) -> Iterator[Table]:
    """Yield a row for each measure."""
    rows = [
        Row(
            (difference.measure,),
            [
                Cell(f"{value:.{layout.digits}f}" if score else NOTHING)
                for score in _scores(difference, dialects)
                for value in score or (0, 0, 0)
            ],
        )
        for difference in dialects.differences
    ]
    yield Table(("measure",), [f"{name} {letter}" for name in dialects.names for letter in "RPF"], rows)


def notes(dialects: Dialects, _: Layout) -> Iterator[str]:
    """Yield the tokens that are counted otherwise, and what else makes scores differ."""
    for name, surface, forms in dialects.tokens:
        readings = ", ".join(f"{dialect} {described(form)}" for dialect, form in forms.items())
        yield visible(f"{name}: {surface}: {readings}")
    yield from map(visible, _reasons(dialects))


def document(dialects: Dialects, _: Layout) -> Record:
    """Return everything, unrounded."""
    return {
        "schema": "rouge-cli dialects 1",
        "signatures": {name: report.signature for name, report in dialects.audit.reports.items()},
        "scores": [
            {"measure": difference.measure, "dialect": name, **score._asdict()}
            for difference in dialects.differences
            for name, score in zip(dialects.names, _scores(difference, dialects), strict=True)
            if score
        ],
        "tokens": [
            {"text": name, "token": surface, "forms": dict(forms)}
            for name, surface, forms in dialects.tokens
        ],
        "reasons": _reasons(dialects),
    }


def rows(dialects: Dialects, layout: Layout) -> Iterator[Sequence[object]]:
    """Yield a row for each measure and dialect, unrounded."""
    content = document(dialects, layout)
    yield ["measure", "dialect", *FIGURES, "signature"]
    yield from ([*score.values(), content["signatures"][score["dialect"]]] for score in content["scores"])


def lines(dialects: Dialects, layout: Layout) -> Iterator[Record]:
    """Yield what holds for all scores, then the scores, then the tokens."""
    return divide(document(dialects, layout), scores="score", tokens="token")


def _scores(difference: Difference, dialects: Dialects) -> list[Score | None]:
    results = (difference.scores.get(name) for name in dialects.names)
    return [result.score if result else None for result in results]


def _reasons(dialects: Dialects) -> list[str]:
    reasons = [reason for difference in dialects.audit.differences for reason in difference.reasons]
    return [reason for reason in dict.fromkeys(reasons) if not reason.startswith("tokens of")]
