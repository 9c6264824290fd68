"""Perl's arithmetic, compared with the installed Perl."""

import pickle
import random
import shutil
import struct
import subprocess

import pytest
from everyday import share

from rouge_cli.core import Counts, EvalResult
from rouge_cli.scoring.columns import Column, Columns
from rouge_cli.scoring.perl_numbers import Number, power, truncate


def drawn(chance: random.Random) -> float:
    """Draw an integer of up to 64 bits, a whole double of up to 67, a fraction, or a
    number at a limit.
    """
    kind = chance.random()
    if kind < 0.2:
        limit = 2 ** chance.choice((53, 62, 63, 64)) + chance.choice((-1, 0, 0, 1))
        return float(limit) if chance.random() < 0.5 else min(2**64 - 1, limit)
    if kind < 0.4:
        return float(chance.getrandbits(53)) * 2.0 ** chance.randint(0, 14)
    if kind < 0.6:
        return min(
            2**64 - 1,
            chance.choice((1, 2, 3)) * chance.getrandbits(chance.randint(20, 63)),
        )
    if kind < 0.8:
        return chance.randint(0, 2000)
    return chance.random() * 10.0 ** chance.randint(0, 19)


def literal(value: float) -> str:
    """Return the value as a Perl literal, to the last bit."""
    return (
        str(value)
        if isinstance(value, int)
        else f"unpack('d',pack('H*','{struct.pack('<d', value).hex()}'))"
    )


def program(chance: random.Random) -> tuple[str, str]:
    """Return a line of Perl that computes and prints, and the output expected of it."""
    start = drawn(chance)
    value, source = Number(start), f"$v={literal(start)};"
    terms: list[
        Number
    ] = []  # Perl keeps $t[n] as an integer, as a double or as both, as it was used
    for _ in range(chance.randint(1, 6)):
        sign, other = chance.choice("+++-/^"), drawn(chance)
        if sign == "^":
            other = chance.choice((2, 3, 4, 5, 1.5, 0.1))
        if (sign == "-" and other > value) or (sign == "/" and not other):
            continue
        if sign == "^":
            source += f"$w={literal(other)};$v=$v**$w;"
            value = power(value, other)
        elif sign == "-":
            source += f"$w={literal(other)};$v=$v-$w;"
            value = value - Number(other)
        else:  # a division changes its operands, too, which later sums show
            if not terms or chance.random() < 0.6:
                source += f"$t[{len(terms)}]={literal(other)};"
                terms.append(Number(other))
            index = chance.randrange(len(terms))
            if sign == "/" and not terms[index]:
                continue
            source += f"$v=$v{sign}$t[{index}];"
            value = value + terms[index] if sign == "+" else value / terms[index]
    bound = drawn(chance)
    source += f"$u={literal(bound)};"
    source += (
        "print qq($v ),int($v),sprintf(q( %.5f ),$v),($v>$u)+0,($v>=$u)+0,qq("
        " @t\\n);@t=();"
    )
    fixed = f"{value:.5f}".replace("inf", "Inf")
    limit = Number(bound)
    compared = f"{int(value > limit)}{int(value >= limit)}"
    return (
        source,
        f"{value} {truncate(value)} {fixed} {compared} {' '.join(map(str, terms))}",
    )


def test_arithmetic_is_perls() -> None:
    """Random sequences of operations print what Perl prints: integers in full,
    doubles in 15 digits.
    """
    if shutil.which("perl") is None:
        pytest.skip("no perl")
    chance = random.Random(29)
    sources, expected = zip(
        *(program(chance) for _ in range(share(10_000))), strict=True
    )
    ended = subprocess.run(
        ["perl"], input="\n".join(sources), capture_output=True, text=True, check=True
    )

    assert list(expected) == ended.stdout.splitlines()


def test_text_is_not_an_integer() -> None:
    """A score that was printed and read back is a double to Perl, even a whole one
    below 2^53.
    """
    large = Number(2**53 + 1)

    assert ["9007199254740995", "9.00719925474099e+15"] == [
        str(large + Number(2.0)), str(large + Number.of_text(2.0)),
    ]  # fmt: skip


def test_large_integers_are_divided_as_integers() -> None:
    """More than 53 bits divided without a remainder stay an integer; with one, they
    are doubles.
    """
    assert ["9007199254740993", "9.00719925474099e+15"] == [
        str(Number(3 * (2**53 + 1)) / Number(3)), str(Number(3 * (2**53 + 1) + 1) / Number(3)),
    ]  # fmt: skip


def test_powers_of_two_are_doubles() -> None:
    """Powers of 1, 2 and 4 are doubles to Perl; powers of other whole numbers are
    integers if they fit.
    """
    assert [True, True, True, False, False] == [
        power(float(base), 3).is_double for base in (1, 2, 4, 3, 6)
    ]


def test_columns_keep_them() -> None:
    """Numbers in a column survive pickling and a column of columns to the last
    digit.
    """
    counts = Counts(Number(2**60 + 1), Number(2.0**70), Number(7), 0.5)
    column = Column(
        [EvalResult("1", counts, None), EvalResult("2", Counts(1.0, 2.0, 3.0), None)]
    )
    copies = Columns()
    copies.extend(pickle.loads(pickle.dumps(column)).of)  # noqa: S301 - our own

    for restored in (column, *copies.columns):
        assert ["1152921504606846977", "1.18059162071741e+21", "7"] == list(
            map(str, restored[0].counts[:3])
        )
        assert ["1.0", "1152921504606846977"] == list(
            map(str, restored.counts([1, 0])[0])
        )


def test_the_largest_integer_is_printed_in_full() -> None:
    """Integers reach 2^64 - 1, as unsigned ones do in Perl; a sum beyond is a
    double.
    """
    largest = Number(2**64 - 2) + Number(1)
    assert ("18446744073709551615", "1.84467440737096e+19") == (
        str(largest),
        str(largest + Number(1)),
    )
