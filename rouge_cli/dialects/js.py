"""js-rouge 3.2.3 (npm), and promptfoo's `rouge-n`: F of ROUGE-N, L and S on Penn
Treebank tokens, with any beta.

Punctuation counts; nothing is stemmed. ROUGE-N and S count the tokens of all sentences
in a row; ROUGE-L is the union LCS of sentences. With js-rouge's sentences, one a line
(`segmenter` lines), it has the scores of js-rouge; the segmenter `plain` only
approximates its own (QUIRKS 88). promptfoo 0.121.20 uses no sentences: `segmenter`
whole with `case_sensitive` no, which is the recipe `promptfoo`, has its scores. With
several references the best F counts; `jackknife` is js-rouge's `jackKnife` of the
references.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from itertools import zip_longest

import regex

from rouge_cli.dialects._base import Beta, StringRun, of_strings
from rouge_cli.errors import UsageError
from rouge_cli.metrics import Metric, lcs, ngram, skip_bigram
from rouge_cli.options import one_of

PLAIN, LINES, WHOLE, ANY = "plain", "lines", "whole", "any"
LABELS = (*(f"rouge-{n}" for n in range(1, 10)), "rouge-l", "rouge-s")

# JavaScript's white space, and U+0085.
WHITE = regex.compile(
    "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+"
)
_QUOTE, _LETTER = regex.compile("``|''|\""), regex.compile(r"[\p{L}\p{N}]")
# JavaScript sees the halves of characters beyond U+FFFF, which are not punctuation.
_BEFORE = regex.compile(r"|[ <]|(?![\U00010000-\U0010ffff])\p{P}")
_SET_APART = regex.compile(r"|[ \p{Ps}<]")
_QUOTED = regex.compile(r"[\p{L}\p{N}\p{Sc}\p{Ps}]")
_EDGE = r"[\p{ID_Continue}\u200c\u200d]"
# Sentences in which only commas and the last dot are set apart, unless they have one of
# the words.
_PLAIN = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9 ]*(?:(?<=[a-z]), [A-Za-z0-9 ]+)*(?<=[a-z])\.?"
)
_JOINED = frozenset(("cannot", "gimme", "gonna", "gotta", "lemme", "wanna"))
# What stands between blanks, in the order of the steps; ASCII text that has it has the
# string before it.
_SIGNS = (
    ("...", r"\.\.\."),
    ("", r"[:,](?!\p{Nd})|[;@#$%&]"),
    (".", r"(?<!\.|(?<![A-Za-z0-9_])[A-Za-z]\.[A-Za-z])\.(?=[\])}>' ]*$)"),
    ("", r"[?!\[\](){}<>]|--"),
    ("'", r"(?<=[^' ])'(?= )"),
    ("'", r"(?<=[^' ])'[sSmMdD](?= )"),
    ("'", r"(?:(?<=[^' ])(?:'ll|'LL|'re|'RE|'ve|'VE)|(?<=[^ ])(?:n't|N'T))(?= )"),
)
# Words of two parts, which are tokens, after the same string.
_TWO_PARTS = (
    ("cannot", "can", "not"),
    ("'", "d", "'ye"),
    ("mme", "gim|lem", "me"),
    ("nna", "gon", "na"),
    ("tta", "got", "ta"),
    ("'", "more", "'n"),
    ("nna", "wan", "na(?= )"),
    ("'", "'t", "is|was"),
)


def _patterns() -> list[tuple[str, regex.Pattern[str]]]:
    """Return the patterns of signs and of words of two parts, each after its string."""
    patterns = []
    for needed, sign in _SIGNS:
        patterns.append((needed, regex.compile(sign)))
    for needed, first, second in _TWO_PARTS:
        word = rf"(?i)(?<!{_EDGE})({first})({second})(?!{_EDGE})"
        patterns.append((needed, regex.compile(word)))
    return patterns


_APART = _patterns()


def _quoted(text: str) -> str:
    """Return the text with opening double quotes as two grave accents, closing ones
    as two apostrophes.
    """
    pieces = []
    end = 0
    is_open = False
    quotes = list(_QUOTE.finditer(text))
    for quote, following in zip_longest(quotes, quotes[1:]):
        before = text[: quote.start()][-1:]
        after = text[quote.end() :][:1]
        may_open = bool(
            _BEFORE.fullmatch(before)
            and before not in {".", "!", "?"}
            and (after or _SET_APART.fullmatch(before))
        )
        if quote[0] == "''":
            # Two apostrophes open a quotation only if two others close it.
            is_closed = following is not None and following[0] == "''"
            may_open = may_open and is_closed and bool(before and _QUOTED.match(after))
        is_open = quote[0] == "``" or (not is_open and may_open)

        pieces.append(text[end : quote.start()])
        pieces.append(" `` " if is_open else " '' ")
        end = quote.end()
    pieces.append(text[end:])
    return "".join(pieces)


def _set_apart(match: regex.Match[str]) -> str:
    """Return the match, or each of its parts, between blanks."""
    parts = match.groups() or (match[0],)
    return f" {' '.join(parts)} "


def tokens(sentence: str) -> list[str]:
    """Return the Penn Treebank tokens of a sentence, as js-rouge does."""
    if _PLAIN.fullmatch(sentence):
        words = sentence.replace(",", " ,").replace(".", " .").split()
        if _JOINED.isdisjoint(map(str.lower, words)):
            return words

    text = f" {_quoted(WHITE.sub(' ', sentence).strip(' '))} "
    lower = text.lower()
    for needed, pattern in _APART:
        if needed in lower or not text.isascii():
            text = pattern.sub(_set_apart, text)
    # Not all that Python takes for white space: U+001C to U+001F are parts of tokens.
    return [token for token in text.split(" ") if token]


# Titles and others end no sentence; other abbreviations end one only before a capital.
_TITLES = (
    "mr|mrs|ms|dr|prof|sr|jr|sen|rep|gov|gen|lt|capt|col|ex|e\\.g|i\\.e|"
    "circa|ca|cca|vs|v\\.s|esp|ft|st|mt"
)
_ABBREVIATIONS = (
    "etc|al|co|corp|inc|ltd|dept|univ|bros|assn|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|a\\.m|p\\.m|ave|blvd"
    "|hwy|u\\.s(?:\\.a)?|e\\.u|n\u00b0"
)
_WORDS = "and|or|but|nor|for|yet|so|at|in|on|of|to|from|with|by|as|then|because|while"


_LETTERS = r"\p{L}{2}"
_CAPITAL = r"[\p{Lu}\p{Lt}\u2160-\u216f\u24b6-\u24cf]"
_OPENING = "[\"'(<\\[{\u00ab\u2018\u201c\u201e\u2039]"
_CLOSING = "[)\\]}\u00bb\u201d\u203a]"


def _ends(capital: str, joined: str) -> regex.Pattern[str]:
    """Return a pattern of the ends of sentences, given what begins one, and an end
    without white space.
    """
    space = r"[\s\ufeff]"
    return regex.compile(
        rf"(?:(?<=\b(?i:{_TITLES}))\.(?![.!?])"
        rf"|(?<=\b(?i:{_ABBREVIATIONS}))[.!?]++(?!\s+{capital})"
        rf"|(?<!\.)\.\.(?!\.)|\.{{3,10}}+(?!\s+{capital}))[^\S\n\r]*(*SKIP)(*FAIL)"
        rf"|[.!?]++[^\S\n\r]+[)\]}}]++(?={capital})"
        rf"|[.!?]++(?:(?={space})(?![^\S\n\r]+[)\]}}])"
        rf"|[\"'\u201d\u2019)\]}}\u00bb]++(?=\s+{capital}))|{joined}|[\n\r]"
    )


_ENDS = _ends(
    _CAPITAL,
    rf"(?<={_LETTERS}[.!?])(?={_OPENING}*{_CAPITAL})"
    rf"|(?<={_LETTERS}[.!?])(?:[!?]+|{_CLOSING}+\"?)(?={_CAPITAL})",
)
_NEUTRAL_ENDS = _ends(
    rf"(?!(?i:{_WORDS})\b)[\p{{Lu}}\p{{Ll}}]",
    r"(?<=(?:\p{L}{2}|\p{Nd})[.!?])(?=[\p{Lu}\p{Ll}])",
)


def sentences(text: str, *, neutral: bool = False) -> list[str]:
    """Return the sentences of English, an approximation: they end at `.`, `!` and `?`,
    and with lines.

    Args:
        neutral: Take any letter for a capital, except in a conjunction or preposition.
    """
    text = text.replace("\x85", " ")
    ends = _NEUTRAL_ENDS if neutral else _ENDS
    parts = []
    start = 0
    for end in ends.finditer(text):
        if _LETTER.search(text, pos=start, endpos=end.end()):
            parts.append(text[start : end.end()])
            start = end.end()
    parts.append(text[start:])
    stripped = [part.strip(" \t\n\r\f\v") for part in parts]
    return [part for part in stripped if part]


def lines(text: str) -> list[str]:
    """Return the lines of a text; only a line feed ends a line."""
    return text.split("\n")


def whole(text: str) -> list[str]:
    """Return the text as one sentence."""
    return [text]


class FBeta(Beta):
    """F with beta in js-rouge's order of operations; 0 is P, infinity is R."""

    def f(self, recall: float, precision: float) -> float:
        """Return F."""
        beta = self.beta
        low, high = precision, recall
        if low == high or math.isinf(beta):
            return high
        if not (low and high and beta):
            return low if low and high else 0.0
        if beta < 1:
            low, high, beta = high, low, 1 / beta
        if low > high:
            inverse = (1 / beta) * (1 / beta)
            return min(low, high * ((1 + inverse) / (1 + inverse * (high / low))))
        square = beta * beta
        if math.isinf(square):
            quotient = low * beta / high * beta
            return high if math.isinf(quotient) else high * quotient / (1 + quotient)
        return min(high, low * ((1 + square) / (1 + square * (low / high))))


