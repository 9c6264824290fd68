"""One pair of texts in every dialect: its scores, and the tokens that dialects count differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rouge_cli.results import audit
from rouge_cli.results._presentation import Presentable
from rouge_cli.results._tables import NOTHING, Piece, visible
from rouge_cli.results.audit import describe

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.results import Layout
    from rouge_cli.results._records import Record
    from rouge_cli.results._tables import Table

INDENT = 1


@dataclass(frozen=True, slots=True, repr=False)
class Dialects(Presentable):
    """The audit of one eval with every measure; (text's name, token, dialect -> form) for each token."""

    audit: audit.Audit
    tokens: Sequence[tuple[str, str, Mapping[str, str | None]]]
    signature: str = ""


def prose(dialects: Dialects, layout: Layout) -> Iterator[list[Piece]]:
    """Yield the scores side by side, then the notes."""
    names = [setting.dialect for setting in dialects.audit.settings]
    head = f"{'':<25}" + "".join(f"  {name:<26}" for name in names)
    yield [Piece(head.rstrip())]
    order = dialects.audit.measures
    for difference in sorted(dialects.audit.differences, key=lambda each: order.index(each.measure)):
        results = [difference.scores.get(name) for name in names]
        cells = [
            "R {:.5f} P {:.5f} F {:.5f}".format(*result.score)
            if result and result.score
            else f"{NOTHING:<26}"
            for result in results
        ]
        yield [Piece(f"{difference.measure:<25}  {'  '.join(cells)}".rstrip())]
    yield from ([Piece(visible(line))] for line in notes(dialects, layout))


def tables(dialects: Dialects, layout: Layout) -> Iterator[Table]:
    """Yield a table of F by measure and dialect, with the reasons for differences."""
    _, differences = audit.tables(dialects.audit, layout)
    yield differences._replace(caption="")


def rows(dialects: Dialects, layout: Layout) -> Iterator[Sequence[object]]:
    """Yield the audit's rows."""
    return audit.rows(dialects.audit, layout)


def notes(dialects: Dialects, _: Layout) -> Iterator[str]:
    """Yield the tokens that are counted differently, and other reasons for differences."""
    for name, surface, forms in dialects.tokens:
        readings = ", ".join(f"{dialect} {describe(form)}" for dialect, form in forms.items())
        yield f"{name}: {surface}: {readings}"
    reasons = [reason for difference in dialects.audit.differences for reason in difference.reasons]
    yield from (reason for reason in dict.fromkeys(reasons) if not reason.startswith("tokens of"))


def document(dialects: Dialects, layout: Layout) -> Record:
    """Return the audit's document, and the tokens."""
    tokens = [
        {"text": name, "token": surface, "forms": dict(forms)} for name, surface, forms in dialects.tokens
    ]
    return {**audit.document(dialects.audit, layout), "tokens": tokens}
