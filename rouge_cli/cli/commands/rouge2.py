"""`rouge-cli rouge2`: a project folder of ROUGE 2.0, scored and printed as its program does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from rouge_cli import api, facts, files
from rouge_cli.cli import applicability, inputs, output, rouge2_properties, scoring
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
# What `score` can do to a report besides.
NOTHING: Mapping[str, Any] = {"score_only": None, "baseline": None, "digits": None, "scale": "1"}
# Properties that an option switches on.
SWITCHES = {"stopwords.use": "stop_words", "synonyms.use": "synonyms"}
FORMATS = {"table": "text", "csv": "csv", "json": "json"}


@click.command("rouge2")
@click.argument("folder", required=False)
@click.option("--properties", metavar="FILE", help="The settings.  [default: rouge.properties, if there]")
@click.option("-D", "given", multiple=True, metavar="KEY=VALUE", help="A setting; these win.  Repeat.")
@click.option("--compatible", is_flag=True, help="The Java program's definitions, not the paper's.")
@click.option("--tagged", is_flag=True, help="Texts are written word_TAG.")
@click.option("--tagger", metavar="NAME", help="embedded (default) or nltk.")
@click.option(
    "--synonyms", multiple=True, metavar="FILE", help="Groups of words; or wordnet[:FOLDER]. Repeat."
)
@click.option("--expand", metavar="SIDE", help="Whose words have synonyms: both (default), peer, model.")
@click.option("--least-count", type=int, help="Of WordNet's words; 0 for all.  [default: 1]")
@click.option("--stop-words", metavar="FILE", help="Drop the words of a file, one a line.")
@click.option("--encoding", default="utf-8", metavar="NAME", help="Of texts that are not UTF-8.")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="table", show_default=True)
@click.option("-o", "--output", metavar="FILE", help="Write the report there, all of it or nothing.")
@click.option("-j", "--jobs", type=click.IntRange(0, 1024), default=1, help="Processes; 0 for all cores.")
@click.option("--quiet", is_flag=True, help="No notices on stderr.")
def command(folder: str | None, **asked: Any) -> None:  # noqa: ANN401 - click's
    """Score a project folder of ROUGE 2.0.

    FOLDER holds reference/ and system/, with files called TASK_NAME; it is project.dir by default. A
    dictionary or a stop list that is named is used, whatever the properties say.

    Example: rouge-cli rouge2 project -D rouge.type=topic -D 'topic.type=nn|jj'
    """
    from rouge_cli.tasks import project

    compatible = asked["compatible"]
    properties = _properties(folder, asked)
    rows = properties.rows(compatible=compatible)
    project_folder = folder or properties.text("project.dir")
    copy = properties.to_file(project_folder)
    run = api.prepared(DIALECT, {**properties.options(compatible=compatible), **_options(asked)}, None)
    applicability.check(*_circumstances(run.options))
    notices = scoring.Notices(quiet=asked["quiet"])
    with notices:
        properties.remark(notices, tagged=asked["tagged"])
        tasks = project.read(
            project_folder,
            notices,
            encoding=asked["encoding"],
            without_references=compatible,
        )
        sources = [*properties.files, *users_files(run.options), *inputs.paths(tasks)]
        output.check_targets([asked["output"], copy], sources)
        found = parallel.collected(run.work, tasks, notices, jobs=asked["jobs"])
        # Each task is shown by itself, so that nobody minds systems that are not in all of them.
        run = run._replace(reading=facts.reading((), asked["encoding"]))
        report = api.finished(run, found, lambda _: None)
        for notice in remarks(report.details, run.options, needs_sentences=run.averages.needs_sentences):
            notices(notice)
    table = "".join(_csv(report, tasks, rows))
    if copy:
        files.write(copy, table)
    if asked["form"] == "csv":
        output.write(table, asked["output"])
    else:
        shown = {"output_format": FORMATS[asked["form"]], "output": asked["output"], "per_eval": True}
        output.show(report, {**NOTHING, **shown}, (), DIALECT, "95")


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


def _properties(folder: str | None, asked: Mapping[str, Any]) -> rouge2_properties.Properties:
    """The settings; what an option names is switched on by it."""
    path = asked["properties"]
    if path is None and os.path.exists(rouge2_properties.FILE):
        path = rouge2_properties.FILE
    switched = [f"{name}=true" for name, option in SWITCHES.items() if asked[option]]
    properties = rouge2_properties.read(path, [*asked["given"], *switched])
    if folder is None and not properties.has("project.dir"):
        raise UsageError(
            "nothing to score", remedy=f"name FOLDER, or set project.dir in {rouge2_properties.FILE}"
        )
    return properties


def _options(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the command line asks of the dialect beside the properties."""
    options = {
        "tagger": "tagged" if asked["tagged"] else asked["tagger"],
        "expand": asked["expand"],
        "least_count": asked["least_count"],
        "synonyms": _synonyms(asked["synonyms"]),
        "stop": f"file:{asked['stop_words']}" if asked["stop_words"] else None,
    }
    return {name: value for name, value in options.items() if value is not None}


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
