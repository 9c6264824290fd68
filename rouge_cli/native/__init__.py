"""The interface between the Python programs and their compiled equivalents.

All access to compiled code goes through the functions of this module. They return None
if compiled code cannot do the job: it was not built, ROUGE_CLI_KERNELS=python selects
Python, or the request is not supported. The Python program then does the job. Both
return the same numbers to the last bit.

The headers in this folder are named after the Python modules that they repeat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import twins

if TYPE_CHECKING:
    from typing import Any

    from rouge_cli.native import _compiled
    from rouge_cli.native._compiled import Program as Program
    from rouge_cli.native._compiled import WordNetPart as WordNetPart
    from rouge_cli.native.setups import KernelSetup

# A vocabulary is started anew when it has grown to this number of forms.
MOST_FORMS = 1_000_000


def extension() -> _compiled.Extension | None:
    """Return the extension module; None to run Python, see `twins.extension`."""
    compiled: Any = twins.extension()  # `Extension` stands for the module
    return compiled  # type: ignore[no-any-return]


def program(setup: KernelSetup | None) -> Program | None:
    """Return the compiled twin of a dialect's program, for one thread; None if its
    options have none.
    """
    compiled = extension()
    return compiled.Program(setup, MOST_FORMS) if compiled and setup else None
