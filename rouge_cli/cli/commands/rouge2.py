"""`rouge-cli rouge2`: score a project folder of ROUGE 2.0, and print the scores as
its program does.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import ClassVar, NamedTuple

from rouge_cli import data, dialects, signature
from rouge_cli.cli import inputs, output, scoring, streams
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    argument,
    flag,
    named,
    option,
    several,
)
from rouge_cli.core import Notice, Notify
from rouge_cli.errors import RougeError, UsageError, all_of, suggestion
from rouge_cli.io import files
from rouge_cli.io.users_files import users_files
from rouge_cli.results.scores import Project
from rouge_cli.runs import assembly, parallel
from rouge_cli.tasks import directories, doubts

SECTION = "Score"

DIALECT = "rouge2"


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
        "--properties FILE",
        "Properties file (default: rouge.properties, if it exists).",
    )
    settings: Words = several(
        "-D KEY=VALUE", "Set a property, overriding the file; repeatable."
    )
    compatible: bool = flag(
        "--compatible", "Use the Java program's definitions, not the paper's."
    )
    tagged: bool = flag("--tagged", "Read part-of-speech tags in the texts: word_TAG.")
    tagger: str | None = option(
        "--tagger NAME", "Part-of-speech tagger: embedded (default), nltk."
    )
    synonyms: Words = several(
        "--synonyms FILE", "Dictionary of synonyms, or wordnet[:FOLDER]; repeatable."
    )
    expand: str | None = option(
        "--expand SIDE", "Add synonyms to: both (default), prediction, reference."
    )
    least_count: int | None = option(
        "--least-count N",
        "Least uses of a WordNet sense (default 1; 0: all).",
        type=int,
    )
    stop_words: str | None = option(
        "--stop-words FILE", "Drop the words in FILE, one per line."
    )
    encoding: str = option(
        "--encoding NAME", "Encoding of texts (default UTF-8).", default="utf-8"
    )
    format: str | None = output.format_option("project")
    output: str | None = option(
        "-o --output FILE", "Write the report to FILE, whole or not at all."
    )
    jobs: int = scoring.jobs_option()
    quiet: bool = flag("--quiet", "Print no warnings.")


@named("rouge2")
def command(options: ProjectOptions) -> None:
    """Score a project folder of ROUGE 2.0.

    FOLDER (default: the property project.dir) contains reference/ and system/, with
    files named TASK_NAME. --synonyms and --stop-words override the properties.

    Example: rouge-cli rouge2 project -D rouge.type=topic -D 'topic.type=nn|jj'
    """
    form = output.chosen_format("project", options.format, options.output)
    properties = Properties(options)
    rows = properties.rows
    folder = options.folder or properties.text("project.dir")
    copy = properties.to_file(folder)
    values = {
        "tagger": "tagged" if options.tagged else options.tagger,
        "expand": options.expand,
        "least_count": options.least_count,
        "synonyms": _synonyms(options.synonyms),
        **properties.options(),
    }
    if options.stop_words:
        values["stop"] = f"file:{options.stop_words}"
    run = assembly.set_up(DIALECT, values, None)
    synonyms = run.options["synonyms"]
    Conflict.check(
        {
            Conflict.TAGGED: run.options["tagger"] == "tagged",
            Conflict.UNTAGGED: run.options["tagger"] == "none",
            Conflict.COMPATIBLE: options.compatible,
            Conflict.NO_SYNONYMS: synonyms == "none",
            Conflict.NO_WORDNET: not synonyms.startswith(("none", "wordnet")),
        }
    )
    with streams.Notices(quiet=options.quiet) as notices:
        properties.remark(notices, tagged=options.tagged)
        tasks = directories.read_project(
            folder,
            notices,
            encoding=options.encoding,
            without_references=options.compatible,
        )
        doubts.watched(tasks, notices)
        sources = [*properties.files, *users_files(run.options), *inputs.paths(tasks)]
        sides = (directories.SYSTEM, directories.REFERENCE)
        folders = [os.path.join(folder, side) for side in sides]
        output.check_targets([options.output, copy], sources, folders)
        collected = parallel.collected(run.work, tasks, notices, jobs=options.jobs)
        # The table shows tasks one by one, so it is not worth a warning if a system
        # lacks some of them.
        run = run._replace(reading=signature.reading((), options.encoding))
        report = assembly.make_report(run, collected, lambda _: None)
        assembly.remark(run, report.details, notices, collected.sample)
        parse = dialects.named(DIALECT).parse
        measures = {name: parse(label) for name, label in rows.items()}
        project = Project(
            report.results, report.signature, report.details, tasks, measures
        )
        if copy:
            files.write(copy, project.to_rouge2())
        output.write_result(project, form, options.output)


def _synonyms(sources: Sequence[str]) -> str | None:
    """Return the dialect's option for WordNet, a dictionary, or both."""
    databases = [source for source in sources if source.partition(":")[0] == "wordnet"]
    dictionaries = [
        f"file:{source.removeprefix('file:')}"
        for source in sources
        if source not in databases
    ]
    if len(databases) > 1 or len(dictionaries) > 1:
        remedy = "name one WordNet, one dictionary, or both"
        raise UsageError("--synonyms names two of a kind", remedy=remedy)
    return ",".join(databases + dictionaries) or None


