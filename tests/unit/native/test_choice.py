"""The choice of kernels."""

import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from types import SimpleNamespace
from typing import Any

import pytest

import rouge_cli
from rouge_cli import native, twins
from rouge_cli.errors import UsageError
from rouge_cli.runs import parallel


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Reset the choice, which is made once per process, for each test."""
    twins.extension.cache_clear()
    monkeypatch.delattr(native, "_compiled", raising=False)
    yield
    twins.extension.cache_clear()


def test_the_readable_kernels_can_be_selected(monkeypatch: pytest.MonkeyPatch) -> None:
    """ROUGE_CLI_KERNELS=python selects the readable programs."""
    monkeypatch.setenv("ROUGE_CLI_KERNELS", "python")

    assert (None, "python") == (native.extension(), twins.kernels())


@pytest.mark.parametrize(
    ("wanted", "message"),
    [("compiled", "were not built"), ("fast", "use python or compiled")],
)
def test_missing_kernels_are_an_error(
    wanted: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernels that were not built, or do not exist, are a usage error if they are
    requested.
    """
    monkeypatch.setenv("ROUGE_CLI_KERNELS", wanted)
    monkeypatch.setitem(sys.modules, "rouge_cli.native._compiled", None)

    with pytest.raises(UsageError, match=message):
        native.extension()


def test_without_an_extension_the_readable_ones_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a compiled extension the readable programs run without a notice."""
    monkeypatch.delenv("ROUGE_CLI_KERNELS", raising=False)
    monkeypatch.setitem(sys.modules, "rouge_cli.native._compiled", None)

    assert twins.kernels() == "python"


class Inexact(MetaPathFinder):
    """Finds an extension that was compiled with flags that change scores."""

    def find_spec(self, name: str, *_: object) -> None:
        """Raise the error of such an extension."""
        if name == "rouge_cli.native._compiled":
            raise ImportError("it was compiled with flags that change scores (sums)")


@pytest.mark.parametrize("wanted", ["", "compiled"])
def test_inexact_kernels_are_refused(
    wanted: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An extension that computes otherwise is not used: one warning says so, or an
    error if it is requested.
    """
    monkeypatch.setenv("ROUGE_CLI_KERNELS", wanted)
    monkeypatch.delitem(sys.modules, "rouge_cli.native._compiled", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Inexact(), *sys.meta_path])
    if wanted:
        with pytest.raises(UsageError, match="cannot be used: it was compiled"):
            native.extension()
        return

    assert "python" == twins.kernels() == twins.kernels()
    assert 1 == capsys.readouterr().err.count("rouge-cli: warning: the compiled")


def test_rows_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An extension with other rows is not used, since every figure would be in a
    wrong column.
    """
    monkeypatch.delenv("ROUGE_CLI_KERNELS", raising=False)
    old = SimpleNamespace(ROW=("model", "peer", "match"))
    monkeypatch.setitem(sys.modules, "rouge_cli.native._compiled", old)
    monkeypatch.setattr(native, "_compiled", old, raising=False)

    with pytest.raises(ImportError, match="install rouge-cli again"):
        native.extension()


@pytest.mark.parametrize(
    ("kernels", "long", "options", "told"),
    [
        ("", 0, {}, 1),
        ("", 0, {"dialect": "google"}, 1),
        ("", 0, {"dialect": "rouge2"}, 0),  # has no compiled twin
        ("", 60, {}, 0),
        ("python", 0, {}, 0),
    ],
)
def test_a_long_run_reports_kernels_that_were_not_built(
    kernels: str,
    long: int,
    options: dict[str, Any],
    told: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A long run prints one notice if compiled kernels are missing, unless others
    were chosen.
    """
    monkeypatch.setenv("ROUGE_CLI_KERNELS", kernels)
    monkeypatch.setitem(sys.modules, "rouge_cli.native._compiled", None)
    monkeypatch.setattr(parallel, "LONG", long)
    notices: list[str] = []
    rouge_cli.score(
        ["a cat"],
        ["a cat"],
        notify=lambda notice: notices.append(notice.message),
        **options,
    )

    assert told == sum(
        "install rouge-cli again with a C++ compiler" in notice for notice in notices
    )


def test_compiled_kernels_are_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With compiled kernels no run, however long, prints the notice."""
    monkeypatch.delenv("ROUGE_CLI_KERNELS", raising=False)
    if not native.extension():
        pytest.skip("nothing was compiled here")
    monkeypatch.setattr(parallel, "LONG", 0)
    notices: list[str] = []
    rouge_cli.score(
        ["a cat"], ["a cat"], notify=lambda notice: notices.append(notice.message)
    )

    assert [] == notices
