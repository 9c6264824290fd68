"""The reader of Berkeley DB hash files: entries, and refusal of unreadable files."""

import random
import struct
from pathlib import Path

import pytest

from rouge_cli.data.berkeley_db import read_hash
from rouge_cli.errors import RougeError

DATABASES = Path(__file__).parents[3] / "fixtures" / "rouge155" / "db"
SMALL = (DATABASES / "small.db").read_bytes()
OVERFLOW = (DATABASES / "overflow.db").read_bytes()
BIG_ENDIAN = (DATABASES / "small-bigendian.db").read_bytes()
VERSION_185 = (
    DATABASES / "version-1.85.db"
).read_bytes()  # made by libdb 1.85, of Debian's libdb1-compat

PAGE = 512
HASH_META, HASH, HASH_UNSORTED, OVERFLOW_PAGE = 8, 13, 2, 7
KEYDATA, DUPLICATE, OFFPAGE, OFFDUP, BLOB = (bytes([kind]) for kind in range(1, 6))


def meta(pages: int, order: str = "<", *, buckets: int = 1, flags: int = 0) -> bytes:
    """Return page 0 of a file of `pages` pages whose buckets start on page 1 and
    follow each other.
    """
    page = bytearray(PAGE)
    struct.pack_into(order + "III", page, 12, 0x061561, 9, PAGE)
    page[25:27] = HASH_META, flags
    struct.pack_into(order + "I", page, 32, pages - 1)
    struct.pack_into(order + "I", page, 72, buckets - 1)
    struct.pack_into(order + "32I", page, 96, *[1] * 32)
    return bytes(page)


def header(
    order: str, number: int, following: int, count: int, free: int, kind: int
) -> bytes:
    """Return the 26 bytes that every page except page 0 starts with."""
    return struct.pack(order + "8xIIIHHBB", number, 0, following, count, free, 0, kind)


def hash_page(
    number: int, *items: bytes, following: int = 0, order: str = "<", gap: int = 0
) -> bytes:
    """Return a page with these items (kind and content); gap: bytes between the
    header and the index.
    """
    offsets, end = [], PAGE
    for item in items:
        end -= len(item)
        offsets.append(end)
    index = bytes(gap) + struct.pack(f"{order}{len(items)}H", *offsets)
    start = header(order, number, following, len(items), end, HASH) + index
    return start + bytes(end - len(start)) + b"".join(reversed(items))


def overflow_page(
    number: int, content: bytes, following: int = 0, order: str = "<"
) -> bytes:
    """Return a page with a part of an item that is too long for a hash page."""
    start = header(order, number, following, 1, len(content), OVERFLOW_PAGE)
    return (start + content).ljust(PAGE, b"\0")


def offpage(first: int, length: int, order: str = "<") -> bytes:
    """Return an item whose content is on overflow pages from page `first` on."""
    return OFFPAGE + struct.pack(order + "3xII", first, length)


def database(*pages: bytes, buckets: int = 1) -> bytes:
    """Return a little-endian file of these pages, after page 0."""
    return meta(len(pages) + 1, buckets=buckets) + b"".join(pages)


def patched(data: bytes, offset: int, new: bytes) -> bytes:
    """Return the data with some bytes replaced."""
    return data[:offset] + new + data[offset + len(new) :]


def refusal(data: bytes) -> str:
    """Return the error message of reading the data."""
    with pytest.raises(RougeError) as caught:
        read_hash(data, "some.db")
    assert caught.value.where == "some.db"
    assert caught.value.remedy
    return caught.value.what


@pytest.mark.parametrize(
    "name",
    [
        "empty",
        "small",
        "large",
        "overflow",
        "small-bigendian",
        "version-1.85",
        "version-1.85-bigendian",
    ],
)
def test_entries_are_those_of_libdb(name: str) -> None:
    """A file made by libdb, also by 1.85 (QUIRKS 62), reads as its entries, without
    deleted ones.
    """
    lines = (DATABASES / f"{name}.db.tsv").read_bytes().splitlines()
    expected = dict(line.split(b"\t") for line in lines)
    assert read_hash((DATABASES / f"{name}.db").read_bytes(), name) == expected


@pytest.mark.parametrize("order", ["<", ">"])
def test_layout_as_documented(order: str) -> None:
    """Either byte order gives plain and overflow items, over chains of both kinds of
    page.
    """
    pages = [
        hash_page(1, KEYDATA + b"oxen", KEYDATA + b"ox", following=2, order=order),
        hash_page(2, KEYDATA + b"", KEYDATA + b"", following=3, order=order),
        hash_page(3, offpage(4, 490, order), offpage(6, 1, order), order=order),
        overflow_page(4, b"k" * 486, following=5, order=order),
        overflow_page(5, b"eys!", order=order),
        overflow_page(6, b"v", order=order),
    ]
    data = meta(7, order) + b"".join(pages)
    assert read_hash(data, "x") == {
        b"oxen": b"ox",
        b"": b"",
        b"k" * 486 + b"eys!": b"v",
    }


