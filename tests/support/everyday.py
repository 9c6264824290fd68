"""How many examples the everyday suite tries; the slow tests (`make test-slow`) try all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

THOROUGH = "ROUGE_THOROUGH" in os.environ


def share(examples: int) -> int:
    """Return the number of hypothesis' examples: every day a fifth of `examples`, but ten or more."""
    return examples if THOROUGH else max(examples // 5, 10)


def sampled(values: Iterable[Any], every: int) -> list[Any]:
    """Return the values as parameters, all marked slow except each n-th."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=[pytest.mark.slow] * bool(place % every),
        )
        for place, value in enumerate(values)
    ]
