"""`rouge-cli rouge2`: score a project folder of ROUGE 2.0, and print the scores as its program does."""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

import click

from rouge_cli import dialects, plugins
from rouge_cli.cli import inputs, output, scoring
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
from rouge_cli.core import Notice
from rouge_cli.errors import RougeError, UsageError, all_of
from rouge_cli.io import files
from rouge_cli.options import users_files
from rouge_cli.runs import assembly, parallel
from rouge_cli.signature import facts
from rouge_cli.text.survey import remarks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rouge_cli.core import EvalTask, Notify
    from rouge_cli.options import Options
    from rouge_cli.results.scores import Project, Results


DIALECT = "rouge2"
# The format of the program's own table, and this command's other names of formats.
PROGRAM = "rouge2"
ALIASES = {"table": "text", "csv": PROGRAM}


class ProjectOptions(OptionGroup):
    """The project, its properties, and the output."""

    conflicts: ClassVar = {
        Conflict.TAGGED: "tagger",
        Conflict.UNTAGGED: "tagger",
        Conflict.COMPATIBLE: "expand least_count",
        Conflict.NO_SYNONYMS: "expand least_count",
        Conflict.NO_WORDNET: "least_count",
    }
    folder: str | None = argument(required=False)
    properties: str | None = option(
        "--properties FILE", "Properties file (default: rouge.properties, if it exists)."
    )
    settings: tuple[str, ...] = several("-D KEY=VALUE", "Set a property, overriding the file; repeatable.")
    compatible: bool = flag("--compatible", "Use the Java program's definitions, not the paper's.")
    tagged: bool = flag("--tagged", "Read part-of-speech tags in the texts: word_TAG.")
    tagger: str | None = option("--tagger NAME", "Part-of-speech tagger: embedded (default), nltk.")
    synonyms: tuple[str, ...] = several(
        "--synonyms FILE", "Dictionary of synonyms, or wordnet[:FOLDER]; repeatable."
    )
    expand: str | None = option("--expand SIDE", "Add synonyms to: both (default), prediction, reference.")
    least_count: int | None = option(
        "--least-count N", "Least uses of a WordNet sense (default 1; 0: all).", type=int
    )
    stop_words: str | None = option("--stop-words FILE", "Drop the words in FILE, one per line.")
    encoding: str = option("--encoding NAME", "Encoding of texts (default UTF-8).", default="utf-8")
    format: str | None = output.format_option("project")
    output: str | None = option("-o --output FILE", "Write the report to FILE, whole or not at all.")
    jobs: int = scoring.jobs_option()
    quiet: bool = flag("--quiet", "Print no warnings.")


@click.command("rouge2")
@takes(ProjectOptions)
def command(options: ProjectOptions) -> None:
    """Score a project folder of ROUGE 2.0.

    FOLDER (default: the property project.dir) contains reference/ and system/, with files named
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
        # The table shows tasks one by one, so it is not worth a warning if a system lacks some of them.
        run = run._replace(reading=facts.reading((), options.encoding))
        report = assembly.make_report(run, collected, lambda _: None)
        for notice in remarks(report.details, run.options, needs_sentences=run.averages.needs_sentences):
            notices(notice)
        scored = _project(report, tasks, rows)
        if copy:
            files.write(copy, scored.to_rouge2())
        output.write_result(scored, form, options.output, **output.on_screen(options.output))


def _project(report: Results, tasks: Sequence[EvalTask], rows: Mapping[str, str]) -> Project:
    """Return the report with the further columns of the program's table."""
    from rouge_cli.results.scores import Project, Topic
    from rouge_cli.tasks.directories import system_name

    parse = dialects.named(DIALECT).parse
    topics = [
        Topic(
            task.eval_id, {system: system_name(system) for system in task.predictions}, len(task.references)
        )
        for task in tasks
    ]
    measures = {name: parse(label).label for name, label in rows.items()}
    return Project(*report[:3], topics, measures)


def _check(options: Options) -> None:
    """Raise UsageError for options of tags and synonyms that have no effect."""
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


def _properties(options: ProjectOptions) -> Properties:
    """Return the properties; --stop-words and --synonyms also switch their use on."""
    path = options.properties
    if path is None and os.path.exists(FILE):
        path = FILE
    switched = {"stopwords.use": options.stop_words, "synonyms.use": options.synonyms}
    settings = [*options.settings, *(f"{name}=true" for name, value in switched.items() if value)]
    properties = read(path, settings)
    if options.folder is None and not properties.has("project.dir"):
        raise UsageError("nothing to score", remedy=f"name FOLDER, or set project.dir in {FILE}")
    return properties


