"""Which kernels run."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from rouge_cli import native
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The choice is made once a process; each test makes its own, though the extension was imported."""
    native.extension.cache_clear()
    monkeypatch.delattr(native, "_compiled", raising=False)
    yield
    native.extension.cache_clear()


def test_the_readable_kernels_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """ROUGE_CLI_KERNELS=python runs the readable kernels."""
    monkeypatch.setenv("ROUGE_CLI_KERNELS", "python")

    assert (None, "python") == (native.extension(), native.kernels())


@pytest.mark.parametrize(
    ("wanted", "message"), [("compiled", "were not built"), ("fast", "use python or compiled")]
)
def test_what_cannot_be_had_is_an_error(wanted: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Insisting on kernels that were not built, or do not exist, is a usage error that says so."""
    monkeypatch.setenv("ROUGE_CLI_KERNELS", wanted)
    monkeypatch.setitem(sys.modules, "rouge_cli.native._compiled", None)

    with pytest.raises(UsageError, match=message):
        native.extension()


def test_without_an_extension_the_readable_ones_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing was compiled, nothing is said and the readable kernels run."""
    monkeypatch.delenv("ROUGE_CLI_KERNELS", raising=False)
    monkeypatch.setitem(sys.modules, "rouge_cli.native._compiled", None)

    assert native.kernels() == "python"


def test_rows_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An extension with other rows is not used: every figure would stand in a wrong place."""
    monkeypatch.delenv("ROUGE_CLI_KERNELS", raising=False)
    old = SimpleNamespace(ROW=("model", "peer", "match"))
    monkeypatch.setitem(sys.modules, "rouge_cli.native._compiled", old)
    monkeypatch.setattr(native, "_compiled", old, raising=False)

    with pytest.raises(ImportError, match="install rouge-cli again"):
        native.extension()
