"""Marks in texts that are no words: `<q>`, `[CLS]`, `&amp;`, `@@`, `NEWLINE_CHAR`.

Marks of sentence ends, special tokens of models, joints of word pieces and escapes of
HTML count as words, or cut words. There is no list of them: a mark is a token of one
of a few shapes that stands in most texts of a side, or as often as sentences end. So
a text about HTML, or a name like `read_csv` in a few texts, is not a mark.

The first texts of a run are examined: SAMPLE of each side at most, which the systems
share.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypedDict

    class Mark(TypedDict):
        """A mark in the examined texts of a side, as in reports."""

        texts: int  # that have it
        times: int
        between: int  # times that it is neither at the start nor at the end of a text
        at_ends: int  # times that it stands where a sentence begins or ends
        words: int  # in some of these texts: the words that are not there without it
        of: int  # all words of the same texts


NOWHERE: Mark = {
    "texts": 0,
    "times": 0,
    "between": 0,
    "at_ends": 0,
    "words": 0,
    "of": 0,
}
SAMPLE = 1000  # texts of a side
LONGEST = 50_000  # bytes of a text
MOST_BYTES, FEWEST_LONG = 1_000_000, 20  # of a side; of long texts fewer are enough
FEWEST_OF_A_SYSTEM = 50  # of each system, however many systems there are
FEW = 5  # texts of a side; fewer give little evidence
ONE_IN = 10  # a mark of sentences is in at least 1 text in 10
AT_ENDS = 0.8  # share of a mark's occurrences that stand at ends of sentences
WEIGHED = 20  # texts whose words are counted, to state what a mark costs
MOST = 5  # marks of a run

# How much evidence a shape needs. A SIGN hardly occurs in ordinary text, and a TRACE of
# a program never does; a WORD may be a name in texts about programs.
SIGN, TRACE, WORD = "sign", "trace", "word"


class MarkShape(NamedTuple):
    """A shape of marks.

    A text without `hint` has none of them. All marks of a shape with a remedy of its
    own are the same mark, such as the joints of word pieces.
    """

    hint: bytes
    pattern: bytes
    kind: str
    spelling: str = ""  # a pattern of the marks, if the shape has a remedy of its own
    remedy: str = ""
    clean: Callable[[bytes], bytes] | None = None  # returns a text without the marks


def _unescape(text: bytes) -> bytes:
    """Return a text with the characters that escapes of HTML stand for."""
    decoded = text.decode("utf-8", "replace")
    import html  # costs start-up time: its table of all entities

    return html.unescape(decoded).encode("utf-8", "replace")


def _replace(pattern: bytes, by: bytes, text: bytes) -> bytes:
    """Return a text with all matches of a pattern replaced."""
    return re.sub(pattern, by, text)


def _join_pieces(joint: bytes, text: bytes) -> bytes:
    """Join word pieces, in which the joint stands for the blank before a word."""
    return text.replace(b" ", b"").replace(joint, b" ")


_BYTE_BPE, _SENTENCE_PIECE = "Ġ".encode(), "▁".encode()
_DECODE = "decode the tokens with the model's tokenizer"
SHAPES = (
    # <q>, </s>, <br />, <p class="x">, <|im_end|>, <0x0A>
    MarkShape(
        b"<",
        rb"<(?:\||\xef\xbd\x9c)[^<>\n]{1,40}>|</?[A-Za-z_][^<>\n]{0,40}>|<0x[0-9A-F]+>",
        SIGN,
    ),
    # [CLS], [X_SEP], [unused2], [/INST]; not a[i], [text](link) or [1]
    MarkShape(
        b"[",
        rb"\[/?[A-Z][A-Z0-9_ -]{0,30}\](?!\()"
        rb"|(?<![\w\]])\[/?[A-Za-z][\w -]{0,30}\](?!\()",
        SIGN,
    ),
    MarkShape(b"##", rb"##\w+?##", SIGN),
    MarkShape(b"|||", rb"(?<!\S)\|{3,}(?!\S)", SIGN),
    # A backslash and n; not in texts with other commands of TeX, or with paths.
    MarkShape(b"\\n", rb"\\n", SIGN),
    MarkShape(b"&lt;", rb"&lt;/?\w[^&<>\n]{0,30}&gt;", SIGN),
    MarkShape(
        b"&",
        rb"(?P<other>&lt;/?\w[^&<>\n]{0,30}&gt;)"
        rb"|&(?:[A-Za-z]{2,8}|#[0-9]{1,6}|#x[0-9A-Fa-f]+);",
        WORD,
        "&[^;]+;",
        "unescape the texts (html.unescape in Python)",
        _unescape,
    ),
    MarkShape(
        b"@@",
        rb"(?<=\w)@@(?=\s)",
        TRACE,
        "@@",
        "join the pieces of words (sed 's/@@ //g')",
        partial(_replace, rb"@@\s", b""),
    ),
    MarkShape(
        b"@",
        rb"(?<=\w )@[-,.]@(?= \w)",
        TRACE,
        "@[-,.]@",
        r"join the words (sed 's/ @\([-,.]\)@ /\1/g')",
        partial(_replace, rb" @([-,.])@ ", rb"\1"),
    ),
    MarkShape(
        b" ##",
        rb"(?<=\w )##(?=[A-Za-z]+(?:\s|$))",
        TRACE,
        "##",
        "join the pieces of words (sed 's/ ##//g')",
        partial(_replace, rb" ##", b""),
    ),
    # Twice in a row: the letter G with a dot begins words of Maltese.
    MarkShape(
        _BYTE_BPE,
        rb"\xc4\xa0(?=[^\s\xc4]+ ?\xc4\xa0)",
        TRACE,
        "Ġ",
        _DECODE,
        partial(_join_pieces, _BYTE_BPE),
    ),
    MarkShape(
        _SENTENCE_PIECE,
        rb"(?P<other><[^<>\n]{1,40}>)|\xe2\x96\x81(?=[^\s\xe2])",
        TRACE,
        "▁",
        _DECODE,
        partial(_join_pieces, _SENTENCE_PIECE),
    ),
    # Brackets as the Penn Treebank writes them.
    MarkShape(
        b"-",
        rb"-[LRlr][RSCrsc][Bb]-",
        TRACE,
        "-[LRlr][RSCrsc][Bb]-",
        "write the brackets (sed 's/-lrb-/(/Ig; s/-rrb-/)/Ig')",
        partial(_replace, rb"-[LRlr][RSCrsc][Bb]-", b" "),
    ),
    MarkShape(b"@", rb"(?<!\S)@[A-Za-z]\w*", WORD),
    # NEWLINE_CHAR, story_separator_special_tag, __eou__; not in a path or an address
    MarkShape(
        b"_",
        rb"(?<![\w./:@<|\[&#-])_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]*)+(?![\w/]|\.\w)",
        WORD,
    ),
)
# The first bytes of all hints, most of which few texts have.
_FIRST_BYTES = b"".join([shape.hint.strip()[:1] for shape in SHAPES])
_ANY_HINT = re.compile(rb"[%b]" % re.escape(_FIRST_BYTES))
OTHER = "other"  # the group of a match of another shape
_BACKSLASH = b"\\n"
_COMMANDS = rb"\\[A-Za-mo-z][A-Za-z]|\$|\b[A-Za-z]:\\"  # of TeX; paths
_STOPS = tuple(stop.encode() for stop in ".!?\n]>。！？।")  # noqa: RUF001
_CLOSING = b" \t\r\"')"  # after a stop


class _Occurrences:
    """A mark in the texts of a side."""

    def __init__(self, shape: MarkShape) -> None:
        self.shape = shape
        self.spellings: Counter[bytes] = Counter()
        self.texts = 0
        self.times = 0
        self.between = 0  # times that it is neither at the start nor the end of a text
        self.at_edges = 0  # times that it is
        self.at_ends = 0  # times that a sentence begins or ends there
        self.some_texts: list[bytes] = []

    def add(self, text: bytes, matches: Sequence[re.Match[bytes]]) -> None:
        """Count the matches of the mark in a text."""
        first = len(text) - len(text.lstrip())
        last = len(text.rstrip())
        has_stops = re.search(rb"[.!?](?:\s|\Z|[<\[&|\\])", text) is not None
        repeats_alone = not has_stops and len(matches) > 1
        self.texts += 1
        self.times += len(matches)
        for match in matches:
            start, end = match.span()
            self.spellings[match[0]] += 1
            is_at_edge = start <= first or end >= last
            if is_at_edge:
                self.at_edges += 1
            else:
                self.between += 1
            if is_at_edge or repeats_alone or _is_at_end(text, start, end):
                self.at_ends += 1
        if len(self.some_texts) < WEIGHED:
            self.some_texts.append(text)

    def is_mark(self, texts: int) -> bool:
        """Return True if it is in so many of a side's texts that it is not chance."""
        kind = self.shape.kind
        is_in_most = self.texts >= 2 and self.texts * 2 > texts
        repeats = self.texts >= 2 or (texts < FEW and self.times >= 2)
        is_common = repeats and self.texts * ONE_IN >= texts
        ends_sentences = self.at_ends >= AT_ENDS * self.times
        if kind == TRACE:
            return is_common
        if kind == WORD:
            divides = ends_sentences and self.between >= 2 * self.texts
            return is_in_most or (is_common and divides and self.texts >= FEW)
        if texts == 1:
            return ends_sentences and (repeats or self.at_edges > 0)
        return is_in_most or (is_common and ends_sentences)


