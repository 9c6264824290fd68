"""`rouge-cli report`: a page in one HTML file, to be looked at and published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rouge_cli import api
from rouge_cli.cli import applicability, inputs, output, scoring
from rouge_cli.core import Document
from rouge_cli.errors import UsageError
from rouge_cli.options import users_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.core import Notice, Notify


@click.command("report")
@click.option("-o", "--output", "target", metavar="FILE", help="The page; required; - is stdout.")
@click.option("--title", default="ROUGE report", metavar="TEXT", help="Its heading.")
@click.option(
    "--evals", type=click.IntRange(0), default=300, metavar="N", help="Show texts of so many; 300."
)
@click.option("--source", metavar="COLUMN", help="Of jsonl, csv: the text that was summarized.")
@click.option("--human", metavar="FILE", help="Human scores, as correlate reads them.")
@click.option("--human-score", "measures", multiple=True, metavar="NAME", help="Its columns of scores.")
@click.option("--baseline", metavar="SYSTEM", help="Compare the others with it, and not all pairs.")
@click.option(
    "--trials", type=click.IntRange(1, 1_000_000), default=10_000, metavar="N", help="Of the tests."
)
@click.option("-j", "--jobs", type=click.IntRange(0, 1024), default=1, help="Processes; 0 for all cores.")
@inputs.options
@scoring.options()
def command(**given: Any) -> None:  # noqa: ANN401 - click's
    """\b
    Write scores, tests and texts as one HTML file that needs no network.
    Example: rouge-cli report run.jsonl -m R1,R2,RL --stem -o report.html
    """  # noqa: D205, D301, D415 - the help fits a screen; click's mark for lines to be kept
    from rouge_cli.studies.page import html

    if not given["target"]:
        raise UsageError("a page is a file", remedy="name it: -o report.html")
    html.check_library()
    applicability.check("" if given["human"] else "no human scores")
    notices = scoring.Notices(quiet=given["quiet"])
    told: list[Notice] = []

    def notify(notice: Notice) -> None:
        told.append(notice)
        notices(notice)

    with notices:
        words = scoring.asked(given)
        source = inputs.read(given, notify, words.expected)
        run = scoring.run(words, source.peer_ids)
        tasks = list(source.tasks)
        source = source._replace(tasks=tasks)
        read = [*source.files, *source.paths(), *users_files(run.options), *filter(None, [given["human"]])]
        output.check_targets([given["target"]], read)
        documents = _documents(given, notices)
        judgements = _judgements(given)
        run, collected = scoring.collected(run, source, words, notify, given["jobs"], None)
        report = api.finished(run, collected, notify)
        if given["baseline"] is not None:
            systems = list(dict.fromkeys(result.peer_id for result in report.results))
            scoring.check_systems([given["baseline"]], systems)
        from rouge_cli.studies.page.gather import gather
        from rouge_cli.studies.page.records import Material

        material = Material(
            tasks=tasks,
            run=run,
            report=report,
            columns=output.columns(report, words.columns, words.dialect),
            judgements=judgements,
            documents=documents,
            evals=given["evals"],
            trials=given["trials"],
            seed=given["seed"] or 0,
            baseline=given["baseline"],
            confidence=words.confidence,
        )
        watch = scoring.watch(quiet=given["quiet"], noun="steps of tests") or iter
        page = gather(material, told, notices, watch)
    output.write(html.render(page, given["title"]), given["target"])


def _documents(given: Mapping[str, Any], notify: Notify) -> Mapping[str, Document] | None:
    """Return eval -> the text that was summarized: the records read again, with it in the models' place."""
    if given["source"] is None:
        return None
    if not given["inputs"]:
        raise UsageError("--source without records", remedy="name INPUT with the column of sources")
    again = inputs.read({**given, "model_column": (given["source"],)}, notify)
    return {
        task.eval_id: text
        for task in again.tasks
        for _, text in task.models[:1]
        if isinstance(text, Document)
    }


def _judgements(given: Mapping[str, Any]) -> Sequence[Any]:
    if given["human"] is None:
        return ()
    from rouge_cli.tasks import judgements

    return judgements.read(given["human"], given["measures"])
