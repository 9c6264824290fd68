"""Explanations of a summary's scores in one eval, in any dialect."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from rouge_cli import api
from rouge_cli.core import ignore_notice
from rouge_cli.options import resolve
from rouge_cli.results.explanation import Explanations
from rouge_cli.text.reading import load, load_texts
from rouge_cli.text.survey import on_letters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rouge_cli.core import Document, EvalTask, Notify
    from rouge_cli.explanation import Explanation

# Options of dialects that have no effect on a single eval.
WITHOUT_EFFECT = ("jackknife", "average", "samples", "confidence", "seed")
DEFAULTS, DEFAULTS_OF_ELEMENTS = ("ROUGE-1", "ROUGE-2", "ROUGE-L"), ("ROUGE-BE-HM",)


def explain(
    task: EvalTask, peer_id: str, dialect: str, options: Mapping[str, Any], notify: Notify
) -> Explanations:
    """Explain the peer's scores in the eval under each of the requested metrics.

    Raises UsageError for an unknown dialect, and the errors of scoring.
    """
    module = api.options_module(dialect)
    defaults: dict[str, Any] = {}
    if dialect == api.DIALECT:
        defaults["metrics"] = DEFAULTS_OF_ELEMENTS if task.input_format == "simple" else DEFAULTS
    values = module.canonical(resolve(dialect, module.DEFAULTS, {**defaults, **options}))
    # A dialect may read files in its own way: ROUGE-1.5.5 reads a folder as an empty text.
    task = load_texts(task, [peer_id], _loader(dialect, notify))
    program = module.build(values, Counter(), notify)
    program.score(task, [peer_id])  # notifies as scoring does
    for notice in on_letters(program.details(), has_tokenizers="tokenizer" in values):
        notify(notice)
    explained = module.build(values, Counter(), ignore_notice).explain(task)
    return Explanations(explained[peer_id], dialect=dialect)


def explainer(
    dialect: str, options: Mapping[str, Any]
) -> Callable[[EvalTask], Mapping[str, list[Explanation]]]:
    """Return a function that explains every peer of an eval that was scored, without further notices."""
    program = api.options_module(dialect).build(options, Counter(), ignore_notice)
    load = _loader(dialect, ignore_notice)

    def explain(task: EvalTask) -> Mapping[str, list[Explanation]]:
        peers = [peer_id for peer_id, text in task.peers.items() if text]
        explained: Mapping[str, list[Explanation]] = program.explain(load_texts(task, peers, load))
        return explained

    return explain


def _loader(dialect: str, notify: Notify) -> Callable[[str, str], Document]:
    """Return the function that reads files for the dialect: ROUGE-1.5.5 reads a folder as an empty text."""
    if dialect != api.DIALECT:
        return load
    from rouge_cli.dialects.rouge155 import texts

    return partial(texts.load, notify=notify)
