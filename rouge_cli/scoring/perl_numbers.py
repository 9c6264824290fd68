"""Perl's numbers: 64-bit integers while a result fits, else doubles.

Below 2^53 there is no difference. Beyond it, the order of operations and the types of
the operands decide the last digits. `+` and `-` return an integer if both operands are
integers or both are whole doubles. A whole double below 2^53 can stand for an integer.
Adding and dividing change how Perl stores the operands, and so how it prints them and
what later sums give: the program adds and divides in the original's order. QUIRKS 29
lists the numbers that get so large.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite

# From this value on, Perl prints doubles and integers differently, and sums may need
# more than 53 bits.
LARGE = 1e15

_EXACT = 2**53
_SAFE = 2**62  # Perl adds smaller integers without testing for overflow
_TOO_LARGE = 2**63
_LOWEST, _HIGHEST = -_TOO_LARGE, 2**64 - 1


class Number(float):
    """A number in Perl. As a float, it has the value that Perl's double would have."""

    __slots__ = ("is_double", "is_text", "whole")
    whole: int | None  # its value if Perl stores an integer, else None
    # True if Perl stores a double. For an integer that was used as a double without
    # loss, Perl stores both.
    is_double: bool
    # True if it was printed with a decimal point and read back, so that Perl never
    # treats it as an integer.
    is_text: bool

    def __new__(cls, value: float) -> Number:  # noqa: PYI034 - Self needs Python 3.11
        """Make an integer of an int, a double of a float."""
        if isinstance(value, Number):
            return value
        number = super().__new__(cls, value)
        number.is_double = isinstance(value, float)
        number.is_text = False
        number.whole = None if number.is_double else int(value)
        return number

    @classmethod
    def of_text(cls, value: float) -> Number:
        """Make a number of a double that was printed with a decimal point and read
        back.
        """
        number = cls(float(value))
        number.is_text = True
        return number

    def __add__(self, other: float) -> Number:
        return _sum(self, other, 1)

    def __radd__(self, other: float) -> Number:
        return _sum(other, self, 1)

    def __sub__(self, other: float) -> Number:
        return _sum(self, other, -1)

    def __truediv__(self, other: float) -> Number:
        """Return an integer if more than 53 bits are divided without remainder, else
        a double.
        """
        left = _integer(self)
        right = _integer(other)
        if right is not None:
            _store_integers(self, other)
        if left is not None and right and abs(left) > _EXACT and left % right == 0:
            return Number(left // right)
        return Number(_as_double(self) / _as_double(other))

    def __gt__(self, other: float) -> bool:
        left, right = _comparable(self, other)
        return left > right

    def __ge__(self, other: float) -> bool:
        left, right = _comparable(self, other)
        return left >= right

    def __lt__(self, other: float) -> bool:
        left, right = _comparable(self, other)
        return left < right

    def __str__(self) -> str:
        """Return the number as Perl prints it."""
        if self.whole is not None:
            return str(self.whole)
        return f"{float(self):.15g}".replace("inf", "Inf").replace("nan", "NaN")


def power(base: float, exponent: float) -> Number:
    """Return base^exponent: an integer if it is sure to fit, else a double.

    Args:
        base: A number that is not negative.
        exponent: An int if Perl stores an integer.
    """
    whole = _integer(base)
    if whole is None or not isinstance(exponent, int):
        return Number(double_power(base, exponent))
    # Powers of two are exact as doubles, and Perl computes them as doubles.
    if whole & (whole - 1) and whole.bit_length() * exponent <= 64:
        return Number(whole**exponent)
    return Number(double_power(base, exponent))


def double_power(base: float, exponent: float) -> float:
    """Return base^exponent in doubles; infinity if it is too large, as in C (Python
    would raise).
    """
    try:
        return float(float(base) ** exponent)
    except OverflowError:
        return inf


def truncate(value: float) -> Number:
    """Return the integer part."""
    if isinstance(value, Number) and value.whole is not None:
        return value
    if isfinite(value) and int(value) <= _HIGHEST:
        return Number(int(value))
    return Number(float(value))


def _integer(value: float) -> int | None:
    """Return the integer that Perl would use for a number; None if it would use a
    double.
    """
    if isinstance(value, Number) and (value.is_text or value.whole is not None):
        return value.whole
    if abs(value) < _EXACT and value == int(value):
        return int(value)
    return None


def in_order(values: Iterable[float]) -> list[float]:
    """Return the values in ascending order; Perl compares integers with doubles as
    doubles.
    """
    ordered = sorted(values)
    if any(_integer(value) is None for value in ordered):
        for value in ordered:
            _as_double(value)
    return ordered


def _comparable(first: float, second: float) -> tuple[float, float]:
    """Return both operands as integers, or as doubles if one is a double."""
    left = _integer(first)
    right = _integer(second)
    if left is None or right is None:
        return float(first), float(second)
    return left, right


def _as_double(value: float) -> float:
    """Return the value as a double; if it equals the integer, Perl stores both from
    now on.
    """
    double = float(value)
    if not isinstance(value, Number) or value.whole is None:
        return double
    if int(double) == value.whole:
        value.is_double = True
    return double


def _store_integers(*operands: float) -> None:
    """Store the integers of operands that are whole, as Perl does; it prints them
    from now on.
    """
    for operand in operands:
        if isinstance(operand, Number):
            operand.whole = _integer(operand)


def _sum(first: float, second: float, sign: int) -> Number:
    """Return the sum, or with the sign -1 the difference, as Perl computes it."""
    left = _integer(first)
    right = _integer(second)
    operands = [operand for operand in (first, second) if isinstance(operand, Number)]
    # Perl tries two doubles first: it adds whole doubles as integers unless one is too
    # large.
    doubles = sum(operand.is_double for operand in operands) == 2
    whole = doubles and all(
        operand.is_integer() and abs(operand) < _TOO_LARGE for operand in operands
    )
    if whole and all(abs(operand) < _SAFE for operand in operands):
        left, right = int(first), int(second)
    elif right is not None and (whole or not doubles):
        _store_integers(first, second)
    if left is not None and right is not None:
        total = left + sign * right
        if _LOWEST <= total <= _HIGHEST:
            return Number(total)
    return Number(_as_double(first) + sign * _as_double(second))
