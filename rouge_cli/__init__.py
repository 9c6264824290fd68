"""rouge-cli: the ROUGE evaluator. Importing the package does nothing and costs nothing.

`rouge_cli.score`, `score_rows`, `evaluate` and `RougeWarning` come from `rouge_cli.api`, `compare`,
`correlate` and `explain` from `rouge_cli.analysis`; both are imported at first use.
`install_as_rouge_score` puts `rouge_cli.dialects.google` in place of PyPI's rouge_score.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes time to import
if TYPE_CHECKING:
    from rouge_cli.analysis import compare, correlate, explain
    from rouge_cli.api import evaluate, score, score_rows
    from rouge_cli.dialects.google import install_as_rouge_score
    from rouge_cli.errors import RougeWarning

__version__ = "0.1.0"
__all__ = [
    "RougeWarning", "__version__", "compare", "correlate", "evaluate", "explain", "install_as_rouge_score",
    "score", "score_rows"
]  # fmt: skip
_MODULES = {
    **dict.fromkeys(("compare", "correlate", "explain"), "analysis"),
    "install_as_rouge_score": "dialects.google",
}


def __getattr__(name: str) -> object:
    """Import the API at its first use."""
    if name in __all__:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'api')}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