class MarkSample:
    """The marks of the references, or of the predictions of a system.

    Args:
        most: The number of texts that are examined.
    """

    def __init__(self, most: int = SAMPLE) -> None:
        self.texts = 0
        self._bytes = 0
        self._most = most
        self._occurrences: dict[str, _Occurrences] = {}

    @property
    def is_full(self) -> bool:
        """True if no more texts are needed."""
        is_long = self._bytes >= MOST_BYTES and self.texts >= FEWEST_LONG
        return self.texts >= self._most or is_long

    def add(self, texts: Iterable[bytes]) -> None:
        """Examine the beginnings of texts, until there are enough."""
        beginnings = []
        for text in texts:
            if self.is_full:
                break
            beginning = text[:LONGEST]
            beginnings.append(beginning)
            self.texts += 1
            self._bytes += len(beginning)
        self._examine(beginnings)

    def _examine(self, texts: Sequence[bytes]) -> None:
        """Count all marks of texts; most texts have none of the hints."""
        together = b"\n".join(texts)
        if _ANY_HINT.search(together) is None:
            return
        shapes = [shape for shape in SHAPES if shape.hint in together]
        for shape in shapes:
            for text in texts:
                if shape.hint in text:
                    self._add(shape, text)

    def _add(self, shape: MarkShape, text: bytes) -> None:
        """Count the marks of a shape in a text."""
        if shape.hint == _BACKSLASH and re.search(_COMMANDS, text):
            return
        matches: dict[str, list[re.Match[bytes]]] = {}
        for match in re.finditer(shape.pattern, text):
            if match.lastgroup != OTHER:
                matches.setdefault(_name(shape, match[0]), []).append(match)
        is_tagged = shape.hint == b"_" and len(matches) * 2 > len(text.split())
        if not matches or is_tagged:  # the_DT cat_NN
            return
        for name, of_mark in matches.items():
            if name not in self._occurrences:
                self._occurrences[name] = _Occurrences(shape)
            self._occurrences[name].add(text, of_mark)

    def marks(self) -> list[str]:
        """Return the names of the marks, the most frequent first."""
        if not self._occurrences:
            return []
        names = []
        for name, occurrences in self._occurrences.items():
            if occurrences.is_mark(self.texts):
                names.append(name)
        return sorted(names, key=lambda name: -self._occurrences[name].texts)

    def spellings(self, name: str) -> list[str]:
        """Return how a mark is written here, the most frequent first."""
        if name not in self._occurrences:
            return []
        by_frequency = self._occurrences[name].spellings.most_common()
        return [spelling.decode("utf-8", "replace") for spelling, _ in by_frequency]

    def details(self, name: str, words: Callable[[bytes], Sequence[str]]) -> Mark:
        """Return the numbers of a mark.

        Args:
            words: Returns the words of a text as the dialect counts them.
        """
        occurrences = self._occurrences.get(name)
        if occurrences is None:
            return NOWHERE
        changed = all_words = 0
        for text in occurrences.some_texts:
            with_mark = Counter(words(text))
            without = Counter(words(_clean(occurrences, text)))
            changed += (with_mark - without).total()
            all_words += with_mark.total()
        return {
            "texts": occurrences.texts,
            "times": occurrences.times,
            "between": occurrences.between,
            "at_ends": occurrences.at_ends,
            "words": changed,
            "of": all_words,
        }


