"""Explain how pycocoevalcap's ROUGE-L reads a text, token by token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.pairwise.program import units_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.core import Document


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Return each token twice, since the counted form is the token itself."""
    return [(word, word) for word in units_of(options, document, input_format).split(" ") if word]
