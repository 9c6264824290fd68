"""Google's rouge_score (PyPI `rouge-score` 0.1.2), and Hugging Face's metric on top of
it.

Tokens are runs of a-z and 0-9 of the lower-cased text. Scores are not rounded. With
several references each type uses the reference with the best F. A drop-in for Python
code: `from rouge_cli.dialects.google import rouge_scorer, scoring` in place of `from
rouge_score import rouge_scorer, scoring`, and `compute` for
`evaluate.load("rouge").compute`.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from itertools import chain
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from rouge_cli._version import __version__
from rouge_cli.core import Document
from rouge_cli.dialects.google import rouge_scorer, scoring, tokenize, tokenizers
from rouge_cli.dialects.google.rouge_scorer import RougeScorer
from rouge_cli.dialects.google.scoring import (
    AggregateScore,
    BootstrapAggregator,
    Score,
    mids_of_f,
)
from rouge_cli.errors import RougeWarning, UsageError
from rouge_cli.tasks.ordering import items, ordered
from rouge_cli.text import languages, survey

__all__ = [
    "AggregateScore",
    "BootstrapAggregator",
    "RougeScorer",
    "Score",
    "compute",
    "install_as_rouge_score",
    "rouge_scorer",
    "scoring",
]

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
SAMPLES = 1000
# Hugging Face draws a seed when the metric is loaded, so results vary by process.
SEED = 0


def compute(  # noqa: PLR0913, PLR0917 - Hugging Face's parameters
    predictions: Iterable[str],
    references: Iterable[str] | Iterable[Iterable[str]],
    rouge_types: Iterable[str] | None = None,
    use_aggregator: bool = True,  # noqa: FBT001, FBT002
    use_stemmer: bool = False,  # noqa: FBT001, FBT002
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """Return the F of each type: the median of resampled means, or without the
    aggregator a list of all F.

    Args:
        predictions: Any iterable of strings, such as a column of a data frame.
        references: Any iterable with a string, or a list of strings, for each
            prediction. The first item determines which.
        tokenizer: Returns the tokens of a text. With a tokenizer `use_stemmer` has no
            effect.
        seed: Seed of the bootstrap (default 0).

    Raises:
        ValueError: If there is nothing to score, the lengths differ, an item is not a
            string (the message has its row, counted from 1), or a type is unknown.
    """
    predictions = items(predictions, "predictions")
    references = items(references, "references")
    if len(predictions) != len(references):
        counts = f"predictions ({len(predictions)}) and references ({len(references)})"
        raise ValueError(f"Mismatch in the number of {counts}")
    if not predictions:
        raise ValueError("no predictions to score")
    if not isinstance(references[0], str):
        references = [
            items(reference, f"the references of prediction {row}")
            for row, reference in enumerate(references, 1)
        ]
    _check_strings(predictions, references)

    is_named = False
    if tokenizer is None:
        strings: list[Any] = references
        if not isinstance(references[0], str):
            strings = list(chain.from_iterable(references))
        for message in _messages(predictions, strings):
            warnings.warn(message, RougeWarning, stacklevel=2)
            is_named = True

    types = ordered(ROUGE_TYPES if rouge_types is None else rouge_types)
    custom = None if tokenizer is None else SimpleNamespace(tokenize=tokenizer)
    scorer = RougeScorer(types, use_stemmer, tokenizer=custom)
    scorer.entry = None if is_named else f"{__name__}.compute"
    batch = scorer.score_batch(references, predictions)
    columns = {}
    for kind in types:
        columns[kind] = [scores[kind].fmeasure for scores in batch]
    result: dict[str, Any] = columns
    if use_aggregator:
        result = dict(mids_of_f(columns, SAMPLES, SEED if seed is None else seed))
    return result


def _check_strings(predictions: Sequence[Any], references: Sequence[Any]) -> None:
    """Raise ValueError with the first row, counted from 1, that is not of strings."""
    are_lists = not isinstance(references[0], str)
    for row, prediction in enumerate(predictions, 1):
        _check_string(prediction, f"prediction {row}")
        reference = references[row - 1]
        if not are_lists:
            _check_string(reference, f"reference {row}")
            continue
        for number, text in enumerate(reference, 1):
            _check_string(text, f"reference {number} of prediction {row}")


def _check_string(text: object, name: str) -> None:
    if isinstance(text, str):
        return
    is_missing = text is None or text != text  # noqa: PLR0124 - nan
    if is_missing:
        remedy = "leave the row out, or fill in a string"
    elif isinstance(text, list | tuple):
        remedy = "pass lists for all predictions, or for none"
    else:
        remedy = "convert it with str"
    raise ValueError(f"{name} is {text!r:.60}, not a string; {remedy}")


def _messages(predictions: Sequence[str], references: Sequence[str]) -> Iterator[str]:
    """Yield what there is to report on the strings of a Python program, of which
    ASCII letters count.
    """
    sides = []
    for name, strings in (("prediction", predictions), ("reference", references)):
        tally = survey.Numbers(texts=len(strings))
        first_cut = survey.NO_TEXT
        for number, text in enumerate(strings, 1):
            place = f"{name} {number}"
            if "\0" in text:
                yield f"{place}: {survey.NULS}"
            if text.isascii():
                continue
            data = text.encode("utf-8", "replace")
            numbers = survey.survey([data])
            tally = tally.plus(numbers._replace(texts=0))
            if numbers.cut_up and first_cut == survey.NO_TEXT:
                first_cut = languages.cut_text(Document(data, place))
        sides.append(survey.record(tally, first_cut))
    message = survey.cut_up_message(dict(zip(survey.SIDES, sides, strict=True)))
    if message:
        yield message


_ORIGINAL = "rouge_score"
_MODULES = {
    "rouge_scorer": rouge_scorer,
    "scoring": scoring,
    "tokenize": tokenize,
    "tokenizers": tokenizers,
}


def install_as_rouge_score() -> None:
    """Make `import rouge_score` import rouge-cli from now on, and log a warning once.

    Programs that import rouge_score then run unchanged, faster and with the same
    numbers. Forked processes inherit the replacement; new processes import the
    installed package, except with `rouge_cli.accelerate`. Other modules of the
    installed package, such as `rouge_score.io`, are imported from it and score with
    rouge-cli. Pickled scores and scorers can be opened by either.

    Raises:
        UsageError: If rouge_score was imported before, since that importer uses the
            original.
    """
    if getattr(sys.modules.get(_ORIGINAL), "__stand_in__", False):
        return
    for name, module in sys.modules.items():
        if name.partition(".")[0] == _ORIGINAL:
            path = getattr(module, "__file__", None) or "from nowhere"
            remedy = (
                "call install_as_rouge_score() before the first import of rouge_score"
            )
            raise UsageError(f"{name} was imported before ({path})", remedy=remedy)

    package = ModuleType(_ORIGINAL, f"rouge-cli {__version__} in place of rouge_score.")
    package.__spec__ = ModuleSpec(_ORIGINAL, None, origin="rouge_cli", is_package=True)
    package.__path__ = _installed_folders()
    vars(package).update(_MODULES, __stand_in__=True)
    sys.modules[_ORIGINAL] = package
    for name, module in _MODULES.items():
        sys.modules[f"{_ORIGINAL}.{name}"] = module
    if PathFinder.find_spec(_ORIGINAL):  # else no new process could open the pickles
        _name_after_original()
    import logging  # costs start-up time

    logging.getLogger("rouge_cli").warning(
        "rouge-cli %s stands in for rouge_score", __version__
    )


def _installed_folders() -> list[str]:
    """Return the folders of the installed package, none without it."""
    for folder in sys.path:
        spec = PathFinder.find_spec(_ORIGINAL, [folder])
        if spec and spec.origin and spec.submodule_search_locations:
            return list(spec.submodule_search_locations)
    return []


def _name_after_original() -> None:
    """Give classes and functions the names of rouge_score's modules, by which pickles
    find them.
    """
    for name, module in _MODULES.items():
        for value in vars(module).values():
            is_definition = isinstance(value, type | FunctionType)
            if is_definition and value.__module__ == module.__name__:
                value.__module__ = f"{_ORIGINAL}.{name}"


def __getattr__(name: str) -> object:
    """Import the dialect at its first use; Python code that scores strings does not
    need it.
    """
    if name == "DIALECT":
        from rouge_cli.dialects.google.program import DIALECT

        return DIALECT
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
