"""`rouge-cli audit`: one input under every dialect, and why the scores differ."""

from __future__ import annotations

from typing import Any

import click

from rouge_cli import reports
from rouge_cli.cli import applicability, inputs, output, saved, scoring
from rouge_cli.errors import RougeError


@click.command("audit")
@inputs.options
@click.option("--stem", is_flag=True, help="Each dialect with its own stemmer.")
@click.option("--sentences", metavar="HOW", default="newline", help="As for score: mark:<q>, split, none.")
@click.option(
    "--threshold", type=float, callback=saved.number, default=0.001, show_default=True,
    help="Least difference in F.",
)  # fmt: skip
@click.option(
    "--all", "every", is_flag=True, help=f"Every eval that differs, not only the first {output.SHOWN}."
)
@output.format_option("audit")
@click.option("-o", "--output", "target", metavar="FILE", help="Write the report there.")
def command(**given: Any) -> None:  # noqa: ANN401 - click's
    """Score one input by every dialect, and say why the scores differ.

    The answer to "why is my ROUGE not your ROUGE".

    Example: rouge-cli audit --hyp a.txt --ref gold.txt --stem
    """
    from rouge_cli.studies.audit import audit, settings

    form = output.chosen_format("audit", given["form"], given["target"])
    applicability.check("" if reports.is_table(form) else "everything shown")
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
    layout = reports.Layout(most=None if given["every"] else output.SHOWN)
    output.write_result(found, form, layout, given["target"])
