"""Profiles of languages (`--language CODE`): how to find the words of a text.

A profile is a row of `data/languages.tsv`. It is resolved into ordinary options of the
dialect, which the signature states. `--stem`, `--stop` and `--sentences split` select
the stemmer, the stop words and the sentence rule of the profile.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache

from rouge_cli import data
from rouge_cli.core import Document, NamedTuple
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.options import users_file

NONE, OWN = (
    "none",
    "own",
)  # the language has no such part; the part is that of the dialect's program
_LISTS = "iso:"  # the names of stop lists of languages begin so
# Bytes of a text from which its language is guessed, and letters from which its script
# is.
MOST_GUESSED, FEW = 4000, 100


class Profile(NamedTuple):
    """A row of the table; the names of fields are its columns."""

    code: str  # of ISO 639-1; with -words if a library divides the text into words
    version: str
    name: str
    script: str  # as Unicode calls it
    letters: str  # that tell the language from others of its script
    tokenizer: str
    normalize: str
    sentences: str
    stemmer: str
    stop: str
    based_on: str

    @property
    def text(self) -> str:
        """The description in paragraphs."""
        names = ("tokenizer", "normalize", "sentences", "stemmer", "stop")
        options = "\n".join(f"{name:<10} {getattr(self, name)}" for name in names)
        return f"{self.name}, version {self.version}. {self.based_on}.\n\n{options}"

    def options(
        self,
        dialect: str,
        defaults: Mapping[str, object],
        requested: Mapping[str, object],
    ) -> dict[str, str]:
        """Return the options of a dialect that the profile sets.

        Args:
            dialect: The name of the dialect, for messages.
            defaults: The dialect's options.
            requested: The user's options, which stay. `stem` or `stop` True, and
                `split` for `sentences`, request those of the profile.

        Raises:
            UsageError: The dialect has no tokenizers, or the language has no stemmer or
                stop words.
        """
        if "tokenizer" not in defaults:
            what = (
                f"language {self.code} has no effect in dialect {dialect}, which has"
                " its own words"
            )
            raise UsageError(
                what, remedy="use --dialect rouge155 or google, or leave it out"
            )
        options = {"tokenizer": self.tokenizer, "normalize": self.normalize}
        options = {
            name: value
            for name, value in options.items()
            if requested.get(name) is None
        }
        for short, option, value in (
            ("stem", "stemmer", self.stemmer),
            ("stop", "stop", self.stop),
        ):
            if requested.get(short) is True and value == NONE:
                raise UsageError(
                    f"no {option} for {self.name}", remedy=f"leave --{short} out"
                )
            if requested.get(short) is True and value != OWN:
                options[option] = value
        if requested.get("sentences") == "split":
            options["sentences"] = self.sentences
        return {name: value for name, value in options.items() if name in defaults}


@cache
def profiles() -> Mapping[str, Profile]:
    """Return the table: code -> profile."""
    lines = data.read("languages.tsv").decode().splitlines()
    rows = (line.split("\t") for line in lines if line[0] != "#")
    return {row[0]: Profile(*row) for row in rows if row[0] != Profile._fields[0]}


def named(name: str) -> Profile:
    """Return the profile of `CODE` or `CODE@VERSION`; raise UsageError if there is
    none.
    """
    code, at, version = name.partition("@")
    by_code = profiles()
    if code.lower() not in by_code:
        by_name = {
            profile.name.lower(): f"use {profile.code}" for profile in by_code.values()
        }
        remedy = by_name.get(code.lower(), "see rouge-cli list languages")
        raise UsageError(f"unknown language {code!r}", remedy=remedy)
    profile = by_code[code.lower()]
    if at and version != profile.version:
        what = (
            f"the profile {profile.code} has version {profile.version}, not {version}"
        )
        raise UsageError(
            what, remedy="repeat earlier scores by --like and their signature"
        )
    return profile


@cache
def stop_words(name: str) -> bytes | None:
    """Return the lines of a stop list, given its name, such as `iso:es`; None if
    there is none.
    """
    if not name.startswith(_LISTS):
        return None
    lines = data.read("stop_words_iso.txt").decode().splitlines()
    lists = {code: words for code, *words in map(str.split, lines) if code != "#"}
    return (
        "\n".join(lists[code]).encode()
        if (code := name.removeprefix(_LISTS)) in lists
        else None
    )


def stop_list(name: str, names: Sequence[str]) -> tuple[str, bytes, str]:
    """Return the value for the signature, and the bytes and the path of a language's or
    a user's list.

    `names` are the dialect's own lists, which have no bytes and no path.
    """
    words = stop_words(name)
    return (name, words, name) if words else users_file(name, "stop list", names)


def share_of_script(text: str, scripts: str) -> float:
    """Return the share of a text's letters that are of the script of a profile; 0
    without letters.
    """
    letters = _letters(r"\p{L}")(text)
    own = _letters(
        "[{}]".format(
            "".join(rf"\p{{Script={script}}}" for script in scripts.split("+"))
        )
    )
    return len(own("".join(letters))) / max(len(letters), 1)


@cache
def _letters(pattern: str) -> Callable[[str], list[str]]:
    """Return the function that finds all characters of a pattern."""
    import regex  # slow to import

    find: Callable[[str], list[str]] = regex.compile(pattern).findall
    return find


@cache
def _common_words(stop: str) -> frozenset[str]:
    return frozenset((stop_words(stop) or b"").decode().split())


def guess(text: bytes) -> Profile | None:
    """Return the profile of the language that a text with letters outside ASCII seems
    to be in, or None.

    Its script decides, then the stop words and the letters of each language.
    """
    start = text[:MOST_GUESSED].decode("utf-8", "ignore").casefold()
    letters = "".join(_letters(r"[^\P{L}a-z]")(start)[:FEW])
    own = [profile for profile in profiles().values() if "-" not in profile.code]
    scripts = {profile.script for profile in own}
    shares = {script: round(share_of_script(letters, script), 1) for script in scripts}
    most = max(shares.values())
    candidates = [profile for profile in own if shares[profile.script] == most > 0]
    words = _letters(r"[\p{L}\p{M}]+")(start)
    alphabet = frozenset("".join(profile.letters for profile in candidates))
    telling = [letter for letter in start if letter in alphabet]

    def likelihood(profile: Profile) -> float:
        own = sum(letter in profile.letters for letter in telling) / max(
            len(telling), 1
        )
        return own + sum(word in _common_words(profile.stop) for word in words) / len(
            words
        )

    return (
        max(candidates, key=likelihood)
        if len(candidates) > 1
        else next(iter(candidates), None)
    )


def place_and_language(source: str | Document) -> tuple[str, str]:
    """Return the place of a text that is cut up, and the code of its language; empty
    if it is unknown.
    """
    data, where = source if isinstance(source, Document) else (b"", source)
    with suppress(RougeError):  # a file that is gone
        data = data or files.read(where, "text")
    profile = guess(data)
    return where, profile.code if profile else ""


# The alphabet of a text, by the code of its first letter -> what helps; guessed once
# for all texts of it.
_REMEDIES: dict[int, str] = {}


def without_tokens(units: Sequence[bytes], *, ascii_only: bool) -> str:
    """Return the warning about a text without tokens; `ascii_only` as for
    `survey.survey`.
    """
    if not ascii_only:
        return "text, but no tokens: the tokenizer returns none"
    text = b"\n".join(units)
    letters = (letter for letter in text.decode("utf-8", "replace") if letter.isalpha())
    block = ord(next(letters, "a")) >> 7
    if block not in _REMEDIES:
        profile = guess(text)
        named = (
            profile and f"for {profile.name}: rouge-cli score --language {profile.code}"
        )
        _REMEDIES[block] = (
            named or "for other alphabets: rouge-cli score --tokenizer unicode, or char"
        )
    return (
        f"text, but no tokens: only ASCII letters and digits count ({_REMEDIES[block]})"
    )
