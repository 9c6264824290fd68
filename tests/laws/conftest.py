"""Hypothesis settings: no deadline, since machines differ, and no database of examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from everyday import share
from hypothesis import HealthCheck, settings

from rouge_cli import native

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.register_assert_rewrite("compiled_runs")
settings.register_profile(
    "laws",
    max_examples=share(60),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("laws")


@pytest.fixture(scope="module")
def compiled() -> Iterator[Any]:
    """Select the compiled kernels, whatever the environment."""
    extension = pytest.importorskip(
        "rouge_cli.native._compiled", reason="the compiled kernels were not built"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "extension", lambda: extension)
        yield extension
