"""Evals from the texts of Python programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rouge_cli.core import Document, EvalTask
from rouge_cli.errors import UsageError
from rouge_cli.tasks import containers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def tasks(
    peers: Any,  # noqa: ANN401 - every form that `score` takes
    models: Any,  # noqa: ANN401
    ids: Iterable[str | int] | None = None,
    input_format: str = "spl",
) -> Sequence[EvalTask]:
    """Return an eval for each item of the lists; raise UsageError for lists that do not match.

    ids: of the evals, by default their numbers from 1.
    """
    systems: Mapping[str, Any] = peers if isinstance(peers, Mapping) else {"peer": peers}
    if all(isinstance(text, str) for text in systems.values()):
        systems = {name: [text] for name, text in systems.items()}
        models = [models]
    elif isinstance(models, str):
        raise UsageError("one model for a list of peers", remedy="give as many models as there are evals")
    else:
        systems = {name: items(texts, f"peers of {name}") for name, texts in systems.items()}
        models = items(models, "models")
    names = [str(number) for number in range(1, len(models) + 1)]
    if ids is not None:
        names = list(map(str, items(ids, "ids")))
    sizes = {
        "models": len(models),
        **{f"peers of {name}": len(texts) for name, texts in systems.items()},
        "ids": len(names),
    }
    if len(set(sizes.values())) > 1:
        counted = ", ".join(f"{size} {name}" for name, size in sizes.items())
        raise UsageError(
            f"different numbers of peers and models: {counted}", remedy="give one of each for every eval"
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"duplicate ID {twice!r}", remedy="give each eval a unique ID")
    evals = []
    for place, references in enumerate(models):
        where = f"eval {place + 1}"
        is_text = isinstance(references, str | float | int | None)  # None and NaN are missing texts
        several = [references] if is_text else items(references, "models", where)
        if not several:
            raise UsageError("no model", where=where, remedy="give a string, or a list of strings")
        evals.append(
            EvalTask(
                names[place],
                {name: _document(texts[place], where) for name, texts in systems.items()},
                [(str(number), _document(text, where)) for number, text in enumerate(several, 1)],
                input_format,
                where,
            )
        )
    return evals


def items(values: Any, name: str, where: str = "") -> list[Any]:  # noqa: ANN401 - any container
    """Return the items of a container; raise UsageError if it is not an ordered container."""
    try:
        return containers.items(values, name)
    except ValueError as reason:
        raise UsageError(str(reason), where=where, remedy="give a list, an array or a column") from None


def _document(text: Any, where: str) -> Document:  # noqa: ANN401 - checked here
    if isinstance(text, str):
        return Document(text.encode("utf-8", "replace"), where)
    try:
        sentences = containers.items(text, "text")
    except ValueError:
        sentences = [None]
    if all(isinstance(sentence, str) for sentence in sentences):
        return _document("\n".join(sentences), where)
    raise UsageError(
        f"not a text but {type(text).__name__}: {text!r:.60}", where=where, remedy="give a string"
    )
