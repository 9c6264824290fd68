"""Penn Treebank tokens and plain sentences of English, as js-rouge 3 splits texts.

The tokens are js-rouge's. The sentences are an approximation: js-rouge has thousands of rules (QUIRKS 88).
"""

from itertools import zip_longest

import regex

WHITE = (
    "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"  # JavaScript's, and U+0085
)
_QUOTE = regex.compile("``|''|\"")
_EDGE = r"[\p{ID_Continue}\u200c\u200d]"
# Patterns and replacements in order, for a text between blanks.
_STEPS = [
    (regex.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\.\.\.", " ... "),
        (r"[:,](?!\p{Nd})|[;@#$%&]", r" \g<0> "),
        (r"(?<!\.|(?<![A-Za-z0-9_])[A-Za-z]\.[A-Za-z])\.(?=[\])}>' ]*$)", " . "),
        (r"[?!\[\](){}<>]|--", r" \g<0> "),
        (r"(?<=[^' ])'(?= )", " ' "),
        (r"(?<=[^' ])'[sSmMdD](?= )", r" \g<0> "),
        (r"(?:(?<=[^' ])(?:'ll|'LL|'re|'RE|'ve|'VE)|(?<=[^ ])(?:n't|N'T))(?= )", r" \g<0> "),
        *(
            (rf"(?i)(?<!{_EDGE})({first})({second})(?!{_EDGE})", r" \1 \2 ")
            for first, second in (
                ("can", "not"), ("d", "'ye"), ("gim|lem", "me"), ("gon", "na"), ("got", "ta"),
                ("more", "'n"), ("wan", "na(?= )"), ("'t", "is|was"),
            )
        ),
    )
]  # fmt: skip


def _quoted(text: str) -> str:
    """Return the text with opening double quotes as two grave accents, closing ones as two apostrophes."""
    pieces, end, is_open = [], 0, False
    quotes = list(_QUOTE.finditer(text))
    for quote, following in zip_longest(quotes, quotes[1:]):
        before, after = text[: quote.start()][-1:], text[quote.end() :][:1]
        is_open = not is_open and bool(
            regex.fullmatch(r"|[ \p{P}<]", before)
            and before not in {".", "!", "?"}
            and (after or regex.fullmatch(r"|[ \p{Ps}<]", before))
            and (quote[0] != "''" or (before and regex.match(r"[\p{L}\p{N}\p{Sc}\p{Ps}]", after)))
            and (quote[0] != "''" or (following and following[0] == "''"))
        )
        is_open = is_open or quote[0] == "``"
        pieces += [text[end : quote.start()], " `` " if is_open else " '' "]
        end = quote.end()
    return "".join(pieces) + text[end:]


def tokens(sentence: str) -> list[str]:
    """Return the tokens of a sentence."""
    text = f" {_quoted(regex.sub(f'{WHITE}+', ' ', sentence).strip(' '))} "
    for pattern, replacement in _STEPS:
        text = pattern.sub(replacement, text)
    return text.split()


# Titles and others end no sentence; other abbreviations end one only before a capital.
_TITLES = (
    "mr|mrs|ms|dr|prof|sr|jr|sen|rep|gov|gen|lt|capt|col|ex|e\\.g|i\\.e|circa|ca|cca|vs|v\\.s|esp|ft|st|mt"
)
_ABBREVIATIONS = (
    "etc|al|co|corp|inc|ltd|dept|univ|bros|assn|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|a\\.m|p\\.m|ave|blvd"
    "|hwy|u\\.s(?:\\.a)?|e\\.u|n\u00b0"
)
_WORDS = "and|or|but|nor|for|yet|so|at|in|on|of|to|from|with|by|as|then|because|while"


def _ends(capital: str, joined: str) -> regex.Pattern[str]:
    """Return a pattern of the ends of sentences, given what begins one, and an end without white space."""
    return regex.compile(
        rf"(?:(?<=\b(?i:{_TITLES}))\.(?![.!?])|(?<=\b(?i:{_ABBREVIATIONS}))[.!?]++(?!\s+{capital})"
        rf"|\.{{2,10}}+(?!\s+{capital}))\s*(*SKIP)(*FAIL)"
        rf"|[.!?]++(?:(?=\s)|[\"'\u201d\u2019)\]}}\u00bb]++(?=\s+{capital}))|{joined}|[\n\r]"
    )


_ENDS = _ends(r"\p{Lu}", r"(?<=\p{L}{2}[.!?])(?=\p{Lu})")
_NEUTRAL_ENDS = _ends(
    rf"(?!(?i:{_WORDS})\b)[\p{{Lu}}\p{{Ll}}]", r"(?<=(?:\p{L}{2}|\p{Nd})[.!?])(?=[\p{Lu}\p{Ll}])"
)


def sentences(text: str, *, neutral: bool = False) -> list[str]:
    """Return the sentences of a text: they end at `.`, `!` and `?`, and with lines.

    Args:
        neutral: Take any letter for a capital, except in a conjunction or preposition.
    """
    found, start = [], 0
    for end in (_NEUTRAL_ENDS if neutral else _ENDS).finditer(text):
        if regex.search(r"[\p{L}\p{N}]", text, pos=start, endpos=end.end()):
            found.append(text[start : end.end()])
            start = end.end()
    pieces = (piece.strip(" \t\n\r\f\v") for piece in (*found, text[start:]))
    return list(filter(None, pieces))
