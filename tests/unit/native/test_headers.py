"""The headers are plain C++17, and every compiler gives the same results."""

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[3] / "rouge_cli" / "native"
COMPILERS = [
    name
    for name in ("g++", "clang++", "x86_64-w64-mingw32-g++-posix")
    if shutil.which(name)
]
PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include "bits.hpp"

int main(int count, char** words) {
    for (int place = 1; place < count; ++place) {
        const std::uint64_t word = std::strtoull(words[place], nullptr, 10);
        std::printf("%zu %zu %zu %zu\\n", rouge::ones(word), rouge::trailing_zeros(word),
                    rouge::leading_zeros(word), std::size_t(rouge::upper_product(word, ~word)));
    }
}
"""


def test_only_one_header_uses_compiler_extensions() -> None:
    """Only `bits.hpp` uses compiler extensions, with a fallback for each."""
    extensions = re.compile(
        r"__builtin_(?!bswap64)|__attribute__|__int128|__restrict|_MSC_VER|__GNUC__"
    )

    assert ["bits.hpp"] == [
        path.name
        for path in NATIVE.glob("*.hpp")
        if extensions.search(path.read_text())
    ]


@pytest.mark.skipif(not COMPILERS, reason="no C++ compiler on this machine")
@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_headers_are_standard(compiler: str, tmp_path: Path) -> None:
    """Each compiler of this machine compiles all headers without a warning, also as
    for Windows.
    """
    source = tmp_path / "all.cpp"
    source.write_text(
        "".join(f'#include "{path.name}"\n' for path in sorted(NATIVE.glob("*.hpp")))
    )
    flags = [
        "-std=c++17",
        "-pedantic-errors",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
    ]
    ended = subprocess.run(
        [compiler, *flags, f"-I{NATIVE}", source], capture_output=True, check=False
    )

    assert (0, b"") == (ended.returncode, ended.stderr)


@pytest.mark.skipif(not COMPILERS, reason="no C++ compiler on this machine")
@pytest.mark.parametrize("flags", [[], ["-DROUGE_PORTABLE_BITS"]])
def test_bits_are_counted_alike(flags: list[str], tmp_path: Path) -> None:
    """The compiler's built-ins and the fallbacks, which MSVC uses, agree with
    Python's integers.
    """
    chance = random.Random(1)
    words = [1 << shift for shift in range(64)] + [
        chance.getrandbits(64) | 1 for _ in range(100)
    ]
    words += [
        word >> chance.randrange(64) << chance.randrange(20) & (1 << 64) - 1 or 1
        for word in words
    ]
    (tmp_path / "bits.cpp").write_text(PROGRAM)
    program = tmp_path / "bits"
    native = next(name for name in COMPILERS if "mingw" not in name)
    subprocess.run(
        [
            native,
            "-std=c++17",
            *flags,
            f"-I{NATIVE}",
            tmp_path / "bits.cpp",
            "-o",
            program,
        ],
        check=True,
    )
    printed = subprocess.run(
        [program, *map(str, words)], capture_output=True, check=True
    ).stdout.decode()
    expected = [
        (
            word.bit_count(),
            (word & -word).bit_length() - 1,
            64 - word.bit_length(),
            word * (2**64 - 1 - word) >> 64,
        )
        for word in words
    ]

    assert expected == [tuple(map(int, line.split())) for line in printed.splitlines()]
