"""Read a Berkeley DB hash file, such as `WordNet-2.0.exc.db`, without libdb.

FORMATS.md in this folder describes the layout of both kinds of files. The names of
constants are those of Berkeley DB's headers (db_page.h, hash.h).

Buckets are found through `spares`, as in libdb, not by reading every hash page of the
file. A page to which no bucket leads is not part of the table, whatever its content. A
missing page to which a bucket leads is an error. libdb removes deleted items from their
page at once, so nothing else has to be skipped.
"""

import struct

from rouge_cli.errors import RougeError

_COPY_AGAIN = "copy it again from its source, in binary mode"
_CONVERT = "convert it with db_dump FILE | db_load -t hash NEWFILE"
_REMOVE = "remove the file: the list that comes with rouge-cli is the release's"
# Only the keys of a btree could become keys of a hash.
_CREATE_AGAIN = "create it again as a hash, with words as keys"

_HASH_MAGIC, _BTREE_MAGIC = 0x061561, 0x053162
_MAGIC_185 = _HASH_MAGIC.to_bytes(4, "big")  # at the start of the file
_BTM_RECNO, _BTM_SUBDB = 0x02, 0x20
# (magic, its flags) -> what the file is instead, and what to do.
_OTHER_TYPES = {
    (_BTREE_MAGIC, _BTM_RECNO): ("recno", _CREATE_AGAIN),
    (_BTREE_MAGIC, _BTM_SUBDB): (
        "btree, a list of several databases",
        "take one out with db_dump -s NAME FILE | db_load -t hash NEWFILE",
    ),
    (_BTREE_MAGIC, 0): ("btree", _CONVERT),
    (0x042253, 0): ("queue", _CREATE_AGAIN),
    (0x074582, 0): ("heap", _CREATE_AGAIN),
}

_OLDEST, _NEWEST = 7, 10
_META_SIZE = 224  # up to the end of `spares`; the rest is not needed for reading
_DBMETA_CHKSUM, _DBMETA_PARTITIONED = 0x01, 0x06

_P_INVALID, _P_HASH_UNSORTED, _P_OVERFLOW, _P_HASHMETA, _P_HASH = 0, 2, 7, 8, 13
_HASH_PAGES = (_P_HASH, _P_HASH_UNSORTED)  # unsorted: files of Berkeley DB before 4.6
_MIN_PAGE, _MAX_PAGE = 512, 65536
_HEADER_SIZE, _CHECKSUM_SIZE = 26, 6

_H_KEYDATA, _H_DUPLICATE, _H_OFFPAGE = 1, 2, 3
_UNSUPPORTED = {  # H_OFFDUP and H_BLOB
    4: "a key with so many values that they have their own pages",
    5: "a value in a file of its own",
}
_OFFPAGE_SIZE = 11  # of an H_OFFPAGE item without its kind


def read_hash(data: bytes, path: str) -> dict[bytes, bytes]:
    """Return all entries of a Berkeley DB hash file, key -> value, in the order of the
    file.

    If a key has several values (in a file made with DB_DUP), the first is used, as in a
    look-up with libdb. The structure of every page is checked, but not checksums.
    `path` is for messages.

    Raises:
        RougeError: If the data are not a complete hash file of version 7 to 10 (in
            either byte order) or of Berkeley DB 1.85.
    """
    if data[:4] in (_MAGIC_185, _MAGIC_185[::-1]):
        return _read_185(data, path)
    start = data[:52].ljust(52, b"\0")
    for order in "<>":
        magic, flags = struct.unpack_from(order + "12xI32xI", start)
        if magic == _HASH_MAGIC:
            return _HashFile(data, path, order).entries()
        for (other, flag), (kind, remedy) in _OTHER_TYPES.items():
            if magic == other and flags & flag == flag:
                what = f"a Berkeley DB file, but not a hash ({kind})"
                raise RougeError(what, where=path, remedy=remedy)
    if start[:4] in (
        _BTREE_MAGIC.to_bytes(4, "big"),
        _BTREE_MAGIC.to_bytes(4, "little"),
    ):
        raise RougeError(
            "a Berkeley DB 1.85 file, but not a hash (btree)",
            where=path,
            remedy=_REMOVE,
        )
    detail = "" if data else " (it is empty)"
    raise RougeError(f"not a Berkeley DB file{detail}", where=path, remedy=_COPY_AGAIN)