class Js(StringRun):
    """A run of the dialect."""

    tokenize: Callable[[str], Iterable[str]] = staticmethod(tokens)

    def set_up(self) -> None:
        """Check the options, and choose the sentences."""
        most = self.options["max_skip"]
        beta = self.options["beta"]
        self.lowers = not self.options["case_sensitive"]
        if most != ANY and not most.isdecimal():
            raise UsageError(
                f"max_skip is {most!r}", remedy=f"use a whole number, or {ANY}"
            )
        distance = None if most == ANY else int(most) - 1
        if not beta >= 0:
            raise UsageError(f"beta is {beta:g}", remedy="it must be 0 or more")
        self._pairs = skip_bigram.SkipBigram(distance, unigrams=False)
        segmenters: dict[str, Callable[[str], Iterable[str]]] = {
            PLAIN: partial(sentences, neutral=self.lowers),
            LINES: lines,
            WHOLE: whole,
        }
        name = one_of(self.options, "segmenter", *segmenters)
        self.segment = segmenters[name]

    @cached_property
    def needs_sentences(self) -> bool:
        """True if any metric uses lines; the segmenter finds sentences in lines."""
        return self.options["segmenter"] == LINES and super().needs_sentences

    def measure(self, label: str) -> tuple[Metric, FBeta]:
        """Return the metric of a label, and F with beta."""
        formula = FBeta(self.options["beta"])
        if label == "rouge-l":
            return lcs.Lcs(), formula
        if label == "rouge-s":
            return self._pairs, formula
        return ngram.NGram(int(label[-1])), formula

    def counted(self, string: str) -> Sequence[Sequence[str]]:
        """Return the tokens of each sentence, in lower case as the whole text has it
        if case is ignored.
        """
        sentences = list(self.segment(string))
        if self.lowers:
            sentences = _lowered_in_text(sentences, string)
        return [list(self.tokenize(sentence)) for sentence in sentences]


def _lowered_in_text(sentences: Iterable[str], text: str) -> list[str]:
    """Return the sentences in lower case as the whole text has it: the form of a letter
    may depend on the letters around it.
    """
    lower = text.lower()
    lowered = []
    end = 0
    for sentence in sentences:
        # Segmenters may replace blanks.
        words = map(regex.escape, WHITE.split(sentence))
        in_text = regex.search(WHITE.pattern.join(words), text, pos=end)
        if in_text is None:
            lowered.append(sentence.lower())
            continue
        start, end = in_text.span()
        # Lower-casing may change lengths.
        part = lower[len(text[:start].lower()) : len(text[:end].lower())]
        blanks = iter(WHITE.findall(sentence))
        lowered.append(WHITE.sub(partial(next, blanks), part))
    return lowered


DEFAULTS = {
    "metrics": ("rouge-1", "rouge-2", "rouge-l"),
    "beta": 1.0,
    "case_sensitive": True,
    "max_skip": ANY,
    "segmenter": PLAIN,
    "jackknife": False,
}
DIALECT = of_strings("js", LABELS, Js, DEFAULTS)
