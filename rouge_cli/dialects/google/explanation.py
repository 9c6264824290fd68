"""What Google's rouge_score makes of a text, token by token."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rouge_cli import formats
from rouge_cli.dialects.google import rouge_scorer
from rouge_cli.text import normalization, sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.core import Document


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Each token as the text has it (but lower-cased), and the form that is counted."""
    units = formats.summary(input_format, document).units
    split = sentences.named(options["sentences"])
    if split:
        units = split(b"\n".join(units))
    text = normalization.normalize(options["normalize"], b"\n".join(units).decode("utf-8", "replace"))
    found = re.findall("[a-z0-9]+", text.lower())
    stem = str if options["stemmer"] == "none" else rouge_scorer.stem
    return [(token, stem(token)) for token in found]
