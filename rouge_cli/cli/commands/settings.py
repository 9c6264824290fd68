"""`rouge-cli settings`: write settings XML from folders, or check settings."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

import click

from rouge_cli import formats
from rouge_cli.cli import inputs, streams
from rouge_cli.cli import output as report
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    flag,
    named,
    option,
    several,
)
from rouge_cli.core import Document, EvalTask, Notice, ignore_notice
from rouge_cli.dialects.rouge155.setup import FORMATS, Setup
from rouge_cli.dialects.rouge155.texts import Preparation
from rouge_cli.errors import RougeError, UnreadableFile, UsageError, shown
from rouge_cli.io import files
from rouge_cli.results.printed import pluralize, visible
from rouge_cli.tasks import contents, directories, doubts, settings_xml, system_names
from rouge_cli.tasks.settings_xml import Settings

SECTION = "Convert"

_READ = click.Choice(FORMATS, case_sensitive=False)
_PRINTED = click.Choice(("text", "json"))


class SettingsOptions(OptionGroup):
    """Options for writing settings from folders, and for checking settings."""

    conflicts: ClassVar = {
        Conflict.CHECK: (
            "predictions references prediction_pattern reference_pattern read_as"
            " jackknife"
        ),
        Conflict.CHECK_OF_ALL_SYSTEMS: "output",
        Conflict.NO_CHECK: "format depfile target systems",
        Conflict.NO_DEPFILE: "target systems",
    }
    predictions: str | None = option(
        "--pred DIR", "Folder of predictions; sub-folders are systems."
    )
    references: str | None = option("--ref DIR", "Folder of references.")
    prediction_pattern: str | None = option(
        "--pred-pattern RE",
        "Names of prediction files; the group is the eval ID, (?P<system>...) the"
        " system.",
    )
    reference_pattern: str | None = option(
        "--ref-pattern RE", "Names of reference files; #ID# is the eval ID."
    )
    read_as: str = option(
        "--read-as FORMAT",
        "Format of the texts: spl (default), see, isi, simple.",
        default="spl",
        type=_READ,
    )
    jackknife: bool = flag(
        "--jackknife", "Write an eval per reference, which it leaves out, and scores."
    )
    output: str | None = option(
        "-o FILE", "Write to FILE, unless it has the same content already."
    )
    checked: str | None = option(
        "--check FILE", "Check the settings FILE and report all errors."
    )
    format: str = option(
        "--format NAME",
        "With --check: text (default) or json.",
        default="text",
        type=_PRINTED,
    )
    depfile: str | None = option(
        "--depfile FILE", "With --check: write a make rule for all files in it."
    )
    target: str | None = option(
        "--target NAME", "With --depfile: its target (default: FILE without .d)."
    )
    systems: Words = several(
        "--system ID",
        "With --check: only this system's files in --depfile, and its evals in -o.",
    )


@named("settings")
def command(options: SettingsOptions) -> None:
    """Write or check settings XML of ROUGE-1.5.5.

    Examples: rouge-cli settings --pred systems --ref references -o settings.xml
              rouge-cli settings --check settings.xml

    A check prints all errors (cannot be scored), warnings (the scores are probably
    wrong) and infos, and exits with 1 if there are errors. An eval is what is scored
    together: one topic or document.
    """
    report.check_suffix(
        options.output, "out text txt xml", "settings are XML: end the name in .xml"
    )
    if options.checked is not None:
        circumstances = {
            Conflict.CHECK: True,
            Conflict.CHECK_OF_ALL_SYSTEMS: (
                not options.systems or options.output == files.STDIN
            ),
            Conflict.NO_DEPFILE: options.depfile is None and not options.output,
        }
        Conflict.check(circumstances)
        _check(options.checked, options)
        return
    if not options.predictions or not options.references:
        raise UsageError(
            "nothing to write", remedy="name --pred DIR and --ref DIR, or --check FILE"
        )
    Conflict.check({Conflict.NO_CHECK: True})
    sides = {contents.PRED: options.predictions, contents.REF: options.references}
    for side, path in sides.items():
        remedy = "settings name files of texts; rouge-cli score takes records"
        contents.check_is_text(path, side, remedy)
    with streams.Notices() as notices:
        doubts.warn_of_same_sources(
            [options.predictions], [options.references], notices
        )
        tasks = directories.read(
            options.predictions,
            options.references,
            options.read_as.lower(),
            prediction_pattern=options.prediction_pattern,
            reference_pattern=options.reference_pattern,
            notify=notices,
        )
        folders = []
        if options.prediction_pattern is None:
            folders.append(options.predictions)
        if options.reference_pattern is None:
            folders.append(options.references)
        report.check_targets([options.output], inputs.paths(tasks), folders)
        if options.jackknife:
            tasks = list(settings_xml.jackknife(tasks, notices))
        data = settings_xml.render(tasks)
        if options.output in (None, files.STDIN):
            streams.emit(data)
        else:
            _update(str(options.output), data)


def _check(path: str, options: SettingsOptions) -> None:
    """Print the findings, and write the make rules even after errors, so that make
    reruns the check.
    """
    findings, tasks = _findings(path)
    numbers = Counter(f"{finding.level}s" for finding in findings)
    summary = {
        "evals": len(tasks),
        **{name: numbers[name] for name in ("errors", "warnings", "infos")},
    }
    if options.format == "json":
        document = {
            "settings": path,
            **summary,
            "findings": [finding._asdict() for finding in findings],
        }
        text = json.dumps(document, indent=2)
    else:
        lines = []
        for finding in findings:
            line = f"{finding.where}: {finding.level}: {finding.message}"
            lines.append(visible(line))
        counts = [
            pluralize(number, name.removesuffix("s"))
            for name, number in summary.items()
        ]
        lines.append(f"{path}: {', '.join(counts)}")
        text = "\n".join(lines)
    systems = system_names.of_tasks(tasks)
    if systems:
        system_names.check(options.systems, systems, f"{path}: ")
    report.check_targets(
        [options.depfile, options.output], [path, *inputs.paths(tasks)]
    )
    source = path
    if options.output is not None and not numbers["errors"]:
        parts = []
        for task in tasks:
            predictions = {}
            for system in options.systems:
                text_of_system = task.predictions.get(system)
                if text_of_system:
                    predictions[system] = text_of_system
            if predictions:
                parts.append(task._replace(predictions=predictions))
        _update(options.output, settings_xml.render(parts))
        source = options.output
    if options.depfile is not None:
        # The target depends on the settings and on their files.
        target = options.target or options.depfile.removesuffix(".d")
        paths = [] if target == source else [source]
        for task in tasks:
            paths += task.paths(options.systems or task.predictions)
        files.write(options.depfile, inputs.depfile(target, paths))
    streams.emit(f"{text}\n")
    click.get_current_context().exit(1 if numbers["errors"] else 0)


def _update(path: str, data: bytes) -> None:
    """Write the file unless it has this content: its time tells make whether the
    settings changed.
    """
    if not os.path.isfile(path) or files.read(path, "settings file") != data:
        files.write_bytes(path, data)


# With this share of letters outside ASCII, ROUGE-1.5.5 probably misses most words of a
# text.
HEAVY = 0.1

Level = Literal["error", "warning", "info"]


class Finding(NamedTuple):
    """A finding about settings: an error prevents scoring, a warning probably means
    wrong scores.
    """

    where: str  # in the settings, as `path:line`
    level: Level
    message: str


def _findings(path: str) -> tuple[Sequence[Finding], Sequence[EvalTask]]:
    """Check the settings and every file that they name; return findings by line, and
    the evals.
    """
    try:
        survey = Settings(
            files.read_any(path, "settings file", is_local=True),
            path,
            FORMATS,
            ignore_notice,
        )
    except UnreadableFile:
        raise
    except RougeError as error:  # not well-formed XML, so nothing else can be checked
        return [Finding(error.where, "error", _message(error))], []
    findings = [
        Finding(error.where, "error", _message(error)) for error in survey.problems
    ]
    findings += [
        Finding(remark.where, "warning", remark.what) for remark in survey.remarks
    ]
    if not survey.tasks:
        findings.append(Finding(f"{path}:1", "error", "no EVAL in it"))
    for task in survey.tasks:
        findings += _of_eval(task, survey)
    findings += [*_of_coverage(survey), *_of_texts(survey)]
    return (
        sorted(findings, key=lambda finding: int(finding.where.rpartition(":")[2])),
        survey.tasks,
    )


def _of_eval(task: EvalTask, survey: Settings) -> Iterator[Finding]:
    """Yield the findings about one eval: missing parts, and files that are used
    twice.
    """
    named = f"eval {task.eval_id}"
    if not task.predictions:
        yield Finding(task.where, "error", f"{named} has no peers")
    if not task.references:
        yield Finding(task.where, "error", f"{named} has no models")
    if not task.input_format:
        message = (
            f'{named} has no INPUT-FORMAT; add <INPUT-FORMAT TYPE="SPL"/> or another'
        )
        yield Finding(task.where, "error", message)
    references: dict[str, str] = {}
    for reference_id, reference in dict(task.references).items():
        other = references.setdefault(os.path.realpath(str(reference)), reference_id)
        if other != reference_id:
            where = survey.places[task.eval_id, "model", reference_id]
            message = (
                f"{named}: models {other} and {reference_id} are one file: {reference}"
            )
            yield Finding(where, "warning", message)
    for system, source in task.predictions.items():
        where = survey.places[task.eval_id, "peer", system]
        if not source:
            yield Finding(
                where,
                "warning",
                f"{named}: peer {system} has no file, and no score here",
            )
            continue
        same = references.get(os.path.realpath(str(source)))
        if same:
            message = (
                f"{named}: peer {system} is scored against itself, as model {same}:"
                f" {source}"
            )
            yield Finding(where, "warning", message)


def _of_coverage(survey: Settings) -> Iterator[Finding]:
    """Yield a finding for every system that is missing in some evals; for people it is
    only an info.

    Jackknifed settings leave people out of the other evals.
    """
    people = {
        reference_id for task in survey.tasks for reference_id, _ in task.references
    }
    evals: dict[str, list[str]] = {}
    for task in survey.tasks:
        for system in task.predictions:
            evals.setdefault(system, []).append(task.eval_id)
    for system, present in evals.items():
        missing = [
            task.eval_id for task in survey.tasks if system not in task.predictions
        ]
        if missing and system not in survey.nameless:
            is_person = system in people or system.removeprefix("human ") in people
            message = (
                f"peer {system} is missing in {len(missing)} of {len(survey.tasks)}"
                f" evals: {shown(missing)}"
            )
            where = survey.places[present[0], "peer", system]
            yield Finding(where, "info" if is_person else "warning", message)


def _of_texts(survey: Settings) -> Iterator[Finding]:
    """Yield the findings about files; a file that is used repeatedly is reported at
    its first use.
    """
    uses: dict[
        tuple[str, str], list[tuple[str, str, str]]
    ] = {}  # (file, format) -> keys of places
    for task in survey.tasks:
        sources = [("peer", *text) for text in task.predictions.items()]
        sources += [("model", *text) for text in dict(task.references).items()]
        for side, text_id, source in sources:
            if isinstance(source, str):
                uses.setdefault((source, task.input_format), []).append(
                    (task.eval_id, side, text_id)
                )
    for (path, input_format), (first, *others) in uses.items():
        eval_id, side, text_id = first
        more = ""
        if others:
            more = f" (and in {pluralize(len(others), 'more place')})"
        role = f"{side} {text_id} of eval {eval_id}"
        for level, message in _of_text(path, input_format, role):
            yield Finding(survey.places[first], level, message + more)


def _of_text(path: str, input_format: str, role: str) -> Iterator[tuple[Level, str]]:
    """Yield level and message of the findings about one file."""
    try:
        data = files.read(path, role)
    except UnreadableFile as error:
        yield "error", str(error)
        return
    if input_format not in FORMATS:
        return
    task = EvalTask("", {}, (), input_format, "")
    notices: list[Notice] = []
    if input_format == "simple" and data:
        texts = Preparation(Setup(), ignore_notice)
        for number, line in enumerate(formats.named("simple").read(data).units, 1):
            try:
                texts.prepare(Document(line + b"\n", path), task)
            except RougeError as error:  # noqa: PERF203 - every bad line is reported, not only the first
                yield "error", f"{path}:{number}: {_message(error)}"
    else:
        Preparation(Setup(), notices.append).prepare(Document(data, path), task)
    yield from (("warning", notice.message) for notice in notices)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        yield (
            "info",
            (
                f"{path}: not UTF-8 (byte {error.start + 1}); bytes outside ASCII"
                " separate words"
            ),
        )
        return
    letters = sum(map(str.isalnum, text))
    foreign = sum(character.isalnum() and not character.isascii() for character in text)
    if foreign > HEAVY * letters and not notices:
        what = (
            f"{foreign} of {letters} letters and digits are outside ASCII, and only"
            " separate words"
        )
        yield "warning", f"{path}: {what}"


def _message(error: RougeError) -> str:
    """Return the error's message without its file and line."""
    return f"{error.what}; {error.remedy}" if error.remedy else error.what
