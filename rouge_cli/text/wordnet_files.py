"""A WordNet database as distributed by Princeton (`data.noun`, `noun.exc`, ...), in a compact format.

The compact format of `rouge_cli/data/wordnet-3.0.xz`: sections of lines, each
closed by a line with a form feed.

* Four of synsets, in the order of PARTS and of the files, one a line: the words with `_` for a blank, `=N`
  after a word that was tagged N times in this sense (N is 0 only after a word that has a `=` in it); then,
  after a tab, the places of the hypernyms (for a satellite adjective: its head), as the difference of line
  numbers.
* Four of exceptions, as in the `.exc` files: an inflected form, then its base forms.

Formats: wndb(5WN), senseidx(5WN) and cntlist(5WN) of WordNet 3.0. `index.*` is not needed.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError, UnreadableFile
from rouge_cli.io import files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    # The name of one of the database's files to its bytes.
    Read = Callable[[str], bytes]

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
COUNTS = "cntlist.rev"
NAMES = (*(f"data.{part}" for part in PARTS.values()), *(f"{part}.exc" for part in PARTS.values()), COUNTS)
# The numbers of the kinds of synset in sense keys; `s` is a satellite adjective.
_KINDS = {b"n": b"1", b"v": b"2", b"a": b"3", b"r": b"4", b"s": b"5"}
_MARKER = re.compile(rb"\((?:a|p|ip)\)$")


def short_form(path: str) -> bytes:
    """Return the compact form of the database in that folder, or in that zip file of nltk's.

    Raises RougeError if there is no database, or a damaged line.
    """
    read = _in_zip(path) if path.endswith(".zip") else _in_folder(path)
    counts = dict(_counts(read(COUNTS), os.path.join(path, COUNTS)))
    sections = [
        _synsets(read(f"data.{part}"), counts, os.path.join(path, f"data.{part}"))
        for part in PARTS.values()
    ]
    sections += [_exceptions(read(f"{part}.exc")) for part in PARTS.values()]
    return b"".join(section + b"\f\n" for section in sections)


def _in_folder(folder: str) -> Read:
    missing = [name for name in NAMES if not os.path.exists(os.path.join(folder, name))]
    if missing:
        raise _no_database(folder, missing[0])
    return lambda name: files.read(os.path.join(folder, name), "WordNet database")


def _in_zip(path: str) -> Read:
    from zipfile import ZipFile

    try:
        with ZipFile(path) as archive:
            contents = {
                name.rpartition("/")[2]: archive.read(name)
                for name in archive.namelist()
                if name.endswith(NAMES)
            }
    except Exception as reason:  # noqa: BLE001 - zipfile lets through whatever its decompressors raise
        error = reason if isinstance(reason, OSError) else ValueError(str(reason))
        raise UnreadableFile(path, error, role="WordNet database") from None
    missing = [name for name in NAMES if name not in contents]
    if missing:
        raise _no_database(path, missing[0])
    return contents.__getitem__


def _no_database(path: str, missing: str) -> RougeError:
    return RougeError(
        f"no WordNet database ({missing} is missing)",
        where=path,
        remedy="name a folder with data.noun, noun.exc, cntlist.rev, ..., such as /usr/share/wordnet",
    )


def _counts(data: bytes, path: str) -> Iterator[tuple[bytes, int]]:
    """Yield each sense key and how often it was tagged."""
    for number, line in enumerate(data.splitlines(), 1):
        try:
            key, _, count = line.split()
            yield key, int(count)
        except ValueError:  # noqa: PERF203 - the line is named
            raise _damaged(path, number) from None


def _exceptions(data: bytes) -> bytes:
    return b"".join(b" ".join(line.split()) + b"\n" for line in data.splitlines() if line.strip())


def _synsets(data: bytes, counts: dict[bytes, int], path: str) -> bytes:
    """Return the section of one data file; its lines begin with the names of the synsets."""
    # The licence precedes the synsets, in lines that begin with blanks.
    lines = [(number, line) for number, line in enumerate(data.splitlines(), 1) if line[:1] != b" "]
    synsets = [line.partition(b" | ")[0].split() for _, line in lines]
    place = {fields[0]: at for at, fields in enumerate(synsets) if fields}
    section = []
    for at, (number, _) in enumerate(lines):
        try:
            section.append(_synset(at, synsets, place, counts))
        except (IndexError, KeyError, ValueError):  # noqa: PERF203 - as above
            raise _damaged(path, number) from None
    return b"".join(section)


def _synset(
    at: int, synsets: list[list[bytes]], place: dict[bytes, int], counts: dict[bytes, int]
) -> bytes:
    """Parse a line: offset, file, kind, number of words, words with ids, pointers of four fields."""
    fields = synsets[at]
    kind = fields[2]
    pointers = 4 + 2 * int(fields[3], 16)
    starts = range(pointers + 1, pointers + 1 + 4 * int(fields[pointers]), 4)
    # Hypernyms, not those of instances (@i); for a satellite its head (&); for other adjectives nothing.
    symbol = {b"s": b"&", b"a": b""}.get(kind, b"@")
    links = [place[fields[start + 1]] for start in starts if fields[start] == symbol]
    key_end = b":"
    if kind == b"s":
        head = synsets[links[0]]
        key_end = b"%s:%02d" % (head[4].lower(), int(head[5], 16))
    words = []
    for word, lexical_id in zip(fields[4:pointers:2], fields[5:pointers:2], strict=True):
        plain = _MARKER.sub(b"", word)
        key = b"%s%%%s:%s:%02d:%s" % (plain.lower(), _KINDS[kind], fields[1], int(lexical_id, 16), key_end)
        count = counts.get(key, 0)
        words.append(plain + (b"=%d" % count if count or b"=" in plain else b""))
    tail = b"\t" + b" ".join(b"%d" % (link - at) for link in links) if links else b""
    return b" ".join(words) + tail + b"\n"


def _damaged(path: str, number: int) -> RougeError:
    return RougeError(
        "not a line of a WordNet database", where=f"{path}:{number}", remedy="copy the database again"
    )
