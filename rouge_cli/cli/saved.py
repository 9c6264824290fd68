"""Scores of single evals for commands that compute with scores: saved ones, or those of texts.

What is saved is never scored again.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

import click

from rouge_cli import api, facts, files, folders, metrics, signature
from rouge_cli.cli import applicability, inputs, output, scoring
from rouge_cli.cli.declared import Command, Option, declare
from rouge_cli.core import Notice, Report
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.options import users_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


MEASURES = {"recall": "R", "precision": "P", "f": "F"}
# Of `score`: those that make scores of single evals.
UNUSED = {"samples", "confidence", "seed", "average"}
SCORING = tuple(name for name in scoring.NOTHING if name not in UNUSED)


def number(_: click.Context, parameter: click.Parameter, value: float) -> float:
    """The option's value; raises UsageError for nan, which no range excludes."""
    if isnan(value):
        raise UsageError(f"{parameter.opts[0]} nan", remedy="give a number")
    return value


OPTIONS: Sequence[Option] = (
    (("--measure",), {
        "type": click.Choice(list(MEASURES)), "default": "f", "metavar": "NAME",
        "help": "Where -m says none: f (default), recall, precision."}),
    (("--human", "humans"), {"multiple": True, "metavar": "ID", "help": "A system that is a person."}),
    (("--seed",), {
        "type": click.IntRange(0), "default": 0, "metavar": "N", "help": "Of all draws; 0 by default."}),
    (("--confidence",), {
        "type": click.FloatRange(0, 100, min_open=True, max_open=True), "default": 95.0, "callback": number,
        "metavar": "PERCENT", "help": "Level of the intervals; 95 by default."}),
    (("-o", "--output", "target"), {"metavar": "FILE", "help": "Write it there, all of it or nothing."}),
)  # fmt: skip


def options(command: Command) -> Command:
    """Give a command what all of these share."""
    return declare(command, OPTIONS)


def targets(given: Mapping[str, Any]) -> list[str | None]:
    """Return the files that a command line writes to."""
    return [given.get(name) for name in ("target", "plot", "plot_matrix")]


def report(given: Mapping[str, Any], notices: scoring.Notices) -> tuple[Report, list[tuple[str, str]]]:
    """The report of a command line's inputs, and the (label, R, P or F) that are asked of it.

    Raises UsageError for options of scoring where scores are saved already.
    """
    _check_measure(given)
    kinds = _kinds(given)
    if kinds:
        applicability.check("saved")
        output.check_targets(targets(given), given["inputs"])
        return _with_columns(_read(kinds, given, notices), given)
    return _with_columns(_scored(given, notices), given)


def of_file(
    path: str, given: Mapping[str, Any], notices: scoring.Notices
) -> tuple[Report, list[tuple[str, str]]]:
    """The same for one file of saved scores; raises RougeError where it is none."""
    from rouge_cli.reports import _saved

    _check_measure(given)
    kind = _saved.kind(path)
    if not kind:
        raise RougeError(
            "no saved scores",
            where=files.place(path),
            remedy="save them: rouge-cli score INPUT --per-eval --format json -o FILE",
        )
    return _with_columns(_read({path: kind}, given, notices), given)


def _check_measure(given: Mapping[str, Any]) -> None:
    """Raise UsageError for --measure if there is no label that it could complete."""
    written = scoring.divided(given["metrics"])
    if written and all(metrics.figure(word)[1] for word in written):
        applicability.check("figures named")


def _kinds(given: Mapping[str, Any]) -> dict[str, str]:
    """How each input is saved; nothing if they are to be scored."""
    from rouge_cli.reports import _saved

    if given.get("kind"):
        return {}
    kinds = {path: _saved.kind(path) for path in given["inputs"]}
    others = [path for path, kind in kinds.items() if not kind]
    if others and len(others) < len(kinds):
        raise UsageError(
            f"{others[0]} is no saved scores, as others are", remedy="score it first: --per-eval"
        )
    return {} if others else kinds


