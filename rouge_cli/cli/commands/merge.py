"""`rouge-cli merge`: parts of a run, finished into one report."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click

from rouge_cli import api, facts, metrics, reports
from rouge_cli.cli import applicability, output, scoring
from rouge_cli.core import Average
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.runs import parts
from rouge_cli.text.tokenizers import check_tokenizer


@click.command("merge")
@click.argument("files", nargs=-1, required=True, metavar="PART...")
@click.option("-m", "--metric", "metrics_", multiple=True, metavar="LABEL[.RPF]", help="What tables show.")
@output.options
@click.option("--tokenizer", metavar="NAME", help="That of the parts, if it is MODULE:FUNC.")
@click.option("--quiet", is_flag=True, help="No notices on stderr.")
def command(files: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401 - click's
    """Finish parts of a run, written by `score --counts`, into one report.

    In the order of the parts, the report is that of a run in one piece, to the last byte.

    \b
    Example: rouge-cli merge monday.part tuesday.part -o report.json
    """  # noqa: D301 - click's mark for lines to be kept
    output.check(options)
    applicability.check("" if reports.is_table(output.form(options)) else "all metrics")
    output.check_targets([options["output"]], files)
    whole = parts.read(files)
    notices = scoring.Notices(quiet=options["quiet"])
    with notices:
        run = _run(whole, files[0], options["tokenizer"])
        report = api.finished(run, whole.collected, notices)
        for result in report.results:
            if isinstance(result.average, Average) and not all(
                isfinite(estimate.value) for estimate in result.average
            ):
                raise RougeError(f"counts of system {result.peer_id} that give no {result.label}")
        labels = [options["score_only"]] if options["score_only"] else scoring.divided(options["metrics_"])
        columns = [metrics.figure(label) for label in labels]
        confidence = f"{run.options.get('confidence', 95):.15g}"
        output.show(report, options, columns, whole.dialect, confidence)


def _run(whole: parts.Parts, path: str, tokenizer: str | None) -> api.Run:
    """Set up the run of the parts, the first of them at the path; raises RougeError for wrong options."""
    present = whole.options.get("tokenizer")
    check_tokenizer(present, tokenizer, path)
    if tokenizer not in {None, present}:
        raise UsageError(f"--tokenizer {tokenizer}", remedy=f"the parts were made with {present}")
    try:
        options, reading = facts.divided(whole.options)
        run = api.prepared(whole.dialect, options, None)._replace(reading=reading)
    except UsageError as error:  # the file's, not the command line's
        raise RougeError(error.what, where=error.where or path, remedy=error.remedy) from None
    if {**run.options, **run.reading} != whole.options:
        raise RougeError(
            "not the options of a run", where=path, remedy="write it again: rouge-cli score --counts"
        )
    return run
