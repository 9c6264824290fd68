"""`rouge-cli audit`: one input under every dialect, and why the scores differ."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from rouge_cli.cli import applicability, inputs, output, saved, scoring
from rouge_cli.errors import RougeError
from rouge_cli.results._tables import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.api import Results
    from rouge_cli.studies.audit import Audit, Difference

SHOWN = 20
REGULAR = "rouge155 --irregular none"


@click.command("audit")
@inputs.options
@click.option("--stem", is_flag=True, help="Each dialect with its own stemmer.")
@click.option("--sentences", metavar="HOW", default="newline", help="As for score: mark:<q>, split, none.")
@click.option(
    "--threshold", type=float, callback=saved.number, default=0.001, show_default=True,
    help="Least difference in F.",
)  # fmt: skip
@click.option("--all", "every", is_flag=True, help=f"Every eval that differs, not only the first {SHOWN}.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-o", "--output", "target", metavar="FILE", help="Write the report there.")
def command(**given: Any) -> None:  # noqa: ANN401 - click's
    """Score one input by every dialect, and say why the scores differ.

    The answer to "why is my ROUGE not your ROUGE".

    Example: rouge-cli audit --hyp a.txt --ref gold.txt --stem
    """
    from rouge_cli.studies.audit import audit, settings

    applicability.check("everything shown" if given["form"] == "json" else "")
    notices = scoring.Notices(quiet=False)
    with notices:
        source = inputs.read(given, notices)
        output.check_targets([given["target"]], [*source.files, *source.paths()])
        tasks = list(source.tasks)
        if source.peer_ids:
            scoring.check_systems(
                source.peer_ids, sorted({peer_id for task in tasks for peer_id in task.peers})
            )
            tasks = [
                task._replace(peers={one: task.peers[one] for one in source.peer_ids if one in task.peers})
                for task in tasks
            ]
        if not tasks:
            raise RougeError("nothing to score: the input has no eval")
        asked = settings(stem=given["stem"], sentences=given["sentences"])
        found = audit(tasks, asked, given["threshold"], notices)
    most = len(found.differences) if given["every"] else SHOWN
    output.write(_json(found) if given["form"] == "json" else "".join(_lines(found, most)), given["target"])


def _lines(found: Audit, most: int) -> Iterator[str]:
    """The averages side by side, then the evals that differ, each with its reasons."""
    from rouge_cli.studies.audit import MEASURES, RELEASE

    labels = {setting.dialect: setting.labels for setting in found.settings}
    columns = [(name, report.to_dict(), labels[name]) for name, report in found.reports.items()]
    columns += [(name, report.to_dict(), labels[RELEASE]) for name, report in _regular(found).items()]
    peers = list(columns[0][1])
    names = {peer: visible(peer) for peer in peers}
    width = max((len(f"{names[peer]}  {measure}") for peer in peers for measure in MEASURES), default=0)
    yield f"{'mean F':<{width}}" + "".join(f"  {name:>8}" for name, *_ in columns) + "\n"
    for peer in peers:
        for measure in MEASURES:
            cells = ""
            for name, averages, names_of_measures in columns:
                score = averages[peer].get(names_of_measures.get(measure, ""))
                cell = f"{score['f']:.5f}" if score else "-"
                cells += f"  {cell:>{max(8, len(name))}}"
            yield f"{f'{names[peer]}  {measure}':<{width}}{cells}\n"
    yield f"\nevals that differ: {len(found.differences)}\n"
    for one in found.differences[:most]:
        yield from _difference(one)
    if len(found.differences) > most:
        yield f"... and {len(found.differences) - most} more (--all)\n"
    reports = {**found.reports, **_regular(found)}
    yield from (f"{name}: {visible(report.signature)}\n" for name, report in reports.items())


def _regular(found: Audit) -> dict[str, Results]:
    return {REGULAR: found.regular} if found.regular else {}


def _difference(one: Difference) -> Iterator[str]:
    scores = ", ".join(
        f"{dialect} {result.score.f:.5f}" for dialect, result in one.scores.items() if result.score
    )
    yield f"eval {visible(one.eval_id)}, {visible(one.peer_id)}, {one.measure}: {scores}\n"
    for reason in one.reasons:
        yield f"    {visible(reason)}\n"


def _json(found: Audit) -> str:
    record = {
        "schema": "rouge-cli audit 1",
        "signatures": {dialect: report.signature for dialect, report in found.reports.items()},
        "averages": {dialect: report.to_dict() for dialect, report in found.reports.items()},
        "variants": {
            name: {"signature": report.signature, "averages": report.to_dict()}
            for name, report in _regular(found).items()
        },
        "differences": [
            {
                "eval": one.eval_id,
                "system": one.peer_id,
                "measure": one.measure,
                "scores": {
                    dialect: result.score._asdict()
                    for dialect, result in one.scores.items()
                    if result.score
                },
                "reasons": list(one.reasons),
            }
            for one in found.differences
        ],
    }
    return json.dumps(record, indent=1) + "\n"
