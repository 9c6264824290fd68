"""Explain how PyRouge reads a text, token by token."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.rouge_metric.program import words_of
from rouge_cli.pairwise.program import units_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.core import Document


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Return each token twice, since the counted form is the token itself."""
    words = chain(*words_of(units_of(options, document, input_format)))
    return [(word, word) for word in words]
