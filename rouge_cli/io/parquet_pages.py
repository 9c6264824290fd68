"""The sizes of the pages of a parquet file, from their headers.

A page is what a library decompresses at once, however few rows are wanted of it, and
pyarrow ends the process if a page does not fit into memory. The file's footer does not
have these sizes; the header before each page does, in Thrift's compact protocol
(https://github.com/apache/parquet-format, `PageHeader`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

_UNCOMPRESSED, _COMPRESSED = 2, 3  # fields of a header, in bytes
_STOP, _BYTE, _DOUBLE, _BINARY, _STRUCT = 0, 3, 7, 8, 12
_BOOLEANS = (1, 2)
_NUMBERS = (4, 5, 6)
_LISTS = (9, 10)
_WINDOW = 1 << 10  # bytes of a header that are read first
_LONGEST = 1 << 24  # bytes of a header; pyarrow reads no longer one


def sizes(file: BinaryIO, start: int, end: int) -> Iterator[int]:
    """Yield the bytes of each page that begins between two offsets, decompressed.

    Raises:
        ValueError: There is no header of a page where one is expected.
    """
    position = start
    while position < end:
        fields, length = _header(file, position)
        size, compressed = fields.get(_UNCOMPRESSED, -1), fields.get(_COMPRESSED, -1)
        if size < 0 or compressed < 0:
            raise ValueError("a page without a size")
        yield size
        position += length + compressed


def _header(file: BinaryIO, position: int) -> tuple[dict[int, int], int]:
    """Return the numbers of a header by field, and its length."""
    window = _WINDOW
    while window <= _LONGEST:
        file.seek(position)
        data = file.read(window)
        try:
            return _numbers_of_struct(memoryview(data))
        except IndexError:
            if len(data) < window:
                break
            window *= 8
        except RecursionError:
            break
    raise ValueError("a page without a header")


def _numbers_of_struct(data: memoryview) -> tuple[dict[int, int], int]:
    """Return field -> value of the numbers of a struct, and the struct's length; raise
    IndexError if the data end before it.
    """
    numbers: dict[int, int] = {}
    place = field = 0
    while data[place] != _STOP:
        kind, step = data[place] & 15, data[place] >> 4
        place += 1
        if step:
            field += step
        else:
            field, place = _number(data, place)
        if kind in _NUMBERS:
            numbers[field], place = _number(data, place)
        elif kind not in _BOOLEANS:  # whose value is their kind
            place = _after(data, place, kind)
    return numbers, place + 1


def _after(data: memoryview, place: int, kind: int) -> int:
    """Return the place after a value."""
    if kind in _NUMBERS:
        return _varint(data, place)[1]
    if kind == _BYTE or kind in _BOOLEANS:
        return place + 1
    if kind == _DOUBLE:
        return place + 8
    if kind == _BINARY:
        size, place = _varint(data, place)
        return place + size
    if kind == _STRUCT:
        return place + _numbers_of_struct(data[place:])[1]
    if kind not in _LISTS:
        raise ValueError(f"an unknown kind of field, {kind}")
    size, of_items = data[place] >> 4, data[place] & 15
    place += 1
    if size == 15:
        size, place = _varint(data, place)
    for _ in range(size):
        data[place]  # ends a list that states more items than there are
        place = _after(data, place, of_items)
    return place


def _number(data: memoryview, place: int) -> tuple[int, int]:
    """Return a signed number, and the place after it."""
    value, place = _varint(data, place)
    return (value >> 1) ^ -(value & 1), place


def _varint(data: memoryview, place: int) -> tuple[int, int]:
    value = shift = 0
    while data[place] >= 128:
        value |= (data[place] & 127) << shift
        shift += 7
        place += 1
    return value | data[place] << shift, place + 1
