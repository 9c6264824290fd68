"""`rouge-cli score`: one command from texts to a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from rouge_cli import api, files
from rouge_cli.cli import depfile, inputs, output, scoring
from rouge_cli.core import Document
from rouge_cli.errors import UsageError
from rouge_cli.options import users_files


@click.command("score")
@inputs.options
@scoring.options()
@output.options
@click.option("--depfile", metavar="FILE", help="Write a make rule for -o, of all files read.")
@click.option("-j", "--jobs", type=click.IntRange(0), default=1, help="Processes; 0 for all cores.")
@click.option("--scheduler", metavar="ADDRESS", help="Run on Dask's scheduler; local starts one.")
@click.option("--counts", is_flag=True, help="Write a part of a run, for rouge-cli merge.")
def command(**given: Any) -> None:  # noqa: ANN401 - click's
    """Score summaries against models, and say how it was done.

    INPUT is settings XML, a file list, or jsonl, json, csv, tsv; `-` is stdin.

    \b
    Example: rouge-cli score --hyp a.txt --hyp b.txt --ref gold.txt -m R1,R2
    """  # noqa: D301 - click's mark for lines to be kept
    if given["depfile"] and not given["output"]:
        raise UsageError("--depfile needs -o FILE, which its rule makes")
    if given["score_only"]:
        given["metrics"] = (given["score_only"],)
    words = scoring.asked(given)
    output.form(given)  # a name that is none is said before anything is scored
    notices = scoring.Notices(quiet=words.quiet)
    with scoring.told(notices):
        source = inputs.read(given, notices)
        run = scoring.run(words, source.peer_ids)
        collected = scoring.collected(run, source, words, notices, given["jobs"], given["scheduler"])
        if given["counts"]:
            from rouge_cli import parts

            output.write("".join(parts.lines(run.dialect, run.options, collected)), given["output"])
        else:
            report = api.finished(run, collected, notices)
            scoring.remark(report, run, notices)
            output.show(report, given, words.columns, words.dialect, words.confidence)
    if given["depfile"]:
        _depend(given, source, run)


def _depend(given: dict[str, Any], source: inputs.Source, run: api.Run) -> None:
    """Write the rule that makes the report again when a file that was read has changed."""
    paths = [path for path in source.files if path != files.STDIN]
    paths += users_files(run.options)
    if isinstance(source.tasks, Sequence):
        for task in source.tasks:
            asked = (task.peers.get(peer_id) for peer_id in source.peer_ids or task.peers)
            texts = [text for text in (*asked, *(model for _, model in task.models)) if text]
            paths += [text.where if isinstance(text, Document) else text for text in texts]
    files.write(given["depfile"], depfile.depfile(given["output"], paths))
