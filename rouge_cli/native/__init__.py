"""Compiled code, and what it understands of the program that is written for reading.

kernels       the metrics and formulas that it has
setups        the runs of dialects, translated for it
inputs        evals that it reads, and keeps
replacements  its halves of twins; see `rouge_cli.twins`
glue          the pages of the extension module, `_compiled.pyx`

Nothing of this runs if the extension was not built, or with ROUGE_CLI_KERNELS=python;
the numbers are the same to the last bit. The headers in this folder are named after the
Python modules that they repeat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import twins

if TYPE_CHECKING:
    from typing import Any

    from rouge_cli.native import _compiled

# A vocabulary is started anew when it has grown to this number of forms.
MOST_FORMS = 1_000_000


def extension() -> _compiled.Extension | None:
    """Return the extension module; None to run Python, see `twins.extension`."""
    compiled: Any = twins.extension()  # `Extension` stands for the module
    return compiled  # type: ignore[no-any-return]


def loaded() -> _compiled.Extension:
    """Return the extension module where it runs, as in the compiled half of a twin."""
    compiled = extension()
    assert compiled  # noqa: S101 - for type checkers: else nothing is replaced
    return compiled