FILE = "rouge.properties"
_LINES = data.read("rouge2.properties").decode().splitlines()[1:]
DEFAULTS: Mapping[str, str] = dict(line.split("=") for line in _LINES)
NORMAL, TOPIC, TOPIC_ONCE, ONCE = TYPES = (
    "normal",
    "topic",
    "topicUniq",
    "normalCompressed",
)
_ITEM = re.compile(r"L|SU?\d+|[1-9]\d*", re.IGNORECASE)


class Property(NamedTuple):
    """The value of a property, and how to report that it is invalid."""

    value: str
    where: str = ""  # the line or the option that sets it; empty for a default
    error: type[RougeError] = RougeError


class Properties:
    """The properties of a run: the defaults, overridden by a file and then by the
    command line.

    --stop-words and --synonyms also switch their use on.
    """

    def __init__(self, options: ProjectOptions) -> None:
        self.files = []
        if options.properties is not None:
            self.files = [options.properties]
        elif os.path.exists(FILE):
            self.files = [FILE]
        self._compatible = options.compatible
        switched = {
            "stopwords.use": options.stop_words,
            "synonyms.use": options.synonyms,
        }
        words = list(options.settings)
        for name, value in switched.items():
            if value:
                words.append(f"{name}=true")
        self._properties = {name: Property(value) for name, value in DEFAULTS.items()}
        for path in self.files:
            known = all_of(
                partial(_known, name, value) for name, value in _of_file(path)
            )
            self._properties.update(known)
        self._properties.update(all_of(partial(_of_word, word) for word in words))
        if options.folder is None and not self._properties["project.dir"].where:
            raise UsageError(
                "nothing to score", remedy=f"name FOLDER, or set project.dir in {FILE}"
            )

    def text(self, name: str) -> str:
        """Return the value as written, without blanks around it."""
        return self._properties[name].value.strip()

    def _truth(self, name: str) -> bool:
        return self._one_of(name, "true", "false") == "true"

    def to_file(self, project: str) -> str | None:
        """Return the output file, or None for stdout only.

        Raises:
            RougeError: A properties file names an output file that is neither in the
                project's folder nor in the folder of the properties.
        """
        if self._one_of("output", "file", "console") == "console":
            return None
        target = self.text("outputFile")
        if not target:
            raise self._wrong("outputFile", "name a file")
        is_named = self._properties["outputFile"].where
        setting = self._properties["outputFile" if is_named else "output"]
        if setting.error is UsageError:  # the command line may name any file
            return target
        files.check_target(target)
        path = os.path.realpath(target)
        for folder in (project, *map(os.path.dirname, self.files)):
            parent = os.path.realpath(folder)
            if os.path.commonpath([path, parent]) == parent:
                return target
        what = f"outputFile {target!r} is outside of the project"
        remedy = f"allow it with -D outputFile={target}, or name a file in {project}"
        raise RougeError(what, where=setting.where, remedy=remedy)

    @cached_property
    def rows(self) -> Mapping[str, str]:
        """The rows of a system: the program's name of the metric -> its label.

        The label of `ROUGE-1-topic+Synonyms` is `ROUGE-Topic{NN}+Synonyms`. For topics,
        the program has a row for every item of `ngram`. The rows have the same scores,
        so without `compatible` there is one (QUIRKS 49).
        """
        flags = (
            ("StopWordRemoval", "stopwords"),
            ("Stemming", "stemmer"),
            ("Synonyms", "synonyms"),
        )
        modifiers = "".join(
            f"+{modifier}" for modifier, name in flags if self._truth(f"{name}.use")
        )
        type_ = self._one_of("rouge.type", *TYPES)
        items = [item.strip() for item in self.text("ngram").split(",")]
        unknown = [item for item in items if not _ITEM.fullmatch(item)]
        if unknown:
            remedy = suggestion(unknown[0], ["1", "2", "L", "S4", "SU4"])
            raise self._wrong(
                "ngram", remedy, f"unknown n-gram kind {', '.join(map(repr, unknown))}"
            )
        topics = ""
        if type_ in (TOPIC, TOPIC_ONCE):
            tags = self.text("topic.type")
            if not tags or set("{}") & set(tags):
                remedy = "write beginnings of Penn tags with | between, such as nn|jj"
                raise self._wrong("topic.type", remedy)
            kind = "TopicUniq" if type_ == TOPIC_ONCE else "Topic"
            topics = f"{kind}{{{tags}}}"
            if not self._compatible:
                items = ["1"]
        suffix = "" if type_ == NORMAL else f"-{type_}"
        rows = {}
        for item in items:
            counted = topics or item.upper()
            if type_ == ONCE and counted != "L":
                counted += "Uniq"
            rows[f"ROUGE-{item}{suffix}{modifiers}"] = f"ROUGE-{counted}{modifiers}"
        return rows

    def options(self) -> dict[str, object]:
        """Return the options for the dialect.

        An unknown stemmer is an error. The program, and `compatible`, take the English
        stemmer.
        """
        try:
            beta = float(self.text("beta"))
        except ValueError:
            beta = -1.0
        if not 0 <= beta < float("inf"):
            raise self._wrong(
                "beta",
                "give a number of 0 or more; 1 weighs recall and precision alike",
            )
        options: dict[str, object] = {
            "metrics": tuple(dict.fromkeys(self.rows.values())),
            "alpha": 1 / (1 + beta * beta),
            "definition": "program" if self._compatible else "paper",
        }
        if self._truth("stemmer.use"):
            options["stemmer"] = f"snowball:{self._language()}"
        if self._truth("stopwords.use") and self.text("stopwords.file"):
            options["stop"] = f"file:{self.text('stopwords.file')}"
        return options

    def remark(self, notify: Notify, *, tagged: bool) -> None:
        """Warn of properties that have no effect, if the run would use them."""
        synonyms = self._truth("synonyms.use")
        tagger, database = self.text("pos_tagger_name"), self.text("synonyms.dir")
        has_topics = any("Topic" in label for label in self.rows.values())
        if tagger and not tagged and (synonyms or has_topics):
            notify(
                Notice(
                    f"pos_tagger_name {tagger}: not available; tags are those of"
                    " --tagger"
                )
            )
        if database not in ("", "default") and synonyms:
            notify(
                Notice(
                    f"synonyms.dir {database}: no effect, as in the program; use"
                    " --synonyms"
                )
            )

    def _language(self) -> str:
        from nltk.stem.snowball import SnowballStemmer  # takes about a second

        name = self.text("stemmer.name")
        language = name.removesuffix("Stemmer")
        if language in SnowballStemmer.languages:
            return language
        if self._compatible and language != "turkish":
            return "english"
        names = [f"{spelling}Stemmer" for spelling in SnowballStemmer.languages]
        raise self._wrong("stemmer.name", suggestion(name, names))

    def _one_of(self, name: str, *choices: str) -> str:
        """Return the choice that the value names, in any case."""
        value = self.text(name).lower()
        if value not in map(str.lower, choices):
            raise self._wrong(name, suggestion(value, list(choices)))
        return next(choice for choice in choices if choice.lower() == value)

    def _wrong(self, name: str, remedy: str, what: str = "") -> RougeError:
        wrong = self._properties[name]
        what = what or f"{name} cannot be {wrong.value!r}"
        return wrong.error(what, where=wrong.where, remedy=remedy)


def _of_file(path: str) -> Iterator[tuple[str, Property]]:
    import javaproperties

    content = files.read_any(path, "properties", is_local=True)
    place = files.place(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")  # as Java does
    number = 1
    try:
        for element in javaproperties.parse(text):
            if isinstance(element, javaproperties.KeyValue):
                yield element.key, Property(element.value, f"{place}:{number}")
            number += element.source.count("\n")
    except javaproperties.InvalidUEscapeError as error:
        raise RougeError(str(error), where=f"{place}:{number}") from None


def _of_word(word: str) -> tuple[str, Property]:
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise UsageError(f"-D {word}", remedy="write -D KEY=VALUE, as in -D ngram=1,2")
    return _known(name.strip(), Property(value, f"-D {name.strip()}", UsageError))


def _known(name: str, value: Property) -> tuple[str, Property]:
    if name not in DEFAULTS:
        remedy = suggestion(name, list(DEFAULTS))
        raise value.error(
            f"unknown property {name!r}", where=value.where, remedy=remedy
        )
    return name, value
