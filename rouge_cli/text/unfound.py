"""Warn a Python program whose texts a stand-in reads otherwise than they are meant.

Words that are not found: the stand-ins for other packages call `check_words` or
`check_ascii_words` with every text outside ASCII. Sentences that share a line, which
are one sentence for rougeLsum: `LineWatch` looks at the first pairs of a process.
Neither changes a score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rouge_cli.core import Document
from rouge_cli.errors import warn_once
from rouge_cli.text import languages, segmentation

# Entry -> its texts with a fault, of which only the first are looked at: a program may
# score many.
_NUMBERS: Counter[str] = Counter()
MOST_CHECKED = 50
# Bytes of a character, on average, in a text of which half the letters are not ASCII.
BYTES_OF_OTHERS = 1.35
SHOWN = 30  # characters of a text in a warning
MOST_PAIRS, FEWEST_PAIRS = 20, 5  # that are looked at; of sentences, for a warning
SENTENCES_IN_LINES = (
    "most predictions and targets are one line of several sentences, and a line is one"
    " sentence for rougeLsum, as in rouge_score, so that rougeLsum equals rougeL; put a"
    ' line feed after each sentence ("\\n".join(nltk.sent_tokenize(text))), or use'
    " RougeScorer(..., split_summaries=True)"
)


def check_words(entry: str, string: str, words: Iterable[str]) -> None:
    """Warn, once for each language, if a function of a stand-in does not find the
    words of a text.

    Args:
        entry: The function or class, which the warning names.
        string: The text.
        words: The words that the stand-in finds.
    """
    if _NUMBERS[entry] >= MOST_CHECKED or not isinstance(string, str):
        return
    if string.isascii() or not segmentation.may_be_faulty(string):
        return
    fault_of_words = segmentation.fault(words)
    if not fault_of_words:
        return
    _NUMBERS[entry] += 1
    document = Document(string.encode("utf-8", "replace"), _beginning(string))
    _, codes = languages.place_and_language(document)
    message = languages.unfound_words(document, fault_of_words, "", {})
    warn_once((entry, codes), f"{entry}: {message}")


def may_be_dropped(string: str) -> bool:
    """Return True if half of the letters of a text may be outside ASCII: a quick look,
    since these have two bytes or more.
    """
    if not isinstance(string, str) or string.isascii():
        return False
    return len(string.encode("utf-8", "surrogatepass")) > BYTES_OF_OTHERS * len(string)


def check_ascii_words(entry: str, string: str) -> None:
    """Warn as `check_words` if half of a text is dropped, since only ASCII letters
    and digits count.
    """
    if _NUMBERS[entry] >= MOST_CHECKED or not may_be_dropped(string):
        return
    letters = sum(map(str.isalnum, string))
    in_ascii = string.encode("ascii", "ignore").decode()
    dropped = letters - sum(map(str.isalnum, in_ascii))
    if 2 * dropped < letters or not dropped:
        return
    _NUMBERS[entry] += 1
    units = [string.encode("utf-8", "replace")]
    codes = languages.place_and_language(Document(units[0], ""))[1]
    what = languages.without_tokens(units, languages.Remedies(), ascii_only=True)
    if dropped < letters:
        what = what.replace("text, but no tokens", "text, but few tokens")
    warn_once((entry, codes), f"{entry}: {_beginning(string)}: {what}")


class LineWatch:
    """Looks at the first pairs of a process whose lines are taken for sentences, and
    warns once if most are one line of several sentences on both sides.
    """

    def __init__(self) -> None:
        self.is_looking = True
        self._looked_at = 0
        self._of_sentences = 0

    def look(self, entry: str, target: object, prediction: object) -> None:
        """Look at a pair that a program scores by itself, perhaps in a loop."""
        self._looked_at += 1
        if _is_line_of_sentences(target) and _is_line_of_sentences(prediction):
            self._of_sentences += 1
        if self._of_sentences >= FEWEST_PAIRS:
            self.is_looking = False
            warn_once("sentences in lines", f"{entry}: {SENTENCES_IN_LINES}")
        elif self._looked_at >= MOST_PAIRS:
            self.is_looking = False

    def look_at_all(
        self, entry: str, targets: Sequence[object], predictions: Sequence[object]
    ) -> None:
        """Look at the first of the pairs that a program scores in one call."""
        self.is_looking = False
        first = list(zip(targets, predictions, strict=False))[:MOST_PAIRS]
        of_sentences = 0
        for target, prediction in first:
            if _is_line_of_sentences(target) and _is_line_of_sentences(prediction):
                of_sentences += 1
        if 2 * of_sentences > len(first):
            warn_once("sentences in lines", f"{entry}: {SENTENCES_IN_LINES}")


def _is_line_of_sentences(text: object) -> bool:
    """Return True if a text is one line of several sentences. A list of texts, such as
    the targets of a prediction, is if its first is.
    """
    if isinstance(text, list) and text:
        text = text[0]
    if not isinstance(text, str) or "\n" in text.strip():
        return False
    return segmentation.number_of_sentences(text) > 1


def _beginning(string: str) -> str:
    """Return a string for a warning, cut after its first characters."""
    if len(string) > SHOWN:
        string = f"{string[:SHOWN]}..."
    return repr(string)
