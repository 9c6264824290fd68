"""Labels, and the preparation of texts: words, tags, topics, stop words and stems, in
this order.

Both definitions lower-case words, replace every run of digits by `@`, and treat `! . "
' ; : ,` as blanks; all other characters belong to words. The paper's definition reads
UTF-8 and has no empty words. The Java program's (`program_lines`) reads Latin-1 and has
empty tokens (QUIRKS 46). A metric compares forms: words or stems. With synonyms a form
also has senses, which are looked up in the dictionary and in WordNet.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any, NamedTuple, TypeVar

from rouge_cli.core import Document, Text
from rouge_cli.errors import RougeError, UsageError, suggestion
from rouge_cli.io import files
from rouge_cli.metrics import group
from rouge_cli.text.normalization import NONE
from rouge_cli.text.tagging import Tag
from rouge_cli.text.tokens import Forms

T = TypeVar("T")

N, L, S, SU, TOPIC = "N", "L", "S", "SU", "Topic"
MOST_FORMS = 500_000  # words whose forms are cached, and forms whose synonyms are
# Labels that only this dialect has.
LABELS = (
    *("ROUGE-1+Synonyms", "ROUGE-1+StopWordRemoval", "ROUGE-1+Stemming"),
    *("ROUGE-Topic{NN|JJ}", "ROUGE-TopicUniq{NN|JJ}", "ROUGE-Topic{NN|JJ}+Synonyms"),
)
EXAMPLES = (
    "ROUGE-1",
    "ROUGE-2",
    "ROUGE-L",
    "ROUGE-S4",
    "ROUGE-SU4",
    "ROUGE-S*",
    *LABELS,
)
# Beginnings of Penn tags, for labels without braces as in the paper.
_PENN = "(?:CC|CD|DT|EX|FW|IN|JJ|LS|MD|NN|PDT|POS|PRP|RB|RP|SYM|TO|UH|VB|W)[A-Z$]{0,2}"
# Suffixes of labels, in canonical order, as in `ROUGE-1+Stemming+Synonyms`.
MODIFIERS = ("StopWordRemoval", "Stemming", "Synonyms")
_WITHOUT_MODIFIERS = re.compile(
    r"(?:ROUGE-?|R-?)?(?:"
    r"(?P<topic>TOPIC)(?P<topics_once>UNIQ)?"
    rf"(?:\{{(?P<tags>[^{{}}]+)\}}|(?P<bare>{_PENN}(?:\|{_PENN})*))"
    r"|(?P<lcs>L)"
    r"|(?:(?P<pairs>SU?)(?P<distance>\*|[0-9]{1,9})|(?P<n>[1-9][0-9]{0,4}))(?P<once>UNIQ)?"
    r")",
    re.IGNORECASE,
)
_BEFORE_MODIFIERS = re.compile(r"\+(?![^{}]*\})")  # a + outside braces
PREFIXES = re.compile(r"[A-Za-z$]+(\|[A-Za-z$]+)*")


class Measure(NamedTuple):
    """A parsed label: kind of unit, tags and modifiers."""

    kind: str  # N, L, S, SU or TOPIC
    # n, or the skip distance; None for any distance, and for L and TOPIC.
    size: int | None = None
    # Beginnings of the tags of topics joined by `|`, or a regular expression in the
    # program's definition.
    tags: str = ""
    once: bool = False  # count repeated units once
    stop: bool = False  # drop stop words
    stem: bool = False  # compare stems
    synonyms: bool = False  # match synonyms

    @property
    def label(self) -> str:
        """The canonical label, such as `ROUGE-Topic{NN|JJ}+Synonyms`."""
        label = "ROUGE-"
        if self.kind == TOPIC:
            label += "Topic"
        elif self.kind != N:
            label += self.kind
        if self.kind not in (L, TOPIC):
            label += "*" if self.size is None else str(self.size)
        if self.once:
            label += "Uniq"
        if self.kind == TOPIC:
            label += f"{{{self.tags}}}"
        modifiers = zip(MODIFIERS, (self.stop, self.stem, self.synonyms), strict=True)
        for modifier, is_set in modifiers:
            if is_set:
                label += f"+{modifier}"
        return label


def parse(label: str) -> Measure:
    """Parse a label in any case, with modifiers in any order; `R1` is accepted for
    `ROUGE-1`.

    Topics may also be written as in the paper, `ROUGE-TopicNN|JJ`.

    Raises:
        UsageError: If the label is unknown. The error suggests similar labels.
    """
    name, *written = [part.strip() for part in _BEFORE_MODIFIERS.split(label)]
    match = _WITHOUT_MODIFIERS.fullmatch(name)
    valid = {modifier.lower() for modifier in MODIFIERS}
    modifiers = {modifier.lower() for modifier in written}
    if not match or modifiers - valid or len(modifiers) < len(written):
        remedy = suggestion(label, list(EXAMPLES))
        raise UsageError(f"unknown metric {label!r} in dialect rouge2", remedy=remedy)
    part = match.groupdict()
    tags = ""
    if part["topic"]:
        kind = TOPIC
        tags = part["tags"] or part["bare"]
        if PREFIXES.fullmatch(tags):  # not a regular expression
            tags = "|".join(dict.fromkeys(tags.upper().split("|")))
    elif part["n"]:
        kind = N
    elif part["lcs"]:
        kind = L
    else:
        kind = part["pairs"].upper()
    size = part["n"] or part["distance"]
    return Measure(
        kind=kind,
        size=None if size in (None, "*") else int(size),
        tags=tags,
        once=bool(part["once"] or part["topics_once"]),
        stop="stopwordremoval" in modifiers,
        stem="stemming" in modifiers,
        synonyms="synonyms" in modifiers,
    )


# From text to words.

_MARKS = str.maketrans(dict.fromkeys("!.\"';:,", " "))
_BLANKS = re.compile(r"[ \t\n\v\f\r]+")  # white space in Java's regular expressions


Word = tuple[str, str]  # a word and its Penn tag, which is empty if the word has no tag
Lines = list[list[Word]]
EMPTY: Word = ("", "")


class TaggedText(Text):
    """A text: its words line by line, with tags only if the text contains tags."""

    __slots__ = ("lines",)

    def __init__(self, lines: Lines) -> None:
        super().__init__()
        self.lines = lines


def words(text: str) -> list[str]:
    """Return the words of a line in the paper's definition."""
    return re.sub(r"\d+", " @ ", fold(text)).translate(_MARKS).split()


