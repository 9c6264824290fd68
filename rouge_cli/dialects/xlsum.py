"""XL-Sum's multilingual_rouge_scoring (PyPI multilingual-rouge 0.0.1): rouge_score for
many languages.

Tokens are runs of letters or of digits with their marks, single symbols, and single
Chinese characters, but not punctuation. The option `lang` selects a segmenter (chinese,
thai, japanese, burmese) and a stemmer; for rougeLsum, nothing is segmented. Words in
nltk's stop lists are not stemmed (QUIRKS 87). The rest is rouge_score's.

A drop-in for Python code: `from rouge_cli.dialects.xlsum import rouge_scorer, scoring`
in place of `from multilingual_rouge import rouge_scorer, scoring`.
"""

import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from pkgutil import resolve_name
from types import SimpleNamespace

import regex

from rouge_cli import data
from rouge_cli.dialects.google import program, scoring
from rouge_cli.errors import RougeError, RougeWarning, require
from rouge_cli.options import Options
from rouge_cli.text import porter, tokenizers

__all__ = ["DIALECT", "rouge_scorer", "scoring"]

OTHER_NAMES = {"bangla": "bengali", "turkce": "turkish", "mundo": "spanish"}
OTHER_NAMES |= dict.fromkeys(("chinese_simplified", "chinese_traditional"), "chinese")
# Marks at the start or after a space; runs of letters or of numbers, and single
# characters, with marks.
_TOKEN = regex.compile(r" ?\p{M}+|(?:\p{L}\p{M}*+)+|(?:\p{N}\p{M}*+)+|[^ ]\p{M}*")
_ASCII_TOKEN = re.compile("[A-Za-z]+|[0-9]+|[^ ]")
_CHINESE = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f])"
)
_REPLACED = str.maketrans("\u2581\uffed\uffe8", "_\u25a0\u2502")

_SEGMENTERS = {"chinese": "jieba", "thai": "th-newmm"}  # language -> tokenizer
# Language -> its library, and there the class and the method that stems.
_STEMMERS = {
    "turkish": ("TurkishStemmer", "TurkishStemmer:TurkishStemmer", "stem"),
    "bengali": (
        "bengali_stemmer",
        "bengali_stemmer.rafikamal2014:RafiStemmer",
        "stem_word",
    ),
}


class MissingStopWords(RougeError, LookupError):
    """nltk's stop words, which the stemmer leaves unchanged, are not installed."""


class _Clean(dict[int, str]):
    """A table for str.translate: a space for blanks and punctuation, and nothing for
    controls.
    """

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if category[0] in "PZ" or character in "\t\n\r$+<=>^`|~":
            character = " "
        elif category[0] == "C" or character == "\ufffd":
            character = ""
        return self.setdefault(code, character)


_CLEAN = _Clean()


def _syllables(text: str) -> list[str]:
    """Return the syllables of Burmese."""
    units = list("".join(text.replace("\u1037\u103a", "\u103a\u1037").split()))
    for place in range(len(units) - 1, 0, -1):  # signs follow a letter
        if re.match("[\u102b-\u1032\u1036-\u1038\u103a-\u103e]", units[place]):
            units[place - 1 : place + 1] = [units[place - 1] + units[place]]
    for place in range(1, len(units)):  # so do final consonants
        if "\u103a" in units[place] and len(units[place]) < 4:
            units[place - 1 : place + 1] = [units[place - 1] + units[place], ""]
    return re.sub("\0\u1039\0", "\u1039", "\0".join(filter(None, units))).split("\0")


def _segmenter(lang: str) -> Callable[[str], Iterable[str]] | None:
    """Return the segmenter of a language; raise RougeError if its library is not
    installed.
    """
    if lang == "japanese":
        require("xlsum's words of Japanese need", "fugashi", "unidic")
        from fugashi import Tagger

        parse = Tagger("-Owakati").parse
        return lambda text: parse(text).split()
    if lang in _SEGMENTERS:
        return tokenizers.segmenter(_SEGMENTERS[lang])
    return _syllables if lang == "burmese" else None


def _stemmer(lang: str) -> Callable[[str], str] | None:
    """Return the stemmer of a language, if it has one.

    Raises:
        RougeError: A library is not installed.
        LookupError: nltk's stop words are not installed.
    """
    if lang in ("", "porter"):
        return porter.nltk_stem
    if lang == "hindi":
        endings = "|".join(data.read("hindi_endings.txt").decode().split())
        return partial(re.compile(rf"(?<=..)(?:{endings})\Z").sub, "")
    if lang in _STEMMERS:
        library, name, method = _STEMMERS[lang]
        require(f"xlsum's stems of {lang.title()} need", library)
        stem: Callable[[str], str] = getattr(resolve_name(name)(), method)
        return stem
    from nltk.stem.snowball import SnowballStemmer  # takes about a second

    if lang not in SnowballStemmer.languages:
        return None
    try:
        stem = SnowballStemmer(lang, ignore_stopwords=True).stem
    except LookupError:
        what = f"xlsum's stems of {lang.title()} need nltk's stop words"
        raise MissingStopWords(
            what, remedy="run python -m nltk.downloader stopwords"
        ) from None
    return stem


