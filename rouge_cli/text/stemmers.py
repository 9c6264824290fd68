"""Stemmers by name: `none`, `rouge` (the dialect's own), and `snowball:LANGUAGE` for other languages."""

from __future__ import annotations

from rouge_cli.core import TYPE_CHECKING
from rouge_cli.errors import UsageError, suggestion
from rouge_cli.native import extension

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    # Returns the stem of a token in UTF-8.
    from rouge_cli.text.tokens import Stem

NAMES = ("none", "rouge", "snowball:LANGUAGE")
SHORTEST_STEMMED = 4  # bytes, for ROUGE's own stemmer


class RougeStemmer:
    """ROUGE-1.5.5's stemmer: an irregular word's base form, even if empty (QUIRKS 59), or Porter's stem.

    In texts the dialect does not stem words shorter than SHORTEST_STEMMED; in basic elements it does.
    """

    __slots__ = ("irregular",)

    def __init__(self, irregular: Mapping[bytes, bytes]) -> None:
        self.irregular = irregular

    def __call__(self, word: bytes) -> bytes:
        """Return the stem."""
        base = self.irregular.get(word)
        if base is not None:
            return base
        if compiled := extension():
            return compiled.stem(word)
        from rouge_cli.text import porter  # imported late: compiled runs do not need it

        return porter.stem_of_bytes(word)


def snowball(name: str) -> Stem:
    """Return the stemmer of a name `snowball:LANGUAGE`.

    Raises:
        UsageError: For any other name, and for languages that nltk's Snowball lacks.
    """
    from nltk.stem.snowball import SnowballStemmer  # takes about a second

    kind, _, language = name.partition(":")
    if kind != "snowball":
        others = {language: f"snowball:{language}" for language in SnowballStemmer.languages}
        others["porter"] = "rouge (Porter's, with the original's exceptions) or snowball:porter"
        raise UsageError(f"unknown stemmer {name!r}", remedy=suggestion(name, list(NAMES), others))
    if language not in SnowballStemmer.languages:
        remedy = suggestion(language, sorted(SnowballStemmer.languages))
        raise UsageError(f"no Snowball stemmer for {language!r}", remedy=remedy)
    stem: Callable[[str], str] = SnowballStemmer(language).stem
    return lambda token: stem(token.decode("utf-8", "ignore")).encode()
