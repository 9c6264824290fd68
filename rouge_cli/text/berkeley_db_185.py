"""Read a hash file of Berkeley DB 1.85, as written by macOS's Perl and found in old copies of ROUGE.

The layout, by the names of its header hash.h. The file is a row of pages of `bsize` bytes. The
first `hdrpages` hold the header, 32-bit numbers with the high byte first: magic, version, lorder,
bsize, bshift, dsize, ssize, sshift, ovfl_point, last_freed, max_bucket, high_mask, low_mask,
ffactor, nkeys, hdrpages, h_charkey and the array `spares` of 32. On all other pages numbers have 16
bits, in the byte order that lorder names (1234: low byte first).

Bucket b starts on page b + hdrpages + spares[log2(b + 1) - 1], the logarithm rounded up; bucket 0
has no spares before it. A page starts with the number n of the entries that follow: the offsets of
a key and its value in turn. Items fill the page from its end downwards. If the last entry is 0, the
one before it is the address of an overflow page, on which the bucket continues: the upper 5 bits s
and the lower 11 bits p stand for the page p after bucket 2^s - 1. An entry from 1 to 3 in place of
a value's offset marks a pair that fills pages of its own, which does not occur in lists of words.
"""

from __future__ import annotations

import struct

from rouge_cli.errors import RougeError

_VERSION = 2
_LORDERS = {1234: "<", 4321: ">"}
_HEADER = struct.Struct(">17i32i")
_OVERFLOW, _LONGEST_MARK = 0, 3
_REMEDY = "remove the file: the list that comes with rouge-cli is the release's"


def read_hash(data: bytes, path: str) -> dict[bytes, bytes]:
    """Return all entries, key to value.

    data: the content of the whole file. path: its name, for messages. Raises RougeError if the file is
    damaged or has a pair that is longer than a page.
    """
    if len(data) < _HEADER.size:
        raise RougeError("truncated Berkeley DB file", where=path, remedy=_REMEDY)
    header: tuple[int, ...] = _HEADER.unpack_from(data)
    _, version, lorder, size, *_ = header
    max_bucket, keys, pages_of_header, spares = header[10], header[14], header[15], header[17:]
    order = _LORDERS.get(lorder)
    is_sound = version == _VERSION and 64 <= size <= 65536 and 0 <= max_bucket <= len(data) // size
    if order is None or not is_sound:
        raise _damaged(f"header of version {version}, byte order {lorder}, pages of {size} bytes", path)
    entries: dict[bytes, bytes] = {}
    used: set[int] = set()  # to stop at a cycle of pages

    def page_of(bucket: int) -> int:
        return bucket + pages_of_header + (spares[bucket.bit_length() - 1] if bucket else 0)

    for bucket in range(max_bucket + 1):
        number = page_of(bucket)
        while number:
            if number in used or not 0 < number < len(data) // size:
                raise _damaged(f"page {number} is used twice, or truncated", path)
            used.add(number)
            pairs, address = _pairs(data[number * size : (number + 1) * size], order, path)
            entries.update(pairs)
            number = page_of((1 << (address >> 11)) - 1) + (address & 0x7FF) if address else 0
    if len(entries) < keys:  # the library's count is too low for a key that was written twice
        raise _damaged(f"{keys} entries expected, {len(entries)} found", path)
    return entries


def _pairs(page: bytes, order: str, path: str) -> tuple[list[tuple[bytes, bytes]], int]:
    """Return the pairs on a page, and the address of the overflow page that continues its bucket, or 0."""
    (count,) = struct.unpack_from(order + "H", page)
    if count % 2 or 2 + 2 * count > len(page):
        raise _damaged(f"a page of {count} entries", path)
    entries = list(struct.unpack_from(f"{order}{count}H", page, 2))
    address = 0
    if entries and entries[-1] == _OVERFLOW:
        *entries, address, _ = entries
    if any(value <= _LONGEST_MARK for value in entries[1::2]):
        raise RougeError(
            "a Berkeley DB 1.85 file with a pair longer than a page", where=path, remedy=_REMEDY
        )
    ends = (len(page), *entries[:-1])
    if any(start > end for start, end in zip(entries, ends, strict=False)):
        raise _damaged("items that overlap", path)
    items = [page[start:end] for start, end in zip(entries, ends, strict=False)]
    return list(zip(items[::2], items[1::2], strict=True)), address


def _damaged(fault: str, path: str) -> RougeError:
    return RougeError(f"damaged Berkeley DB 1.85 file ({fault})", where=path, remedy=_REMEDY)
