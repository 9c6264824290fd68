"""Lookup of formats by name."""

import pytest

from rouge_cli import formats
from rouge_cli.core import Summary


@pytest.mark.parametrize("name", ["isi", "see", "simple", "spl"])
def test_a_format_is_a_module_that_reads(name: str) -> None:
    """Each format is found by its name, and reads no units from empty input; others are import errors."""
    assert Summary([]) == formats.named(name).read(b"")
    with pytest.raises(ModuleNotFoundError):
        formats.named("nosuch")