class _HashFile:
    """The pages of one hash file.

    Each page may be used once, which bounds the work by the size of the file: a cycle
    of pages ends in an error, and items that share a long overflow chain cannot exhaust
    memory.
    """

    def __init__(self, data: bytes, path: str, order: str) -> None:
        self._data, self._path, self._order = data, path, order
        if len(data) < _META_SIZE:
            raise self._error("truncated Berkeley DB file")
        self._header = struct.Struct(order + "8xI4xIHHxB")
        version, page_size, encryption, kind, flags, last_page = struct.unpack_from(
            order + "16xIIBBB5xI", data
        )
        if not _OLDEST <= version <= _NEWEST:
            what = (
                f"Berkeley DB hash version {version} is not supported, only {_OLDEST}"
                f" to {_NEWEST}"
            )
            raise self._error(
                what, "create it again with db_dump and the db_load of Berkeley DB 5.3"
            )
        if encryption:
            remedy = "decrypt it with db_dump -P PASSWORD FILE | db_load NEWFILE"
            raise self._error("an encrypted Berkeley DB file", remedy)
        if flags & _DBMETA_PARTITIONED:
            raise self._error(
                "a Berkeley DB file whose entries are in other files (partitions)",
                _CONVERT,
            )
        if kind != _P_HASHMETA:
            raise self._damaged(0, f"has type {kind}, not {_P_HASHMETA}")
        if not _MIN_PAGE <= page_size <= _MAX_PAGE or page_size & (page_size - 1):
            raise self._damaged(0, f"states {page_size} as the page size")
        self._page_size = page_size
        self._page_count, rest = divmod(len(data), page_size)
        if rest or last_page >= self._page_count:
            fault = "truncated" if last_page >= self._page_count else "lengthened"
            sizes = f"{len(data)} bytes, not {last_page + 1} pages of {page_size} bytes"
            raise self._error(f"{fault} Berkeley DB file: {sizes}")
        self._overhead = _HEADER_SIZE + (
            _CHECKSUM_SIZE if flags & _DBMETA_CHKSUM else 0
        )
        self._used = bytearray(self._page_count)
        self._used[0] = 1

    def entries(self) -> dict[bytes, bytes]:
        """Return the entries of all buckets."""
        (last_bucket,) = struct.unpack_from(self._order + "I", self._data, 72)
        spares = struct.unpack_from(self._order + "32I", self._data, 96)
        if last_bucket >= self._page_count:
            raise self._damaged(0, f"states {last_bucket + 1} buckets")
        entries: dict[bytes, bytes] = {}
        for bucket in range(last_bucket + 1):
            # bit_length() is the logarithm of bucket + 1, rounded up.
            number, is_first = bucket + spares[bucket.bit_length()], True
            while is_first or number:
                start, following, count, _ = self._open_page(
                    number, _HASH_PAGES, may_be_blank=is_first
                )
                contents = self._contents(number, start, count)
                before = len(entries)
                entries.update(zip(contents[::2], contents[1::2], strict=True))
                # Even libdb can write this (5.3 does for keys longer than a quarter of
                # a page). It is unknown which of the values is meant.
                if len(entries) != before + count // 2:
                    raise self._damaged(number, "repeats a key")
                number, is_first = following, False
        return entries

    def _open_page(
        self, number: int, kinds: tuple[int, ...], *, may_be_blank: bool = False
    ) -> tuple[int, int, int, int]:
        """Mark a page as used; return its offset, its next page (0: none), item count
        and free offset.

        Pages for new buckets are allocated in groups, and may be blank: before it is
        written, such a page is a hole in the file, which is read as zeros and which
        libdb treats as an empty bucket.
        """
        if number >= self._page_count:
            raise self._damaged(number, "is used but is beyond the end of the file")
        if self._used[number]:
            raise self._damaged(number, "is used twice")
        self._used[number] = 1
        start = number * self._page_size
        own_number, following, count, free, kind = self._header.unpack_from(
            self._data, start
        )
        if may_be_blank and own_number == 0 and kind == _P_INVALID:
            return start, 0, 0, 0
        if kind not in kinds:
            raise self._damaged(number, f"has type {kind}, not {kinds[0]}")
        if own_number != number:
            raise self._damaged(number, f"claims to be page {own_number}")
        return start, following, count, free

    def _contents(self, number: int, start: int, count: int) -> list[bytes]:
        """Return the contents of the items of a hash page, keys and values in turn."""
        if not count:
            return []
        index_end = self._overhead + 2 * count
        if count % 2 or index_end > self._page_size:
            raise self._damaged(number, f"states {count} items")
        index = f"{self._order}{count}H"
        starts: tuple[int, ...] = struct.unpack_from(
            index, self._data, start + self._overhead
        )
        ends = (self._page_size, *starts[:-1])
        # An item has at least one byte, its kind, so the offsets decrease strictly.
        if starts[-1] < index_end or not all(map(int.__lt__, starts, ends)):
            raise self._damaged(number, "has items that overlap or leave the page")
        page = self._data[start : start + self._page_size]
        items: list[bytes] = []
        for first, end in zip(starts, ends, strict=True):
            kind, item = page[first], page[first + 1 : end]
            if kind != _H_KEYDATA:
                is_key = len(items) % 2 == 0
                item = self._indirect(number, kind, item, is_key=is_key)
            items.append(item)
        return items

    def _indirect(self, number: int, kind: int, item: bytes, *, is_key: bool) -> bytes:
        """Return the content that an item refers to; the item lacks the byte of its
        kind.
        """
        # On a chain of overflow pages
        if kind == _H_OFFPAGE and len(item) == _OFFPAGE_SIZE:
            following, length = struct.unpack_from(self._order + "3xII", item)
            parts = []
            while following:
                page = following
                start, following, _, size = self._open_page(page, (_P_OVERFLOW,))
                if size > self._page_size - self._overhead:
                    raise self._damaged(page, f"states {size} bytes")
                parts.append(
                    self._data[start + self._overhead : start + self._overhead + size]
                )
            content = b"".join(parts)
            if len(content) != length:
                raise self._damaged(
                    number, f"has an item of {length} bytes, but {len(content)} exist"
                )
            return content
        # Elements with their lengths before and after them
        if kind == _H_DUPLICATE and not is_key:
            end = 2 + int.from_bytes(
                item[:2], "little" if self._order == "<" else "big"
            )
            if len(item) > 1 and item[:2] == item[end : end + 2]:
                return item[2:end]
            raise self._damaged(number, "has a damaged list of values")
        if kind in _UNSUPPORTED and not is_key:
            what = (
                f"the Berkeley DB file has {_UNSUPPORTED[kind]}, which is not supported"
            )
            raise self._error(what, "create it again with one short value for each key")
        role = "key" if is_key else "value"
        raise self._damaged(
            number, f"has a {role} of kind {kind} and {len(item)} bytes"
        )

    def _damaged(self, number: int, fault: str) -> RougeError:
        return self._error(f"damaged Berkeley DB file: page {number} {fault}")

    def _error(self, what: str, remedy: str = _COPY_AGAIN) -> RougeError:
        return RougeError(what, where=self._path, remedy=remedy)


