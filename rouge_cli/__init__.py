"""rouge-cli: the ROUGE evaluator.

Importing the package costs nothing: the functions come from `rouge_cli.api`, which is
imported at first use. `install_as_rouge_score` replaces PyPI's rouge_score by
`rouge_cli.dialects.google`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rouge_cli._version import __version__
    from rouge_cli.api import Accumulator, score, score_files, score_rows
    from rouge_cli.api.studies import compare, correlate, explain, plan, report
    from rouge_cli.dialects.google import install_as_rouge_score
    from rouge_cli.errors import RougeWarning
    from rouge_cli.jobs.oracle import oracle
    from rouge_cli.jobs.similar import SimilarIndex, similar
    from rouge_cli.runs.assembly import evaluate
    from rouge_cli.studies.sweeping import sweep

__all__ = [
    "Accumulator",
    "RougeWarning",
    "SimilarIndex",
    "__version__",
    "compare",
    "correlate",
    "evaluate",
    "explain",
    "install_as_rouge_score",
    "oracle",
    "plan",
    "report",
    "score",
    "score_files",
    "score_rows",
    "similar",
    "sweep",
]
_MODULES = {
    "RougeWarning": "errors",
    "__version__": "_version",
    **dict.fromkeys(
        ("compare", "correlate", "explain", "plan", "report"), "api.studies"
    ),
    "install_as_rouge_score": "dialects.google",
    "oracle": "jobs.oracle",
    **dict.fromkeys(("SimilarIndex", "similar"), "jobs.similar"),
    "sweep": "studies.sweeping",
}


def __getattr__(name: str) -> object:
    """Import a public name at its first use; later uses find it in this module."""
    if name in __all__:
        from rouge_cli import plugins

        value = globals()[name] = getattr(
            plugins.module(__name__, _MODULES.get(name, "api")), name
        )
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