def find_marks(
    sides: Sequence[Sequence[MarkSample]],
    words: Callable[[], Callable[[bytes], Sequence[str]]],
) -> list[Mapping[str, Mark]]:
    """Return the marks by side (predictions, references); a mark of one side has its
    numbers on both.

    Args:
        sides: The samples of each side.
        words: Returns the function that returns the words of a text; called only if
            there are marks.
    """
    samples = list(chain.from_iterable(sides))
    names = list(dict.fromkeys(chain.from_iterable(map(MarkSample.marks, samples))))
    if not names:
        return [{} for _ in sides]
    words_of = words()
    by_side: list[Mapping[str, Mark]] = []
    for side in sides:
        marks = {}
        for name in names[:MOST]:
            of_samples = [sample.details(name, words_of) for sample in side]
            marks[_shown(name, samples)] = _sum(of_samples)
        by_side.append(marks)
    return by_side


def _sum(marks: Sequence[Mark]) -> Mark:
    """Return the sums of the numbers of a mark."""
    total = NOWHERE.copy()
    for mark in marks:
        total["texts"] += mark["texts"]
        total["times"] += mark["times"]
        total["between"] += mark["between"]
        total["at_ends"] += mark["at_ends"]
        total["words"] += mark["words"]
        total["of"] += mark["of"]
    return total


