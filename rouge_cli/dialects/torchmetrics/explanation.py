"""Explain how torchmetrics reads a text, token by token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.torchmetrics.program import STEMMER, tokens
from rouge_cli.pairwise.program import units_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.core import Document


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Return each token as in the text (but lower-cased), and the counted form."""
    return tokens(units_of(options, document, input_format), stems=options["stemmer"] == STEMMER)
