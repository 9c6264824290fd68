"""How many examples the everyday suite tries; the slow tests (`make test-slow`) try all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

THOROUGH = "ROUGE_THOROUGH" in os.environ


def share(examples: int, everyday: int | None = None) -> int:
    """Return how many of a test's examples to try: all in `make test-slow`.

    everyday: the number in other runs; by default a fifth, but ten or more. Mark a test that hypothesis
    does not draw for as `sized`, so that `make test-slow` selects it.
    """
    if THOROUGH:
        return examples
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