def _shown(name: str, samples: Sequence[MarkSample]) -> str:
    """Return a mark as messages show it: as the texts write it most often."""
    spellings: list[str] = []
    for sample in samples:
        spellings += sample.spellings(name)
    closing = [spelling for spelling in spellings if is_closing(spelling)]
    opening = [spelling for spelling in spellings if not is_closing(spelling)]
    return PAIR.join([*opening[:1], *closing[:1]])


PAIR = " ... "  # between the opening and the closing mark of a pair


def is_closing(mark: str) -> bool:
    """Return True for marks such as `</s>`, `[/INST]` and `&lt;/q&gt;`."""
    return mark.startswith(("</", "[/", "&lt;/"))


def remedy_of(mark: str) -> str:
    """Return the remedy that only marks of this shape have; empty without one."""
    for shape in SHAPES:
        if shape.remedy and re.fullmatch(shape.spelling, mark):
            return shape.remedy
    return ""


def division_at(mark: str) -> str:
    """Return the remedy of a mark between sentences."""
    opening, _, closing = mark.partition(PAIR)
    if closing:
        return f"{deletion_of(opening)}, and use {_sentences_at(closing)}"
    return f"use {_sentences_at(mark)}"


def _sentences_at(mark: str) -> str:
    return f"--sentences {_quoted(f'mark:{mark}')}"


def _quoted(word: str) -> str:
    """Return one word of a shell, whatever it contains: texts are strangers', and
    commands in messages are pasted.
    """
    return "'" + word.replace("'", "'\\''") + "'"


def deletion_of(mark: str) -> str:
    """Return the remedy of a mark that is of no use."""
    commands = []
    for token in mark.split(PAIR):
        pattern = re.sub(r"([\\/.*^$\[\]])", r"\\\1", token)
        commands.append(f"s/{pattern}/ /g")
    return f"delete it from the texts (sed {_quoted('; '.join(commands))})"


def _name(shape: MarkShape, token: bytes) -> str:
    """Return the name of a mark: the same for `<t>` and `</t>`, and for `<br>` and
    `<br />`, and whatever number it ends with.
    """
    if shape.remedy:
        return shape.spelling
    word = re.search(rb"(?:lt;)?/?([^\s<>/|&;\[\]]+)", token)
    if shape.kind == WORD or shape.hint not in (b"<", b"[", b"&lt;") or not word:
        return token.decode("utf-8", "replace")
    bare = word[1].rstrip(b"0123456789") or word[1]
    return f"{shape.hint.decode()} {bare.decode('utf-8', 'replace')}"


def _is_at_end(text: bytes, start: int, end: int) -> bool:
    """Return True if a sentence ends before or begins after this place, to judge by
    its punctuation.
    """
    before = text[max(0, start - 8) : start].rstrip(_CLOSING)
    if before.endswith(_STOPS):
        return True
    return text[end : end + 8].lstrip(b" \t\r").startswith(b"\n")


def _clean(occurrences: _Occurrences, text: bytes) -> bytes:
    """Return the text without the mark."""
    clean = occurrences.shape.clean
    if clean is not None:
        return clean(text)
    for spelling in occurrences.spellings:
        text = text.replace(spelling, b" ")
    return text
