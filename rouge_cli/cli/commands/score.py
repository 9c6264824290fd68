"""`rouge-cli score`: one command from texts to a report."""

from __future__ import annotations

from itertools import chain
from typing import Any

import click

from rouge_cli import api, files
from rouge_cli.cli import applicability, depfile, inputs, output, scoring
from rouge_cli.options import users_files


@click.command("score")
@inputs.options
@scoring.options()
@output.options
@click.option("--depfile", metavar="FILE", help="Write a make rule for -o, of all files read.")
@click.option("-j", "--jobs", type=click.IntRange(0, 1024), default=1, help="Processes; 0 for all cores.")
@click.option("--scheduler", metavar="ADDRESS", help="Run on Dask's scheduler; local starts one.")
@click.option("--counts", is_flag=True, help="Write a part of a run, for rouge-cli merge.")
def command(**given: Any) -> None:  # noqa: ANN401 - click's
    """\b
    Score summaries (INPUT; `-` is stdin) against models, and say how it was done.
    Example: rouge-cli score --hyp a.txt --hyp b.txt --ref gold.txt -m R1,R2
    """  # noqa: D205, D301, D415 - the help fits a screen; click's mark for lines to be kept
    applicability.check(
        "counts" if given["counts"] else "",
        "" if given["output"] not in {None, files.STDIN} else "stdout",
        "scheduler" if given["scheduler"] else "",
    )
    output.check(given)
    if given["score_only"]:
        given["metrics"] = (given["score_only"],)
    words = scoring.asked(given)
    notices = scoring.Notices(quiet=words.quiet)
    with notices:
        source = inputs.read(given, notices, words.expected)
        run = scoring.run(words, source.peer_ids)
        if run.options.get("samples") == 0:
            applicability.check("no samples")
        sources = chain(source.files, source.paths(), users_files(run.options))
        output.check_targets([given["output"], given["depfile"]], sources)
        run, collected = scoring.collected(run, source, words, notices, given["jobs"], given["scheduler"])
        if given["counts"]:
            from rouge_cli.runs import parts

            output.write(
                "".join(parts.lines(run.dialect, {**run.options, **run.reading}, collected)),
                given["output"],
            )
        else:
            report = api.finished(run, collected, notices)
            output.show(report, given, words.columns, words.dialect, words.confidence)
    if given["depfile"]:
        paths = [*source.paths(), *users_files(run.options)]
        files.write(given["depfile"], depfile.depfile(given["output"], paths))
