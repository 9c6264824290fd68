"""Parts of a run, written and read: what scoring some of its tasks gave, one line of JSON an eval's result.

    {"schema": "rouge-cli counts 1", "dialect": "rouge155", "options": {...}, "evals": 2, ...}
    {"eval": "1", "system": "a", "metric": "ROUGE-1", "model": 6, "peer": 5, "match": 4, ...}

Numbers are written so that they read back to the last bit; parts add up to what one run gives.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import files
from rouge_cli.core import Column, Counts, EvalResult, Score
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.evaluation import Collected, together

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SCHEMA = "rouge-cli counts 1"
COUNTS = ("model", "peer", "match", "rank", "peer_match")
FIGURES = ("recall", "precision", "f")


class Parts(NamedTuple):
    """What several files hold together: the dialect, its options, and what was collected."""

    dialect: str
    options: Mapping[str, Any]
    collected: Collected


def lines(dialect: str, options: Mapping[str, Any], collected: Collected) -> Iterator[str]:
    """The file's lines, with their ends."""
    columns, evals, models, details = collected
    head = {"schema": SCHEMA, "dialect": dialect, "options": options}
    yield json.dumps({**head, "evals": evals, "models": list(models), "details": details}) + "\n"
    for (peer_id, label), column in columns.items():
        for one in column:
            record: dict[str, Any] = {"eval": one.eval_id, "system": peer_id, "metric": label}
            record.update(zip(COUNTS, one.counts, strict=True))
            record.update(zip(FIGURES, one.score or (), strict=False))
            yield json.dumps(record) + "\n"


def read(paths: Sequence[str]) -> Parts:
    """The parts in these files, in this order, as one.

    Raises RougeError for what is no such file, and for an eval that a system has in two of them; UsageError
    for parts of runs with other options.
    """
    found = [_read(path) for path in paths]
    first = found[0]
    for path, one in zip(paths, found, strict=True):
        if one[:2] != first[:2]:
            raise UsageError(
                f"{path} was made with other options than {paths[0]}: {_difference(first, one)}",
                remedy="merge parts of one run",
            )
    _check_evals(paths, found)
    return first._replace(collected=together(one.collected for one in found))


def _read(path: str) -> Parts:
    columns: dict[tuple[str, str], Column] = {}
    head: Mapping[str, Any] = {}
    for number, line in files.lines(path, "part of a run"):
        where = f"{files.place(path)}:{number}"
        try:
            record = json.loads(line)
            if not head:
                head = _head(record, where)
                continue
            counts = Counts(*(record[name] for name in COUNTS))
            score = Score(*(record[name] for name in FIGURES)) if "f" in record else None
            column = columns.setdefault((record["system"], record["metric"]), Column())
            column.append(EvalResult(record["eval"], counts, score))
        except (KeyError, TypeError, ValueError) as error:
            raise RougeError(f"no line of a part: {error!r:.80}", where=where) from None
    if not head:
        raise RougeError("no part of a run: it is empty", where=files.place(path))
    options = {
        name: tuple(value) if isinstance(value, list) else value for name, value in head["options"].items()
    }
    collected = Collected(columns, head["evals"], head["models"], head["details"])
    return Parts(head["dialect"], options, collected)


def _head(record: Any, where: str) -> Mapping[str, Any]:  # noqa: ANN401 - any JSON
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise RougeError(
            f"no part of a run (its schema is not {SCHEMA!r})",
            where=where,
            remedy="parts are written by rouge-cli score --counts",
        )
    return record


def _difference(one: Parts, other: Parts) -> str:
    if one.dialect != other.dialect:
        return f"dialect {other.dialect}, not {one.dialect}"
    names = [name for name in one.options if one.options[name] != other.options.get(name)]
    return ", ".join(f"{name} {other.options.get(name)}, not {one.options[name]}" for name in names)


def _check_evals(paths: Sequence[str], found: Sequence[Parts]) -> None:
    seen: dict[tuple[str, str, str], int] = {}
    for place, one in enumerate(found):
        for key, column in one.collected.columns.items():
            for eval_id in column.ids:
                before = seen.setdefault((*key, eval_id), place)
                if before != place:
                    raise RougeError(
                        f"eval {eval_id} of system {key[0]} is in {paths[before]} too",
                        where=paths[place],
                        remedy="give evals IDs of their own (--id-column) before the input is divided",
                    )
