"""The two sizes of a run: everyday, and thorough (ROUGE_THOROUGH=1, as in `make
test-slow`).

An everyday run leaves out the tests marked `slow`, tries a share of the examples of
some others, and runs most commands of `rouge-cli` in the tests' own process. A thorough
run tries all of both, one command in eight in a process; with ROUGE_THOROUGH=10 it
draws other examples each time, ten times as many.
"""

import os
from collections.abc import Iterable
from typing import Any

import pytest

THOROUGH = int(os.environ.get("ROUGE_THOROUGH", "0"))


def share(examples: int, everyday: int | None = None) -> int:
    """Return how many of a test's examples to try.

    everyday: the number in everyday runs; by default a fifth, but ten or more.
    """
    if THOROUGH:
        return examples * THOROUGH
    return max(examples // 5, 10) if everyday is None else everyday


def sampled(values: Iterable[Any], every: int) -> list[Any]:
    """Return the values as parameters, all marked slow except each n-th."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=[pytest.mark.slow] * bool(place % every),
        )
        for place, value in enumerate(values)
    ]
