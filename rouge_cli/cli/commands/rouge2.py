"""`rouge-cli rouge2`: a project folder of ROUGE 2.0, scored and printed as its program does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar

import click

from rouge_cli import dialects
from rouge_cli.cli import inputs, output, rouge2_properties, scoring
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    argument,
    check_conflicts,
    flag,
    option,
    several,
    takes,
)
from rouge_cli.errors import UsageError
from rouge_cli.io import files
from rouge_cli.options import users_files
from rouge_cli.runs import assembly, parallel
from rouge_cli.signature import facts
from rouge_cli.text.survey import remarks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.core import EvalTask
    from rouge_cli.options import Options
    from rouge_cli.results.project import Project
    from rouge_cli.results.scores import Results

DIALECT = "rouge2"
# The program's own table, and this command's names for other formats.
PROGRAM = "rouge2"
ALIASES = {"table": "text", "csv": PROGRAM}


class ProjectOptions(OptionGroup):
    """A project, its settings, and the output."""

    conflicts: ClassVar = {
        Conflict.TAGGED: "tagger",
        Conflict.UNTAGGED: "tagger",
        Conflict.COMPATIBLE: "expand least_count",
        Conflict.NO_SYNONYMS: "expand least_count",
        Conflict.NO_WORDNET: "least_count",
    }
    folder: str | None = argument(required=False)
    properties: str | None = option(
        "--properties FILE", "Properties file.  [default: rouge.properties, if it exists]"
    )
    settings: tuple[str, ...] = several("-D KEY=VALUE", "Set a property, overriding the file; repeatable.")
    compatible: bool = flag("--compatible", "Use the definitions of the Java program, not the paper's.")
    tagged: bool = flag("--tagged", "The texts have tags: word_TAG.")
    tagger: str | None = option("--tagger NAME", "Part-of-speech tagger: embedded (default), nltk.")
    synonyms: tuple[str, ...] = several(
        "--synonyms FILE", "Dictionary of synonyms, or wordnet[:FOLDER]; repeatable."
    )
    expand: str | None = option(
        "--expand SIDE", "Side whose words have synonyms: both (default), peer, model."
    )
    least_count: int | None = option(
        "--least-count", "Least count of a sense in WordNet's samples; 0 for all.  [default: 1]", type=int
    )
    stop_words: str | None = option("--stop-words FILE", "Drop the words in FILE, one per line.")
    encoding: str = option("--encoding NAME", "Encoding of texts (default UTF-8).", default="utf-8")
    format: str | None = output.format_option("project")
    output: str | None = option("-o --output FILE", "Write the report to FILE, whole or not at all.")
    jobs: int = scoring.jobs_option()
    quiet: bool = flag("--quiet", "Print no notices on stderr.")


@click.command("rouge2")
@takes(ProjectOptions)
def command(options: ProjectOptions) -> None:
    """Score a project folder of ROUGE 2.0.

    FOLDER (default: the property project.dir) contains reference/ and system/, with files called
    TASK_NAME. --synonyms and --stop-words override the properties.

    Example: rouge-cli rouge2 project -D rouge.type=topic -D 'topic.type=nn|jj'
    """
    from rouge_cli.tasks import directories

    format_name = ALIASES.get(options.format or "", options.format)
    form = output.chosen_format("project", format_name, options.output)
    form = ALIASES.get(form, form)
    properties = _properties(options)
    rows = properties.rows(compatible=options.compatible)
    folder = options.folder or properties.text("project.dir")
    copy = properties.to_file(folder)
    values = {**properties.options(compatible=options.compatible), **_of_dialect(options)}
    run = assembly.set_up(DIALECT, values, None)
    _check(run.options)
    with Notices(quiet=options.quiet) as notices:
        properties.remark(notices, tagged=options.tagged)
        tasks = directories.read_project(
            folder, notices, encoding=options.encoding, without_references=options.compatible
        )
        sources = [*properties.files, *users_files(run.options), *inputs.paths(tasks)]
        output.check_targets([options.output, copy], sources)
        collected = parallel.collected(run.work, tasks, notices, jobs=options.jobs)
        # Tasks are shown one by one, so systems need not be in all of them.
        run = run._replace(reading=facts.reading((), options.encoding))
        report = assembly.make_report(run, collected, lambda _: None)
        for notice in remarks(report.details, run.options, needs_sentences=run.averages.needs_sentences):
            notices(notice)
        scored = _project(report, tasks, rows)
        if copy:
            files.write(copy, scored.to_rouge2())
        output.write_result(scored, form, options.output, **output.on_screen(options.output))


def _project(report: Results, tasks: Sequence[EvalTask], rows: Mapping[str, str]) -> Project:
    """Return the report with the other columns of the program's table."""
    from rouge_cli.results.project import Project, Topic
    from rouge_cli.tasks.directories import system_name

    parse = dialects.named(DIALECT).parse
    topics = [
        Topic(task.eval_id, {peer_id: system_name(peer_id) for peer_id in task.peers}, len(task.models))
        for task in tasks
    ]
    measures = {name: parse(label).label for name, label in rows.items()}
    return Project(*report[:3], topics, measures)


def _check(options: Options) -> None:
    """Raise UsageError for options of tags and synonyms without an effect."""
    synonyms = options["synonyms"]
    check_conflicts(
        {
            Conflict.TAGGED: options["tagger"] == "tagged",
            Conflict.UNTAGGED: options["tagger"] == "none",
            Conflict.COMPATIBLE: options["definition"] == "program",
            Conflict.NO_SYNONYMS: synonyms == "none",
            Conflict.NO_WORDNET: not synonyms.startswith(("none", "wordnet")),
        }
    )


def _properties(options: ProjectOptions) -> rouge2_properties.Properties:
    """Return the settings; naming a list or a dictionary with an option switches it on."""
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
    """Return the dialect's options from the command line, apart from the properties."""
    values = {
        "tagger": "tagged" if options.tagged else options.tagger,
        "expand": options.expand,
        "least_count": options.least_count,
        "synonyms": _synonyms(options.synonyms),
        "stop": f"file:{options.stop_words}" if options.stop_words else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _synonyms(sources: Sequence[str]) -> str | None:
    """Return the option's value for WordNet, a dictionary, or both."""
    databases = [source for source in sources if source.partition(":")[0] == "wordnet"]
    dictionaries = [f"file:{source.removeprefix('file:')}" for source in sources if source not in databases]
    if len(databases) > 1 or len(dictionaries) > 1:
        raise UsageError("--synonyms of one kind twice", remedy="name one WordNet, one dictionary, or both")
    return ",".join(databases + dictionaries) or None
