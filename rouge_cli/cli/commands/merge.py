"""`rouge-cli merge`: parts of a run, finished into one report."""

from __future__ import annotations

from typing import Any

import click

from rouge_cli import api, metrics, parts
from rouge_cli.cli import applicability, output, scoring

TABLES = ("text", "markdown", "latex")


@click.command("merge")
@click.argument("files", nargs=-1, required=True, metavar="PART...")
@click.option("-m", "--metric", "metrics_", multiple=True, metavar="LABEL[.RPF]", help="What tables show.")
@output.options
@click.option("--quiet", is_flag=True, help="No notices on stderr.")
def command(files: tuple[str, ...], **given: Any) -> None:  # noqa: ANN401 - click's
    """Finish parts of a run, written by `score --counts`, into one report.

    In the order of the parts, the report is that of a run in one piece, to the last byte.

    \b
    Example: rouge-cli merge monday.part tuesday.part -o report.json
    """  # noqa: D301 - click's mark for lines to be kept
    output.check(given)
    applicability.check("all metrics" if output.form(given) not in TABLES else "")
    output.check_targets([given["output"]], files)
    found = parts.read(files)
    notices = scoring.Notices(quiet=given["quiet"])
    with notices:
        run = api.prepared(found.dialect, found.options, None)
        report = api.finished(run, found.collected, notices)
        written = [given["score_only"]] if given["score_only"] else scoring.divided(given["metrics_"])
        columns = [metrics.figure(label) for label in written]
        confidence = f"{found.options.get('confidence', 95):.15g}"
        output.show(report, given, columns, found.dialect, confidence)