@pytest.mark.parametrize("version", [7, 8, 10])
def test_other_versions_of_the_layout(version: int) -> None:
    """Versions 7, 8 and 10 read like 9, and so do the unsorted pages of the older
    ones.
    """
    data = patched(SMALL, 16, struct.pack("<I", version))
    for page in (1, 2):
        data = patched(data, page * 4096 + 25, bytes([HASH_UNSORTED]))
    assert read_hash(data, "x") == read_hash(SMALL, "x")


def test_no_entries() -> None:
    """A database whose buckets are empty or were never written reads as no entries."""
    assert read_hash(database(hash_page(1), bytes(PAGE), buckets=2), "x") == {}


def test_pages_without_a_bucket_are_not_read() -> None:
    """Data on a page outside every bucket is not returned."""
    old = hash_page(2, KEYDATA + b"gone", KEYDATA + b"go")
    data = database(hash_page(1, KEYDATA + b"kept", KEYDATA + b"keep"), old)
    assert read_hash(data, "x") == {b"kept": b"keep"}


def test_checksummed_pages() -> None:
    """With room for a checksum on every page, the items' index is still found."""
    page = hash_page(1, KEYDATA + b"oxen", KEYDATA + b"ox", gap=6)
    assert read_hash(meta(2, flags=1) + page, "x") == {b"oxen": b"ox"}


def test_first_of_several_values() -> None:
    """A key with several values gets the first, which a look-up in libdb returns."""
    value = DUPLICATE + b"\2\0ox\2\0" + b"\3\0cow\3\0"
    page = hash_page(1, KEYDATA + b"oxen", value)
    assert read_hash(database(page), "x") == {b"oxen": b"ox"}


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(
    ("magic", "flags", "name"),
    [
        (0x053162, 0, "(btree)"), (0x053162, 0x02, "(recno)"),
        (0x053162, 0x20, "(btree, a list of several databases)"), (0x042253, 0, "(queue)"),
        (0x074582, 0, "(heap)"),
    ],
)  # fmt: skip
def test_other_types(order: str, magic: int, flags: int, name: str) -> None:
    """A Berkeley DB file of another type is refused by the name of its type."""
    data = patched(SMALL, 12, struct.pack(order + "I", magic))
    data = patched(data, 48, struct.pack(order + "I", flags))
    assert refusal(data) == f"a Berkeley DB file, but not a hash {name}"


def test_truncated_version_1_85() -> None:
    """A truncated file of Berkeley DB 1.85 is refused; the message names the list
    that replaces it.
    """
    for size in [*range(4, 300), *range(300, len(VERSION_185), 97)]:
        with pytest.raises(RougeError, match="remove the file"):
            read_hash(VERSION_185[:size], "x")


@pytest.mark.parametrize("data", [SMALL, BIG_ENDIAN], ids=["little", "big"])
def test_every_truncation_is_noticed(data: bytes) -> None:
    """A file truncated anywhere is refused, and called truncated if it has the magic
    number.
    """
    for size in range(16, len(data)):
        with pytest.raises(RougeError, match="truncated"):
            read_hash(data[:size], "x")


