"""Sentence boundaries: `newline`, `mark:TEXT`, `split` or `split:LANGUAGE`, `punkt`,
`none`.

ROUGE-L and ROUGE-W compare sentence by sentence. In files a sentence is a line; in a
field of a table, or in a line-aligned file, sentences may be marked (`<q>`), or have to
be detected.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib.util import find_spec
from locale import locale_alias

from rouge_cli.errors import (
    RougeError,
    UsageError,
    install_command,
    require,
    suggestion,
)
from rouge_cli.text.tokens import Split

NAMES = ("newline", "mark:TEXT", "split", "split:LANGUAGE", "punkt", "none")


def named(name: str) -> Split | None:
    """Return the splitter of a name, None for `newline`, the input's sentences; or
    raise UsageError.
    """
    split = rule(name)
    return partial(_split_at, split) if isinstance(split, bytes) else split


def lines_of(name: str) -> Split | None:
    """Return the splitter of a name as `named`, but of sentences without line ends:
    most dialects end a sentence there.
    """
    split = named(name)
    return partial(_on_one_line, split) if split else None


def _on_one_line(split: Split, text: bytes) -> Sequence[bytes]:
    return [sentence.replace(b"\n", b" ") for sentence in split(text)]


def rule(name: str) -> bytes | Split | None:
    """Return the mark between sentences, or else what `named` returns; raise
    UsageError as it does.
    """
    kind, _, argument = name.partition(":")
    if name == "newline":
        return None
    if name == "none":
        return _whole
    if name == "punkt":
        return _by_punkt
    if kind == "mark" and argument:
        # Half a surrogate pair is not in any text.
        with suppress(UnicodeEncodeError):
            return argument.encode("utf-8", "surrogateescape")
    if kind == "split":
        return partial(_by_sentencex, _language(argument or "en"))
    raise UsageError(
        f"unknown sentence boundary {name!r}", remedy=suggestion(name, list(NAMES))
    )


def _whole(text: bytes) -> Sequence[bytes]:
    return [text] if text.strip() else []


def _split_at(mark: bytes, text: bytes) -> Sequence[bytes]:
    return [sentence for sentence in text.split(mark) if sentence.strip()]


# Codes that sentencex has rules for, and of which there is no locale.
_WITHOUT_LOCALE = (
    *("ab", "av", "ay", "ba", "bm", "co"),
    *("gn", "kv", "qu", "rm", "sg", "ty"),
)


def _language(name: str) -> str:
    """Return the code of a language; raise UsageError for another word, for which
    sentencex would guess.
    """
    codes = set(_WITHOUT_LOCALE)
    for locale in locale_alias:
        code = locale.partition("_")[0]
        if len(code) <= 3:
            codes.add(code)
    code = name.partition("-")[0]  # without a region or script
    if code in codes:
        return name
    right = code.lower() if code.lower() in codes else "CODE, such as split:de"
    raise UsageError(
        f"unknown sentence boundary 'split:{name}'", remedy=f"use split:{right}"
    )


def _by_sentencex(language: str, text: bytes) -> Sequence[bytes]:
    require("splitting sentences needs", "sentencex", extra="sentences")
    from sentencex import segment

    sentences = []
    for line in text.decode("utf-8", "replace").split("\n"):
        for sentence in segment(language, line):
            if sentence.strip():
                sentences.append(sentence.encode())
    return sentences


def _by_punkt(text: bytes) -> Sequence[bytes]:
    """Split as scripts that write each sentence of `nltk.sent_tokenize(text.strip())`
    on a line.

    The text's own line ends end sentences, too, since such scripts then score line by
    line.
    """
    sentences = load_punkt()(text.decode("utf-8", "replace").strip())
    lines = []
    for sentence in sentences:
        lines += sentence.split("\n")
    return [line.encode() for line in lines if line.strip()]


def has_punkt() -> bool:
    """Return True if the parameters of nltk's punkt are installed."""
    return find_spec("punkt") is not None


@cache
def load_punkt() -> Callable[[str], Sequence[str]]:
    """Return nltk's `sent_tokenize`, with parameters from the package punkt instead
    of nltk's downloads.
    """
    require("sentences as nltk's punkt finds them need", "punkt", extra="punkt")
    from nltk.tokenize import punkt  # takes a second, which others do not pay
    from punkt import load_model

    reference, parameters = load_model("english"), punkt.PunktParameters()
    parameters.abbrev_types = set(reference.abbrev_types)
    parameters.collocations = set(reference.collocations)
    parameters.sent_starters = set(reference.sent_starters)
    parameters.ortho_context.update(reference.ortho_context)
    known = parameters.abbrev_types.union(first for first, _ in parameters.collocations)
    tokenizer = punkt.PunktSentenceTokenizer(parameters)
    ask = tokenizer.text_contains_sentbreak

    def ends(text: str) -> bool:
        """Return True if a sentence ends within a text: a word, its stop, and the next
        word.

        nltk takes ten times as long for plain words of which it knows nothing; a
        sentence ends between them.
        """
        plain = re.fullmatch(r"(?:([A-Za-z]{2,})\.|[A-Za-z]+[!?])\s+[A-Za-z]\S*", text)
        if plain:
            before_dot = plain[1] or ""
            if before_dot.lower() not in known:
                return True
        return bool(ask(text))

    tokenizer.text_contains_sentbreak = ends
    tokenize: Callable[[str], Sequence[str]] = tokenizer.tokenize
    return tokenize


def sent_tokenize(text: str) -> Sequence[str]:
    """Return nltk's sentences, with nltk's data or those of the extra `punkt`;
    LookupError without both.
    """
    import nltk

    try:
        sentences: Sequence[str] = nltk.sent_tokenize(text)
    except LookupError:
        with suppress(RougeError):
            return load_punkt()(text)
        install = install_command("'rouge-cli[punkt]'")
        remedy = f"run {install} or python -m nltk.downloader punkt_tab"
        raise LookupError(
            f"the data of nltk's punkt are not installed; {remedy}"
        ) from None
    return sentences