def fold(text: str) -> str:
    """Return the text in lower case, with composed accents."""
    return unicodedata.normalize("NFC", text.lower())


def program_words(text: str) -> list[str]:
    """Return the tokens of a line as the Java program does: a leading separator makes
    an empty token.

    A line of separators is one empty token. Trailing empty tokens are dropped.
    """
    line = re.sub("[0-9]+", " @ ", text).lower().translate(_MARKS)
    fields = _BLANKS.split(line)
    while len(fields) > 1 and not fields[-1]:
        fields.pop()
    if line and fields == [""]:
        return []
    return fields


def paper_lines(
    document: Document,
    units: Iterable[bytes],
    tokenize: Callable[[str], Sequence[str]],
    *,
    tagged: bool,
) -> Lines:
    """Return the words of a document's sentences; raise RougeError for invalid UTF-8
    or a missing tag.
    """
    # Check the whole text first: the error has the line of invalid bytes.
    files.as_text(document.data, document.where, files.UTF8)
    lines = []
    for number, unit in enumerate(units, 1):
        line = files.as_text(unit, document.where, files.UTF8).decode()
        place = f"{document.where}: sentence {number}"
        lines.append(_read(line, place, tokenize, tagged=tagged))
    return lines


def program_spans(data: bytes) -> list[tuple[int, int]]:
    """Return the ranges of the lines that the program reads."""
    lines = re.finditer(rb"([^\r\n]*)(?:\r\n|\r|\n)|([^\r\n]+)", data)
    return [line.span(line.lastindex or 0) for line in lines]


def program_lines(document: Document, *, tagged: bool) -> Lines:
    """Return the words of a document's lines as the program does; tagged text has no
    empty tokens.
    """
    lines = []
    for number, (start, end) in enumerate(program_spans(document.data), 1):
        line = document.data[start:end].decode("latin-1")
        if line.strip() or not tagged:
            place = f"{document.where}:{number}"
            lines.append(_read(line, place, program_words, tagged=tagged))
    return lines


def _read(
    line: str, place: str, tokenize: Callable[[str], Sequence[str]], *, tagged: bool
) -> list[Word]:
    """Return the words of a line; in `word_TAG` items, an item of several words
    gives its tag to all.
    """
    if not tagged:
        return list(zip(tokenize(line), repeat("")))
    words = []
    for item in line.split():
        surface, bar, tag = item.rpartition("_")
        if not bar or not tag:
            remedy = "write tagged text as word_TAG word_TAG ..."
            raise RougeError(f"{item!r} has no tag", where=place, remedy=remedy)
        words += [(word, tag) for word in tokenize(surface) if word]
    return words


