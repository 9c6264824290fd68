"""Fixtures of the laws."""

from collections.abc import Iterator
from typing import Any

import pytest

from rouge_cli import twins

pytest.register_assert_rewrite("compiled_runs")


@pytest.fixture(scope="module")
def compiled() -> Iterator[Any]:
    """Select the compiled kernels, whatever the environment."""
    extension = pytest.importorskip(
        "rouge_cli.native._compiled", reason="the compiled kernels were not built"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twins, "extension", lambda: extension)
        yield extension
