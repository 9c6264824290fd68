"""Which kernels run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from rouge_cli.errors import UsageError
from rouge_cli.kernels import choice

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """The choice is made once a process; each test makes its own."""
    choice.compiled.cache_clear()
    yield
    choice.compiled.cache_clear()


def test_the_readable_kernels_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """ROUGE_CLI_KERNELS=python runs the readable kernels."""
    monkeypatch.setenv("ROUGE_CLI_KERNELS", "python")

    assert (None, "python") == (choice.compiled(), choice.name())


@pytest.mark.parametrize(
    ("wanted", "message"), [("compiled", "were not built"), ("fast", "`python` or `compiled`")]
)
def test_what_cannot_be_had_is_an_error(wanted: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Insisting on kernels that were not built, or do not exist, is a usage error that says so."""
    monkeypatch.setenv("ROUGE_CLI_KERNELS", wanted)
    monkeypatch.setitem(sys.modules, "rouge_cli.kernels._compiled", None)

    with pytest.raises(UsageError, match=message):
        choice.compiled()


def test_without_an_extension_the_readable_ones_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing was compiled, nothing is said and the readable kernels run."""
    monkeypatch.delenv("ROUGE_CLI_KERNELS", raising=False)
    monkeypatch.setitem(sys.modules, "rouge_cli.kernels._compiled", None)

    assert choice.name() == "python"