def dictionary(
    data: bytes, path: str, tokenize: Callable[[str], Sequence[str]]
) -> dict[str, frozenset[str]]:
    """Read synonyms by word from a file with one group of words per line; `#` begins a
    comment.

    Words are separated by white space or commas. A word of several groups has the
    synonyms of all groups.

    Raises:
        RougeError: If an entry is not a single word when it is tokenized, or if there
            is no group.
    """
    synonyms: dict[str, set[str]] = {}
    lines = files.as_text(data, path).splitlines()  # only CR and LF end lines
    for number, raw in enumerate(lines, 1):
        line = raw.decode()
        group = set()
        for member in line.partition("#")[0].replace(",", " ").split():
            words = tokenize(member)
            if len(words) != 1:
                raise RougeError(
                    f"{member!r} is not a single word ({len(words)} words when"
                    " tokenized)",
                    where=f"{path}:{number}",
                    remedy="write single words, separated by blanks",
                )
            group.add(words[0])
        for word in group:
            synonyms.setdefault(word, set()).update(group - {word})
    if not synonyms:
        raise RougeError(
            "no group of synonyms",
            where=path,
            remedy="write one group of words per line",
        )
    return {word: frozenset(others) for word, others in synonyms.items()}


# Beginning of a Penn tag -> WordNet's part of speech, if it has synonyms.
_PARTS = {"NN": "n", "JJ": "a", "VB": "v"}


class Form(NamedTuple):
    """A word or stem to compare, with the senses by which its synonyms are found."""

    form: str
    # (word, part of speech): `n`, `v` or `a`, or empty for others. No senses if
    # synonyms are not used.
    senses: tuple[tuple[str, str], ...] = ()


@dataclass(eq=False)
class Preprocessing:
    """The steps of preprocessing, and the synonyms that match."""

    # Returns the Penn tags of the words of sentences; None if texts contain tags.
    tag: Tag | None = None
    stop: frozenset[str] = frozenset()  # the stop words
    stem: Callable[[str], str] = str
    # Word -> synonyms.
    dictionary: Mapping[str, frozenset[str]] = field(default_factory=dict)
    # Returns the synonyms of a word with a part of speech; None without WordNet.
    look_up: Callable[[str, str], Collection[str]] | None = None
    # The texts whose words are expanded: `both`, `prediction` or `reference`.
    expand: str = "both"
    # True for the Java program's definitions instead of the paper's.
    program: bool = False
    normalize: str = NONE  # the steps before a text is divided into words

    def __post_init__(self) -> None:
        self.ids = Forms()
        # Stem -> stems of synonyms, so that inflected words are found, too.
        self._of_stems: dict[str, frozenset[str]] = {}
        for word, others in self.dictionary.items():
            earlier = self._of_stems.get(self.stem(word), frozenset())
            self._of_stems[self.stem(word)] = earlier.union(map(self.stem, others))
        # Form -> its synonyms, or the stems of its synonyms.
        self.synonyms: Mapping[Form, frozenset[str]] = Cache(self._synonyms)
        self.synonym_stems: Mapping[Form, frozenset[str]] = Cache(self._synonym_stems)
        self._shared: dict[Hashable, Any] = {}

    def shared(self, make: Callable[..., T], *arguments: Hashable) -> T:
        """Return `make(self, *arguments)`, which is made once: metrics with the same
        steps share it.
        """
        key = (make, *arguments)
        if key not in self._shared:
            self._shared[key] = make(self, *arguments)
        value: T = self._shared[key]
        return value

    def near(
        self, prediction: Collection[Form], reference: Collection[Form], *, stems: bool
    ) -> Mapping[Form, Collection[Form]]:
        """Return the matching forms of the reference for each form of the prediction,
        in a fixed order.

        Equal forms match. Forms without a match are left out.
        """
        predictions = group((form.form, form) for form in prediction)
        references = group((form.form, form) for form in reference)
        synonyms_of = self.synonym_stems if stems else self.synonyms
        near: dict[Form, dict[Form, None]] = {form: {} for form in prediction}
        for form in prediction:
            near[form] |= dict.fromkeys(references.get(form.form, ()))
        if self.expand != "reference":
            targets = set(references)
            for form in prediction:
                for target in sorted(targets & synonyms_of[form]):
                    near[form] |= dict.fromkeys(references[target])
        if self.expand != "prediction":
            words = set(predictions)
            for other in chain.from_iterable(references.values()):
                for word in sorted(words & synonyms_of[other]):
                    for form in predictions[word]:
                        near[form][other] = None
        ordered = chain.from_iterable(predictions.values())
        return {form: near[form] for form in ordered if near[form]}

    def _synonyms(self, form: Form) -> frozenset[str]:
        """Return the synonyms of a form."""
        synonyms: frozenset[str] = frozenset()
        for word, part in form.senses:
            synonyms |= self.dictionary.get(word, frozenset())
            if part and self.look_up:
                synonyms = synonyms.union(self.look_up(word, part))
        return synonyms

    def _synonym_stems(self, form: Form) -> frozenset[str]:
        """Return the stems of the synonyms of a form, which is a stem itself."""
        of_stem = self._of_stems.get(form.form, frozenset())
        return of_stem.union(map(self.stem, self._synonyms(form)))