OXEN = KEYDATA + b"oxen", KEYDATA + b"ox"
LONG_CHAIN = [
    overflow_page(n, b"x" * 486, following=(n + 1) % 2000) for n in range(2, 2000)
]
LONG_ITEMS = [
    KEYDATA + b"a",
    offpage(2, 1998 * 486),
    KEYDATA + b"b",
    offpage(2, 1998 * 486),
]
LEAVES = "page 1 has items that overlap or leave the page"
# The message of an error -> the files that it refuses: for what they are, or what
# contradicts the layout.
REFUSED: dict[str, list[bytes]] = {
    "not a Berkeley DB file": [
        b"", b"\n", b"oxen\tox\nmice\tmouse\n", b"SQLite format 3\0" + bytes(4080), bytes(8192),
    ],
    "1.85": [bytes.fromhex(magic) + bytes(4092) for magic in ("00061561", "61150600", "00053162")],
    # the value of the first pair on the first page after the header
    "a Berkeley DB 1.85 file with a pair longer than a page": [patched(VERSION_185, 512 + 4, b"\1\0")],
    "lengthened Berkeley DB file": [SMALL + b"\n"],  # as by libdb
    # the first page
    "version 6 is not supported": [patched(SMALL, 16, b"\6")],
    "version 11 is not supported": [patched(SMALL, 16, b"\x0b")],
    "encrypted": [patched(SMALL, 24, b"\1")],
    "partitions": [patched(SMALL, 26, b"\2")],
    "page 0 has type 9, not 8": [patched(SMALL, 25, b"\x09")],
    "states 3840 as the page size": [patched(SMALL, 21, b"\x0f")],
    "states 65538 buckets": [patched(SMALL, 74, b"\1")],
    # a hash page
    "page 1 states 1 items": [database(hash_page(1, KEYDATA + b"oxen"))],
    "page 1 states 65534 items": [database(patched(hash_page(1), 20, b"\xfe\xff"))],
    "page 1 has type 5, not 13": [database(patched(hash_page(1), 25, b"\5"))],
    "page 1 claims to be page 2": [database(patched(hash_page(1), 8, b"\2"))],
    "page 4294967295 is used but is beyond the end": [database(hash_page(1, following=0xFFFFFFFF))],
    "page 1 repeats a key": [database(hash_page(1, *[KEYDATA + b"a"] * 4))],
    "page 1 has a key of kind 2": [database(hash_page(1, DUPLICATE + b"\0\0\0\0", KEYDATA))],
    "page 1 has a value of kind 9": [database(hash_page(1, KEYDATA, b"\x09"))],
    "page 1 has a value of kind 3 and 1 bytes": [database(hash_page(1, KEYDATA, OFFPAGE + b"\0"))],
    "damaged list of values": [
        database(hash_page(1, KEYDATA, DUPLICATE + item)) for item in (b"\2\0ox\3\0", b"\xff\xff", b"")
    ],
    "so many values that they have their own pages": [database(hash_page(1, OXEN[0], OFFDUP + bytes(7)))],
    "a file of its own": [database(hash_page(1, OXEN[0], BLOB + bytes(47)))],
    LEAVES: [
        database(patched(hash_page(1, *OXEN), 26, struct.pack("<2H", *offsets)))
        for offsets in ((0, 500), (510, 20), (510, 511), (510, 510), (512, 510), (513, 510), (65535, 510))
    ],
    # overflow pages
    "an item of 3 bytes, but 0 exist": [database(hash_page(1, KEYDATA, offpage(0, 3)))],
    "page 7 is used but is beyond the end": [database(hash_page(1, KEYDATA, offpage(7, 3)))],
    **{
        message: [database(hash_page(1, KEYDATA, offpage(2, 5)), page)]
        for message, page in (
            ("an item of 5 bytes, but 3 exist", overflow_page(2, b"abc")),
            ("page 2 states 487 bytes", patched(overflow_page(2, b"abcde"), 22, b"\xe7\1")),
            ("page 2 has type 0, not 7", patched(overflow_page(2, b"abcde"), 25, b"\0")),
        )
    },
    # cycles, and items on one long chain, each of which would take quadratic time
    "page 0 is used twice": [patched(database(hash_page(1), hash_page(2), buckets=2), 96, bytes(4))],
    "page 1 is used twice": [
        database(hash_page(1, following=1)), database(hash_page(1, KEYDATA, offpage(1, 3))),
        database(hash_page(1, KEYDATA, offpage(2, 5)), overflow_page(2, b"abc", following=1)),
    ],
    "page 2 is used twice": [
        database(hash_page(1, following=2), hash_page(2), buckets=2),
        database(hash_page(1, KEYDATA, offpage(2, 5)), overflow_page(2, b"abc", following=2)),
        database(hash_page(1, *LONG_ITEMS), *LONG_CHAIN),
    ],
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_read_is_refused(message: str) -> None:
    """Any other file, a feature that is not supported, and a damaged page are
    refused by their names.
    """
    for data in REFUSED[message]:
        assert message in refusal(data)


@pytest.mark.parametrize(
    "data",
    [SMALL, OVERFLOW, BIG_ENDIAN, VERSION_185],
    ids=["little", "long", "big", "1.85"],
)
def test_random_damage_is_read_or_refused(data: bytes) -> None:
    """For any changed or removed bytes, the result is a dict or a RougeError, in a
    short time.
    """
    chance = random.Random(155)
    page_size = {BIG_ENDIAN: 512, VERSION_185: 256}.get(data, 4096)
    outcomes = {"read": 0, "refused": 0}
    for _ in range(1000):
        damaged = bytearray(data)
        for _ in range(chance.choice([1, 2, 20])):
            # Most bytes are content; headers and indexes are at the start of the pages.
            page = chance.randrange(0, len(data), page_size)
            damaged[
                page + chance.randrange(chance.choice([40, min(300, page_size)]))
            ] = chance.randrange(256)
        if chance.random() < 0.1:
            del damaged[chance.randrange(len(data)) :]
        try:
            entries = read_hash(bytes(damaged), "x")
        except RougeError as error:
            assert str(error).startswith("x: ")  # noqa: PT017 - either outcome is right
            outcomes["refused"] += 1
        else:
            assert all(
                isinstance(word, bytes) for entry in entries.items() for word in entry
            )
            outcomes["read"] += 1
    assert min(outcomes.values()) > 100
