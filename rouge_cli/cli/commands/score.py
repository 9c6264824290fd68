"""`rouge-cli score`: one command from texts to a report."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from rouge_cli import api, files, folders, reports
from rouge_cli.cli import depfile, inputs, scoring
from rouge_cli.errors import UsageError
from rouge_cli.reports import Layout

if TYPE_CHECKING:
    from rouge_cli.api import Results

SUFFIXES = {"md": "markdown", "tex": "latex", "txt": "text"}


@click.command("score")
@inputs.options
@scoring.options()
@click.option("--format", "output_format", metavar="NAME", help="text, classic, json, jsonl, csv, tsv, ...")
@click.option("-o", "--output", metavar="FILE", help="Write the report there, all of it or nothing.")
@click.option("--per-eval", is_flag=True, help="One row for each eval, system and metric.")
@click.option("--score-only", metavar="R2.F", help="Print nothing but this one figure.")
@click.option("--depfile", metavar="FILE", help="Write a make rule for -o: all files that were read.")
@click.option("--baseline", metavar="SYSTEM", help="Put this system first.")
@click.option("--digits", type=click.IntRange(0, 15), help="Decimals in tables.")
@click.option(
    "--scale", type=click.Choice(["1", "100"]), default="1", help="What scores are multiplied by."
)
def command(**given: Any) -> None:  # noqa: ANN401 - click's
    r"""Score summaries against models, and say how it was done.

    INPUT is settings XML, a file list, or jsonl, json, csv, tsv; `-` is stdin.

    \b
    Example: rouge-cli score --hyp a.txt --hyp b.txt --ref gold.txt -m R1 -m R2
    """
    if given["depfile"] and not given["output"]:
        raise UsageError("--depfile needs -o FILE, which its rule makes")
    if given["score_only"]:
        given["metrics"] = (given["score_only"],)
    words = scoring.asked(given)
    name, renderer = _format(given)
    notices = scoring.Notices(quiet=words.quiet)
    source = inputs.read(given, notices)
    report = scoring.scored(source, words, notices)
    if name == "classic" and source.peer_ids is None:  # its readers know systems in the order of their IDs
        report = report._replace(results=sorted(report.results, key=lambda result: result.peer_id))
    report = _first(report, given["baseline"])
    layout = Layout(
        columns=_columns(report, words),
        per_eval=given["per_eval"],
        digits=given["digits"] if given["digits"] is not None else 5 if given["scale"] == "1" else 3,
        scale=float(given["scale"]),
        confidence=words.confidence,
        ranks=len({result.peer_id for result in report.results}) > 1,
        terminal=name == "text" and not given["output"] and sys.stdout.isatty(),
        width=shutil.get_terminal_size().columns,
    )
    _write(renderer.render(report, layout), given["output"])
    if given["depfile"]:
        _depend(given, source)


def _format(given: dict[str, Any]) -> tuple[str, Any]:
    """The report's module, by name or by the output file's suffix."""
    name = given["output_format"]
    if given["score_only"]:
        name = "score_only"
    if name is None and given["output"]:
        suffix = given["output"].rpartition(".")[2]
        name = SUFFIXES.get(suffix, suffix)
        if name not in folders.names(reports.__name__):
            name = None
    name = name or "text"
    return name, folders.chosen(reports.__name__, name, "report format")


def _columns(report: Results, words: scoring.Asked) -> Sequence[tuple[str, str]]:
    """What a table shows: the figures that were asked for; F, where none was named."""
    labels = list(dict.fromkeys(result.label for result in report.results))
    parse = api.chosen(words.dialect).parse
    asked = [(parse(label).label, figure) for label, figure in words.columns]
    return [(label, figure or "F") for label, figure in asked or [(label, "") for label in labels]]


def _first(report: Results, system: str | None) -> Results:
    """The report with this system's results first."""
    if system is None:
        return report
    systems = list(dict.fromkeys(result.peer_id for result in report.results))
    if system not in systems:
        raise UsageError(f"no system {system!r} in the input", remedy=folders.suggestion(system, systems))
    ordered = sorted(report.results, key=lambda result: result.peer_id != system)
    return report._replace(results=ordered)


def _depend(given: dict[str, Any], source: inputs.Source) -> None:
    """Write the rule that makes the report again when a file that was read has changed."""
    paths = [path for path in (*source.files, given["stop_words"]) if path and path != files.STDIN]
    if isinstance(source.tasks, Sequence):
        for task in source.tasks:
            paths += task.paths(source.peer_ids or task.peers)
    files.write(given["depfile"], depfile.depfile(given["output"], paths))


def _write(text: str, output: str | None) -> None:
    if output:
        files.write(output, text)
    else:
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
