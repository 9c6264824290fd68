"""Explanations of a summary's scores in one eval, by the selected dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli import api, plugins
from rouge_cli.options import resolve
from rouge_cli.results.explanation import Explanations

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from rouge_cli.core import EvalTask, Notify

# Options of a dialect that have no effect on one pair.
UNUSED = ("jackknife", "average", "samples", "confidence", "seed")
DEFAULTS, DEFAULTS_OF_ELEMENTS = ("ROUGE-1", "ROUGE-2", "ROUGE-L"), ("ROUGE-BE-HM",)


def explain(
    task: EvalTask, peer_id: str, dialect: str, options: Mapping[str, Any], notify: Notify
) -> Explanations:
    """Explain the peer's scores in the eval under each metric of the options.

    Raises UsageError for an unknown dialect, RougeError as scoring does.
    """
    module = api.chosen(dialect)
    defaults: dict[str, Any] = {}
    if dialect == api.DIALECT:
        defaults["metrics"] = DEFAULTS_OF_ELEMENTS if task.input_format == "simple" else DEFAULTS
    values = module.canonical(resolve(dialect, module.DEFAULTS, {**defaults, **options}))
    return Explanations(of_dialect(dialect).explain_eval(values, task, peer_id, notify), dialect=dialect)


def of_dialect(dialect: str) -> ModuleType:
    """Return the module that explains the dialect's scores."""
    return plugins.module(f"rouge_cli.dialects.{dialect}", "explanation")
