"""`rouge-cli rouge2`: a project folder of ROUGE 2.0, scored and printed as its program does."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from rouge_cli import api, facts, files
from rouge_cli.cli import applicability, inputs, output, rouge2_properties, scoring
from rouge_cli.cli.declared import argument, option, takes
from rouge_cli.cli.output import ReportOptions
from rouge_cli.errors import UsageError
from rouge_cli.options import users_files
from rouge_cli.runs import parallel
from rouge_cli.runs.remarks import remarks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.api import Results
    from rouge_cli.core import EvalTask

DIALECT = "rouge2"
HEADER = "ROUGE-Type,Task Name,System Name,Avg_Recall,Avg_Precision,Avg_F-Score,Num Reference Summaries\n"
FORMATS = {"table": "text", "csv": "csv", "json": "json"}


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """A project, its settings, and how its scores are shown."""

    folder: str | None = argument(required=False)
    properties: str | None = option(
        "--properties", metavar="FILE", help="The settings.  [default: rouge.properties, if there]"
    )
    settings: tuple[str, ...] = option(
        "-D", default=(), metavar="KEY=VALUE", help="A setting; these win.  Repeat."
    )
    compatible: bool = option(
        "--compatible", default=False, help="The Java program's definitions, not the paper's."
    )
    tagged: bool = option("--tagged", default=False, help="Texts are written word_TAG.")
    tagger: str | None = option("--tagger", metavar="NAME", help="embedded (default) or nltk.")
    synonyms: tuple[str, ...] = option(
        "--synonyms", default=(), metavar="FILE", help="Groups of words; or wordnet[:FOLDER]. Repeat."
    )
    expand: str | None = option(
        "--expand", metavar="SIDE", help="Whose words have synonyms: both (default), peer, model."
    )
    least_count: int | None = option(
        "--least-count", type=int, help="Of WordNet's words; 0 for all.  [default: 1]"
    )
    stop_words: str | None = option(
        "--stop-words", metavar="FILE", help="Drop the words of a file, one a line."
    )
    encoding: str = option(
        "--encoding", default="utf-8", metavar="NAME", help="Of texts that are not UTF-8."
    )
    format: str = option("--format", default="table", type=click.Choice(list(FORMATS)), show_default=True)
    output: str | None = option(
        "-o", "--output", metavar="FILE", help="Write the report there, all of it or nothing."
    )
    jobs: int = option(
        "-j", "--jobs", default=1, type=click.IntRange(0, 1024), help="Processes; 0 for all cores."
    )
    quiet: bool = option("--quiet", default=False, help="No notices on stderr.")


@click.command("rouge2")
@takes(ProjectOptions)
def command(options: ProjectOptions) -> None:
    """Score a project folder of ROUGE 2.0.

    FOLDER holds reference/ and system/, with files called TASK_NAME; it is project.dir by default. A
    dictionary or a stop list that is named is used, whatever the properties say.

    Example: rouge-cli rouge2 project -D rouge.type=topic -D 'topic.type=nn|jj'
    """
    from rouge_cli.tasks import project

    properties = _properties(options)
    rows = properties.rows(compatible=options.compatible)
    folder = options.folder or properties.text("project.dir")
    copy = properties.to_file(folder)
    values = {**properties.options(compatible=options.compatible), **_of_dialect(options)}
    run = api.prepared(DIALECT, values, None)
    applicability.check(*_circumstances(run.options))
    notices = scoring.Notices(quiet=options.quiet)
    with notices:
        properties.remark(notices, tagged=options.tagged)
        tasks = project.read(
            folder, notices, encoding=options.encoding, without_references=options.compatible
        )
        sources = [*properties.files, *users_files(run.options), *inputs.paths(tasks)]
        output.check_targets([options.output, copy], sources)
        collected = parallel.collected(run.work, tasks, notices, jobs=options.jobs)
        # Each task is shown by itself, so that nobody minds systems that are not in all of them.
        run = run._replace(reading=facts.reading((), options.encoding))
        report = api.finished(run, collected, lambda _: None)
        for notice in remarks(report.details, run.averages.labels, run.options):
            notices(notice)
    table = "".join(_csv(report, tasks, rows))
    if copy:
        files.write(copy, table)
    if options.format == "csv":
        output.write(table, options.output)
    else:
        shown = ReportOptions(format=FORMATS[options.format], output=options.output, per_eval=True)
        output.show(report, shown, (), DIALECT, "95")


def _circumstances(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the circumstances under which options of tags and synonyms have no effect."""
    if options["tagger"] in ("none", "tagged"):
        yield "tagged" if options["tagger"] == "tagged" else "untagged"
    if options["definition"] == "program":
        yield "program"
    if options["synonyms"] == "none":
        yield "no synonyms"
    elif not options["synonyms"].startswith("wordnet"):
        yield "no WordNet"


def _properties(options: ProjectOptions) -> rouge2_properties.Properties:
    """Return the settings; what an option names is switched on by it."""
    path = options.properties
    if path is None and os.path.exists(rouge2_properties.FILE):
        path = rouge2_properties.FILE
    switched = {"stopwords.use": options.stop_words, "synonyms.use": options.synonyms}
    settings = [*options.settings, *(f"{name}=true" for name, value in switched.items() if value)]
    properties = rouge2_properties.read(path, settings)
    if options.folder is None and not properties.has("project.dir"):
        raise UsageError(
            "nothing to score", remedy=f"name FOLDER, or set project.dir in {rouge2_properties.FILE}"
        )
    return properties


def _of_dialect(options: ProjectOptions) -> dict[str, object]:
    """Return what the command line asks of the dialect beside the properties."""
    values = {
        "tagger": "tagged" if options.tagged else options.tagger,
        "expand": options.expand,
        "least_count": options.least_count,
        "synonyms": _synonyms(options.synonyms),
        "stop": f"file:{options.stop_words}" if options.stop_words else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _synonyms(sources: Sequence[str]) -> str | None:
    """The option's value for WordNet, a dictionary, or both."""
    databases = [one for one in sources if one.partition(":")[0] == "wordnet"]
    dictionaries = [f"file:{one.removeprefix('file:')}" for one in sources if one not in databases]
    if len(databases) > 1 or len(dictionaries) > 1:
        raise UsageError("--synonyms of one kind twice", remedy="give one WordNet, one dictionary, or both")
    return ",".join(databases + dictionaries) or None


def _csv(report: Results, tasks: Sequence[EvalTask], rows: Mapping[str, str]) -> Iterator[str]:
    """The program's table, byte for byte but for the order of rows, which it does not define."""
    from rouge_cli.tasks.project import system_name

    parse = api.chosen(DIALECT).parse
    scores = {
        (one.eval_id, result.peer_id, result.label): one.score or ()
        for result in report.results
        for one in result.evals
    }
    yield HEADER
    for task in tasks:
        for name, label in rows.items():
            for peer_id in task.peers:
                figures = scores[task.eval_id, peer_id, parse(label).label]
                printed = ",".join(f"{figure:.5f}".replace("nan", "NaN") for figure in figures)
                system = system_name(peer_id).upper()
                yield f"{name},{task.eval_id},{system},{printed},{len(task.models)}\n"
            yield "\n"