def _of_dialect(options: ProjectOptions) -> dict[str, object]:
    """Return the dialect's options that the command line sets, apart from the properties."""
    values = {
        "tagger": "tagged" if options.tagged else options.tagger,
        "expand": options.expand,
        "least_count": options.least_count,
        "synonyms": _synonyms(options.synonyms),
        "stop": f"file:{options.stop_words}" if options.stop_words else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _synonyms(sources: Sequence[str]) -> str | None:
    """Return the dialect's option for WordNet, a dictionary, or both."""
    databases = [source for source in sources if source.partition(":")[0] == "wordnet"]
    dictionaries = [f"file:{source.removeprefix('file:')}" for source in sources if source not in databases]
    if len(databases) > 1 or len(dictionaries) > 1:
        raise UsageError(
            "--synonyms names two of a kind", remedy="name one WordNet, one dictionary, or both"
        )
    return ",".join(databases + dictionaries) or None


T = TypeVar("T")

FILE = "rouge.properties"
# The defaults of the program; the last four are this package's.
DEFAULTS: Mapping[str, str] = {
    "project.dir": "projects",
    "rouge.type": "normal",
    "ngram": "1",
    "beta": "1.0",
    "stopwords.use": "false",
    "topic.type": "nn",
    "synonyms.use": "false",
    "stemmer.use": "false",
    "stemmer.name": "englishStemmer",
    "output": "console",
    "outputFile": "results.txt",
    "stopwords.file": "",
    "synonyms.dir": "",
    "pos_tagger_name": "",
}
NORMAL, TOPIC, TOPIC_ONCE, ONCE = TYPES = ("normal", "topic", "topicUniq", "normalCompressed")
_ITEM = re.compile(r"L|SU?\d+|[1-9]\d*", re.IGNORECASE)


class PropertyValue(NamedTuple):
    """A property's value, and how to report that it is invalid."""

    value: str
    where: str = ""  # the line or the option that sets it
    error: type[RougeError] = RougeError


class Properties:
    """The properties of a run, from a file and from the command line."""

    def __init__(self, settings: Mapping[str, PropertyValue], path: str | None = None) -> None:
        self._settings = settings
        self.files = [path] if path is not None else []

    def has(self, name: str) -> bool:
        """Return True if the property is set."""
        return name in self._settings

    def text(self, name: str) -> str:
        """Return the value as written, without blanks around it; the default if it is not set."""
        return self._settings[name].value.strip() if name in self._settings else DEFAULTS[name]

    def truth(self, name: str) -> bool:
        """Return the value as a bool; raise RougeError unless it is true or false, in any case."""
        return self._one_of(name, {"true": True, "false": False}, self.text(name).lower())

    def to_file(self, project: str) -> str | None:
        """Return the output file, or None for stdout only.

        Raises:
            RougeError: A properties file names an output file that is neither in the project's folder nor
                in the folder of the properties.
        """
        writes_file = self._one_of("output", {"file": True, "console": False}, self.text("output").lower())
        target = self.text("outputFile")
        if writes_file and not target:
            raise self._wrong("outputFile", "name a file")
        setting = self._settings.get("outputFile") or self._settings.get("output")
        if writes_file and setting and setting.error is not UsageError:
            folders = [os.path.realpath(path) for path in (project, *map(os.path.dirname, self.files))]
            files.check_target(target)
            path = os.path.realpath(target)
            if not any(os.path.commonpath([path, folder]) == folder for folder in folders):
                raise RougeError(
                    f"outputFile {target!r} is outside of the project",
                    where=setting.where,
                    remedy=f"allow it with -D outputFile={target}, or name a file in {project}",
                )
        return target if writes_file else None

    def kind(self) -> str:
        """Return `rouge.type`, one of TYPES."""
        types = {kind.lower(): kind for kind in TYPES}
        return self._one_of("rouge.type", types, self.text("rouge.type").lower())

    def _items(self) -> Sequence[str]:
        """Return the items of `ngram` as written; raise RougeError for an invalid item."""
        items = [item.strip() for item in self.text("ngram").split(",")]
        all_of(partial(self._check_item, item) for item in items)
        return list(dict.fromkeys(items))

    def beta(self) -> float:
        """Return F's beta; raise RougeError unless it is a number of 0 or more."""
        try:
            beta = float(self.text("beta"))
        except ValueError:
            beta = -1.0
        if not 0 <= beta < float("inf"):
            raise self._wrong("beta", "give a number of 0 or more; 1 weighs recall and precision alike")
        return beta

    def rows(self, *, compatible: bool) -> Mapping[str, str]:
        """Return the rows of a system: the program's name of the metric -> its label.

        The label of `ROUGE-1-topic+Synonyms` is `ROUGE-Topic{NN}+Synonyms`.

        Args:
            compatible: For topics, return a row for every item of `ngram`, as the program does. The rows
                have the same scores; without this, there is one row (QUIRKS 49).
        """
        flags = (("StopWordRemoval", "stopwords"), ("Stemming", "stemmer"), ("Synonyms", "synonyms"))
        modifiers = "".join(f"+{modifier}" for modifier, name in flags if self.truth(f"{name}.use"))
        kind, items = self.kind(), self._items()
        tags = self.text("topic.type")
        topics = f"Topic{'Uniq' * (kind == TOPIC_ONCE)}{{{tags}}}"
        if kind in (TOPIC, TOPIC_ONCE):
            items = items if compatible else ["1"]
            if not tags or set("{}") & set(tags):
                raise self._wrong(
                    "topic.type", "write beginnings of Penn tags with | between, such as nn|jj"
                )
        rows = {}
        for item in items:
            once = "Uniq" * (kind == ONCE and item.upper() != "L")
            name = topics if kind in (TOPIC, TOPIC_ONCE) else f"{item.upper()}{once}"
            type_ = "" if kind == NORMAL else f"-{kind}"
            rows[f"ROUGE-{item}{type_}{modifiers}"] = f"ROUGE-{name}{modifiers}"
        return rows

    def options(self, *, compatible: bool) -> dict[str, object]:
        """Return the options for the dialect.

        An unknown stemmer is an error. The program, and `compatible`, take the English stemmer.
        """
        beta = self.beta()
        options: dict[str, object] = {
            "metrics": tuple(dict.fromkeys(self.rows(compatible=compatible).values())),
            "alpha": 1 / (1 + beta * beta),
            "definition": "program" if compatible else "paper",
        }
        if self.truth("stemmer.use"):
            options["stemmer"] = f"snowball:{self._language(compatible=compatible)}"
        if self.truth("stopwords.use") and self.text("stopwords.file"):
            options["stop"] = f"file:{self.text('stopwords.file')}"
        return options

    def remark(self, notify: Notify, *, tagged: bool) -> None:
        """Warn of properties that have no effect, if the run would use them."""
        topics = self.kind() in (TOPIC, TOPIC_ONCE)
        tagger, database = self.text("pos_tagger_name"), self.text("synonyms.dir")
        if tagger and not tagged and (topics or self.truth("synonyms.use")):
            notify(Notice(f"pos_tagger_name {tagger}: not available; tags are those of --tagger"))
        if database not in ("", "default") and self.truth("synonyms.use"):
            notify(Notice(f"synonyms.dir {database}: no effect, as in the program; use --synonyms"))

    def _language(self, *, compatible: bool) -> str:
        from nltk.stem.snowball import SnowballStemmer  # takes about a second

        name = self.text("stemmer.name")
        language = name.removesuffix("Stemmer")
        if language in SnowballStemmer.languages:
            return language
        if compatible and language != "turkish":
            return "english"
        names = [f"{spelling}Stemmer" for spelling in SnowballStemmer.languages]
        raise self._wrong("stemmer.name", plugins.suggestion(name, names))

    def _check_item(self, item: str) -> None:
        if not _ITEM.fullmatch(item):
            kinds = ["1", "2", "L", "S4", "SU4"]
            _, where, error = self._settings["ngram"]
            raise error(
                f"unknown n-gram kind {item!r}", where=where, remedy=plugins.suggestion(item, kinds)
            )

    def _one_of(self, name: str, choices: Mapping[str, T], value: str) -> T:
        if value not in choices:
            spelled = [choice if isinstance(choice, str) else key for key, choice in choices.items()]
            raise self._wrong(name, plugins.suggestion(value, spelled))
        return choices[value]

    def _wrong(self, name: str, remedy: str) -> RougeError:
        value, where, error = self._settings.get(name, PropertyValue(DEFAULTS[name]))
        return error(f"{name} cannot be {value!r}", where=where, remedy=remedy)


def read(path: str | None, words: Sequence[str]) -> Properties:
    """Return the properties of a file, overridden by the properties on the command line.

    Args:
        path: The file; None for no file.
        words: The properties on the command line, as KEY=VALUE.

    Raises:
        UnreadableFile: The file cannot be read.
        RougeError: The file sets an unknown property.
        UsageError: The command line sets an unknown property.
    """
    settings = dict(_of_file(path)) if path is not None else {}
    settings.update(all_of(partial(_of_word, word) for word in words))
    return Properties(settings, path)


def _of_file(path: str) -> Iterator[tuple[str, PropertyValue]]:
    import javaproperties

    number = 1
    steps: list[Callable[[], tuple[str, PropertyValue]]] = []
    text = _decode(files.read_any(path, "properties"))
    try:
        for element in javaproperties.parse(text):
            if isinstance(element, javaproperties.KeyValue):
                where = f"{files.place(path)}:{number}"
                steps.append(partial(_known, element.key, PropertyValue(element.value, where)))
            number += element.source.count("\n")
    except javaproperties.InvalidUEscapeError as error:
        raise RougeError(str(error), where=f"{files.place(path)}:{number}") from None
    yield from all_of(steps)


def _decode(data: bytes) -> str:
    """Decode the file as UTF-8, or as Latin-1 (as Java does) if it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _of_word(word: str) -> tuple[str, PropertyValue]:
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise UsageError(f"-D {word}", remedy="write -D KEY=VALUE, as in -D ngram=1,2")
    return _known(name.strip(), PropertyValue(value, f"-D {name.strip()}", UsageError))


def _known(name: str, setting: PropertyValue) -> tuple[str, PropertyValue]:
    if name not in DEFAULTS:
        raise setting.error(
            f"unknown property {name!r}",
            where=setting.where,
            remedy=plugins.suggestion(name, list(DEFAULTS)),
        )
    return name, setting
