"""Profiles of languages (`--language CODE`): how to find the words of a text.

A profile is a row of `data/languages.tsv`. It is resolved into ordinary options of the
dialect, which the signature states. `--stem`, `--stop` and `--sentences split` select
the stemmer, the stop words and the sentence rule of the profile.

The language of a text whose words are not found is guessed, to say in a warning what
helps. The stand-ins for other packages pass every text outside ASCII to `check_words`
or `check_ascii_words`, which warn a Python program; they change no score.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from rouge_cli import data, plugins
from rouge_cli.core import Document
from rouge_cli.errors import RougeError, UsageError, warn_once
from rouge_cli.io import files
from rouge_cli.io.users_files import users_file
from rouge_cli.text import segmentation
from rouge_cli.text.survey import SEPARATED, CutText, way

NONE = "none"  # the language has no such part
OWN = "own"  # the part is that of the dialect's program
_LISTS = "iso:"  # the names of stop lists of languages begin so
MOST_GUESSED = 4000  # bytes of a text from which its language is guessed
FEW = 100  # letters from which its script is
# Of languages with one alphabet, if no letter tells:
MOST_NAMED = 3  # languages that are told apart by stop words
# How much less likely than the likeliest a language may be, to be named, too; the same
# of one without a list of stop words; letters that are too few to doubt it.
CLOSE, CLOSE_WITHOUT_WORDS, FEWEST_TELLING = 0.05, 0.35, 3
FEWEST_STOP = 2  # stop words of one language alone that tell it
LEAST_SHARE = 0.12  # their least share of all words
ENOUGH_WORDS = 10  # words of a text that is long enough to lack a language's stop words
MISSING_SHARE = 0.05  # the share of stop words that is hardly any


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
    chance: str  # ROUGE-1 F of unrelated texts
    based_on: str

    @property
    def text(self) -> str:
        """The description in paragraphs."""
        names = ("tokenizer", "normalize", "sentences", "stemmer", "stop")
        options = "\n".join(f"{name:<10} {getattr(self, name)}" for name in names)
        chance = ""
        if self.chance:
            chance = (
                f" Unrelated texts score about {self.chance} in ROUGE-1 F (different"
                " articles of the Universal Declaration of Human Rights)."
            )
        return (
            f"{self.name}, version {self.version}. {self.based_on}.{chance}"
            f"\n\n{options}"
        )

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
        options = {}
        if requested.get("tokenizer") is None:
            options["tokenizer"] = self.tokenizer
        if requested.get("normalize") is None:
            options["normalize"] = self.normalize
        lists = ("stem", "stemmer", self.stemmer), ("stop", "stop", self.stop)
        for short, option, value in lists:
            if requested.get(short) is True and value == NONE:
                raise UsageError(
                    f"no {option} for {self.name}", remedy=f"leave --{short} out"
                )
            if requested.get(short) is True and value != OWN:
                options[option] = value
        if requested.get("sentences") == "split":
            options["sentences"] = self.sentences
        return {name: value for name, value in options.items() if name in defaults}


# For texts that mix scripts: what all profiles have in common
MULTI = Profile(
    code="multi",
    version="1",
    name="Mixed scripts",
    script="",
    letters="-",
    tokenizer="unicode",
    normalize="typography+nfkc+casefold",
    sentences="split",
    stemmer=NONE,
    stop=NONE,
    chance="",
    based_on=(
        "Words of all alphabets by Unicode's word boundaries (UAX 29), characters where"
        " words have no blanks between them; apostrophes, quotation marks and digits in"
        " one form; Unicode case folding"
    ),
)


@cache
def profiles() -> Mapping[str, Profile]:
    """Return the table: code -> profile."""
    by_code = {}
    for line in data.read("languages.tsv").decode().splitlines():
        row = line.split("\t")
        is_head = row[0] == Profile._fields[0]
        if line[0] != "#" and not is_head:
            profile = Profile(*row)
            by_code[profile.code] = profile
    return by_code


def named(name: str) -> Profile:
    """Return the profile of `CODE` or `CODE@VERSION`; raise UsageError if there is
    none.
    """
    code, at, version = name.partition("@")
    by_code = {**profiles(), MULTI.code: MULTI}
    if code.lower() not in by_code:
        remedy = "see rouge-cli list languages"
        ours = our_code(code)
        if ours:
            remedy = f"use {ours}"
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


def our_code(name: str) -> str:
    """Return the code of a profile by the language's name, by another code, or by a
    locale such as `hi_IN.UTF-8`; empty if none has it.
    """
    by_name = {profile.name.lower(): profile.code for profile in profiles().values()}
    codes = plugins.other_names("language")
    start = re.split(r"[-_.@]", name.lower())[0]
    for word in (name.lower(), start):
        if word in by_name:
            return by_name[word]
        if word in codes:
            return codes[word]
    return start if start in profiles() else ""


@cache
def stop_words(name: str) -> bytes | None:
    """Return the lines of a stop list, given its name, such as `iso:es`; None if
    there is none.
    """
    if not name.startswith(_LISTS):
        return None
    for line in data.read("stop_words_iso.txt").decode().splitlines():
        code, *words = line.split()
        if code != "#" and code == name.removeprefix(_LISTS):
            return "\n".join(words).encode()
    return None


def stop_list(name: str, names: Sequence[str]) -> tuple[str, bytes, str]:
    """Return the value for the signature, and the bytes and the path of a language's or
    a user's list.

    `names` are the dialect's own lists, which have no bytes and no path.
    """
    words = stop_words(name)
    if words:
        return name, words, name
    return users_file(name, "stop list", names)


def share_of_script(text: str, scripts: str) -> float:
    """Return the share of a text's letters that are of the script of a profile; 0
    without letters.
    """
    letters = _letters(r"\p{L}")(text)
    classes = [rf"\p{{Script={script}}}" for script in scripts.split("+")]
    own = _letters(f"[{''.join(classes)}]")("".join(letters))
    return len(own) / max(len(letters), 1)


@cache
def _letters(pattern: str) -> Callable[[str], list[str]]:
    """Return the function that finds all characters of a pattern."""
    import regex  # slow to import

    find: Callable[[str], list[str]] = regex.compile(pattern).findall
    return find


@cache
def _common_words(stop: str) -> frozenset[str]:
    """Return the stop words of a list; none if there is no list of that name."""
    return frozenset((stop_words(stop) or b"").decode().split())


def guess(text: bytes) -> Profile | None:
    """Return the profile of the language that a text with letters outside ASCII seems
    to be in, or None; the first of `guesses`.
    """
    return next(iter(guesses(text)), None)


def guesses(text: bytes) -> list[Profile]:
    """Return the profiles of the languages that a text with letters outside ASCII may
    be in: several if it cannot tell, and none if its script has no profile.

    Its script decides, then the letters and the stop words of each language.
    """
    start = text[:MOST_GUESSED].decode("utf-8", "ignore").casefold()
    letters = "".join(_letters(r"[^\P{L}a-z]")(start)[:FEW])
    own = [profile for profile in profiles().values() if "-" not in profile.code]
    scripts = {profile.script for profile in own}
    shares = {script: round(share_of_script(letters, script), 1) for script in scripts}
    most = max(shares.values())
    candidates = [profile for profile in own if shares[profile.script] == most > 0]
    if len(candidates) < 2:
        return candidates
    words = _letters(r"[\p{L}\p{M}]+")(start)
    alphabet = frozenset("".join(profile.letters for profile in candidates)) - {"-"}
    telling = [letter for letter in start if letter in alphabet]
    if not telling and len(candidates) <= MOST_NAMED:
        return _guesses_by_words(words, candidates)

    def likelihood(profile: Profile) -> float:
        own = sum(letter in profile.letters for letter in telling)
        common = sum(word in _common_words(profile.stop) for word in words)
        return own / max(len(telling), 1) + common / len(words)

    by_likelihood = {profile: likelihood(profile) for profile in candidates}
    likeliest = max(by_likelihood, key=lambda profile: by_likelihood[profile])
    if len(telling) < FEWEST_TELLING:
        return [likeliest]
    others = []
    for profile, value in by_likelihood.items():
        # Stop words make a language likelier, which one without a list is not.
        margin = CLOSE if _common_words(profile.stop) else CLOSE_WITHOUT_WORDS
        if profile is not likeliest and value >= by_likelihood[likeliest] - margin:
            others.append(profile)
    others.sort(key=lambda profile: -by_likelihood[profile])
    return [likeliest, *others][:MOST_NAMED]


def _guesses_by_words(
    words: Sequence[str], candidates: Sequence[Profile]
) -> list[Profile]:
    """Return the languages of one alphabet whose stop words fit a text.

    One language fits if the stop words that no other has are frequent. Otherwise all
    fit, but in a longer text those of whose stop words there are hardly any.
    """
    lists = {profile: _common_words(profile.stop) for profile in candidates}
    if not any(lists.values()):
        return [candidates[0]]  # Chinese rather than Japanese without kana
    numbers = {}
    for profile, stop in lists.items():
        others = [other for name, other in lists.items() if name is not profile]
        only = stop.difference(*others)
        numbers[profile] = sum(word in only for word in words)
    best, second, *_ = sorted(candidates, key=lambda profile: -numbers[profile])
    is_frequent = numbers[best] >= max(FEWEST_STOP, LEAST_SHARE * len(words))
    if is_frequent and numbers[best] > 2 * numbers[second]:
        return [best]
    if len(words) < ENOUGH_WORDS:
        return list(candidates)
    fitting = []
    for profile, stop in lists.items():
        number = sum(word in stop for word in words)
        if not stop or number >= MISSING_SHARE * len(words):
            fitting.append(profile)
    return fitting or list(candidates)


def alternatives(names: Sequence[str]) -> str:
    """Return names as alternatives: `Hindi, Marathi or Nepali`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def cut_text(source: str | Document) -> CutText:
    """Return a text that is cut up, with its languages."""
    data, where = source if isinstance(source, Document) else (b"", source)
    with suppress(RougeError):  # a file that is gone
        data = data or files.read(where, "text")
    if segmentation.are_words_separated(data.decode("utf-8", "replace")):
        return CutText(where, SEPARATED)
    codes = [profile.code for profile in guesses(data)]
    return CutText(where, alternatives(codes) if codes else "")


