"""Stemmers by name: `none`, `rouge` (the dialect's own), and `snowball:LANGUAGE` for
other languages.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial

from rouge_cli import data
from rouge_cli.errors import UsageError, require, suggestion
from rouge_cli.text import porter
from rouge_cli.text.tokens import Stem
from rouge_cli.twins import twin

NAMES = ("none", "rouge", "snowball:LANGUAGE")
# The languages that nltk's Snowball lacks, and the library that has them.
LIBRARY_LANGUAGES = (
    "armenian",
    "basque",
    "catalan",
    "czech",
    "estonian",
    "greek",
    "hindi",
    "indonesian",
    "irish",
    "lithuanian",
    "nepali",
    "persian",
    "polish",
    "serbian",
    "tamil",
    "turkish",
    "yiddish",
)
LIBRARY = "snowballstemmer"
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
        return data.irregular_forms() if self.own is None else self.own

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
    base = data.irregular_forms().get(word.encode())
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

    Raises:
        UsageError: For any other name, and for languages that Snowball lacks.
        RougeError: The library of a language is not installed.
    """
    from nltk.stem.snowball import SnowballStemmer  # takes about a second

    kind, _, language = name.partition(":")
    languages = [*SnowballStemmer.languages, *LIBRARY_LANGUAGES]
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
    stem: Callable[[str], str]
    if language in LIBRARY_LANGUAGES:
        require(f"stemmer {name} needs", LIBRARY, extra="stemmers")
        from snowballstemmer import stemmer

        stem = stemmer(language).stemWord
    else:
        stem = SnowballStemmer(language).stem

    @lru_cache(200_000)
    def stem_bytes(word: bytes) -> bytes:
        return stem(word.decode("utf-8", "ignore")).encode()

    return stem_bytes
