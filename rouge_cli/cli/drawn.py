"""Plots that a command was asked for: checked before anything is computed, written all or nothing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from rouge_cli import files
from rouge_cli.errors import RougeError, UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("png", "svg", "pdf")


def kind(path: str) -> str:
    """The kind of picture that the file's suffix asks for.

    Raises UsageError for any other, RougeError where matplotlib is not installed.
    """
    suffix = path.rpartition(".")[2].lower()
    if suffix not in KINDS:
        raise UsageError(f"{path}: no kind of picture", remedy=f"end the name in .{', .'.join(KINDS)}")
    try:
        import_module("matplotlib")
    except ImportError:
        raise RougeError(
            "plots need the library matplotlib", remedy="pip install 'rouge-cli[plots]'"
        ) from None
    return suffix


def write(path: str, figure: Figure) -> None:
    """The figure in the file."""
    from rouge_cli import plots

    files.write_bytes(path, plots.rendered(figure, kind(path)))
