"""The options of `rouge-cli score --dialect google`: rouge_score on any input, with any report."""

from __future__ import annotations

from functools import lru_cache, partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.google import rouge_scorer
from rouge_cli.dialects.google.program import Google
from rouge_cli.options import in_range, one_of, percent
from rouge_cli.pairwise import program
from rouge_cli.text import normalization, tokenizers

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Mapping, Sequence

    from rouge_cli.core import Notify
    from rouge_cli.options import Options

DEFAULTS: Mapping[str, Any] = {
    "metrics": ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    "stemmer": "none",
    "jackknife": False,
    "confidence": 95.0,
    "samples": 0,
    "seed": 0,
    "normalize": normalization.NONE,
    "tokenizer": "google",
    "sentences": "newline",
}
STEMMER = "nltk"  # the meaning of `--stem`
STOP_LIST = ""  # there is none, and no option `stop`
LABELS = (*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum")


parse = partial(program.parse, "google", LABELS)


def canonical(options: Options) -> Options:
    """Return the options as in the signature."""
    return {**program.canonical(options, parse), "normalize": normalization.canonical(options["normalize"])}


def build(options: Options, uses: Counter[str], notify: Notify) -> Google:
    """Build the dialect for a run; raise UsageError for invalid values."""
    stem = one_of(options, "stemmer", "none", STEMMER) == STEMMER
    percent(in_range(options, "confidence", 0, 100))
    in_range(options, "samples", 0, 10_000_000)
    in_range(options, "seed", 0, 2**32 - 1)
    tokenizer = options["tokenizer"]
    form = lru_cache(rouge_scorer.MOST_FORMS)(rouge_scorer.stem) if stem else str
    own = None
    if tokenizer != "google":
        # rouge_score stems only the tokens of its own tokenizer.
        own = SimpleNamespace(tokenize=partial(_tokens, tokenizers.named(tokenizer), form))
    return Google(options, rouge_scorer.RougeScorer((), use_stemmer=stem, tokenizer=own), uses, notify)


def _tokens(
    tokenize: Callable[[bytes], Sequence[bytes]], form: Callable[[str], str], text: str
) -> list[str]:
    """Return the counted forms of the tokens of a text."""
    return [form(token.decode("utf-8", "replace")) for token in tokenize(text.encode("utf-8", "replace"))]
