"""Tokenizers by name: the original's, and those for alphabets that it does not know.

classic            runs of ASCII letters and digits, lower-cased (ROUGE-1.5.5)
unicode            words of any alphabet as Unicode divides text (UAX 29), lower-cased
char               every letter and digit by itself, with its marks: Chinese, Japanese, Thai
whitespace         what stands between white space, as it is: text that is tokenized already
MODULE:FUNCTION    your own: takes a string, returns its tokens as strings
"""

from __future__ import annotations

import os
import shlex
import sys
import unicodedata
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from rouge_cli import folders
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.text.tokens import tokens as classic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    # One sentence, as bytes in UTF-8, to its tokens.
    Tokenize = Callable[[bytes], Sequence[bytes]]

NAMES = ("classic", "unicode", "char", "whitespace")


def named(name: str) -> Tokenize:
    """The tokenizer of that name.

    Raises UsageError for a name that is none, or a function that cannot be imported.
    """
    if name == "classic":
        return classic
    if name == "whitespace":
        return bytes.split
    if name in ("unicode", "char"):
        import regex  # Unicode's own rules for words and characters, which `re` has not

        pattern = r"(?wV1)\b" if name == "unicode" else r"(?V1)(\X)"
        return partial(_pieces, regex.compile(pattern).split, regex.compile(r"[\p{L}\p{N}]").search)
    module, colon, function = name.partition(":")
    if not colon:
        raise UsageError(
            f"unknown tokenizer {name!r}",
            remedy=f"{folders.suggestion(name, [*NAMES, 'MODULE:FUNCTION'])}",
        )
    return partial(_own, _imported(module, function), name)


def check_tokenizer(name: object, trusted: str | None, source: str) -> None:
    """Raise UsageError for MODULE:FUNCTION, which would run code, unless the user names it as well.

    source: what names the tokenizer, for the message.
    """
    if name != trusted and ":" in str(name):
        raise UsageError(
            f"{source} names the tokenizer {name}, which runs code of that module",
            remedy=f"if you trust it, add --tokenizer {shlex.quote(str(name))}",
        )


def _pieces(split: Callable[[str], list[str]], counts: Callable[[str], object], unit: bytes) -> list[bytes]:
    """The pieces that hold a letter or digit, composed and lower-cased."""
    text = unicodedata.normalize("NFC", unit.decode("utf-8", "ignore").lower())
    return [piece.encode() for piece in split(text) if piece and counts(piece)]


def _imported(module: str, function: str) -> Callable[[str], Iterable[str]]:
    if "" not in sys.path:
        sys.path.insert(0, os.getcwd())  # a module of the user's, beside the data
    try:
        found: Callable[[str], Iterable[str]] = getattr(import_module(module), function)
    except Exception as error:  # noqa: BLE001 - whatever a module of the user's raises
        raise UsageError(f"tokenizer {module}:{function}: {error}") from None
    return found


def _own(function: Callable[[str], Iterable[str]], name: str, unit: bytes) -> list[bytes]:
    try:
        return [token.encode() for token in function(unit.decode("utf-8", "ignore"))]
    except Exception as error:
        raise RougeError(f"tokenizer {name} failed on {unit[:80]!r}: {error!r}") from error
