"""Every dialect is one object."""

from collections import Counter
from typing import Any

import pytest

from rouge_cli import dialects, plugins
from rouge_cli.dialects.rouge155 import options as rouge155


@pytest.mark.parametrize("name", plugins.names(dialects.__name__))
def test_a_run_is_of_a_class_of_its_dialect(name: str) -> None:
    """A dialect builds a run of a class of its own module, or of its own folder."""
    dialect = dialects.named(name)
    chosen = {**dialect.defaults, "metrics": dialect.defaults["metrics"][:1]}
    run = dialect.build(dialect.canonical(chosen), Counter(), print)

    assert type(run).__module__.startswith(f"{dialects.__name__}.{name}")


def test_every_option_has_a_place_on_the_original_command_line_or_suppresses_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An option that ROUGE-1.5.5.pl does not have suppresses the equivalent command
    line.
    """
    defaults: dict[str, Any] = {**rouge155.DEFAULTS, "newcomer": 1}
    monkeypatch.setattr(rouge155, "DEFAULTS", defaults)

    assert rouge155.command_line(defaults)
    assert rouge155.command_line({**defaults, "newcomer": 2}) is None
