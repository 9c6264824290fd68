"""Warn a Python program whose text has words that a stand-in does not find.

The stand-ins for other packages call these functions with every text outside ASCII;
they change no score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

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
    codes = languages.cut_text(document).languages
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
    codes = languages.cut_text(Document(units[0], "")).languages
    what = languages.without_tokens(units, languages.Remedies(), ascii_only=True)
    if dropped < letters:
        what = what.replace("text, but no tokens", "text, but few tokens")
    warn_once((entry, codes), f"{entry}: {_beginning(string)}: {what}")


def _beginning(string: str) -> str:
    """Return a string for a warning, cut after its first characters."""
    if len(string) > SHOWN:
        string = f"{string[:SHOWN]}..."
    return repr(string)