def _scored(given: Mapping[str, Any], notices: scoring.Notices) -> Report:
    if idle := UNUSED & scoring.values_set({**scoring.NOTHING, **given}).keys():
        raise UsageError(
            f"--set {min(idle)} has no effect on scores of single evals",
            remedy="leave it out; the tests have options of their own",
        )
    words = scoring.asked({**given, "samples": None, "confidence": None, "seed": None})
    words = words._replace(options={**words.options, "samples": 0})
    source = inputs.read(given, notices, words.expected)
    run = scoring.run(words, source.peer_ids)
    output.check_targets(targets(given), [*source.files, *source.paths(), *users_files(run.options)])
    return api.finished(*scoring.collected(run, source, words, notices, 1, None), notices)


def _read(kinds: Mapping[str, str], given: Mapping[str, Any], notices: scoring.Notices) -> Report:
    """What is saved of the systems that are asked for, in their order."""
    from rouge_cli.reports import _saved

    found = _joined({path: _saved.read(path, kind) for path, kind in kinds.items()}, notices)
    found = _renamed(found, inputs.renames(given["rename"]))
    if not given["system"]:
        return found
    scoring.check_systems(given["system"], _systems(found))
    order = {system: place for place, system in enumerate(given["system"])}
    kept = [result for result in found.results if result.peer_id in order]
    return found._replace(results=sorted(kept, key=lambda result: order[result.peer_id]))


def _renamed(found: Report, new_names: Mapping[str, str]) -> Report:
    """The report with other names for its systems; raises UsageError for names that do not fit it."""
    inputs.check_renames(new_names, _systems(found))
    results = [one._replace(peer_id=new_names.get(one.peer_id, one.peer_id)) for one in found.results]
    humans = [new_names.get(human, human) for human in found.details["humans"]]
    return found._replace(results=results, details={"humans": humans})


def _systems(found: Report) -> list[str]:
    return list(dict.fromkeys(result.peer_id for result in found.results))


def _with_columns(found: Report, given: Mapping[str, Any]) -> tuple[Report, list[tuple[str, str]]]:
    scoring.check_systems(given["humans"], _systems(found))
    asked = [metrics.figure(word) for word in scoring.divided(given["metrics"])]
    return found, _columns(found, asked, MEASURES[given["measure"]])


def _joined(reports: Mapping[str, Report], notices: scoring.Notices) -> Report:
    """Reports of several files as one; they should have been made in the same way."""
    owners: dict[tuple[str, str], str] = {}
    for path, one in reports.items():
        for result in one.results:
            before = owners.setdefault((result.peer_id, result.label), path)
            if before != path:
                raise RougeError(
                    f"{result.peer_id} has {result.label} in {before} too", where=path, remedy="rename one"
                )
    made = {path: _how(one.signature) for path, one in reports.items() if one.signature}
    first = next(iter(made), "")
    for path, fields in made.items():
        differing = [
            name for name in {**made[first], **fields} if made[first].get(name) != fields.get(name)
        ]
        if differing:
            notices(Notice(f"{path} was scored otherwise than {first}: other {', '.join(differing)}"))
    named = [one.details.get("humans") for one in reports.values()]
    humans = [human for several in named if isinstance(several, list) for human in several]
    results = [result for one in reports.values() for result in one.results]
    signed = next((one.signature for one in reports.values() if one.signature), "")
    return Report(results, signed, {"humans": list(map(str, humans))})


def _how(signed: str) -> dict[str, str]:
    """What a signature says of how scores were made, without what was found and how it was averaged."""
    skipped = {*facts.OF_DATA, "metrics", "samples", "confidence", "seed"}
    return {name: value for name, value in _fields(signed).items() if name not in skipped}


def _fields(signed: str) -> dict[str, str]:
    """The fields of a signature; a table that others made may have something else in its place."""
    try:
        return signature.parse(signed)
    except UsageError:
        return {}


def _columns(found: Report, asked: Sequence[tuple[str, str]], letter: str) -> list[tuple[str, str]]:
    labels = list(dict.fromkeys(result.label for result in found.results))
    if not labels:
        raise RougeError("no scores in the input")
    columns = []
    for name, own in asked or [(label, "") for label in labels]:
        label = name if name in labels else _label(name, found.signature)
        if label not in labels:
            raise UsageError(f"no {name} among the scores", remedy=folders.suggestion(name, labels))
        columns.append((label, own or letter))
    return list(dict.fromkeys(columns))


def _label(name: str, signed: str) -> str:
    """The label as the scores' dialect prints it."""
    label: str = api.chosen(_fields(signed).get("dialect", api.DIALECT)).parse(name).label
    return label