class XlSumScorer(program.ForkScorer):
    """`multilingual_rouge.rouge_scorer.RougeScorer`, which ignores unknown options.

    Args:
        lang: A language of the package, which selects segmenter and stemmer.
        use_stemmer: Stem tokens of more than `min_char_length` characters.
        callable_tokenizer: Returns the tokens of a cleaned text, instead of the
            segmenter.
        callable_stemmer: Returns the stem of a token, instead of the language's.

    Raises:
        RougeError: If a library of the language is not installed.
        LookupError: If nltk has no stop words for the stemmer.
    """

    def __init__(  # noqa: PLR0913 - the package's
        self,
        rouge_types: Iterable[str],
        *,
        lang: str | None = None,
        use_stemmer: bool = False,
        callable_tokenizer: Callable[[str], Iterable[str]] | None = None,
        callable_stemmer: Callable[[str], str] | None = None,
        min_char_length: int = 3,
        **_: object,
    ) -> None:
        lang = OTHER_NAMES.get(lang or "", lang or "")
        self._segment = callable_tokenizer or _segmenter(lang)
        self._stem = (callable_stemmer or _stemmer(lang)) if use_stemmer else str
        if self._stem is None:
            warnings.warn(
                f"xlsum has no stemmer for {lang}: words stay",
                RougeWarning,
                stacklevel=2,
            )
        self._shortest = min_char_length
        # True if words are changed, or may be empty.
        self._changes_words = bool(self._segment) or self._stem not in (None, str)
        super().__init__(rouge_types)

    def pairs(self, string: str, *, of_sentence: bool = False) -> list[tuple[str, str]]:
        """Return the tokens of a text, or of a sentence for rougeLsum, each with its
        counted form.
        """
        words = string.lower().translate(_CLEAN).split()
        return self._stemmed(words if of_sentence else self._divided(words))

    def readings(self, string: str) -> list[list[str]]:
        """Return the forms of a text, whose words are those of its lines, then those
        of each line. A subclass with other `pairs` has other readings, too.
        """
        if self._changes_words:
            return super().readings(string)
        lines = []
        for line in string.lower().split("\n"):
            if line:
                lines.append(line.translate(_CLEAN).split())
        return [self._divided(list(chain.from_iterable(lines))), *lines]

    def _divided(self, words: list[str]) -> list[str]:
        """Return the tokens of a text's words."""
        text = " ".join(words)
        if self._segment:
            segments = list(self._segment(text))
            if segments:
                return segments
        # Else the tokens of pyonmttok's mode `aggressive`, with single Chinese
        # characters.
        if text.isascii():
            if "".join(words).isalpha():
                return words
            return _ASCII_TOKEN.findall(text)
        tokens = [token.replace(" ", "\uff050020") for token in _TOKEN.findall(text)]
        joined = " ".join(tokens).translate(_REPLACED)
        return _CHINESE.sub(r" \1 ", joined).split()

    def _stemmed(self, words: Iterable[str]) -> list[tuple[str, str]]:
        """Return the words with their counted forms."""
        stem = self._stem or str
        pairs = []
        for word in words:
            form = stem(word) if len(word) > self._shortest else word
            if form:
                pairs.append((word, form))
        return pairs


rouge_scorer = SimpleNamespace(RougeScorer=XlSumScorer)


def _packages(options: Options) -> Sequence[str]:
    """Return the packages of a language's words and stems."""
    lang: str = options["lang"]
    lang = OTHER_NAMES.get(lang, lang)
    names = tokenizers.packages({"tokenizer": _SEGMENTERS.get(lang)})
    if lang == "japanese":
        names += ["fugashi", "unidic"]
    if options["stemmer"] == program.NONE or lang in (program.NONE, "porter", "hindi"):
        return names
    if lang in _STEMMERS:
        return [*names, _STEMMERS[lang][0]]
    return [*names, "nltk"]


class XlSum(program.RougeScoreRun):
    """A run of XL-Sum's package."""

    make = XlSumScorer
    stemmer = "xlsum"


DIALECT = program.fork("xlsum", XlSum, lang=program.NONE, min_char_length=3)._replace(
    packages=_packages
)
