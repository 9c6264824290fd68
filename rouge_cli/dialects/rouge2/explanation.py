"""Explain how ROUGE 2.0 reads a text, token by token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli import formats
from rouge_cli.dialects.rouge2 import options as rouge2_options
from rouge_cli.dialects.rouge2.texts import paper_lines
from rouge_cli.text import sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.core import Document


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Return each token (`@` for a run of digits), and the counted form."""
    units = formats.named(input_format).read(document.data).units
    split = sentences.named(options["sentences"])
    if split:
        units = split(b"\n".join(units))
    stem = rouge2_options.stemmer(options["stemmer"])
    lines = paper_lines(document, units, rouge2_options.tokenizer(options["tokenizer"]), tagged=False)
    return [(word, stem(word)) for line in lines for word, _ in line]