def unfound_words(
    document: Document, fault: str, texts: str, options: Mapping[str, object]
) -> str:
    """Return the warning about a run that does not find the words of its texts.

    Args:
        document: The first such text.
        fault: What `segmentation.fault` returns.
        texts: The number of such texts; empty for a single text.
        options: The options of the run.
    """
    codes = cut_text(document).languages
    ways = f"use rouge-cli score {way(codes, has_tokenizers='tokenizer' in options)}"
    if fault == segmentation.UNSPACED:
        ways += ", or put blanks between the words"
        if options.get("jieba") is False and codes == "zh":
            ways += " (--set jieba=yes)"
    examined = f" (in {texts} that were examined)" if texts else ""
    return f"{document.where}: {fault}{examined}; {ways}"


class Remedies:
    """What to do about texts without tokens, guessed once for all texts of a run in
    one alphabet.

    Args:
        has_tokenizers: As for `way`.
    """

    def __init__(self, *, has_tokenizers: bool = True) -> None:
        self._has_tokenizers = has_tokenizers
        # The block of the first letter, and whether the words are separated -> what
        # helps
        self._known: dict[tuple[int, bool], str] = {}

    def of(self, text: str) -> str:
        """Return what helps, as in `for Chinese: rouge-cli score --language zh`."""
        letters = (letter for letter in text if letter.isalpha())
        key = ord(next(letters, "a")) >> 7, segmentation.are_words_separated(text)
        if key not in self._known:
            self._known[key] = self._guess(text, is_separated=key[1])
        return self._known[key]

    def _guess(self, text: str, *, is_separated: bool) -> str:
        command = "rouge-cli score"
        if is_separated:
            options = way(SEPARATED, has_tokenizers=self._has_tokenizers)
            return f"its words are separated: {command} {options}"
        guessed = guesses(text.encode("utf-8", "replace"))
        names = [profile.name for profile in guessed]
        codes = [profile.code for profile in guessed]
        language = alternatives(codes) if codes else ""
        options = way(language, has_tokenizers=self._has_tokenizers)
        if not codes:
            return f"for other alphabets: {command} {options}, or char"
        return f"for {alternatives(names)}: {command} {options}"


def without_tokens(
    units: Sequence[bytes], remedies: Remedies, *, ascii_only: bool
) -> str:
    """Return the warning about a text without tokens; `ascii_only` as for
    `survey.survey`.
    """
    if not ascii_only:
        return "text, but no tokens: the tokenizer returns none"
    remedy = remedies.of(b"\n".join(units).decode("utf-8", "replace"))
    return f"text, but no tokens: only ASCII letters and digits count ({remedy})"


# Warnings to a Python program.

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
    codes = cut_text(document).languages
    message = unfound_words(document, fault_of_words, "", {})
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
    codes = cut_text(Document(units[0], "")).languages
    what = without_tokens(units, Remedies(), ascii_only=True)
    if dropped < letters:
        what = what.replace("text, but no tokens", "text, but few tokens")
    warn_once((entry, codes), f"{entry}: {_beginning(string)}: {what}")


def _beginning(string: str) -> str:
    """Return a string for a warning, cut after its first characters."""
    if len(string) > SHOWN:
        string = f"{string[:SHOWN]}..."
    return repr(string)
