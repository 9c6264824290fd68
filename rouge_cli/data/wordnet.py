"""WordNet: near-synonyms of words, and the frequency of their parts of speech.

The database is the package's extract of WordNet 3.0, or a database of the user as
distributed by Princeton (`data.noun`, `noun.exc`, ...). Both are kept as lines, which
are parsed when they are needed. An index is built when a part of speech is first used.

FORMATS.md in this folder describes the form of the extract,
`rouge_cli/data/wordnet-3.0.xz`, in which a user's database is kept, too. Its source:
wndb(5WN), senseidx(5WN) and cntlist(5WN) of WordNet 3.0; `index.*` is not needed.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import chain

from rouge_cli import data
from rouge_cli.errors import RougeError, UnreadableFile
from rouge_cli.io import files
from rouge_cli.twins import twin

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
COUNTS = "cntlist.rev"
NAMES = (
    *(f"data.{part}" for part in PARTS.values()),
    *(f"{part}.exc" for part in PARTS.values()),
    COUNTS,
)
# The numbers of the kinds of synset in sense keys; `s` is a satellite adjective.
_KINDS = {b"n": b"1", b"v": b"2", b"a": b"3", b"r": b"4", b"s": b"5"}
_MARKER = re.compile(rb"\((?:a|p|ip)\)$")


def short_form(path: str) -> bytes:
    """Return the compact form of the database in a folder or in nltk's zip; raise
    RougeError.
    """
    contents: dict[str, bytes] = {}
    if path.endswith(".zip"):
        from zipfile import ZipFile  # imports lzma

        try:
            with ZipFile(path) as archive:
                for name in filter(
                    lambda name: name.endswith(NAMES), archive.namelist()
                ):
                    contents[name.rpartition("/")[2]] = archive.read(name)
        except Exception as reason:  # noqa: BLE001 - zipfile passes on any exception of its decompressors
            error = reason if isinstance(reason, OSError) else ValueError(str(reason))
            raise UnreadableFile(path, error, role="WordNet database") from None
    else:
        for name in filter(
            lambda name: os.path.exists(os.path.join(path, name)), NAMES
        ):
            contents[name] = files.read(os.path.join(path, name), "WordNet database")
    for name in NAMES:
        if name not in contents:
            remedy = (
                "name a folder with data.noun, noun.exc, cntlist.rev, ..., such as"
                " /usr/share/wordnet"
            )
            raise RougeError(
                f"no WordNet database ({name} is missing)", where=path, remedy=remedy
            )
    counts = _counts(contents[COUNTS], os.path.join(path, COUNTS))
    files_of_synsets = [f"data.{part}" for part in PARTS.values()]
    sections = [
        _synsets(contents[name], counts, os.path.join(path, name))
        for name in files_of_synsets
    ]
    for part in PARTS.values():
        lines = map(bytes.split, contents[f"{part}.exc"].splitlines())
        sections.append(b"".join(b" ".join(words) + b"\n" for words in lines if words))
    return b"".join(section + b"\f\n" for section in sections)


def _counts(data: bytes, path: str) -> dict[bytes, int]:
    """Return sense key -> the number of times it was tagged."""
    counts: list[tuple[bytes, int]] = []
    try:
        for key, _, count in map(bytes.split, data.splitlines()):
            counts.append((key, int(count)))
    except ValueError:
        raise _damaged(path, len(counts) + 1) from None
    return dict(counts)


def _synsets(data: bytes, counts: dict[bytes, int], path: str) -> bytes:
    """Return the section of one data file; its lines begin with the names of the
    synsets.
    """
    # The licence precedes the synsets, in lines that begin with blanks.
    lines = [
        (number, line)
        for number, line in enumerate(data.splitlines(), 1)
        if line[:1] != b" "
    ]
    # Offset, file, kind, number of words, words with IDs, number of pointers, pointers
    # of four fields.
    synsets = [line.partition(b" | ")[0].split() for _, line in lines]
    by_offset = {fields[0]: index for index, fields in enumerate(synsets) if fields}
    section: list[bytes] = []
    try:
        for index, fields in enumerate(synsets):
            kind = fields[2]
            pointers = 4 + 2 * int(fields[3], 16)
            starts = range(pointers + 1, pointers + 1 + 4 * int(fields[pointers]), 4)
            # Hypernyms, not of instances (@i); for a satellite its head (&); for other
            # adjectives nothing.
            symbol = {b"s": b"&", b"a": b""}.get(kind, b"@")
            links = [
                by_offset[fields[start + 1]]
                for start in starts
                if fields[start] == symbol
            ]
            key_end = b":"
            if kind == b"s":
                head = synsets[links[0]]
                key_end = b"%s:%02d" % (head[4].lower(), int(head[5], 16))
            words = []
            for word, lexical_id in zip(
                fields[4:pointers:2], fields[5:pointers:2], strict=True
            ):
                plain = _MARKER.sub(b"", word)
                ends = _KINDS[kind], fields[1], int(lexical_id, 16), key_end
                count = counts.get(b"%s%%%s:%s:%02d:%s" % (plain.lower(), *ends), 0)
                if count or b"=" in plain:
                    plain += b"=%d" % count
                words.append(plain)
            line = b" ".join(words)
            if links:
                line += b"\t" + b" ".join(b"%d" % (link - index) for link in links)
            section.append(line + b"\n")
    except (IndexError, KeyError, ValueError):
        raise _damaged(path, lines[len(section)][0]) from None
    return b"".join(section)


def _damaged(path: str, number: int) -> RougeError:
    what = "not a line of a WordNet database"
    return RougeError(what, where=f"{path}:{number}", remedy="copy the database again")


# The parts of speech of a WordNet database: noun, verb, adjective, adverb.
NOUN, VERB, ADJECTIVE, ADVERB = PARTS
# The paper states "greater than 3", but with WordNet 3.0 only 0, 1 and 2 reproduce its
# tables.
LEAST = 1

# Endings and their replacements, from morphy(7WN).
_ENDINGS = {
    NOUN: b"s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    VERB: b"s: ies:y es:e es: ed:e ed: ing:e ing:",
    ADJECTIVE: b"er: est: er:e est:e",
    ADVERB: b"",
}
# The count that the program requires of the first word of a synset, instead of the
# paper's limit.
_FIRST_WORD = 4


class WordNet:
    """A WordNet database.

    Args:
        short: The compact form of the database.
        name: Its name in the signature, `wordnet-3.0-extract` or `wordnet:FOLDER`.
    """

    def __init__(self, short: bytes, name: str) -> None:
        sections = short.split(b"\f\n")
        self.name = name
        all_synsets, all_exceptions = sections[: len(PARTS)], sections[len(PARTS) :]
        self.parts: dict[str, PartOfSpeech] = {}
        for pos, synsets, exceptions in zip(
            PARTS, all_synsets, all_exceptions, strict=False
        ):
            endings = [ending.split(b":") for ending in _ENDINGS[pos].split()]
            self.parts[pos] = part_of_speech(synsets, exceptions, endings)

    def synonyms(
        self, word: str, pos: str, rule: str = "paper", least: int = LEAST
    ) -> frozenset[str]:
        """Return near-synonyms of a word; empty if WordNet does not have the word.

        The rule `paper` follows section 2.1 of the paper. It takes the synsets of the
        word's base forms with their hypernyms and hyponyms (of verbs: troponyms; of
        adjectives: heads and satellites). It returns the single words, in lower case,
        that were tagged at least `least` times in one of these synsets.

        The rule `program` repeats the Java program 1.2.2, which has other limits and
        ignores `least`. It also returns capitalized words and phrases, which can never
        match.

        The word itself is included only if WordNet lists it.

        Args:
            word: A word, inflected or not, in any case.
            pos: `n`, `v` or `a`.
        """
        part = self.parts[pos]
        if rule == "program":
            near: Iterable[bytes] = part.by_program(key(word), pos)
        else:
            near = part.near(key(word), least)
        return frozenset(map(text, near))


class PartOfSpeech:
    """One part of speech. Synsets are numbered in the order of the file; words are
    as in the file.

    Args:
        synsets: The lines of the synsets, with their words and links.
        exceptions: The lines of irregular forms, each with its base forms.
        endings: Regular endings with their replacements.
    """

    def __init__(
        self, synsets: bytes, exceptions: bytes, endings: Sequence[Sequence[bytes]]
    ) -> None:
        self.source = synsets, exceptions, endings

    @cached_property
    def _synsets(self) -> list[bytes]:
        return self.source[0].splitlines()

    @cached_property
    def _irregular(self) -> dict[bytes, list[bytes]]:
        return {
            form: bases
            for form, *bases in map(bytes.split, self.source[1].splitlines())
        }

    @cached_property
    def senses(self) -> dict[bytes, list[int]]:
        """Return lower-case word -> its synsets; a synset occurs twice if it has the
        word in both cases.
        """
        by_key: dict[bytes, list[int]] = defaultdict(list)
        for number, line in enumerate(self._synsets):
            for field in line.partition(b"\t")[0].lower().split(b" "):
                by_key[field.rpartition(b"=")[0] or field].append(number)
        return by_key

    @cached_property
    def _below(self) -> dict[int, list[int]]:
        """Return synset -> its hyponyms or satellites."""
        below: dict[int, list[int]] = {}
        for number in range(len(self._synsets)):
            for above in self._above(number):
                below.setdefault(above, []).append(number)
        return below

    def bases(self, word: bytes) -> list[bytes]:
        """Return the base forms that WordNet has: the word itself, and irregular or
        else regular ones.
        """
        others = self._irregular.get(word, [])
        # As in WordNet, neither `ass` nor `as` is a plural, and verbs in `ss` are base
        # forms.
        if not others and len(word) > 2 and not word.endswith(b"ss"):
            others = [
                word[: -len(end)] + base
                for end, base in self.source[2]
                if word.endswith(end)
            ]
        return [base for base in dict.fromkeys([word, *others]) if base in self.senses]

    def synsets(self, word: bytes) -> set[int]:
        """Return the synsets of the base forms of a word."""
        return {synset for base in self.bases(word) for synset in self.senses[base]}

    def near(self, word: bytes, least: int) -> list[bytes]:
        """Return single words in lower case, tagged so often in one synset of a word
        or beside these.
        """
        words = self.words(self.beside(self.synsets(word)), least)
        return [form.lower() for form in words if b"_" not in form]

    def by_program(self, word: bytes, part: str) -> set[bytes]:
        """Return ROUGE 2.0's synonyms in this part of speech.

        Nouns: tagged words of the synsets, their hypernyms and hyponyms. Verbs: words
        of common synsets, also one step above or below these. Adjectives: words similar
        to common synsets, then one step further.
        """
        synsets = self.synsets(word)
        if part == NOUN:
            return self.words(self.beside(synsets), 1)
        common = self._common(synsets)
        if part == VERB:
            return self.words(self._common(synsets | self.beside(common)), 0)
        first = self._similar(common)
        return self.words(first, 0) | self.words(self._similar(first), 1)

    def count(self, word: bytes) -> int:
        """Return how often a base form was tagged in all senses."""
        by_sense = map(self.tagged, set(self.senses.get(word, ())))
        total = 0
        for forms in by_sense:
            total += max(times for form, times in forms if form.lower() == word)
        return total

    def is_name(self, word: bytes) -> bool:
        """Return True if a word has a capital in all senses."""
        senses = self.senses.get(word, ())
        return bool(senses) and all(
            form != word for synset in senses for form, _ in self.tagged(synset)
        )

    def _above(self, synset: int) -> list[int]:
        """Return the hypernyms, or the head of a satellite."""
        return [
            synset + int(link)
            for link in self._synsets[synset].partition(b"\t")[2].split()
        ]

    def beside(self, synsets: Iterable[int]) -> set[int]:
        """Return the synsets with all synsets one step above or below."""
        steps = (
            (*self._above(synset), *self._below.get(synset, ())) for synset in synsets
        )
        return {*synsets, *chain.from_iterable(steps)}

    def tagged(self, synset: int) -> Iterator[tuple[bytes, int]]:
        """Yield each word of a synset with the number of times it was tagged there."""
        for field in self._synsets[synset].partition(b"\t")[0].split(b" "):
            word, _, count = field.rpartition(b"=")
            yield (word, int(count)) if word else (field, 0)

    def _common(self, synsets: Iterable[int]) -> set[int]:
        """Return the synsets whose first word has the count that ROUGE 2.0 requires."""
        return {
            synset for synset in synsets if next(self.tagged(synset))[1] >= _FIRST_WORD
        }

    def _similar(self, synsets: set[int]) -> set[int]:
        similar: set[int] = set()
        for synset in synsets:
            similar |= self.beside([synset]) - {synset}
        return similar

    def words(self, synsets: Iterable[int], least: int) -> set[bytes]:
        """Return the words that were tagged at least `least` times in one of the
        synsets.
        """
        return {
            word
            for synset in synsets
            for word, count in self.tagged(synset)
            if count >= least
        }


def key(word: str) -> bytes:
    """Return a word as a key of the index."""
    return word.lower().replace(" ", "_").encode("utf-8", "replace")


def text(word: bytes) -> str:
    """Return a word of the index as text."""
    return word.decode("utf-8", "replace").replace("_", " ")


@cache
def load(folder: str) -> WordNet:
    """Return the database of that folder, cached; raise RougeError if there is none, or
    if it is damaged.

    Args:
        folder: Empty for the package's extract, `nltk` for the database in `nltk_data`,
            or else a folder or zip file with the files of a WordNet database
            (data.noun, noun.exc, cntlist.rev, ...).
    """
    if not folder:
        import lzma

        return WordNet(
            lzma.decompress(data.read("wordnet-3.0.xz")), "wordnet-3.0-extract"
        )
    path = folder
    if folder == "nltk":
        import nltk.data  # takes 0.25 s

        paths = []
        for known in nltk.data.path:
            for name in ("wordnet", "wordnet.zip"):
                paths.append(os.path.join(known, "corpora", name))
        path = next(filter(os.path.exists, paths), "")
        if not path:
            remedy = "python -m nltk.downloader wordnet, or use the embedded extract"
            raise RougeError("no WordNet in nltk_data", remedy=remedy)
    return WordNet(short_form(path), f"wordnet:{folder}")


@twin
def part_of_speech(
    synsets: bytes, exceptions: bytes, endings: Sequence[Sequence[bytes]]
) -> PartOfSpeech:
    """Return a part of speech; see `PartOfSpeech` for the arguments."""
    return PartOfSpeech(synsets, exceptions, endings)
