"""Plugins found by folder."""

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from rouge_cli import plugins, reports
from rouge_cli.errors import UsageError


def test_private_modules_are_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every module of a folder is listed, sorted, except those whose names begin
    with an underscore.
    """
    folder = tmp_path / "parts_of_a_test"
    folder.mkdir()
    for name in ("__init__", "b", "a", "_shared"):
        (folder / f"{name}.py").touch()
    monkeypatch.syspath_prepend(tmp_path)

    assert ["a", "b"] == plugins.names(folder.name)
    monkeypatch.delitem(sys.modules, folder.name)


def test_only_what_can_be_imported_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module without its source is listed, too, but not a folder without modules,
    and no other file.
    """
    folder = tmp_path / "parts_of_another_test"
    for package in ("kept", "left/__pycache__"):
        (folder / package).mkdir(parents=True)
    for name in (
        "a.pyc",
        f"b{EXTENSION_SUFFIXES[0]}",
        "kept/__init__.pyc",
        "README",
        "c.py~",
        ".d.py",
    ):
        (folder / name).touch()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)

    assert ["a", "b", "kept"] == plugins.names(folder.name)
    monkeypatch.delitem(sys.modules, folder.name)


def test_every_report_renders() -> None:
    """Each report format is found by its name and has `render`; private modules
    cannot be selected.
    """
    for name in plugins.names(reports.__name__):
        assert callable(plugins.find(reports.__name__, name, "report format").render)
    with pytest.raises(UsageError, match="unknown report format '_table'"):
        plugins.find(reports.__name__, "_table", "report format")
