"""Survey of texts for common causes of low scores: unread sentence marks, letters outside ASCII.

Texts are surveyed while they are read (also by the compiled kernels, `survey.hpp`), and added up by run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    # The sentences of a text to the five numbers that `survey` returns.
    Survey = Callable[[Sequence[bytes]], Sequence[int]]

# Common marks of sentence ends in files.
MARKS = ("<q>", "\\n")
# A text counts as cut up if it has at least this many letters in words that are, and this share of them.
FEWEST_CUT, SHARE = 10, 10
# Letters and digits of other alphabets, approximately: without punctuation, symbols and pictographs.
_WORDS = (
    "[0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2dff\u3005-\u3007\u3040-\ud7ff\uf900-\ufdff\ufe70-\ufefc"
    "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc\U00010000-\U0001efff\U00020000-\U0003ffff]+"
)
# The length of a tally: texts, sentences, bytes, and the numbers of `survey`; the index of its third.
SIZE, CUT_UP = 8, 5
SIDES = PEERS, MODELS = "peers", "models"


def survey(units: Sequence[bytes], *, ascii_only: bool = True, normalize: str = "none") -> Sequence[int]:
    """Return five numbers: 1 for each of MARKS in the text, 1 if it is cut up, its letters, those cut up.

    ascii_only: True if the tokenizer only reads ASCII letters and digits; a word with another letter is
    then dropped or cut up. Letters are counted only in texts that are cut up. A text without ASCII letters
    is not one of these, since it is reported for having no tokens.
    """
    text = b"\n".join(units)
    marks = [int(mark.encode() in text) for mark in MARKS]
    if not ascii_only or text.isascii():
        return (*marks, 0, 0, 0)
    from rouge_cli.text import normalization  # most texts never get here

    words = re.findall(_WORDS, normalization.normalize(normalize, text.decode("utf-8", "replace")))
    letters = sum(map(len, words))
    cut = sum(len(word) for word in words if not word.isascii())
    has_ascii = re.search(rb"[0-9A-Za-z]", text) is not None
    if has_ascii and cut >= FEWEST_CUT and cut * SHARE >= letters:
        return (*marks, 1, letters, cut)
    return (*marks, 0, 0, 0)


def record(numbers: Sequence[int], first_cut: str) -> dict[str, Any]:
    """Return a tally for reports; first_cut: the place of the first text that is cut up."""
    texts, sentences, size, *marks, cut_texts, letters, cut = numbers
    return {
        "texts": texts,
        "sentences": sentences,
        "bytes": size,
        "marks": dict(zip(MARKS, marks, strict=True)),
        "cut_up": {"texts": cut_texts, "letters": letters, "cut": cut, "first": first_cut},
    }


NOTHING_READ = {side: record([0] * SIZE, "") for side in SIDES}


def without_tokens(*, ascii_only: bool) -> str:
    """Return the notice on a text without a token. ascii_only: as for `survey`."""
    why = (
        "only ASCII letters and digits count "
        "(for other alphabets: rouge-cli score --tokenizer unicode, or char)"
        if ascii_only
        else "the tokenizer returns none"
    )
    return f"text, but no tokens: {why}"