_VERSION_185 = 2
_LORDERS_185 = {1234: "<", 4321: ">"}
_HEADER_185 = struct.Struct(">17i32i")
_OVERFLOW, _LONGEST_MARK = 0, 3


def _read_185(data: bytes, path: str) -> dict[bytes, bytes]:
    """Return all entries of a file of Berkeley DB 1.85, key -> value; raise
    RougeError.
    """
    if len(data) < _HEADER_185.size:
        raise RougeError("truncated Berkeley DB file", where=path, remedy=_REMOVE)
    header: tuple[int, ...] = _HEADER_185.unpack_from(data)
    _, version, lorder, size, *_ = header
    max_bucket, keys, pages_of_header, spares = (
        header[10],
        header[14],
        header[15],
        header[17:],
    )
    order = _LORDERS_185.get(lorder)
    is_sound = (
        version == _VERSION_185
        and 64 <= size <= 65536
        and 0 <= max_bucket <= len(data) // size
    )
    if order is None or not is_sound:
        raise _damaged(
            f"header of version {version}, byte order {lorder}, pages of {size} bytes",
            path,
        )
    entries: dict[bytes, bytes] = {}
    used: set[int] = set()  # to stop at a cycle of pages

    def page_of(bucket: int) -> int:
        return (
            bucket
            + pages_of_header
            + (spares[bucket.bit_length() - 1] if bucket else 0)
        )

    for bucket in range(max_bucket + 1):
        number = page_of(bucket)
        while number:
            if number in used or not 0 < number < len(data) // size:
                raise _damaged(f"page {number} is used twice, or truncated", path)
            used.add(number)
            pairs, address = _pairs(
                data[number * size : (number + 1) * size], order, path
            )
            entries.update(pairs)
            number = (
                page_of((1 << (address >> 11)) - 1) + (address & 0x7FF)
                if address
                else 0
            )
    # More than `keys` is no error: the library does not count keys written twice
    if len(entries) < keys:
        raise _damaged(f"{keys} entries expected, {len(entries)} found", path)
    return entries


def _pairs(page: bytes, order: str, path: str) -> tuple[list[tuple[bytes, bytes]], int]:
    """Return the pairs on a page, and the address of the bucket's next overflow page
    (0: none).
    """
    (count,) = struct.unpack_from(order + "H", page)
    if count % 2 or 2 + 2 * count > len(page):
        raise _damaged(f"a page of {count} entries", path)
    entries = list(struct.unpack_from(f"{order}{count}H", page, 2))
    address = 0
    if entries and entries[-1] == _OVERFLOW:
        *entries, address, _ = entries
    if any(value <= _LONGEST_MARK for value in entries[1::2]):
        what = "a Berkeley DB 1.85 file with a pair longer than a page"
        raise RougeError(what, where=path, remedy=_REMOVE)
    ends = (len(page), *entries[:-1])
    if any(start > end for start, end in zip(entries, ends, strict=False)):
        raise _damaged("items that overlap", path)
    items = [page[start:end] for start, end in zip(entries, ends, strict=False)]
    return list(zip(items[::2], items[1::2], strict=True)), address


def _damaged(fault: str, path: str) -> RougeError:
    return RougeError(
        f"damaged Berkeley DB 1.85 file ({fault})", where=path, remedy=_REMOVE
    )
