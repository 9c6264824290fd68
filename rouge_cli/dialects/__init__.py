"""Dialects: the programs that rouge-cli reproduces. Each module of this folder defines one as `DIALECT`.

A large dialect is a folder. A dialect that scores plain strings derives its run from `StringRun`.
"""

from __future__ import annotations

from rouge_cli import plugins
from rouge_cli.core import TYPE_CHECKING

if TYPE_CHECKING:
    from rouge_cli.dialects._base import Dialect, Label, StringRun, label_parser
    from rouge_cli.dialects._protocol import DialectRun

__all__ = ["DEFAULT", "Dialect", "DialectRun", "Label", "StringRun", "label_parser", "named"]
DEFAULT = "rouge155"
# Dialect -> what people call it, and the programs that have its numbers.
_PROGRAMS = {
    "chinese": "rouge-chinese rouge_chinese",
    "coco": "coco-caption cococaption nlg-eval nlgeval pycocoevalcap",
    "google": "evaluate hf huggingface lm-eval rouge-score rouge_score t5 tensorflow",
    "js": "javascript js-rouge promptfoo",
    "korouge": "korouge-score korouge_score",
    "pltrdy": "pltrdy-rouge rouge",
    "py_rouge": "parlai py-rouge unilm",
    "rouge155": "duc files2rouge perl pyrouge pythonrouge rouge-1.5.5 rouge1.5.5 sacrerouge summ-eval tac",
    "rouge2": "java rouge-2.0 rouge2.0",
    "rouge_metric": "rouge-metric",
    "rougeraw": "rouge_raw sumeczech",
    "tilse": "news-tls timeline",
    "torchmetrics": "lightning torch",
    "xlsum": "multilingual multilingual-rouge multilingual_rouge multilingual_rouge_scoring xl-sum",
}
OTHER_NAMES = {name: dialect for dialect, programs in _PROGRAMS.items() for name in programs.split()}


def named(name: str) -> Dialect:
    """Return the dialect with the name that a user typed; raise UsageError for an unknown name."""
    dialect: Dialect = plugins.find(__name__, name, "dialect").DIALECT
    return dialect


def __getattr__(name: str) -> object:
    """Import what a dialect is made of at its first use; ROUGE-1.5.5.pl does not need it."""
    if name in __all__:
        return getattr(plugins.module(__name__, "_protocol" if name == "DialectRun" else "_base"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