class ComparedWords:
    """The words of texts as a metric compares them: as forms, or as numbers of forms if
    only equal forms match.

    Args:
        measure: The steps that change words.
    """

    def __init__(self, preprocessing: Preprocessing, measure: Measure) -> None:
        self._preprocessing = preprocessing
        self._measure = measure
        is_topic = measure.kind == TOPIC
        # In the program's definition some forms are `word_tag`.
        joins_tags = is_topic
        if measure.synonyms:
            joins_tags = measure.kind == L
        self._joins_tags = preprocessing.program and joins_tags
        # In the program's definition a line of stop words is one empty token (QUIRKS
        # 47).
        self._has_empty = (
            preprocessing.program and not is_topic and not measure.synonyms
        )
        self._tag = preprocessing.tag if is_topic or measure.synonyms else None
        # Returns why a word is dropped; empty if it counts.
        self.why_dropped = dropping(measure, preprocessing)
        # Word -> its form, and the number of its form; None if it is dropped.
        self._form_of: Mapping[Word, Form | None] = Cache(self._form)
        self._number_of: Mapping[Word, int | None] = Cache(self._number)

    def words(self, text: Text) -> Lines:
        """Return the words of a text line by line, with tags if the metric uses
        them.
        """
        return text.once(_tagged, self._tag)

    def forms(self, text: Text) -> list[list[Form]]:
        """Return the forms line by line, without dropped words."""
        return self._left(text, self._form_of)

    def numbers(self, text: Text) -> list[list[int]]:
        """Return the numbers of the forms line by line, without dropped words."""
        return self._left(text, self._number_of)

    def _left(self, text: Text, by_word: Mapping[Word, T | None]) -> list[list[T]]:
        """Return what a mapping has for the words that are not dropped."""
        lines = []
        for words in self.words(text):
            line = []
            for word in words:
                value = by_word[word]
                if value is not None:
                    line.append(value)
            empty = by_word[EMPTY] if self._has_empty else None
            if empty is not None and words and not line:
                line.append(empty)
            lines.append(line)
        return lines

    def _number(self, word: Word) -> int | None:
        """Return the number of a word's form; None if the word is dropped."""
        form = self._form(word)
        return None if form is None else self._preprocessing.ids[form.form]

    def _form(self, word: Word) -> Form | None:
        """Return a word's form, with its sense for synonyms; None if it is dropped.

        In the paper's definition words match regardless of their tags. In the program's
        definition topics match if their `word_tag` is equal (QUIRKS 48, 49).
        """
        if self.why_dropped(word):
            return None
        form, tag = word
        senses: tuple[tuple[str, str], ...] = ()
        if self._measure.synonyms and not self._joins_tags:
            senses = ((form, _PARTS.get(tag[:2].upper(), "")),)
        if self._measure.stem:
            form = self._preprocessing.stem(form)
        if self._joins_tags:
            form = f"{form}_{tag.lower()}"
        return Form(form, senses)


def _tagged(text: TaggedText, tag: Tag | None) -> Lines:
    """Return the words of a text line by line, tagged if there is a tagger."""
    if tag is None:
        return text.lines
    words = []
    for line in text.lines:
        words.append([word for word, _ in line if word])
    tagged = []
    for of_line, tags in zip(words, tag(words), strict=True):
        tagged.append(list(zip(of_line, tags, strict=True)))
    return tagged


def dropping(measure: Measure, preprocessing: Preprocessing) -> Callable[[Word], str]:
    """Return a function from a word to the reason why the metric drops it; empty if the
    word counts.

    A topic's tag begins with a requested tag, in any case. In the program's definition
    `word_tag` matches a regular expression.
    """
    program = preprocessing.program
    stop = preprocessing.stop if measure.stop else frozenset()
    topics = tuple(measure.tags.upper().split("|"))
    # The program lower-cases tags, so an expression in capitals finds nothing. Here
    # case is ignored.
    search = re.compile(measure.tags, re.IGNORECASE).search if program else None

    def why_dropped(word: Word) -> str:
        form, tag = word
        untagged = form.partition("_")[0] if program else form
        if untagged in stop:
            return "stop word"
        if measure.kind != TOPIC:
            return ""
        if search:
            is_topic = search(f"{form}_{tag.lower()}") is not None
        else:
            is_topic = tag.upper().startswith(topics)
        return "" if is_topic else "no topic"

    return why_dropped


class Cache(dict[Any, Any]):
    """Values by key, made at their first look-up; cleared if there are many."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:  # noqa: ANN401 - of any kind
        if len(self) >= MOST_FORMS:
            self.clear()
        value = self[key] = self._make(key)
        return value
