"""Numbers that tests draw."""

from zlib import crc32

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def own_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a generator of its own, so that the tests before it do not
    change its numbers.
    """
    if hasattr(request.module, "CHANCE"):
        monkeypatch.setattr(
            request.module,
            "CHANCE",
            np.random.default_rng(crc32(request.node.name.encode())),
        )
