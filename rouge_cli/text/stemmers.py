"""Stemmers by name: `none`, `rouge` (the dialect's own), and `snowball:LANGUAGE` for
other languages.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from importlib import import_module
from threading import Lock

from rouge_cli import data
from rouge_cli.data import word_lists
from rouge_cli.errors import UsageError, suggestion
from rouge_cli.text import porter
from rouge_cli.text.tokens import Stem
from rouge_cli.twins import twin

NAMES = ("none", "rouge", "snowball:LANGUAGE")
LIBRARY = "snowballstemmer"  # the stemmers of Snowball's own project
SHORTEST_STEMMED = 4  # bytes, for ROUGE's own stemmer


class RougeStemmer:
    """ROUGE-1.5.5's stemmer: an irregular word's base form, even if empty (QUIRKS 59),
    or Porter's stem.

    In texts the dialect does not stem words shorter than SHORTEST_STEMMED; in basic
    elements it does.
    """

    __slots__ = ("own",)
    # Reads the package's irregular forms, lines of a word, a tab and its base form, for
    # compiled code.
    release = staticmethod(partial(data.read, "irregular_forms.tsv"))

    def __init__(self, own: Mapping[bytes, bytes] | None) -> None:
        # irregular forms; None for the package's, which are read when they are needed
        self.own = own

    @property
    def irregular(self) -> Mapping[bytes, bytes]:
        """The base forms of irregular words."""
        return word_lists.irregular_forms() if self.own is None else self.own

    def __call__(self, word: bytes) -> bytes:
        """Return the stem."""
        base = self.irregular.get(word)
        if base is not None:
            return base
        return porter_stem(word)


@twin
def porter_stem(word: bytes) -> bytes:
    """Return Porter's stem as ROUGE-1.5.5 makes it of any bytes."""
    characters = word.decode("latin-1")  # a character for each byte
    return porter.stem(characters).encode("latin-1")


@cache
def _published() -> tuple[Callable[[str], str], frozenset[str]]:
    """Return Porter's stemmer as published, and the words that py-rouge stems as
    ROUGE-1.5.5 does.
    """
    from nltk.stem.porter import PorterStemmer  # takes about a second

    words = data.read("py_rouge_words.txt").decode().split()
    return PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM).stem, frozenset(words)


@lru_cache(200_000)
def py_rouge(word: str, compatible: bool) -> str:  # noqa: FBT001 - a cache key
    """Return py-rouge's stem: of four or more letters, an irregular word's base form
    or a Porter stem.
    """
    if len(word) <= 3:
        return word
    base = word_lists.irregular_forms().get(word.encode())
    if base is not None:
        return base.decode()
    if not compatible:
        return porter.nltk_stem(word)
    published, further = _published()
    if word not in further:
        return published(word)
    stem = porter.stem(word)
    # The package's list of these words has the only two stems that are not
    # ROUGE-1.5.5's.
    return f"{stem}i" if word.startswith("revolutionar") else stem


@cache
def snowball(name: str) -> Stem:
    """Return the stemmer of a name `snowball:LANGUAGE`, which keeps the stems of words.

    The stemmers are those of Snowball's own project in its package for Python, in any
    environment: the faster PyStemmer may have algorithms of another version.

    Raises:
        UsageError: For any other name, and for languages that Snowball lacks.
    """
    import snowballstemmer  # many tables

    language = _language(name, snowballstemmer.algorithms())
    module = import_module(f"{LIBRARY}.{language}_stemmer")
    title = language.title().replace("_", "")
    stemmer = getattr(module, f"{title}Stemmer")()
    lock = Lock()  # the stemmer holds the word, which is lower-case in all algorithms

    def stem(word: str) -> str:
        with lock:
            stemmed: str = stemmer.stemWord(word.lower())
        return stemmed

    return _keeping(stem)


@cache
def nltk_snowball(name: str) -> Stem:
    """Return nltk's stemmer of a name `snowball:LANGUAGE`: Snowball's algorithms as
    they were in 2009, for dialects whose original has those.

    Raises:
        UsageError: For any other name, and for languages that nltk lacks.
    """
    from nltk.stem.snowball import SnowballStemmer  # takes about a second

    language = _language(name, SnowballStemmer.languages)
    return _keeping(SnowballStemmer(language).stem)


def _language(name: str, languages: Sequence[str]) -> str:
    """Return the language of a name; raise UsageError unless it is one of these."""
    kind, _, language = name.partition(":")
    if kind != "snowball":
        others = {language: f"snowball:{language}" for language in languages}
        others["porter"] = (
            "rouge (Porter's, with the original's exceptions) or snowball:porter"
        )
        raise UsageError(
            f"unknown stemmer {name!r}", remedy=suggestion(name, list(NAMES), others)
        )
    if language not in languages:
        raise UsageError(
            f"no Snowball stemmer for {language!r}",
            remedy=suggestion(language, sorted(languages)),
        )
    return language


def _keeping(stem: Callable[[str], str]) -> Stem:
    """Return a stemmer of UTF-8 that keeps the stems of words."""

    @lru_cache(200_000)
    def stem_bytes(word: bytes) -> bytes:
        return stem(word.decode("utf-8", "ignore")).encode()

    return stem_bytes
